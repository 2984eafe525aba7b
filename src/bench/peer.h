/* The peer of the bench: what a competent user writes by hand with GSL, plain
 * loops, gsl_rng_mt19937, the ziggurat and CBLAS. It runs in the same process
 * and turn about with our own, so that ratios hold on a noisy machine. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* What a peer did. */
typedef struct cs_peer_result {
    double seconds;    /* thread CPU time */
    double acceptance; /* share of accepted proposals */
} cs_peer_result;

/* B01: random-walk Metropolis on N(0, I), d = 10, proposal sd 2.38/sqrt(10);
 * keeps every draw, or (keep false) running sums only. */
cs_peer_result cs_peer_random_walk(size_t steps, bool keep);

/* B02: MALA on N(0, S), S_ij = 0.5^|i-j|, d = 100, dense precision. */
cs_peer_result cs_peer_mala(size_t steps);

/* B03: HMC on the same, step 0.25, 10 leapfrogs. */
cs_peer_result cs_peer_hmc(size_t steps);

/* B04: sweeps of the heat bath over 64 x 64 spins on a torus, beta 0.4406868,
 * with a table of its five probabilities. `acceptance` is the mean |m|. */
cs_peer_result cs_peer_ising(size_t sweeps);

/* B09: SGLD on 0.4 N(-6, 1) + 0.6 N(4, 1), rate 0.1, gradient noise of standard
 * deviation 0.1, moves out of (-14, 12) refused; running sums. */
cs_peer_result cs_peer_sgld(size_t steps);
/* CSGLD there, 50 bins of width 1 from 2, zeta 0.75, every weight updated at each
 * step. */
cs_peer_result cs_peer_csgld(size_t steps);

/* n uniforms (mt19937), n normals (ziggurat). */
cs_peer_result cs_peer_uniform(size_t n);
cs_peer_result cs_peer_normal(size_t n);

/* y = a[rows][cols] x, or its transpose times x. */
void cs_peer_product(const double *a, size_t rows, size_t cols, bool transposed,
                     const double *x, double *y);

/* The name of its matrix library. */
const char *cs_peer_blas(void);
