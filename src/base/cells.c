#include "base/cells.h"

#include "base/memory.h"

#include <string.h>

cs_cells cs_cells_begin(const char *const *head, size_t columns, size_t words)
{
    cs_cells c = {.columns = columns, .words = words};
    cs_cells_add(&c, head);
    return c;
}

void cs_cells_add(cs_cells *c, const char *const *cell)
{
    size_t n = c->rows * c->columns;
    if (c->full || !CS_GROW(c->cell, n, c->room, c->columns)) {
        c->full = true;
        return;
    }
    char **row = c->cell + n;
    c->rows++;
    for (size_t k = 0; k < c->columns; k++) {
        row[k] = cs_copy_text(cell[k]);
        c->full |= !row[k];
    }
}

void cs_cells_fini(cs_cells *c)
{
    for (size_t i = 0; i < c->rows * c->columns; i++)
        cs_free(c->cell[i]);
    cs_free(c->cell);
    *c = (cs_cells){.columns = 0};
}

static const char *at(const cs_cells *c, size_t i, size_t k)
{
    const char *text = c->cell[i * c->columns + k];
    return text ? text : "";
}

static size_t width_of(const cs_cells *c, size_t k)
{
    size_t width = 0;
    for (size_t i = 0; i < c->rows; i++) {
        size_t n = strlen(at(c, i, k));
        width = n > width ? n : width;
    }
    return width;
}

void cs_cells_line(const cs_cells *c, size_t i, cs_page *p)
{
    for (size_t k = 0; k + 1 < c->columns; k++)
        cs_page_put(p, "  %-*s", (int)width_of(c, k), at(c, i, k));
    cs_page_put(p, "  %s\n", at(c, i, c->columns - 1));
}

void cs_cells_put(const cs_cells *c, const cs_markup *m, cs_page *p)
{
    p->full |= c->full;
    if (c->rows == 0)
        return;
    for (size_t i = 0; !m && i < c->rows; i++)
        cs_cells_line(c, i, p);
    if (!m)
        return;
    cs_markup_table(m, (const char *const *)c->cell, c->columns, c->words, p);
    for (size_t i = 1; i < c->rows; i++)
        cs_markup_row(m, (const char *const *)c->cell + i * c->columns,
                      c->columns, p);
    cs_markup_end(m, p);
}
