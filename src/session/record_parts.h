/* Inside of a record: what its files share. record_begin.c opens one, anew, from a
 * checkpoint or from parts; record_files.c has the files of draws, record_sets.c
 * what was set, record.c checkpoints and the end. */
#pragma once

#include "base/page.h"
#include "io/cmdstan.h"
#include "io/writer.h"
#include "session/record.h"

enum { CS_RECORD_PATH = 4096 }; /* bytes */

struct cs_record {
    char folder[CS_RECORD_PATH / 2];
    int lock; /* on the folder */
    uint64_t thin;
    bool save_warmup;
    char scenario[200]; /* its file, "": not known, and the sum of its text */
    uint64_t scenario_sum;
    const cs_run *run; /* [borrowed] */
    cs_page sets;      /* [own] those of the checkpoint, now */
    char *before;      /* [own] and when it was read, or NULL */
    cs_cmdstan **file; /* [n_files] arm by arm, chain by chain: of those that
                          draw from the target; NULL: another rank writes it */
    cs_cmdstan_mark *mark;
    size_t n_files;
    cs_writer *writer; /* [own] has the files while draws come */
    size_t *first;     /* [arms] where an arm's files begin */
    size_t *columns;   /* [arms] */
    size_t *group;     /* [arms] every so many chains have a file */
    double kept, cost; /* seconds: when, and how long it took */
    double every;      /* seconds that were asked for, or NAN */
    bool torn;         /* what is on the disk must not be kept */
    bool told;         /* the summary came with the part that is the run */
    cs_status broken;  /* of the sink, which cannot fail */
    cs_error why;
};

/* path[CS_RECORD_PATH]: of that file of the folder. */
cs_status cs_record_path(const cs_record *rec, const char *name, char *path,
                         cs_error *err);

/* Ends the writing and frees; what is not written is lost. */
void cs_record_destroy(cs_record *rec);

/* Writes a checkpoint, the draws first: it never promises what is not on the disk. */
cs_status cs_record_keep(cs_record *rec, cs_run *run, cs_error *err);

/* ---- what was set (record_sets.c) ---- */

/* rec->sets: those of the checkpoint, the new ones in the place of the old. */
cs_status cs_record_join_sets(cs_record *rec, const cs_record_spec *spec,
                              cs_error *err);

/* ---- files of draws (record_files.c) ---- */

/* Files of an arm, by number. There is one for each group of chains, which has its
 * first chain's draws: those of some chains, of all chains of the run, and of those
 * that this process moves and writes. */
cs_chains cs_record_groups(const cs_record *rec, size_t arm, cs_chains of);
cs_chains cs_record_files(const cs_record *rec, const cs_run *run, size_t arm);
cs_chains cs_record_mine(const cs_record *rec, const cs_run *run, size_t arm);
/* Where file number `file` of an arm stands among all. */
size_t cs_record_place(const cs_record *rec, const cs_run *run, size_t arm,
                       size_t file);
/* "ARM_1.csv" of file 0. */
void cs_record_file_name(const char *arm, size_t file, char *out, size_t size);

/* Makes room for the files; opens those of this process, with `resume` where
 * rec->mark is. */
cs_status cs_record_count_files(cs_record *rec, const cs_run *run,
                                cs_error *err);
cs_status cs_record_open_files(cs_record *rec, const cs_run *run, bool resume,
                               cs_error *err);
/* Gives an arm back what R-hat and effective sizes are of, which a checkpoint
 * leaves to the files: as if the run had not been broken off. */
cs_status cs_record_recall(const cs_record *rec, cs_run *run, size_t arm,
                           cs_error *err);
/* For cs_run_sink and cs_run_sink_warmups; self: the record. */
void cs_record_sink(void *self, size_t arm, size_t chain, const double *rows,
                    size_t n);
void cs_record_end_warmup(void *self, size_t arm);
/* Says behind the last draws why a chain stopped and how long it took. The first
 * error goes to rec->broken. */
void cs_record_finish_files(cs_record *rec, cs_run *run);
