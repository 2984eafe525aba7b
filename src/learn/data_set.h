/* States to learn from: of images in a file, or as they are given. */
#pragma once

#include "base/status.h"
#include "target/space.h"

#include <stddef.h>
#include <stdint.h>

/* n states of `dim` numbers, each low + a byte, counted by its holders. */
typedef struct cs_data_set {
    size_t n, dim, holders;
    int low;             /* of the space */
    unsigned char *byte; /* [n][dim] [own] */
    double *mean;        /* [dim] of the numbers [own] */
    uint64_t digest;     /* of all */
    char *from;          /* [own] where they are from, in words */
} cs_data_set;

/* Which images of an IDX file (data/idx.h). */
typedef struct cs_data_wanted {
    const char *path;
    size_t first, count; /* from 0; count 0: all */
    size_t pool;         /* so many pixels by as many become one, their mean; 1:
                            as they are */
} cs_data_wanted;

/* From images, for states of that space: of bits a pixel above the middle (or as
 * bright as it, 127.5; images that have levels 0 and 1 alone are bits) is 1; of
 * other values levels are spread over the range. *out has one holder. Cold. */
cs_status cs_data_of_images(cs_data_set **out, const cs_data_wanted *wanted,
                            const cs_space *space, cs_error *err);

/* From the rows of a CSV file; `pool` is of images. */
cs_status cs_data_of_table(cs_data_set **out, const cs_data_wanted *wanted,
                           const cs_space *space, cs_error *err);

/* From x[n][dim], states of the space. */
cs_status cs_data_of_states(cs_data_set **out, const double *x, size_t n,
                            size_t dim, const cs_space *space, cs_error *err);

cs_data_set *cs_data_hold(cs_data_set *d);
void cs_data_release(cs_data_set *d); /* NULL is fine */

/* x[dim * stride] = state number i. */
static inline void cs_data_state(const cs_data_set *d, size_t i, size_t stride,
                                 double *x)
{
    const unsigned char *from = d->byte + i * d->dim;
    for (size_t k = 0; k < d->dim; k++)
        x[k * stride] = d->low + (double)from[k];
}

/* The mean log probability of the first `rows` states of `test` (0: of all) where
 * every bit is independent, with the shares in `train`, (count + 1) / (n + 2);
 * NAN where they are no bits. *error: its standard error. */
double cs_data_independent(const cs_data_set *train, const cs_data_set *test,
                           size_t rows, double *error);
