/* Draws of one chain as CSV in CmdStan's layout, which rstan, cmdstanr, ArviZ
 * and posterior read unmodified. Streamed: rows go to a buffer, the buffer to
 * the file; between writes no file is open, so that thousands of chains need
 * no more descriptors than one. */
#pragma once

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct cs_cmdstan cs_cmdstan;

#define CS_CMDSTAN_UNKNOWN UINT64_MAX

/* All texts are [copied]. `name`[columns], lp__ first; readers take those that
 * end in __ for figures of the sampler, the others for variables. */
typedef struct cs_cmdstan_spec {
    const char *path, *model, *algorithm, *arm;
    const char *note; /* one line of comment more, or NULL */
    uint64_t id, seed, thin;
    uint64_t run;     /* what the run is called, 0: nothing */
    uint64_t before;  /* draws of the chain that came before and are not in it;
                        CS_CMDSTAN_UNKNOWN: it is not known how many */
    bool save_warmup; /* rows up to cs_cmdstan_adapted are of a warm-up */
    const char *const *name;
    size_t columns;
    size_t gather; /* bytes of rows to write at once, or a row; 0: 64 kB */
} cs_cmdstan_spec;

/* How far a file has come: what a checkpoint keeps. */
typedef struct cs_cmdstan_mark {
    uint64_t bytes, rows; /* of draws */
    uint64_t warmup_rows;
    uint64_t sum; /* of those bytes, before the end filled in its counts */
    bool adapted; /* draws have begun, where a warm-up is saved */
    bool counted; /* it is known what the end filled in as steps of warm-up: */
    uint64_t warmup_steps;
} cs_cmdstan_mark;

/* How the numbers of draws and of steps of the warm-up stand behind "num_samples = ";
 * they are 0 until the end fills them in. */
#define CS_CMDSTAN_COUNTS(draws, warmup) draws "\n#     num_warmup = " warmup

/* Whether the file still holds what was written up to the mark, and counts as many rows
 * as it has, or none yet. What differs is CS_INPUT; where a line of it can be no row, the error names that. */
cs_status cs_cmdstan_verify(const char *path, const cs_cmdstan_mark *upto,
                            cs_error *err);

/* A mark as numbers, out or in, word[CS_MARK_WORDS]. */
enum { CS_MARK_WORDS = 6 };
void cs_cmdstan_mark_words(cs_cmdstan_mark *m, double *word, bool in);

/* Begins the file anew; or, with `from`, cuts it to the mark and goes on. */
cs_status cs_cmdstan_create(cs_cmdstan **out, const cs_cmdstan_spec *spec,
                            const cs_cmdstan_mark *from, cs_error *err);

/* rows[n][columns]. After a failure (a full disk) nothing more is taken, and
 * every later call fails the same way; the file ends with a whole row. */
cs_status cs_cmdstan_rows(cs_cmdstan *w, const double *rows, size_t n,
                          cs_error *err);

/* Where a warm-up is saved, and this was not said before: it is over, and rows
 * to come are draws. `text`, lines of comment, says what it found. */
cs_status cs_cmdstan_adapted(cs_cmdstan *w, const char *text, cs_error *err);

/* What `text` begins with; readers know a warm-up's end by it. */
#define CS_CMDSTAN_ADAPTED "# Adaptation terminated\n"

/* Empties the buffer into the file, and says where it stands. */
cs_status cs_cmdstan_flush(cs_cmdstan *w, cs_cmdstan_mark *mark, cs_error *err);

/* Has on the disk what is in file[n], all of one folder (NULL: none): one by one
 * those that have something new, or where they are many all at once. */
cs_status cs_cmdstan_sync(cs_cmdstan *const *file, size_t n, cs_error *err);

/* Flushes, writes the number of draws (also after a failure: of those that
 * are there), how many steps of warm-up (where that is saved: of its rows) came
 * before them out of `steps` in all, and the elapsed time, shared out by steps. */
cs_status cs_cmdstan_finish(cs_cmdstan *w, uint64_t warmup, uint64_t steps,
                            double seconds, cs_error *err);

/* A line of comment that finish writes behind the draws: why there are no more
 * of them. Cleaned and cut to what fits. */
void cs_cmdstan_remark(cs_cmdstan *w, const char *text);

/* Frees; what was not flushed is lost. NULL is fine. */
void cs_cmdstan_destroy(cs_cmdstan *w);

/* What stands before the draws of a file: the names of its columns, and of its
 * model and arm, "" where it does not say. */
typedef struct cs_cmdstan_head {
    const char **name; /* [columns] [own] */
    char *text;        /* they stand there [own] */
    size_t columns;
    char model[208], arm[208];
    char run[24]; /* what the run is called, "": nothing */
} cs_cmdstan_head;
cs_status cs_cmdstan_head_read(const char *path, cs_cmdstan_head *h,
                               cs_error *err);
void cs_cmdstan_head_free(cs_cmdstan_head *h);

/* The draws of a file up to the mark, NULL: all, handed to take(self, number of
 * the row from 0, row[columns]). Rows of a saved warm-up are passed over. */
typedef void cs_cmdstan_row(void *self, uint64_t i, const double *row);
cs_status cs_cmdstan_read(const char *path, const cs_cmdstan_mark *upto,
                          size_t columns, cs_cmdstan_row *take, void *self,
                          cs_error *err);

/* One line of a file, with or without its end. row[columns] of a row; false: it
 * is none. And whether the rows behind this line, a comment, are of a warm-up,
 * where those before it were or not. */
bool cs_cmdstan_values(const char *line, double *row, size_t columns);
bool cs_cmdstan_is_warmup(const char *line, bool before);

/* Cuts off the rows that a killed writer left unfinished in the files *.csv of
 * `folder`. Only when no writer lives. What cannot be mended is left. */
void cs_cmdstan_repair(const char *folder);
