/* A second implementation of tuna_mh and tuna_sgld on small_tall, in long
 * double, by the formulas stated in Yuan and Wang 2026 (Algorithms 6 and 3). */
#pragma once

#include "support/poisson_hand.h"

typedef struct tuna {
    bool sgld;
    double step, chi;
    size_t batch;    /* K, rows per batch */
    double length;   /* length of the scaled gradient; 0: not scaled */
    long double all; /* C, the sum of all c_i */
    long double c[SMALL_TALL_ROWS];
} tuna;

/* Returns the kernel's setting. */
setting tuna_setting(const tuna *h);
/* Fills in the bounds of a target with bounded changes. */
void tuna_bounds(tuna *h, const cs_target *t);

/* A move from x to y. For tuna_sgld, `rows` has one bit for each row whose
 * gradient guides the proposal. */
typedef struct tuna_move {
    double x[SMALL_TALL_DIM], y[SMALL_TALL_DIM];
    unsigned rows;
} tuna_move;

tuna_move tuna_back(const tuna_move *m); /* swaps x and y */

/* Returns M(x, y). */
long double tuna_measure(const tuna_move *m);
/* Returns lambda of the move. */
long double tuna_lambda(const tuna *h, const tuna_move *m);
/* Returns the rate of a row's count, lambda c_i / C + phi_i(x, y). */
long double tuna_rate(const tuna *h, const tuna_move *m, size_t row);
/* Computes the mean of the proposal. */
void tuna_mean(const tuna *h, const tuna_move *m, double *mean);
/* Returns log q(y | x) with all constants. */
long double tuna_log_q(const tuna *h, const tuna_move *m);
/* Returns log [P_yx(s) / P_xy(s) p(y) / p(x)] without the prior, as in the
 * kernels. */
long double tuna_log_aux(const tuna *h, const tuna_move *m, const size_t *s);
/* Returns log P_xy(s), the log probability of the counts. */
long double tuna_log_counts(const tuna *h, const tuna_move *m, const size_t *s);

/* Sums over the counts, up to a tail of probability `tail` per row. `taken` is
 * the acceptance probability of the move. `off` is the largest relative
 * difference, over s, between two products. The first product is p(x) q(y | x)
 * P_xy(s) min(1, r). In the second product, x and y are exchanged. */
typedef struct tuna_sums {
    long double taken, off;
} tuna_sums;
tuna_sums tuna_sum(const tuna *h, const tuna_move *m, double tail);

/* Returns the rows that lane l drew in the last step. */
hand_draws tuna_draw(const tuna *h, const cs_block *b, size_t l,
                     const tuna_move *m);
