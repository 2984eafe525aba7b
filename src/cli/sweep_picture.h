/* The picture of a sweep: small multiples, a row of figures, in each a curve an
 * arm. */
#pragma once

#include "cli/sweep_table.h"
#include "screen/canvas/emit.h"

/* Adds it to the page: as text, or as an SVG of its own. */
cs_status cs_sweep_picture(const cs_sweep *s, cs_medium as, cs_page *p,
                           cs_error *err);
