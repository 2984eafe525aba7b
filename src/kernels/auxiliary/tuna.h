/* What tuna_mh and tuna_sgld share: the auxiliary variable that is drawn given
 * state and proposal, and what it says of their ratio. Zhang, Cooper and De Sa,
 * "Asymptotically optimal exact minibatch Metropolis-Hastings" (2020), in the
 * form of Yuan and Wang 2026, Algorithm 6 (their U_i is -term_i).
 *
 * With log p(x) = prior(x) + sum_i term_i(x), a symmetric M and
 * |term_i(x) - term_i(y)| <= c_i M(x, y), let C = sum_i c_i and
 *
 *     lambda = chi C^2 M(x, y)^2
 *     phi_i(x, y) = [term_i(x) - term_i(y)] / 2 + c_i M(x, y) / 2.
 *
 * Auxiliary variables are counts s_i ~ Poisson(lambda c_i / C + phi_i(x, y)),
 * drawn by thinning (Algorithm 9): B ~ Poisson(lambda + C M) rows in proportion
 * to c_i, each kept with probability
 *
 *     (lambda c_i / C + phi_i(x, y)) / (lambda c_i / C + c_i M).
 *
 * Drawn at (y, x) in place of (x, y) they are as likely by a factor that, times
 * the ratio of the likelihoods, is
 *
 *     prod_i [(lambda c_i / C + phi_i(y, x)) /
 *             (lambda c_i / C + phi_i(x, y))]^s_i.
 *
 * All is divided by c_i M below: with a = chi C M and the tilt t_i = [term_i(x)
 * - term_i(y)] / (c_i M), from -1 to 1, a row is kept with probability
 * (2 a + 1 + t_i) / (2 a + 2), and then counts log [(2 a + 1 - t_i) /
 * (2 a + 1 + t_i)]. Where M = 0 no row is drawn and the ratio is 1.
 *
 * Departure: the paper spreads the prior over the rows; here it is taken as it
 * is. */
#ifndef CS_KERNELS_AUXILIARY_TUNA_H
#define CS_KERNELS_AUXILIARY_TUNA_H

#include "kernel/accept.h"
#include "kernels/auxiliary/row_draws.h"

/* Parameters that both have, the first ones. */
enum { CS_TUNA_STEP, CS_TUNA_CHI, CS_TUNA_PARAMS };

/* Columns: rows drawn in a step, and kept. */
enum { CS_TUNA_DRAWN, CS_TUNA_KEPT };
extern const char *const cs_tuna_stats[];

/* Why a chain was given up. */
enum {
    CS_TUNA_CHANGE =
        1,          /* row, value: how much its term changed, above `bound` */
    CS_TUNA_DRAWS,  /* value: more draws than `bound` */
    CS_TUNA_MEASURE /* value: M(x, y), which is no number or negative */
};

/* ---- for the tables, cold ------------------------------------------------ */

#define CS_TUNA_CHI_ROW                                                        \
    [CS_TUNA_CHI] = {                                                          \
        .name = "chi",                                                         \
        .flags = CS_PARAM_LOG,                                                 \
        .min = 1e-15,                                                          \
        .max = 1e15,                                                           \
        .def = 0.1,                                                            \
        .help = "a step draws chi C^2 M^2 + C M rows in the mean, C the sum "  \
                "of the rows' bounds and M the length of the move: the more, " \
                "the nearer to a step on all rows",                            \
        .ref = "Yuan and Wang 2026, Algorithm 6"}

#define CS_TUNA_COMMON                                                         \
    .spaces = CS_CONTINUOUS,                                                   \
    .flags = CS_KERNEL_EXACT | CS_KERNEL_REVERSIBLE | CS_KERNEL_ACCEPTS |      \
             CS_KERNEL_ESTIMATES | CS_KERNEL_PARTS,                            \
    .stats = cs_tuna_stats, .logp = cs_row_draws_logp,                         \
    .explain = cs_tuna_explain

/* C, and that a step of a random walk, with values[CS_TUNA_PARAMS], draws no
 * more than CS_MOST_DRAWS. */
cs_status cs_tuna_prepare(cs_target *t, const double *values, cs_error *err);
/* Rows that a step of a random walk draws in the mean, from the place where
 * chains start by default: an estimate by 64 moves, within some 5 percent. */
double cs_tuna_expected(const cs_target *t, const double *values);
void cs_tuna_explain(const cs_reason *why, char *text, size_t size);

/* ---- a step, hot --------------------------------------------------------- */

typedef struct cs_tuna {
    cs_move *m;
    cs_row_draws draws;
    double *measure;      /* [lanes] M(x, y) */
    double *here, *there; /* [live CS_PIECE] terms of a piece at x and at y */
} cs_tuna;

/* Rows of doubles, [rows][lanes]. */
static inline size_t cs_tuna_words(void)
{
    return 1 + 2 * CS_PIECE + cs_row_draws_words();
}

/* Over room[cs_tuna_words][lanes]; no lane draws any rows yet. */
static inline cs_tuna cs_tuna_open(cs_move *m, double *room)
{
    cs_tuna t = {.m = m, .measure = room};
    t.here = t.measure + m->lanes;
    t.there = t.here + CS_PIECE * m->lanes;
    t.draws =
        cs_row_draws_open(m, cs_row_bounds_of(m->eval->target, CS_ROW_CHANGE),
                          t.there + CS_PIECE * m->lanes);
    double *stat = m->info.stat;
    for (size_t l = 0; l < m->lanes; l++) {
        t.draws.count[l] = m->info.log_aux[l] = 0;
        stat[CS_TUNA_DRAWN * m->lanes + l] = 0;
        stat[CS_TUNA_KEPT * m->lanes + l] = 0;
    }
    return t;
}

static inline void cs_tuna_give_up(cs_move *m, size_t l, cs_reason why)
{
    if (m->failed[l])
        return;
    m->failed[l] = true;
    m->why[l] = why;
}

/* a = chi C M of lane l. */
static inline double cs_tuna_excess(const cs_tuna *t, size_t l)
{
    return cs_move_param(t->m, CS_TUNA_CHI)[l] * t->draws.bounds->total *
           t->measure[l];
}

/* Draws how many rows lane l looks at, unless that is too large a number. */
static inline void cs_tuna_count(cs_tuna *t, size_t l)
{
    cs_move *m = t->m;
    double measure = t->measure[l];
    double mean = t->draws.bounds->total * measure * (1 + cs_tuna_excess(t, l));
    if (m->failed[l])
        return;
    if (!(measure >= 0))
        cs_tuna_give_up(m, l, (cs_reason){CS_TUNA_MEASURE, 0, measure, 0});
    else if (!(mean <= CS_MOST_DRAWS))
        cs_tuna_give_up(m, l,
                        (cs_reason){CS_TUNA_DRAWS, 0, mean, CS_MOST_DRAWS});
    else
        cs_row_draws_count(&t->draws, l, mean);
    m->info.stat[CS_TUNA_DRAWN * m->lanes + l] += t->draws.count[l];
}

/* A change that is on its bound may be beyond it by the rounding of terms. */
#define CS_TUNA_SLACK 1e-9

/* Eight draws of a lane. */
typedef struct cs_tuna_eight {
    cs_vd here, there, bound, coin;
    size_t at;
} cs_tuna_eight;

/* The n at `at`; those beyond are the first, never kept. */
static inline cs_tuna_eight cs_tuna_load(const cs_tuna *t, double measure,
                                         size_t at, size_t n)
{
    const double never = 8589934592.0; /* 2^33, no coin of 32 bits */
    const cs_vi place = {0, 1, 2, 3, 4, 5, 6, 7};
    const uint32_t *row = t->draws.row + at, *coin = t->draws.coin + at;
    const double *here = t->here + at, *there = t->there + at;
    const cs_row_bound *of = t->draws.bounds->of;
    cs_tuna_eight e = {.at = at};
#define CS_HERE_OF(a) here[a]
#define CS_THERE_OF(a) there[a]
#define CS_WIDTH_OF(a) (double)of[row[a]].width
#define CS_COIN_OF(a) (double)coin[a]
    e.here = CS_EIGHT(CS_HERE_OF, n);
    e.there = CS_EIGHT(CS_THERE_OF, n);
    e.bound = CS_EIGHT(CS_WIDTH_OF, n) * measure;
    e.coin = CS_EIGHT(CS_COIN_OF, n);
#undef CS_HERE_OF
#undef CS_THERE_OF
#undef CS_WIDTH_OF
#undef CS_COIN_OF
    e.coin = cs_vselect(place < (int64_t)n, e.coin, cs_vset(never));
    return e;
}

static __attribute__((noinline)) void cs_tuna_broken(const cs_tuna *t, size_t l,
                                                     const cs_tuna_eight *e,
                                                     unsigned good)
{
    size_t a = 0;
    while (good >> a & 1)
        a++;
    cs_tuna_give_up(t->m, l,
                    (cs_reason){CS_TUNA_CHANGE, t->draws.row[e->at + a],
                                fabs(e->here[a] - e->there[a]), e->bound[a]});
}

/* The tilts; a term that changed more than its bound allows ends the chain. */
static inline cs_vd cs_tuna_tilt(const cs_tuna *t, size_t l,
                                 const cs_tuna_eight *e)
{
    cs_vd change = e->here - e->there;
    cs_vd size = e->bound + cs_vabs(e->here) + cs_vabs(e->there);
    cs_vi good = cs_vless(cs_vabs(change), e->bound + CS_TUNA_SLACK * size);
    if (cs_vbits(~good))
        cs_tuna_broken(t, l, e, cs_vbits(good));
    cs_vd tilt = cs_vselect(good, change / e->bound, cs_vset(0));
    return cs_vmin(cs_vmax(tilt, cs_vset(-1)), cs_vset(1));
}

/* Thins the draws of lane l in the present piece, and adds to its log_aux what
 * the kept ones say. */
static inline void cs_tuna_weigh(cs_tuna *t, size_t l)
{
    const size_t *first = t->draws.first;
    cs_vd twice = cs_vset(2 * cs_tuna_excess(t, l)), sum = cs_vset(0);
    unsigned kept = 0;
    for (size_t i = first[l]; i < first[l + 1]; i += CS_VECTOR) {
        size_t left = first[l + 1] - i;
        cs_tuna_eight e = cs_tuna_load(t, t->measure[l], i,
                                       left < CS_VECTOR ? left : CS_VECTOR);
        cs_vd tilt = cs_tuna_tilt(t, l, &e);
        cs_vd rate = twice + (1 + tilt), back = twice + (1 - tilt);
        cs_vi keeps =
            cs_vless((e.coin + 0.5) * (twice + 2), rate * 4294967296.0);
        kept += (unsigned)__builtin_popcount(cs_vbits(keeps));
        sum += cs_vlog(cs_vselect(keeps, back / rate, cs_vset(1)));
    }
    for (size_t a = 0; a < CS_VECTOR; a++)
        t->m->info.log_aux[l] += sum[a];
    t->m->info.stat[CS_TUNA_KEPT * t->m->lanes + l] += kept;
}

/* log_aux of the proposal y, of which logp_proposal is the log prior, and the
 * columns; outside of the prior no rows are drawn. */
static inline void cs_tuna_estimate(cs_tuna *t, const double *y)
{
    cs_move *m = t->m;
    cs_row_change_measure(m->eval->target, m->x, y, m->lanes, t->measure);
    for (size_t l = 0; l < m->live; l++)
        if (m->info.logp_proposal[l] > -HUGE_VAL)
            cs_tuna_count(t, l);
    while (cs_row_draws_next(&t->draws)) {
        cs_batch drawn = cs_row_draws_batch(&t->draws);
        cs_eval_terms(m->eval, m->x, &drawn, t->here);
        cs_eval_terms(m->eval, y, &drawn, t->there);
        for (size_t l = 0; l < m->live; l++)
            cs_tuna_weigh(t, l);
    }
    for (size_t l = m->live; l < m->lanes; l++)
        m->info.log_aux[l] = m->info.log_aux[m->live - 1];
}

#endif
