/* The Poisson kernels on small_tall, by the formulas of Yuan and Wang 2026 as
 * printed in the paper: counts with their probabilities, proposals with their
 * densities, in long double, one chain. */
#pragma once

#include "support/laws.h"
#include "support/small_tall.h"
#include "target/row_bounds.h"

typedef enum hand_kernel { HAND_MH, HAND_MALA, HAND_BARKER, HANDS } hand_kernel;
extern const char *const hand_name[]; /* names of the kernels */

typedef struct hand {
    hand_kernel kernel;
    double step;
    long double big; /* Lambda = lambda L^2 */
    long double all; /* L */
    long double low[SMALL_TALL_ROWS], width[SMALL_TALL_ROWS]; /* M_i */
} hand;

/* The setting of a kernel, and the same by hand, of a target whose bounds have
 * been made. */
setting hand_setting(hand_kernel kernel, double step, double lambda);
hand hand_of(hand_kernel kernel, double step, double lambda,
             const cs_target *t);

/* log p of x, but for a constant; Lambda M_i / L + phi_i(x); the logarithm of
 * the probability of the counts s. */
long double hand_logp(const double *x);
long double hand_rate(const hand *h, size_t row, const double *x);
long double hand_log_counts(const hand *h, const size_t *s, const double *x);
/* g = grad [log p(x) + log P_x(s)]; log q_s(y | x), all of it. */
void hand_slope(const hand *h, const size_t *s, const double *x, double *g);
long double hand_log_q(const hand *h, const size_t *s, const double *x,
                       const double *y);
/* sum_i s_i log [rate_i(y) / rate_i(x)]. */
long double hand_log_aux(const hand *h, const size_t *s, const double *x,
                         const double *y);

/* The counts summed out, but for a part `tail` of each: of a kernel that
 * proposes with density q_s(y | x)
 *     proposed = sum_s P_x(s) q_s(y | x)
 *     taken    = sum_s P_x(s) q_s(y | x) min(1, r_s(x, y))
 * and the largest relative difference, over s, of p(x) P_x(s) q_s(y | x) min(1,
 * r_s(x, y)) and the same from y to x. */
typedef struct hand_sums {
    long double proposed, taken, off;
} hand_sums;
hand_sums hand_sum(const hand *h, const double *x, const double *y,
                   double tail);

/* What lane l drew in the step that has just been made, a Poisson number of mean
 * `mean`: the stream is read once more, in one piece. [own: hand_forget] */
typedef struct hand_stream {
    size_t n;
    uint32_t *row, *coin; /* [n] */
} hand_stream;
hand_stream hand_read(const cs_move *m, const cs_row_bounds *bounds, size_t l,
                      double mean);
void hand_forget(hand_stream *s);

/* Whether a draw with this coin is kept, of a row of width M. */
bool hand_keeps(uint32_t coin, long double rate, long double big,
                long double all, long double width);

/* Counts of a step from x[2]. */
typedef struct hand_draws {
    size_t drawn, kept, s[SMALL_TALL_ROWS];
} hand_draws;
hand_draws hand_draw(const hand *h, const cs_block *b, size_t l,
                     const double *x);
