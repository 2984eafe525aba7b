/* The table of scalars: log p of an arm and its coordinates, one a line. */
#pragma once

#include "screen/panels/panel.h"

/* Draws the scalars from line `top` on, of many the worst first; returns the lines
 * used. */
int cs_scalar_table_draw(const cs_area *a, const cs_shot *s, size_t arm,
                         size_t top);
