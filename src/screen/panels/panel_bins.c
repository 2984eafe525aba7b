/* The bins of a kernel that learns one weight per bin: the weights together
 * with the mass of each bin under the target, the multiplier of the
 * gradient, and the visits. */
#include "screen/canvas/contour.h"
#include "screen/panels/panel.h"

#include <math.h>
#include <stdio.h>

enum { WEIGHTS, MULTIPLIER, VISITS, KINDS };
/* minimum width of the vertical axis, in columns */
enum { AXIS = 5 };
/* minimum numbers of lines: LEAST for a single plot, ROOMY for each of
 * several plots */
enum { LEAST = 6, ROOMY = 6 };
/* below: decades shown below the smallest learned weight; decades: maximum
 * number of decades of the axis. */
static const double below = 2, decades = 300;

/* The bins of one arm, with one value per column of cells. */
typedef struct columns {
    const cs_contour *c;
    cs_plot plot;
    size_t n;
    double value[CS_CANVAS_MAX], truth[CS_CANVAS_MAX], spread[CS_CANVAS_MAX];
    bool learning[CS_CANVAS_MAX], seen[CS_CANVAS_MAX];
} columns;

/* Returns the left edge of column x. */
static double edge_of(const columns *k, size_t x)
{
    return cs_plot_at(&k->plot, (double)x / (double)k->n);
}

/* Computes out[n]: the mean of value[] over the bins that each column covers.
 * If all values of a column are unknown, the mean is NAN. */
static void spread_out(const columns *k, const double *value, double *out)
{
    const cs_contour *c = k->c;
    for (size_t x = 0; x < k->n; x++) {
        double left = edge_of(k, x), right = edge_of(k, x + 1);
        double sum = 0, all = 0;
        size_t i = cs_contour_bin(c, left);
        for (; i < c->n && c->low[i] < right; i++) {
            double part = fmin(c->high[i], right) - fmax(c->low[i], left);
            bool known = part > 0 && isfinite(value[i]);
            sum += known ? part * value[i] : 0;
            all += known ? part : 0;
        }
        out[x] = all > 0 ? sum / all : (double)NAN;
    }
}

/* Returns true if a bin counts as learned, that is, if fewer than half of
 * the chains still learn its weight. */
static bool is_learned(const cs_contour *c, size_t bin)
{
    return !c->learning || c->learning[bin] < 0.5;
}

static bool is_seen(const cs_contour *c, size_t bin)
{
    return !c->visits || c->visits[bin] > 0;
}

static size_t count(const cs_contour *c, bool (*is)(const cs_contour *, size_t))
{
    size_t n = 0;
    for (size_t i = 0; i < c->n; i++)
        n += is(c, i);
    return n;
}

static bool is_learning_and_seen(const cs_contour *c, size_t bin)
{
    return is_seen(c, bin) && !is_learned(c, bin);
}

/* Returns true if a bin is shown. A bin is shown in three cases: it is visited
 * often enough, it was visited and its weight is learned, or it has enough mass
 * under the target. */
static bool is_shown(const cs_contour *c, size_t bin)
{
    static const double seldom = 5e-4;
    bool often = !c->visits || c->visits[bin] > seldom;
    return often || (is_seen(c, bin) && is_learned(c, bin)) ||
           (c->truth && c->truth[bin] > seldom);
}

/* Finds the range from the first displayed bin to the last. */
static void find_range(const cs_contour *c, double *low, double *high)
{
    size_t first = c->n, last = 0;
    for (size_t i = 0; i < c->n; i++) {
        if (!is_shown(c, i))
            continue;
        first = first < i ? first : i;
        last = i;
    }
    first = first < c->n ? first : 0;
    *low = c->low[first];
    *high = c->high[last > first ? last : c->n - 1];
}

/* Finds whether bins of column x were visited, and whether at least half of the
 * visited bins are still being learned. A column without visited bins counts as
 * still learning. */
static void look_at_column(columns *k, size_t x, double left, double right)
{
    const cs_contour *c = k->c;
    double learning = 0, seen = 0;
    for (size_t i = cs_contour_bin(c, left); i < c->n && c->low[i] < right;
         i++) {
        double part = fmin(c->high[i], right) - fmax(c->low[i], left);
        if (!is_seen(c, i) || !(part > 0))
            continue;
        seen += part;
        learning += is_learned(c, i) ? 0 : part;
    }
    k->seen[x] = seen > 0;
    k->learning[x] = c->learning && learning >= 0.5 * seen;
}

static void lay_out(columns *k, const cs_contour *c, const cs_area *field,
                    const cs_window *w)
{
    double low, high;
    find_range(c, &low, &high);
    k->c = c;
    k->plot = cs_window_plot(field, w, low, high, (cs_scale){0, 1, false});
    k->n = field->w < CS_CANVAS_MAX ? (size_t)field->w : CS_CANVAS_MAX;
    for (size_t x = 0; x < k->n; x++)
        look_at_column(k, x, edge_of(k, x), edge_of(k, x + 1));
}

/* Draws the vertical axis from low to high and returns the part of the area
 * that remains for the plot. All plots start at the same column. */
static cs_area field_of(const cs_area *a, double low, double high)
{
    cs_area body = cs_area_part(a, 0, 1, a->w, a->h - 2);
    cs_area field = cs_plot_axis(&body, low, high);
    int used = field.x - a->x;
    return used && used < AXIS
               ? cs_area_part(&body, AXIS, 0, a->w - AXIS, body.h)
               : field;
}

/* Draws bars; bins that are still being learned are shaded. */
static void draw_bars(const columns *k, const double *height, double top,
                      cs_role role)
{
    const cs_area *a = &k->plot.area;
    double settled[CS_CANVAS_MAX];
    for (size_t x = 0; x < k->n; x++)
        settled[x] = k->learning[x] ? 0 : height[x];
    cs_bars(a, settled, k->n, top, role);
    for (size_t x = 0; x < k->n; x++) {
        if (!k->learning[x] || !(height[x] > 0))
            continue;
        int rows = (int)ceil(fmin(height[x] / top, 1) * a->h);
        for (int y = 0; y < rows; y++)
            cs_put(a, (int)x, a->h - 1 - y, role, 0x2592);
    }
}

/* Draws the name of a plot, and then the longer of two strings. If the longer
 * string does not fit, draws the shorter one. */
static void draw_head(const cs_area *a, const char *name, cs_role role,
                      const char *word, const char *less)
{
    int x = cs_print_cut(a, 0, 0, a->w, CS_ROLE_LABEL, "%s", name);
    if (x + 2 + cs_text_width(word) > a->w)
        word = less;
    if (x + 2 + cs_text_width(word) <= a->w)
        cs_print_right(a, 0, role, "%s", word);
}

static void draw_axis(const cs_area *a, const columns *k)
{
    cs_area line = cs_area_part(a, 0, a->h - 1, a->w, 1);
    const char *name = *k->c->of ? k->c->of : "energy = -log p (nats)";
    if (cs_text_width(name) + 18 > k->plot.area.w)
        name = *k->c->of ? "" : "nats";
    cs_plot_axis_x(&line, &k->plot, name);
}

/* ---- weights ------------------------------------------------------------- */

static void widen(double v, double *low, double *high)
{
    *low = isfinite(v) ? fmin(*low, v) : *low;
    *high = isfinite(v) ? fmax(*high, v) : *high;
}

/* Computes the base-10 logarithms of the weights and of the exact masses,
 * and the displayed range. The range starts a little below the smallest
 * learned weight or exact mass. */
static void find_heights(columns *k, double *low, double *high)
{
    const cs_contour *c = k->c;
    double all = HUGE_VAL;
    spread_out(k, c->weight, k->value);
    if (c->truth)
        spread_out(k, c->truth, k->truth);
    *low = HUGE_VAL;
    *high = -HUGE_VAL;
    for (size_t x = 0; x < k->n; x++) {
        double of[2] = {log10(k->value[x]),
                        c->truth ? log10(k->truth[x]) : (double)NAN};
        k->value[x] = of[0];
        k->truth[x] = of[1];
        if (k->seen[x])
            widen(of[0], k->learning[x] ? &all : low, high);
        widen(of[1], k->learning[x] ? &all : low, high);
    }
    bool settled = *low < HUGE_VAL;
    *low = settled ? fmax(*low - below, fmin(all, *low)) : all;
    *low = floor(fmax(fmin(*low, *high - 3), *high - decades)) - 0.5;
    *high = *high + 0.3;
}

/* Draws an error bar in the middle of a bin, if the bar is longer than a cell.
 * The error is one standard deviation over the chains. */
static void draw_spread(const columns *k, double low, double high, cs_role role)
{
    const cs_contour *c = k->c;
    const cs_area *a = &k->plot.area;
    cs_plot p = k->plot;
    p.y0 = low;
    p.y1 = high;
    for (size_t i = 0; c->spread && i < c->n; i++) {
        double v = log10(c->weight[i]), by = c->spread[i] / M_LN10;
        int x = cs_plot_column(&p, (c->low[i] + c->high[i]) / 2);
        int top = cs_plot_row(&p, fmin(v + by, high));
        int end = cs_plot_row(&p, fmax(v - by, low));
        if (x < 0 || top < 0 || end <= top || !is_seen(c, i) ||
            !is_learned(c, i))
            continue;
        int bar = cs_plot_row(&p, v);
        for (int y = top; y <= end; y++) {
            bool over = y > bar && bar >= 0;
            cs_put(a, x, y, over ? CS_ROLE_INK : CS_ROLE_EVENT, 0x2502);
            if (over)
                cs_ground(a, x, y, role);
        }
    }
}

static void draw_weights_head(const cs_area *a, const cs_shot *s,
                              const cs_contour *c)
{
    bool awaited = cs_shot_number(s, 1, "run/settled") == 0;
    if (c->truth)
        draw_head(a, "weight, log10", CS_ROLE_TRUTH,
                  c->uniform ? "line: exact states" : "line: exact mass",
                  "exact");
    else
        draw_head(a, "weight, log10", CS_ROLE_FAINT,
                  awaited      ? "exact: being computed"
                  : c->uniform ? "exact states unknown"
                               : "exact mass unknown",
                  awaited ? "" : "no exact");
}

static void draw_weights(const cs_area *a, const cs_shot *s,
                         const cs_contour *c, const cs_window *w, cs_role role)
{
    columns k;
    double low, high, height[CS_CANVAS_MAX], truth[CS_CANVAS_MAX];
    cs_area body = cs_area_part(a, 0, 1, a->w, a->h - 2);
    lay_out(&k, c, &body, w);
    find_heights(&k, &low, &high);
    if (!(high > low)) {
        cs_print_wrapped(a, 0, 0, CS_ROLE_LABEL,
                         "No weights are known: every chain has failed.");
        return;
    }
    cs_area field = field_of(a, low, high);
    lay_out(&k, c, &field, w);
    find_heights(&k, &low, &high);
    for (size_t x = 0; x < k.n; x++) {
        height[x] = k.value[x] - low;
        truth[x] = isfinite(k.truth[x]) ? k.truth[x] - low : -1;
    }
    draw_bars(&k, height, high - low, role);
    draw_spread(&k, low, high, role);
    if (c->truth)
        cs_steps_over(&field, truth, high - low, CS_ROLE_TRUTH);
    draw_weights_head(a, s, c);
    draw_axis(a, &k);
}

/* ---- the multiplier ------------------------------------------------------ */

static void draw_multiplier(const cs_area *a, const cs_shot *s,
                            const cs_contour *c, const cs_window *w,
                            cs_role role)
{
    columns k;
    double low, high;
    (void)s;
    cs_area body = cs_area_part(a, 0, 1, a->w, a->h - 2);
    lay_out(&k, c, &body, w);
    spread_out(&k, c->multiplier, k.value);
    cs_range(k.value, k.n, &low, &high);
    low = fmin(low, 0);
    high = fmax(high, 1.2);
    cs_area field = field_of(a, low, high), zone = field;
    field.h -= field.h > 3; /* leaves one line for the zones below the plot */
    lay_out(&k, c, &field, w);
    spread_out(&k, c->multiplier, k.value);
    k.plot.y0 = low;
    k.plot.y1 = high;
    size_t uphills = 0;
    int each = k.plot.columns / (field.w > 0 ? field.w : 1);
    for (size_t x = 0; x < k.n; x++) {
        double v = k.value[x];
        bool uphill = v < 0;
        uphills += uphill;
        for (int i = 0; i < each; i++)
            cs_plot_stroke(&k.plot, each * (int)x + i, fmin(v, 0), fmax(v, 0),
                           uphill ? CS_ROLE_REJECT : role, uphill ? '-' : '#');
        if (uphill)
            cs_put(&zone, (int)x, zone.h - 1, CS_ROLE_REJECT, 0x25BC);
    }
    draw_head(a, "multiplier", uphills ? CS_ROLE_REJECT : CS_ROLE_FAINT,
              uphills ? "\u25BC below 0: uphill" : "nowhere below 0",
              uphills ? "\u25BC uphill" : "above 0");
    draw_axis(a, &k);
}

/* ---- visits -------------------------------------------------------------- */

static void draw_visits(const cs_area *a, const cs_shot *s, const cs_contour *c,
                        const cs_window *w, cs_role role)
{
    columns k;
    double low, top, flat[CS_CANVAS_MAX];
    size_t seen = count(c, is_seen);
    double even = seen ? 1 / (double)seen : 0;
    (void)s;
    cs_area body = cs_area_part(a, 0, 1, a->w, a->h - 2);
    lay_out(&k, c, &body, w);
    spread_out(&k, c->visits, k.value);
    cs_range(k.value, k.n, &low, &top);
    top = fmax(fmax(top, even) * 1.05, 1e-300);
    cs_area field = field_of(a, 0, top);
    lay_out(&k, c, &field, w);
    spread_out(&k, c->visits, k.value);
    draw_bars(&k, k.value, top, role);
    for (size_t x = 0; x < k.n; x++)
        flat[x] = k.value[x] > 0 ? even : 0;
    cs_steps_over(&field, flat, top, CS_ROLE_TRUTH);
    char word[40], less[24];
    snprintf(word, sizeof word, "line: equal, 1/%zu", seen);
    snprintf(less, sizeof less, "line: 1/%zu", seen);
    draw_head(a, "share of steps", CS_ROLE_TRUTH, word, less);
    draw_axis(a, &k);
}

/* ---- the panel ----------------------------------------------------------- */

typedef void draw_kind(const cs_area *, const cs_shot *, const cs_contour *,
                       const cs_window *, cs_role);
static draw_kind *const kinds[KINDS] = {
    [WEIGHTS] = draw_weights,
    [MULTIPLIER] = draw_multiplier,
    [VISITS] = draw_visits,
};

/* Lists the plots that have known values, starting with the chosen plot.
 * Returns the number of these plots. */
static size_t choose(const cs_contour *c, const cs_selection *at,
                     draw_kind *list[KINDS])
{
    const bool known[KINDS] = {true, c->multiplier != NULL, c->visits != NULL};
    draw_kind *all[KINDS];
    size_t n = 0;
    for (size_t i = 0; i < KINDS; i++)
        if (known[i])
            all[n++] = kinds[i];
    for (size_t i = 0; i < n; i++)
        list[i] = all[(i + at->option) % n];
    return n;
}

static void draw_foot(const cs_area *a, const cs_contour *c)
{
    size_t learning = count(c, is_learning_and_seen), seen = count(c, is_seen);
    cs_role role = learning ? CS_ROLE_WARN : CS_ROLE_LABEL;
    bool wide = a->w >= 44;
    int y = a->h - 1, x = 0;
    if (c->visits)
        x = cs_print_fit(a, 0, y, a->w, CS_ROLE_LABEL,
                         wide ? "%zu of %zu bins seen" : "%zu/%zu seen", seen,
                         c->n);
    static const char *const words[] = {" still being learned", " learning",
                                        ""};
    for (size_t i = wide ? 0 : 1, end = (size_t)x;
         c->learning && i < 3 && end == (size_t)x; i++)
        end = (size_t)cs_print_fit(a, x, y, a->w - x, role, "%s\u2592 %zu%s",
                                   x ? ", " : "", learning, words[i]);
}

static bool has_bins(const cs_shot *s, size_t arm)
{
    cs_contour c;
    return cs_contour_find(s, arm, &c);
}

static void draw_arm(const cs_area *a, const cs_shot *s, const cs_selection *at,
                     size_t arm)
{
    cs_contour c;
    draw_kind *list[KINDS];
    if (!cs_contour_find(s, arm, &c)) {
        cs_panel_empty(a, s, "No kernel of this run has energy bins.",
                       "Use csgld, which learns the weight of each bin.");
        return;
    }
    size_t n = choose(&c, at, list);
    int capacity = a->h - 1, shown = capacity / ROOMY;
    shown = shown < 1 ? 1 : shown > (int)n ? (int)n : shown;
    for (int i = 0; i < shown; i++) {
        int y = i * capacity / shown, end = (i + 1) * capacity / shown;
        cs_area part = cs_area_part(a, 0, y, a->w, end - y);
        list[i](&part, s, &c, &at->window, cs_theme_chain(arm));
    }
    draw_foot(a, &c);
}

const cs_panel_type cs_panel_bins = {
    .name = "bins",
    .title = "bins of energy",
    .help =
        "Energy bins of a kernel, averaged over the arm's chains: the learned "
        "weights (log scale, error bars of one standard deviation over the "
        "chains), the multiplier of the gradient, and the share of the steps "
        "in each bin. A tall panel shows all three.\nThe line is the exact "
        "mass of each bin (or the exact share of states), if it can be "
        "computed. The weights of csgld converge to other values, at which the "
        "chain enters and leaves every bin equally often. With wide bins and a "
        "high learning rate, these values are far from the line.\nThe "
        "multiplier is 1 for plain SGLD; a negative multiplier moves the chain "
        "uphill in energy (triangles, also in the panel trace). A bin is "
        "shaded before its first visit, and while at least half of the chains "
        "still change the log weight of the bin by over 0.05 per visit.",
    .options = "o weights, multiplier, visits",
    .tile = {28, LEAST + 1, 3},
    .has = has_bins,
    .draw_arm = draw_arm,
};
