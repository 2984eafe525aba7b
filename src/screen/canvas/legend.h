/* The legend of a panel: the meaning of each glyph and colour that the panel
 * uses. It is found from the cells that the panel has drawn, so it names these
 * glyphs and no others. */
#pragma once

#include "screen/canvas/canvas.h"

enum { CS_LEGEND_SIGNS = 16, CS_LEGEND_ROLES = 4 };

/* A sign that a panel uses. */
typedef struct cs_legend_sign {
    const char *glyph; /* "": the glyphs of chains or arms; "ramp", "sides":
                        * the shades of a scale */
    const char *text;
    unsigned role[CS_LEGEND_ROLES]; /* the first roles in which it was drawn */
    size_t n_roles;
    bool more; /* it was drawn in more roles */
} cs_legend_sign;

typedef struct cs_legend {
    cs_legend_sign sign[CS_LEGEND_SIGNS];
    size_t n;
    /* a character that is not in the table of signs, and its role, for tests;
     * 0: all are in the table */
    unsigned unknown, unknown_role;
} cs_legend;

/* Finds the signs that a panel has drawn in `a`, in its presentation number
 * `variant`. Text and signs with a text beside them are not included. */
void cs_legend_find(const cs_area *a, const char *panel, unsigned variant,
                    cs_legend *out);
/* Returns the number of lines of `w` columns that the legend needs. */
int cs_legend_lines(const cs_legend *l, int w);
/* Draws the legend from the first line of `a` on. Lines that do not fit are
 * left out. */
void cs_legend_draw(const cs_area *a, const cs_legend *l);
