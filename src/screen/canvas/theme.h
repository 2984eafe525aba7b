/* Roles: what a cell means, not how it looks. A theme gives each role a
 * colour for terminals of 2^24, 256 and 16 colours; where there is no colour a
 * role has an attribute. Nothing is told by colour alone: chains have glyphs,
 * ramps have shades. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* CS_RAMP_FINE levels of a ramp are one where there are not 2^24 colours. */
enum {
    CS_CHAIN_ROLES = 8,
    CS_RAMP_FINE = 2,
    CS_RAMP_ROLES = 12 * CS_RAMP_FINE,
    CS_SIDES_ROLES = 9
};

typedef enum cs_role {
    CS_ROLE_NORMAL,
    CS_ROLE_FAINT,
    CS_ROLE_TITLE,
    CS_ROLE_BORDER,
    CS_ROLE_FOCUS,
    CS_ROLE_KEY,
    CS_ROLE_LABEL,
    CS_ROLE_VALUE,
    CS_ROLE_ACCEPT,
    CS_ROLE_REJECT,
    CS_ROLE_WARN,
    CS_ROLE_ERROR,
    CS_ROLE_TRUTH,
    CS_ROLE_CURSOR,
    CS_ROLE_EVENT,
    CS_ROLE_BAR,
    CS_ROLE_INK,  /* a line over a bar */
    CS_ROLE_LINE, /* a line over a heat map */
    CS_ROLE_CHAIN,
    CS_ROLE_RAMP = CS_ROLE_CHAIN + CS_CHAIN_ROLES,
    CS_ROLE_SIDES = CS_ROLE_RAMP + CS_RAMP_ROLES,
    CS_ROLE_COUNT = CS_ROLE_SIDES + CS_SIDES_ROLES
} cs_role;

typedef enum cs_tier {
    CS_TIER_MONO,
    CS_TIER_16,
    CS_TIER_256,
    CS_TIER_TRUE /* red, green and blue of each */
} cs_tier;

enum {
    CS_BOLD = 1,
    CS_DIM = 2,
    CS_REVERSE = 4,
    CS_UNDERLINE = 8,
    CS_STRIKE = 16
};

/* How a role looks. red < 0: the terminal's own foreground. */
typedef struct cs_style {
    int red, green, blue;
    int colour; /* index in the palette of the tier, in CS_TIER_TRUE
                   red << 16 | green << 8 | blue; -1 = the default */
    unsigned attributes;
} cs_style;

/* theme_rows.h; name and help of number i of themes.def, NULL past the last. */
typedef struct cs_theme cs_theme;
const cs_theme *cs_theme_at(size_t i);
const cs_theme *cs_theme_find(const char *name);
const char *cs_theme_name(const cs_theme *t);
/* The one after it, the first after the last. */
const cs_theme *cs_theme_next(const cs_theme *t);

cs_style cs_theme_style(const cs_theme *t, cs_role role, cs_tier tier);
/* What cells stand on, as a terminal is to paint it: colour -1, its own. */
cs_style cs_theme_ground(const cs_theme *t, cs_tier tier);
/* The index of exactly this colour (red << 16 | green << 8 | blue) in the
 * palette of 256, -1: it has none. */
int cs_theme_exact_256(int colour);
/* The ink and the ground of a picture, which has no terminal. */
void cs_theme_paper(const cs_theme *t, cs_style *ink, cs_style *ground);

/* The role that stands for it where there are so many colours. */
unsigned cs_theme_role(unsigned role, cs_tier tier);

/* The role and the glyph (o # ^ d v + x * ...) of chain or arm number i: the
 * first sixteen glyphs differ, the first 128 pairs of both. */
cs_role cs_theme_chain(unsigned long i);
char cs_theme_glyph(unsigned long i);

/* The role and the shade of a share 0..1 of a heat map. */
cs_role cs_theme_ramp(double share);
unsigned cs_theme_shade(double share);
/* The role of a share 0..1 on two sides of a middle, 0.5. */
cs_role cs_theme_sides(double share);
/* The role of class i of a few, and the letter that tells it. */
cs_role cs_theme_class(unsigned long i);

/* How a cell is painted where there are so many colours: its character in
 * the ink's look on the ground's colour (-1: the terminal's own). Cells that
 * stand on nothing stand on the theme's ground. */
typedef struct cs_paint {
    unsigned code;
    cs_style ink, ground;
} cs_paint;

/* Where the colours of a ramp tell its levels, shades would only dim them, and
 * a block stands instead. A cell of two halves, role above `ground`, needs as
 * many colours: elsewhere a shade stands for both, or the half that is much
 * the fuller; for a class its letter, a capital where the lower half is another. */
cs_paint cs_theme_paint(const cs_theme *t, unsigned role, unsigned ground,
                        unsigned code, cs_tier tier);
