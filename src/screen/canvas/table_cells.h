/* Tables on the screen: columns of base/cells.h with given widths. Columns that
 * do not fit are left out (cs_columns_fit). */
#pragma once

#include "base/cells.h"
#include "screen/canvas/canvas.h"

/* Draw the headings of column[n] from x, and the cells of one row. */
void cs_columns_head(const cs_area *a, int x, int y, const cs_column *column,
                     size_t n);
void cs_columns_row(const cs_area *a, int x, int y, const cs_column *column,
                    size_t n, const void *row);

/* Draws one cell in w columns of the screen. Words after a number are omitted
 * if they do not fit. */
void cs_columns_cell(const cs_area *a, int x, int y, int w,
                     const cs_column *column, const void *row);
