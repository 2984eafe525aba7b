/* Internals of a record, shared by its files. record_begin.c opens a new
 * record, or one from a checkpoint or from parts; record_files.c has the files
 * of draws, record_sets.c the sets, record_checkpoint.c checkpoints and the
 * end. */
#pragma once

#include "base/page.h"
#include "io/cmdstan.h"
#include "io/writer.h"
#include "session/record/record.h"

enum { CS_RECORD_PATH = 4096 }; /* bytes */

struct cs_record {
    char folder[CS_RECORD_PATH / 2];
    int lock; /* locks the folder */
    uint64_t thin;
    bool save_warmup;
    char scenario[200]; /* file name ("": unknown) and checksum */
    uint64_t scenario_sum;
    const cs_run *run; /* [borrowed] */
    cs_page sets;      /* [own] sets of the current checkpoint */
    char *before;      /* [own] sets of the checkpoint read, or NULL */
    cs_cmdstan **file; /* [n_files] by arm, then by chain; only chains that draw
                          from the target; NULL: another rank writes it */
    cs_cmdstan_mark *mark;
    size_t n_files;
    cs_writer *writer; /* [own] owns the files while draws arrive */
    size_t *first;     /* [arms] index of an arm's first file */
    size_t *columns;   /* [arms] */
    size_t *group;     /* [arms] chains per file */
    double kept, cost; /* time of the last checkpoint; its duration, s */
    double every;      /* requested interval in s, or NAN */
    bool torn;         /* a step was interrupted: write no checkpoint */
    bool reported;     /* the summary was copied from a part */
    cs_status broken;  /* first error of the sink, which returns none */
    cs_error why;
};

/* Writes the path of a file of the folder to path[CS_RECORD_PATH]. */
cs_status cs_record_path(const cs_record *rec, const char *name, char *path,
                         cs_error *err);

/* Stops the writer and frees the record; unwritten draws are lost. */
void cs_record_destroy(cs_record *rec);

/* Writes the draws, then a checkpoint, so that a checkpoint never refers to
 * draws that are not on the disk. */
cs_status cs_record_keep(cs_record *rec, cs_run *run, cs_error *err);

/* ---- sets (record_sets.c) ---- */

/* Merges rec->sets: the checkpoint's sets, replaced by new ones of the same
 * name. */
cs_status cs_record_join_sets(cs_record *rec, const cs_record_spec *spec,
                              cs_error *err);

/* ---- files of draws (record_files.c) ---- */

/* Files of an arm, by number. Each group of chains has one file, with the draws
 * of its first chain. `of` is a range of chains: all chains of the run, or
 * those that this process moves and writes. */
cs_chains cs_record_groups(const cs_record *rec, size_t arm, cs_chains of);
cs_chains cs_record_files(const cs_record *rec, const cs_run *run, size_t arm);
cs_chains cs_record_mine(const cs_record *rec, const cs_run *run, size_t arm);
/* Returns the index of an arm's file `file` among all files. */
size_t cs_record_place(const cs_record *rec, const cs_run *run, size_t arm,
                       size_t file);
/* Formats a file name, "ARM_1.csv" for file 0. */
void cs_record_file_name(const char *arm, size_t file, char *out, size_t size);

/* Allocates the files and opens those of this process; with `resume` at
 * rec->mark. */
cs_status cs_record_count_files(cs_record *rec, const cs_run *run,
                                cs_error *err);
cs_status cs_record_open_files(cs_record *rec, const cs_run *run, bool resume,
                               cs_error *err);
/* Restores the draws from which R-hat and effective sample sizes are computed,
 * which a checkpoint leaves to the files. The results are those of an
 * uninterrupted run. */
cs_status cs_record_recall(const cs_record *rec, cs_run *run, size_t arm,
                           cs_error *err);
/* Sinks for cs_run_sink and cs_run_sink_warmups; self: the record. */
void cs_record_sink(void *self, size_t arm, size_t chain, const double *rows,
                    size_t n);
void cs_record_end_warmup(void *self, size_t arm);
/* Appends to each file why its chain stopped and how long it took. Stores the
 * first error in rec->broken. */
void cs_record_finish_files(cs_record *rec, cs_run *run);
