/* Mean, standard deviation, Monte Carlo error and effective size of the energy
 * -log p and of the first coordinates, of all steps at any length of run, from a
 * fixed memory. Other diagnostics need draws (run/judged.c).
 *
 * Time is cut into 256 bins that double (probe/bins.h). Each keeps its sum:
 * divided by the width, these are batch means. They go through the estimator
 * that draws go through (split chains, between-chain variance, Geyer's
 * sequence over batches), so that MCSE = sd(batch means) / sqrt(ESS(batch
 * means)) holds whether chains are short or long against a batch, agree or
 * not; and ESS = (sd / MCSE)^2, of all steps, grows with the run. While batches
 * are single draws this is the ESS of the mean of Vehtari et al. exactly.
 *
 * Errors are computed anew when the number of complete bins has grown by an
 * eighth of a power of two: they depend on the bins alone, and cost nothing in
 * between.
 *
 * Where weights differ, bins keep the sums S of w x and W of w, each chain's in
 * its own unit (probe/weigh.h). The mean R is a ratio, and its error that of the
 * mean of S - R W over batches (the delta method), through the same estimator;
 * with equal weights that is the error above. Draws behind the last batch count
 * to it: a heavy one must not be in R and out of its error.
 *
 * Where log p is not known the figures of the energy are NAN. */
#include "stat/diagnostics.h"
#include "base/hash.h"
#include "base/memory.h"
#include "probe/bins.h"
#include "probe/rows.h"
#include "probe/weigh.h"

#include <math.h>
#include <string.h>

enum { COORDINATES };
enum { BINS = 256, MOST_CHAINS = 1024, CACHED = 8 };
/* The memory of a lane: the weights and, once they differ, their sums in bins;
 * then per scalar */
enum { WEIGHTS = CS_WEIGH_ROWS, SCALARS = WEIGHTS + BINS };
enum { MEAN, SQUARE, SUM, SCALAR_WORDS = SUM + BINS };

typedef struct figures {
    uint64_t key;
    double mcse;
} figures;

typedef struct diagnostics {
    size_t scalars;
    size_t turn;
    figures *cache; /* [scalars][CACHED] */
} diagnostics;

static cs_status create(cs_probe *p, cs_target *target, cs_error *err)
{
    size_t most = (size_t)p->values[COORDINATES], dim = cs_target_shown(target);
    diagnostics *d = p->self = cs_alloc(1, sizeof *d);
    if (d) {
        d->scalars = 1 + (dim < most ? dim : most);
        d->cache = cs_alloc(d->scalars * CACHED, sizeof *d->cache);
    }
    if (!d || !d->cache) {
        cs_free(d);
        return cs_fail(err, CS_MEMORY, "out of memory for the diagnostics");
    }
    p->words = SCALARS + d->scalars * SCALAR_WORDS;
    return CS_OK;
}

static void destroy(cs_probe *p)
{
    diagnostics *d = p->self;
    cs_free(d->cache);
    cs_free(d);
}

static size_t word_of(size_t scalar, size_t word)
{
    return SCALARS + scalar * SCALAR_WORDS + word;
}

/* A scalar of the step: log p, NULL where there is none, then what is shown. */
static const double *scalar_of(const cs_step_view *s, size_t k)
{
    return k ? s->shown + (k - 1) * s->lanes : s->logp;
}

static double number_of(const double *value, double sign, size_t l)
{
    return value ? sign * value[l] : (double)NAN;
}

/* One scalar of every lane that lives; the others keep what they have. */
static void take(const double *value, double sign, const cs_step_view *s,
                 const double *seen, double *m, size_t bin)
{
    size_t n = s->lanes;
    double *mean = m + MEAN * n, *square = m + SQUARE * n;
    double *sum = m + (SUM + bin) * n;
    for (size_t l = 0; l < n; l++) {
        double x = number_of(value, sign, l), delta = x - mean[l];
        double next = mean[l] + delta / seen[l];
        double more = delta * (x - next);
        bool live = !s->left_out[l];
        mean[l] = live ? next : mean[l];
        square[l] += live ? more : 0;
        sum[l] += live ? x : 0;
    }
}

/* One lane by itself, by its own count of what it has seen. */
static void observe_one(const diagnostics *d, const cs_step_view *s, size_t l,
                        double *memory)
{
    size_t n = s->lanes;
    bool fold;
    memory[l] += 1;
    double seen = memory[l];
    size_t bin = cs_bins_at_of((uint64_t)seen, BINS, &fold);
    for (size_t k = 0; k < d->scalars; k++) {
        double *m = memory + word_of(k, 0) * n + l;
        if (fold)
            cs_bins_fold_some(m + SUM * n, BINS, n, 1, CS_MERGE_SUM, 0);
        double x = number_of(scalar_of(s, k), k ? 1 : -1, l);
        double delta = x - m[MEAN * n];
        m[MEAN * n] += delta / seen;
        m[SQUARE * n] += delta * (x - m[MEAN * n]);
        m[(SUM + bin) * n] += x;
    }
}

/* Whether all lanes that live have seen every step, so that their bins are
 * folded together. */
static bool see_alike(const cs_step_view *s, const double *memory,
                      uint64_t seen)
{
    bool alike = true;
    for (size_t l = 0; l < s->lanes; l++)
        alike &=
            s->failed[l] || (!s->left_out[l] && memory[l] + 1 == (double)seen);
    return alike;
}

/* ---- with weights ---- */

/* How many of `seen` draws are in bin i. */
static double draws_in(double seen, size_t i)
{
    double width = (double)cs_bins_width_of((uint64_t)seen, BINS);
    return fmin(fmax(seen - (double)i * width, 0), width);
}

/* The weights of a lane's bins so far, where draws all weighed 1. */
static void begin_weights(size_t n, double *lane)
{
    double seen = lane[0];
    if (seen > 0 && lane[CS_WEIGH_SUM * n] == 0)
        for (size_t i = 0; i < BINS; i++)
            lane[(WEIGHTS + i) * n] = draws_in(seen, i);
}

/* Where the draws of eight lanes go: each lane by its own count. */
typedef struct places {
    cs_vi draws;
    cs_weighed weighed;
    size_t bin[CS_VECTOR];
    bool fold[CS_VECTOR];
} places;

/* A row of bins of eight lanes: x is added to their sums. */
static void add_to_bins(const places *at, cs_vd x, double *row, size_t n)
{
    cs_weigh_rescale(&at->weighed, row, BINS, n);
    for (size_t k = 0; k < CS_VECTOR; k++) {
        if (!at->draws[k])
            continue;
        if (at->fold[k])
            cs_bins_fold_some(row + k, BINS, n, 1, CS_MERGE_SUM, 0);
        row[at->bin[k] * n + k] += x[k];
    }
}

/* A scalar of eight lanes. */
static void take_weighed(const places *at, cs_vd x, double *m, size_t n)
{
    const cs_weighed *now = &at->weighed;
    cs_vd mean = cs_load(m + MEAN * n), delta = x - mean;
    cs_vd next = mean + delta * now->w / now->sum;
    cs_vd more = now->w * (delta * (x - next)), none = cs_vset(0);
    cs_weigh_rescale(now, m + SQUARE * n, 1, n);
    cs_store(m + MEAN * n, cs_vselect(at->draws, next, mean));
    cs_store(m + SQUARE * n,
             cs_load(m + SQUARE * n) + cs_vselect(at->draws, more, none));
    add_to_bins(at, now->w * x, m + SUM * n, n);
}

static __attribute__((noinline)) void
observe_weighed(const diagnostics *d, const cs_step_view *s, double *memory)
{
    size_t n = s->lanes;
    for (size_t l = 0; l < n; l += CS_VECTOR) {
        places at = {.draws = ~cs_load_bool(s->left_out + l)};
        for (size_t k = 0; k < CS_VECTOR; k++)
            begin_weights(n, memory + l + k);
        at.weighed = cs_weigh_eight(s, l, at.draws, memory);
        for (size_t k = 0; k < CS_VECTOR; k++)
            if (at.draws[k])
                at.bin[k] =
                    cs_bins_at_of((uint64_t)memory[l + k], BINS, &at.fold[k]);
        add_to_bins(&at, at.weighed.w, memory + WEIGHTS * n + l, n);
        for (size_t k = 0; k < d->scalars; k++) {
            const double *value = scalar_of(s, k);
            cs_vd x = value ? cs_load(value + l) : cs_vset((double)NAN);
            take_weighed(&at, k ? x : -x, memory + word_of(k, 0) * n + l, n);
        }
    }
}

/* ---- */

static void observe(const cs_probe *p, const cs_step_view *s, double *memory)
{
    const diagnostics *d = p->self;
    size_t n = s->lanes;
    uint64_t seen = cs_bins_seen(p, s->step);
    bool fold;
    if (s->log_weight) {
        observe_weighed(d, s, memory);
        return;
    }
    if (!see_alike(s, memory, seen)) {
        for (size_t l = 0; l < n; l++)
            if (!s->left_out[l])
                observe_one(d, s, l, memory);
        return;
    }
    size_t bin = cs_bins_at_of(seen, BINS, &fold);
    for (size_t l = 0; l < n; l++)
        memory[l] += s->left_out[l] ? 0 : 1;
    for (size_t k = 0; k < d->scalars; k++) {
        double *m = memory + word_of(k, 0) * n;
        if (fold)
            cs_bins_fold_of(m + SUM * n, BINS, n, CS_MERGE_SUM, 0);
        take(scalar_of(s, k), k ? 1 : -1, s, memory, m, bin);
    }
}

/* ---- what the bins say ---- */

/* The chains that are looked at: those that did not fail, or, where all did,
 * those that went on for longest. */
typedef struct group {
    const cs_lane_memory *chain[MOST_CHAINS];
    cs_chain_weight weight[MOST_CHAINS];
    cs_pooled_weight all;
    size_t n;
    uint64_t width;
    size_t bins; /* complete ones in use, of every chain */
} group;

static double seen_by(const cs_lane_memory *chain)
{
    return cs_bin_word(chain, 0);
}

/* `n` cut to eighths of the power of two below it. */
static size_t cut(uint64_t n)
{
    uint64_t eighth = n ? (UINT64_C(1) << (63 - __builtin_clzll(n))) / 8 : 0;
    return (size_t)(eighth ? n - n % eighth : n);
}

/* The bins that all chains have, as wide as the widest of any: chains that
 * draw from the target at some steps only have seen more or less. */
static void measure(group *g)
{
    uint64_t least = UINT64_MAX, most = 0;
    for (size_t c = 0; c < g->n; c++) {
        uint64_t seen = (uint64_t)seen_by(g->chain[c]);
        least = seen < least ? seen : least;
        most = seen > most ? seen : most;
    }
    g->width = cs_bins_width_of(most, BINS);
    if (g->n)
        g->bins =
            g->all.differ ? (size_t)(least / g->width) : cut(least / g->width);
}

static void weigh_group(group *g)
{
    for (size_t c = 0; c < g->n; c++) {
        g->weight[c] = cs_chain_weight_of(g->chain[c], 0);
        cs_pool_chain(&g->all, &g->weight[c]);
    }
}

static group gather(const cs_lane_memory *chain, size_t n)
{
    group g = {.n = 0};
    bool any = false; /* that lives */
    double most = 0;
    for (size_t c = 0; c < n; c++) {
        any |= !chain[c].failed;
        most = fmax(most, seen_by(&chain[c]));
    }
    for (size_t c = 0; c < n; c++) {
        bool whole = any ? !chain[c].failed : seen_by(&chain[c]) == most;
        if (!whole || g.n == MOST_CHAINS)
            continue;
        g.chain[g.n++] = &chain[c];
    }
    weigh_group(&g);
    measure(&g);
    return g;
}

static uint64_t mix(uint64_t h, double value)
{
    uint64_t word;
    memcpy(&word, &value, sizeof word);
    return cs_hash_word(h, word);
}

/* Bin i of a chain, `by` of its own together. */
static double bin_of(const cs_lane_memory *chain, size_t first, size_t by,
                     size_t i)
{
    double x = cs_bin_word(chain, first + i * by);
    for (size_t k = 1; k < by; k++)
        x += cs_bin_word(chain, first + i * by + k);
    return x;
}

/* x[chains][bins] = the batch means of a scalar; returns a hash of them. */
static uint64_t copy_means(const group *g, size_t first, double *x)
{
    uint64_t h = g->bins;
    for (size_t c = 0; c < g->n; c++) {
        uint64_t seen = (uint64_t)seen_by(g->chain[c]);
        size_t by = (size_t)(g->width / cs_bins_width_of(seen, BINS));
        for (size_t i = 0; i < g->bins; i++) {
            *x = bin_of(g->chain[c], first, by, i) / (double)g->width;
            h = mix(h, *x++);
        }
    }
    return h | 1;
}

/* The weight of bins from..to - 1 of a chain. */
static double weight_in(const cs_lane_memory *chain, size_t from, size_t to)
{
    bool alike = cs_bin_word(chain, CS_WEIGH_SUM) == 0;
    double sum = 0;
    for (size_t i = from; i < to; i++)
        sum += alike ? draws_in(seen_by(chain), i)
                     : cs_bin_word(chain, WEIGHTS + i);
    return sum;
}

static double sum_in(const cs_lane_memory *chain, size_t first, size_t from,
                     size_t to)
{
    double sum = 0;
    for (size_t i = from; i < to; i++)
        sum += cs_bin_word(chain, first + i);
    return sum;
}

/* x[chains][bins] = S - R W, which sum to 0, over the mean number of draws in a
 * batch; returns a hash of them. */
static uint64_t copy_ratios(const group *g, size_t first, double ratio,
                            double *x)
{
    uint64_t h = g->bins;
    double draws = g->all.draws / (double)(g->n * g->bins);
    for (size_t c = 0; c < g->n; c++) {
        uint64_t seen = (uint64_t)seen_by(g->chain[c]);
        size_t by = (size_t)(g->width / cs_bins_width_of(seen, BINS));
        for (size_t i = 0; i < g->bins; i++) {
            size_t from = i * by, to = i + 1 < g->bins ? from + by : BINS;
            double off = sum_in(g->chain[c], first, from, to) -
                         ratio * weight_in(g->chain[c], from, to);
            *x = off * g->weight[c].unit / draws;
            h = mix(h, *x++);
        }
    }
    return h | 1;
}

/* The Monte Carlo error of a scalar whose mean is `mean`, from the cache or
 * anew. An undefined one is not cached. */
static double error_of(diagnostics *d, const group *g, size_t scalar,
                       double mean, double *room)
{
    size_t first = word_of(scalar, SUM);
    if (isnan(mean))
        return mean;
    uint64_t key = g->all.differ ? copy_ratios(g, first, mean, room)
                                 : copy_means(g, first, room);
    figures *cache = d->cache + scalar * CACHED;
    for (size_t i = 0; i < CACHED; i++)
        if (cache[i].key == key)
            return cache[i].mcse;
    figures *f = &cache[d->turn++ % CACHED];
    f->mcse = cs_mcse_mean((cs_draws){room, g->bins, g->n}, NULL);
    f->key = isnan(f->mcse) ? 0 : key;
    return f->mcse;
}

/* Mean and standard deviation of all steps of the group. */
static void pool(const group *g, size_t scalar, double *mean, double *sd)
{
    double n = g->all.draws, square = 0, sum = 0;
    for (size_t c = 0; c < g->n; c++)
        sum += cs_bin_word(g->chain[c], word_of(scalar, MEAN)) *
               (seen_by(g->chain[c]) / n);
    for (size_t c = 0; c < g->n; c++) {
        double delta = cs_bin_word(g->chain[c], word_of(scalar, MEAN)) - sum;
        square += cs_bin_word(g->chain[c], word_of(scalar, SQUARE)) *
                      g->weight[c].unit +
                  seen_by(g->chain[c]) * delta * delta;
    }
    *mean = n > 0 ? sum : (double)NAN;
    double free = cs_pooled_freedom(&g->all);
    *sd = free > 0 ? sqrt(square / free) : (double)NAN;
}

/* The size follows from the error; a size beyond n log10 n is not believed
 * (as of draws: Vehtari et al.), and the error then is that of this one. */
static void size_up(const group *g, cs_row_steps *row)
{
    double n = g->all.draws, ratio = row->sd / row->mcse;
    double most = n * log10(n);
    row->ess = ratio * ratio;
    if (row->ess > most) {
        row->ess = most;
        row->mcse = row->sd / sqrt(most);
    }
}

static void report(const cs_probe *p, const cs_lane_memory *chain, size_t n,
                   const char *prefix, cs_flat *out)
{
    diagnostics *d = p->self;
    group g = gather(chain, n);
    double *room = cs_alloc(g.n * g.bins, sizeof *room);
    cs_row_steps *row =
        CS_FLAT_ROWS(out, cs_row_steps, d->scalars, "%sall", prefix);
    for (size_t k = 0; row && k < d->scalars; k++, row++) {
        pool(&g, k, &row->mean, &row->sd);
        row->mcse = room && g.n && g.bins ? error_of(d, &g, k, row->mean, room)
                                          : (double)NAN;
        size_up(&g, row);
    }
    cs_free(room);
}

static const cs_param params[] = {
    [COORDINATES] = {.name = "coordinates",
                     .kind = CS_PARAM_INT,
                     .flags = CS_PARAM_FIXED,
                     .max = 64,
                     .def = 10, /* those of the eight schools */
                     .help = "how many coordinates, from the first, have "
                             "their errors of all steps, not of the draws "
                             "that are kept"},
};

extern const cs_probe_type CS_VARIANT(cs_probe_diagnostics);
const cs_probe_type CS_VARIANT(cs_probe_diagnostics) = {
    .name = "diagnostics",
    .title = "Diagnostics",
    .help = "R-hat, effective sizes and Monte Carlo errors",
    .logp = true,
    .judged = true,
    .params = params,
    .n_params = sizeof params / sizeof *params,
    .costly = true,
    .create = create,
    .destroy = destroy,
    .observe = observe,
    .report = report,
};
