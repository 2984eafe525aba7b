/* Fitting a model of words to sentences. */
#pragma once

#include "base/param.h"
#include "data/words.h"

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
    const char *text; /* [size] sentences, one a line; of lines with tabs the
                         field that the first line calls "sentence"; lines that
                         begin with # are skipped [borrowed] */
    size_t size;
    const char *where; /* names the text in errors [borrowed] */
    double value[CS_FIT_PARAMS];
    /* OPTIONAL. After each epoch: the perplexity of the sentences learned from
     * and of those held out (NAN: none). */
    void (*report)(void *self, size_t epoch, double learned, double held_out);
    /* OPTIONAL. Asked after each step, with the share of all steps that are
     * made: true ends the training. */
    bool (*enough)(void *self, double made);
    void *self;
} cs_words_fit;

/* The most frequent words of the text, and the numbers that maximise the mean
 * log probability of a word given those around it, by Adam. A function of the
 * text and the values, and of the step at which it was enough. [own,
 * cs_words_free] */
cs_status cs_words_train(const cs_words_fit *fit, cs_words *w, cs_error *err);

/* The sentences of a text in words of w. [own, cs_sentences_free] */
cs_status cs_words_sentences(const cs_words *w, const char *text, size_t size,
                             const char *where, cs_sentences *out,
                             cs_error *err);
