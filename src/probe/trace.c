/* Traces of a few scalars: the lowest and the highest value in each time bin,
 * one value drawn at random from each of several shorter bins, and the newest
 * values. The drawn values show how often each value occurred. Scalar 0 is the
 * energy -log p (NAN if it is not known). The first coordinates follow, then
 * one more coordinate if requested. A trace is a property of the chain and
 * ignores weights. For a kernel with bins, the newest steps also have their bin
 * and whether the step went uphill. */
#include "probe/time_bins.h"
#include "simd/simd.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_COORDINATES = 7, NAME = 40, RECENT = 128, DRAWN = 256 };
enum { COORDINATE };

/* Memory of a lane: the number of observations, then for each scalar the low
 * values, high values, drawn values and newest values. Then the bins of the
 * newest steps: negative if the gradient's multiplier was negative, NAN without
 * bins. Returns the word of a scalar's low values. */
static size_t low_of(size_t scalar)
{
    return 1 + scalar * (2 * CS_BINS + DRAWN + RECENT);
}

static size_t drawn_of(size_t scalar)
{
    return low_of(scalar) + 2 * CS_BINS;
}

static size_t recent_of(size_t scalar)
{
    return drawn_of(scalar) + DRAWN;
}

/* Returns the default number of observed scalars, including the energy. */
static size_t first_scalars(const cs_probe *p)
{
    size_t dim = cs_target_shown(p->target);
    return 1 + (dim < MOST_COORDINATES ? dim : MOST_COORDINATES);
}

static size_t scalars(const cs_probe *p)
{
    size_t first = first_scalars(p);
    return first + (p->values[COORDINATE] >= (double)first);
}

static size_t bins_row(const cs_probe *p)
{
    return low_of(scalars(p));
}

/* Returns the index of the coordinate that is scalar number `scalar`. This
 * scalar must not be the energy. */
static size_t coordinate_of(const cs_probe *p, size_t scalar)
{
    return scalar < first_scalars(p) ? scalar - 1
                                     : (size_t)p->values[COORDINATE] - 1;
}

static cs_status create(cs_probe *p, cs_target *target, cs_error *err)
{
    double dim = (double)cs_target_shown(target);
    if (p->values[COORDINATE] > dim) {
        cs_fail(err, CS_UNSUPPORTED, "target %s has no coordinate %g",
                target->name, p->values[COORDINATE]);
        cs_hint(err, "choose one of its %g coordinates", dim);
        return CS_UNSUPPORTED;
    }
    p->words = bins_row(p) + RECENT;
    return CS_OK;
}

static void init(const cs_probe *p, double *memory, size_t lanes)
{
    for (size_t s = 0; s < scalars(p); s++)
        for (size_t i = 0; i < CS_BINS * lanes; i++) {
            memory[low_of(s) * lanes + i] = HUGE_VAL;
            memory[(low_of(s) + CS_BINS) * lanes + i] = -HUGE_VAL;
        }
    for (size_t s = 0; s < scalars(p); s++)
        for (size_t i = 0; i < (DRAWN + RECENT) * lanes; i++)
            memory[drawn_of(s) * lanes + i] = NAN;
    for (size_t i = 0; i < RECENT * lanes; i++)
        memory[bins_row(p) * lanes + i] = NAN;
}

/* Updates the low, high and newest values of one scalar in all lanes. If
 * `value` is NULL, the scalar is not known at this step. */
static void take(const double *value, double sign, const bool *failed,
                 size_t lanes, double *low, double *high, double *newest)
{
    for (size_t l = 0; l < lanes; l++) {
        double v = value ? sign * value[l] : (double)NAN;
        bool live = !failed[l];
        low[l] = live && v < low[l] ? v : low[l];
        high[l] = live && v > high[l] ? v : high[l];
        newest[l] = live ? v : (double)NAN;
    }
}

/* Returns a number that depends only on a bin and its width, so that all lanes
 * and blocks use equal numbers (the finaliser of splitmix64). */
static uint64_t mix(uint64_t bin, uint64_t width)
{
    uint64_t z = bin * UINT64_C(0x9E3779B97F4A7C15) + width;
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

/* Merges pairs of bins: keeps one of the two drawn values, each with
 * probability 1/2. */
static void fold_drawn(double *drawn, size_t lanes, uint64_t width)
{
    for (size_t i = 0; i < DRAWN / 2; i++) {
        size_t from = 2 * i + (mix(i, width) & 1);
        memmove(drawn + i * lanes, drawn + from * lanes, lanes * sizeof *drawn);
    }
    for (size_t i = DRAWN / 2 * lanes; i < DRAWN * lanes; i++)
        drawn[i] = NAN;
}

/* Stores a scalar's newest value as the drawn value of a bin, if this
 * observation is the one that was drawn for the bin. The draw does not depend
 * on the values. */
static void take_drawn(uint64_t seen, const double *newest, size_t lanes,
                       double *drawn)
{
    bool fold;
    size_t bin = cs_bins_at_of(seen, DRAWN, &fold);
    uint64_t width = cs_bins_width_of(seen, DRAWN);
    if (fold)
        fold_drawn(drawn, lanes, width);
    if ((seen - 1) % width == mix(bin, width) % width)
        memcpy(drawn + bin * lanes, newest, lanes * sizeof *drawn);
}

static void take_bins(const cs_step_view *s, double *newest)
{
    for (size_t l = 0; l < s->lanes; l++) {
        bool live = s->bin && !s->failed[l];
        bool uphill = live && s->multiplier && s->multiplier[l] < 0;
        newest[l] = live ? uphill ? -s->bin[l] : s->bin[l] : (double)NAN;
    }
}

static void observe(const cs_probe *p, const cs_step_view *s, double *memory)
{
    size_t n = s->lanes, count = scalars(p);
    bool fold;
    uint64_t seen = cs_bins_seen(p, s->step);
    size_t bin = cs_bins_at(seen, &fold);
    for (size_t l = 0; l < n; l++)
        memory[l] = (double)seen;
    for (size_t k = 0; k < count; k++) {
        double *low = memory + low_of(k) * n;
        double *high = low + CS_BINS * n;
        double *drawn = high + CS_BINS * n;
        double *newest = drawn + (DRAWN + seen % RECENT) * n;
        if (fold) {
            cs_bins_fold(low, n, CS_MERGE_MIN, HUGE_VAL);
            cs_bins_fold(high, n, CS_MERGE_MAX, -HUGE_VAL);
        }
        take(k ? s->shown + coordinate_of(p, k) * n : s->logp, k ? 1 : -1,
             s->failed, n, low + bin * n, high + bin * n, newest);
        take_drawn(seen, newest, n, drawn);
    }
    take_bins(s, memory + (bins_row(p) + seen % RECENT) * n);
}

/* Writes the first `used` words, starting at word `at`, and NAN for empty
 * bins. */
static void envelope(const cs_lane_memory *chain, size_t n, size_t used,
                     size_t at, double *out)
{
    for (size_t c = 0; out && c < n; c++)
        for (size_t i = 0; i < used; i++) {
            double v = cs_bin_word(&chain[c], at + i);
            *out++ = isfinite(v) ? v : (double)NAN;
        }
}

/* Writes the newest observations of each chain to `out`, oldest first. */
static void recent(const cs_lane_memory *chain, size_t n, uint64_t seen,
                   size_t kept, size_t at, double *out)
{
    for (size_t c = 0; out && c < n; c++)
        for (uint64_t i = seen - kept + 1; i <= seen; i++)
            *out++ = cs_bin_word(&chain[c], at + i % RECENT);
}

static void names(const cs_probe *p, const char *prefix, cs_flat *out)
{
    char text[(MOST_COORDINATES + 2) * NAME] = "energy", one[NAME];
    size_t at = 6;
    for (size_t i = 1; i < scalars(p); i++) {
        cs_target_coordinate(p->target, coordinate_of(p, i), one, sizeof one);
        int k = snprintf(text + at, sizeof text - at, " %s", one);
        at += k > 0 ? (size_t)k : 0;
    }
    cs_flat_text(out, text, "%snames", prefix);
}

/* Returns true if some chain was in a bin at the newest step. */
static bool has_bins(const cs_probe *p, const cs_lane_memory *chain, size_t n,
                     uint64_t seen)
{
    bool any = false;
    for (size_t c = 0; c < n; c++)
        any |= !isnan(cs_bin_word(&chain[c], bins_row(p) + seen % RECENT));
    return any;
}

static void report(const cs_probe *p, const cs_lane_memory *chain, size_t n,
                   const char *prefix, cs_flat *out)
{
    uint64_t seen = n ? (uint64_t)cs_bin_word(&chain[0], 0) : 0;
    size_t used = cs_bins_used(seen);
    cs_bins_time(p, seen, cs_flat_array(out, 1, used, "%stime", prefix));
    names(p, prefix, out);
    size_t kept = seen < RECENT ? (size_t)seen : RECENT;
    double *time = cs_flat_array(out, 1, kept, "%srecent", prefix);
    for (size_t i = 0; time && i < kept; i++)
        time[i] = (double)((seen - kept + 1 + i) * p->every);
    if (kept && has_bins(p, chain, n, seen))
        recent(chain, n, seen, kept, bins_row(p),
               cs_flat_array(out, n, kept, "%sbins", prefix));
    uint64_t width = cs_bins_width_of(seen, DRAWN);
    size_t drawn = (size_t)((seen + width - 1) / width);
    time = cs_flat_array(out, 1, drawn, "%sdrawn", prefix);
    for (size_t i = 0; time && i < drawn; i++)
        time[i] =
            fmin((double)((i + 1) * width), (double)seen) * (double)p->every;
    for (size_t s = 0; s < scalars(p); s++) {
        envelope(chain, n, drawn, drawn_of(s),
                 cs_flat_array(out, n, drawn, "%s%zu/drawn", prefix, s));
        recent(chain, n, seen, kept, recent_of(s),
               cs_flat_array(out, n, kept, "%s%zu/recent", prefix, s));
        envelope(chain, n, used, low_of(s),
                 cs_flat_array(out, n, used, "%s%zu/low", prefix, s));
        envelope(chain, n, used, low_of(s) + CS_BINS,
                 cs_flat_array(out, n, used, "%s%zu/high", prefix, s));
    }
}

static const cs_param params[] = {
    [COORDINATE] = {.name = "coordinate",
                    CS_FIXED(INT),
                    CS_PARAM_RANGE(0, 1e9, 0),
                    .help = "index of a coordinate that is recorded in "
                            "addition to the first coordinates; 0: none"},
};

const cs_probe_type CS_VARIANT(cs_probe_trace) = {
    .name = "trace",
    .title = "Trace",
    .help = "the energy and the first coordinates over time",
    .logp = true,
    CS_PARAM_TABLE(params),
    .all_chains = true,
    .create = create,
    .init = init,
    .observe = observe,
    .report = report,
};
