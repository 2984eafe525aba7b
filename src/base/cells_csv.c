/* Tables as CSV (RFC 4180, except that lines end with a newline only, as in all
 * files of this program). */
#include "base/cells.h"

#include <math.h>
#include <string.h>

static void put_words(const char *text, cs_page *p)
{
    if (!strpbrk(text, ",\"\r\n")) {
        cs_page_put(p, "%s", text);
        return;
    }
    cs_page_put(p, "\"");
    for (; *text; text++)
        cs_page_put(p, *text == '"' ? "\"\"" : "%c", *text);
    cs_page_put(p, "\"");
}

/* Writes one field: a key, words, or a number if it is known. */
static void put_field(const char *words, double x, bool first, cs_page *p)
{
    cs_page_put(p, "%s", first ? "" : ",");
    if (words)
        put_words(words, p);
    else if (!isnan(x))
        cs_page_exact(p, x);
}

/* Writes row i - 1, or the line of keys if i is 0. */
static void put_line(const cs_cells *t, size_t i, cs_page *p)
{
    bool first = true;
    for (size_t k = 0; k < t->columns; k++) {
        const cs_column *c = &t->column[k];
        cs_kept_cell cell = {.value = NAN, .error = NAN};
        if (!c->key)
            continue;
        if (i)
            cell = t->cell[(i - 1) * t->columns + k];
        const char *words = c->kind == CS_COLUMN_WORDS ? cell.text : NULL;
        put_field(i ? words : c->key, cell.value, first, p);
        if (c->error)
            put_field(i ? NULL : c->error, cell.error, false, p);
        first = false;
    }
    cs_page_put(p, "\n");
}

void cs_cells_csv_head(const cs_cells *t, cs_page *p)
{
    put_line(t, 0, p);
}

void cs_cells_csv_rows(const cs_cells *t, cs_page *p)
{
    p->full |= t->full;
    for (size_t i = 1; i <= t->rows; i++)
        put_line(t, i, p);
}

void cs_cells_csv(const cs_cells *t, cs_page *p)
{
    cs_cells_csv_head(t, p);
    cs_cells_csv_rows(t, p);
}
