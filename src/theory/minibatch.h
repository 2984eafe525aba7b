/* The minibatch kernels of Yuan and Wang 2026 on a one-dimensional grid, as
 * finite auxiliary chains: PoissonMH, Poisson-MALA and Poisson-Barker
 * (algorithms 5 and 2), TunaMH and Tuna-SGLD (algorithms 6 and 3). The
 * probability of a proposal is the kernel's density times the spacing of the
 * points. Proposals beyond the ends of the grid are rejected, as for a target
 * on an interval. */
#pragma once

#include "theory/auxiliary.h"
#include "theory/counts.h"

/* A target with log p(x_a) = prior[a] + sum_i term[i][a], up to a constant. */
typedef struct cs_tall_grid {
    size_t n, rows;            /* n: number of points, at least 2; rows: number
                                  of rows, 1 to CS_COUNT_ROWS */
    double low, gap;           /* x_a = low + a gap, for a = 0 .. n - 1 */
    const double *prior;       /* [n] log prior; NULL: 0 everywhere
                                  [borrowed] */
    const double *prior_slope; /* [n] derivative of the log prior; NULL: 0
                                  everywhere [borrowed] */
    const double *term;        /* [rows][n] terms of the rows at the points
                                  [borrowed] */
    const double *slope; /* [rows][n] derivatives of the terms, for kernels that
                            use gradients [borrowed] */
} cs_tall_grid;

typedef enum cs_poisson_proposal {
    CS_POISSON_MH,    /* proposes x + step z */
    CS_POISSON_MALA,  /* proposes x + step^2 g / 2 + step z */
    CS_POISSON_BARKER /* proposes x + step z or x - step z, chosen by Barker's
                         rule */
} cs_poisson_proposal;

/* Settings of the Poisson kernels. The paper's lambda is lambda L^2. phi_i =
 * term_i - low[i] is between 0 and M_i = width[i]. If `low` and `width` are
 * NULL, the tightest bounds on the grid are used. Borrowed arrays must outlive
 * the chain. [own: cs_aux_chain_free] */
typedef struct cs_poisson_setting {
    cs_poisson_proposal proposal;
    double step, lambda;
    const double *low, *width; /* [rows] lower bounds of the terms, and widths
                                  of the bounds */
    cs_aux_rule rule;
} cs_poisson_setting;
cs_status cs_poisson_chain(const cs_tall_grid *g, const cs_poisson_setting *s,
                           cs_aux_chain *out, cs_error *err);

/* Settings of the tuna kernels, with chi as in the paper. c_i = lipschitz[i]
 * satisfies |term_i(x) - term_i(y)| <= c_i |x - y|. If `lipschitz` is NULL, the
 * smallest such constants on the grid are used. batch = 0 selects TunaMH. batch
 * = K >= 1 selects Tuna-SGLD, which multiplies the gradient of K rows by rows /
 * K. */
typedef struct cs_tuna_setting {
    double step, chi;
    const double *lipschitz; /* [rows] constants c_i, or NULL */
    size_t batch;
    cs_aux_rule rule;
} cs_tuna_setting;
cs_status cs_tuna_chain(const cs_tall_grid *g, const cs_tuna_setting *s,
                        cs_aux_chain *out, cs_error *err);

/* For a Poisson chain, returns L, the sum of M_i. For a tuna chain, returns C
 * times the length of the grid. */
double cs_minibatch_size(const cs_aux_chain *c);
