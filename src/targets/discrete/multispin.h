/* Ising models on tori with even sides, one bit per site. The sites of one
 * colour of the checkerboard are conditionally independent and are resampled
 * 512 at a time.
 *
 * Site (r, j) of colour c = (r + j) mod 2 is bit n = r H + j / 2 of its colour,
 * H = cols / 2. Its four neighbours are bits of the other colour: n - H and n +
 * H (wrapping at the end), n itself, and a fourth one, n - 1 if j is even or n
 * + 1 if j is odd (wrapping in the row). */
#pragma once

#include "simd/simd.h"
#include "target/target.h"

enum { CS_TORUS_DRAWN = 2048 /* number of random words drawn together */ };

typedef struct cs_multispin {
    size_t rows, cols, half; /* half: H, half the number of columns */
    size_t bits, words;      /* size of each colour in bits and in words; the
                                number of words is rounded up to pairs of
                                vectors */
    size_t halo;             /* number of words before and after the bits, in
                                full vectors, for a copy of the opposite end */
    bool even;               /* true: there is no field */
    /* Masks of all ones or all zeros. chance[b][k] represents bit b, counted
     * from the highest, of the probability that a site is 1 if k of its
     * neighbours are 1. */
    uint64_t chance[64][5];
    /* [4][2][words] masks of the sites that have a neighbour at n - 1, n + 1, n
     * + H - 1 and n - H + 1, for both colours; then [words] mask of the valid
     * bits [own] */
    uint64_t *mask;
} cs_multispin;

/* Fills *t for even rows and cols. log p has two terms: coupling times the sum
 * of s_i s_j over the bonds, and field times the sum of s_i. [own,
 * cs_multispin_free] */
cs_status cs_multispin_make(cs_multispin *t, size_t rows, size_t cols,
                            double coupling, double field, cs_error *err);
void cs_multispin_free(cs_multispin *t);

/* Returns the scratch size in words per lane. Chains are processed one by one
 * and share the scratch. */
size_t cs_multispin_scratch_words(const cs_multispin *t);

/* Implements `resample` for a target type that has a cs_multispin. */
void CS_VARIANT(cs_multispin_resample)(const cs_multispin *t,
                                       const cs_point *at, const cs_streams *s,
                                       size_t times, double *x, bool *moved);
