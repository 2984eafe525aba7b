/* Histograms of single quantities and of pairs of quantities. For single
 * quantities the exact distributions are included. */
#include "base/memory.h"
#include "run/draws/chosen.h"
#include "run/draws/quantities.h"
#include "run/draws/quantity_rows.h"
#include "stat/distance.h"
#include "stat/moments.h"
#include "stat/weighted.h"

#include <math.h>
#include <string.h>

enum { BINS = 64, SIDE = 32 };
/* The share of the mass that is cut off at each edge of the display. */
static const double edge_share = 0.0005;

/* An axis with bins of equal width. */
typedef struct axis {
    double low, width;
    size_t bins;
} axis;

static size_t size_of(const cs_quantity_draws *q)
{
    return q->chosen->n * q->chosen->draws;
}

static double weight_of(const cs_quantity_draws *q, size_t i)
{
    return q->chosen->w ? q->chosen->w[i] : 1;
}

/* Uses one bin for each value of a discrete coordinate, or fewer bins if there
 * are more than `most` values. */
static bool find_values(const cs_quantity_draws *q, size_t k, size_t most,
                        axis *a)
{
    const cs_target *t = q->chosen->target;
    cs_part part;
    if (q->scalar[k] == 0 || !cs_target_shown_part(t, q->scalar[k] - 1, &part))
        return false;
    size_t values = (size_t)part.values, each = (values + most - 1) / most;
    *a = (axis){part.low - 0.5, (double)each, (values + each - 1) / each};
    return true;
}

/* Returns the range of a chain's finite draws of quantity k; a negative number
 * without such draws. */
static double range_of(const cs_quantity_draws *q, size_t k, size_t chain)
{
    size_t draws = q->chosen->draws;
    const double *x = q->x[k] + chain * draws;
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (size_t i = 0; i < draws; i++)
        if (isfinite(x[i])) {
            low = fmin(low, x[i]);
            high = fmax(high, x[i]);
        }
    return high - low;
}

/* Returns the range that the draws of a chain must have to set the scales: 1 %
 * of the widest chain's range. */
static double least_range(const cs_quantity_draws *q, size_t k)
{
    double widest = 0;
    for (size_t c = 0; c < q->chosen->n; c++)
        widest = fmax(widest, range_of(q, k, c));
    return widest / 100;
}

/* Copies the sorted finite draws of the chains that set the scales. */
static double *sort_moving(const cs_quantity_draws *q, size_t k, size_t *n)
{
    size_t draws = q->chosen->draws;
    double least = least_range(q, k);
    double *sorted = cs_alloc(size_of(q), sizeof *sorted);
    *n = 0;
    for (size_t c = 0; sorted && c < q->chosen->n; c++) {
        const double *x = q->x[k] + c * draws, range = range_of(q, k, c);
        for (size_t i = 0; !(range < least) && i < draws; i++)
            if (isfinite(x[i]))
                sorted[(*n)++] = x[i];
    }
    if (sorted)
        cs_sort(sorted, *n);
    return sorted;
}

/* Finds an axis from the lowest to the highest quantile of the draws and of the
 * exact distribution. Chains that hardly move do not extend it. Returns false
 * if memory runs out. */
static bool find_axis(const cs_quantity_draws *q, size_t k, size_t most,
                      axis *out)
{
    size_t n;
    if (find_values(q, k, most, out))
        return true;
    double *sorted = sort_moving(q, k, &n);
    if (!sorted)
        return false;
    double low = n ? cs_quantile_of(sorted, n, edge_share) : 0;
    double high = n ? cs_quantile_of(sorted, n, 1 - edge_share) : 0;
    cs_free(sorted);
    if (k == 0 && q->truth) {
        low = fmin(low, cs_marginal_quantile(q->truth, edge_share));
        high = fmax(high, cs_marginal_quantile(q->truth, 1 - edge_share));
    }
    double pad = high > low ? (high - low) / 50 : fmax(fabs(low) / 100, 1e-9);
    low -= pad;
    high += pad;
    *out = (axis){low, (high - low) / (double)most, most};
    return true;
}

/* Returns the bin of x. If x is outside the bins, returns a->bins. */
static size_t bin_of(const axis *a, double x)
{
    double at = floor((x - a->low) / a->width);
    return at >= 0 && at < (double)a->bins ? (size_t)at : a->bins;
}

static double *sort_copy(const double *x, size_t n)
{
    double *sorted = cs_alloc(n, sizeof *sorted);
    if (sorted) {
        memcpy(sorted, x, n * sizeof *sorted);
        cs_sort(sorted, n);
    }
    return sorted;
}

/* ---- comparison with exact answers ---- */

/* Returns the largest difference between the empirical and the exact
 * distribution function at the cuts of the exact marginal. This difference is a
 * lower bound of the Kolmogorov-Smirnov distance. */
static double ks_of(const cs_quantity_draws *q)
{
    const cs_marginal *m = q->truth;
    size_t n = size_of(q), at = 0;
    double all = 0, below = 0, worst = 0;
    cs_sort_place *place = cs_alloc(n, sizeof *place);
    for (size_t i = 0; place && i < n; i++) {
        place[i] = (cs_sort_place){q->x[0][i], i};
        all += weight_of(q, i);
    }
    if (place)
        cs_sort_places(place, n);
    for (size_t k = 0; place && k < m->n; k++) {
        for (; at < n && place[at].value <= m->cut[k]; at++)
            below += weight_of(q, place[at].at);
        worst = fmax(worst, fabs(below / all - m->below[k]));
    }
    cs_free(place);
    return place ? worst : (double)NAN;
}

/* Compares share[bins + 1] of all draws with truth[bins + 1]; the last element
 * is the share outside the bins. */
static void compare(const cs_quantity_draws *q, const axis *a,
                    const double *share, const double *truth,
                    cs_row_marginal *to)
{
    double n = to->size, m = (double)q->truth->draws;
    if (m > 0) /* the exact distribution was estimated from m draws */
        n = n * m / (n + m);
    to->tv = cs_total_variation(share, truth, a->bins + 1);
    to->tv_floor = cs_total_variation_floor(truth, a->bins + 1, n);
    to->ks = ks_of(q);
    to->ks_floor = 0.8687 / sqrt(n); /* mean of Kolmogorov's distribution */
}

static void find_truth(const cs_marginal *m, const axis *a, double *truth)
{
    double last = cs_marginal_below(m, a->low), inside = 0;
    for (size_t b = 0; b < a->bins; b++) {
        double next = cs_marginal_below(m, a->low + (double)(b + 1) * a->width);
        truth[b] = next - last;
        inside += truth[b];
        last = next;
    }
    truth[a->bins] = fmax(0, 1 - inside);
}

/* ---- one quantity ---- */

static cs_row_marginal figures_of(const cs_quantity_draws *q,
                                  const double *sorted)
{
    const cs_chosen *g = q->chosen;
    cs_draws d = {q->x[0], g->draws, g->n};
    const double nan = (double)NAN;
    size_t n = size_of(q);
    cs_diagnosis o = g->w ? cs_diagnose_weighted(d, g->w, &cs_usual_quantiles)
                          : cs_diagnose(d);
    return (cs_row_marginal){
        .mean = o.figures.mean,
        .sd = o.figures.sd,
        .mcse = o.figures.mcse,
        .low = g->w ? o.quantile[0].at : cs_quantile_of(sorted, n, 0.05),
        .high = g->w ? o.quantile[2].at : cs_quantile_of(sorted, n, 0.95),
        .tv = nan,
        .tv_floor = nan,
        .ks = nan,
        .ks_floor = nan,
        .draws = (double)n,
        .size = g->w ? g->kish : (double)n};
}

/* Computes the share of the draws in each bin, for each displayed chain. Writes
 * the shares over all chains to all[bins + 1]. */
static void count(const cs_quantity_draws *q, const axis *a, double *all)
{
    size_t draws = q->chosen->draws, n = q->chosen->n, width = a->bins;
    size_t shown = n < CS_QUANTITY_CHAINS ? n : CS_QUANTITY_CHAINS;
    double *to = cs_flat_array(q->out, shown, width, "%sshares", q->prefix);
    double total = 0;
    for (size_t c = 0; c < n; c++) {
        double sum = 0;
        for (size_t i = c * draws; i < (c + 1) * draws; i++) {
            size_t bin = bin_of(a, q->x[0][i]);
            double w = weight_of(q, i);
            all[bin] += w;
            sum += w;
            if (to && c < shown && bin < width)
                to[c * width + bin] += w;
        }
        for (size_t b = 0; to && c < shown && b < width; b++)
            to[c * width + b] /= sum;
        total += sum;
    }
    for (size_t b = 0; b <= width; b++)
        all[b] /= total;
}

bool cs_report_marginal(const cs_quantity_draws *q)
{
    double all[BINS + 1] = {0}, truth[BINS + 1] = {0};
    axis a;
    double *sorted = sort_copy(q->x[0], size_of(q));
    if (!sorted || !find_axis(q, 0, BINS, &a)) {
        cs_free(sorted);
        return false;
    }
    cs_row_marginal row = figures_of(q, sorted);
    cs_free(sorted);
    count(q, &a, all);
    double *edge = cs_flat_array(q->out, 1, a.bins + 1, "%sedges", q->prefix);
    for (size_t b = 0; edge && b <= a.bins; b++)
        edge[b] = a.low + (double)b * a.width;
    double *to = cs_flat_array(q->out, 1, a.bins, "%sall", q->prefix);
    if (to)
        memcpy(to, all, a.bins * sizeof *to);
    if (q->truth) {
        find_truth(q->truth, &a, truth);
        compare(q, &a, all, truth, &row);
        to = cs_flat_array(q->out, 1, a.bins, "%struth", q->prefix);
        if (to)
            memcpy(to, truth, a.bins * sizeof *to);
        cs_flat_text(q->out, q->truth->from, "%sfrom", q->prefix);
    }
    cs_row_marginal *figures =
        CS_FLAT_ROWS(q->out, cs_row_marginal, 1, "%sfigures", q->prefix);
    if (figures)
        *figures = row;
    return true;
}

/* ---- pairs ---- */

/* The weight of the draws in each cell of a plane, for all chains and for the
 * chains that set the scale. */
typedef struct cell_counts {
    double all[SIDE * SIDE], moving[SIDE * SIDE];
} cell_counts;

/* Counts the draws of a pair, row 0 at the top. Returns their total weight,
 * including draws outside the plane. */
static double count_pair(const cs_quantity_draws *q, const axis *a, size_t i,
                         size_t j, cell_counts *n)
{
    size_t wide = a[i].bins, high = a[j].bins, draws = q->chosen->draws;
    double least[2] = {least_range(q, i), least_range(q, j)}, total = 0;
    for (size_t c = 0; c < q->chosen->n; c++) {
        bool moves =
            !(range_of(q, i, c) < least[0]) && !(range_of(q, j, c) < least[1]);
        for (size_t k = c * draws; k < (c + 1) * draws; k++) {
            size_t x = bin_of(&a[i], q->x[i][k]), y = bin_of(&a[j], q->x[j][k]);
            double w = weight_of(q, k);
            total += w;
            if (x >= wide || y >= high)
                continue;
            n->all[(high - 1 - y) * wide + x] += w;
            n->moving[(high - 1 - y) * wide + x] += moves ? w : 0;
        }
    }
    return total;
}

/* Writes levels 1 to 255, proportional to the square root of the count, and
 * the share of the draws in a cell of level 255. A chain that stays in one
 * cell does not set the scale: its cell can exceed the scale. */
static void put_plane(const cs_quantity_draws *q, const axis *a, size_t i,
                      size_t j)
{
    cell_counts n = {.all = {0}};
    double total = count_pair(q, a, i, j, &n), top = 0, any = 0;
    size_t cells = a[i].bins * a[j].bins;
    for (size_t k = 0; k < cells; k++) {
        top = fmax(top, n.moving[k]);
        any = fmax(any, n.all[k]);
    }
    top = top > 0 ? top : any;
    char *to = cs_flat_room(q->out, cells, "%splane/%zu/%zu", q->prefix, i, j);
    for (size_t k = 0; to && k < cells; k++) {
        double share = fmin(n.all[k] / top, 1);
        double level = n.all[k] > 0 ? fmax(1, round(254 * sqrt(share))) : 0;
        to[k] = (char)(unsigned char)(1 + level);
    }
    cs_flat_number(q->out, total > 0 ? top / total : 0, "%stop/%zu/%zu",
                   q->prefix, i, j);
}

static double correlation(const cs_quantity_draws *q, size_t i, size_t j)
{
    double sum = 0, x = 0, y = 0, xx = 0, yy = 0, xy = 0;
    for (size_t k = 0; k < size_of(q); k++) {
        double w = weight_of(q, k);
        if (!(w > 0))
            continue;
        sum += w;
        double dx = q->x[i][k] - x, dy = q->x[j][k] - y;
        x += dx * w / sum;
        y += dy * w / sum;
        xx += w * dx * (q->x[i][k] - x);
        yy += w * dy * (q->x[j][k] - y);
        xy += w * dx * (q->x[j][k] - y);
    }
    return xy / sqrt(xx * yy);
}

/* Writes the share of the draws in each bin of an axis. */
static void put_axis(const cs_quantity_draws *q, const axis *a, size_t k)
{
    double *to = cs_flat_array(q->out, 1, a->bins, "%sshare/%zu", q->prefix, k);
    double total = 0;
    for (size_t i = 0; to && i < size_of(q); i++) {
        size_t bin = bin_of(a, q->x[k][i]);
        total += weight_of(q, i);
        if (bin < a->bins)
            to[bin] += weight_of(q, i);
    }
    for (size_t b = 0; to && b < a->bins; b++)
        to[b] /= total;
}

bool cs_report_pairs(const cs_quantity_draws *q)
{
    axis a[CS_QUANTITY_MOST];
    for (size_t k = 0; k < q->n; k++)
        if (!find_axis(q, k, SIDE, &a[k]))
            return false;
    double *range = cs_flat_array(q->out, q->n, 2, "%srange", q->prefix);
    double *r = cs_flat_array(q->out, q->n, q->n, "%scorrelation", q->prefix);
    double *scalar = cs_flat_array(q->out, 1, q->n, "%sscalars", q->prefix);
    for (size_t i = 0; range && r && scalar && i < q->n; i++) {
        range[2 * i] = a[i].low;
        range[2 * i + 1] = a[i].low + a[i].width * (double)a[i].bins;
        scalar[i] = (double)q->scalar[i];
        for (size_t j = 0; j < q->n; j++)
            r[i * q->n + j] = i == j ? 1 : correlation(q, i, j);
    }
    for (size_t i = 0; i < q->n; i++) {
        put_axis(q, &a[i], i);
        for (size_t j = i + 1; j < q->n; j++)
            put_plane(q, a, i, j);
    }
    return true;
}
