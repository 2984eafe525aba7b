/* Reference implementations. This is the code that a competent user writes with
 * GSL, plain loops, gsl_rng_mt19937, the ziggurat and CBLAS. It runs in the
 * same process as our own code and alternates with it, so that ratios are valid
 * on a noisy machine. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Result of a reference run. */
typedef struct cs_peer_result {
    double seconds;    /* thread CPU time */
    double acceptance; /* fraction of accepted proposals */
} cs_peer_result;

/* B01: random-walk Metropolis on N(0, I), d = 10, proposal sd 2.38/sqrt(10).
 * Keeps every draw, or only running sums if `keep` is false. */
cs_peer_result cs_peer_random_walk(size_t steps, bool keep);

/* B02: MALA on N(0, S), S_ij = 0.5^|i-j|, d = 100, dense precision. */
cs_peer_result cs_peer_mala(size_t steps);

/* B03: HMC on the target of B02, step 0.25, 10 leapfrogs. */
cs_peer_result cs_peer_hmc(size_t steps);

/* B04: sweeps of the heat bath over 64 x 64 spins on a torus at beta 0.4406868,
 * with a table of the five probabilities. `acceptance` is the mean of |m|,
 * where m is the magnetisation. */
cs_peer_result cs_peer_ising(size_t sweeps);

/* B09: SGLD on 0.4 N(-6, 1) + 0.6 N(4, 1), rate 0.1, gradient noise of standard
 * deviation 0.1. Moves out of (-14, 12) are rejected. Keeps running sums. */
cs_peer_result cs_peer_sgld(size_t steps);
/* B09: CSGLD on the target of cs_peer_sgld. There are 50 energy bins of width
 * 1, starting at energy 2, and zeta is 0.75. Every weight is updated at each
 * step. */
cs_peer_result cs_peer_csgld(size_t steps);

/* cs_peer_uniform draws n uniforms (mt19937); cs_peer_normal draws n normals
 * (ziggurat). */
cs_peer_result cs_peer_uniform(size_t n);
cs_peer_result cs_peer_normal(size_t n);

/* Computes y = a[rows][cols] x, or a' x, the product of the transpose and x. */
void cs_peer_product(const double *a, size_t rows, size_t cols, bool transposed,
                     const double *x, double *y);

/* Returns the name of the matrix library in use. */
const char *cs_peer_blas(void);
