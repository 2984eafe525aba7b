/* Transition matrices computed by brute force from the papers' formulas, with
 * plain exponentials and sums over all states, independently of src/kernel. */
#pragma once

#include "support/small.h"

#include <stdbool.h>

/* Computes P[n][n] for a kernel with the CS_KERNEL_PARAMS parameter values
 * `value`. For the systematic Gibbs scan, `turn` selects the site that is
 * updated. Returns false if no formula is known for this kernel. */
bool matrix_of(const char *kernel, const points *p, const double *value,
               size_t turn, double *P);

/* Computes q[n][n], the discrete Langevin proposal. */
void langevin(const points *p, double step, double balance, double *q);

/* Computes P, the Metropolis-Hastings matrix for proposal q. */
void metropolis(const points *p, const double *q, double *P);

/* Computes pi[n], the stationary distribution of P, by iteration from the
 * uniform distribution. */
void stationary(const double *P, size_t n, double *pi);

/* Returns the largest |row sum - 1|. */
double row_error(const double *P, size_t n);
/* Returns the largest |pi P - pi|. */
double invariance_error(const points *p, const double *P);
/* Returns the largest |pi_i P_ij - pi_j P_ji|. */
double balance_error(const points *p, const double *P);
