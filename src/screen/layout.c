#include "screen/layout.h"

enum { FRAME = 2, ROW_HEIGHT = 9 };

/* The panels of one row: weights with minima. */
static void cut_row(const cs_panel_type *const *type, cs_place *p, size_t n,
                    int y, int w, int h)
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
static size_t row_length(const cs_panel_type *const *type, const cs_place *p,
                         size_t n, int w, size_t wanted)
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

static void place_rows(const cs_panel_type *const *type, cs_layout *l,
                       size_t rows, int w, int h)
{
    size_t from = 0, row = 0;
    size_t first[CS_LAYOUT_PANELS], length[CS_LAYOUT_PANELS];
    while (from < l->n && row < rows) {
        size_t left = l->n - from;
        size_t wanted = (left + rows - row - 1) / (rows - row);
        first[row] = from;
        length[row] = row_length(type, l->place + from, left, w, wanted);
        from += length[row++];
    }
    if (from < l->n) {
        l->hidden = true;
        l->n = from;
    }
    int y = 0;
    for (size_t i = 0; i < row; i++) {
        int end = (int)((i + 1) * (size_t)h / row);
        cut_row(type, l->place + first[i], length[i], y, w, end - y);
        y = end;
    }
}

cs_layout cs_layout_make(const cs_panel_type *const *type, const bool *on,
                         size_t n, size_t focus, int w, int h)
{
    cs_layout l = {.n = 0};
    if (w < 1 || h < 1)
        return l;
    for (size_t i = 0; i < n && l.n < CS_LAYOUT_PANELS; i++)
        if (!on || on[i] || i == focus)
            l.place[l.n++].panel = i;
    cs_layout all = l;
    size_t most = (size_t)(h / ROW_HEIGHT), rows = 1;
    most = most ? most : 1;
    for (rows = 1; rows <= most; rows++) {
        l = all;
        place_rows(type, &l, rows, w, h);
        if (!l.hidden && (rows == most || l.n <= rows * (size_t)(w / 46 + 1)))
            break;
    }
    for (size_t i = 0; i < l.n; i++)
        if (l.place[i].panel == focus)
            return l;
    if (l.n && focus < n) { /* the focused one takes the last place */
        l.place[l.n - 1].panel = focus;
    }
    return l;
}
