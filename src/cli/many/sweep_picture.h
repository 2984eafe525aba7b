/* Draws a sweep as a picture of facets: one row per figure, with one curve per
 * arm. */
#pragma once

#include "cli/many/sweep_table.h"
#include "screen/canvas/canvas_export.h"

/* Appends the picture to the page as text or SVG. */
cs_status cs_sweep_picture(const cs_sweep *s, cs_medium as, cs_page *p,
                           cs_error *err);
