/* Tables as JSON. */
#include "base/cells.h"

#include <math.h>

static void put_number(const char *key, double x, cs_page *p)
{
    cs_page_quoted(p, key);
    cs_page_put(p, ": ");
    if (isfinite(x))
        cs_page_exact(p, x);
    else
        cs_page_put(p, "null");
}

void cs_cells_json_row(const cs_cells *t, size_t i, cs_page *p)
{
    size_t n = 0;
    for (size_t k = 0; k < t->columns; k++) {
        const cs_column *c = &t->column[k];
        const cs_kept_cell *cell = &t->cell[i * t->columns + k];
        bool words = c->kind == CS_COLUMN_WORDS;
        if (!c->key || (words && !cell->text))
            continue;
        cs_page_put(p, "%s", n++ ? ", " : "");
        if (words) {
            cs_page_quoted(p, c->key);
            cs_page_put(p, ": ");
            cs_page_quoted(p, cell->text);
            continue;
        }
        put_number(c->key, cell->value, p);
        if (!c->error)
            continue;
        cs_page_put(p, ", ");
        put_number(c->error, cell->error, p);
    }
}

void cs_cells_json(const cs_cells *t, const char *before, cs_page *p)
{
    p->full |= t->full;
    for (size_t i = 0; i < t->rows; i++) {
        cs_page_put(p, "%s%s{", i ? "," : "", before);
        cs_cells_json_row(t, i, p);
        cs_page_put(p, "}");
    }
}
