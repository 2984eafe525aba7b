/* Distances between the draws and the exact distribution, if it is known:
 *
 *   tv   half the sum over states of |share - p|, for at most 4096 states that
 *        can all be enumerated (target/enumeration.h)
 *   kl   the sum of share log(share / p): 0 for p itself
 *   chi2 the sum of (share - p)^2 / p: 0 for p itself
 *   ks.C the largest difference between the distribution functions of
 *        coordinate C, at up to 63 cuts: every inner border of a small
 *        discrete space, else the 1/64 quantiles. This is never more than the
 *        true distance.
 *
 * `values` are the distances of all chains together. `floor` is the expected
 * distance of an equal number n of independent draws: for tv the normal
 * approximation per cell, for kl (cells - 1) / (2 n), for chi2 twice that, for
 * ks 0.8687 / sqrt(n), the mean of Kolmogorov's distribution. `law` is the
 * possible error of the exact distribution itself, which is not 0 for a sum
 * over a grid. `curve` is the distance of each chain so far, averaged over the
 * chains. This average detects chains that are stuck in different modes, even
 * if together they match the target. `error` is the standard error of this
 * average. A chain that has failed is not counted any more.
 *
 * Draws count by their weights, and chains by their number of draws. For
 * weighted draws, n in the floor is the effective sample size (Kish). */
#include "stat/distance.h"
#include "base/memory.h"
#include "probe/time_bins.h"
#include "probe/weigh.h"
#include "target/marginal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { COORDINATES };
enum { MOST_STATES = 4096, CUTS = 63, TIMES = 64, MOST_KS = 16, NAME = 40 };
enum { MOST = 3 + MOST_KS, GUIDE = 256 };

typedef enum kind { TV, KL, CHI2, KS } kind;

typedef struct measure {
    kind kind;
    size_t coordinate; /* coordinate that KS compares */
    size_t at, cells;  /* at: offset in the counts, in p and in cut; cells:
                        * number of cells */
    double low, scale; /* KS: (x - low) * scale selects the entry of guide from
                        * which the search starts */
    uint8_t guide[GUIDE];
} measure;

typedef struct distance {
    size_t n, cells;
    size_t states; /* number of measures of states, which come first; the others
                    * are KS */
    measure m[MOST];
    double law;  /* possible error of the distribution functions */
    double *p;   /* [cells] exact probability of a state; for KS: P(x <= cut) */
    double *cut; /* [cells] cuts for KS */
    double *sum; /* [cells] scratch for a report */
} distance;

/* ---- exact values ---- */

static void add_states(const cs_enumeration *truth, distance *d)
{
    d->m[d->n++] = (measure){.kind = TV, .cells = truth->n};
    d->m[d->n++] = (measure){.kind = KL, .cells = truth->n};
    d->m[d->n++] = (measure){.kind = CHI2, .cells = truth->n};
    memcpy(d->p, truth->p, truth->n * sizeof *d->p);
    d->cells = truth->n;
    d->states = d->n;
}

/* Returns the index of the guide interval that contains x. The intervals have
 * equal width, and the index increases with x. */
static inline size_t guide_at(const measure *m, double x)
{
    double place = (x - m->low) * m->scale;
    place = place > 0 ? place : 0;
    place = place < GUIDE - 1 ? place : GUIDE - 1;
    return (size_t)(int64_t)place;
}

/* Returns the number of cuts below x. The last cut is infinite. Usually only
 * one cut has to be compared. */
static inline size_t cuts_below(const measure *m, const double *cut, double x)
{
    size_t below = m->guide[guide_at(m, x)];
    below += cut[below] < x;
    while (cut[below] < x)
        below++;
    return below;
}

/* Sets guide[i] to the number of cuts in the intervals before interval i. */
static void fill_guide(const double *cut, size_t n, measure *m)
{
    size_t next = 0;
    m->low = cut[0];
    m->scale = cut[n - 1] > cut[0] ? GUIDE / (cut[n - 1] - cut[0]) : 0;
    for (size_t i = 0; i < GUIDE; i++) {
        while (next < n && guide_at(m, cut[next]) < i)
            next++;
        m->guide[i] = (uint8_t)next;
    }
}

static cs_status add_coordinates(const cs_target *t, size_t most, distance *d)
{
    cs_status s = CS_OK;
    for (size_t i = 0; i < t->space.dim && i < most && s == CS_OK; i++) {
        double *cut = d->cut + d->cells, *p = d->p + d->cells;
        size_t n = cs_marginal_cuts(t, i, CUTS, cut, p, &s);
        if (n == 0)
            continue;
        for (size_t k = n; k <= CUTS; k++) { /* fills the rest with cells that
                                                no draw can reach */
            cut[k] = HUGE_VAL;
            p[k] = 1;
        }
        d->m[d->n] = (measure){
            .kind = KS, .coordinate = i, .at = d->cells, .cells = CUTS + 1};
        fill_guide(cut, n, &d->m[d->n++]);
        d->cells += CUTS + 1;
    }
    d->law = t->type->exact.marginal
                 ? 0
                 : cs_enumeration_error(cs_enumeration_of(t));
    return s;
}

static void destroy(cs_probe *p)
{
    distance *d = p->self;
    CS_FREE_ALL(d->p, d->cut, d->sum, d);
}

/* Returns true if the number of states is small, so that each state can have
 * its own cell. (Otherwise no enumeration is requested.) */
static bool has_few_states(const cs_target *t)
{
    return cs_space_is_countable(&t->space) &&
           cs_space_states(&t->space) <= MOST_STATES;
}

static cs_status fill(cs_probe *p, cs_target *t, cs_error *err)
{
    distance *d = p->self;
    const cs_enumeration *truth =
        has_few_states(t) ? cs_enumeration_of(t) : NULL;
    bool states = truth && truth->n;
    size_t ks = (size_t)p->values[COORDINATES];
    size_t capacity = (states ? truth->n : 0) + ks * (CUTS + 1);
    d->p = cs_alloc(capacity, sizeof *d->p);
    d->cut = cs_alloc(capacity, sizeof *d->cut);
    d->sum = cs_alloc(capacity, sizeof *d->sum);
    if (!d->p || !d->cut || !d->sum)
        return cs_fail(err, CS_MEMORY, "out of memory for the distance");
    if (states)
        add_states(truth, d);
    if (add_coordinates(t, ks, d) != CS_OK)
        return cs_fail(err, CS_MEMORY, "out of memory for the distance");
    if (d->n)
        return CS_OK;
    cs_fail(err, CS_UNSUPPORTED,
            "the exact distribution of target %s is not known", t->name);
    cs_hint(err, "omit the probe distance");
    return CS_UNSUPPORTED;
}

/* Returns the number of coordinates that are compared: all of them if each
 * state is a cell. */
static size_t coordinates_of(const cs_target *t, const distance *d)
{
    size_t n = 0;
    for (size_t k = 0; k < d->n; k++) {
        size_t reads =
            d->m[k].kind == KS ? d->m[k].coordinate + 1 : t->space.dim;
        n = reads > n ? reads : n;
    }
    return n;
}

/* Memory of a lane: the weights; the number of observations, including states
 * that are not draws; the cells; and curve[measure][TIMES]. */
enum { SEEN = CS_WEIGH_ROWS, COUNTS };

static cs_status create(cs_probe *p, cs_target *target, cs_error *err)
{
    distance *d = p->self = cs_alloc(1, sizeof *d);
    if (!d)
        return cs_fail(err, CS_MEMORY, "out of memory for the distance");
    cs_status s = fill(p, target, err);
    p->words = COUNTS + d->cells + d->n * TIMES;
    p->first = coordinates_of(target, d);
    if (s != CS_OK)
        destroy(p);
    return s;
}

/* ---- observing ---- */

/* Returns true if a measure has its own counts. The other measures use the
 * counts of the measure TV. */
static bool is_counted(const measure *m)
{
    return m->kind == TV || m->kind == KS;
}

/* Returns the cell of a draw in a measure KS. */
static inline size_t cell_on_axis(const distance *d, const measure *m,
                                  const double *x, size_t lanes)
{
    return m->at + cuts_below(m, d->cut + m->at, x[m->coordinate * lanes]);
}

static size_t cell_of(const cs_target *t, const distance *d, const measure *m,
                      const double *x, size_t lanes)
{
    return m->kind == TV ? m->at + cs_space_index(&t->space, x, lanes)
                         : cell_on_axis(d, m, x, lanes);
}

/* Returns the distance of counts[cells] (at a stride) from the exact
 * distribution. `n` is the sum of the counts. */
static double measured(const distance *d, const measure *m,
                       const double *counts, size_t stride, double n)
{
    const double *p = d->p + m->at;
    double sum = 0, worst = 0, below = 0;
    if (n <= 0)
        return (double)NAN;
    for (size_t c = 0; c < m->cells; c++) {
        double share = counts[(m->at + c) * stride] / n;
        below += share;
        if (m->kind == TV)
            sum += 0.5 * fabs(share - p[c]);
        else if (m->kind == KL && share > 0)
            sum += share * log(share / p[c]);
        else if (m->kind == CHI2 && (share > 0 || p[c] > 0))
            sum += (share - p[c]) * (share - p[c]) / p[c];
        else if (m->kind == KS && c + 1 < m->cells)
            worst = fmax(worst, fabs(below - p[c]));
    }
    return m->kind == KS ? worst : sum;
}

static void mark_time(const distance *d, double *memory, size_t lanes,
                      size_t live, size_t at)
{
    double *curve = memory + (COUNTS + d->cells) * lanes;
    for (size_t l = 0; l < live; l++) {
        cs_lane_memory lane = {memory + l, lanes, false};
        double sum = cs_chain_weight_of(&lane, 0).sum;
        for (size_t k = 0; k < d->n; k++)
            curve[(k * TIMES + at) * lanes + l] =
                measured(d, &d->m[k], memory + COUNTS * lanes + l, lanes, sum);
    }
}

/* Counts an unweighted draw in its cells. Coordinate i is x[i * apart]. The loop
 * over KS contains no call: with one, a run of a random walk takes 3 % longer. */
static void take_one(const cs_probe *p, const double *x, size_t apart,
                     size_t lanes, double *counts)
{
    const distance *d = p->self;
    for (size_t k = 0; k < d->states; k++)
        if (is_counted(&d->m[k]))
            counts[cell_of(p->target, d, &d->m[k], x, apart) * lanes] += 1;
    for (size_t k = d->states; k < d->n; k++)
        counts[cell_on_axis(d, &d->m[k], x, apart) * lanes] += 1;
}

static void take_axis(const distance *d, const measure *m,
                      const cs_step_view *s, double *counts)
{
    size_t n = s->lanes;
    const double *x = s->x + m->coordinate * n, *cut = d->cut + m->at;
    counts += m->at * n;
    for (size_t l = 0; l < s->live; l++)
        counts[cuts_below(m, cut, x[l]) * n + l] += 1;
}

static void take_states(const cs_probe *p, const measure *m,
                        const cs_step_view *s, double *counts)
{
    size_t n = s->lanes;
    for (size_t l = 0; l < s->live; l++)
        counts[cell_of(p->target, p->self, m, s->x + l, n) * n + l] += 1;
}

/* Counts the unweighted draws of all lanes in their cells. */
static void take_whole(const cs_probe *p, const cs_step_view *s, double *memory)
{
    const distance *d = p->self;
    size_t n = s->lanes, lanes = cs_live_lanes(s);
    double *seen = memory + SEEN * n;
    for (size_t l = 0; l < lanes; l += CS_VECTOR) {
        cs_store(memory + l, cs_load(memory + l) + 1);
        cs_store(seen + l, cs_load(seen + l) + 1);
    }
    for (size_t k = 0; k < d->n; k++)
        if (d->m[k].kind == KS)
            take_axis(d, &d->m[k], s, memory + COUNTS * n);
        else if (is_counted(&d->m[k]))
            take_states(p, &d->m[k], s, memory + COUNTS * n);
}

/* Counts the draws of eight lanes, from lane l on: adds the weight of each draw
 * to the draw's cells. */
static void take(const cs_probe *p, const cs_step_view *s, size_t l,
                 double *memory)
{
    const distance *d = p->self;
    size_t n = s->lanes;
    const bool *skip = s->left_out + l;
    cs_weighed now = cs_weigh_lanes(s, l, ~cs_load_bool(skip), memory);
    double *counts = memory + COUNTS * n + l, *seen = memory + SEEN * n + l;
    cs_vi failed = cs_load_bool(s->failed + l);
    cs_store(seen, cs_load(seen) + cs_vselect(failed, cs_vset(0), cs_vset(1)));
    cs_weigh_rescale(&now, counts, d->cells, n);
    for (size_t i = 0; i < CS_VECTOR && l + i < s->live; i++)
        for (size_t k = 0; k < d->n && !skip[i]; k++)
            if (is_counted(&d->m[k]))
                counts[cell_of(p->target, d, &d->m[k], s->x + l + i, n) * n +
                       i] += now.w[i];
}

/* Returns the bin of the curve for observation number `seen`. */
static size_t curve_at(const distance *d, uint64_t seen, size_t n, size_t lanes,
                       double *memory)
{
    bool fold;
    size_t bin = cs_bins_at_of(seen, TIMES, &fold);
    double *curve = memory + (COUNTS + d->cells) * n;
    for (size_t k = 0; fold && k < d->n; k++)
        cs_bins_fold_some(curve + k * TIMES * n, TIMES, n, lanes, CS_MERGE_LAST,
                          0);
    return bin;
}

static void observe_series(const cs_probe *p, const cs_probe_series *c,
                           double *memory)
{
    const distance *d = p->self;
    size_t n = c->lanes;
    for (size_t j = 0; j < c->n; j++) {
        uint64_t seen = c->step + j;
        size_t bin = curve_at(d, seen, n, 1, memory);
        memory[0] += 1;
        memory[SEEN * n] += 1;
        take_one(p, c->row + j * c->width + 1, 1, n, memory + COUNTS * n);
        if (seen % cs_bins_width_of(seen, TIMES) == 0)
            mark_time(d, memory, n, 1, bin);
    }
}

static void observe(const cs_probe *p, const cs_step_view *s, double *memory)
{
    const distance *d = p->self;
    size_t n = s->lanes;
    uint64_t seen = cs_bins_seen(p, s->step);
    size_t bin = curve_at(d, seen, n, n, memory);
    if (s->whole)
        take_whole(p, s, memory);
    for (size_t l = 0; !s->whole && l < s->live; l += CS_VECTOR)
        take(p, s, l, memory);
    if (seen % cs_bins_width_of(seen, TIMES) == 0)
        mark_time(d, memory, n, s->live, bin);
}

/* ---- reporting ---- */

static double floor_of(const distance *d, const measure *m, double n)
{
    if (n <= 0)
        return (double)NAN;
    if (m->kind == TV)
        return cs_total_variation_floor(d->p + m->at, m->cells, n);
    double chi2 = (double)(m->cells - 1) / n;
    return m->kind == KS ? 0.8687 / sqrt(n) : m->kind == KL ? chi2 / 2 : chi2;
}

static void put_names(const cs_probe *p, const char *prefix, cs_flat *out)
{
    const distance *d = p->self;
    char text[MOST * (NAME + 4)] = "";
    size_t at = 0;
    for (size_t k = 0; k < d->n; k++) {
        static const char *const name[] = {"tv", "kl", "chi2", "ks."};
        char which[NAME] = "";
        if (d->m[k].kind == KS)
            cs_target_coordinate(p->target, d->m[k].coordinate, which, NAME);
        int n = snprintf(text + at, sizeof text - at, "%s%s%s", k ? " " : "",
                         name[d->m[k].kind], which);
        at += n > 0 ? (size_t)n : 0;
    }
    cs_flat_text(out, text, "%snames", prefix);
}

/* Returns the mean of word `word` over the chains that have observations. */
static double mean_at(const cs_lane_memory *chain, size_t n, size_t word)
{
    double sum = 0, seen = 0;
    for (size_t c = 0; c < n; c++)
        if (cs_bin_word(&chain[c], 0) > 0) {
            sum += cs_bin_word(&chain[c], word);
            seen++;
        }
    return seen > 0 ? sum / seen : (double)NAN;
}

/* Returns the standard error of the mean that mean_at returns, from the
 * variation between chains; NAN for fewer than 4 chains. */
static double error_at(const cs_lane_memory *chain, size_t n, size_t word)
{
    enum { LEAST = 4 };
    double mean = mean_at(chain, n, word), square = 0, seen = 0;
    for (size_t c = 0; c < n; c++)
        if (cs_bin_word(&chain[c], 0) > 0) {
            double off = cs_bin_word(&chain[c], word) - mean;
            square += off * off;
            seen++;
        }
    return seen >= LEAST ? sqrt(square / (seen - 1) / seen) : (double)NAN;
}

/* Reports the curve up to the time that the longest chain has reached. */
static void put_curve(const cs_probe *p, const cs_lane_memory *chain, size_t n,
                      const char *prefix, cs_flat *out)
{
    const distance *d = p->self;
    double longest = 0;
    for (size_t c = 0; c < n; c++)
        longest = fmax(longest, cs_bin_word(&chain[c], SEEN));
    uint64_t seen = (uint64_t)longest, width = cs_bins_width_of(seen, TIMES);
    size_t used = (size_t)(seen / width);
    double *time = cs_flat_array(out, 1, used, "%stime", prefix);
    for (size_t i = 0; time && i < used; i++)
        time[i] = (double)((i + 1) * width * p->every);
    double *to = cs_flat_array(out, d->n, used, "%scurve", prefix);
    for (size_t k = 0; to && k < d->n; k++)
        for (size_t i = 0; i < used; i++)
            *to++ = mean_at(chain, n, COUNTS + d->cells + k * TIMES + i);
    to = cs_flat_array(out, d->n, used, "%serror", prefix);
    for (size_t k = 0; to && k < d->n; k++)
        for (size_t i = 0; i < used; i++)
            *to++ = error_at(chain, n, COUNTS + d->cells + k * TIMES + i);
}

static void report(const cs_probe *p, const cs_lane_memory *chain, size_t n,
                   const char *prefix, cs_flat *out)
{
    distance *d = p->self;
    cs_pooled_weight all = cs_pool_weights(chain, n, 0);
    memset(d->sum, 0, d->cells * sizeof *d->sum);
    for (size_t c = 0; c < n; c++) {
        double unit = cs_chain_weight_of(&chain[c], 0).unit;
        for (size_t i = 0; i < d->cells; i++)
            d->sum[i] += cs_bin_word(&chain[c], COUNTS + i) * unit;
    }
    put_names(p, prefix, out);
    double *value = cs_flat_array(out, 1, d->n, "%svalues", prefix);
    double *least = cs_flat_array(out, 1, d->n, "%sfloor", prefix);
    double *law = cs_flat_array(out, 1, d->n, "%slaw", prefix);
    for (size_t k = 0; value && least && law && k < d->n; k++) {
        value[k] = measured(d, &d->m[k], d->sum, 1, all.draws);
        least[k] = floor_of(d, &d->m[k], all.size);
        law[k] = d->m[k].kind == KS ? d->law : 0;
    }
    cs_flat_number(out, all.draws, "%sdraws", prefix);
    put_curve(p, chain, n, prefix, out);
}

static const cs_param params[] = {
    [COORDINATES] =
        {.name = "coordinates",
         CS_FIXED(INT),
         .max = MOST_KS,
         .def = 2,
         .help = "number of coordinates, starting with the first, whose "
                 "distribution is compared with the exact distribution"},
};

const cs_probe_type CS_VARIANT(cs_probe_distance) = {
    .name = "distance",
    .title = "Distance",
    .help = "distances from the exact distribution (total variation, KL, "
            "chi-square, Kolmogorov-Smirnov), with the distances that the same "
            "number of independent draws would have",
    CS_PARAM_TABLE(params),
    .create = create,
    .destroy = destroy,
    .observe = observe,
    .observe_series = observe_series,
    .report = report,
};
