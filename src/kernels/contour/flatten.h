/* Shared by kernels that flatten a histogram: each step of the wrapped kernel
 * is a proposal, which is accepted or rejected such that the bins of the
 * energy, or of another function of the state, are visited in given shares.
 *
 * pi is the target p, or uniform; theta is a vector of one weight per bin; J(x)
 * is the bin of x. The inner kernel makes its step on p^b. It is reversible for
 * p^b, so it proposes y with density ratio S(x | y) / S(y | x) = (p(x) /
 * p(y))^b, and y is accepted by
 *
 *   log r = (c - b) (log p(y) - log p(x)) + log theta(J(x)) - log theta(J(y)),
 *
 * where c = 1 if pi is the target and 0 if it is uniform. This leaves pi /
 * theta(J) invariant (Liu, Monte Carlo Strategies in Scientific Computing,
 * 2001, section 9.4.3). With b = 0, the default, a random walk proposes
 * symmetrically and single-site Gibbs proposes a uniform value, as in the
 * papers. After a rejection the state and the memory of the inner kernel are
 * restored. The rule of the kernel then changes log theta at the bin of the
 * chain, whether or not the chain moved. A draw has weight theta(J) p^(1 - c),
 * divided by the sum of theta while weights are learned, so that all draws are
 * on one scale and no weight exceeds 1.
 *
 * b = 0 is represented by 2^-600, an exact factor that keeps -HUGE_VAL, so
 * impossible states remain impossible. */
#pragma once

#include "kernels/contour/energy_bins.h"
#include "kernels/tempering/tempered.h"
#include "simd/vlanes.h"

/* Parameters of all kernels that flatten a histogram, in this order. */
enum {
    CS_FLATTEN_OF,
    CS_FLATTEN_SHOWN,
    CS_FLATTEN_FIRST,
    CS_FLATTEN_WIDTH,
    CS_FLATTEN_BINS,
    CS_FLATTEN_WINDOW,
    CS_FLATTEN_MEASURE,
    CS_FLATTEN_POWER,
    CS_FLATTEN_ROWS
};
/* Index of the first list that these kernels share. */
enum { CS_FLATTEN_LOG_WEIGHTS };
enum { CS_FLATTEN_MOST = 10000 }; /* maximum length of a list */

enum { CS_FLATTEN_ENERGY, CS_FLATTEN_OUTPUT, CS_FLATTEN_SUM };
enum { CS_FLATTEN_TARGET, CS_FLATTEN_UNIFORM };

extern const char *const cs_flatten_functions[], *const cs_flatten_measures[];

/* The wrapper's memory: these rows, then the tables (CS_FLATTEN_TABLES) with
 * one row per bin, then the copies of the inner kernel's auxiliary variables,
 * then log theta. VALUE: the value of the binned function; BIN: its bin; GAIN:
 * the last increment of log theta (0: frozen); COUNT: the number of visits so
 * far; SEEN: the number of visited bins; LEVEL: the log of the sum of theta, or
 * 0 if weights are not learned by visits; OUTSIDE: whether an impossible state
 * was proposed. */
enum {
    CS_FLATTEN_VALUE,
    CS_FLATTEN_BIN,
    CS_FLATTEN_GAIN,
    CS_FLATTEN_COUNT,
    CS_FLATTEN_SEEN,
    CS_FLATTEN_LEVEL,
    CS_FLATTEN_OUTSIDE,
    CS_FLATTEN_PHASE,
    CS_FLATTEN_WORDS
};
/* Tables. VISITS: number of visits; RECENT: number of visits since the last
 * check of the rule; LAST: change of log theta by the last visit, HUGE_VAL
 * before the first visit; BASE: log theta at the last exchange of the
 * chains. */
enum {
    CS_FLATTEN_VISITS,
    CS_FLATTEN_RECENT,
    CS_FLATTEN_LAST,
    CS_FLATTEN_BASE,
    CS_FLATTEN_TABLES
};

/* The bins of one chain: one column of the block's memory. */
typedef struct cs_flatten_lane {
    double *word;  /* [CS_FLATTEN_WORDS * stride] words of the chain */
    double *table; /* [CS_FLATTEN_TABLES][n] rows, one per bin */
    double *theta; /* [n] rows with log theta of each bin */
    size_t n, stride;
} cs_flatten_lane;

static inline double *cs_flatten_word(const cs_flatten_lane *b, size_t i)
{
    return b->word + i * b->stride;
}

static inline double *cs_flatten_entry(const cs_flatten_lane *b, size_t table,
                                       size_t bin)
{
    return b->table + (table * b->n + bin) * b->stride;
}

static inline double *cs_flatten_theta(const cs_flatten_lane *b, size_t bin)
{
    return b->theta + bin * b->stride;
}

static inline size_t cs_flatten_bin(const cs_flatten_lane *b)
{
    return (size_t)*cs_flatten_word(b, CS_FLATTEN_BIN);
}

/* Values that a step looks up once for all lanes. `lane` holds the bins of lane
 * 0. */
typedef struct cs_flatten_view {
    cs_move *m;
    const cs_wrapper *wrapper;
    cs_flatten_lane lane;
    size_t inner_words, cache_words;
    const double *beta, *first, *width; /* [lanes] values of the parameters */
    bool window, uniform;
} cs_flatten_view;

/* The learning rule of a kernel. It is applied to lane l, for the bin that was
 * visited, after the visit has been counted. Returns whether the states of the
 * lane are draws. */
typedef bool cs_flatten_rule(const cs_flatten_view *v, size_t l,
                             cs_flatten_lane *b);
/* A kernel's update of LEVEL in all lanes, after log theta(J) has changed from
 * was[lanes] to now[lanes]. */
typedef void cs_flatten_levels(const cs_flatten_view *v, const double *was,
                               const double *now);

/* ---- functions of flatten.c ---------------------------------------------- */

size_t cs_flatten_memory_words(const cs_target *t, const double *values);
size_t cs_flatten_scratch_words(const cs_target *t, const double *values);
extern const cs_aux_type cs_flatten_aux;
extern const char *const cs_flatten_stats[];

/* Checks that the target has the quantity that is binned. */
cs_status cs_flatten_check(const cs_target *t, const double *values,
                           cs_error *err);

/* Checks that a list has one number per bin. */
cs_status cs_flatten_check_list(const cs_value *list, const double *values,
                                cs_error *err);
cs_status cs_flatten_arrange(const cs_value *given, const cs_value *log_weights,
                             double *values, cs_error *err);

/* Returns the log of the sum of theta, given rows of log theta [n]. */
double cs_flatten_log_sum(const double *log_theta, size_t n, size_t stride);

/* Returns the bins of a chain whose memory is memory[w * stride]. */
static inline cs_flatten_lane cs_flatten_at(const cs_wrapper *a,
                                            const cs_target *t, size_t bins,
                                            double *memory, size_t stride)
{
    size_t first = cs_wrapper_first(a, t);
    size_t tables = first + CS_FLATTEN_WORDS;
    size_t copies = tables + CS_FLATTEN_TABLES * bins;
    size_t theta = copies + cs_kernel_aux_rows(&a->inner, t);
    return (cs_flatten_lane){memory + first * stride, memory + tables * stride,
                             memory + theta * stride, bins, stride};
}

/* Runs an exchange between chains: sets log theta of every chain to its value
 * at the last exchange plus the mean increment of all chains. */
void cs_flatten_meet(const cs_exchange *m);

/* Reports the bins. `share` [bins] are the desired shares of visits, NULL if
 * they are equal. In addition to the keys of all kernels with bins
 * (cs_bins_report):
 *
 *   log_weight [bins]   log theta minus its maximum, mean over chains
 *   log_mass [bins]     if pi is the target: the log of the mass of each bin,
 *                       normalised over visited bins
 *   log_density [bins]  if pi is uniform: the log of the number of states, or
 *                       of their share in a real space or a window; NAN for
 *                       bins that no chain has visited
 *   gain                mean over chains */
void cs_flatten_report(const cs_exchange *m, const double *share,
                       const char *prefix, cs_flat *out);

/* Reports the bins of a kernel that visits all bins with equal frequency. */
static inline void cs_flatten_report_alike(const cs_exchange *m,
                                           const char *prefix, cs_flat *out)
{
    cs_flatten_report(m, NULL, prefix, out);
}

/* Parameter rows that these kernels share, from CS_FLATTEN_OF on. */
#define CS_FLATTEN_PARAMS(paper)                                               \
    [CS_FLATTEN_OF] = {.name = "of",                                           \
                       .kind = CS_PARAM_CHOICE,                                \
                       .flags = CS_PARAM_SHARED | CS_PARAM_FIXED,              \
                       .max = CS_FLATTEN_SUM,                                  \
                       .choices = cs_flatten_functions,                        \
                       .help = "the quantity that is divided into bins: the "  \
                               "energy -log p, a quantity recorded with each " \
                               "draw (selected by `shown`), or the sum of "    \
                               "the coordinates",                              \
                       .ref = paper},                                          \
    [CS_FLATTEN_SHOWN] =                                                       \
        {.name = "shown",                                                      \
         .kind = CS_PARAM_INT,                                                 \
         .flags = CS_PARAM_SHARED | CS_PARAM_FIXED,                            \
         .min = 1,                                                             \
         .max = 1e9,                                                           \
         .def = 1,                                                             \
         .help = "if a recorded quantity is divided into bins: its index "     \
                 "among the coordinates and generated quantities, from 1"},    \
    CS_BIN_ROWS(                                                               \
        CS_FLATTEN_FIRST, CS_FLATTEN_WIDTH, CS_FLATTEN_BINS,                   \
        "upper border of the first bin (nats if the energy is binned)",        \
        paper),                                                                \
    [CS_FLATTEN_WINDOW] = {.name = "window",                                   \
                           .kind = CS_PARAM_BOOL,                              \
                           .flags = CS_PARAM_SHARED | CS_PARAM_FIXED,          \
                           .max = 1,                                           \
                           .help = "true: the first and the last bin end one " \
                                   "`width` beyond their inner borders, and "  \
                                   "states outside of all bins are rejected; " \
                                   "false: the first and the last bin are "    \
                                   "unbounded"},                               \
    [CS_FLATTEN_MEASURE] =                                                     \
        {.name = "measure",                                                    \
         .kind = CS_PARAM_CHOICE,                                              \
         .flags = CS_PARAM_SHARED | CS_PARAM_FIXED,                            \
         .max = CS_FLATTEN_UNIFORM,                                            \
         .choices = cs_flatten_measures,                                       \
         .help = "the quantity that theta estimates for each bin. target: "    \
                 "its mass under the target; uniform: the number of states "   \
                 "in the bin (the density of states)"},                        \
    [CS_FLATTEN_POWER] = {.name = "power",                                     \
                          .flags = CS_PARAM_SHARED | CS_PARAM_FIXED,           \
                          .max = 1,                                            \
                          .help = "factor by which log p is multiplied in "    \
                                  "the wrapped kernel; with 0 its proposals "  \
                                  "do not depend on log p"}

/* ---- one step, compiled for each instruction set ------------------------- */

/* Layout of the scratch: tempering; the power; log uniforms; function values at
 * the proposals, later log theta; previous log theta; then the states, their
 * evaluator cache, and the generated quantities of the proposals. */
enum {
    CS_FLATTEN_BETA = CS_TEMPERED_SCRATCH,
    CS_FLATTEN_UNIFORMS,
    CS_FLATTEN_NEW,
    CS_FLATTEN_WAS,
    CS_FLATTEN_SCRATCH
};

static inline double *cs_flatten_row(const cs_move *m, size_t row)
{
    return m->scratch + row * m->lanes;
}

static inline const double *cs_flatten_param(const cs_move *m, size_t k)
{
    return m->param + k * m->lanes;
}

static inline cs_flatten_view cs_flatten_view_of(cs_move *m)
{
    const cs_target *t = m->eval->target;
    double *beta = cs_flatten_row(m, CS_FLATTEN_BETA);
    double power = fmax(cs_flatten_param(m, CS_FLATTEN_POWER)[0], 0x1p-600);
    size_t bins = (size_t)cs_flatten_param(m, CS_FLATTEN_BINS)[0];
    for (size_t l = 0; l < m->lanes; l++)
        beta[l] = power;
    return (cs_flatten_view){
        .m = m,
        .wrapper = m->self,
        .lane = cs_flatten_at(m->self, t, bins, m->memory, m->lanes),
        .inner_words = cs_wrapper_first(m->self, t),
        .cache_words = t->cache_words,
        .beta = beta,
        .first = cs_flatten_param(m, CS_FLATTEN_FIRST),
        .width = cs_flatten_param(m, CS_FLATTEN_WIDTH),
        .window = cs_flatten_param(m, CS_FLATTEN_WINDOW)[0] != 0,
        .uniform =
            cs_flatten_param(m, CS_FLATTEN_MEASURE)[0] == CS_FLATTEN_UNIFORM};
}

static inline cs_flatten_lane cs_flatten_lane_of(const cs_flatten_view *v,
                                                 size_t l)
{
    cs_flatten_lane b = v->lane;
    b.word += l;
    b.table += l;
    b.theta += l;
    return b;
}

static inline cs_bins cs_flatten_bins(const cs_flatten_view *v, size_t l)
{
    return (cs_bins){
        .first = v->first[l], .width = v->width[l], .n = v->lane.n};
}

/* Returns the distance of a value from the window; 0 if the value is inside or
 * there is no window. */
static inline double cs_flatten_away(const cs_flatten_view *v, size_t l,
                                     double value)
{
    cs_bins b = cs_flatten_bins(v, l);
    double low = cs_bin_low(b, 0), high = cs_bin_low(b, b.n);
    if (!v->window)
        return 0;
    return value > high ? value - high : value > low ? 0 : low - value;
}

/* Returns recorded quantity number `shown` of the states x: [lanes] values. */
static inline const double *cs_flatten_shown(const cs_flatten_view *v)
{
    cs_move *m = v->m;
    const cs_target *t = m->eval->target;
    double asked = cs_flatten_param(m, CS_FLATTEN_SHOWN)[0];
    double *shown = cs_flatten_row(m, CS_FLATTEN_SCRATCH) +
                    (m->dim + v->cache_words) * m->lanes;
    size_t at = (size_t)fmin(asked, (double)cs_target_shown(t)) - 1;
    if (!t->outputs.n)
        return m->x + at * m->lanes;
    cs_eval_outputs(m->eval, &m->streams, m->x, shown);
    return shown + at * m->lanes;
}

/* Computes value[lanes], the binned function at the states x. */
static inline void cs_flatten_values(const cs_flatten_view *v, double *value)
{
    const cs_move *m = v->m;
    size_t n = m->lanes, of = (size_t)cs_flatten_param(m, CS_FLATTEN_OF)[0];
    if (of == CS_FLATTEN_OUTPUT) {
        memcpy(value, cs_flatten_shown(v), n * sizeof *value);
        return;
    }
    bool energy = of == CS_FLATTEN_ENERGY;
    for (size_t l = 0; l < n; l++)
        value[l] = energy ? -m->info.logp[l] : 0;
    for (size_t at = 0; !energy && at < m->dim * n; at += n)
        for (size_t l = 0; l < n; l++)
            value[l] += m->x[at + l];
}

/* Copies the inner kernel's auxiliary variables to the displayed rows. */
static inline void cs_flatten_copy_aux(const cs_flatten_view *v)
{
    const cs_move *m = v->m;
    const cs_target *t = m->eval->target;
    size_t rows = cs_kernel_aux_rows(&v->wrapper->inner, t) * m->lanes;
    if (rows)
        memcpy(v->lane.theta - rows,
               m->memory +
                   cs_kernel_aux_first(&v->wrapper->inner, t) * m->lanes,
               rows * sizeof(double));
}

/* Sets the log weight of a draw of lane l; `counts` is false if the state is
 * not a draw. */
static inline void cs_flatten_weigh(const cs_flatten_view *v, size_t l,
                                    const cs_flatten_lane *b, bool counts)
{
    double weight = *cs_flatten_theta(b, cs_flatten_bin(b)) -
                    *cs_flatten_word(b, CS_FLATTEN_LEVEL);
    if (v->uniform)
        weight += v->m->info.logp[l];
    v->m->info.log_weight[l] = counts ? weight : -HUGE_VAL;
}

/* Sets up the memory of a chain before its first visit. */
static inline void cs_flatten_begin(const cs_flatten_view *v,
                                    const cs_flatten_lane *b)
{
    const cs_wrapper *a = v->wrapper;
    size_t given = a->lists.n[CS_FLATTEN_LOG_WEIGHTS];
    for (size_t i = 0; i < b->n; i++) {
        *cs_flatten_entry(b, CS_FLATTEN_LAST, i) = HUGE_VAL;
        if (i < given)
            *cs_flatten_theta(b, i) = a->lists.of[CS_FLATTEN_LOG_WEIGHTS][i];
        *cs_flatten_entry(b, CS_FLATTEN_BASE, i) = *cs_flatten_theta(b, i);
    }
    *cs_flatten_word(b, CS_FLATTEN_GAIN) = 1;
}

/* Sets up all lanes. `counts`: starting states inside the window are draws.
 * `learns`: weights are learned by visits, and the weights of draws are divided
 * by the sum of theta. */
static inline void cs_flatten_init(cs_move *m, bool counts, bool learns)
{
    cs_flatten_view v = cs_flatten_view_of(m);
    double *value = cs_flatten_row(m, CS_FLATTEN_NEW);
    cs_tempered_init(m, v.beta);
    cs_flatten_values(&v, value);
    for (size_t l = 0; l < m->lanes; l++) {
        cs_flatten_lane b = cs_flatten_lane_of(&v, l);
        if (m->fresh)
            cs_flatten_begin(&v, &b);
        if (m->fresh && learns)
            *cs_flatten_word(&b, CS_FLATTEN_LEVEL) =
                cs_flatten_log_sum(b.theta, b.n, b.stride);
        *cs_flatten_word(&b, CS_FLATTEN_VALUE) = value[l];
        *cs_flatten_word(&b, CS_FLATTEN_BIN) =
            (double)cs_bin_of(cs_flatten_bins(&v, l), value[l]);
        cs_flatten_weigh(&v, l, &b,
                         counts && !(cs_flatten_away(&v, l, value[l]) > 0));
    }
    cs_flatten_copy_aux(&v);
}

/* Saves the states and their caches before the inner step. */
static inline void cs_flatten_save(const cs_flatten_view *v)
{
    const cs_move *m = v->m;
    size_t size = m->dim * m->lanes;
    double *to = cs_flatten_row(m, CS_FLATTEN_SCRATCH);
    memcpy(to, m->x, size * sizeof *to);
    if (v->cache_words)
        memcpy(to + size, m->eval->cache[CS_NOW],
               v->cache_words * m->lanes * sizeof *to);
    memcpy(cs_wrapper_scratch(m), m->memory,
           v->inner_words * m->lanes * sizeof *to);
}

static inline void cs_flatten_put(const cs_move *m, const bool *back,
                                  double *rows, const double *before, size_t n)
{
    for (size_t l = 0; l < m->lanes; l += CS_VECTOR) {
        cs_vi mask = cs_load_bool(back + l);
        if (!cs_bytes_of(mask))
            continue;
        for (size_t at = l; at < n * m->lanes; at += m->lanes)
            cs_store(rows + at, cs_vselect(mask, cs_load(before + at),
                                           cs_load(rows + at)));
    }
}

static inline void cs_flatten_restore(const cs_flatten_view *v,
                                      const bool *back)
{
    const cs_move *m = v->m;
    const double *from = cs_flatten_row(m, CS_FLATTEN_SCRATCH);
    cs_flatten_put(m, back, m->x, from, m->dim);
    cs_flatten_put(m, back, m->eval->cache[CS_NOW], from + m->dim * m->lanes,
                   v->cache_words);
    cs_flatten_put(m, back, m->memory, cs_wrapper_scratch(m), v->inner_words);
    cs_flatten_put(m, back, m->info.logp, cs_flatten_row(m, CS_BEFORE), 1);
}

/* Fills info for a step that the inner kernel rejected, or that did not move.
 * logp_change is log p(y) - log p(x). The log q entries are the remaining terms
 * of the log ratio. */
static inline void cs_flatten_note(const cs_flatten_view *v, size_t l,
                                   const cs_flatten_lane *b)
{
    cs_info *i = &v->m->info;
    double before = cs_flatten_row(v->m, CS_BEFORE)[l];
    double now = i->logp_proposal[l], rest = 1 - v->beta[l];
    if (now == -HUGE_VAL)
        *cs_flatten_word(b, CS_FLATTEN_OUTSIDE) = 1;
    if (!isfinite(now - before) || isnan(i->logp_change[l]))
        return;
    i->logp_change[l] = now - before;
    i->log_q_forward[l] += rest * now;
    i->log_q_back[l] += rest * before;
}

/* Returns log r for a move to bin `to` at `value`. NaN has no bin and is
 * rejected. A chain outside the window may only move closer to the window or
 * stay. */
static inline double cs_flatten_ratio(const cs_flatten_view *v, size_t l,
                                      const cs_flatten_lane *b, size_t to,
                                      double value)
{
    double change = v->m->info.logp[l] - cs_flatten_row(v->m, CS_BEFORE)[l];
    double by = (v->uniform ? 0 : 1) - v->beta[l];
    double away = cs_flatten_away(v, l, value);
    double was = cs_flatten_away(v, l, *cs_flatten_word(b, CS_FLATTEN_VALUE));
    if (isnan(value))
        return -HUGE_VAL;
    if (away > 0 || was > 0)
        return away < was ? HUGE_VAL : -HUGE_VAL;
    return by * change + *cs_flatten_theta(b, cs_flatten_bin(b)) -
           *cs_flatten_theta(b, to);
}

/* Returns whether lane l accepts the step of the inner kernel. */
static inline bool cs_flatten_decide(const cs_flatten_view *v, size_t l,
                                     const cs_flatten_lane *b, double value)
{
    cs_info *i = &v->m->info;
    size_t to = cs_bin_of(cs_flatten_bins(v, l), value);
    double change = i->logp[l] - cs_flatten_row(v->m, CS_BEFORE)[l];
    double ratio = cs_flatten_ratio(v, l, b, to, value);
    i->logp_change[l] = change;
    i->log_q_forward[l] = *cs_flatten_theta(b, to);
    i->log_q_back[l] = ratio - change + i->log_q_forward[l];
    i->log_ratio[l] = ratio;
    i->log_uniform[l] = cs_flatten_row(v->m, CS_FLATTEN_UNIFORMS)[l];
    i->accepted[l] = i->moved[l] = i->log_uniform[l] < ratio;
    if (!i->accepted[l])
        return false;
    *cs_flatten_word(b, CS_FLATTEN_VALUE) = value;
    *cs_flatten_word(b, CS_FLATTEN_BIN) = (double)to;
    return true;
}

/* Accepts or rejects the inner kernel's steps. */
static inline void cs_flatten_decide_all(const cs_flatten_view *v)
{
    cs_move *m = v->m;
    const double *value = cs_flatten_row(m, CS_FLATTEN_NEW);
    bool *back = (bool *)(void *)cs_flatten_row(m, CS_MASKS), any = false;
    cs_fill_log_uniform(&m->streams, CS_FOR_SWAP, 1,
                        cs_flatten_row(m, CS_FLATTEN_UNIFORMS));
    for (size_t l = 0; l < m->lanes; l++) {
        cs_flatten_lane b = cs_flatten_lane_of(v, l);
        /* `first` or `width` may have changed, so the bin is computed again */
        *cs_flatten_word(&b, CS_FLATTEN_BIN) = (double)cs_bin_of(
            cs_flatten_bins(v, l), *cs_flatten_word(&b, CS_FLATTEN_VALUE));
        back[l] = false;
        if (m->failed[l])
            continue;
        if (m->info.accepted[l] && m->info.moved[l])
            back[l] = !cs_flatten_decide(v, l, &b, value[l]);
        else
            cs_flatten_note(v, l, &b);
        any |= back[l];
    }
    if (any)
        cs_flatten_restore(v, back);
}

/* Counts a visit of lane l to its bin; returns whether the draw counts. */
static inline bool cs_flatten_visit(const cs_flatten_view *v, size_t l,
                                    cs_flatten_lane *b, cs_flatten_rule *rule)
{
    size_t at = cs_flatten_bin(b);
    double *theta = cs_flatten_theta(b, at);
    double *was = cs_flatten_row(v->m, CS_FLATTEN_WAS) + l;
    double away = cs_flatten_away(v, l, *cs_flatten_word(b, CS_FLATTEN_VALUE));
    *was = *theta;
    if (v->m->failed[l] || away > 0)
        return false;
    *cs_flatten_word(b, CS_FLATTEN_COUNT) += 1;
    *cs_flatten_entry(b, CS_FLATTEN_VISITS, at) += 1;
    return rule(v, l, b);
}

/* Updates LEVEL in all lanes. Assumes that only theta(J) has changed. */
static inline void cs_flatten_raise(const cs_flatten_view *v, const double *was,
                                    const double *now)
{
    double *level = v->lane.word + CS_FLATTEN_LEVEL * v->m->lanes;
    for (size_t l = 0; l < v->m->lanes; l += CS_VECTOR) {
        cs_vd old = cs_load(level + l), to = cs_load(now + l),
              from = cs_load(was + l), top = cs_vmax(old, to);
        cs_vd sum = cs_vexp_below(old - top) +
                    (cs_vexp_below(to - top) - cs_vexp_below(from - top));
        cs_store(level + l, cs_vselect(from == to, old, top + cs_vlog(sum)));
    }
}

/* Counts the visit of each lane to its bin. If `levels` is NULL, LEVEL remains
 * 0. */
static inline void cs_flatten_visit_all(const cs_flatten_view *v,
                                        cs_flatten_rule *rule,
                                        cs_flatten_levels *levels)
{
    cs_move *m = v->m;
    bool *counts = (bool *)(void *)cs_flatten_row(m, CS_MASKS);
    double *now = cs_flatten_row(m, CS_FLATTEN_NEW);
    for (size_t l = 0; l < m->lanes; l++) {
        cs_flatten_lane b = cs_flatten_lane_of(v, l);
        counts[l] = cs_flatten_visit(v, l, &b, rule);
        now[l] = *cs_flatten_theta(&b, cs_flatten_bin(&b));
    }
    if (levels)
        levels(v, cs_flatten_row(m, CS_FLATTEN_WAS), now);
    for (size_t l = 0; l < m->lanes; l++) {
        cs_flatten_lane b = cs_flatten_lane_of(v, l);
        size_t at = cs_flatten_bin(&b);
        cs_flatten_weigh(v, l, &b, counts[l]);
        m->info.stat[l] = (double)at + 1;
        m->info.stat[m->lanes + l] =
            *cs_flatten_entry(&b, CS_FLATTEN_LAST, at) > CS_BIN_SETTLED;
    }
}

static inline void cs_flatten_step(cs_move *m, cs_flatten_rule *rule,
                                   cs_flatten_levels *levels)
{
    cs_flatten_view v = cs_flatten_view_of(m);
    size_t row = m->lanes * sizeof(double);
    /* For a symmetric proposal these rows are constant, so they are written
     * only once. */
    memset(m->info.log_q_forward, 0, row);
    memset(m->info.log_q_back, 0, row);
    cs_flatten_save(&v);
    cs_tempered_step(m, v.beta);
    m->info.aux_proposal = NULL;
    cs_flatten_values(&v, cs_flatten_row(m, CS_FLATTEN_NEW));
    cs_flatten_decide_all(&v);
    cs_flatten_copy_aux(&v);
    cs_flatten_visit_all(&v, rule, levels);
}

/* Parameter row of the list of weights. */
#define CS_FLATTEN_LOG_WEIGHTS_ROW(help_)                                      \
    {                                                                          \
        .name = "log_weights", .kind = CS_PARAM_ARRAY,                         \
        .flags = CS_PARAM_FIXED, .max = CS_FLATTEN_MOST, .help = help_,        \
    }

/* Members of the type of such a kernel, with NUMBERS numeric rows and `lists_`
 * lists. */
#define CS_FLATTEN_MEMBERS(rows_, lists_)                                      \
    .spaces = CS_DISCRETE | CS_CONTINUOUS, .params = (rows_),                  \
    .n_params = NUMBERS, .n_lists = (lists_), .arrange = arrange,              \
    .stats = cs_flatten_stats, .memory_words = cs_flatten_memory_words,        \
    .scratch_words = cs_flatten_scratch_words, .check = cs_flatten_check,      \
    .init = init, .step = step, .aux = &cs_flatten_aux, .wraps = true
