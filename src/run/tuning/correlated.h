/* Decides between a dense and a diagonal metric. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Whether a dense metric, s[dim][dim], the covariance of states that are worth
 * n independent ones, leaves a rounder target than its variances do.
 *
 * Where there are no correlations, the eigenvalues of the correlation matrix of
 * n states are between (1 - b)^2 and (1 + b)^2, b = sqrt(dim / n), for many
 * coordinates (Marchenko and Pastur 1967). So their ratio is of noise up to
 *
 *   q = ((1 + b) / (1 - b))^2,
 *
 * of correlations up to q times theirs, k: what was found, over q, is a cautious
 * estimate of k. With variances k is what is left; with the matrix it is q, its
 * own noise. Whether k > 2 q: trajectories take as many steps as the root of
 * either says, and a matrix costs some work as well. [own]
 *
 * False also where dim >= n: such a matrix is mostly noise. */
bool cs_is_correlated(const double *s, size_t dim, double n);
