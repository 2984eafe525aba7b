/* A small target with rows of data, in closed form: normal observations y_r of
 * an unknown mean in two dimensions,
 *
 *
 *     log p(x) = - p |x|^2 / 2 - w sum_r |x - y_r|^2 / 2,
 *
 * for kernels that use batches. All batches have the same curvature, so the
 * noise of the gradient does not depend on x. With `curve` > 0 each coordinate
 * of a term also contains - curve (x - y_r)^4 / 4. */
#pragma once

#include "target/target.h"

enum { SMALL_ROWS_DIM = 2, SMALL_ROWS_MOST = 64 };

extern const cs_target_type small_rows;

/* Creates the target with n rows, 1 to SMALL_ROWS_MOST. [own:
 * cs_target_release] */
cs_target *small_rows_of(size_t n, double curve);

/* The constants p and w of the formula, and y_r[d]. */
extern const double small_rows_prior, small_rows_weight;
double small_rows_datum(size_t r, size_t d);

/* For curve = 0: the mean of coordinate d, given n rows. */
double small_rows_mean(size_t n, size_t d);
/* For curve = 0: the variance of each coordinate, given n rows. */
double small_rows_variance(size_t n);
/* For curve = 0: V, the variance (divisor n) of the row gradients in coordinate
 * d. V does not depend on x. */
double small_rows_spread(size_t n, size_t d);
