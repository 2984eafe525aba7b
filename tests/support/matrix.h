/* Transition matrices computed from the papers' formulas by brute force:
 * plain exponentials and sums over all states, nothing of src/kernel. */
#pragma once

#include "support/small.h"

#include <stdbool.h>

/* Fills P[n][n]. `value` are the kernel's CS_KERNEL_PARAMS parameters. For the
 * systematic Gibbs scan the matrix is that of site `turn`. False: no formula
 * is known for the kernel of this name. */
bool matrix_of(const char *kernel, const points *p, const double *value,
               size_t turn, double *P);

/* Proposal probabilities of the discrete Langevin proposal, q[n][n]. */
void langevin(const points *p, double step, double balance, double *q);

/* P = Metropolis-Hastings with proposal q. */
void metropolis(const points *p, const double *q, double *P);

/* pi[n] = the stationary law of P, by iteration from the uniform one. */
void stationary(const double *P, size_t n, double *pi);

/* Largest |row sum - 1|, |pi P - pi|, |pi_i P_ij - pi_j P_ji|. */
double row_error(const double *P, size_t n);
double invariance_error(const points *p, const double *P);
double balance_error(const points *p, const double *P);
