/* Internals of a record, shared by its files. record_begin.c opens a record,
 * which is new or continues from a checkpoint or from parts. record_files.c
 * handles the files of draws, record_sets.c the settings, and
 * record_checkpoint.c the checkpoints and the end of the record. */
#pragma once

#include "base/page.h"
#include "io/cmdstan.h"
#include "io/writer.h"
#include "session/record/record.h"

enum { CS_RECORD_PATH = 4096 }; /* maximum number of bytes of a path */

struct cs_record {
    char folder[CS_RECORD_PATH / 2];
    int lock; /* descriptor of the folder's lock */
    uint64_t thin;
    bool save_warmup;
    bool kept_draws;    /* `kept` of the spec */
    char scenario[200]; /* file name of the scenario; "": unknown */
    uint64_t scenario_sum;
    const cs_run *run; /* the recorded run [borrowed] */
    cs_page sets;      /* settings stored in the next checkpoint [own] */
    char *before;      /* settings in the checkpoint that was resumed, or NULL
                        * [own] */
    /* [n_files] files, ordered by arm and then by chain. Only chains that draw
     * from the target have files. NULL: another rank writes this file */
    cs_cmdstan **file;
    cs_cmdstan_mark *mark;
    size_t n_files;
    cs_writer *writer; /* [own] writer of the draws; it borrows the files */
    size_t *first;     /* [arms] index of the first file of each arm */
    size_t *columns;   /* [arms] columns per file */
    size_t *group;     /* [arms] chains per file */
    double kept, cost; /* time of the last checkpoint, and duration of that
                        * checkpoint in s */
    double every;      /* requested interval between checkpoints in s, or NAN */
    bool torn;         /* true if a step was interrupted: no checkpoint is
                        * written */
    bool reported;     /* true if the summary was copied from a part, so that it
                        * must not be written */
    cs_status broken;  /* first error of cs_record_sink, which cannot return
                        * errors */
    cs_error why;
};

/* Writes the path of the file `name` in the folder to path[CS_RECORD_PATH]. */
cs_status cs_record_path(const cs_record *rec, const char *name, char *path,
                         cs_error *err);

/* Stops the writer and frees the record; unwritten draws are lost. */
void cs_record_destroy(cs_record *rec);

/* Writes the draws, then a checkpoint, so that no checkpoint refers to draws
 * that are not on the disk. */
cs_status cs_record_keep(cs_record *rec, cs_run *run, cs_error *err);

/* ---- settings (record_sets.c) ---- */

/* Merges the checkpoint's settings and the new settings into rec->sets; a new
 * setting replaces an old one of the same name. */
cs_status cs_record_join_sets(cs_record *rec, const cs_record_spec *spec,
                              cs_error *err);

/* ---- files of draws (record_files.c) ---- */

/* These functions return a range of file numbers of an arm. A group of chains
 * has one file, with the draws of the group's first chain. cs_record_groups
 * returns the files of the chains in `of`, cs_record_files the files of all
 * chains of the run, and cs_record_mine the files of the chains that this
 * process moves and writes. */
cs_chains cs_record_groups(const cs_record *rec, size_t arm, cs_chains of);
cs_chains cs_record_files(const cs_record *rec, const cs_run *run, size_t arm);
cs_chains cs_record_mine(const cs_record *rec, const cs_run *run, size_t arm);
/* Returns the index of file number `file` of an arm among the files of all
 * arms. */
size_t cs_record_place(const cs_record *rec, const cs_run *run, size_t arm,
                       size_t file);
/* Writes the name of file number `file` of an arm: "ARM_1.csv" for file 0. */
void cs_record_file_name(const char *arm, size_t file, char *out, size_t size);

/* cs_record_count_files allocates the table of files. cs_record_open_files
 * opens the files of this process. If `resume` is true, writing continues at
 * rec->mark. */
cs_status cs_record_count_files(cs_record *rec, const cs_run *run,
                                cs_error *err);
cs_status cs_record_open_files(cs_record *rec, const cs_run *run, bool resume,
                               cs_error *err);
/* Reads back the draws from which R-hat and effective sample sizes are
 * computed; a checkpoint does not contain these draws. The resumed run then has
 * the same R-hat and effective sample sizes as an uninterrupted run. */
cs_status cs_record_recall(const cs_record *rec, cs_run *run, size_t arm,
                           cs_error *err);
/* Functions that receive the draws, for cs_run_sink and cs_run_sink_warmups;
 * `self` is the record. */
void cs_record_sink(void *self, size_t arm, size_t chain, const double *rows,
                    size_t n);
void cs_record_end_warmup(void *self, size_t arm);
/* Appends the elapsed time to each file. If the chain of a file has stopped,
 * also appends the reason. Stores the first error in rec->broken. */
void cs_record_finish_files(cs_record *rec, cs_run *run);
