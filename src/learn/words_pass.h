/* Forward and backward passes of a model of words over a minibatch.
 * words_pass.c is compiled once for each instruction set. */
#pragma once

#include "data/word_model.h"
#include "simd/variants.h"

enum {
    CS_WORDS_BATCH = 256 /* number of positions per minibatch */
};

/* Arrays over a minibatch are [row][CS_WORDS_BATCH]. */
typedef struct cs_words_scratch {
    uint32_t *around; /* [2 radius][batch] the words around each position; the
                       * value `words` means that the place is outside the
                       * sentence */
    uint32_t *wanted; /* [batch] the word at the position */
    size_t live;
    float *in;       /* [2 radius width][batch] embeddings of the words around
                        each position */
    float *h, *back; /* [width][batch] each. h: hidden values; back: gradient
                      * with respect to h */
    float *score;    /* [words][batch] scores of all words */
    float *turned;   /* [batch][2 radius width] scratch for a transpose */
    float *product;  /* [2 radius width][batch], or [width][2 radius width] */
} cs_words_scratch;

typedef struct cs_words_pass {
    /* Forward pass. Returns the sum over the live positions of -log P(wanted |
     * around). */
    double (*forward)(const cs_words *w, cs_words_scratch *r);
    /* Backward pass, after `forward`. Computes the gradient of the mean loss
     * and stores it in g->number. */
    void (*back)(const cs_words *w, cs_words_scratch *r, cs_words *g);
} cs_words_pass;

CS_DECLARE_VARIANTS(cs_words_pass, cs_words_passes)
