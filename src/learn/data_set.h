/* Data from which a model learns: states from the images of a file, from a
 * table, or from memory. */
#pragma once

#include "base/status.h"
#include "target/space.h"

#include <stddef.h>
#include <stdint.h>

/* n states of `dim` numbers. Each number is low + a byte. Reference counted. */
typedef struct cs_data_set {
    size_t n, dim, holders;
    int low;             /* smallest value of the space */
    unsigned char *byte; /* [n][dim] the states: each byte is a number minus
                            `low` [own] */
    double *mean;        /* [dim] mean of each number over the states [own] */
    uint64_t digest;     /* digest (hash) of the states */
    char *from;          /* [own] description of the source */
} cs_data_set;

/* Selects images of an IDX file (data/idx.h). */
typedef struct cs_data_wanted {
    const char *path;
    size_t first, count; /* first: index of the first image, from 0; count:
                          * number of images (0: all) */
    size_t pool;         /* a block of pool x pool pixels is averaged to one
                            pixel; 1: no pooling */
} cs_data_wanted;

/* Reads the images as states of `space`. In a binary space, a pixel becomes 1
 * if its level is at least 127.5, the middle of the range; images with only the
 * levels 0 and 1 are used as bits. In other spaces, each level becomes the
 * nearest of the values of the space, which are spread evenly over the range of
 * levels. *out has one holder. Cold. */
cs_status cs_data_of_images(cs_data_set **out, const cs_data_wanted *wanted,
                            const cs_space *space, cs_error *err);

/* Reads the rows of a CSV file as states. `pool` is ignored, because it only
 * applies to images. */
cs_status cs_data_of_table(cs_data_set **out, const cs_data_wanted *wanted,
                           const cs_space *space, cs_error *err);

/* Creates a data set with a copy of x[n][dim], which are states of the
 * space. */
cs_status cs_data_of_states(cs_data_set **out, const double *x, size_t n,
                            size_t dim, const cs_space *space, cs_error *err);

cs_data_set *cs_data_hold(cs_data_set *d);
void cs_data_release(cs_data_set *d); /* NULL is allowed */

/* Writes state number i to x[k * stride], k < dim. */
static inline void cs_data_state(const cs_data_set *d, size_t i, size_t stride,
                                 double *x)
{
    const unsigned char *from = d->byte + i * d->dim;
    for (size_t k = 0; k < d->dim; k++)
        x[k * stride] = d->low + (double)from[k];
}

/* Returns the mean log probability of the first `rows` states of `test` (0: all
 * states) under independent bits. The probability of each bit is (count + 1) /
 * (n + 2), where `train` gives count and n. Returns NAN for data that are not
 * bits. Sets *error to the standard error. */
double cs_data_independent(const cs_data_set *train, const cs_data_set *test,
                           size_t rows, double *error);
