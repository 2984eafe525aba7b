/* A theme as a const table: one file per theme, one line in themes.def. */
#pragma once

#include "screen/canvas/theme.h"

typedef struct cs_theme_row {
    int red, green, blue; /* red -1: the terminal's own */
    int ansi;             /* one of 16 */
    unsigned attributes;
} cs_theme_row;

/* Levels of a ramp that differ with 256 colours; further levels are mixtures of
 * two neighbours. */
enum { CS_RAMP_STOPS = CS_RAMP_ROLES / CS_RAMP_FINE };

struct cs_theme {
    const char *name, *help;
    bool paints; /* paints the terminal's background; otherwise it is left as it
                  * is */
    cs_theme_row ground, ink; /* default colours; used in pictures even if the
                               * terminal keeps its own */
    cs_theme_row role[CS_ROLE_CHAIN], chain[CS_CHAIN_ROLES];
    cs_theme_row ramp[CS_RAMP_STOPS], sides[CS_SIDES_ROLES];
    unsigned char ramp_256[CS_RAMP_STOPS]; /* xterm codes chosen so that steps
                                            * look even; the nearest codes do
                                            * not */
};
