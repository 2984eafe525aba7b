/* What `train` learns that is no scenario: one file each. */
#pragma once

#include "base/param.h"
#include "cli/subcommand.h"

#include <stdbool.h>

enum { CS_TRAIN_ROWS = 16 };

/* value[n] from the rows' defaults and --set NAME=V, n <= CS_TRAIN_ROWS. */
cs_status cs_train_sets(const cs_args *args, const char *what,
                        const cs_param *rows, size_t n, double *value,
                        cs_error *err);

/* `# chainscope train WHAT: OF, NAME=V, ...` and a line's end into text[size]:
 * what made a file, as its first line. */
void cs_train_describe(const cs_args *args, const char *what, const char *of,
                       char *text, size_t size);

/* How far it is, told on the way: on a terminal all the time, elsewhere after
 * each epoch. */
typedef struct cs_train_progress {
    double start;       /* by cs_clock */
    double shown, made; /* when it was last told, and the share */
} cs_train_progress;

/* False where a signal ends it. */
bool cs_train_goes_on(cs_train_progress *p, double made);
/* The beginning of a line, which the caller ends. */
void cs_train_epoch(cs_train_progress *p, size_t epoch, double epochs);
/* The exit code once the file is written; of what a signal has ended it says
 * so. */
int cs_train_stopped(const cs_train_progress *p, const char *file);

/* train words: --data sentences, --out a model that masked_words reads. Sets the
 * exit code. */
cs_status cs_train_words(const cs_args *args, int *code, cs_error *err);
