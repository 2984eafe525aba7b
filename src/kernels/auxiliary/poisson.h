/* Shared by poisson_mh, poisson_mala and poisson_barker: the auxiliary variable
 * and its factor in the acceptance ratio. Yuan and Wang, "Markov chain Monte
 * Carlo without evaluating the target: an auxiliary variable approach" (ICML
 * 2026).
 *
 * With log p(x) = prior(x) + sum_i term_i(x) and low_i <= term_i <= low_i +
 * M_i, let phi_i = term_i - low_i, L = sum_i M_i and Lambda = lambda L^2. (The
 * paper writes lambda for this Lambda. The parameter lambda is its ratio to
 * L^2.) The auxiliary variables are counts
 *
 *     s_i ~ Poisson(Lambda M_i / L + phi_i(x)),
 *
 * which are drawn by thinning (Algorithm 8): draw B ~ Poisson(Lambda + L) rows
 * with probabilities proportional to M_i, and keep each with probability
 * (Lambda M_i / L + phi_i(x)) / (Lambda M_i / L + M_i). The log ratio is then
 *
 *     log [P_y(s) / P_x(s)] + sum_i [term_i(y) - term_i(x)]
 *         = sum_i s_i log [(Lambda M_i / L + phi_i(y)) /
 *                          (Lambda M_i / L + phi_i(x))].
 *
 * Difference from the paper: the paper splits the prior over the rows. Here the
 * prior enters the ratio and the gradients exactly, so it needs no bound. */
#pragma once

#include "kernel/accept.h"
#include "kernels/auxiliary/row_draws.h"

/* Indices of the parameters that all three kernels have. */
enum { CS_POISSON_STEP, CS_POISSON_LAMBDA, CS_POISSON_PARAMS };

/* Columns of a draw: number of rows drawn and number of rows kept in the
 * step. */
enum { CS_POISSON_DRAWN, CS_POISSON_KEPT };
extern const char *const cs_poisson_stats[];

/* Reasons why a chain failed. Each defines the meaning of `row`, `value` and
 * `bound` in cs_reason. */
enum {
    CS_POISSON_TERM = 1, /* the term of row `row` is `value`, which is NaN or
                          * violates the lower or upper bound `bound` */
    CS_POISSON_DRAWS     /* the step would draw `value` rows, more than
                            `bound` */
};

/* ---- functions for the kernel's table ------------------------------------ */

#define CS_POISSON_LAMBDA_ROW                                                  \
    [CS_POISSON_LAMBDA] = {                                                    \
        .name = "lambda",                                                      \
        .unit = "of L^2",                                                      \
        .flags = CS_PARAM_LOG | CS_PARAM_SHARED,                               \
        .min = 1e-15,                                                          \
        .max = 1e15,                                                           \
        .def = 0.01,                                                           \
        .help = "lambda sets the size of the minibatch: a step draws "         \
                "lambda L^2 + L rows on average, where L is the sum of the "   \
                "rows' bounds. With more rows the step is closer to a step "   \
                "that uses all rows",                                          \
        .ref = "Yuan and Wang 2026, Algorithm 5"}

#define CS_POISSON_COMMON                                                      \
    .spaces = CS_CONTINUOUS,                                                   \
    .flags = CS_KERNEL_EXACT | CS_KERNEL_REVERSIBLE | CS_KERNEL_ACCEPTS |      \
             CS_KERNEL_ESTIMATES | CS_KERNEL_PARTS,                            \
    .stats = cs_poisson_stats, .prepare = cs_poisson_prepare,                  \
    .expected_rows = cs_poisson_expected, .logp = cs_row_draws_logp,           \
    .explain = cs_poisson_explain

cs_status cs_poisson_prepare(cs_target *t, const double *values, cs_error *err);
double cs_poisson_expected(const cs_target *t, const double *values);
void cs_poisson_explain(const cs_reason *why, char *text, size_t size);

/* ---- one step, performance-critical -------------------------------------- */

/* The kept draws of a piece, stored lane after lane. */
typedef struct cs_kept {
    size_t *first;       /* [live + 1] index of each lane's first draw */
    uint32_t *row;       /* [live CS_PIECE] indices of the rows */
    cs_row_bound *bound; /* [live CS_PIECE] bounds of the rows */
    double *rate;        /* [live CS_PIECE] Lambda M_i / L + phi_i(x) */
} cs_kept;

/* Returns the size of a cs_kept in rows of [lanes] doubles. */
static inline size_t cs_kept_words(void)
{
    return 2 + CS_PIECE / 2 + 2 * CS_PIECE;
}

static inline cs_kept cs_kept_open(const cs_move *m, double *scratch)
{
    cs_kept k = {.first = (size_t *)(void *)scratch};
    scratch += 2 * m->lanes;
    k.row = (uint32_t *)(void *)scratch;
    scratch += CS_PIECE / 2 * m->lanes;
    k.bound = (cs_row_bound *)(void *)scratch;
    k.rate = scratch + CS_PIECE * m->lanes;
    return k;
}

/* State of the thinning of one piece. */
typedef struct cs_thinning {
    cs_move *m;
    const cs_row_draws *draws;
    double ratio; /* Lambda / L, in the notation above */
    cs_kept *kept;
    size_t lane, used; /* lane: current lane; used: number of draws kept so far,
                          in this lane and all earlier lanes */
} cs_thinning;

/* Relative tolerance: rounding may move a term slightly beyond its bound. */
#define CS_POISSON_SLACK 1e-9

/* Marks the chain as failed, and reports which of the n rows is the first with
 * a term out of bounds. */
static __attribute__((noinline)) void
cs_poisson_broken(cs_move *m, size_t lane, const uint32_t *row, size_t n,
                  const double *term, const cs_row_bound *bound)
{
    for (size_t a = 0; a < n && !m->failed[lane]; a++) {
        double low = (double)bound[a].low, width = (double)bound[a].width;
        double slack = CS_POISSON_SLACK * (width + fabs(term[a]));
        bool above = !(term[a] <= low + width + slack);
        if (!above && term[a] >= low - slack)
            continue;
        m->failed[lane] = true;
        m->why[lane] = (cs_reason){CS_POISSON_TERM, row[a], term[a],
                                   above ? low + width : low};
    }
}

/* For a vector of rows: the widths M of their bounds, and phi of their terms.
 * Elements beyond n repeat the first row. */
typedef struct cs_phis {
    cs_vd width, phi;
} cs_phis;

/* Computes phi of n <= CS_VECTOR rows. The chain fails if a term is outside its
 * bounds. */
static inline cs_phis cs_poisson_phis(cs_move *m, size_t lane,
                                      const uint32_t *row, size_t n,
                                      const double *term,
                                      const cs_row_bound *bound)
{
#define CS_LOW_OF(a) (double)bound[a].low
#define CS_WIDTH_OF(a) (double)bound[a].width
#define CS_TERM_OF(a) term[a]
    cs_vd low = CS_VECTOR_OF(CS_LOW_OF, n),
          width = CS_VECTOR_OF(CS_WIDTH_OF, n);
    cs_vd t = CS_VECTOR_OF(CS_TERM_OF, n);
#undef CS_LOW_OF
#undef CS_WIDTH_OF
#undef CS_TERM_OF
    cs_vd phi = t - low;
    cs_vd slack = CS_POISSON_SLACK * (width + cs_vabs(t));
    cs_vi good = (phi >= -slack) & (phi <= width + slack);
    if (cs_bytes_of(~good))
        cs_poisson_broken(m, lane, row, n, term, bound);
    phi = cs_vselect(phi < 0, cs_vset(0), phi);
    phi = cs_vselect(phi <= width, phi, width);
    return (cs_phis){width, phi};
}

/* Records, for each lane before `lane`, where its kept draws end. */
static inline void cs_thin_to(cs_thinning *t, size_t lane)
{
    while (t->lane < lane)
        t->kept->first[++t->lane] = t->used;
}

/* Thins n <= CS_VECTOR draws. */
static inline void cs_thin_some(cs_thinning *t, size_t lane, size_t at,
                                size_t n, const double *term, double *weight)
{
    cs_kept *k = t->kept;
    const cs_row_draws *d = t->draws;
    cs_row_bound bound[CS_VECTOR];
    for (size_t a = 0; a < n; a++)
        bound[a] = d->bounds->of[d->row[at + a]];
#define CS_COIN_OF(a) (double)d->coin[at + (a)]
    cs_vd coin = CS_VECTOR_OF(CS_COIN_OF, n);
#undef CS_COIN_OF
    cs_phis of_rows = cs_poisson_phis(t->m, lane, d->row + at, n, term, bound);
    cs_vd rate = t->ratio * of_rows.width + of_rows.phi;
    cs_vd whole = (t->ratio + 1) * of_rows.width;
    cs_vi keeps = (coin + 0.5) * whole < rate * 4294967296.0;
    cs_vd by = cs_vselect(keeps, 1 / rate, cs_vset(0));
    memcpy(weight, &by, sizeof by);
    for (size_t a = 0; a < n; a++) {
        k->row[t->used] = d->row[at + a];
        k->bound[t->used] = bound[a];
        k->rate[t->used] = rate[a];
        t->used += keeps[a] != 0;
    }
}

/* Implements cs_batch.weigh for a piece of draws. Keeps some of the draws, each
 * with weight 1 / rate. With these weights, the weighted gradient is the
 * gradient of sum_i term_i(x) + log P_x(s). */
static inline void cs_thin(void *of, size_t lane, size_t at, size_t n,
                           const double *term, double *weight)
{
    cs_thin_to(of, lane);
    for (size_t a = 0; a < n; a += CS_VECTOR)
        cs_thin_some(of, lane, at + a, n - a < CS_VECTOR ? n - a : CS_VECTOR,
                     term + a, weight + a);
}

/* Starts thinning the current piece into `kept`. cs_thin_end ends the
 * thinning. */
static inline cs_thinning cs_thin_begin(cs_move *m, const cs_row_draws *d,
                                        double ratio, cs_kept *kept)
{
    kept->first[0] = 0;
    return (cs_thinning){.m = m, .draws = d, .ratio = ratio, .kept = kept};
}

static inline void cs_thin_end(cs_thinning *t)
{
    cs_thin_to(t, t->m->live);
}

/* Thins a piece whose terms have already been computed. Computes no
 * gradients. */
static inline void cs_thin_terms(cs_thinning *t, const double *term)
{
    const cs_row_draws *d = t->draws;
    double weight[CS_PAD];
    for (size_t l = 0; l < t->m->live; l++)
        for (size_t i = d->first[l]; i < d->first[l + 1]; i += CS_PAD) {
            size_t left = d->first[l + 1] - i;
            cs_thin(t, l, i, left < CS_PAD ? left : CS_PAD, term + i, weight);
        }
    cs_thin_end(t);
}

/* Sums over the kept draws at the proposal. */
typedef struct cs_weighing {
    cs_move *m;
    const cs_kept *kept;
    double ratio;
} cs_weighing;

/* Adds the log factors of n <= CS_VECTOR kept draws to log_aux, and sets their
 * weights. */
static inline void cs_weigh_some(cs_weighing *w, size_t lane, size_t at,
                                 size_t n, const double *term, double *weight)
{
    const cs_kept *k = w->kept;
    cs_phis of_rows =
        cs_poisson_phis(w->m, lane, k->row + at, n, term, k->bound + at);
    cs_vd rate = w->ratio * of_rows.width + of_rows.phi, by = 1 / rate;
    memcpy(weight, &by, sizeof by);
#define CS_RATE_OF(a) k->rate[at + (a)]
    cs_vd was = CS_VECTOR_OF(CS_RATE_OF, n);
#undef CS_RATE_OF
    const cs_vi place = {CS_COUNT_UP};
    rate = cs_vselect(place < (int64_t)n, rate, was);
    cs_vd change = cs_vlog(rate / was);
    for (size_t a = 0; a < CS_VECTOR; a++)
        w->m->info.log_aux[lane] += change[a];
}

/* Implements cs_batch.weigh for kept draws at the proposal. Adds their factors
 * to log_aux, and sets the weight of each draw to 1 / rate at the proposal. */
static inline void cs_weigh_kept(void *of, size_t lane, size_t at, size_t n,
                                 const double *term, double *weight)
{
    for (size_t a = 0; a < n; a += CS_VECTOR)
        cs_weigh_some(of, lane, at + a, n - a < CS_VECTOR ? n - a : CS_VECTOR,
                      term + a, weight + a);
}

static inline void cs_weigh_terms(cs_weighing *w, const double *term)
{
    const size_t *first = w->kept->first;
    double weight[CS_PAD];
    for (size_t l = 0; l < w->m->live; l++)
        for (size_t i = first[l]; i < first[l + 1]; i += CS_PAD) {
            size_t left = first[l + 1] - i;
            cs_weigh_kept(w, l, i, left < CS_PAD ? left : CS_PAD, term + i,
                          weight);
        }
}

/* Write the step trace of the first chain. cs_poisson_tell records the draws of
 * the current piece, given their terms; cs_poisson_tell_kept adds the
 * contributions of the kept draws, given their terms at the proposal. Not
 * performance-critical. */
void cs_poisson_tell(const cs_thinning *t, const double *term);
void cs_poisson_tell_kept(const cs_weighing *w, const double *term);

static inline cs_batch cs_kept_batch(const cs_kept *k)
{
    return (cs_batch){.row = k->row, .first = k->first};
}

/* Prepares the draws of this step: every lane has 0 draws at first. */
static inline cs_row_draws cs_poisson_open(cs_move *m, double *scratch)
{
    cs_row_draws d = cs_row_draws_open(
        m, cs_row_bounds_of(m->eval->target, CS_ROW_RANGE), scratch);
    double *stat = m->info.stat;
    for (size_t l = 0; l < m->lanes; l++) {
        d.count[l] = m->info.log_aux[l] = 0;
        stat[CS_POISSON_DRAWN * m->lanes + l] = 0;
        stat[CS_POISSON_KEPT * m->lanes + l] = 0;
    }
    return d;
}

/* Draws the number of rows for lane l. The chain fails if the number is too
 * large. */
static inline void cs_poisson_count_lane(cs_move *m, cs_row_draws *d, size_t l)
{
    double all = d->bounds->total;
    double mean = cs_move_param(m, CS_POISSON_LAMBDA)[l] * all * all + all;
    if (m->failed[l])
        return;
    if (mean > CS_MOST_DRAWS) {
        m->failed[l] = true;
        m->why[l] = (cs_reason){CS_POISSON_DRAWS, 0, mean, CS_MOST_DRAWS};
        return;
    }
    cs_row_draws_count(d, l, mean);
    m->info.stat[CS_POISSON_DRAWN * m->lanes + l] = d->count[l];
}

/* Returns Lambda / L, which is equal in all lanes. */
static inline double cs_poisson_ratio(const cs_move *m, const cs_row_draws *d)
{
    return cs_move_param(m, CS_POISSON_LAMBDA)[0] * d->bounds->total;
}

static inline void cs_poisson_note_kept(cs_move *m, const cs_kept *k)
{
    double *kept = m->info.stat + CS_POISSON_KEPT * m->lanes;
    for (size_t l = 0; l < m->live; l++)
        kept[l] += (double)(k->first[l + 1] - k->first[l]);
}

/* Copies log_aux and the columns to the padding lanes. */
static inline void cs_poisson_pad(cs_move *m)
{
    for (size_t l = m->live; l < m->lanes; l++)
        m->info.log_aux[l] = m->info.log_aux[m->live - 1];
}
