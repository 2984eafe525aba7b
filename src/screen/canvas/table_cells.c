#include "screen/canvas/table_cells.h"

#include <stdio.h>
#include <string.h>

void cs_columns_cell(const cs_area *a, int x, int y, int w,
                     const cs_column *column, const void *row)
{
    static const cs_role roles[] = {[CS_CELL_PLAIN] = CS_ROLE_NORMAL,
                                    [CS_CELL_BAD] = CS_ROLE_WARN,
                                    [CS_CELL_EXACT] = CS_ROLE_TRUTH};
    char buffer[CS_CELL_ROOM], text[CS_CELL_ROOM];
    cs_column_cell cell;
    cs_cell_read(column, row, &cell);
    snprintf(text, sizeof text, "%s", cs_cell_text(column, &cell, buffer));
    /* text output adds "!" to a bad number; here its colour marks it, and the
     * verdict has the word. A text has no mark: its "!" remains */
    bool bad = !cell.text && column->most > 0 && cell.value > column->most;
    char *sign = bad ? strchr(text, '!') : NULL;
    if (sign)
        memmove(sign, sign + 1, strlen(sign));
    char *blank = strrchr(text, ' ');
    while (blank && cs_text_width(text) > w) {
        *blank = 0;
        blank = strrchr(text, ' ');
    }
    cs_print_cut(a, x, y, w, roles[cell.mark], "%s", text);
}

void cs_columns_head(const cs_area *a, int x, int y, const cs_column *column,
                     size_t n)
{
    for (size_t k = 0; k < n; x += column[k++].width)
        cs_print(a, x, y,
                 column[k].mark == CS_CELL_EXACT ? CS_ROLE_TRUTH
                                                 : CS_ROLE_LABEL,
                 "%s", column[k].name);
}

void cs_columns_row(const cs_area *a, int x, int y, const cs_column *column,
                    size_t n, const void *row)
{
    for (size_t k = 0; k < n; x += column[k++].width)
        cs_columns_cell(a, x, y, column[k].width - 1, &column[k], row);
}
