/* Tests whether two estimates of the same number agree, given their standard
 * errors. */
#pragma once

#include <stddef.h>

/* An estimate of a number from one source. `size` is the number of effective
 * draws from which it was computed; if it is small, the error is itself
 * uncertain. An exact value has error 0 and size HUGE_VAL. `at` is NAN if the
 * source has no estimate. */
typedef struct cs_testimony {
    double at, error, size;
} cs_testimony;

/* Returns |a - b| in standard errors of the difference; NAN if an estimate is
 * missing or both have error 0. */
double cs_testimony_apart(const cs_testimony *a, const cs_testimony *b);

/* Returns the value that cs_testimony_apart exceeds with probability `chance`
 * if both estimates are right. Uses Student's t with Welch's degrees of
 * freedom. The degrees of freedom of each source are a tenth of its effective
 * draws, and at least 3. */
double cs_testimony_max(const cs_testimony *a, const cs_testimony *b,
                        double chance);

/* The figures of a quantity that are compared. A quantile is compared by the
 * share of draws up to a common number, so that its error needs no density. */
typedef enum cs_witnessed {
    CS_WITNESSED_MEAN,
    CS_WITNESSED_SD, /* logarithm of the standard deviation */
    CS_WITNESSED_LOW,
    CS_WITNESSED_MEDIAN,
    CS_WITNESSED_HIGH,
    CS_WITNESSED
} cs_witnessed;
enum { CS_WITNESSED_QUANTILES = CS_WITNESSED - CS_WITNESSED_LOW };

/* Draws x[chains][n] of a quantity with weights w[chains][n] (NULL: equal
 * weights). ess and tail: the effective sizes for the mean and for the
 * tails. */
typedef struct cs_testimony_draws {
    const double *x, *w;
    size_t chains, n;
    double ess, tail;
} cs_testimony_draws;

/* Fills out[CS_WITNESSED] except the mean. For each quantile, estimates the
 * share of draws up to the given number in q[]. The error is the larger of two
 * estimates: one from the effective size, and one from the means of at least 32
 * batches. If one estimate is too small because the runs are short, the other
 * usually is not.
 *
 * No estimate is made if the tails are too heavy for the number of draws. The
 * mean is set to NAN if the kurtosis exceeds 1/20 of the number of effective
 * draws; otherwise it is unchanged. The standard deviation is set to NAN if the
 * kurtosis exceeds 1/100 of that number. A single draw may then determine
 * either value, and no standard error shows that. */
void cs_testify(const cs_testimony_draws *d, const double *q,
                cs_testimony *out);
