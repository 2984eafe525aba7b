/* Reads the levels of a heat map back from the cells of a canvas. */
#ifndef TESTS_SCREEN_READ_BACK_H
#define TESTS_SCREEN_READ_BACK_H

#include "screen/canvas/canvas.h"
#include "screen/canvas/theme.h"

#include <stdbool.h>

static inline bool is_level(unsigned role)
{
    return role >= CS_ROLE_RAMP && role < CS_ROLE_RAMP + CS_RAMP_ROLES;
}

/* Returns the share, from 0 to 1, that a colour of a square-root scale shows. */
static inline double share_of(unsigned role)
{
    double level =
        is_level(role) ? (role - CS_ROLE_RAMP + 0.5) / CS_RAMP_ROLES : 0;
    return level * level;
}

/* Returns the share shown by the upper or the lower half of a cell. If the cell
 * has a symbol, its background colour counts. */
static inline double half_share(const cs_canvas *c, int x, int y, bool lower)
{
    const cs_cell *k = c->cell + y * c->width + x;
    bool ink = k->code == 0x2588 || k->code == (lower ? 0x2584u : 0x2580u);
    return share_of(ink ? k->role : k->ground);
}

#endif
