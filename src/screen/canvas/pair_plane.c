#include "screen/canvas/pair_plane.h"

#include <math.h>
#include <string.h>

/* Finds the range of a quantity and the number of its cells. */
static size_t read_axis(const cs_shot *s, size_t arm, size_t k, size_t i,
                        double *low, double *high)
{
    size_t n, c, rows;
    const double *range =
        cs_shot_array(s, &n, &c, "arm/%zu/draws/%zu/range", arm, k);
    if (!range || c != 2 || i >= n ||
        !cs_shot_array(s, &rows, &c, "arm/%zu/draws/%zu/share/%zu", arm, k, i))
        return 0;
    *low = range[2 * i];
    *high = range[2 * i + 1];
    return *high > *low ? rows * c : 0;
}

bool cs_pair_plane_find(const cs_shot *s, size_t arm, size_t k, size_t i,
                        size_t j, cs_pair_plane *out)
{
    const char *text =
        cs_shot_text(s, "arm/%zu/draws/%zu/plane/%zu/%zu", arm, k, i, j);
    *out = (cs_pair_plane){.level = (const unsigned char *)text};
    out->wide = read_axis(s, arm, k, i, &out->left, &out->right);
    out->high = read_axis(s, arm, k, j, &out->bottom, &out->top);
    out->most =
        cs_shot_number(s, 1, "arm/%zu/draws/%zu/top/%zu/%zu", arm, k, i, j);
    return out->wide && out->high && out->most > 0 &&
           strlen(text) == out->wide * out->high;
}

/* The cells first .. end - 1 that a part of an axis covers, from `from` to `to`
 * in units of cells. */
typedef struct part {
    double from, to;
    size_t first, end;
} part;

static part part_of(double from, double to, size_t cells)
{
    part p = {fmax(from, 0), fmin(to, (double)cells), 0, 0};
    p.first = cs_shot_whole(p.from, cells);
    p.end = cs_shot_whole(ceil(p.to), cells);
    return p;
}

static double overlap(const part *p, size_t cell)
{
    double low = (double)cell, high = low + 1;
    return fmax(fmin(high, p->to) - fmax(low, p->from), 0);
}

/* Returns the sum of the squared levels under a rectangle of cells. */
static double sum_of(const cs_pair_plane *p, const part *x, const part *y)
{
    double sum = 0;
    for (size_t r = y->first; r < y->end; r++)
        for (size_t c = x->first; c < x->end; c++) {
            unsigned v = p->level[r * p->wide + c];
            double level = v > 1 ? (v - 1) / 254.0 : 0;
            sum += level * level * overlap(x, c) * overlap(y, r);
        }
    return sum;
}

double cs_pair_plane_density(const cs_pair_plane *p, cs_scale x, cs_scale y,
                             int w, int h, double *out)
{
    double wide = (p->right - p->left) / (double)p->wide, most = 0;
    double high = (p->top - p->bottom) / (double)p->high;
    double dx = (x.high - x.low) / w, dy = (y.high - y.low) / h;
    for (int r = 0; r < h; r++)
        for (int c = 0; c < w; c++) {
            double left = x.low + dx * c, up = y.high - dy * r;
            part across = part_of((left - p->left) / wide,
                                  (left + dx - p->left) / wide, p->wide);
            part down = part_of((p->top - up) / high, (p->top - up + dy) / high,
                                p->high);
            double v = p->most * sum_of(p, &across, &down) / (dx * dy);
            out[r * w + c] = v;
            most = fmax(most, v);
        }
    return most;
}
