/* Lower bounds on the terms of a target that is a sum over rows. The sum of the
 * bounds over all rows is cheap to compute. Firefly Monte Carlo uses such
 * bounds (Maclaurin and Adams, "Firefly Monte Carlo: exact MCMC with subsets of
 * data", 2014, section 3.1).
 *
 *     log B(x, r) <= term(x, r) for every x,
 *     sum over r of log B(x, r) = constant + sum_i slope_i d_i
 *                                 + sum_i sum_{j <= i} curve_ij d_i d_j,
 *     d = x - mode.
 *
 * The bounds are valid everywhere, and tight at the mode or close to it. The
 * mode is found by a short gradient ascent from the starting point of
 * chains. */
#pragma once

#include "simd/vlanes.h"
#include "target/target.h"

typedef struct cs_lower_bound {
    size_t dim, rows;
    double *mode;     /* [dim] the point where the bounds are tight [own] */
    double (*row)[2]; /* [rows] data that the target type stores for each row
                         [own] */
    double constant;
    double *slope; /* [dim] the coefficients slope_i [own] */
    double *curve; /* [dim (dim + 1) / 2] the coefficients curve_ij, row after
                      row of the triangle [own] */
    double *trial; /* [dim] scratch for the type's hook [own] */
} cs_lower_bound;

/* Computes the lower bounds of `t`. If they exist already, does nothing. The
 * cost is at most 200 gradients, and then rows dim^2 / 2 additions. Fails if
 * the target has no bounds, or if a bound is not finite. Cold, on the owner's
 * thread; the bounds belong to the target. */
cs_status cs_lower_bound_make(cs_target *t, cs_error *err);

/* Frees b; NULL is allowed. */
void cs_lower_bound_free(cs_lower_bound *b);

/* Called by the hook `lower` of a type. Adds to the log bound of a row
 *
 *     value + first u + second u^2,   u = sum_i by[i] d_i,
 *
 * where `by` has dim elements. May be called more than once per row. */
void cs_lower_bound_add(cs_lower_bound *b, const double *by, double value,
                        double first, double second);

/* Computes sum[lanes], the sum of log B over all rows at x[dim][lanes], without
 * reading any row. */
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
