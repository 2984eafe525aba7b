/* Rows of data that a kernel draws at random: how many rows a step draws, and
 * how many it keeps after thinning (the statistics rows__ and kept__). Reports
 * the newest steps and a histogram. All steps count equally, also for weighted
 * draws, because these numbers are a property of the chain. Steps of a kernel
 * that draws no rows do not count. */
#include "probe/grid.h"
#include "probe/rows.h"

enum { RECENT = 128, MOST_BINS = 64 };

/* Memory of a lane: the number of observations. Then, once for the rows drawn
 * and once for the rows kept: number of steps, sum, sum of squares, maximum,
 * newest values, histogram. */
enum { SEEN, FIRST };
enum {
    STEPS,
    SUM,
    SQUARES,
    MOST,
    NEWEST,
    GRID = NEWEST + RECENT,
    EACH = GRID + CS_GRID_WORDS
};
enum { DRAWN = FIRST, KEPT = FIRST + EACH, WORDS = FIRST + 2 * EACH };

static cs_status create(cs_probe *p, cs_target *target, cs_error *err)
{
    if (target->n_rows == 0) {
        cs_fail(err, CS_UNSUPPORTED, "target %s has no rows of data",
                target->name);
        cs_hint(err, "omit the probe rows");
        return CS_UNSUPPORTED;
    }
    p->words = WORDS;
    return CS_OK;
}

static void init(const cs_probe *p, double *memory, size_t lanes)
{
    (void)p;
    for (size_t i = 0; i < RECENT * lanes; i++)
        memory[(DRAWN + NEWEST) * lanes + i] =
            memory[(KEPT + NEWEST) * lanes + i] = NAN;
}

/* Adds value[lanes] to the statistics and to the newest values. If `value` is
 * NULL, the kernel does not report this number. */
static void take(const cs_step_view *s, uint64_t seen, const double *value,
                 double *m)
{
    size_t n = s->lanes;
    double *newest = m + (NEWEST + seen % RECENT) * n;
    for (size_t l = 0; l < s->live; l++) {
        double v = value && !s->failed[l] ? value[l] : (double)NAN;
        newest[l] = v;
        if (!(v >= 0 && v < HUGE_VAL))
            continue;
        m[STEPS * n + l]++;
        m[SUM * n + l] += v;
        m[SQUARES * n + l] += v * v;
        m[MOST * n + l] = fmax(m[MOST * n + l], v);
        size_t bin = cs_grid_reach(m + GRID * n + l, n, 1, v);
        m[(GRID + CS_GRID_BIN + bin) * n + l]++;
    }
}

static void observe(const cs_probe *p, const cs_step_view *s, double *memory)
{
    uint64_t seen = cs_bins_seen(p, s->step);
    for (size_t l = 0; l < s->lanes; l++)
        memory[l] = (double)seen;
    take(s, seen, s->rows_drawn, memory + DRAWN * s->lanes);
    take(s, seen, s->rows_kept, memory + KEPT * s->lanes);
}

/* ---- reporting ---- */

/* Returns a row of the report, over the chains first .. last - 1. The row
 * describes the number of rows drawn or the number of rows kept, whichever is
 * stored in the words from `at` on. */
static cs_row_rows row_of(const cs_lane_memory *chain, size_t first,
                          size_t last, size_t at)
{
    double n = 0, sum = 0, squares = 0, most = 0;
    for (size_t c = first; c < last; c++) {
        n += cs_bin_word(&chain[c], at + STEPS);
        sum += cs_bin_word(&chain[c], at + SUM);
        squares += cs_bin_word(&chain[c], at + SQUARES);
        most = fmax(most, cs_bin_word(&chain[c], at + MOST));
    }
    double mean = sum / n, variance = squares / n - mean * mean;
    return (cs_row_rows){.steps = n,
                         .mean = n > 0 ? mean : (double)NAN,
                         .sd = n > 0 ? sqrt(fmax(variance, 0)) : (double)NAN,
                         .most = n > 0 ? most : (double)NAN};
}

static void put_rows(const cs_lane_memory *chain, size_t n, size_t at,
                     const char *name, const char *prefix, cs_flat *out)
{
    cs_row_rows *all = CS_FLAT_ROWS(out, cs_row_rows, 1, "%s%s", prefix, name);
    if (all)
        *all = row_of(chain, 0, n, at);
    cs_row_rows *each =
        CS_FLAT_ROWS(out, cs_row_rows, n, "%s%s/chains", prefix, name);
    for (size_t c = 0; each && c < n; c++)
        each[c] = row_of(chain, c, c + 1, at);
}

/* Reports the newest observations of each chain, oldest first. */
static void put_recent(const cs_lane_memory *chain, size_t n, uint64_t seen,
                       size_t newest, size_t at, double *out)
{
    for (size_t c = 0; out && c < n; c++)
        for (uint64_t i = seen - newest + 1; i <= seen; i++)
            *out++ = cs_bin_word(&chain[c], at + NEWEST + i % RECENT);
}

/* Returns the width of the histogram bins, which count numbers of rows. The
 * first bin counts the numbers 0 .. width - 1. */
static double width_of(const cs_lane_memory *chain, size_t n, size_t *bins)
{
    double width = 1, most = 0;
    for (size_t c = 0; c < n; c++)
        for (size_t at = DRAWN; at <= KEPT; at += EACH) {
            most = fmax(most, cs_bin_word(&chain[c], at + MOST));
            width =
                fmax(width, cs_bin_word(&chain[c], at + GRID + CS_GRID_WIDTH));
        }
    while (most >= MOST_BINS * width)
        width *= 2;
    *bins = (size_t)(most / width) + 1;
    return width;
}

static void put_counts(const cs_lane_memory *chain, size_t n, size_t at,
                       double width, size_t bins, double *out)
{
    for (size_t c = 0; out && c < n; c++)
        for (size_t b = 0; b < CS_GRID_BINS; b++) {
            double count = cs_bin_word(&chain[c], at + GRID + CS_GRID_BIN + b);
            double left = cs_grid_left(&chain[c], at + GRID, b);
            size_t to = (size_t)fmax(floor(left / width + 1e-7), 0);
            if (count > 0)
                out[to < bins ? to : bins - 1] += count;
        }
}

static void put_histogram(const cs_lane_memory *chain, size_t n,
                          const char *prefix, cs_flat *out)
{
    size_t bins;
    double width = width_of(chain, n, &bins);
    double *edge = cs_flat_array(out, 1, bins + 1, "%sedges", prefix);
    for (size_t b = 0; edge && b <= bins; b++)
        edge[b] = (double)b * width - 0.5;
    put_counts(chain, n, DRAWN, width, bins,
               cs_flat_array(out, 1, bins, "%sdrawn/counts", prefix));
    put_counts(chain, n, KEPT, width, bins,
               cs_flat_array(out, 1, bins, "%skept/counts", prefix));
}

static void report(const cs_probe *p, const cs_lane_memory *chain, size_t n,
                   const char *prefix, cs_flat *out)
{
    uint64_t seen = n ? (uint64_t)cs_bin_word(&chain[0], SEEN) : 0;
    size_t newest = seen < RECENT ? (size_t)seen : RECENT;
    if (!(row_of(chain, 0, n, DRAWN).steps > 0))
        return;
    cs_flat_number(out, (double)p->target->n_rows, "%sof", prefix);
    put_rows(chain, n, DRAWN, "drawn", prefix, out);
    put_rows(chain, n, KEPT, "kept", prefix, out);
    double *time = cs_flat_array(out, 1, newest, "%srecent", prefix);
    for (size_t i = 0; time && i < newest; i++)
        time[i] = (double)((seen - newest + 1 + i) * p->every);
    put_recent(chain, n, seen, newest, DRAWN,
               cs_flat_array(out, n, newest, "%sdrawn/recent", prefix));
    put_recent(chain, n, seen, newest, KEPT,
               cs_flat_array(out, n, newest, "%skept/recent", prefix));
    put_histogram(chain, n, prefix, out);
}

const cs_probe_type CS_VARIANT(cs_probe_rows) = {
    .name = "rows",
    .title = "Rows drawn",
    .help = "number of data rows that each step draws at random, and number "
            "that remain after thinning: newest steps, histogram and mean",
    .all_chains = true,
    .column = "rows__",
    .create = create,
    .init = init,
    .observe = observe,
    .report = report,
};
