/* Exports a canvas as plain text, text with ANSI colours, or SVG. */
#pragma once

#include "screen/canvas/canvas.h"

#include <stdio.h>

typedef enum cs_medium { CS_TEXT, CS_ANSI, CS_SVG } cs_medium;

/* Writes the canvas; true if every byte was written. Lines of text lose their
 * trailing blanks. `tier` says which colours ANSI may use. */
bool cs_canvas_export(const cs_canvas *c, cs_medium as, cs_tier tier,
                      FILE *out);

/* Writes the ANSI sequences that turn a terminal showing `before`, of the same
 * size, into one showing `c`; NULL: a terminal in any state. */
bool cs_canvas_export_change(const cs_canvas *before, const cs_canvas *c,
                             cs_tier tier, FILE *out);

/* Finds the format by the extension of a path: .txt, .ans or .svg. False for
 * others. */
bool cs_medium_of(const char *path, cs_medium *out);
