/* Tables as plain text. */
#include "base/cells.h"
#include "base/text.h"

static bool is_right(const cs_cells *t, size_t k)
{
    return t->right && t->column[k].kind != CS_COLUMN_WORDS;
}

/* Returns the number of blanks between column `before` and column k. If
 * `before` equals k, k is the first column. A column of words that follows a
 * column of numbers gets more blanks. */
static int gap_of(const cs_cells *t, size_t before, size_t k)
{
    bool meet = is_right(t, before) && !is_right(t, k);
    return before == k ? t->indent : meet && t->gap < 2 ? 2 : t->gap;
}

enum { CLEAN = 5000 };

void cs_cells_line(const cs_cells *t, size_t i, cs_page *p)
{
    size_t before = t->columns;
    int pad = 0; /* padding of the previous column if it is left-aligned */
    for (size_t k = 0; k < t->columns; k++) {
        const cs_column *c = &t->column[k];
        if (!c->name)
            continue;
        char clean[CLEAN];
        const char *text = i ? t->cell[(i - 1) * t->columns + k].text : c->name;
        cs_text_clean(text ? text : "", clean, sizeof clean);
        int gap = pad + gap_of(t, before < k ? before : k, k);
        pad = t->width[k] - cs_text_width(clean);
        cs_page_put(p, "%*s%s", gap + (is_right(t, k) ? pad : 0), "", clean);
        pad = is_right(t, k) ? 0 : pad;
        before = k;
    }
    cs_page_put(p, "\n");
}

void cs_cells_put(const cs_cells *t, const cs_markup *m, cs_page *p)
{
    p->full |= t->full;
    for (size_t i = 0; !m && i <= t->rows; i++)
        cs_cells_line(t, i, p);
    if (m)
        cs_cells_mark_up(t, m, p);
}
