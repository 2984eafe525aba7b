/* How far a kernel moves means, from independent draws of its target.
 *
 * From x ~ p the chain comes to y. If the kernel keeps p, f(y) - f(x) has mean 0
 * for every f, and its standard error is small because x and y are paired. The
 * functions are bounded, so that the mean of many is normal: each coordinate and
 * its square in sds, up to three, and log p.
 *
 * A kernel that keeps a p' whose sd is another by a share d moves the mean of f
 * by d f' (1 - rho), where f' is its derivative by that share and rho is the
 * correlation of f(x) and f(y). So the standard error says which d would have
 * been seen. */
#pragma once

#include "check/origin.h"

enum { CS_SHIFT_COORDINATES = 16, CS_SHIFT_ROWS = 2 * 16 + 1 };

typedef struct cs_shift_row {
    double sum, squares; /* of weighted differences; of groups of these */
    double group;        /* of the present group */
    double moved;        /* weighted squares of differences */
    double mean, spread; /* weighted sums of f(x), f(x)^2 */
    double slope;        /* weighted sum of f' */
    size_t n;            /* differences that are not 0 */
} cs_shift_row;

typedef struct cs_shift {
    const cs_target *t;
    size_t coordinates, rows;
    double centre[CS_SHIFT_COORDINATES + 1], scale[CS_SHIFT_COORDINATES + 1];
    double weight; /* the sum */
    bool grouped;  /* chains of one group depend on each other */
    cs_shift_row row[CS_SHIFT_ROWS];
} cs_shift;

/* Centres and scales from draws of the target, of fewer once the clock shows `until`.
 * False when out of memory. */
bool cs_shift_open(cs_shift *s, cs_origin *o, bool grouped, double until);
/* Empties it. */
void cs_shift_clear(cs_shift *s);

/* From x to y, log p of both. */
void cs_shift_note(cs_shift *s, const double *x, double logp, const double *y,
                   double v, double weight);
/* After all differences of a group. */
void cs_shift_end_group(cs_shift *s);

/* The smallest p-value of all rows, times how many there are. */
double cs_shift_p(const cs_shift *s, cs_distance *worst);

/* The largest over all coordinates of the smallest error of its mean or sd, in
 * sds, that would have been seen with probability CS_CHECK_POWER. */
double cs_shift_error(const cs_shift *s);
