/* Writes and reads the draws of one chain as CSV in CmdStan's layout, which
 * rstan, cmdstanr, ArviZ and posterior read unmodified. Rows are buffered.
 * Between writes no file is open, so that the number of chains may exceed the
 * maximum number of open files. */
#pragma once

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct cs_cmdstan cs_cmdstan;

#define CS_CMDSTAN_UNKNOWN UINT64_MAX

/* The specification of a file. All strings are [copied]. `name`[columns] are
 * the names of the columns; the first one is lp__. Readers treat names that end
 * in __ as sampler quantities, and all other names as variables. */
typedef struct cs_cmdstan_spec {
    const char *path, *model, *algorithm, *arm;
    const char *note;     /* an additional comment line, or NULL */
    const char *integers; /* names of the parameters whose columns are integers,
                             separated by blanks; NULL or "": none */
    /* comment lines about observed data and the groups of variables
     * (io/data_lines.h), each with a newline; NULL: none */
    const char *data_lines;
    uint64_t id, seed, thin;
    uint64_t run;     /* number of the run; 0: none */
    uint64_t before;  /* number of the chain's draws that precede the file's
                       * first draw; CS_CMDSTAN_UNKNOWN: unknown */
    bool save_warmup; /* true: rows before cs_cmdstan_adapted are warm-up */
    bool binary;      /* true: the rows are doubles of this machine, which are
                       * read faster. For temporary files, without warm-up */
    const char *const *name;
    size_t columns;
    size_t gather; /* bytes per write, at least one row; 0: 64 KiB */
} cs_cmdstan_spec;

/* The state of a file of draws, as a checkpoint stores it. */
typedef struct cs_cmdstan_mark {
    uint64_t bytes, rows; /* bytes: size of the file; rows: number of rows of
                           * draws in the file */
    uint64_t warmup_rows;
    uint64_t sum; /* checksum of the first `bytes` bytes, computed as if the
                   * counts in the header were 0 */
    bool adapted; /* true if draws have started; only used if the warm-up is
                   * saved */
    bool counted; /* true if warmup_steps is the number written to the header */
    uint64_t warmup_steps;
} cs_cmdstan_mark;

/* The format of the numbers of draws and of warm-up steps, which follow
 * "num_samples = ". Both are 0 until cs_cmdstan_finish writes them. */
#define CS_CMDSTAN_COUNTS(draws, warmup) draws "\n#     num_warmup = " warmup

/* The comment in the header of a file whose rows are doubles. Its number of
 * draws is 0 until the file is complete. */
#define CS_CMDSTAN_BINARY "# rows = binary"

/* Verifies that the file still contains the data written up to the mark, and
 * that its counts are 0 or match its rows. If the file differs, returns
 * CS_INPUT. If the cause is a line that is not a row, the error names this
 * line. */
cs_status cs_cmdstan_verify(const char *path, const cs_cmdstan_mark *upto,
                            cs_error *err);

enum { CS_MARK_WORDS = 6 };

/* Converts a mark to word[CS_MARK_WORDS]. If `in` is true, converts the words
 * to a mark instead. */
void cs_cmdstan_mark_words(cs_cmdstan_mark *m, double *word, bool in);

/* Creates the file. If `from` is not NULL, the file must exist, and is
 * truncated to this mark instead. Later rows are appended to the file. */
cs_status cs_cmdstan_create(cs_cmdstan **out, const cs_cmdstan_spec *spec,
                            const cs_cmdstan_mark *from, cs_error *err);

/* Appends rows[n][columns]. After a failure (such as a full disk) nothing more
 * is written, and every later call fails with the same error. The file then
 * ends with a complete row. */
cs_status cs_cmdstan_rows(cs_cmdstan *w, const double *rows, size_t n,
                          cs_error *err);

/* The first call ends a saved warm-up: later rows are draws. `text` consists of
 * comment lines with the results of the adaptation. */
cs_status cs_cmdstan_adapted(cs_cmdstan *w, const char *text, cs_error *err);

/* The start of the `text` of cs_cmdstan_adapted. Readers recognise the end of
 * the warm-up by this text. */
#define CS_CMDSTAN_ADAPTED "# Adaptation terminated\n"

/* Writes the buffer to the file and sets *mark to the file's state. */
cs_status cs_cmdstan_flush(cs_cmdstan *w, cs_cmdstan_mark *mark, cs_error *err);

/* Syncs file[n] to the disk. All files must be in one folder; NULL entries are
 * skipped. If only a few files have changed, syncs them one by one, otherwise
 * all together. */
cs_status cs_cmdstan_sync(cs_cmdstan *const *file, size_t n, cs_error *err);

/* Flushes the buffer, then writes the number of draws, the number of warm-up
 * steps, and the elapsed time. After a failure, the number of rows in the file
 * is written as the number of draws. If the warm-up is saved, the number of
 * warm-up steps is computed from the rows of the warm-up. The time is divided
 * between warm-up and draws in the ratio of `warmup` to `steps` - `warmup`,
 * their numbers of steps. */
cs_status cs_cmdstan_finish(cs_cmdstan *w, uint64_t warmup, uint64_t steps,
                            double seconds, cs_error *err);

/* Sets a comment line with the reason why the draws end early, which
 * cs_cmdstan_finish writes after the draws. Control characters are removed;
 * text that does not fit is cut. */
void cs_cmdstan_remark(cs_cmdstan *w, const char *text);

/* Frees the writer; unflushed rows are lost. NULL is allowed. */
void cs_cmdstan_destroy(cs_cmdstan *w);

/* The header of a file of draws: names of its columns, its model and its arm; a
 * missing name is "". */
typedef struct cs_cmdstan_head {
    const char **name; /* [columns] names of the columns [own] */
    char *text;        /* memory of the names [own] */
    size_t columns;
    char model[208], arm[208];
    char run[24];        /* number of the run; "": none */
    char integers[1024]; /* as in cs_cmdstan_spec */
    char *data_lines;    /* as in cs_cmdstan_spec; NULL: none [own] */
} cs_cmdstan_head;
cs_status cs_cmdstan_head_read(const char *path, cs_cmdstan_head *h,
                               cs_error *err);
void cs_cmdstan_head_free(cs_cmdstan_head *h);

/* The type of a function that reads rows. The function is called as take(self,
 * i, row[columns]) for each row of draws in a file up to the mark (NULL: for
 * all rows). i is the index of the row, counted from 0. Rows of a saved warm-up
 * are skipped. */
typedef void cs_cmdstan_row(void *self, uint64_t i, const double *row);
cs_status cs_cmdstan_read(const char *path, const cs_cmdstan_mark *upto,
                          size_t columns, cs_cmdstan_row *take, void *self,
                          cs_error *err);

/* Reads the rows of a saved warm-up instead; there may be none. */
cs_status cs_cmdstan_read_warmup(const char *path, size_t columns,
                                 cs_cmdstan_row *take, void *self,
                                 cs_error *err);

/* cs_cmdstan_values parses one line, with or without its newline, into
 * row[columns]. It returns false if the line is not a row.
 * cs_cmdstan_is_warmup is called for a comment line. It returns true if the
 * rows after this line are warm-up. Its argument `before` is the result for
 * the rows before this line. */
bool cs_cmdstan_values(const char *line, double *row, size_t columns);
bool cs_cmdstan_is_warmup(const char *line, bool before);

/* Returns true for the comment CS_CMDSTAN_BINARY. */
bool cs_cmdstan_is_binary(const char *line);

/* Removes incomplete rows that a killed writer left at the end of the files
 * *.csv in `folder`. Call this function only if no process writes to the
 * folder. A file that cannot be repaired is left unchanged. */
void cs_cmdstan_repair(const char *folder);
