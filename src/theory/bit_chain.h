/* Transition matrices of discrete Langevin samplers on a few bits: dmala and
 * dula of Zhang, Liu and Liu 2022 with the balance of Pynadath et al. 2024, and
 * edmala and edula of Mohanty et al. (entropic sampling) with theta_a on a
 * grid. In the index of a state the first bit is the most significant: 00, 01,
 * 10, 11. */
#pragma once

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

enum { CS_BITS_MOST = 10 };

/* U and its gradient at the n = 2^dim corners of a cube. U must be extended
 * such that its gradient is affine in each bit, as for a quadratic form or a
 * function that is linear in each bit. [borrowed] */
typedef struct cs_bit_target {
    size_t dim, n;
    const double *logp;     /* [n] U, the log density up to a constant */
    const double *gradient; /* [n][dim] gradient of U */
} cs_bit_target;

/* Constants of U that the theorems use. Second derivatives are computed as
 * differences of the gradient between corners. The largest and the smallest
 * eigenvalues occur at corners, because the largest eigenvalue is convex in
 * each bit, and the smallest is concave. */
typedef struct cs_bit_constants {
    double lipschitz;      /* M: Lipschitz constant of the gradient on the
                              cube */
    double concavity;      /* m: -U'' >= m I on the cube; U is strongly concave
                              on the cube only if m > 0 */
    double diameter;       /* diameter of the set of corners: sqrt(dim) */
    double least_gradient; /* smallest |grad U(a)| over corners a */
    double log_z;          /* log of the sum of e^U over the corners */
} cs_bit_constants;

/* Computes the constants. May fail with CS_MEMORY. Not called in hot loops. */
cs_status cs_bit_constants_of(const cs_bit_target *t, cs_bit_constants *out,
                              cs_error *err);

/* Computes pi[n], the probabilities of the corners. */
void cs_bit_law(const cs_bit_target *t, double *pi);

/* A step of dmala or dula. Bit i is changed by the proposal with the odds
 * exp(balance g_i (x_i' - x_i) - 1 / (2 step)). */
typedef struct cs_bit_step {
    double step, balance;
    bool adjusted; /* true: the step has a Metropolis-Hastings accept step */
} cs_bit_step;

/* Computes P[n][n]. Sets *acceptance (NULL allowed) to the share of proposals
 * that are accepted in stationarity. May fail with CS_MEMORY. */
cs_status cs_bit_matrix(const cs_bit_target *t, const cs_bit_step *s, double *P,
                        double *acceptance, cs_error *err);

/* A step of edmala or edula with theta_a in {grid}^dim. The grid replaces the
 * compact set of the theorems, and sums over the grid replace integrals. The
 * index of a state is the index of its bits times k^dim, plus the index of
 * theta_a. */
typedef struct cs_entropic_step {
    double step, step_a, eta;
    bool adjusted;
    const double *grid; /* [k] the points of the grid, ascending [borrowed] */
    size_t k;
} cs_entropic_step;

enum { CS_ENTROPIC_MOST = 1300 }; /* largest number of states */

/* Returns 2^dim k^dim. If this number exceeds CS_ENTROPIC_MOST, the result is
 * only some number above CS_ENTROPIC_MOST. */
size_t cs_entropic_states(const cs_bit_target *t, const cs_entropic_step *s);

/* Computes P[N][N] and pi[N] ~ exp(U(x) - |x - a|^2 / (2 eta)), where N is the
 * number of states. May fail with CS_MEMORY. */
cs_status cs_entropic_matrix(const cs_bit_target *t, const cs_entropic_step *s,
                             double *P, double *pi, double *acceptance,
                             cs_error *err);

/* For x in {0, 1}^dim and a in {grid}^dim: the largest |a - x|, the smallest (x
 * - a).(x' - a'), and the largest |a - a'|. */
typedef struct cs_entropic_sizes {
    double furthest, alignment, diameter;
} cs_entropic_sizes;
cs_entropic_sizes cs_entropic_sizes_of(const cs_bit_target *t,
                                       const cs_entropic_step *s);
