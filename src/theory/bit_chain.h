/* The discrete Langevin samplers on a few bits, as matrices: dmala and dula of
 * Zhang, Liu and Liu 2022 with the balance of Pynadath et al. 2024, and edmala and
 * edula of Mohanty et al. (entropic sampling) with theta_a on a grid. State number a has
 * its first bit highest: 00, 01, 10, 11. */
#pragma once

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

enum { CS_BITS_MOST = 10 };

/* U and its gradient at the corners of a cube, n = 2^dim of them. The extension
 * of U is such that its gradient is affine in each bit, as that of a quadratic
 * form, or of what is linear in each bit. [borrowed] */
typedef struct cs_bit_target {
    size_t dim, n;
    const double *logp;     /* [n] U */
    const double *gradient; /* [n][dim] */
} cs_bit_target;

/* What the theorems ask of U. Second derivatives are differences of the gradient at
 * corners, and extreme eigenvalues are largest at corners, as they are convex in
 * each bit. */
typedef struct cs_bit_constants {
    double lipschitz;      /* M: of the gradient, on the cube */
    double concavity;      /* m: -U'' >= m I on the cube; not above 0: U is not
                              strongly concave there */
    double diameter;       /* of the corners: sqrt(dim) */
    double least_gradient; /* |grad U(a)|, a the corner where it is least */
    double log_z;          /* log of the sum of e^U over the corners */
} cs_bit_constants;

/* CS_MEMORY. Cold. */
cs_status cs_bit_constants_of(const cs_bit_target *t, cs_bit_constants *out,
                              cs_error *err);

/* pi[n], normalised. */
void cs_bit_law(const cs_bit_target *t, double *pi);

/* One step. The proposal of bit i to another value has the odds
 *     exp(balance g_i (x_i' - x_i) - 1 / (2 step)). */
typedef struct cs_bit_step {
    double step, balance;
    bool adjusted; /* Metropolis and Hastings */
} cs_bit_step;

/* P[n][n]; *acceptance (NULL allowed): the share of proposals accepted when at
 * rest. CS_MEMORY */
cs_status cs_bit_matrix(const cs_bit_target *t, const cs_bit_step *s, double *P,
                        double *acceptance, cs_error *err);

/* theta_a in {grid}^dim, which takes the place of the compact set of the theorems,
 * and sums over it that of integrals. State number: that of the bits, times k^dim,
 * plus that of theta_a. */
typedef struct cs_entropic_step {
    double step, step_a, eta;
    bool adjusted;
    const double *grid; /* [k], upwards [borrowed] */
    size_t k;
} cs_entropic_step;

enum { CS_ENTROPIC_MOST = 1300 }; /* states */

/* 2^dim k^dim; where that is more than CS_ENTROPIC_MOST, some number above it. */
size_t cs_entropic_states(const cs_bit_target *t, const cs_entropic_step *s);

/* P[N][N] and pi[N] ~ exp(U(x) - |x - a|^2 / (2 eta)). CS_MEMORY */
cs_status cs_entropic_matrix(const cs_bit_target *t, const cs_entropic_step *s,
                             double *P, double *pi, double *acceptance,
                             cs_error *err);

/* Of x in {0, 1}^dim and a in {grid}^dim: sup |a - x|, inf (x - a).(x' - a'), the
 * largest |a - a'|. */
typedef struct cs_entropic_sizes {
    double furthest, alignment, diameter;
} cs_entropic_sizes;
cs_entropic_sizes cs_entropic_sizes_of(const cs_bit_target *t,
                                       const cs_entropic_step *s);
