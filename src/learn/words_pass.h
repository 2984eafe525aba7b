/* Forward and backward passes of a model of words over a minibatch: what each
 * variant of words_pass.c exports. */
#pragma once

#include "data/word_model.h"
#include "simd/variants.h"

enum { CS_WORDS_BATCH = 256 /* places of a minibatch, lanes of the arrays */ };

/* Arrays over a minibatch are [row][CS_WORDS_BATCH]. */
typedef struct cs_words_scratch {
    uint32_t *around; /* [2 radius][batch] the words about each place, `words`
                         beyond the sentence */
    uint32_t *wanted; /* [batch] the word that stands there */
    size_t live;
    float *in;       /* [2 radius width] embeddings of the words around */
    float *h, *back; /* [width] each */
    float *score;    /* [words] */
    float *turned;   /* [batch][2 radius width] a transpose */
    float *product;  /* [2 radius width][batch], or [width][2 radius width] */
} cs_words_scratch;

typedef struct cs_words_pass {
    /* The sum over the live places of -log P(wanted | around). */
    double (*forward)(const cs_words *w, cs_words_scratch *r);
    /* After forward: the gradient of the mean of that, g->number. */
    void (*back)(const cs_words *w, cs_words_scratch *r, cs_words *g);
} cs_words_pass;

CS_DECLARE_VARIANTS(cs_words_pass, cs_words_passes)
