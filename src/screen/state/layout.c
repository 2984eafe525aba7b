#include "screen/state/layout.h"

#include <assert.h>
#include <math.h>

enum { FRAME = 2, ROW_HEIGHT = 9 };

/* The best ratio of a panel's columns to lines: cells are twice as tall as
 * wide, and most panels have a time axis. */
#define SHAPE 3.5

/* The smallest share that dragging can set; 0 means not set. */
#define LEAST 0.25

/* Divides one row among its panels by weights, with minimum sizes. */
static void cut_row(const cs_slot *slot, cs_layout_place *p, size_t n, int y,
                    int w, int h)
{
    double weight = 0;
    int least = 0;
    for (size_t i = 0; i < n; i++) {
        weight += slot[p[i].panel].type->weight;
        least += slot[p[i].panel].type->width + FRAME;
    }
    int spare = w > least ? w - least : 0, x = 0;
    double share = 0;
    for (size_t i = 0; i < n; i++) {
        const cs_panel_type *t = slot[p[i].panel].type;
        double before = share;
        share += t->weight / weight;
        int extra = (int)(share * spare) - (int)(before * spare);
        p[i].x = x;
        p[i].y = y;
        p[i].w = i + 1 == n ? w - x : t->width + FRAME + extra;
        p[i].h = h;
        x += p[i].w;
    }
}

/* Returns the number of panels, starting at p, that fit in one row of width
 * w. */
static size_t row_length(const cs_slot *slot, const cs_layout_place *p,
                         size_t n, int w, size_t wanted)
{
    size_t length = 0;
    int used = 0;
    while (length < n && length < wanted) {
        used += slot[p[length].panel].type->width + FRAME;
        if (used > w && length > 0)
            break;
        length++;
    }
    return length;
}

/* Returns the weight of a row's height: the largest weight of its panels. */
static double tall_of(const cs_slot *slot, const cs_layout_place *p, size_t n)
{
    double tall = 0;
    for (size_t i = 0; i < n; i++) {
        double t = slot[p[i].panel].type->tall;
        tall = fmax(tall, t > 0 ? t : 1);
    }
    return tall;
}

static void place_rows(const cs_slot *slot, cs_layout *l, size_t rows, int w,
                       int h)
{
    size_t from = 0, row = 0;
    size_t first[CS_LAYOUT_PANELS], length[CS_LAYOUT_PANELS];
    double tall[CS_LAYOUT_PANELS], all = 0;
    while (from < l->n && row < rows) {
        size_t left = l->n - from;
        size_t wanted = (left + rows - row - 1) / (rows - row);
        first[row] = from;
        length[row] = row_length(slot, l->place + from, left, w, wanted);
        tall[row] = tall_of(slot, l->place + from, length[row]);
        all += tall[row];
        from += length[row++];
    }
    if (from < l->n) {
        l->hidden = true;
        l->n = from;
    }
    int y = 0, spare = h - (int)row * ROW_HEIGHT;
    double share = 0;
    for (size_t i = 0; i < row; i++) {
        share += tall[i];
        int end = spare > 0
                      ? (int)(i + 1) * ROW_HEIGHT + (int)(share / all * spare)
                      : (int)((i + 1) * (size_t)h / row);
        cut_row(slot, l->place + first[i], length[i], y, w, end - y);
        y = end;
    }
}

/* Returns a measure of how far the panels are from their best shape. Hidden
 * panels count most. */
static double badness(const cs_slot *slot, const cs_layout *l, size_t wanted)
{
    double bad = 10 * (double)(wanted - l->n);
    for (size_t i = 0; i < l->n; i++) {
        const cs_layout_place *p = l->place + i;
        if (p->w > 0 && p->h > 0)
            bad += fabs(log((double)p->w / p->h / SHAPE)) *
                   slot[p->panel].type->weight;
    }
    return bad;
}

/* ---- sizes set by dragging ------------------------------------------------ */

static bool same_row(const cs_layout_place *a, const cs_layout_place *b)
{
    return a->y == b->y;
}

static int extra_width(const cs_slot *slot, const cs_layout_place *p)
{
    return p->w - slot[p->panel].type->width - FRAME;
}

/* Divides `capacity` among n items in proportion to size[n], and finds the end
 * of each item. */
static void cut(const double *size, size_t n, int capacity, int *end)
{
    double all = 0, share = 0;
    for (size_t i = 0; i < n; i++)
        all += size[i];
    for (size_t i = 0; i < n; i++) {
        share += size[i];
        end[i] = (int)(share / all * capacity + 1e-6);
    }
}

static void widen_row(const cs_slot *slot, cs_layout_place *p, size_t n,
                      const cs_layout_sizes *sizes)
{
    double size[CS_LAYOUT_PANELS];
    int end[CS_LAYOUT_PANELS], x = 0, spare = 0, before = 0;
    bool any = false;
    for (size_t i = 0; i < n; i++) {
        int extra = extra_width(slot, p + i);
        double given = sizes->wide[p[i].panel];
        any |= given > 0;
        spare += extra;
        size[i] = given > 0 ? given : fmax(extra, LEAST);
    }
    if (!any || spare <= 0)
        return;
    cut(size, n, spare, end);
    for (size_t i = 0; i < n; i++) {
        p[i].x = x;
        p[i].w += end[i] - before - extra_width(slot, p + i);
        before = end[i];
        x += p[i].w;
    }
}

/* Finds the rows of a layout: the first place of each row, and the end of the
 * last row. */
static size_t find_rows(const cs_layout *l, size_t *first)
{
    size_t rows = 0;
    for (size_t i = 0; i < l->n; i++)
        if (i == 0 || !same_row(l->place + i, l->place + i - 1))
            first[rows++] = i;
    first[rows] = l->n;
    return rows;
}

static void resize(const cs_slot *slot, cs_layout *l,
                   const cs_layout_sizes *sizes, int h)
{
    size_t first[CS_LAYOUT_PANELS + 1], rows = find_rows(l, first);
    double size[CS_LAYOUT_PANELS];
    int end[CS_LAYOUT_PANELS], spare = h - (int)rows * ROW_HEIGHT, y = 0;
    bool any = false;
    for (size_t r = 0; r < rows; r++) {
        double given = sizes->tall[l->place[first[r]].panel];
        any |= given > 0;
        size[r] =
            given > 0 ? given : fmax(l->place[first[r]].h - ROW_HEIGHT, LEAST);
        widen_row(slot, l->place + first[r], first[r + 1] - first[r], sizes);
    }
    if (!any || spare <= 0)
        return;
    cut(size, rows, spare, end);
    for (size_t r = 0; r < rows; r++) {
        int bottom = end[r] + (int)(r + 1) * ROW_HEIGHT;
        for (size_t i = first[r]; i < first[r + 1]; i++) {
            l->place[i].y = y;
            l->place[i].h = bottom - y;
        }
        y = bottom;
    }
}

/* Adds `by` to the first size and subtracts it from the second. The change
 * is limited so that both sizes remain at least LEAST. */
static void move(double *a, double *b, int by)
{
    double both = *a + *b;
    *a = fmin(fmax(*a + by, LEAST), both - LEAST);
    *b = both - *a;
}

void cs_layout_move(const cs_slot *slot, const cs_layout *l, size_t i,
                    bool down, int by, cs_layout_sizes *sizes)
{
    assert(i < l->n);
    size_t first[CS_LAYOUT_PANELS + 1], rows = find_rows(l, first), r = 0;
    double tall[CS_LAYOUT_PANELS + 1];
    while (first[r + 1] <= i)
        r++;
    for (size_t k = first[r]; !down && k < first[r + 1]; k++)
        sizes->wide[l->place[k].panel] =
            fmax(extra_width(slot, l->place + k), LEAST);
    if (!down && i + 1 < first[r + 1])
        move(&sizes->wide[l->place[i].panel],
             &sizes->wide[l->place[i + 1].panel], by);
    if (!down)
        return;
    for (size_t k = 0; k < rows; k++)
        tall[k] = fmax(l->place[first[k]].h - ROW_HEIGHT, LEAST);
    if (r + 1 < rows)
        move(&tall[r], &tall[r + 1], by);
    for (size_t k = 0; k < rows; k++)
        for (size_t n = first[k]; n < first[k + 1]; n++)
            sizes->tall[l->place[n].panel] = tall[k];
}

cs_layout cs_layout_make(const cs_slot *slot, size_t n, size_t focus,
                         const cs_layout_sizes *sizes, int w, int h)
{
    assert(n <= CS_LAYOUT_PANELS);
    cs_layout all = {.n = 0}, best = {.n = 0};
    if (w < 1 || h < 1)
        return all;
    for (size_t i = 0; i < n && all.n < CS_LAYOUT_PANELS; i++)
        if (slot[i].on || i == focus)
            all.place[all.n++].panel = i;
    size_t most = (size_t)(h / ROW_HEIGHT);
    double least = HUGE_VAL;
    for (size_t rows = 1; rows <= (most ? most : 1) && rows <= all.n; rows++) {
        cs_layout l = all;
        place_rows(slot, &l, rows, w, h);
        double bad = badness(slot, &l, all.n);
        if (bad < least) {
            least = bad;
            best = l;
        }
    }
    bool seen = focus >= n;
    for (size_t i = 0; i < best.n; i++)
        seen |= best.place[i].panel == focus;
    if (best.n && !seen) /* the focused panel replaces the last one */
        best.place[best.n - 1].panel = focus;
    if (sizes)
        resize(slot, &best, sizes, h);
    return best;
}
