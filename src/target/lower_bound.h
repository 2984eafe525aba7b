/* Lower bounds of the terms of a target that is a sum over rows, whose sum over
 * all rows is cheap: what firefly Monte Carlo is made with (Maclaurin and Adams,
 * "Firefly Monte Carlo: exact MCMC with subsets of data", 2014, section 3.1).
 *
 *     log B(x, r) <= term(x, r) for every x,
 *     sum over r of log B(x, r) = constant + sum_i slope_i d_i
 *                                 + sum_i sum_{j <= i} curve_ij d_i d_j,
 *
 * d = x - mode. At the mode, found by a short climb from where chains start, or
 * close to it, they are tight; elsewhere they hold all the same. */
#pragma once

#include "simd/vlanes.h"
#include "target/target.h"

typedef struct cs_lower_bound {
    size_t dim, rows;
    double *mode;     /* [dim] where they are tight [own] */
    double (*row)[2]; /* [rows] what the type keeps of each [own] */
    double constant;
    double *slope; /* [dim] [own] */
    double *curve; /* [dim (dim + 1) / 2] row after row of the triangle [own] */
    double *trial; /* [dim] for the type, while it makes them [own] */
} cs_lower_bound;

/* Makes the lower bounds of `t` unless it has them: up to two hundred gradients,
 * then rows dim^2 / 2 sums. Fails where the target has none, or none that is
 * finite. Cold, on the owner's thread; they belong to the target. */
cs_status cs_lower_bound_make(cs_target *t, cs_error *err);

/* Frees them; NULL is fine. */
void cs_lower_bound_free(cs_lower_bound *b);

/* For a type's rows.lower: the log bound of a row has the part
 *     value + first u + second u^2,  u = sum_i by[i] d_i
 * by[dim]. May be called more than once a row. */
void cs_lower_bound_add(cs_lower_bound *b, const double *by, double value,
                        double first, double second);

/* sum[lanes] over all rows of log B at x[dim][lanes]: no row is touched. */
static inline void cs_lower_bound_sum(const cs_lower_bound *b, const double *x,
                                      size_t lanes, double *sum)
{
    for (size_t l = 0; l < lanes; l += CS_VECTOR) {
        const double *curve = b->curve;
        cs_vd all = cs_vset(b->constant);
        for (size_t i = 0; i < b->dim; i++) {
            cs_vd part = cs_vset(b->slope[i]), off = cs_vset(0);
            for (size_t j = 0; j <= i; j++) {
                off = *(const cs_vd *)(x + j * lanes + l) - b->mode[j];
                part += *curve++ * off;
            }
            all += part * off;
        }
        *(cs_vd *)(sum + l) = all;
    }
}
