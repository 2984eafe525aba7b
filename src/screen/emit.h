/* A canvas as something to keep: plain text, text with ANSI colours, SVG. */
#ifndef CS_SCREEN_EMIT_H
#define CS_SCREEN_EMIT_H

#include "screen/canvas.h"

#include <stdio.h>

typedef enum cs_medium { CS_TEXT, CS_ANSI, CS_SVG } cs_medium;

/* Writes the canvas; true when every byte went out. Text lines lose blanks at
 * their end. `tier` says which colours ANSI may use. */
bool cs_emit(const cs_canvas *c, cs_medium as, cs_tier tier, FILE *out);

#endif
