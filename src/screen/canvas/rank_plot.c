#include "screen/canvas/rank_plot.h"

#include "base/memory.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdio.h>

enum { BOTH = 56, GAP = 3 };

static void say_uniformity(const cs_uniformity *u, char *text, size_t size)
{
    snprintf(
        text, size,
        "p = %.2g; ranks' mean %.3f +- %.3f (0.5), spread %.2f +- %.2f (1)",
        u->p, u->mean, u->mean_error, u->spread, u->spread_error);
}

/* Finds the lowest and highest count of a bar if the ranks are uniform. All
 * bars together are within these counts with 95 % probability. */
static void bar_band(const cs_rank_plot *p, double *low, double *high)
{
    double tail = 0.025 / (double)p->u.bins, share = 1 / (double)p->u.bins;
    unsigned n = (unsigned)p->n, k = 0;
    while (k < n && gsl_cdf_binomial_P(k, share, n) <= tail)
        k++;
    *low = k;
    while (k < n && gsl_cdf_binomial_Q(k, share, n) > tail)
        k++;
    *high = k;
}

static void draw_histogram(const cs_area *a, const cs_rank_plot *p)
{
    double count[64], low, high, top = 0;
    size_t bins = p->u.bins;
    if (a->h < 3 || bins < 1 || bins > 64)
        return;
    cs_rank_histogram(p->rank, p->n, p->places, bins, count);
    bar_band(p, &low, &high);
    for (size_t i = 0; i < bins; i++)
        top = fmax(top, count[i]);
    top = fmax(top, high) * 1.05;
    cs_area box = cs_area_part(a, 0, 0, a->w, a->h - 1);
    cs_area in = cs_plot_axis(&box, 0, top);
    cs_plot plot = cs_plot_make(&in, 0, 1, 0, top);
    for (int x = 0; x < in.w; x++) {
        double share = (x + 0.5) / in.w;
        int bar = cs_plot_row(&plot, count[(size_t)(share * (double)bins)]);
        for (int y = bar < 0 ? in.h : bar; y < in.h; y++)
            cs_put(&in, x, y, cs_theme_chain(p->number), 0x2588);
        int a_row = cs_plot_row(&plot, high), b_row = cs_plot_row(&plot, low);
        if (a_row >= 0)
            cs_put(&in, x, a_row, CS_ROLE_TRUTH, '-');
        if (b_row >= 0)
            cs_put(&in, x, b_row, CS_ROLE_TRUTH, '-');
    }
    cs_area under = cs_area_part(a, 0, a->h - 1, a->w, 1);
    cs_plot_axis_x(&under, &plot, "rank");
}

/* Returns the largest distance from the diagonal that the plot shows: that of
 * the band or that of the ranks, whichever is larger. */
static double reach_of(const cs_rank_plot *p, const double *count,
                       const double *low, const double *high)
{
    double most = 0, r = 0;
    for (size_t k = 1; k < p->places; k++) {
        double z = (double)k / (double)p->places, n = (double)p->n;
        r += count[k - 1];
        most = fmax(most, fabs(r / n - z));
        most = fmax(most, fmax(z - low[k - 1] / n, high[k - 1] / n - z));
    }
    return most * 1.05;
}

static void draw_band(const cs_plot *plot, const cs_rank_plot *p,
                      const double *low, const double *high)
{
    double n = (double)p->n;
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < plot->columns; i++) {
            double z = i / (double)(plot->columns > 1 ? plot->columns - 1 : 1);
            size_t k = (size_t)floor(z * (double)p->places + 0.5);
            double at = (double)k / (double)p->places;
            double edge = k < 1 || k >= p->places ? 0
                          : side                  ? high[k - 1] / n - at
                                                  : low[k - 1] / n - at;
            cs_plot_point(plot, z, edge, CS_ROLE_TRUTH, '-');
        }
}

static void draw_function(const cs_area *a, const cs_rank_plot *p,
                          double *count, double *low, double *high)
{
    cs_area box = cs_area_part(a, 0, 0, a->w, a->h - 1);
    cs_rank_histogram(p->rank, p->n, p->places, p->places, count);
    cs_ecdf_band(p->n, p->places, p->level, low, high);
    double reach = reach_of(p, count, low, high), r = 0;
    cs_area in = cs_plot_axis(&box, -reach, reach);
    cs_plot plot = cs_plot_make(&in, 0, 1, -reach, reach);
    draw_band(&plot, p, low, high);
    for (size_t k = 1; k < p->places; k++) {
        double was = r, z = (double)k / (double)p->places;
        double before = (double)(k - 1) / (double)p->places;
        r += count[k - 1];
        for (int i = 0; i <= 8;
             /* interpolates linearly between two places, because all ranks at a
              * place are equal */
             i++) {
            double s = i / 8.0, x = before + s * (z - before);
            double y = (was + s * (r - was)) / (double)p->n - x;
            cs_plot_point(&plot, x, y, cs_theme_chain(p->number), '*');
        }
    }
    cs_area under = cs_area_part(a, 0, a->h - 1, a->w, 1);
    cs_plot_axis_x(&under, &plot, "share of ranks - diagonal, at rank");
}

void cs_rank_plot_draw(const cs_area *a, const cs_rank_plot *p)
{
    char words[200];
    double *scratch = cs_alloc(3 * p->places, sizeof *scratch);
    say_uniformity(&p->u, words, sizeof words);
    cs_print_cut(a, 0, 0, a->w, CS_ROLE_TITLE, "%s: %s", p->name, words);
    cs_area rest = cs_area_part(a, 0, 1, a->w, a->h - 1);
    int half = a->w >= BOTH ? (a->w - GAP) / 2 : 0;
    cs_area left = cs_area_part(&rest, 0, 0, half, rest.h);
    cs_area right = cs_area_part(&rest, half ? half + GAP : 0, 0,
                                 rest.w - (half ? half + GAP : 0), rest.h);
    if (half)
        draw_histogram(&left, p);
    if (scratch && rest.h >= 3)
        draw_function(&right, p, scratch, scratch + p->places,
                      scratch + 2 * p->places);
    cs_free(scratch);
}
