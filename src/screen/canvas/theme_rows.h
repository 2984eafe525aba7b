/* A theme as a const table: one file per theme, one line in themes.def. */
#pragma once

#include "screen/canvas/theme.h"

typedef struct cs_theme_row {
    int red, green, blue; /* red = -1: the terminal's default colour */
    int ansi;             /* one of the 16 ANSI colours */
    unsigned attributes;
} cs_theme_row;

/* Number of ramp levels that are distinct with 256 colours. The other levels
 * are mixtures of two neighbours. */
enum { CS_RAMP_STOPS = CS_RAMP_ROLES / CS_RAMP_FINE };

struct cs_theme {
    const char *name, *help;
    /* paints the terminal's background; otherwise leaves it unchanged */
    bool paints;
    /* default colours; exported pictures use them even if the terminal keeps
     * its own colours */
    cs_theme_row ground, ink;
    cs_theme_row role[CS_ROLE_CHAIN], chain[CS_CHAIN_ROLES];
    cs_theme_row ramp[CS_RAMP_STOPS], sides[CS_SIDES_ROLES];
    /* xterm codes chosen so that the steps look even, which the nearest codes
     * do not */
    unsigned char ramp_256[CS_RAMP_STOPS];
};
