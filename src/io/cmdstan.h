/* Draws of one chain as CSV in CmdStan's layout, which rstan, cmdstanr, ArviZ
 * and posterior read unmodified. Rows are buffered; between writes no file is
 * open, so thousands of chains need no more descriptors than one. */
#pragma once

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct cs_cmdstan cs_cmdstan;

#define CS_CMDSTAN_UNKNOWN UINT64_MAX

/* The specification of a file; all texts are [copied]. `name`[columns], lp__
 * first; readers treat names that end in __ as sampler quantities and others as
 * variables. */
typedef struct cs_cmdstan_spec {
    const char *path, *model, *algorithm, *arm;
    const char *note; /* an additional comment line, or NULL */
    uint64_t id, seed, thin;
    uint64_t run;     /* the run's number; 0: none */
    uint64_t before;  /* draws of the chain before the file's first one;
                       * CS_CMDSTAN_UNKNOWN: unknown */
    bool save_warmup; /* rows before cs_cmdstan_adapted are warm-up */
    const char *const *name;
    size_t columns;
    size_t gather; /* bytes per write, at least a row; 0: 64 kB */
} cs_cmdstan_spec;

/* The state of a file, as a checkpoint stores it. */
typedef struct cs_cmdstan_mark {
    uint64_t bytes, rows; /* bytes of the file; rows of draws */
    uint64_t warmup_rows;
    uint64_t sum; /* checksum of those bytes, with counts not yet filled in */
    bool adapted; /* draws have started, if the warm-up is saved */
    bool counted; /* the filled-in number of warm-up steps is known: */
    uint64_t warmup_steps;
} cs_cmdstan_mark;

/* The format of the numbers of draws and warm-up steps after "num_samples = ";
 * 0 until the end fills them in. */
#define CS_CMDSTAN_COUNTS(draws, warmup) draws "\n#     num_warmup = " warmup

/* Verifies that the file still holds what was written up to the mark, and that
 * its counts are 0 or match its rows. A difference is CS_INPUT; the error names
 * a line that is not a row. */
cs_status cs_cmdstan_verify(const char *path, const cs_cmdstan_mark *upto,
                            cs_error *err);

/* Converts a mark to and from numbers, word[CS_MARK_WORDS]. */
enum { CS_MARK_WORDS = 6 };
void cs_cmdstan_mark_words(cs_cmdstan_mark *m, double *word, bool in);

/* Creates the file; or, with `from`, truncates it to the mark and continues. */
cs_status cs_cmdstan_create(cs_cmdstan **out, const cs_cmdstan_spec *spec,
                            const cs_cmdstan_mark *from, cs_error *err);

/* Appends rows[n][columns]. After a failure (a full disk) nothing more is
 * written and every later call fails the same way; the file ends with a
 * complete row. */
cs_status cs_cmdstan_rows(cs_cmdstan *w, const double *rows, size_t n,
                          cs_error *err);

/* Ends a saved warm-up at the first call: later rows are draws. `text`: comment
 * lines with the results of the adaptation. */
cs_status cs_cmdstan_adapted(cs_cmdstan *w, const char *text, cs_error *err);

/* The start of `text`, by which readers recognize the end of the warm-up. */
#define CS_CMDSTAN_ADAPTED "# Adaptation terminated\n"

/* Writes the buffer to the file and returns the file's state. */
cs_status cs_cmdstan_flush(cs_cmdstan *w, cs_cmdstan_mark *mark, cs_error *err);

/* Syncs file[n], all in one folder (NULL entries are skipped), to the disk: the
 * changed ones one by one, or all at once if there are many. */
cs_status cs_cmdstan_sync(cs_cmdstan *const *file, size_t n, cs_error *err);

/* Flushes, and writes the number of draws (after a failure: of those in the
 * file), the number of warm-up steps (if saved, of its rows) out of `steps`,
 * and the elapsed time, divided in proportion to the steps. */
cs_status cs_cmdstan_finish(cs_cmdstan *w, uint64_t warmup, uint64_t steps,
                            double seconds, cs_error *err);

/* Sets a comment line that finish writes after the draws: why they end early.
 * Control characters are removed; text that does not fit is cut. */
void cs_cmdstan_remark(cs_cmdstan *w, const char *text);

/* Frees the writer; unflushed rows are lost. NULL is allowed. */
void cs_cmdstan_destroy(cs_cmdstan *w);

/* The header of a file of draws: the names of its columns, model and arm; "" if
 * missing. */
typedef struct cs_cmdstan_head {
    const char **name; /* [columns] [own] */
    char *text;        /* holds the names [own] */
    size_t columns;
    char model[208], arm[208];
    char run[24]; /* the run's number, "": none */
} cs_cmdstan_head;
cs_status cs_cmdstan_head_read(const char *path, cs_cmdstan_head *h,
                               cs_error *err);
void cs_cmdstan_head_free(cs_cmdstan_head *h);

/* Called as take(self, index of the row from 0, row[columns]) for the draws of
 * a file up to the mark (NULL: all). Rows of a saved warm-up are skipped. */
typedef void cs_cmdstan_row(void *self, uint64_t i, const double *row);
cs_status cs_cmdstan_read(const char *path, const cs_cmdstan_mark *upto,
                          size_t columns, cs_cmdstan_row *take, void *self,
                          cs_error *err);

/* Parses one line, with or without its newline, into row[columns]; false: it is
 * not a row. The second function updates, from a comment line, whether the
 * following rows are warm-up. */
bool cs_cmdstan_values(const char *line, double *row, size_t columns);
bool cs_cmdstan_is_warmup(const char *line, bool before);

/* Truncates incomplete rows that a killed writer left in the files *.csv of
 * `folder`. Call only if no writer is alive. Files that cannot be repaired are
 * left. */
void cs_cmdstan_repair(const char *folder);
