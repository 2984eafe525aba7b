/* Fits a model of words to sentences. */
#pragma once

#include "base/param.h"
#include "data/word_model.h"

#include <stdbool.h>

enum {
    CS_FIT_WORDS,
    CS_FIT_WIDTH,
    CS_FIT_RADIUS,
    CS_FIT_EPOCHS,
    CS_FIT_RATE,
    CS_FIT_HELD_OUT,
    CS_FIT_SEED,
    CS_FIT_PARAMS
};
extern const cs_param cs_fit_words_params[CS_FIT_PARAMS];

typedef struct cs_words_fit {
    const char *text; /* [size] one sentence per line. In lines with tabs, only
                         the column with the name "sentence" in the first line
                         is read. Lines that begin with # are skipped.
                         [borrowed] */
    size_t size;
    const char *where; /* name of the source of the text, for errors
                          [borrowed] */
    double value[CS_FIT_PARAMS];
    /* OPTIONAL. Called after each epoch with the perplexity of the training
     * sentences and the perplexity of the held-out sentences (NAN if no
     * sentences are held out). */
    void (*report)(void *self, size_t epoch, double learned, double held_out);
    /* OPTIONAL. Called after each step. `made` is the number of steps so far as
     * a share of all steps. Returning true ends the training. */
    bool (*enough)(void *self, double made);
    void *self;
} cs_words_fit;

/* Builds the vocabulary from the most frequent words of the text. Then
 * maximises, by Adam, the mean log probability of a word given its neighbours.
 * The result depends only on the text, the values, and the step at which
 * `enough` ended the training. [own, cs_words_free] */
cs_status cs_words_train(const cs_words_fit *fit, cs_words *w, cs_error *err);

/* Splits a text into sentences of words of w. [own, cs_sentences_free] */
cs_status cs_words_sentences(const cs_words *w, const char *text, size_t size,
                             const char *where, cs_sentences *out,
                             cs_error *err);
