#include "screen/canvas/density_band.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define LEVEL (CS_DENSITY_BAND_PERCENT / 100.0)

void cs_density_band_place(cs_density_band *b, const cs_plot *p,
                           const cs_axis *axis, const double *time, double *at)
{
    if ((!p->log_x && !cs_plot_is_part(p)) || b->bins > CS_DENSITY_BAND_BINS)
        return;
    for (size_t i = 0; i < b->bins; i++)
        at[i] = cs_axis_at(axis, time[i]);
    b->x = at;
}

/* Returns the first bin whose end is at or after v. */
static size_t bin_at(const cs_density_band *b, double v)
{
    size_t low = 0, high = b->bins;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (b->x[middle] < v)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Finds the envelope of a chain in one column. If the chain has no values in
 * this column, the envelope is NAN. */
static void span(const cs_plot *p, const cs_density_band *b, size_t chain,
                 int column, int columns, double *low, double *high)
{
    size_t n = b->bins, at = chain * n;
    size_t i = (size_t)column * n / (size_t)columns;
    size_t end = ((size_t)column + 1) * n / (size_t)columns;
    if (b->x) {
        i = bin_at(b, cs_plot_at(p, (double)column / columns));
        end = bin_at(b, cs_plot_at(p, (column + 1.0) / columns));
        i = i < n ? i : n - 1;
    }
    double least = b->low[at + i], most = b->high[at + i];
    for (size_t k = i + 1; k < end; k++) { /* skips NAN, as fmin and fmax do */
        double l = b->low[at + k], h = b->high[at + k];
        least = l < least || isnan(least) ? l : least;
        most = h > most || isnan(most) ? h : most;
    }
    *low = least;
    *high = most;
}

/* Returns the row of a value, in half cells. For a value beyond the axis,
 * returns a row far outside the plot. */
static int half_row(const cs_plot *p, double v)
{
    double at = cs_plot_fall(p, v) * (2 * p->area.h - 1);
    return (int)fmin(fmax(floor(at + 0.5), -4096), 4096);
}

/* Adds the envelope of each chain in column x, spread evenly over the half
 * cells that the envelope covers. Returns the number of chains with values. */
static double weigh_spans(const cs_plot *p, const cs_density_band *b, int x,
                          double *weight)
{
    int rows = 2 * p->area.h;
    double n = 0;
    for (size_t c = 0; c < b->chains; c++) {
        double low, high;
        span(p, b, c, x, p->area.w, &low, &high);
        if (!isfinite(low) || !isfinite(high))
            continue;
        int top = half_row(p, high), bottom = half_row(p, low);
        double each = 1.0 / (bottom - top + 1);
        for (int r = top < 0 ? 0 : top; r <= bottom && r < rows; r++)
            weight[r] += each;
        n++;
    }
    return n;
}

/* Returns the first draw in column `column` or in a later column. */
static size_t draw_at(const cs_plot *p, const cs_density_band *b, int column)
{
    size_t low = 0, high = b->draws;
    if (!p->log_x && !cs_plot_is_part(p))
        return (size_t)column * b->draws / (size_t)p->area.w;
    double from = cs_plot_at(p, (double)column / p->area.w);
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (cs_axis_at(b->axis, b->draw_time[middle]) < from)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Adds the draws of all chains in column x. If column x has only a few draws,
 * also adds the draws in the neighbouring columns. Returns the number of draws
 * added. */
static double weigh_draws(const cs_plot *p, const cs_density_band *b, int x,
                          double *weight)
{
    enum { LEAST = 32 };
    size_t first = draw_at(p, b, x), end = draw_at(p, b, x + 1);
    size_t most = b->draws / 32 + 1, rows = 2 * (size_t)p->area.h;
    double n = 0;
    for (size_t k = 0; k < most && (end - first) * b->chains < LEAST; k++) {
        first -= first > 0;
        end += end < b->draws;
    }
    for (size_t c = 0; c < b->chains; c++)
        for (size_t i = first; i < end; i++) {
            double v = b->draw[c * b->draws + i];
            if (!isfinite(v))
                continue;
            int r = half_row(p, v);
            if (r >= 0 && (size_t)r < rows)
                weight[r]++;
            n++;
        }
    return n;
}

/* Computes, for each half cell of column x, its share of the draws in the
 * column. Draws beyond the axis count only in the total. */
static void weigh(const cs_plot *p, const cs_density_band *b, int x,
                  double *weight)
{
    int rows = 2 * p->area.h;
    memset(weight, 0, (size_t)rows * sizeof *weight);
    double n = b->draw && b->draws ? weigh_draws(p, b, x, weight)
                                   : weigh_spans(p, b, x, weight);
    for (int r = 0; r < rows && n > 0; r++)
        weight[r] /= n;
}

double cs_density_band_top(int lines)
{
    return lines > 6 ? 1.0 / 6 : lines > 0 ? 1.0 / lines : 1;
}

int cs_density_band_legend(const cs_area *a, int x, int y, int lines)
{
    char end[16];
    double top = cs_density_band_top(lines);
    snprintf(end, sizeof end, "%s%.0f%%", top < 1 ? ">" : "", 100 * top);
    return cs_plot_scale(a, x, y, "share of the column 0", end, LEVEL);
}

/* Draws all chains as a heat map. The colour shows the share of a column's
 * draws on a square-root scale. The brightest colours are reserved for the line
 * that is drawn over the map. */
static void draw_density(const cs_plot *p, const cs_density_band *b)
{
    enum { LARGEST = 2 * CS_CANVAS_MAX };
    double weight[LARGEST], top = cs_density_band_top(p->area.h);
    cs_raster r;
    if (b->bins == 0 || 2 * p->area.h > LARGEST)
        return;
    bool fine = cs_raster_open(&p->area, &r);
    for (int x = 0; x < p->area.w; x++) {
        weigh(p, b, x, weight);
        for (int y = 0; y < p->area.h; y++) {
            double upper = weight[2 * y], lower = weight[2 * y + 1];
            if (upper <= 0 && lower <= 0)
                continue;
            cs_role two[2] = {
                cs_theme_ramp(LEVEL * sqrt(fmin(upper / top, 1))),
                cs_theme_ramp(LEVEL * sqrt(fmin(lower / top, 1)))};
            cs_put_two(&p->area, x, y, two[0], two[1]);
            if (fine)
                cs_raster_two(&r, x, y, two[0], two[1]);
        }
    }
}

/* Connects a value to the previous value if the two are close; larger jumps
 * remain dots. */
static void join(const cs_plot *p, int x, double v, double before, cs_role role,
                 char mark)
{
    bool near = fabs(cs_plot_fall(p, v) - cs_plot_fall(p, before)) <= 1.0 / 8;
    double from = near ? before : v;
    cs_plot_stroke(p, x, fmin(v, from), fmax(v, from), role, mark);
}

static void draw_line(const cs_plot *p, const cs_density_band *b, size_t chain,
                      bool borders)
{
    double low, high, l = NAN, h = NAN;
    cs_role role = cs_theme_chain(chain);
    char mark = cs_theme_glyph(chain);
    for (int x = 0; b->bins && x < p->columns; x++, l = low, h = high) {
        span(p, b, chain, x, p->columns, &low, &high);
        if (!isfinite(low) || !isfinite(high))
            continue;
        if (borders) {
            join(p, x, low, l, role, mark);
            join(p, x, high, h, role, mark);
        } else {
            /* the stroke also reaches the middle of the previous column */
            double middle = (l + h) / 2;
            cs_plot_stroke(p, x, isfinite(middle) ? fmin(low, middle) : low,
                           isfinite(middle) ? fmax(high, middle) : high, role,
                           mark);
        }
        if (high > p->y1 + 1e-9 * fabs(p->y1))
            cs_put(&p->area, x * p->area.w / p->columns, 0, CS_ROLE_WARN,
                   0x25B2);
    }
}

void cs_density_band_line(const cs_plot *p, const cs_density_band *b,
                          size_t chain, bool borders)
{
    cs_plot pass;
    for (int k = 0; k < 2; k++)
        if (cs_plot_pass(p, k, &pass))
            draw_line(&pass, b, chain, borders);
}

void cs_density_band_lines(const cs_plot *p, const cs_density_band *b,
                           size_t chosen)
{
    for (size_t k = 1; k <= b->chains; k++)
        cs_density_band_line(p, b, (chosen + k) % b->chains, false);
}

void cs_density_band_draw(const cs_plot *p, const cs_density_band *b,
                          size_t chosen)
{
    bool dense = b->chains > 1 || (b->draw && b->draws);
    if (dense)
        draw_density(p, b);
    cs_density_band_line(p, b, chosen, dense);
}

void cs_density_band_end(const cs_plot *p, const cs_area *edge,
                         const cs_density_band *b, size_t c)
{
    for (size_t i = b->bins; i-- > 0;) {
        double v = (b->low[c * b->bins + i] + b->high[c * b->bins + i]) / 2;
        if (!isfinite(v))
            continue;
        cs_put(edge, 0, cs_plot_row(p, fmin(v, p->y1)), cs_theme_chain(c),
               (unsigned char)cs_theme_glyph(c));
        break;
    }
}
