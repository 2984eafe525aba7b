/* Tables in Markdown, LaTeX and HTML. */
#include "base/cells.h"

void cs_cells_mark_up(const cs_cells *t, const cs_markup *m, cs_page *p)
{
    const char *cell[CS_CELLS_COLUMNS];
    bool right[CS_CELLS_COLUMNS];
    size_t n = 0;
    for (size_t k = 0; k < t->columns; k++)
        if (t->column[k].name) {
            right[n] = t->column[k].kind != CS_COLUMN_WORDS;
            cell[n++] = t->column[k].name;
        }
    cs_markup_table(m, cell, right, n, p);
    for (size_t i = 0; i < t->rows; i++) {
        n = 0;
        for (size_t k = 0; k < t->columns; k++) {
            const char *text = t->cell[i * t->columns + k].text;
            if (t->column[k].name)
                cell[n++] = text ? text : "";
        }
        cs_markup_row(m, cell, n, p);
    }
    cs_markup_end(m, p);
}
