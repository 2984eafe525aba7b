/* Eigenvalues of the Hessian of log p at the states of chains; flat regions
 * have small eigenvalues. "Entropy-Guided Sampling of Flat Modes in Discrete
 * Spaces", appendix E.1, figures 10 and 11. For a discrete target this is the
 * Hessian of the differentiable extension of log p.
 *
 * All dim eigenvalues of every observed draw are pooled. The report has the
 * mean, the standard deviation (divisor n), the interquartile range from
 * linearly interpolated percentiles (definition 7 of Hyndman and Fan), and a
 * histogram. Draws count by their weights, and chains by their number of draws.
 * For weighted draws the quartiles come from the weighted distribution
 * function, without interpolation.
 *
 * If all states can be summed (up to 4096 states), a chain counts its visits to
 * each state. The results then use every step, and exact values under the
 * target are reported as well. Otherwise each chain keeps up to 64 states,
 * thinned over time, and the report computes the eigenvalues at no more than
 * 512 states. If a continuous target has no second derivatives, differences of
 * its gradient are used. */
#include "base/memory.h"
#include "probe/time_bins.h"
#include "probe/weigh.h"
#include "target/derivatives.h"
#include "target/enumeration.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_STATES = 4096, MOST_DIM = 64, KEPT = 64, MOST_POINTS = 512 };
enum { BINS = 48 };

/* An eigenvalue; the number (or the total weight) of the draws that have this
 * eigenvalue; and the probability of these draws under the target. */
typedef struct eigen {
    double value, seen, share;
} eigen;

typedef struct curvature {
    cs_derivatives *second; /* second derivatives of the target [own] */
    bool states;            /* true: the visits to each state are counted */
    size_t n;               /* largest number of states, or of kept points */
    double *value;          /* [states][dim] eigenvalues, computed by settle */
    double *share; /* [states] exact probabilities, computed by settle */
    bool known;
    eigen *pool;       /* [n dim] pooled eigenvalues of a report */
    double *point, *h; /* point: [dim] a state; h: [dim][dim] the Hessian at
                        * that state */
} curvature;

static void destroy(cs_probe *p)
{
    curvature *c = p->self;
    cs_derivatives_close(c->second);
    CS_FREE_ALL(c->value, c->share, c->pool, c->point, c->h, c);
}

static bool has_few_states(const cs_target *t)
{
    return cs_space_is_discrete(&t->space) &&
           cs_space_states(&t->space) <= MOST_STATES;
}

static cs_status make_room(curvature *c, size_t dim, cs_error *err)
{
    c->pool = cs_alloc(c->n * dim, sizeof *c->pool);
    c->point = cs_alloc(dim, sizeof *c->point);
    c->h = cs_alloc(dim * dim, sizeof *c->h);
    c->value = cs_alloc(c->states ? c->n * dim : 1, sizeof *c->value);
    c->share = cs_alloc(c->states ? c->n : 1, sizeof *c->share);
    if (c->pool && c->point && c->h && c->value && c->share)
        return CS_OK;
    return cs_fail(err, CS_MEMORY, "out of memory for the curvature");
}

/* Memory of a lane: the weights and the number of observations. If visits are
 * counted, the weight of the visits to each state follows. Otherwise the log
 * weights and the kept states follow, with NAN for a state that is not a draw
 * of the target. */
enum {
    SEEN = CS_WEIGH_ROWS,
    VISITS,
    LOG_WEIGHT = VISITS,
    POINT = VISITS + KEPT
};

static cs_status create(cs_probe *p, cs_target *target, cs_error *err)
{
    size_t dim = target->space.dim;
    if (target->space.kind == CS_MIXED) {
        cs_fail(err, CS_UNSUPPORTED,
                "the probe curvature needs a space of one kind; target %s has "
                "parts of several kinds",
                target->name);
        cs_hint(err, "omit the probe curvature; target:eigenvalues(x) has the "
                     "curvature of the real parameters");
        return CS_UNSUPPORTED;
    }
    if (dim > MOST_DIM) {
        cs_fail(err, CS_UNSUPPORTED,
                "the probe curvature supports at most %d coordinates",
                MOST_DIM);
        cs_hint(err, "omit the probe curvature");
        return CS_UNSUPPORTED;
    }
    curvature *c = p->self = cs_alloc(1, sizeof *c);
    if (!c)
        return cs_fail(err, CS_MEMORY, "out of memory for the curvature");
    c->states = has_few_states(target);
    c->n = c->states ? (size_t)cs_space_states(&target->space) : MOST_POINTS;
    cs_status s = cs_derivatives_open(&c->second, target, CS_CURVATURES, err);
    if (s == CS_OK)
        s = make_room(c, dim, err);
    p->words = c->states ? VISITS + c->n : POINT + KEPT * dim;
    if (s != CS_OK)
        destroy(p);
    return s;
}

/* Computes the eigenvalues at the point c->point; NAN if they are
 * unavailable. */
static void find_eigenvalues(const curvature *c, size_t dim, double *value)
{
    cs_derivatives_hessian(c->second, c->point, c->h);
    if (cs_derivatives_eigenvalues(c->h, dim, value, NULL) != CS_OK)
        for (size_t i = 0; i < dim; i++)
            value[i] = (double)NAN;
}

static void settle(cs_probe *p)
{
    curvature *c = p->self;
    const cs_target *t = p->target;
    size_t dim = t->space.dim;
    const cs_enumeration *truth = c->states ? cs_enumeration_of(t) : NULL;
    for (size_t s = 0; c->states && s < c->n; s++) {
        cs_space_state(&t->space, s, c->point);
        find_eigenvalues(c, dim, c->value + s * dim);
        c->share[s] = truth->n == c->n ? truth->p[s] : 0;
    }
    c->known = truth && truth->n == c->n;
}

/* ---- observing ---- */

static void init(const cs_probe *p, double *memory, size_t lanes)
{
    const curvature *c = p->self;
    size_t first = VISITS * lanes;
    for (size_t at = first; !c->states && at < p->words * lanes; at++)
        memory[at] = (double)NAN;
}

/* Thins by two: keeps from each pair of states the later one or, if it is not a
 * draw, the earlier one. */
static void fold_kept(double *kept, size_t n)
{
    for (size_t k = 0; k < KEPT / 2; k++)
        for (size_t l = 0; l < n; l++) {
            double first = kept[2 * k * n + l],
                   last = kept[(2 * k + 1) * n + l];
            kept[k * n + l] = isnan(last) ? first : last;
        }
    for (size_t at = KEPT / 2 * n; at < KEPT * n; at++)
        kept[at] = (double)NAN;
}

static size_t state_of(const cs_space *space, const cs_step_view *s, size_t l)
{
    double index = 0;
    for (size_t d = 0; d < s->dim; d++)
        index = index * space->values + s->x[d * s->lanes + l] - space->low;
    return (size_t)index;
}

static void keep(const cs_step_view *s, size_t l, size_t slot, double *memory)
{
    size_t n = s->lanes;
    memory[(LOG_WEIGHT + slot) * n + l] = s->log_weight ? s->log_weight[l] : 0;
    for (size_t d = 0; d < s->dim; d++)
        memory[(POINT + d * KEPT + slot) * n + l] = s->x[d * n + l];
}

static void observe(const cs_probe *p, const cs_step_view *s, double *memory)
{
    const curvature *c = p->self;
    size_t n = s->lanes;
    bool fold;
    uint64_t seen = cs_bins_seen(p, s->step);
    size_t slot = cs_bins_at_of(seen, KEPT, &fold);
    for (size_t d = 0; fold && !c->states && d <= s->dim; d++)
        fold_kept(memory + (LOG_WEIGHT + d * KEPT) * n, n);
    for (size_t l = 0; l < n; l++)
        memory[SEEN * n + l] = (double)seen;
    for (size_t l = 0; l < s->live; l += CS_VECTOR) {
        const bool *skip = s->left_out + l;
        cs_weighed now = cs_weigh_lanes(s, l, ~cs_load_bool(skip), memory);
        if (c->states)
            cs_weigh_rescale(&now, memory + VISITS * n + l, c->n, n);
        for (size_t k = 0; k < CS_VECTOR && l + k < s->live; k++)
            if (!skip[k] && c->states)
                memory[(VISITS + state_of(&p->target->space, s, l + k)) * n +
                       l + k] += now.w[k];
            else if (!skip[k])
                keep(s, l + k, slot, memory);
    }
}

/* ---- reporting ---- */

static size_t pool_states(const cs_probe *p, const cs_lane_memory *chain,
                          size_t n)
{
    const curvature *c = p->self;
    size_t dim = p->target->space.dim, k = 0;
    for (size_t s = 0; s < c->n; s++) {
        double seen = 0;
        for (size_t i = 0; i < n; i++)
            seen += cs_bin_word(&chain[i], VISITS + s) *
                    cs_chain_weight_of(&chain[i], 0).unit;
        for (size_t d = 0; d < dim; d++)
            c->pool[k++] = (eigen){c->value[s * dim + d], seen, c->share[s]};
    }
    return k;
}

/* Returns the number of filled slots of a chain. Some of these slots may hold
 * no draw. */
static size_t slots_of(const cs_lane_memory *chain)
{
    uint64_t seen = (uint64_t)cs_bin_word(chain, SEEN);
    return (size_t)(seen / cs_bins_width_of(seen, KEPT));
}

static bool holds_draw(const cs_lane_memory *chain, size_t slot)
{
    return !isnan(cs_bin_word(chain, LOG_WEIGHT + slot));
}

/* Converts the log weights of a chain's eigenvalues, stored in `seen`, to
 * weights with mean 1. */
static void weigh_points(eigen *pool, size_t n)
{
    double most = -HUGE_VAL, sum = 0;
    for (size_t k = 0; k < n; k++)
        most = fmax(most, pool[k].seen);
    for (size_t k = 0; k < n; k++)
        sum += pool[k].seen = exp(pool[k].seen - most);
    for (size_t k = 0; k < n; k++)
        pool[k].seen *= (double)n / sum;
}

/* Pools the eigenvalues of every kept state whose index is a multiple of
 * `stride`. `stride` is chosen such that the number of eigenvalues does not
 * exceed its limit. */
static size_t pool_points(const cs_probe *p, const cs_lane_memory *chain,
                          size_t n)
{
    const curvature *c = p->self;
    size_t dim = p->target->space.dim, k = 0, all = 0;
    double value[MOST_DIM];
    for (size_t i = 0; i < n; i++)
        for (size_t slot = 0; slot < slots_of(&chain[i]); slot++)
            all += holds_draw(&chain[i], slot);
    size_t stride = all / c->n + 1, at = 0;
    for (size_t i = 0; i < n; i++) {
        size_t first = k;
        for (size_t slot = 0; slot < slots_of(&chain[i]); slot++) {
            if (!holds_draw(&chain[i], slot) || at++ % stride)
                continue;
            for (size_t d = 0; d < dim; d++)
                c->point[d] = cs_bin_word(&chain[i], POINT + d * KEPT + slot);
            find_eigenvalues(c, dim, value);
            double lw = cs_bin_word(&chain[i], LOG_WEIGHT + slot);
            for (size_t d = 0; d < dim; d++)
                c->pool[k++] = (eigen){value[d], lw, 0};
        }
        weigh_points(c->pool + first, k - first);
    }
    return k;
}

static int by_value(const void *a, const void *b)
{
    double x = ((const eigen *)a)->value, y = ((const eigen *)b)->value;
    return (x > y) - (x < y);
}

/* Returns the weight of an eigenvalue: its probability under the target if
 * `truth`, otherwise the weight of its draws. */
static double weight_of(const eigen *e, bool truth)
{
    return truth ? e->share : e->seen;
}

/* Returns the eigenvalue at rank `rank` (from 0) in the sorted pool, where each
 * eigenvalue is counted by its weight. */
static double ranked(const eigen *pool, size_t n, bool truth, double rank)
{
    double below = 0;
    size_t last = 0;
    for (size_t i = 0; i < n; i++) {
        double w = weight_of(&pool[i], truth);
        last = w > 0 ? i : last;
        below += w;
        if (w > 0 && rank < below)
            return pool[i].value;
    }
    return pool[last].value;
}

/* The ways to weight the eigenvalues: equally, by the draws' weights, or by
 * exact probability. */
typedef enum counted { ALIKE, BY_WEIGHT, TRUTH } counted;

/* Returns the q quantile of the pool at rank (n - 1) q, interpolated between
 * neighbours. Weighted draws are not interpolated. The exact distribution is
 * not interpolated either, because it represents infinitely many draws. */
static double quantile(const eigen *pool, size_t n, counted by, double total,
                       double q)
{
    if (by != ALIKE)
        return ranked(pool, n, by == TRUTH, q * total);
    double at = (total - 1) * q, low = floor(at);
    double a = ranked(pool, n, false, low);
    return a + (at - low) * (ranked(pool, n, false, low + 1) - a);
}

/* Writes the mean, the standard deviation, the interquartile range and the
 * count to out[]. */
static void put_moments(const eigen *pool, size_t n, counted by, double *out)
{
    bool truth = by == TRUTH;
    double total = 0, mean = 0, square = 0;
    for (size_t i = 0; i < n; i++) {
        total += weight_of(&pool[i], truth);
        mean += weight_of(&pool[i], truth) * pool[i].value;
    }
    mean /= total;
    for (size_t i = 0; i < n; i++)
        square += weight_of(&pool[i], truth) * pow(pool[i].value - mean, 2);
    out[0] = mean;
    out[1] = sqrt(square / total);
    out[2] =
        quantile(pool, n, by, total, 0.75) - quantile(pool, n, by, total, 0.25);
    out[3] = total;
}

static void put_histogram(const eigen *pool, size_t n, bool truth, double dim,
                          const char *prefix, cs_flat *out)
{
    double low = pool[0].value, width = (pool[n - 1].value - low) / BINS;
    double *edge = cs_flat_array(out, 1, BINS + 1, "%sedges", prefix);
    double *count = cs_flat_array(out, 1, BINS, "%scounts", prefix);
    double *share =
        truth ? cs_flat_array(out, 1, BINS, "%struth", prefix) : NULL;
    width = width > 0 ? width : 1.0 / BINS;
    for (size_t b = 0; edge && b <= BINS; b++)
        edge[b] = low + width * (double)b;
    for (size_t i = 0; count && i < n; i++) {
        size_t b = (size_t)((pool[i].value - low) / width);
        b = b < BINS ? b : BINS - 1;
        count[b] += pool[i].seen;
        if (share)
            share[b] += pool[i].share / dim;
    }
}

static void report(const cs_probe *p, const cs_lane_memory *chain, size_t n,
                   const char *prefix, cs_flat *out)
{
    const curvature *c = p->self;
    size_t used = 0;
    double seen = 0;
    for (size_t i = 0; i < n; i++)
        seen += cs_bin_word(&chain[i], SEEN);
    if (seen == 0 || (c->states && !p->settled))
        return;
    size_t k = c->states ? pool_states(p, chain, n) : pool_points(p, chain, n);
    for (size_t i = 0; i < k; i++)
        if (isfinite(c->pool[i].value))
            c->pool[used++] = c->pool[i];
    if (used == 0)
        return;
    qsort(c->pool, used, sizeof *c->pool, by_value);
    double *to = cs_flat_array(out, 1, 4, "%seigenvalues", prefix);
    if (to)
        put_moments(c->pool, used,
                    cs_pool_weights(chain, n, 0).differ ? BY_WEIGHT : ALIKE,
                    to);
    to = c->known ? cs_flat_array(out, 1, 4, "%sexact", prefix) : NULL;
    if (to)
        put_moments(c->pool, used, TRUTH, to);
    put_histogram(c->pool, used, c->known, (double)p->target->space.dim, prefix,
                  out);
}

const cs_probe_type CS_VARIANT(cs_probe_curvature) = {
    .name = "curvature",
    .title = "Curvature",
    .help = "eigenvalues of the Hessian of log p along the chains: mean, "
            "standard deviation, interquartile range and histogram",
    .asked = true,
    .create = create,
    .destroy = destroy,
    .settle = settle,
    .init = init,
    .observe = observe,
    .report = report,
};
