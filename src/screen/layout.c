#include "screen/layout.h"

#include <assert.h>
#include <math.h>

enum { FRAME = 2, ROW_HEIGHT = 9 };

/* The best shape of a panel, columns to lines: cells are twice as tall as
 * they are wide, and most panels show time. */
#define SHAPE 3.5

/* The panels of one row: weights with minima. */
static void cut_row(const cs_panel_type *const *type, cs_layout_place *p,
                    size_t n, int y, int w, int h)
{
    double weight = 0;
    int least = 0;
    for (size_t i = 0; i < n; i++) {
        weight += type[p[i].panel]->weight;
        least += type[p[i].panel]->width + FRAME;
    }
    int spare = w > least ? w - least : 0, x = 0;
    double share = 0;
    for (size_t i = 0; i < n; i++) {
        const cs_panel_type *t = type[p[i].panel];
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

/* How many of the panels from p on stand in one row of width w. */
static size_t row_length(const cs_panel_type *const *type,
                         const cs_layout_place *p, size_t n, int w,
                         size_t wanted)
{
    size_t length = 0;
    int used = 0;
    while (length < n && length < wanted) {
        used += type[p[length].panel]->width + FRAME;
        if (used > w && length > 0)
            break;
        length++;
    }
    return length;
}

/* A row is as tall as its tallest panel asks for. */
static double tall_of(const cs_panel_type *const *type,
                      const cs_layout_place *p, size_t n)
{
    double tall = 0;
    for (size_t i = 0; i < n; i++) {
        double t = type[p[i].panel]->tall;
        tall = fmax(tall, t > 0 ? t : 1);
    }
    return tall;
}

static void place_rows(const cs_panel_type *const *type, cs_layout *l,
                       size_t rows, int w, int h)
{
    size_t from = 0, row = 0;
    size_t first[CS_LAYOUT_PANELS], length[CS_LAYOUT_PANELS];
    double tall[CS_LAYOUT_PANELS], all = 0;
    while (from < l->n && row < rows) {
        size_t left = l->n - from;
        size_t wanted = (left + rows - row - 1) / (rows - row);
        first[row] = from;
        length[row] = row_length(type, l->place + from, left, w, wanted);
        tall[row] = tall_of(type, l->place + from, length[row]);
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
        cut_row(type, l->place + first[i], length[i], y, w, end - y);
        y = end;
    }
}

/* How far the panels are from their best shape; what is hidden weighs most. */
static double badness(const cs_panel_type *const *type, const cs_layout *l,
                      size_t wanted)
{
    double bad = 10 * (double)(wanted - l->n);
    for (size_t i = 0; i < l->n; i++) {
        const cs_layout_place *p = l->place + i;
        if (p->w > 0 && p->h > 0)
            bad +=
                fabs(log((double)p->w / p->h / SHAPE)) * type[p->panel]->weight;
    }
    return bad;
}

cs_layout cs_layout_make(const cs_panel_type *const *type, const bool *on,
                         size_t n, size_t focus, int w, int h)
{
    assert(n <= CS_LAYOUT_PANELS);
    cs_layout all = {.n = 0}, best = {.n = 0};
    if (w < 1 || h < 1)
        return all;
    for (size_t i = 0; i < n && all.n < CS_LAYOUT_PANELS; i++)
        if (!on || on[i] || i == focus)
            all.place[all.n++].panel = i;
    size_t most = (size_t)(h / ROW_HEIGHT);
    double least = HUGE_VAL;
    for (size_t rows = 1; rows <= (most ? most : 1) && rows <= all.n; rows++) {
        cs_layout l = all;
        place_rows(type, &l, rows, w, h);
        double bad = badness(type, &l, all.n);
        if (bad < least) {
            least = bad;
            best = l;
        }
    }
    for (size_t i = 0; i < best.n; i++)
        if (best.place[i].panel == focus)
            return best;
    if (best.n && focus < n) /* the focused one takes the last place */
        best.place[best.n - 1].panel = focus;
    return best;
}
