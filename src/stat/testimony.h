/* Whether two estimates of one number agree, by their standard errors. */
#pragma once

#include <stddef.h>

/* What one source says of a number. `size` effective draws told it, and with
 * so few the error itself is not known well; what is exact has error 0 and size
 * HUGE_VAL. `at` NAN: the source says nothing. */
typedef struct cs_testimony {
    double at, error, size;
} cs_testimony;

/* |a - b| in standard errors of the difference; NAN where one says nothing, or
 * both are without error. */
double cs_testimony_apart(const cs_testimony *a, const cs_testimony *b);

/* What that is above with probability `chance` where both are right: Student's
 * t with Welch's degrees of freedom, a tenth of a source's effective draws
 * (at least 3) being its own. */
double cs_testimony_max(const cs_testimony *a, const cs_testimony *b,
                        double chance);

/* The figures of a quantity that are compared with each other. A quantile is
 * compared by the share of draws up to a common number, so its error needs no
 * density.
 */
typedef enum cs_witnessed {
    CS_WITNESSED_MEAN,
    CS_WITNESSED_SD, /* its logarithm */
    CS_WITNESSED_LOW,
    CS_WITNESSED_MEDIAN,
    CS_WITNESSED_HIGH,
    CS_WITNESSED
} cs_witnessed;
enum { CS_WITNESSED_QUANTILES = CS_WITNESSED - CS_WITNESSED_LOW };

/* Draws x[chains][n] of a quantity, each counting w[chains][n] (NULL: alike).
 * ess and tail: the effective sizes of the middle and of the tails. */
typedef struct cs_testimony_draws {
    const double *x, *w;
    size_t chains, n;
    double ess, tail;
} cs_testimony_draws;

/* out[CS_WITNESSED] but for the mean, at the numbers q[] in place of the 5, 50
 * and 95 % quantiles. The error is the larger of two, that of the effective
 * size and that of the means of batches, 32 of them or more: where one is too
 * small for want of long runs the other tends not to be.
 *
 * Of tails that are heavy for so many draws nothing is said: no mean where the
 * kurtosis is above a twentieth of the effective draws (out's is then NAN, else
 * it is left as it was), no standard deviation above a hundredth. One draw alone
 * may have made either then, and no error tells. */
void cs_testify(const cs_testimony_draws *d, const double *q,
                cs_testimony *out);
