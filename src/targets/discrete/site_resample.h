/* Resamples one site after another, for the hook `resample` of targets on
 * graphs. The lanes of a vector are one site of several chains. A vector
 * could also hold several independent sites, but the chains usually fill the
 * vector. */
#pragma once

#include "simd/vmath.h"
#include "target/target.h"

#include <string.h>

enum { CS_REDRAW_ROWS = 64 /* number of uniforms per lane drawn together */ };

/* Returns the new values of site i in eight lanes, starting at lane l. The
 * states are x[.][lanes]. */
typedef cs_vd cs_resample_site(const void *self, size_t i, const double *x,
                               size_t lanes, cs_vd uniform);

/* Returns the number of rows of scratch: for the uniforms, the differing bits,
 * and the previous x. */
static inline size_t cs_resample_words(size_t dim)
{
    return CS_REDRAW_ROWS + 1 + dim;
}

/* Sets differ[lanes] to the bits in which the two states of each lane
 * differ. */
static inline void cs_resample_compare(const double *was, const double *x,
                                       size_t dim, size_t lanes, cs_vi *differ)
{
    memset(differ, 0, lanes * sizeof(double));
    for (size_t k = 0; k < dim * lanes; k += CS_VECTOR)
        differ[k % lanes / CS_VECTOR] |=
            *(const cs_vi *)(x + k) ^ *(const cs_vi *)(was + k);
}

/* Resamples the sites in order, in `times` sweeps. A single sweep detects
 * during its updates which lanes have moved. After several sweeps, the states
 * are compared with a copy of the initial states. */
static inline void cs_resample_sites(cs_resample_site *site, const void *self,
                                     size_t dim, const cs_point *at,
                                     const cs_streams *s, size_t times,
                                     double *x, bool *moved)
{
    size_t lanes = at->lanes;
    double *uniform = at->scratch, *rest = uniform + CS_REDRAW_ROWS * lanes;
    cs_vi *differ = (cs_vi *)(void *)rest;
    double *was = rest + lanes;
    cs_streams some = *s;
    memset(differ, 0, lanes * sizeof *rest);
    if (times > 1)
        memcpy(was, x, dim * lanes * sizeof *x);
    for (size_t k = 0, i = 0; k < times * dim; k++) {
        const double *row = uniform + k % CS_REDRAW_ROWS * lanes;
        some.skip = k;
        if (row == uniform)
            cs_fill_uniform(&some, CS_FOR_PROPOSAL, CS_REDRAW_ROWS, uniform);
        for (size_t l = 0; l < lanes; l += CS_VECTOR) {
            cs_vd *to = (cs_vd *)(x + i * lanes + l);
            cs_vd now = site(self, i, x + l, lanes, *(const cs_vd *)(row + l));
            differ[l / CS_VECTOR] |= (cs_vi)now ^ (cs_vi)*to;
            *to = now;
        }
        i = i + 1 < dim ? i + 1 : 0;
    }
    if (times > 1)
        cs_resample_compare(was, x, dim, lanes, differ);
    for (size_t l = 0; l < lanes; l++)
        moved[l] = differ[l / CS_VECTOR][l % CS_VECTOR] != 0;
}
