/* Tables on the screen: the columns of base/cells.h, each as wide as it says, of which
 * those are drawn that fit (cs_columns_fit). */
#pragma once

#include "base/cells.h"
#include "screen/canvas/canvas.h"

/* The headings of column[n] from x on; the cells of a row. */
void cs_columns_head(const cs_area *a, int x, int y, const cs_column *column,
                     size_t n);
void cs_columns_row(const cs_area *a, int x, int y, const cs_column *column,
                    size_t n, const void *row);

/* One cell in w columns of the screen: without the words after a number, if it would
 * not fit else. */
void cs_columns_cell(const cs_area *a, int x, int y, int w,
                     const cs_column *column, const void *row);
