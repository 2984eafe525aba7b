/* A small target with rows whose terms are bounded, for kernels that draw rows
 * in proportion to bounds: three rows over two coordinates,
 *
 *
 *     log p(x) = - |x|^2 / 2 + sum_r sum_d a_rd sin(x_d + b_rd),
 *     |term_r| <= sum_d |a_rd| = c_r,
 *     |term_r(x) - term_r(y)| <= c_r max_d |x_d - y_d|.
 *
 * Coordinates are independent, so exact draws use tables of their distribution
 * functions. */
#pragma once

#include "target/target.h"

enum { SMALL_TALL_ROWS = 3, SMALL_TALL_DIM = 2 };

extern const cs_target_type small_tall;

/* Returns term_r(x) for x[SMALL_TALL_DIM]. If g is not NULL, also computes the
 * gradient of the term. */
double small_tall_term(size_t r, const double *x, double *g);
/* Returns c_r. */
double small_tall_most(size_t r);
