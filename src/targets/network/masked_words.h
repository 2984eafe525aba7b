/* Sentences with masked words: declarations shared by the hot part
 * (masked_words.c) and the cold part (masked_words_make.c). */
#pragma once

#include "base/param.h"
#include "data/word_model.h"
#include "target/target.h"

enum {
    CS_MASKED_FILE,
    CS_MASKED_SENTENCE,
    CS_MASKED_SHARE,
    CS_MASKED_SEED,
    CS_MASKED_NORMALISE,
    CS_MASKED_WORDS,
    CS_MASKED_WIDTH,
    CS_MASKED_RADIUS,
    CS_MASKED_PARAMS
};

/* Number of words of a site that are evaluated together. */
enum { CS_MASKED_TRIED = 32 };

/* Marks a position whose word is given, or a position outside the sentence. */
#define CS_MASKED_NONE UINT32_MAX

/* The parts of the model that the densities use. Value v of a mask is word v +
 * 1, because the first word of the model represents all unknown words and is
 * not used. */
typedef struct cs_masked_words {
    cs_words model; /* the model of words, as read from the file or drawn at
                       random [own] */
    size_t values, width, radius, dim;
    bool normalise;
    double *u, *turned; /* [values][width] the vectors u_v, and [width][values]
                           their transpose [own] */
    double *c;          /* [values] the constants c_v [own] */
    double *e;          /* [values][width] the embeddings e(v) [own] */
    double *moved;      /* [2 radius][values][width] the products M_d e(v)
                           [own] */
    double *mix;        /* [2 radius][width][width] the transposes of M_d
                           [own] */
    double *given;      /* [dim][width] b plus the contributions of the given
                           words [own] */
    uint32_t *near;     /* [dim][2 radius] index of the mask at each offset
                           from a mask; CS_MASKED_NONE: no mask [own] */
    size_t places;      /* length of the sentence in words */
    char (*word)[CS_WORD_BYTES]; /* [places] words as given [own] */
    uint32_t *mask;              /* [dim] positions of the masks [own] */
} cs_masked_words;

extern const cs_param cs_masked_words_params[CS_MASKED_PARAMS];

/* The cold functions of the target type. */
cs_status cs_masked_words_create(cs_target *t, const cs_value *v,
                                 cs_error *err);
void cs_masked_words_destroy(cs_target *t);
void cs_masked_words_coordinate(const cs_target *t, size_t i, char *text,
                                size_t size);
void cs_masked_words_read(const cs_target *t, const double *x, char *text,
                          size_t size);
