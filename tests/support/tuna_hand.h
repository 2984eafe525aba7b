/* tuna_mh and tuna_sgld on small_tall, by the formulas of Yuan and Wang 2026 as
 * printed in the paper (Algorithms 6 and 3), in long double. */
#pragma once

#include "support/poisson_hand.h"

typedef struct tuna {
    bool sgld;
    double step, chi;
    size_t batch;    /* K */
    double length;   /* 0: the gradient as it is */
    long double all; /* C */
    long double c[SMALL_TALL_ROWS];
} tuna;

/* The kernel's setting; and the bounds by hand, of a target that has them. */
setting tuna_setting(const tuna *h);
void tuna_bounds(tuna *h, const cs_target *t);

/* A move, and, of tuna_sgld, the rows that guide it, a bit each. */
typedef struct tuna_move {
    double x[SMALL_TALL_DIM], y[SMALL_TALL_DIM];
    unsigned rows;
} tuna_move;

tuna_move tuna_back(const tuna_move *m); /* from y to x */

/* M(x, y); lambda; lambda c_i / C + phi_i(x, y). */
long double tuna_measure(const tuna_move *m);
long double tuna_lambda(const tuna *h, const tuna_move *m);
long double tuna_rate(const tuna *h, const tuna_move *m, size_t row);
/* Where x goes without noise; log q(y | x), all of it. */
void tuna_mean(const tuna *h, const tuna_move *m, double *mean);
long double tuna_log_q(const tuna *h, const tuna_move *m);
/* log of [P_yx(s) / P_xy(s)] p(y) / p(x) but for the prior, as the kernels have
 * it; log of P_xy(s). */
long double tuna_log_aux(const tuna *h, const tuna_move *m, const size_t *s);
long double tuna_log_counts(const tuna *h, const tuna_move *m, const size_t *s);

/* The counts summed out, but for a part `tail` of each: the probability that
 * the move is accepted, and the largest relative difference, over s, of p(x)
 * q(y | x) P_xy(s) min(1, r) and the same from y to x. */
typedef struct tuna_sums {
    long double taken, off;
} tuna_sums;
tuna_sums tuna_sum(const tuna *h, const tuna_move *m, double tail);

/* What lane l drew in the step that has just been made. */
hand_draws tuna_draw(const tuna *h, const cs_block *b, size_t l,
                     const tuna_move *m);
