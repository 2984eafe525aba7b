/* Distribution of the energy -log p: a histogram per chain (probe/grid.h) and
 * its moments. For weighted draws, the weighted counts of a chain sum to its
 * number of draws. If log p is unknown, nothing is counted.
 *
 * The report also has exact probabilities, from the best source that the target
 * offers: its own distribution of the energy, else the sum over its states or
 * over a grid, else a sample of exact draws. */
#include "base/clock.h"
#include "base/memory.h"
#include "probe/grid.h"
#include "probe/weigh.h"
#include "target/enumeration.h"

#include <math.h>

enum { BINS = CS_GRID_BINS };
/* Memory of a lane: the weights, the moments, the histogram. */
enum {
    MEAN = CS_WEIGH_ROWS,
    SQUARE,
    GRID,
    WIDTH = GRID + CS_GRID_WIDTH,
    BIN = GRID + CS_GRID_BIN,
    WORDS = GRID + CS_GRID_WORDS
};

static const double first_width = CS_GRID_FIRST_WIDTH;

/* The exact distribution in the finest bins, which start at the lowest energy
 * with positive probability. The last of these bins includes all higher
 * energies. */
enum { FINE = 8192, DRAWS = 8192, PORTION = 64 };
/* number of seconds that settle_part spends on evaluating draws before it
 * returns */
#define PART 0.02
typedef struct law {
    const char *from; /* name of the source; NULL: the distribution is not
                         known */
    bool formula;     /* true: computed from the target's own distribution */
    double base;      /* index of the first of the finest bins */
    double below[FINE + 1];
    double *x, *logp; /* exact draws, kept while they are evaluated. x:
                       * [DRAWS][dim] states; logp: [DRAWS] log p of the states;
                       * one allocation for both [own] */
    size_t done;      /* number of draws that are evaluated */
} law;

/* Fills *w with the exact distribution, from n points with probabilities p
 * (NULL: all equal). */
static void tabulate(law *w, const double *logp, const double *p, size_t n)
{
    double least = HUGE_VAL, sum = 0;
    for (size_t i = 0; i < n; i++)
        if (isfinite(logp[i]) && (!p || p[i] > 0))
            least = fmin(least, -logp[i]);
    w->base = cs_grid_bin(least, first_width);
    for (size_t i = 0; i < n; i++) {
        double at = cs_grid_bin(-logp[i], first_width) - w->base;
        if (at >= 0) /* skips points whose density is 0 */
            w->below[at < FINE ? (size_t)at + 1 : FINE] += p ? p[i] : 1;
    }
    for (size_t b = 1; b <= FINE; b++)
        sum = w->below[b] += sum;
    for (size_t b = 1; b <= FINE; b++)
        w->below[b] /= sum;
}

static bool make_draws(law *w, const cs_target *t)
{
    size_t dim = t->space.dim;
    w->x = cs_alloc(DRAWS * (dim + 1), sizeof *w->x);
    w->logp = w->x + DRAWS * dim;
    return w->x && cs_enumeration_draws(t, DRAWS, w->x);
}

/* Evaluates exact draws for a limited time, because evaluating all of them can
 * take seconds if the density is a sum over rows of data. Returns true when no
 * more draws are needed. */
static bool tabulate_draws(law *w, const cs_target *t)
{
    size_t dim = t->space.dim;
    double from = cs_clock();
    bool good = w->x || make_draws(w, t);
    for (; good && w->done < DRAWS; w->done += PORTION) {
        if (cs_clock() - from > PART)
            return false;
        good = cs_enumeration_evaluate(t, w->x + w->done * dim, PORTION,
                                       w->logp + w->done);
    }
    if (good) {
        tabulate(w, w->logp, NULL, DRAWS);
        w->from = "8192 exact draws";
    }
    cs_free(w->x);
    w->x = NULL;
    return true;
}

static bool settle_part(cs_probe *p)
{
    law *w = p->self;
    const cs_target *t = p->target;
    const cs_enumeration *truth;
    w->formula = t->type->exact.energy && !isnan(t->type->exact.energy(t, 0));
    if (w->formula) {
        w->from = "formula";
    } else if ((truth = cs_enumeration_of(t))->n) {
        tabulate(w, truth->logp, truth->p, truth->n);
        w->from = truth->all ? "all states" : "grid";
    } else if (t->type->exact.draw) {
        return tabulate_draws(w, t);
    }
    return true;
}

static void settle(cs_probe *p)
{
    while (!settle_part(p))
        ;
}

static cs_status create(cs_probe *p, cs_target *target, cs_error *err)
{
    (void)target;
    p->self = cs_alloc(1, sizeof(law));
    if (!p->self)
        return cs_fail(err, CS_MEMORY, "out of memory for the energy");
    p->words = WORDS;
    return CS_OK;
}

static void destroy(cs_probe *p)
{
    law *w = p->self;
    cs_free(w->x);
    cs_free(w);
}

/* Returns P(-log p < edge), where edge is a border of the finest bins. */
static double share_below(const cs_probe *p, double edge)
{
    const law *w = p->self;
    if (w->formula)
        return p->target->type->exact.energy(p->target, edge);
    double at = cs_grid_bin(edge, first_width) - w->base;
    return at <= 0 ? 0 : at < FINE ? w->below[(size_t)at] : 1;
}

/* Adds a draw of weight w to the moments and the histogram of a lane. `sum` is
 * the sum of all weights so far, including w. */
static inline __attribute__((always_inline)) void
take(double *m, size_t n, double energy, double w, double sum)
{
    double delta = energy - m[MEAN * n];
    m[MEAN * n] += delta * w / sum;
    m[SQUARE * n] += w * (delta * (energy - m[MEAN * n]));
    m[(BIN + cs_grid_reach(m + GRID * n, n, 1, energy)) * n] += w;
}

static __attribute__((noinline)) void observe_weighed(const cs_step_view *s,
                                                      double *memory)
{
    size_t n = s->lanes;
    for (size_t l = 0; l < s->live; l += CS_VECTOR) {
        cs_vd energy = -cs_load(s->logp + l);
        cs_vi draws =
            ~cs_load_bool(s->left_out + l) & (cs_vabs(energy) < HUGE_VAL);
        cs_weighed now = cs_weigh_lanes(s, l, draws, memory);
        cs_weigh_rescale(&now, memory + SQUARE * n + l, 1, n);
        cs_weigh_rescale(&now, memory + BIN * n + l, BINS, n);
        for (size_t k = 0; k < CS_VECTOR && l + k < s->live; k++)
            if (draws[k])
                take(memory + l + k, n, energy[k], now.w[k], now.sum[k]);
    }
}

static void observe(const cs_probe *p, const cs_step_view *s, double *memory)
{
    (void)p;
    size_t n = s->lanes;
    if (s->logp && s->log_weight)
        observe_weighed(s, memory);
    else
        for (size_t l = 0; s->logp && l < s->live; l++) {
            double energy = -s->logp[l], *m = memory + l;
            if (!s->left_out[l] && isfinite(energy))
                take(m, n, energy, 1, ++m[CS_WEIGH_DRAWS * n]);
        }
}

static void report_truth(const cs_probe *p, const double *edge, size_t bins,
                         const char *prefix, cs_flat *out)
{
    const law *w = p->self;
    double *to =
        w->from ? cs_flat_array(out, 1, bins, "%struth", prefix) : NULL;
    double last = to ? share_below(p, edge[0]) : 0;
    for (size_t b = 0; to && b < bins; b++) {
        double next = share_below(p, edge[b + 1]);
        to[b] = next - last;
        last = next;
    }
    if (to)
        cs_flat_text(out, w->from, "%struth_from", prefix);
}

static void report_counts(const cs_probe *p, const cs_lane_memory *chain,
                          size_t n, const char *prefix, cs_flat *out)
{
    double width, low, high;
    if (!cs_grid_span(chain, n, GRID, &width, &low, &high))
        return;
    size_t bins = (size_t)(high - low) + 1;
    double *edge = cs_flat_array(out, 1, bins + 1, "%sedges", prefix);
    for (size_t b = 0; edge && b <= bins; b++)
        edge[b] = (low + (double)b) * width;
    double *counts = cs_flat_array(out, n, bins, "%scounts", prefix);
    for (size_t c = 0; counts && c < n; c++) {
        double unit = cs_chain_weight_of(&chain[c], 0).unit;
        cs_grid_add(&chain[c], GRID, width, low, unit, counts + c * bins);
    }
    if (edge)
        report_truth(p, edge, bins, prefix, out);
}

static void report(const cs_probe *p, const cs_lane_memory *chain, size_t n,
                   const char *prefix, cs_flat *out)
{
    report_counts(p, chain, n, prefix, out);
    cs_pooled_weight all = cs_pool_weights(chain, n, 0);
    if (all.differ)
        cs_flat_number(out, all.size, "%ssize", prefix);
    double *to = cs_flat_array(out, n, 2, "%smoments", prefix);
    for (size_t c = 0; to && c < n; c++) {
        cs_chain_weight w = cs_chain_weight_of(&chain[c], 0);
        double free = w.sum - w.squares / w.sum; /* n - 1 for unweighted
                                                    draws */
        double square = cs_bin_word(&chain[c], SQUARE);
        to[2 * c] = w.sum > 0 ? cs_bin_word(&chain[c], MEAN) : (double)NAN;
        to[2 * c + 1] = free > 0 ? sqrt(square / free) : (double)NAN;
    }
}

const cs_probe_type CS_VARIANT(cs_probe_energy) = {
    .name = "energy",
    .title = "Energy",
    .help = "histogram of the energy, -log density",
    .logp = true,
    .create = create,
    .destroy = destroy,
    .settle = settle,
    .settle_part = settle_part,
    .observe = observe,
    .report = report,
};
