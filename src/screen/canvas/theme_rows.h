/* A theme as a const table: one file a theme, one line in themes.def. */
#pragma once

#include "screen/canvas/theme.h"

typedef struct cs_theme_row {
    int red, green, blue; /* red -1: the terminal's own */
    int ansi;             /* of 16 */
    unsigned attributes;
} cs_theme_row;

/* Levels of a ramp that differ where there are 256 colours: between two of
 * them the others are mixed. */
enum { CS_RAMP_STOPS = CS_RAMP_ROLES / CS_RAMP_FINE };

struct cs_theme {
    const char *name, *help;
    bool paints; /* a terminal's ground too, which is else left as it is */
    cs_theme_row ground, ink; /* where nothing else is said; of pictures also
                                 where the terminal keeps its own */
    cs_theme_row role[CS_ROLE_CHAIN], chain[CS_CHAIN_ROLES];
    cs_theme_row ramp[CS_RAMP_STOPS], sides[CS_SIDES_ROLES];
    unsigned char ramp_256[CS_RAMP_STOPS]; /* in xterm's cube: the nearest
                                              codes would not be even */
};
