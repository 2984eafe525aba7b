/* Distribution of the weight over an arm's draws: the effective sample size
 * (Kish), (sum w)^2 / sum w^2; the numbers of draws counted and left out; the
 * largest fraction of the weight in one draw; and a histogram of log10(w / mean
 * weight of the chain), by draws and by weight. Kish, "Survey Sampling" (1965),
 * section 8.2.
 *
 * These results measure how uneven the weights are, not the correlation of the
 * draws. The error of a mean from the probe `diagnostics` includes both
 * effects.
 *
 * Nothing is reported if no draw is left out and all draws have equal weights.
 */
#include "probe/grid.h"
#include "probe/rows.h"
#include "probe/weigh.h"

enum { MOST_BINS = 64 };

/* Memory of a lane: the weights, the draws left out, and the largest log
 * weight. Then a histogram of log weights relative to the first draw, and a
 * second set of bins with the weight of the draws. Both sets of bins are empty
 * while the weights are equal. */
enum {
    LEFT_OUT = CS_WEIGH_ROWS,
    TOP,
    GRID,
    COUNT = GRID + CS_GRID_BIN,
    WEIGHT = COUNT + CS_GRID_BINS,
    WORDS = WEIGHT + CS_GRID_BINS
};

static cs_status create(cs_probe *p, cs_target *target, cs_error *err)
{
    (void)target;
    (void)err;
    p->words = WORDS;
    return CS_OK;
}

/* Adds n draws of this log weight, each of weight w, to the histogram of a
 * lane. */
static void put(double *m, size_t lanes, double log_weight, double n, double w)
{
    size_t b = cs_grid_reach(m + GRID * lanes, lanes, 2, log_weight);
    m[(COUNT + b) * lanes] += n;
    m[(WEIGHT + b) * lanes] += n * w;
}

static __attribute__((noinline)) void observe_weighed(const cs_step_view *s,
                                                      double *memory)
{
    size_t n = s->lanes;
    for (size_t l = 0; l < s->live; l += CS_VECTOR) {
        const bool *skip = s->left_out + l;
        for (double *m = memory + l; m < memory + l + CS_VECTOR; m++)
            if (m[CS_WEIGH_SUM * n] == 0 && m[0] > 0)
                put(m, n, 0, m[0], 1);
        cs_vd seen = cs_load(memory + l);
        cs_weighed now = cs_weigh_lanes(s, l, ~cs_load_bool(skip), memory);
        cs_weigh_rescale(&now, memory + WEIGHT * n + l, CS_GRID_BINS, n);
        for (size_t k = 0; k < CS_VECTOR && l + k < s->live; k++) {
            double lw = s->log_weight[l + k], *m = memory + l + k;
            if (skip[k])
                continue;
            put(m, n, lw, 1, now.w[k]);
            m[TOP * n] = seen[k] > 0 ? fmax(m[TOP * n], lw) : lw;
        }
    }
}

static void observe(const cs_probe *p, const cs_step_view *s, double *memory)
{
    (void)p;
    double *out = memory + LEFT_OUT * s->lanes;
    for (size_t l = 0; l < s->lanes; l += CS_VECTOR) {
        cs_vi skip = cs_load_bool(s->left_out + l);
        cs_vi none = skip & ~cs_load_bool(s->failed + l);
        cs_store(out + l,
                 cs_load(out + l) + cs_vselect(none, cs_vset(1), cs_vset(0)));
        if (!s->log_weight)
            cs_weigh_alike(~skip, memory + l);
    }
    if (s->log_weight)
        observe_weighed(s, memory);
}

/* ---- reporting ---- */

/* Returns the largest fraction of a chain's weight that is in one draw. */
static double largest_of(const cs_lane_memory *m, const cs_chain_weight *w)
{
    double top = cs_bin_word(m, TOP) - cs_bin_word(m, CS_WEIGH_MOST);
    return w->sum > 0 ? exp(top) / w->sum : (double)NAN;
}

static void report_rows(const cs_lane_memory *chain, size_t n,
                        const cs_pooled_weight *pooled, const char *prefix,
                        cs_flat *out)
{
    cs_row_weights *row =
        CS_FLAT_ROWS(out, cs_row_weights, n, "%schains", prefix);
    cs_row_weights *all = CS_FLAT_ROWS(out, cs_row_weights, 1, "%sall", prefix);
    if (!row || !all)
        return;
    *all = (cs_row_weights){.draws = pooled->draws, .size = pooled->size};
    for (size_t c = 0; c < n; c++) {
        cs_chain_weight w = cs_chain_weight_of(&chain[c], 0);
        row[c] = (cs_row_weights){
            .draws = w.draws,
            .left_out = cs_bin_word(&chain[c], LEFT_OUT),
            .size = w.sum > 0 ? w.sum * (w.sum / w.squares) : 0,
            .largest = largest_of(&chain[c], &w)};
        all->left_out += row[c].left_out;
        if (w.sum > 0)
            all->largest =
                fmax(all->largest, row[c].largest * w.draws / pooled->draws);
    }
}

/* The draws of a chain that have about the same weight. */
typedef struct piece {
    double place;         /* log10(weight / mean weight of the chain) */
    double count, weight; /* count: number of these draws; weight: their total
                           * weight, in units of draws */
} piece;

/* Returns the draws in bin b of a chain. If all weights are equal, all draws
 * are in bin 0. */
static piece piece_of(const cs_lane_memory *m, const cs_chain_weight *w,
                      size_t b)
{
    if (!cs_weights_differ(w))
        return (piece){.count = b ? 0 : w->draws, .weight = b ? 0 : w->draws};
    double half = cs_bin_word(m, GRID + CS_GRID_WIDTH) / 2;
    double mean = cs_bin_word(m, CS_WEIGH_MOST) + log(w->sum / w->draws);
    return (piece){.place = (cs_grid_left(m, GRID, b) + half - mean) / log(10),
                   .count = cs_bin_word(m, COUNT + b),
                   .weight = cs_bin_word(m, WEIGHT + b) * w->unit};
}

/* Histogram bins low .. low + bins - 1; bin b is centred at b * width. The
 * width is the largest width of any chain, or a multiple of that width if the
 * weights cover a wide range. */
typedef struct spread {
    double width, low;
    size_t bins;
} spread;

static spread spread_of(const cs_lane_memory *chain, size_t n)
{
    double width = CS_GRID_FIRST_WIDTH, least = HUGE_VAL, most = -HUGE_VAL;
    for (size_t c = 0; c < n; c++) {
        cs_chain_weight w = cs_chain_weight_of(&chain[c], 0);
        width = fmax(width, cs_bin_word(&chain[c], GRID + CS_GRID_WIDTH));
        for (size_t b = 0; b < CS_GRID_BINS; b++) {
            piece one = piece_of(&chain[c], &w, b);
            least = one.count > 0 ? fmin(least, one.place) : least;
            most = one.count > 0 ? fmax(most, one.place) : most;
        }
    }
    width /= log(10);
    while (most - least >= MOST_BINS * width)
        width *= 2;
    double low = round(least / width), bins = round(most / width) - low + 1;
    return (spread){width, low, most >= least ? (size_t)bins : 0};
}

static void report_spread(const cs_lane_memory *chain, size_t n, double draws,
                          const char *prefix, cs_flat *out)
{
    spread s = spread_of(chain, n);
    double *edge = cs_flat_array(out, 1, s.bins + 1, "%sedges", prefix);
    double *count = cs_flat_array(out, 1, s.bins, "%scounts", prefix);
    double *share = cs_flat_array(out, 1, s.bins, "%sshares", prefix);
    for (size_t b = 0; edge && b <= s.bins; b++)
        edge[b] = (s.low + (double)b - 0.5) * s.width;
    for (size_t c = 0; edge && count && share && c < n; c++) {
        cs_chain_weight w = cs_chain_weight_of(&chain[c], 0);
        for (size_t b = 0; b < CS_GRID_BINS; b++) {
            piece one = piece_of(&chain[c], &w, b);
            if (!(one.count > 0))
                continue;
            size_t at = (size_t)(round(one.place / s.width) - s.low);
            count[at] += one.count;
            share[at] += one.weight / draws;
        }
    }
}

static void report(const cs_probe *p, const cs_lane_memory *chain, size_t n,
                   const char *prefix, cs_flat *out)
{
    (void)p;
    double left_out = 0;
    cs_pooled_weight all = cs_pool_weights(chain, n, 0);
    for (size_t c = 0; c < n; c++)
        left_out += cs_bin_word(&chain[c], LEFT_OUT);
    if (!all.differ && left_out == 0)
        return;
    report_rows(chain, n, &all, prefix, out);
    if (all.draws > 0)
        report_spread(chain, n, all.draws, prefix, out);
}

const cs_probe_type CS_VARIANT(cs_probe_weights) = {
    .name = "weights",
    .title = "Weights",
    .help = "weights of the draws: effective sample size (Kish), number of "
            "draws left out, largest share of the total weight, and histogram",
    .weighs = true,
    .create = create,
    .observe = observe,
    .report = report,
};
