/* Models that `train` fits without a scenario. Each model is written to one
 * file. */
#pragma once

#include "base/param.h"
#include "cli/line/subcommand.h"

#include <stdbool.h>

enum { CS_TRAIN_ROWS = 16 };

/* Sets value[n] from the defaults in the rows and from --set NAME=V; n <=
 * CS_TRAIN_ROWS. */
cs_status cs_train_sets(const cs_args *args, const char *what,
                        const cs_param *rows, size_t n, double *value,
                        cs_error *err);

/* Writes the line `# chainscope train WHAT: OF, NAME=V, ...` to text[size].
 * This line is the first line of a model file and records how the model was
 * trained. */
void cs_train_describe(const cs_args *args, const char *what, const char *of,
                       char *text, size_t size);

/* Progress of training: shown continuously on a terminal, else after each
 * epoch. */
typedef struct cs_train_progress {
    double start;       /* time of the start, from cs_clock */
    double shown, made; /* time of the last report, and share of the work
                         * done */
} cs_train_progress;

/* Updates the progress; returns false if a signal ends the training. */
bool cs_train_goes_on(cs_train_progress *p, double made);
/* Prints the start of the line for an epoch; the caller completes the line. */
void cs_train_epoch(cs_train_progress *p, size_t epoch, double epochs);
/* Returns the exit code once the file is written. If a signal ended the
 * training, reports this signal. */
int cs_train_stopped(const cs_train_progress *p, const char *file);

/* train words: reads sentences (--data), writes a model (--out) for
 * masked_words. Sets the exit code. */
cs_status cs_train_words(const cs_args *args, int *code, cs_error *err);
