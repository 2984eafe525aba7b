#include "screen/panels/map_grid.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef cs_map_plane plane;
typedef cs_map_mesh mesh;

enum { MODES = 64 }; /* more modes are not compared */

double cs_map_span(const plane *p, int axis)
{
    const cs_row_view *v = p->view;
    return axis ? v->top - v->bottom : v->right - v->left;
}

double cs_map_total(const double *mass, const plane *p)
{
    double sum = 0;
    for (size_t i = 0; i < p->rows * p->cols; i++)
        sum += mass[i];
    return sum;
}

double cs_map_density(const plane *p)
{
    return (double)(p->rows * p->cols) /
           (cs_map_span(p, 0) * cs_map_span(p, 1));
}

/* Returns the value at a share of the displayed range of an axis. */
static double value_of(const cs_scale *s, double share)
{
    return cs_axis_value(
        &(cs_x_axis){.from = s->low, .to = s->high, .log = s->log}, share);
}

/* Returns the start of cell k of n along an axis, in bins of the view: columns
 * from the left, lines from the top. */
static double bin_at(const plane *p, int axis, double k, double n)
{
    double v = value_of(&p->shown[axis], axis ? 1 - k / n : k / n);
    const cs_row_view *w = p->view;
    return axis ? (w->top - v) / cs_map_span(p, 1) * (double)p->rows
                : (v - w->left) / cs_map_span(p, 0) * (double)p->cols;
}

void cs_map_mesh_make(mesh *m, const plane *p)
{
    enum { MOST_BINS = 1 << 24 }; /* more than any plane has along an axis */
    m->w = p->cells[0];
    m->h = p->cells[1];
    for (int x = 0; x <= m->w; x++) {
        m->x[x] = bin_at(p, 0, x, m->w);
        m->column[x] = cs_shot_whole(m->x[x], MOST_BINS);
    }
    for (int y = 0; y <= m->h; y++) {
        m->y[y] = bin_at(p, 1, y, m->h);
        m->row[y] = cs_shot_whole(m->y[y], MOST_BINS);
    }
}

/* Returns the part of bin k between two edges. */
static double overlap(size_t k, double from, double to)
{
    double low = (double)k, high = low + 1;
    return (high < to ? high : to) - (low > from ? low : from);
}

double cs_map_level(const double *mass, const plane *p, const mesh *m, int x,
                    int y)
{
    double left = m->x[x], right = m->x[x + 1], sum = 0;
    double top = m->y[y], bottom = m->y[y + 1];
    for (size_t r = m->row[y]; r < p->rows && (double)r < bottom; r++) {
        double part = 0;
        for (size_t c = m->column[x]; c < p->cols && (double)c < right; c++)
            part += mass[r * p->cols + c] * overlap(c, left, right);
        sum += part * overlap(r, top, bottom);
    }
    return sum / ((right - left) * (bottom - top));
}

double cs_map_largest(const plane *p, const double *mass)
{
    mesh m;
    double top = 0, total = cs_map_total(mass, p);
    cs_map_mesh_make(&m, p);
    for (int y = 0; y < m.h; y++)
        for (int x = 0; x < m.w; x++)
            top = fmax(top, cs_map_level(mass, p, &m, x, y));
    return total > 0 ? top / total : 0;
}

static int descending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

double cs_map_upper(const plane *p, const double *mass)
{
    size_t n = p->rows * p->cols, i = 0;
    double *level = cs_alloc(n, sizeof *level), total = cs_map_total(mass, p);
    double above = 0, most = cs_map_largest(p, mass), bins = 0;
    if (!level)
        return most;
    memcpy(level, mass, n * sizeof *level);
    qsort(level, n, sizeof *level, descending);
    while (i < n && above + level[i] <= total / 10)
        above += level[i++];
    bins = i < n && total > 0 ? level[i] / total : most;
    cs_free(level);
    return fmin(bins, most); /* cells are averages of bins */
}

/* ---- known modes ---------------------------------------------------------- */

static double mode_at(const plane *p, size_t mode, int axis)
{
    return p->modes[mode * p->dim + p->axis[axis]];
}

/* Returns the mode nearest to a point, in units of the view. */
static size_t nearest(const plane *p, double x, double y)
{
    size_t best = 0;
    double least = HUGE_VAL;
    for (size_t m = 0; m < p->n_modes; m++) {
        double u = (mode_at(p, m, 0) - x) / cs_map_span(p, 0);
        double v = (mode_at(p, m, 1) - y) / cs_map_span(p, 1);
        if (u * u + v * v < least) {
            least = u * u + v * v;
            best = m;
        }
    }
    return best;
}

static size_t mode_of_bin(const plane *p, size_t row, size_t column)
{
    const cs_row_view *v = p->view;
    double x = ((double)column + 0.5) / (double)p->cols * cs_map_span(p, 0);
    double y = ((double)row + 0.5) / (double)p->rows * cs_map_span(p, 1);
    return nearest(p, v->left + x, v->top - y);
}

void cs_map_shares(const plane *p, const double *mass, double *share)
{
    double total = cs_map_total(mass, p);
    for (size_t m = 0; m < p->n_modes; m++)
        share[m] = 0;
    for (size_t i = 0; i < p->rows * p->cols; i++)
        if (mass[i] > 0)
            share[mode_of_bin(p, i / p->cols, i % p->cols)] += mass[i] / total;
}

/* Finds the mass within two bins of each mode. This mass is the same
 * wherever the mode is in its bin. */
static void peaks_of_bins(const plane *p, const double *law, double *peak)
{
    const cs_row_view *v = p->view;
    for (size_t m = 0; m < p->n_modes; m++) {
        double x = (mode_at(p, m, 0) - v->left) / cs_map_span(p, 0);
        double y = (v->top - mode_at(p, m, 1)) / cs_map_span(p, 1);
        mesh one = {.w = 1, .h = 1};
        one.x[0] = fmax(x * (double)p->cols - 2, 0);
        one.y[0] = fmax(y * (double)p->rows - 2, 0);
        one.x[1] = one.x[0] + 4;
        one.y[1] = one.y[0] + 4;
        one.column[0] = cs_shot_whole(one.x[0], p->cols);
        one.row[0] = cs_shot_whole(one.y[0], p->rows);
        peak[m] = cs_map_level(law, p, &one, 0, 0);
    }
}

static void peaks_of_cells(const plane *p, const double *law, double *peak)
{
    mesh m;
    cs_map_mesh_make(&m, p);
    for (int y = 0; y < m.h; y++)
        for (int x = 0; x < m.w; x++) {
            double level = cs_map_level(law, p, &m, x, y);
            if (level <= 0)
                continue;
            double at_x = value_of(&p->shown[0], (x + 0.5) / m.w);
            double at_y = value_of(&p->shown[1], 1 - (y + 0.5) / m.h);
            size_t k = nearest(p, at_x, at_y);
            peak[k] = fmax(peak[k], level);
        }
}

static bool is_shown(const plane *p, size_t mode)
{
    double x = cs_map_share(&p->shown[0], mode_at(p, mode, 0));
    double y = cs_map_share(&p->shown[1], mode_at(p, mode, 1));
    return x >= 0 && x < 1 && y >= 0 && y < 1;
}

/* Returns true if the grid lowers the peaks of all displayed modes by the
 * same factor, so that equal modes look equal. */
static bool are_alike(const plane *p)
{
    const double alike = 1.08;
    double bins[MODES] = {0}, cells[MODES] = {0}, least = HUGE_VAL, most = 0;
    if (!p->truth)
        return false;
    peaks_of_bins(p, p->truth, bins);
    peaks_of_cells(p, p->truth, cells);
    for (size_t m = 0; m < p->n_modes; m++)
        if (is_shown(p, m) && bins[m] > 0) {
            least = fmin(least, cells[m] / bins[m]);
            most = fmax(most, cells[m] / bins[m]);
        }
    return most <= alike * least;
}

static int ascending(const void *a, const void *b)
{
    return -descending(a, b);
}

/* Finds the smallest gap between the displayed modes along an axis. If all
 * modes have the same position, the gap is 0. Returns false if no mode is
 * displayed. */
static bool find_gap(const plane *p, int axis, double *first, double *gap)
{
    double at[MODES], span = p->shown[axis].high - p->shown[axis].low;
    size_t n = 0;
    for (size_t m = 0; m < p->n_modes; m++)
        if (is_shown(p, m))
            at[n++] = mode_at(p, m, axis);
    qsort(at, n, sizeof *at, ascending);
    *first = n ? at[0] : 0;
    *gap = 0;
    for (size_t i = 1; i < n; i++)
        if (at[i] - at[i - 1] > 1e-3 * span)
            *gap = *gap > 0 ? fmin(*gap, at[i] - at[i - 1]) : at[i] - at[i - 1];
    return n > 0;
}

/* A division of an axis, which starts at `low`, into n cells. Each cell is
 * `wide` long and covers `zoom` columns or half lines. */
typedef struct division {
    double low, wide;
    int n, zoom;
} division;

/* Divides the displayed range so that the first mode is in the middle of a
 * cell. The area has `capacity` columns or half lines. */
static division divide(const plane *p, int axis, double first, double wide,
                       int capacity)
{
    const cs_scale *s = &p->shown[axis];
    division d = {.wide = wide};
    d.low = first - (ceil((first - s->low) / wide - 0.5 - 1e-9) + 0.5) * wide;
    d.n = (int)fmin(ceil((s->high - d.low) / wide - 1e-9), 2 * CS_CANVAS_MAX);
    d.zoom = d.n ? capacity / d.n : 0;
    /* an even number of half lines, so that lines are not cut */
    if (axis && d.zoom * d.n % 2) {
        d.n++;
        d.zoom = capacity / d.n;
    }
    return d;
}

/* Returns true if all displayed modes are near the middle of a cell. */
static bool are_centred(const plane *p, int axis, const division *d)
{
    for (size_t m = 0; m < p->n_modes; m++) {
        double at = (mode_at(p, m, axis) - d->low) / d->wide;
        if (is_shown(p, m) && fabs(at - floor(at) - 0.5) > 0.1)
            return false;
    }
    return true;
}

/* Chooses, among the divisions with modes in the middle of cells, the one
 * that covers most of the area. A cell has at least `bins` bins. */
static bool align(const plane *p, int axis, int capacity, double bins,
                  division *out)
{
    double first, gap, span = p->shown[axis].high - p->shown[axis].low,
                       best = 0;
    double least =
        bins * cs_map_span(p, axis) / (double)(axis ? p->rows : p->cols);
    if (p->shown[axis].log || !find_gap(p, axis, &first, &gap))
        return false;
    for (int q = gap > 0 ? 2 : 4; q <= capacity; q++) {
        double wide = gap > 0 ? gap / q : span / q;
        division d = divide(p, axis, first, wide, capacity);
        double covered = d.n * d.zoom + d.n / 4.0;
        if (wide < least || d.zoom < 1)
            break;
        if (covered > best && are_centred(p, axis, &d)) {
            best = covered;
            *out = d;
        }
    }
    return best > 0;
}

static bool align_both(plane *p, const int *capacity, double bins)
{
    division d[2];
    for (int k = 0; k < 2; k++)
        if (!align(p, k, capacity[k], bins, &d[k]))
            return false;
    for (int k = 0; k < 2; k++) {
        p->shown[k].low = d[k].low;
        p->shown[k].high = d[k].low + d[k].n * d[k].wide;
        p->cells[k] = d[k].n;
        p->zoom[k] = d[k].zoom;
    }
    return true;
}

/* Sets one cell per column and half line. */
static void set_plain(plane *p, const int *capacity, const cs_scale *shown)
{
    for (int k = 0; k < 2; k++) {
        p->shown[k] = shown[k];
        p->cells[k] = capacity[k];
        p->zoom[k] = 1;
    }
}

/* Returns true if two displayed modes are so close that their marks, each of
 * which fills a character, would touch. */
static bool are_crowded(const plane *p)
{
    const double columns = 2, half_lines = 4;
    int w = p->cells[0] * p->zoom[0], h = p->cells[1] * p->zoom[1];
    for (size_t m = 1; m < p->n_modes; m++)
        for (size_t k = 0; k < m && is_shown(p, m); k++) {
            double d[2];
            for (int i = 0; i < 2; i++)
                d[i] = fabs(cs_map_share(&p->shown[i], mode_at(p, m, i)) -
                            cs_map_share(&p->shown[i], mode_at(p, k, i)));
            if (is_shown(p, k) && d[0] * w < columns - 1e-6 &&
                d[1] * h < half_lines - 1e-6)
                return true;
        }
    return false;
}

cs_area cs_map_fit(const cs_area *a, plane *p)
{
    const int capacity[2] = {a->w, 2 * a->h};
    const cs_scale shown[2] = {p->shown[0], p->shown[1]};
    bool judged = p->n_modes > 1 && p->n_modes <= MODES && a->w > 0 && a->h > 0;
    bool good = !judged;
    for (double bins = p->truth ? 0.5 : 2; !good && bins <= 4; bins += 0.5) {
        set_plain(p, capacity, shown);
        good = align_both(p, capacity, bins) && (!p->truth || are_alike(p));
    }
    if (!good || !judged)
        set_plain(p, capacity, shown);
    p->symbols = judged && ((!good && !are_alike(p)) || are_crowded(p));
    int w = p->cells[0] * p->zoom[0], h = p->cells[1] * p->zoom[1] / 2;
    return cs_area_part(a, 0, a->h - h, w, h);
}
