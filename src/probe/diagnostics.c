/* R-hat, effective sizes and Monte Carlo errors of the energy -U and of the
 * first coordinates, at any length of run from a fixed memory.
 *
 * Time is cut into 256 bins that double (probe/bins.h). Each keeps its last
 * value and its sum:
 *
 * - The last values are the chain thinned evenly. R-hat, bulk and tail ESS are
 *   those of these draws, which stat/diagnostics.h defines. An ESS of thinned
 *   draws is at most their number, hence
 * - the sums, divided by the width, are batch means. They go through the same
 *   estimator (split chains, between-chain variance, Geyer's sequence over
 *   batches), so that MCSE = sd(batch means) / sqrt(ESS(batch means)) holds
 *   whether chains are short or long against a batch, agree or not; and
 *   ESS = (sd / MCSE)^2, of all steps, grows with the run. While batches are
 *   single draws this is the ESS of the mean of Vehtari et al. exactly.
 *
 * Figures are made anew when the number of complete bins has grown by an
 * eighth of a power of two: they are a function of what is kept alone, and
 * cost nothing in between. */
#include "stat/diagnostics.h"
#include "base/memory.h"
#include "base/simd.h"
#include "probe/bins.h"
#include "stat/moments.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { COORDINATES };
enum { BINS = 256, MOST_CHAINS = 32, CACHED = 8, NAME = 40, STUCK_BINS = 16 };
/* The memory of a lane: observations, then per scalar */
enum { MEAN, SQUARE, KEPT, SUM = KEPT + BINS, SCALAR_WORDS = SUM + BINS };

/* The columns of the table; the last five come from the bins. */
enum { COL_MEAN, COL_SD, RHAT, BULK, TAIL, MCSE, ESS, COLUMNS };

static const char no_memory[] = "out of memory"; /* as stat/ says it */

typedef struct figures {
    uint64_t key;
    double value[COLUMNS];
    const char *why; /* R-hat is undefined */
    uint32_t stuck;  /* bit c: chain c never moved */
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
    p->words = 1 + d->scalars * SCALAR_WORDS;
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
    return 1 + scalar * SCALAR_WORDS + word;
}

/* One scalar of every lane that lives; the others keep what they have. */
static void take(const double *value, double sign, const cs_sight *s,
                 const double *seen, double *m, size_t bin)
{
    size_t n = s->lanes;
    double *mean = m + MEAN * n, *square = m + SQUARE * n;
    double *kept = m + (KEPT + bin) * n, *sum = m + (SUM + bin) * n;
    for (size_t l = 0; l < n; l++) {
        double x = sign * value[l], delta = x - mean[l];
        double next = mean[l] + delta / seen[l];
        double more = delta * (x - next);
        bool live = !s->left_out[l];
        mean[l] = live ? next : mean[l];
        square[l] += live ? more : 0;
        kept[l] = live ? x : kept[l];
        sum[l] += live ? x : 0;
    }
}

/* One lane by itself, by its own count of what it has seen. */
static void observe_one(const diagnostics *d, const cs_sight *s, size_t l,
                        double *memory)
{
    size_t n = s->lanes;
    bool fold;
    memory[l] += 1;
    double seen = memory[l];
    size_t bin = cs_bins_at_of((uint64_t)seen, BINS, &fold);
    for (size_t k = 0; k < d->scalars; k++) {
        double *m = memory + word_of(k, 0) * n + l;
        if (fold) {
            cs_bins_fold_some(m + KEPT * n, BINS, n, 1, CS_MERGE_LAST, 0);
            cs_bins_fold_some(m + SUM * n, BINS, n, 1, CS_MERGE_SUM, 0);
        }
        double x = k ? s->shown[(k - 1) * n + l] : -s->info->u[l];
        double delta = x - m[MEAN * n];
        m[MEAN * n] += delta / seen;
        m[SQUARE * n] += delta * (x - m[MEAN * n]);
        m[(KEPT + bin) * n] = x;
        m[(SUM + bin) * n] += x;
    }
}

/* Whether all lanes that live have seen every step, so that their bins are
 * folded together. */
static bool see_alike(const cs_sight *s, const double *memory, uint64_t seen)
{
    bool alike = true;
    for (size_t l = 0; l < s->lanes; l++)
        alike &=
            s->failed[l] || (!s->left_out[l] && memory[l] + 1 == (double)seen);
    return alike;
}

static void observe(const cs_probe *p, const cs_sight *s, double *memory)
{
    const diagnostics *d = p->self;
    size_t n = s->lanes;
    uint64_t seen = cs_bins_seen(p, s->step);
    bool fold;
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
        if (fold) {
            cs_bins_fold_of(m + KEPT * n, BINS, n, CS_MERGE_LAST, 0);
            cs_bins_fold_of(m + SUM * n, BINS, n, CS_MERGE_SUM, 0);
        }
        take(k ? s->shown + (k - 1) * n : s->info->u, k ? 1 : -1, s, memory, m,
             bin);
    }
}

/* ---- what the bins say ---- */

/* The chains that are looked at: those that did not fail, or, where all did,
 * those that went on for longest. */
typedef struct group {
    const cs_lane_memory *chain[MOST_CHAINS];
    size_t number[MOST_CHAINS]; /* from 1 */
    size_t n, all, failed;
    uint64_t width;
    size_t bins; /* complete ones in use, of every chain */
} group;

static double seen_by(const cs_lane_memory *chain)
{
    return cs_word(chain, 0);
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
    g->bins = g->n ? cut(least / g->width) : 0;
}

static group gather(const cs_lane_memory *chain, size_t n)
{
    group g = {.all = n};
    bool any = false; /* that lives */
    double most = 0;
    for (size_t c = 0; c < n; c++) {
        any |= !chain[c].failed;
        most = fmax(most, seen_by(&chain[c]));
    }
    for (size_t c = 0; c < n; c++) {
        bool whole = any ? !chain[c].failed : seen_by(&chain[c]) == most;
        g.failed += chain[c].failed;
        if (!whole || g.n == MOST_CHAINS)
            continue;
        g.number[g.n] = c + 1;
        g.chain[g.n++] = &chain[c];
    }
    measure(&g);
    return g;
}

static uint64_t mix(uint64_t h, double value)
{
    uint64_t word;
    memcpy(&word, &value, sizeof word);
    h = (h ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return h ^ h >> 29;
}

/* Bin i of a chain, `by` of its own together. */
static double bin_of(const cs_lane_memory *chain, size_t first, size_t by,
                     size_t i, cs_merge how)
{
    double x = cs_word(chain, first + i * by);
    for (size_t k = 1; k < by; k++)
        x = cs_merged(how, x, cs_word(chain, first + i * by + k));
    return x;
}

/* x[chains][bins] = one row of the bins; goes on with the hash h. */
static uint64_t copy_bins(const group *g, size_t first, cs_merge how,
                          double scale, uint64_t h, double *x)
{
    for (size_t c = 0; c < g->n; c++) {
        uint64_t seen = (uint64_t)seen_by(g->chain[c]);
        size_t by = (size_t)(g->width / cs_bins_width_of(seen, BINS));
        for (size_t i = 0; i < g->bins; i++) {
            *x = bin_of(g->chain[c], first, by, i, how) * scale;
            h = mix(h, *x++);
        }
    }
    return h;
}

/* R-hat and the sizes from the kept draws, the error from the batch means;
 * false when memory was short for any. */
static bool compute(const group *g, const double *kept, const double *means,
                    figures *f)
{
    cs_draws d = {kept, g->bins, g->n}, b = {means, g->bins, g->n};
    const char *why[3];
    bool good = true;
    f->value[RHAT] = cs_rhat(d, &f->why);
    f->value[BULK] = cs_ess_bulk(d, &why[0]);
    f->value[TAIL] = cs_ess_tail(d, &why[1]);
    f->value[MCSE] = cs_mcse_mean(b, &why[2]);
    for (size_t i = 0; i < 3; i++)
        good = good && !(why[i] && strcmp(why[i], no_memory) == 0);
    if (!good)
        f->why = no_memory;
    f->stuck = 0;
    bool ask = g->n > 1 && g->bins >= STUCK_BINS; /* not after a few steps */
    for (size_t c = 0; ask && c < g->n; c++)
        if (cs_stuck_chain((cs_draws){kept + c * g->bins, g->bins, 1}) == 0)
            f->stuck |= UINT32_C(1) << c;
    return !(f->why && strcmp(f->why, no_memory) == 0);
}

static figures of_bins(diagnostics *d, const group *g, size_t scalar,
                       double *room)
{
    double *means = room + g->n * g->bins;
    double scale = 1 / (double)g->width;
    uint64_t key =
        copy_bins(g, word_of(scalar, KEPT), CS_MERGE_LAST, 1, g->bins, room);
    key =
        copy_bins(g, word_of(scalar, SUM), CS_MERGE_SUM, scale, key, means) | 1;
    figures *cache = d->cache + scalar * CACHED;
    for (size_t i = 0; i < CACHED; i++)
        if (cache[i].key == key)
            return cache[i];
    figures *f = &cache[d->turn++ % CACHED];
    f->key = compute(g, room, means, f) ? key : 0;
    return *f;
}

/* Mean and standard deviation of all steps of the group. */
static void pool(const group *g, size_t scalar, double *mean, double *sd)
{
    double n = 0, square = 0, sum = 0;
    for (size_t c = 0; c < g->n; c++)
        n += seen_by(g->chain[c]);
    for (size_t c = 0; c < g->n; c++)
        sum += cs_word(g->chain[c], word_of(scalar, MEAN)) *
               (seen_by(g->chain[c]) / n);
    for (size_t c = 0; c < g->n; c++) {
        double delta = cs_word(g->chain[c], word_of(scalar, MEAN)) - sum;
        square += cs_word(g->chain[c], word_of(scalar, SQUARE)) +
                  seen_by(g->chain[c]) * delta * delta;
    }
    *mean = n > 0 ? sum : (double)NAN;
    *sd = n > 1 ? sqrt(square / (n - 1)) : (double)NAN;
}

/* ---- what is wrong, in words ---- */

typedef struct verdict {
    const char *why;
    bool partly; /* something is known of other numbers */
    uint32_t stuck;
    double rhat, ess;
    size_t why_at, rhat_at, ess_at;
} verdict;

static void judge(verdict *v, const figures *f, size_t scalar)
{
    if (scalar == 0)
        *v = (verdict){.why = f->why, .stuck = f->stuck, .ess = HUGE_VAL};
    v->stuck &= f->stuck;
    v->partly |= !f->why;
    if (!v->why && f->why) {
        v->why = f->why;
        v->why_at = scalar;
    }
    if (f->value[RHAT] > v->rhat) {
        v->rhat = f->value[RHAT];
        v->rhat_at = scalar;
    }
    if (f->value[BULK] < v->ess) {
        v->ess = f->value[BULK];
        v->ess_at = scalar;
    }
}

static void name_of(const cs_probe *p, size_t scalar, char name[NAME])
{
    if (scalar)
        cs_target_coordinate(p->target, scalar - 1, name, NAME);
    else
        snprintf(name, NAME, "energy");
}

static void put_reason(const cs_probe *p, const group *g, const verdict *v,
                       const char *prefix, cs_flat *out)
{
    char text[160] = "", name[NAME];
    if (g->failed && g->failed == g->all)
        snprintf(text, sizeof text, "all %zu chains failed, chain %zu last",
                 g->all, g->number[g->n - 1]);
    else if (g->failed)
        snprintf(text, sizeof text, "%zu of %zu chains failed; left out",
                 g->failed, g->all);
    else if (v->stuck && (!v->why || v->partly))
        snprintf(text, sizeof text,
                 "chain %zu is stuck: all its draws are equal",
                 g->number[__builtin_ctz(v->stuck)]);
    else if (v->why && v->partly) {
        name_of(p, v->why_at, name);
        snprintf(text, sizeof text, "%s: %s", name, v->why);
    } else if (v->why)
        snprintf(text, sizeof text, "%s", v->why);
    else if (v->rhat > 1.01) {
        name_of(p, v->rhat_at, name);
        snprintf(text, sizeof text,
                 "R-hat of %s is %.3g: the chains do not agree; run longer or "
                 "change the kernel",
                 name, v->rhat);
    } else if (v->ess < 100 * (double)g->n) {
        name_of(p, v->ess_at, name);
        snprintf(text, sizeof text,
                 "bulk ESS of %s is %.0f, below 100 a chain: run longer", name,
                 v->ess);
    }
    cs_flat_text(out, text, "%sreason", prefix);
}

static void put_names(const cs_probe *p, const char *prefix, cs_flat *out)
{
    const diagnostics *d = p->self;
    char text[65 * NAME] = "", name[NAME];
    size_t at = 0;
    for (size_t k = 0; k < d->scalars; k++) {
        name_of(p, k, name);
        int n =
            snprintf(text + at, sizeof text - at, "%s%s", k ? " " : "", name);
        at += n > 0 ? (size_t)n : 0;
    }
    cs_flat_text(out, text, "%snames", prefix);
}

static void report(const cs_probe *p, const cs_lane_memory *chain, size_t n,
                   const char *prefix, cs_flat *out)
{
    diagnostics *d = p->self;
    group g = gather(chain, n);
    verdict v = {.why = "there are no draws"};
    double *room = cs_alloc(2 * g.n * g.bins, sizeof *room);
    double *row = cs_flat_array(out, d->scalars, COLUMNS, "%stable", prefix);
    for (size_t k = 0; row && k < d->scalars; k++, row += COLUMNS) {
        figures f = {.value = {NAN, NAN, NAN, NAN, NAN, NAN, NAN},
                     .why = room ? "there are no draws" : no_memory};
        if (room && g.n && g.bins)
            f = of_bins(d, &g, k, room);
        pool(&g, k, &f.value[COL_MEAN], &f.value[COL_SD]);
        double ratio = f.value[COL_SD] / f.value[MCSE];
        f.value[ESS] = ratio * ratio;
        /* an output may be constant: the upper triangle of a factor */
        if (!k || !p->target->outputs.n || f.value[COL_SD] != 0)
            judge(&v, &f, k);
        memcpy(row, f.value, sizeof f.value);
    }
    cs_free(room);
    put_names(p, prefix, out);
    cs_flat_number(out, (double)g.bins, "%sn", prefix);
    cs_flat_number(out, (double)(g.width * p->every), "%severy", prefix);
    put_reason(p, &g, &v, prefix, out);
}

static const cs_param params[] = {
    [COORDINATES] = {.name = "coordinates",
                     .kind = CS_PARAM_INT,
                     .flags = CS_PARAM_FIXED,
                     .max = 64,
                     .def = 10, /* those of the eight schools */
                     .help = "how many coordinates, from the first, beside "
                             "the energy"},
};

extern const cs_probe_type CS_VARIANT(cs_probe_diagnostics);
const cs_probe_type CS_VARIANT(cs_probe_diagnostics) = {
    .name = "diagnostics",
    .title = "Diagnostics",
    .help = "R-hat, effective sizes and Monte Carlo errors",
    .params = params,
    .n_params = sizeof params / sizeof *params,
    .dear = true,
    .create = create,
    .destroy = destroy,
    .observe = observe,
    .report = report,
};
