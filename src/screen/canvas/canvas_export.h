/* Exports a canvas as plain text, text with ANSI colours, or SVG. */
#pragma once

#include "screen/canvas/canvas.h"

#include <stdio.h>

typedef enum cs_medium { CS_TEXT, CS_ANSI, CS_SVG } cs_medium;

/* Writes the canvas. Returns true if every byte was written. Trailing blanks of
 * text lines are omitted. `tier` limits the colours of ANSI output. */
bool cs_canvas_export(const cs_canvas *c, cs_medium as, cs_tier tier,
                      FILE *out);

/* Writes the ANSI sequences that change the screen of a terminal from `before`
 * to `c`. Both have the same size. `before` may be NULL for a terminal in any
 * state. */
bool cs_canvas_export_change(const cs_canvas *before, const cs_canvas *c,
                             cs_tier tier, FILE *out);

/* Finds the format by the extension of a path: .txt, .ans or .svg. Returns
 * false for other extensions. */
bool cs_medium_of(const char *path, cs_medium *out);
