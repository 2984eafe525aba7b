/* The table of scalars: log p of an arm and its coordinates, one per line. */
#pragma once

#include "screen/panels/panel.h"

/* Draws the scalars from line `top` on. If there are many scalars, the worst
 * come first. Returns the number of lines used. */
int cs_scalar_table_draw(const cs_area *a, const cs_shot *s, size_t arm,
                         size_t top);
