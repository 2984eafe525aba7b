/* Tables of the possible sums over the neighbours of a site. If the weights of
 * the neighbours take only a few values, there are only a few possible sums. A
 * function of the sum (such as an exponential) is then read from a table
 * instead of being computed.
 *
 * Let the neighbours of a site have the weights w_0 < w_1 < ..., with n_g
 * neighbours of weight w_g. A sum over k_g neighbours of each weight w_g has
 * the code k_0 + (n_0 + 1) k_1 + ...; each neighbour adds its own share to the
 * code. Sites with the same weights share their values. */
#pragma once

#include "base/status.h"
#include "simd/vmath.h"

enum { CS_SUMS_MOST = 64 /* largest number of sums per site */ };

typedef struct cs_neighbour_sums {
    uint32_t *row; /* [dim] index of the first value of a site [own] */
    uint8_t *size; /* [dim] number of values of the site; 0: too many sums, so
                      none is stored [own] */
    double *share; /* [start[dim]] contribution of each neighbour to the code
                      [own] */
    double *value; /* the values, indexed by the code of a sum; padded so that
                      16 can be read at once [own] */
} cs_neighbour_sums;

/* The weights of the neighbours of all sites, and the weight of each site
 * itself. */
typedef struct cs_neighbour_sums_of {
    size_t dim;
    const size_t *start;  /* [dim + 1] index of the first neighbour of each
                             site */
    const double *weight; /* [start[dim]] weights of the neighbours */
    const double *linear; /* [dim] weight of each site itself */
} cs_neighbour_sums_of;

/* Returns the value to store for a sum. `least` and `most` are the smallest and
 * largest sums of the site. If the result is NAN, no values are stored for the
 * site; its values are then computed when they are needed. */
typedef double cs_neighbour_sums_value(double sum, double linear, double least,
                                       double most, const void *self);

/* Creates the tables. [own, cs_neighbour_sums_free, even on failure] */
cs_status cs_neighbour_sums_make(cs_neighbour_sums *s,
                                 const cs_neighbour_sums_of *of,
                                 cs_neighbour_sums_value *value,
                                 const void *self, cs_error *err);
void cs_neighbour_sums_free(cs_neighbour_sums *s);

/* Returns the values of a site for eight lanes, given their codes. */
static inline cs_vd cs_neighbour_sums_at(const cs_neighbour_sums *s,
                                         size_t site, cs_vd code)
{
    const double *value = s->value + s->row[site];
    cs_vi k = (cs_vi)(code + 0x1p52); /* moves the integer code into the low
                                         bits */
#if defined(__AVX512F__)
    if (s->size[site] <= 16)
        return (cs_vd)_mm512_permutex2var_pd(_mm512_loadu_pd(value), (__m512i)k,
                                             _mm512_loadu_pd(value + 8));
#endif
    cs_vd to;
    for (int l = 0; l < CS_VECTOR; l++)
        to[l] = value[k[l] & (CS_SUMS_MOST - 1)];
    return to;
}
