/* A small target with rows of data, in closed form: normal observations y_r of
 * an unknown mean in two dimensions,
 *
 *     log p(x) = - p |x|^2 / 2 - w sum_r |x - y_r|^2 / 2,
 *
 * for kernels that ask for batches. Any batch has the same curvature, so that
 * the noise of its gradient does not depend on x, unless each coordinate of a
 * term has the further part - curve (x - y_r)^4 / 4. */
#pragma once

#include "target/target.h"

enum { SMALL_ROWS_DIM = 2, SMALL_ROWS_MOST = 64 };

extern const cs_target_type small_rows;

/* With n rows, 1 .. SMALL_ROWS_MOST. [own: cs_target_release] */
cs_target *small_rows_of(size_t n, double curve);

/* Its p and w, and y_r[d]. */
extern const double small_rows_prior, small_rows_weight;
double small_rows_datum(size_t r, size_t d);

/* Without curve, of coordinate d with n rows: mean and variance; and V, the variance of the
 * row gradients at any x, divisor n. */
double small_rows_mean(size_t n, size_t d);
double small_rows_variance(size_t n);
double small_rows_spread(size_t n, size_t d);
