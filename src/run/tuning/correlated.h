/* The choice between a dense and a diagonal metric. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Returns true if a dense metric reduces the condition number of the target
 * more than a diagonal metric. s[dim][dim] is a covariance estimated from
 * states that are worth n independent states.
 *
 * Without correlations, and for large dim, the eigenvalues of the estimated
 * correlation matrix lie between (1 - b)^2 and (1 + b)^2, b = sqrt(dim / n)
 * (Marchenko and Pastur 1967). Noise therefore gives a condition number
 * of up to
 *
 *   q = ((1 + b) / (1 - b))^2.
 *
 * If the true condition number is k, the estimate is at most about q k, so the
 * estimate divided by q is a cautious estimate of k. With a diagonal metric the
 * condition number remains k; with a dense metric it becomes q, because the
 * metric is noisy. The number of leapfrog steps grows with the square root of
 * the condition number, and a dense matrix needs additional work. The function
 * therefore returns true if k > 2 q. This rule is not from a paper.
 *
 * Returns false if dim >= n, because the matrix is then mostly noise. */
bool cs_is_correlated(const double *s, size_t dim, double n);
