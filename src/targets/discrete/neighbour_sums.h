/* What the neighbours of a site can add up to: where their weights take few
 * values there are few sums, and a function of the sum, an exponential say, is
 * looked up rather than computed.
 *
 * Of a site whose neighbours have the weights w_0 < w_1 < ..., n_g of them w_g,
 * the sum over those that count is known by its code: as many as count of w_0,
 * plus (n_0 + 1) times as many of w_1, and so on; each neighbour adds its own
 * share. Sites with the same weights share their values. */
#pragma once

#include "base/status.h"
#include "simd/vmath.h"

enum { CS_SUMS_MOST = 64 /* of a site */ };

typedef struct cs_neighbour_sums {
    uint32_t *row; /* [dim] where a site's values begin [own] */
    uint8_t *size; /* [dim] how many it has; 0: too many, none kept [own] */
    double *share; /* [start[dim]] of each neighbour in the code [own] */
    double *value; /* by code, and room to look up 16 at once [own] */
} cs_neighbour_sums;

/* The weights of the neighbours of all sites, and a weight of their own. */
typedef struct cs_neighbour_sums_of {
    size_t dim;
    const size_t *start;  /* [dim + 1] */
    const double *weight; /* [start[dim]] */
    const double *linear; /* [dim] */
} cs_neighbour_sums_of;

/* What is kept of a sum; `least` and `most` are the ends of those of its site.
 * NAN: nothing of this site, it is better computed. */
typedef double cs_neighbour_sums_value(double sum, double linear, double least,
                                       double most, const void *self);

/* [own, cs_neighbour_sums_free, also when it fails] */
cs_status cs_neighbour_sums_make(cs_neighbour_sums *s,
                                 const cs_neighbour_sums_of *of,
                                 cs_neighbour_sums_value *value,
                                 const void *self, cs_error *err);
void cs_neighbour_sums_free(cs_neighbour_sums *s);

/* The values of a site for eight lanes, given their codes. */
static inline cs_vd cs_neighbour_sums_at(const cs_neighbour_sums *s,
                                         size_t site, cs_vd code)
{
    const double *value = s->value + s->row[site];
    cs_vi k = (cs_vi)(code + 0x1p52); /* a whole number in the low bits */
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
