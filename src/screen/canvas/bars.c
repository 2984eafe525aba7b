#include "screen/canvas/bars.h"

#include "screen/canvas/raster.h"
#include "stat/moments.h"

#include <assert.h>
#include <math.h>

void cs_bars(const cs_area *a, const double *value, size_t n, double top,
             cs_role role)
{
    assert(value || n == 0);
    if (n == 0 || !(top > 0))
        return;
    cs_raster r;
    bool ascii = a->canvas->glyphs == CS_ASCII, fine = cs_raster_open(a, &r);
    for (int x = 0; x < a->w; x++) {
        size_t i = (size_t)x * n / (size_t)a->w;
        size_t end = ((size_t)x + 1) * n / (size_t)a->w;
        double v = value[i];
        for (size_t j = i + 1; j < end; j++)
            v = fmax(v, value[j]);
        if (!(v > 0))
            continue;
        int eighths = (int)ceil(fmin(v / top, 1) * a->h * 8);
        for (int y = 0; y < a->h && eighths > 0; y++, eighths -= 8)
            cs_put(a, x, a->h - 1 - y, role,
                   ascii          ? '#'
                   : eighths >= 8 ? 0x2588
                                  : 0x2580u + (unsigned)eighths);
        if (fine)
            cs_raster_fill(&r, x * r.wide,
                           r.h - (int)ceil(fmin(v / top, 1) * r.h),
                           (x + 1) * r.wide, r.h, role);
    }
}

void cs_steps_over(const cs_area *a, const double *value, double top,
                   cs_role role)
{
    cs_plot p = cs_plot_make(a, 0, a->w, 0, top);
    double least = top / (2.0 * p.rows), last = NAN;
    int each = p.columns / (a->w ? a->w : 1);
    for (int x = 0; x < a->w; x++) {
        double v = value[x] < top ? value[x] : top;
        if (!(v > least)) {
            last = NAN;
            continue;
        }
        if (isfinite(last))
            cs_plot_stroke(&p, each * x, fmin(v, last), fmax(v, last), role,
                           'o');
        for (int k = 0; k < each; k++)
            cs_plot_stroke(&p, each * x + k, v, v, role, 'o');
        last = v;
    }
}

void cs_dots_over(const cs_area *a, const double *value, size_t n, double top,
                  cs_role role)
{
    cs_plot p = cs_plot_make(a, 0, a->w, 0, top);
    int each = p.columns / (a->w ? a->w : 1);
    for (int x = 0; x < a->w && n; x++) {
        double v = value[(size_t)x * n / (size_t)a->w];
        if (isfinite(v))
            cs_plot_stroke(&p, each * x, v, v, role, 'o');
    }
}

void cs_rebin(const double *mass, const double *edge, size_t n,
              const cs_plot *p, size_t columns, double *out)
{
    double width = (edge[n] - edge[0]) / (double)n;
    for (size_t x = 0; x < columns; x++) {
        double from = cs_plot_at(p, (double)x / (double)columns);
        double to = cs_plot_at(p, (double)(x + 1) / (double)columns);
        double begin = fmax((from - edge[0]) / width, 0);
        double end = fmin((to - edge[0]) / width, (double)n);
        out[x] = 0;
        for (double b = floor(begin); b < end; b++)
            out[x] += (fmin(b + 1, end) - fmax(b, begin)) * mass[(size_t)b];
    }
}

double cs_bins_top(const cs_plot *p, cs_plot_bins bins)
{
    double bar[CS_CANVAS_MAX], top = 0;
    size_t w = p->area.w < CS_CANVAS_MAX ? (size_t)p->area.w : CS_CANVAS_MAX;
    if (!bins.mass)
        return 0;
    cs_rebin(bins.mass, bins.edge, bins.n, p, w, bar);
    for (size_t x = 0; x < w; x++)
        top = fmax(top, bar[x]);
    return top;
}

double cs_common_top(double *top, size_t n)
{
    const double most = 2; /* times the median */
    if (n == 0)
        return 0;
    cs_sort(top, n);
    double middle = top[(n - 1) / 2];
    while (n > 1 && middle > 0 && top[n - 1] > most * middle)
        n--;
    return top[n - 1];
}

void cs_bars_and_line(const cs_area *a, const cs_plot *p, cs_plot_bins bars,
                      cs_role role, cs_plot_bins line, cs_role over, double top)
{
    double bar[CS_CANVAS_MAX], step[CS_CANVAS_MAX] = {0};
    size_t w = a->w < CS_CANVAS_MAX ? (size_t)a->w : CS_CANVAS_MAX;
    cs_rebin(bars.mass, bars.edge, bars.n, p, w, bar);
    if (line.mass)
        cs_rebin(line.mass, line.edge, line.n, p, w, step);
    if (!(top > 0))
        top = fmax(cs_bins_top(p, bars), cs_bins_top(p, line));
    if (w == 0 || !(top > 0))
        return;
    cs_bars(a, bar, w, top, role);
    cs_steps_over(a, step, top, over);
    for (size_t x = 0; x < w; x++)
        if (bar[x] > top * (1 + 1e-9))
            cs_put(a, (int)x, 0, CS_ROLE_WARN, 0x25B2);
}

void cs_sparkline(const cs_area *a, int x, int y, int width,
                  const double *value, size_t n, cs_role role)
{
    assert(value || n == 0);
    double low, high;
    if (n == 0 || width < 1 || !cs_range(value, n, &low, &high))
        return;
    for (int i = 0; i < width; i++) {
        double v = value[(size_t)i * n / (size_t)width];
        double share = high > low ? (v - low) / (high - low) : 0.5;
        if (isfinite(v))
            cs_put(a, x + i, y, role, 0x2581u + (unsigned)(share * 7));
    }
}
