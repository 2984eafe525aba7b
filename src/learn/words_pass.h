/* Forward and backward passes of a model of words over a minibatch, in one
 * variant of words_pass.c for each instruction set. */
#pragma once

#include "data/word_model.h"
#include "simd/variants.h"

enum {
    CS_WORDS_BATCH = 256 /* positions per minibatch */
};

/* Arrays over a minibatch are [row][CS_WORDS_BATCH]. */
typedef struct cs_words_scratch {
    uint32_t *around; /* [2 radius][batch] the words around each position;
                         number `words` means outside the sentence */
    uint32_t *wanted; /* [batch] the word at the position */
    size_t live;
    float *in;       /* [2 radius width] embeddings of the words around */
    float *h, *back; /* [width] each */
    float *score;    /* [words] */
    float *turned;   /* [batch][2 radius width] scratch for a transpose */
    float *product;  /* [2 radius width][batch], or [width][2 radius width] */
} cs_words_scratch;

typedef struct cs_words_pass {
    /* Returns the sum over the live positions of -log P(wanted | around). */
    double (*forward)(const cs_words *w, cs_words_scratch *r);
    /* Requires forward. Computes the gradient of the mean loss, g->number. */
    void (*back)(const cs_words *w, cs_words_scratch *r, cs_words *g);
} cs_words_pass;

CS_DECLARE_VARIANTS(cs_words_pass, cs_words_passes)
