/* Mean, standard deviation, Monte Carlo standard error (MCSE) and effective
 * sample size (ESS) of the energy -log p and of all quantities, over all steps
 * of a run of any length, in a fixed amount of memory. Other diagnostics need
 * draws (run/draws/diagnosed.c).
 *
 * The variance of the first coordinates uses every step. The variance of the
 * other coordinates uses every eighth step (probe/sums.h), which takes a tenth
 * of the time. In two cases the other coordinates have no results over all
 * steps: if these results would need too much memory, and if the state is
 * discrete. (The sums may take as long as a step that moves one site.)
 * Comparisons then use the kept draws for all scalars.
 *
 * Time is divided into up to 256 bins of doubling width (probe/time_bins.h). If
 * there are more than 256 chains, each chain has fewer bins, but at least 32.
 * Each bin stores the sum over its steps; the sum divided by the width is a
 * batch mean. The batch means are passed to the estimator that is also used for
 * draws (split chains, between-chain variance, Geyer's sequence over batches).
 * Then MCSE = sd(batch means) / sqrt(ESS(batch means)). This is valid whether
 * the chains are short or long compared with a batch, and whether or not they
 * agree. ESS = (sd / MCSE)^2 is the ESS of all steps and grows with the run.
 * While each batch is a single draw, this ESS is exactly the ESS of the mean as
 * defined by Vehtari et al.
 *
 * The errors are recomputed when the number of complete bins has grown by an
 * eighth of a power of two. They depend only on the bins; between
 * recomputations the cached values are used.
 *
 * For weighted draws, the bins store the sums S of w x and W of w, in each
 * chain's own unit (probe/weigh.h). The mean R is a ratio. Its error is the
 * error of the mean of S - R W over batches (delta method), from the same
 * estimator; with equal weights it equals the error above. Draws after the last
 * complete batch are included in that batch. Otherwise a draw with a large
 * weight might be in R but missing from the error.
 *
 * If log p is unknown, the results for the energy are NAN. */
#include "stat/diagnostics.h"
#include "base/hash.h"
#include "base/memory.h"
#include "probe/rows.h"
#include "probe/sums.h"
#include "probe/time_bins.h"
#include "probe/weigh.h"

#include <math.h>
#include <string.h>

enum { COORDINATES };
enum { BINS = 256, LEAST_BINS = 32, MOST_CHAINS = 1024 };
/* Cache entries per scalar: enough for several arms and for samples of their
 * chains. */
enum { CACHED = 64 };
/* Memory of a lane: the weights and, once they differ, their sums in bins. Then
 * for each scalar the words of its mean, its sum of squares and its bins. */
enum { WEIGHTS = CS_WEIGH_ROWS };
enum { MEAN, SQUARE, SUM };

typedef struct figures {
    uint64_t key;
    double mcse;
} figures;

typedef struct diagnostics {
    size_t scalars, bins; /* scalars: number of scalars whose variance uses
                             every step; bins: number of bins of every scalar */
    cs_sums more;         /* the other scalars, whose variance uses every eighth
                           * step */
    size_t turn;
    figures *cache; /* [scalars + more.n][CACHED] results from earlier
                       reports */
} diagnostics;

/* Returns the number of words of memory that one scalar takes. */
static size_t scalar_words(const diagnostics *d)
{
    return SUM + d->bins;
}

static size_t word_of(const diagnostics *d, size_t scalar, size_t word)
{
    return WEIGHTS + d->bins + scalar * scalar_words(d) + word;
}

static void place(cs_probe *p)
{
    diagnostics *d = p->self;
    d->more.bins = d->bins;
    d->more.at = word_of(d, d->scalars, 0);
    p->words = d->more.at + cs_sums_words(&d->more);
    p->first = d->scalars - 1 + d->more.n;
}

/* Reduces the number of bins for many chains. */
static void fit(cs_probe *p, size_t chains)
{
    /* Largest memory, in words, that the sums of all chains may take. */
    enum { MOST_WORDS = 1 << 21 };
    diagnostics *d = p->self;
    while (d->bins > LEAST_BINS && d->bins * chains > BINS * BINS)
        d->bins /= 2;
    if (d->more.n * d->bins * chains > MOST_WORDS)
        d->more.n = 0;
    place(p);
}

static cs_status create(cs_probe *p, cs_target *target, cs_error *err)
{
    size_t most = (size_t)p->values[COORDINATES], dim = cs_target_shown(target);
    diagnostics *d = p->self = cs_alloc(1, sizeof *d);
    if (d) {
        d->scalars = 1 + (dim < most ? dim : most);
        if (cs_space_is_real(&target->space))
            d->more.n = 1 + dim - d->scalars;
        d->cache =
            cs_alloc((d->scalars + d->more.n) * CACHED, sizeof *d->cache);
    }
    if (!d || !d->cache) {
        cs_free(d);
        return cs_fail(err, CS_MEMORY, "out of memory for the diagnostics");
    }
    d->bins = BINS;
    place(p);
    return CS_OK;
}

static void destroy(cs_probe *p)
{
    diagnostics *d = p->self;
    cs_free(d->cache);
    cs_free(d);
}

/* Returns scalar k of the step: log p (NULL: unknown) for k = 0, then the
 * quantities. */
static const double *scalar_of(const cs_step_view *s, size_t k)
{
    return k ? s->shown + (k - 1) * s->lanes : s->logp;
}

static double number_of(const double *value, double sign, size_t l)
{
    return value ? sign * value[l] : (double)NAN;
}

/* Updates the mean, the sum of squares and the current bin of one scalar in all
 * lanes. No lane may have failed. */
static void take_whole(const double *value, double sign, size_t lanes,
                       const cs_step_view *s, const double *seen, double *m,
                       size_t bin)
{
    size_t n = s->lanes;
    double *mean = m + MEAN * n, *square = m + SQUARE * n;
    double *sum = m + (SUM + bin) * n;
    for (size_t l = 0; l < lanes; l += CS_VECTOR) {
        cs_vd x = sign * cs_load(value + l), was = cs_load(mean + l);
        cs_vd delta = x - was, next = was + delta / cs_load(seen + l);
        cs_store(mean + l, next);
        cs_store(square + l, cs_load(square + l) + delta * (x - next));
        cs_store(sum + l, cs_load(sum + l) + x);
    }
}

/* Updates one scalar as take_whole does, but only in the lanes that are not
 * left out. The other lanes are unchanged. */
static void take(const double *value, double sign, const cs_step_view *s,
                 const double *seen, double *m, size_t bin)
{
    size_t n = s->lanes, lanes = cs_live_lanes(s);
    double *mean = m + MEAN * n, *square = m + SQUARE * n;
    double *sum = m + (SUM + bin) * n;
    for (size_t l = 0; l < lanes; l++) {
        double x = number_of(value, sign, l), delta = x - mean[l];
        double next = mean[l] + delta / seen[l];
        double more = delta * (x - next);
        bool live = !s->left_out[l];
        mean[l] = live ? next : mean[l];
        square[l] += live ? more : 0;
        sum[l] += live ? x : 0;
    }
}

/* Returns the scalars of this step whose variance uses every eighth step. */
static const double *more_of(const diagnostics *d, const cs_step_view *s)
{
    return s->shown + (d->scalars - 1) * s->lanes;
}

/* Updates the sums of the scalars whose variance uses every eighth step, in all
 * lanes. The lanes must have equal numbers of observations. */
static void take_more(const diagnostics *d, const cs_step_view *s,
                      uint64_t seen, double *memory)
{
    const double *x = more_of(d, s);
    if (d->more.n == 0)
        return;
    cs_sums_turn(&d->more, memory, s->lanes, cs_live_lanes(s), seen);
    if (s->whole) {
        cs_sums_take(&d->more, memory, s->lanes, x, seen);
        return;
    }
    for (size_t l = 0; l < s->live; l++)
        if (!s->left_out[l])
            cs_sums_take_one(&d->more, memory + l, s->lanes, x + l, s->lanes,
                             seen);
}

/* Updates the sums of one lane. The number of observations of this lane may
 * differ from the number in other lanes. */
static void observe_one(const diagnostics *d, const cs_step_view *s, size_t l,
                        double *memory)
{
    size_t n = s->lanes;
    bool fold;
    memory[l] += 1;
    double seen = memory[l];
    size_t bin = cs_bins_at_of((uint64_t)seen, d->bins, &fold);
    for (size_t k = 0; k < d->scalars; k++) {
        double *m = memory + word_of(d, k, 0) * n + l;
        if (fold)
            cs_bins_fold_some(m + SUM * n, d->bins, n, 1, CS_MERGE_SUM, 0);
        double x = number_of(scalar_of(s, k), k ? 1 : -1, l);
        double delta = x - m[MEAN * n];
        m[MEAN * n] += delta / seen;
        m[SQUARE * n] += delta * (x - m[MEAN * n]);
        m[(SUM + bin) * n] += x;
    }
    if (d->more.n) {
        cs_sums_turn(&d->more, memory, n, 1, (uint64_t)seen);
        cs_sums_take_one(&d->more, memory, n, more_of(d, s) + l, n,
                         (uint64_t)seen);
    }
}

/* Returns true if all lanes that have not failed have observed every step. The
 * bins of these lanes can then be merged at the same time. */
static bool see_alike(const cs_step_view *s, const double *memory,
                      uint64_t seen)
{
    bool alike = true;
    cs_vi unlike = {0};
    size_t lanes = cs_live_lanes(s);
    for (size_t l = 0; s->whole && l < lanes; l += CS_VECTOR)
        unlike |= cs_load(memory + l) != (double)(seen - 1);
    for (size_t l = 0; !s->whole && l < lanes; l++)
        alike &=
            s->failed[l] || (!s->left_out[l] && memory[l] + 1 == (double)seen);
    return alike && !cs_vbits(unlike);
}

/* ---- weighted draws ---- */

/* Returns how many of the first `seen` draws are in bin i. */
static double draws_in(const diagnostics *d, double seen, size_t i)
{
    double width = (double)cs_bins_width_of((uint64_t)seen, d->bins);
    return fmin(fmax(seen - (double)i * width, 0), width);
}

/* Converts the unweighted sums of a lane to the form for weighted draws. */
static void begin_more(const cs_sums *s, double seen, size_t n, double *lane)
{
    bool ignored;
    const cs_lane_memory chain = {lane, n, false};
    for (size_t k = 0; k < s->n; k++) {
        double *off = lane + cs_sums_row(s, CS_SUMS_OFF, k) * n;
        double *squares = lane + cs_sums_row(s, CS_SUMS_SQUARES, k) * n;
        cs_sums_moments(s, &chain, seen, k, off, squares);
        *squares = isnan(*squares) ? 0 : *squares;
    }
    cs_sums_close(s, lane, n, 1,
                  cs_bins_at_of((uint64_t)seen, s->bins, &ignored));
}

/* Sets the weight of each bin of a lane to the number of draws in the bin,
 * because each earlier draw has weight 1. */
static void begin_weights(const diagnostics *d, size_t n, double *lane)
{
    double seen = lane[0];
    if (!(seen > 0) || lane[CS_WEIGH_SUM * n] != 0)
        return;
    for (size_t i = 0; i < d->bins; i++)
        lane[(WEIGHTS + i) * n] = draws_in(d, seen, i);
    begin_more(&d->more, seen, n, lane);
}

/* Bins of the current draws of eight lanes. The bin of a lane depends on the
 * lane's own number of draws. */
typedef struct places {
    cs_vi draws;
    cs_weighed weighed;
    size_t bin[CS_VECTOR];
    bool fold[CS_VECTOR];
} places;

/* Adds x to the current bins of eight lanes in one row of bins. */
static void add_to_bins(const diagnostics *d, const places *at, cs_vd x,
                        double *row, size_t n)
{
    cs_weigh_rescale(&at->weighed, row, d->bins, n);
    for (size_t k = 0; k < CS_VECTOR; k++) {
        if (!at->draws[k])
            continue;
        if (at->fold[k])
            cs_bins_fold_some(row + k, d->bins, n, 1, CS_MERGE_SUM, 0);
        row[at->bin[k] * n + k] += x[k];
    }
}

/* Adds the weighted draw x to the mean, the sum of squares and the bins of one
 * scalar, in eight lanes. */
static void take_weighed(const diagnostics *d, const places *at, cs_vd x,
                         double *mean_at, double *square, double *bins,
                         size_t n)
{
    const cs_weighed *now = &at->weighed;
    cs_vd mean = cs_load(mean_at), delta = x - mean;
    cs_vd next = mean + delta * now->w / now->sum;
    cs_vd more = now->w * (delta * (x - next)), none = cs_vset(0);
    cs_weigh_rescale(now, square, 1, n);
    cs_store(mean_at, cs_vselect(at->draws, next, mean));
    cs_store(square, cs_load(square) + cs_vselect(at->draws, more, none));
    add_to_bins(d, at, now->w * x, bins, n);
}

/* Updates the sums of all scalars in the eight lanes that begin at lane l. */
static void take_all_weighed(const diagnostics *d, const cs_step_view *s,
                             const places *at, size_t l, double *memory)
{
    size_t n = s->lanes;
    double *lane = memory + l;
    for (size_t k = 0; k < d->scalars; k++) {
        const double *value = scalar_of(s, k);
        cs_vd x = value ? cs_load(value + l) : cs_vset((double)NAN);
        double *m = lane + word_of(d, k, 0) * n;
        take_weighed(d, at, k ? x : -x, m + MEAN * n, m + SQUARE * n,
                     m + SUM * n, n);
    }
    for (size_t k = 0; k < d->more.n; k++)
        take_weighed(d, at, cs_load(more_of(d, s) + k * n + l),
                     lane + cs_sums_row(&d->more, CS_SUMS_OFF, k) * n,
                     lane + cs_sums_row(&d->more, CS_SUMS_SQUARES, k) * n,
                     lane + cs_sums_bin(&d->more, k, 0) * n, n);
}

static __attribute__((noinline)) void
observe_weighed(const diagnostics *d, const cs_step_view *s, double *memory)
{
    size_t n = s->lanes;
    for (size_t l = 0; l < n; l += CS_VECTOR) {
        places at = {.draws = ~cs_load_bool(s->left_out + l)};
        for (size_t k = 0; k < CS_VECTOR; k++)
            begin_weights(d, n, memory + l + k);
        at.weighed = cs_weigh_lanes(s, l, at.draws, memory);
        for (size_t k = 0; k < CS_VECTOR; k++)
            if (at.draws[k])
                at.bin[k] = cs_bins_at_of((uint64_t)memory[l + k], d->bins,
                                          &at.fold[k]);
        add_to_bins(d, &at, at.weighed.w, memory + WEIGHTS * n + l, n);
        take_all_weighed(d, s, &at, l, memory);
    }
}

static void observe(const cs_probe *p, const cs_step_view *s, double *memory)
{
    const diagnostics *d = p->self;
    size_t n = s->lanes, lanes = cs_live_lanes(s);
    uint64_t seen = cs_bins_seen(p, s->step);
    bool fold;
    if (s->log_weight) {
        observe_weighed(d, s, memory);
        return;
    }
    if (!see_alike(s, memory, seen)) {
        for (size_t l = 0; l < lanes; l++)
            if (!s->left_out[l])
                observe_one(d, s, l, memory);
        return;
    }
    size_t bin = cs_bins_at_of(seen, d->bins, &fold);
    for (size_t l = 0; s->whole && l < lanes; l += CS_VECTOR)
        cs_store(memory + l, cs_vset((double)seen));
    for (size_t l = 0; !s->whole && l < lanes; l++)
        memory[l] = s->left_out[l] ? memory[l] : (double)seen;
    for (size_t k = 0; k < d->scalars; k++) {
        double *m = memory + word_of(d, k, 0) * n;
        const double *value = scalar_of(s, k), sign = k ? 1 : -1;
        if (fold)
            cs_bins_fold_some(m + SUM * n, d->bins, n, lanes, CS_MERGE_SUM, 0);
        if (!s->whole || !value)
            take(value, sign, s, memory, m, bin);
        else
            take_whole(value, sign, lanes, s, memory, m, bin);
    }
    take_more(d, s, seen, memory);
}

/* ---- one chain, several steps ---- */

/* Number of scalars processed together, so that their divisions overlap. */
enum { TOGETHER = CS_SERIES_PAD, VECTORS = TOGETHER / CS_VECTOR };
typedef struct some {
    cs_vd mean[VECTORS], square[VECTORS], sum[VECTORS];
} some;

static void copy_words(const double *word, size_t apart, size_t n, cs_vd *to)
{
    _Alignas(CS_ALIGN) double x[TOGETHER] = {0};
    for (size_t k = 0; k < n; k++)
        x[k] = word[k * apart];
    for (size_t v = 0; v < VECTORS; v++)
        to[v] = cs_load(x + v * CS_VECTOR);
}

static void put_words(const cs_vd *from, size_t n, size_t apart, double *word)
{
    _Alignas(CS_ALIGN) double x[TOGETHER];
    for (size_t v = 0; v < VECTORS; v++)
        cs_store(x + v * CS_VECTOR, from[v]);
    for (size_t k = 0; k < n; k++)
        word[k * apart] = x[k];
}

/* Adds `left` steps, which are all in one bin, to the mean, the sum of squares
 * and the bin of some scalars. */
static void take_steps(const double *row, size_t width, size_t left,
                       double seen, double sign, some *to)
{
    cs_vd signs[VECTORS];
    for (size_t v = 0; v < VECTORS; v++)
        signs[v] = cs_vset(1);
    signs[0][0] = sign;
    some s = *to;
    for (size_t j = 0; j < left; j++, row += width)
        for (size_t v = 0; v < VECTORS; v++) {
            cs_vd x = signs[v] * cs_load(row + v * CS_VECTOR);
            cs_vd delta = x - s.mean[v];
            s.mean[v] += delta / (seen + (double)(j + 1));
            s.square[v] += delta * (x - s.mean[v]);
            s.sum[v] += x;
        }
    *to = s;
}

static void fold_some(const diagnostics *d, double *m, size_t scalars, size_t n)
{
    for (size_t k = 0; k < scalars; k++)
        cs_bins_fold_some(m + (k * scalar_words(d) + SUM) * n, d->bins, n, 1,
                          CS_MERGE_SUM, 0);
}

/* Adds all steps of the series to the sums of the scalars from number `from`
 * on. `seen` is the number of observations before these steps. */
static void take_series(const diagnostics *d, const cs_probe_series *c,
                        size_t from, size_t scalars, uint64_t seen,
                        double *memory)
{
    size_t n = c->lanes, apart = scalar_words(d) * n;
    double *m = memory + word_of(d, from, 0) * n;
    some s;
    copy_words(m + MEAN * n, apart, scalars, s.mean);
    copy_words(m + SQUARE * n, apart, scalars, s.square);
    for (size_t j = 0, left; j < c->n; j += left, seen += left) {
        bool fold;
        size_t bin = cs_bins_at_of(seen + 1, d->bins, &fold);
        uint64_t width = cs_bins_width_of(seen + 1, d->bins);
        left = c->n - j;
        left =
            left < width - seen % width ? left : (size_t)(width - seen % width);
        if (fold)
            fold_some(d, m, scalars, n);
        copy_words(m + (SUM + bin) * n, apart, scalars, s.sum);
        take_steps(c->row + j * c->width + from, c->width, left, (double)seen,
                   from ? 1 : -1, &s);
        put_words(s.sum, scalars, apart, m + (SUM + bin) * n);
    }
    put_words(s.mean, scalars, apart, m + MEAN * n);
    put_words(s.square, scalars, apart, m + SQUARE * n);
}

static void observe_series(const cs_probe *p, const cs_probe_series *c,
                           double *memory)
{
    const diagnostics *d = p->self;
    uint64_t seen = (uint64_t)memory[0];
    for (size_t k = 0; k < d->scalars; k += TOGETHER)
        take_series(d, c, k,
                    d->scalars - k < TOGETHER ? d->scalars - k : TOGETHER, seen,
                    memory);
    for (size_t j = 0, left; d->more.n && j < c->n; j += left) {
        uint64_t next = seen + j + 1;
        uint64_t width = cs_bins_width_of(next, d->bins);
        left = (size_t)(width - (next - 1) % width);
        left = left < c->n - j ? left : c->n - j;
        cs_sums_turn(&d->more, memory, c->lanes, 1, next);
        cs_sums_take_steps(&d->more, memory, c->lanes,
                           c->row + j * c->width + d->scalars, c->width, left,
                           next);
    }
    memory[0] += (double)c->n;
}

/* ---- results from the bins ---- */

/* The chains in use: all chains that did not fail. If all chains failed, the
 * chains that ran longest are in use. */
typedef struct group {
    const diagnostics *d;
    const cs_lane_memory *chain[MOST_CHAINS];
    cs_chain_weight weight[MOST_CHAINS];
    cs_pooled_weight all;
    size_t n;
    uint64_t width;
    size_t bins; /* number of complete bins that every chain in use has */
} group;

static double seen_by(const cs_lane_memory *chain)
{
    return cs_bin_word(chain, 0);
}

/* Rounds n down to a multiple of one eighth of the largest power of two that is
 * at most n. */
static size_t cut(uint64_t n)
{
    uint64_t eighth = n ? (UINT64_C(1) << (63 - __builtin_clzll(n))) / 8 : 0;
    return (size_t)(eighth ? n - n % eighth : n);
}

/* Finds the largest bin width of any chain, and the number of bins of this
 * width that every chain has. Numbers of observations differ between chains
 * that sample from the target only at some steps. */
static void measure(group *g)
{
    uint64_t least = UINT64_MAX, most = 0;
    for (size_t c = 0; c < g->n; c++) {
        uint64_t seen = (uint64_t)seen_by(g->chain[c]);
        least = seen < least ? seen : least;
        most = seen > most ? seen : most;
    }
    g->width = cs_bins_width_of(most, g->d->bins);
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

static group gather(const diagnostics *d, const cs_lane_memory *chain, size_t n)
{
    group g = {.d = d};
    bool any = false; /* true: some chain has not failed */
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

/* Returns the sum of one scalar in bin i of a chain. */
static double sum_of(const diagnostics *d, const cs_lane_memory *chain,
                     size_t scalar, size_t i)
{
    if (scalar < d->scalars)
        return cs_bin_word(chain, word_of(d, scalar, SUM) + i);
    return cs_sums_in(&d->more, chain, seen_by(chain), scalar - d->scalars, i);
}

/* Returns the sum over `by` consecutive bins of a chain, which form bin i of
 * the group. */
static double bin_of(const diagnostics *d, const cs_lane_memory *chain,
                     size_t scalar, size_t by, size_t i)
{
    double x = sum_of(d, chain, scalar, i * by);
    for (size_t k = 1; k < by; k++)
        x += sum_of(d, chain, scalar, i * by + k);
    return x;
}

/* Fills x[chains][bins] with the batch means of a scalar, and returns a hash of
 * the means. */
static uint64_t copy_means(const group *g, size_t scalar, double *x)
{
    uint64_t h = g->bins;
    for (size_t c = 0; c < g->n; c++) {
        uint64_t seen = (uint64_t)seen_by(g->chain[c]);
        size_t by = (size_t)(g->width / cs_bins_width_of(seen, g->d->bins));
        for (size_t i = 0; i < g->bins; i++) {
            *x = bin_of(g->d, g->chain[c], scalar, by, i) / (double)g->width;
            h = mix(h, *x++);
        }
    }
    return h | 1;
}

/* Returns the total weight of the bins numbered `from` to `to` - 1 of a
 * chain. */
static double weight_in(const diagnostics *d, const cs_lane_memory *chain,
                        size_t from, size_t to)
{
    bool alike = cs_bin_word(chain, CS_WEIGH_SUM) == 0;
    double sum = 0;
    for (size_t i = from; i < to; i++)
        sum += alike ? draws_in(d, seen_by(chain), i)
                     : cs_bin_word(chain, WEIGHTS + i);
    return sum;
}

static double sum_in(const diagnostics *d, const cs_lane_memory *chain,
                     size_t scalar, size_t from, size_t to)
{
    double sum = 0;
    for (size_t i = from; i < to; i++)
        sum += sum_of(d, chain, scalar, i);
    return sum;
}

/* Fills x[chains][bins] with S - R W divided by the mean number of draws per
 * batch, and returns a hash of these values. The sum of the values is 0. */
static uint64_t copy_ratios(const group *g, size_t scalar, double ratio,
                            double *x)
{
    uint64_t h = g->bins;
    double draws = g->all.draws / (double)(g->n * g->bins);
    for (size_t c = 0; c < g->n; c++) {
        uint64_t seen = (uint64_t)seen_by(g->chain[c]);
        size_t by = (size_t)(g->width / cs_bins_width_of(seen, g->d->bins));
        for (size_t i = 0; i < g->bins; i++) {
            size_t from = i * by, to = i + 1 < g->bins ? from + by : g->d->bins;
            double off = sum_in(g->d, g->chain[c], scalar, from, to) -
                         ratio * weight_in(g->d, g->chain[c], from, to);
            *x = off * g->weight[c].unit / draws;
            h = mix(h, *x++);
        }
    }
    return h | 1;
}

/* Returns the Monte Carlo standard error of a scalar with mean `mean`. The
 * error is read from the cache or recomputed; NAN is not cached. */
static double error_of(diagnostics *d, const group *g, size_t scalar,
                       double mean, double *scratch)
{
    if (isnan(mean))
        return mean;
    uint64_t key = g->all.differ ? copy_ratios(g, scalar, mean, scratch)
                                 : copy_means(g, scalar, scratch);
    figures *cache = d->cache + scalar * CACHED;
    for (size_t i = 0; i < CACHED; i++)
        if (cache[i].key == key)
            return cache[i].mcse;
    figures *f = &cache[d->turn++ % CACHED];
    f->mcse = cs_mcse_mean((cs_draws){scratch, g->bins, g->n}, NULL);
    f->key = isnan(f->mcse) ? 0 : key;
    return f->mcse;
}

/* Computes the mean of a chain and the sum of squared deviations from this
 * mean, in the unit of the chain's weights. */
static void moments_of(const diagnostics *d, const cs_lane_memory *chain,
                       size_t scalar, double *mean, double *square)
{
    const cs_sums *s = &d->more;
    size_t k = scalar - d->scalars;
    bool own = scalar < d->scalars;
    if (!own && cs_bin_word(chain, CS_WEIGH_SUM) == 0) {
        cs_sums_moments(s, chain, seen_by(chain), k, mean, square);
        return;
    }
    *mean = cs_bin_word(chain, own ? word_of(d, scalar, MEAN)
                                   : cs_sums_row(s, CS_SUMS_OFF, k));
    *square = cs_bin_word(chain, own ? word_of(d, scalar, SQUARE)
                                     : cs_sums_row(s, CS_SUMS_SQUARES, k));
}

/* Computes the mean and standard deviation of all steps of the group. */
static void pool(const group *g, size_t scalar, double *mean, double *sd)
{
    double n = g->all.draws, square = 0, sum = 0, m, q;
    for (size_t c = 0; c < g->n; c++) {
        moments_of(g->d, g->chain[c], scalar, &m, &q);
        sum += seen_by(g->chain[c]) > 0 ? m * (seen_by(g->chain[c]) / n) : 0;
    }
    for (size_t c = 0; c < g->n; c++) {
        moments_of(g->d, g->chain[c], scalar, &m, &q);
        double delta = m - sum;
        if (seen_by(g->chain[c]) > 0)
            square +=
                q * g->weight[c].unit + seen_by(g->chain[c]) * delta * delta;
    }
    *mean = n > 0 ? sum : (double)NAN;
    double free = cs_pooled_freedom(&g->all);
    *sd = free > 0 ? sqrt(square / free) : (double)NAN;
}

/* Computes the ESS of a row from its error. An ESS above n log10 n is reduced
 * to that value, as for draws (Vehtari et al.); the error then follows from the
 * reduced ESS. */
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
    group g = gather(d, chain, n);
    double *scratch = cs_alloc(g.n * g.bins, sizeof *scratch);
    cs_row_steps *row = CS_FLAT_ROWS(out, cs_row_steps, d->scalars + d->more.n,
                                     "%sall", prefix);
    for (size_t k = 0; row && k < d->scalars + d->more.n; k++, row++) {
        pool(&g, k, &row->mean, &row->sd);
        row->mcse = scratch && g.n && g.bins
                        ? error_of(d, &g, k, row->mean, scratch)
                        : (double)NAN;
        size_up(&g, row);
    }
    cs_free(scratch);
}

static const cs_param params[] = {
    [COORDINATES] =
        {.name = "coordinates",
         CS_FIXED(INT),
         .max = 64,
         .def = 10, /* the number of coordinates of the eight
                                   schools model */
         .help = "number of coordinates, starting with the first, whose "
                 "variance is computed from every step. The variance of other "
                 "coordinates is computed from every eighth step or, for a "
                 "discrete state, from the kept draws"},
};

const cs_probe_type CS_VARIANT(cs_probe_diagnostics) = {
    .name = "diagnostics",
    .title = "Diagnostics",
    .help = "R-hat, effective sizes and Monte Carlo errors",
    .logp = true,
    .diagnosed = true,
    CS_PARAM_TABLE(params),
    .costly = true,
    .create = create,
    .destroy = destroy,
    .fit = fit,
    .observe = observe,
    .observe_series = observe_series,
    .report = report,
};
