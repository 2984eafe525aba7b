/* A second implementation of the Poisson kernels on small_tall, for one chain
 * and in long double, by the formulas stated in Yuan and Wang 2026: counts and
 * their probabilities, proposals and their densities. */
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
    long double all; /* L, the sum of M_i */
    long double low[SMALL_TALL_ROWS], width[SMALL_TALL_ROWS]; /* bounds of the
                                                               * terms; width:
                                                               * M_i */
} hand;

/* Returns a setting of the kernel with these parameters. */
setting hand_setting(hand_kernel kernel, double step, double lambda);
/* Returns the parameters of hand_setting in the form that the formulas of this
 * file use, with the bounds of the target. */
hand hand_of(hand_kernel kernel, double step, double lambda,
             const cs_target *t);

/* Returns log p(x) up to a constant. */
long double hand_logp(const double *x);
/* Returns the rate of a row's count, Lambda M_i / L + phi_i(x). */
long double hand_rate(const hand *h, size_t row, const double *x);
/* Returns the log probability of the counts s. */
long double hand_log_counts(const hand *h, const size_t *s, const double *x);
/* Computes g = grad [log p(x) + log P_x(s)]. */
void hand_slope(const hand *h, const size_t *s, const double *x, double *g);
/* Returns log q_s(y | x) with all constants. */
long double hand_log_q(const hand *h, const size_t *s, const double *x,
                       const double *y);
/* Returns sum_i s_i log [rate_i(y) / rate_i(x)]. */
long double hand_log_aux(const hand *h, const size_t *s, const double *x,
                         const double *y);

/* Sums over the counts, up to a tail of probability `tail` per row, for a
 * kernel that proposes with density q_s(y | x):
 *     proposed = sum_s P_x(s) q_s(y | x)
 *     taken    = sum_s P_x(s) q_s(y | x) min(1, r_s(x, y))
 * `off` is the largest relative difference, over s, between p(x) P_x(s) q_s(y |
 * x) min(1, r_s(x, y)) and the same with x and y exchanged. */
typedef struct hand_sums {
    long double proposed, taken, off;
} hand_sums;
hand_sums hand_sum(const hand *h, const double *x, const double *y,
                   double tail);

/* The rows and coins that lane l drew in the last step. The stream is read a
 * second time, in one piece. A coin is the random number that decides whether a
 * row is kept. [own: hand_forget] */
typedef struct hand_stream {
    size_t n;
    uint32_t *row, *coin; /* [n] rows and their coins */
} hand_stream;
/* Reads the rows and coins that lane l drew. The number of rows is Poisson with
 * mean `mean`. */
hand_stream hand_read(const cs_move *m, const cs_row_bounds *bounds, size_t l,
                      double mean);
void hand_forget(hand_stream *s);

/* Returns true if a drawn row is kept. The bound of the row has the width M =
 * `width`. `coin` is the row's random number. */
bool hand_keeps(uint32_t coin, long double rate, long double big,
                long double all, long double width);

/* The counts of a step from x[2]: rows drawn, rows kept, and s per row. */
typedef struct hand_draws {
    size_t drawn, kept, s[SMALL_TALL_ROWS];
} hand_draws;
hand_draws hand_draw(const hand *h, const cs_block *b, size_t l,
                     const double *x);
