/* The effective size of draws of several quantities together.
 *
 * Vats, Flegal and Jones, "Multivariate output analysis for Markov chain Monte
 * Carlo" (2019): the size of S draws of p quantities is
 *
 *   S (|L| / |B|)^(1/p),
 *
 * where L is the covariance matrix of the draws and B is their covariance
 * matrix in the central limit theorem. B is estimated by batch means: each chain
 * has a batches of b = floor(sqrt(n)) draws, and the last n - a b draws are in no
 * batch. For several chains, B is the estimate by replicated batch means of
 * Gupta and Vats, "Estimating Monte Carlo variance from multiple Markov chains"
 * (2020): batches of all chains are compared with the mean over all chains, so
 * that chains that disagree have a small size. A quantity that is a constant, or
 * a linear combination of those before it, is left out.
 *
 * The rows of a chain are added in order, twice: first for the means, then for
 * the products. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { CS_MULTIVARIATE_MOST = 64 }; /* maximum number of quantities */

typedef struct cs_multivariate cs_multivariate;

/* The size of an arm's draws. Rows of a report have the first members, only
 * doubles. */
typedef struct cs_joint_size {
    double size;     /* NAN: undefined */
    double error;    /* standard error of log size over groups of chains; NAN:
                      * unknown */
    double used;     /* number of quantities that are used */
    const char *why; /* reason why the size is undefined; NULL: it is defined */
} cs_joint_size;
enum { CS_JOINT_WORDS = 3 }; /* numbers of a row */

/* Returns true if batches are shorter than the autocorrelation time of the
 * slowest quantity, whose effective size is `least`, for chains of n draws. B is
 * then too small, and the size is too large. */
bool cs_batches_are_short(double n, double chains, double least);

/* Errors of log size that batches of normal means cause. */
typedef struct cs_batch_errors {
    double error;  /* standard error */
    double excess; /* expected log size, minus log of the true size */
} cs_batch_errors;

/* Computes the errors for p quantities of chains of n draws each. With a batches
 * in all, B is a Wishart matrix of v = a - 1 degrees of freedom, divided by v.
 * By Bartlett's decomposition the logarithm of its determinant is a sum of p
 * independent log chi-squares (Muirhead, "Aspects of Multivariate Statistical
 * Theory", 1982, theorem 3.2.15), so that
 *
 *   excess   = 1/p sum_i log(v / 2) - psi((v - i + 1) / 2),
 *   error^2  = 1/p^2 sum_i psi1((v - i + 1) / 2),   i = 1 .. p.
 *
 * L is taken as known: it has more degrees of freedom than B. Both are NAN if v <
 * p. */
cs_batch_errors cs_batch_errors_of(double n, double chains, double p);

/* Begins with d quantities, at most CS_MULTIVARIATE_MOST, and chains of n draws.
 * NULL: memory is short. [own] */
cs_multivariate *cs_multivariate_new(size_t d, size_t n);
void cs_multivariate_free(cs_multivariate *m);

/* Adds a row[d] to the means. */
void cs_multivariate_mean(cs_multivariate *m, const double *row);
/* Adds a row[d] to the products, after all rows were added to the means. */
void cs_multivariate_add(cs_multivariate *m, const double *row);

/* Returns the size, or NAN with the reason in *reason, as stat/diagnostics.h
 * does. *used (NULL allowed) is the number p of quantities that are used. */
double cs_multivariate_size(const cs_multivariate *m, size_t *used,
                            const char **reason);
