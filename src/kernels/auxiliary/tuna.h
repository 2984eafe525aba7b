/* Shared by tuna_mh and tuna_sgld: the auxiliary variable, drawn given the
 * state and the proposal, and its factor in the acceptance ratio. Zhang, Cooper
 * and De Sa, "Asymptotically optimal exact minibatch Metropolis-Hastings"
 * (2020), in the form of Yuan and Wang 2026, Algorithm 6 (their U_i is
 * -term_i).
 *
 * With log p(x) = prior(x) + sum_i term_i(x), a symmetric M and |term_i(x) -
 * term_i(y)| <= c_i M(x, y), let C = sum_i c_i and
 *
 *     lambda = chi C^2 M(x, y)^2
 *     phi_i(x, y) = [term_i(x) - term_i(y)] / 2 + c_i M(x, y) / 2.
 *
 * The auxiliary variables are counts s_i ~ Poisson(lambda c_i / C + phi_i(x,
 * y)), drawn by thinning (Algorithm 9): draw B ~ Poisson(lambda + C M) rows
 * with probabilities proportional to c_i, and keep each with probability
 *
 *     (lambda c_i / C + phi_i(x, y)) / (lambda c_i / C + c_i M).
 *
 * The ratio of their probabilities at (y, x) and at (x, y), times the ratio of
 * the likelihoods, is
 *
 *     prod_i [(lambda c_i / C + phi_i(y, x)) /
 *             (lambda c_i / C + phi_i(x, y))]^s_i.
 *
 * The code divides everything by c_i M: with a = chi C M and the tilt t_i =
 * [term_i(x) - term_i(y)] / (c_i M), from -1 to 1, a row is kept with
 * probability (2 a + 1 + t_i) / (2 a + 2), and then contributes log [(2 a + 1 -
 * t_i) / (2 a + 1 + t_i)]. If M = 0, no row is drawn and the ratio is 1.
 *
 * Difference from the paper: the paper splits the prior over the rows. Here the
 * prior enters the ratio exactly. */
#pragma once

#include "kernel/accept.h"
#include "kernel/step_trace.h"
#include "kernels/auxiliary/row_draws.h"

/* Indices of the parameters that both kernels have; they come first. */
enum { CS_TUNA_STEP, CS_TUNA_CHI, CS_TUNA_PARAMS };

/* Columns of a draw: number of rows drawn and number of rows kept in the
 * step. */
enum { CS_TUNA_DRAWN, CS_TUNA_KEPT };
extern const char *const cs_tuna_stats[];

/* Reasons why a chain failed. Each defines the meaning of `row`, `value` and
 * `bound` in cs_reason. */
enum {
    CS_TUNA_CHANGE = 1, /* the term of row `row` changed by `value`, which is
                           more than `bound` */
    CS_TUNA_DRAWS,      /* the step would draw `value` rows, more than
                           `bound` */
    CS_TUNA_MEASURE     /* M(x, y) is NaN or negative; value: M(x, y) */
};

/* ---- functions for the kernel's table ------------------------------------ */

#define CS_TUNA_CHI_ROW                                                        \
    [CS_TUNA_CHI] = {                                                          \
        .name = "chi",                                                         \
        .flags = CS_PARAM_LOG,                                                 \
        .min = 1e-15,                                                          \
        .max = 1e15,                                                           \
        .def = 0.1,                                                            \
        .help = "chi sets the size of the minibatch: a step draws chi C^2 "    \
                "M^2 + C M rows on average, where C is the sum of the "        \
                "rows' bounds and M is the length of the move. With more "     \
                "rows the step is closer to a step that uses all rows. A "     \
                "chi of about 1 / (C M) is enough; if C M is in the "          \
                "hundreds, chi = 0.1 is costly",                               \
        .ref = "Yuan and Wang 2026, Algorithm 6"}

#define CS_TUNA_COMMON                                                         \
    .spaces = CS_CONTINUOUS,                                                   \
    .flags = CS_KERNEL_EXACT | CS_KERNEL_REVERSIBLE | CS_KERNEL_ACCEPTS |      \
             CS_KERNEL_ESTIMATES | CS_KERNEL_PARTS,                            \
    .stats = cs_tuna_stats, .logp = cs_row_draws_logp,                         \
    .explain = cs_tuna_explain

/* Computes C and checks that a step of a random walk with
 * values[CS_TUNA_PARAMS] draws at most CS_MOST_DRAWS rows. */
cs_status cs_tuna_prepare(cs_target *t, const double *values, cs_error *err);
/* Returns the mean number of rows that a step of a random walk draws at the
 * default starting point. The number is estimated from 64 moves, with an error
 * of about 5 percent. */
double cs_tuna_expected(const cs_target *t, const double *values);
void cs_tuna_explain(const cs_reason *why, char *text, size_t size);

/* ---- one step, performance-critical -------------------------------------- */

typedef struct cs_tuna {
    cs_move *m;
    cs_row_draws draws;
    double *measure;      /* [lanes] length M(x, y) of the move */
    double *here, *there; /* [live CS_PIECE] terms of a piece; here: at x;
                           * there: at y */
} cs_tuna;

/* Returns the size of the work space in rows of [lanes] doubles. */
static inline size_t cs_tuna_words(void)
{
    return 1 + 2 * CS_PIECE + cs_row_draws_words();
}

/* Sets up the work space in scratch[cs_tuna_words][lanes]. The number of draws
 * of each lane is 0. */
static inline cs_tuna cs_tuna_open(cs_move *m, double *scratch)
{
    cs_tuna t = {.m = m, .measure = scratch};
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

/* Returns a = chi C M of lane l. */
static inline double cs_tuna_excess(const cs_tuna *t, size_t l)
{
    return cs_move_param(t->m, CS_TUNA_CHI)[l] * t->draws.bounds->total *
           t->measure[l];
}

/* Draws the number of rows that lane l reads. The chain fails if the number is
 * too large. */
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

/* Relative tolerance. Rounding of terms may make a change slightly larger than
 * its bound. */
#define CS_TUNA_SLACK 1e-9

/* Terms of eight draws of a lane; the first n are used. */
typedef struct cs_tuna_eight {
    const double *here, *there; /* [CS_PAD] here: terms at x; there: terms at
                                 * y */
    const uint32_t *row, *coin;
    size_t n;
} cs_tuna_eight;

/* Sums over the draws of a lane. */
typedef struct cs_tuna_sum {
    size_t lane;
    double measure;
    cs_vd twice; /* 2 a, where a = chi C M */
    /* eight partial sums of log_aux; eight products of factors, whose
     * logarithms are added to the partial sums later */
    cs_vd log[CS_PAD / CS_VECTOR], product[CS_PAD / CS_VECTOR];
    unsigned kept, factors, most; /* `most`: largest number of factors whose
                                     product cannot overflow a double */
} cs_tuna_sum;

/* Initialises the sums of a lane. Every factor is between a / (1 + a) and its
 * inverse, which determines `most`. */
static inline cs_tuna_sum cs_tuna_sum_of(const cs_tuna *t, size_t lane)
{
    double a = cs_tuna_excess(t, lane), far = 1 + 1 / a;
    cs_tuna_sum s = {.lane = lane,
                     .measure = t->measure[lane],
                     .twice = cs_vset(2 * a),
                     .most = far < 0x1p1000 ? 1000 / (unsigned)(ilogb(far) + 1)
                                            : 1};
    for (size_t p = 0; p < CS_PAD / CS_VECTOR; p++) {
        s.log[p] = cs_vset(0);
        s.product[p] = cs_vset(1);
    }
    return s;
}

static inline void cs_tuna_take_log(cs_tuna_sum *s)
{
    for (size_t p = 0; p < CS_PAD / CS_VECTOR; p++) {
        s->log[p] += cs_vlog(s->product[p]);
        s->product[p] = cs_vset(1);
    }
    s->factors = 0;
}

static __attribute__((noinline)) void cs_tuna_broken(const cs_tuna *t,
                                                     const cs_tuna_sum *s,
                                                     const cs_tuna_eight *e,
                                                     size_t a, unsigned good)
{
    while (good & 1) {
        good >>= 1;
        a++;
    }
    double width = (double)t->draws.bounds->of[e->row[a]].width;
    cs_tuna_give_up(t->m, s->lane,
                    (cs_reason){CS_TUNA_CHANGE, e->row[a],
                                fabs(e->here[a] - e->there[a]),
                                width * s->measure});
}

/* Returns the tilts t_i of a vector of draws from `first` on. The chain fails
 * if a term changed by more than its bound. */
static inline cs_vd cs_tuna_tilt(const cs_tuna *t, const cs_tuna_sum *s,
                                 const cs_tuna_eight *e, size_t first)
{
#define CS_WIDTH_OF(a) (double)t->draws.bounds->of[e->row[first + (a)]].width
    cs_vd here, there;
    cs_vd bound = s->measure * CS_VECTOR_OF(CS_WIDTH_OF, CS_VECTOR);
#undef CS_WIDTH_OF
    memcpy(&here, e->here + first, sizeof here);
    memcpy(&there, e->there + first, sizeof there);
    cs_vd change = here - there;
    cs_vd size = bound + cs_vabs(here) + cs_vabs(there);
    cs_vi good = cs_vless(cs_vabs(change), bound + CS_TUNA_SLACK * size);
    if (cs_vbits(~good))
        cs_tuna_broken(t, s, e, first, cs_vbits(good));
    cs_vd tilt = cs_vselect(good, change / bound, cs_vset(0));
    return cs_vmin(cs_vmax(tilt, cs_vset(-1)), cs_vset(1));
}

/* Converts 32-bit random words to doubles, by way of signed integers. */
static inline cs_vd cs_tuna_coins(const uint32_t *of)
{
    cs_vd coin = cs_vwiden_int((const int32_t *)(const void *)of);
    cs_vd over = cs_vset(4294967296.0);
    return coin + cs_vselect(cs_vless(coin, cs_vset(0)), over, cs_vset(0));
}

static inline void cs_tuna_add(const cs_tuna *t, cs_tuna_sum *s,
                               const cs_tuna_eight *e)
{
    for (size_t p = 0, a = 0; a < CS_PAD; p++, a += CS_VECTOR) {
        const cs_vi place = (cs_vi){CS_COUNT_UP} + (int64_t)a;
        cs_vd tilt = cs_tuna_tilt(t, s, e, a);
        cs_vd coin = cs_tuna_coins(e->coin + a);
        cs_vd rate = s->twice + (1 + tilt), back = s->twice + (1 - tilt);
        cs_vi keeps =
            cs_vless((coin + 0.5) * (s->twice + 2), rate * 4294967296.0);
        keeps &= place < (int64_t)e->n;
        s->kept += (unsigned)__builtin_popcount(cs_vbits(keeps));
        s->product[p] *= cs_vselect(keeps, back / rate, cs_vset(1));
    }
    if (++s->factors >= s->most)
        cs_tuna_take_log(s);
}

/* Adds the last n < 8 draws of a lane to the sums; the unused elements repeat
 * the first of these draws. */
static inline void cs_tuna_add_last(const cs_tuna *t, cs_tuna_sum *s, size_t at,
                                    size_t n)
{
    double here[CS_PAD], there[CS_PAD];
    uint32_t row[CS_PAD], coin[CS_PAD];
    for (size_t a = 0; a < CS_PAD; a++) {
        size_t of = at + (a < n ? a : 0);
        here[a] = t->here[of];
        there[a] = t->there[of];
        row[a] = t->draws.row[of];
        coin[a] = t->draws.coin[of];
    }
    cs_tuna_add(t, s, &(cs_tuna_eight){here, there, row, coin, n});
}

/* Records the first chain's draws of the current piece in the step trace. Not
 * performance-critical. */
void cs_tuna_tell(const cs_tuna *t);

/* Thins the draws of lane l in the current piece, and adds the factors of the
 * kept draws to log_aux. */
static inline void cs_tuna_weigh(cs_tuna *t, size_t l)
{
    const cs_row_draws *d = &t->draws;
    cs_tuna_sum s = cs_tuna_sum_of(t, l);
    size_t i = d->first[l], end = d->first[l + 1];
    for (; i + CS_PAD <= end; i += CS_PAD)
        cs_tuna_add(t, &s,
                    &(cs_tuna_eight){t->here + i, t->there + i, d->row + i,
                                     d->coin + i, CS_PAD});
    if (i < end)
        cs_tuna_add_last(t, &s, i, end - i);
    cs_tuna_take_log(&s);
    for (size_t a = 0; a < CS_PAD; a++)
        t->m->info.log_aux[l] += s.log[a / CS_VECTOR][a % CS_VECTOR];
    t->m->info.stat[CS_TUNA_KEPT * t->m->lanes + l] += s.kept;
}

/* Fills log_aux and the columns for the proposal y, whose log prior is
 * logp_proposal. Draws no rows where y is outside the support of the prior. */
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
        if (cs_step_trace_of(m))
            cs_tuna_tell(t);
    }
    for (size_t l = m->live; l < m->lanes; l++)
        m->info.log_aux[l] = m->info.log_aux[m->live - 1];
}
