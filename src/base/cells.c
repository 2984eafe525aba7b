#include "base/cells.h"

#include "base/count.h"
#include "base/memory.h"
#include "base/text.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- cells ---- */

static double number_at(const void *row, size_t at)
{
    double x;
    memcpy(&x, (const char *)row + at, sizeof x);
    return x;
}

void cs_cell_read(const cs_column *c, const void *row, cs_column_cell *cell)
{
    cell->value = cell->error = NAN;
    cell->text = NULL;
    cell->mark = c->mark;
    if (c->get) {
        c->get(c, row, cell);
    } else if (c->kind == CS_COLUMN_WORDS) {
        memcpy(&cell->text, (const char *)row + c->at, sizeof cell->text);
    } else {
        cell->value = number_at(row, c->at);
        if (c->error)
            cell->error = number_at(row, c->at + sizeof(double));
    }
    if (c->most > 0 && cell->value > c->most)
        cell->mark = CS_CELL_BAD;
}

static int put_number(const cs_column *c, double x, int digits, char *out,
                      size_t size)
{
    if (c->kind == CS_COLUMN_FIXED)
        return snprintf(out, size, "%.*f", digits, x);
    if (c->kind == CS_COLUMN_SHORT)
        return snprintf(out, size, "%s", cs_num(x).text);
    return snprintf(out, size, "%.*g", digits, x);
}

const char *cs_cell_text(const cs_column *c, const cs_column_cell *cell,
                         char *scratch)
{
    enum { HALF = CS_CELL_ROOM / 2 };
    bool fixed = c->kind == CS_COLUMN_FIXED;
    int digits = c->digits || fixed ? c->digits : 4;
    if (cell->text || c->kind == CS_COLUMN_WORDS)
        return cell->text ? cell->text : "";
    if (isnan(cell->value))
        return c->missing ? c->missing : "-";
    put_number(c, cell->value, digits, scratch, HALF);
    if (c->most > 0 && cell->value > c->most)
        strcat(scratch, "!");
    if (!isnan(cell->error)) {
        strcat(scratch, " +- ");
        put_number(c, cell->error, fixed ? digits : digits / 2,
                   scratch + strlen(scratch), HALF - 8);
    }
    return scratch;
}

/* ---- rows ---- */

cs_cells cs_cells_begin(const cs_column *column, size_t columns)
{
    assert(columns <= CS_CELLS_COLUMNS);
    cs_cells t = {.column = column, .columns = columns, .indent = 2, .gap = 2};
    for (size_t k = 0; k < columns; k++) {
        int head = column[k].name ? cs_text_width(column[k].name) : 0;
        t.width[k] = head > column[k].width ? head : column[k].width;
    }
    return t;
}

void cs_cells_add(cs_cells *t, const void *row)
{
    size_t n = t->rows * t->columns;
    char buffer[CS_CELL_ROOM];
    if (t->full || !CS_GROW(t->cell, n, t->capacity, t->columns)) {
        t->full = true;
        return;
    }
    t->rows++;
    for (size_t k = 0; k < t->columns; k++) {
        const cs_column *c = &t->column[k];
        cs_column_cell cell;
        cs_cell_read(c, row, &cell);
        const char *text = cs_cell_text(c, &cell, buffer);
        bool none = c->kind == CS_COLUMN_WORDS && !cell.text;
        t->cell[n + k] = (cs_kept_cell){none ? NULL : cs_copy_text(text),
                                        cell.value, cell.error};
        t->full |= !none && !t->cell[n + k].text;
        int width = cs_text_width(text);
        t->width[k] = width > t->width[k] ? width : t->width[k];
    }
}

void cs_cells_fini(cs_cells *t)
{
    for (size_t i = 0; i < t->rows * t->columns; i++)
        cs_free(t->cell[i].text);
    cs_free(t->cell);
    t->cell = NULL;
    t->rows = t->capacity = 0;
}

/* ---- columns ---- */

static bool is_known(const cs_column *c, const void *row)
{
    cs_column_cell cell;
    cs_cell_read(c, row, &cell);
    return cell.text || !isnan(cell.value);
}

size_t cs_columns_choose(const cs_column *all, size_t n, const void *rows,
                         size_t count, size_t size, cs_column *out)
{
    size_t chosen = 0;
    for (size_t k = 0; k < n; k++) {
        bool known = !all[k].optional;
        for (size_t i = 0; i < count && !known; i++)
            known = is_known(&all[k], (const char *)rows + i * size);
        if (known)
            out[chosen++] = all[k];
    }
    return chosen;
}

size_t cs_columns_fit(const cs_column *c, size_t n, int width)
{
    size_t fit = 0;
    int used = 0;
    for (; fit < n && used + c[fit].width <= width + 1; fit++)
        used += c[fit].width;
    return fit;
}
