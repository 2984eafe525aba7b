/* A canvas as something to keep: plain text, text with ANSI colours, SVG. */
#pragma once

#include "screen/canvas/canvas.h"

#include <stdio.h>

typedef enum cs_medium { CS_TEXT, CS_ANSI, CS_SVG } cs_medium;

/* Writes the canvas; true when every byte went out. Text lines lose blanks at
 * their end. `tier` says which colours ANSI may use. */
bool cs_emit(const cs_canvas *c, cs_medium as, cs_tier tier, FILE *out);

/* Writes with ANSI what makes of a terminal that shows `before`, of the same
 * size, one that shows `c`; of any terminal, where `before` is NULL. */
bool cs_emit_change(const cs_canvas *before, const cs_canvas *c, cs_tier tier,
                    FILE *out);

/* What the ending of a path says: .txt, .ans, .svg. False: none of these. */
bool cs_medium_of(const char *path, cs_medium *out);
