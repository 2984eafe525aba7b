/* Roles: the meaning of a cell instead of its colour. A theme gives each role a
 * colour for terminals with 2^24, 256 and 16 colours; without colour a role has
 * an attribute. No information is shown only by colour: chains have glyphs,
 * ramps have shades. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* With fewer than 2^24 colours, every CS_RAMP_FINE neighbouring levels of a
 * ramp share one colour. */
enum {
    CS_CHAIN_ROLES = 8,
    CS_RAMP_FINE = 4,
    CS_RAMP_ROLES = 6 * CS_RAMP_FINE,
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
    CS_TIER_TRUE /* 24 bits per colour */
} cs_tier;

enum {
    CS_BOLD = 1,
    CS_DIM = 2,
    CS_REVERSE = 4,
    CS_UNDERLINE = 8,
    CS_STRIKE = 16
};

/* The appearance of a role. red < 0: the terminal's default foreground. */
typedef struct cs_style {
    int red, green, blue;
    int colour; /* index in the palette of the tier; in CS_TIER_TRUE red << 16 |
                 * green << 8 | blue; -1: the default */
    unsigned attributes;
} cs_style;

/* A theme (theme_rows.h). cs_theme_at returns theme number i of themes.def;
 * after the last theme, it returns NULL. cs_theme_find returns the theme with
 * the given name. */
typedef struct cs_theme cs_theme;
const cs_theme *cs_theme_at(size_t i);
const cs_theme *cs_theme_find(const char *name);
const char *cs_theme_name(const cs_theme *t);
/* Returns the next theme; after the last, the first. */
const cs_theme *cs_theme_next(const cs_theme *t);

cs_style cs_theme_style(const cs_theme *t, cs_role role, cs_tier tier);
/* Returns the background of cells; colour -1: the terminal's own background. */
cs_style cs_theme_ground(const cs_theme *t, cs_tier tier);
/* Returns the index of exactly this colour (red << 16 | green << 8 | blue) in
 * the palette of 256 colours. Returns -1 if the palette does not contain the
 * colour. */
int cs_theme_exact_256(int colour);
/* Returns the foreground and background of an exported picture, which has no
 * terminal defaults. */
void cs_theme_paper(const cs_theme *t, cs_style *ink, cs_style *ground);

/* Returns the substitute for a role on terminals of this tier. */
unsigned cs_theme_role(unsigned role, cs_tier tier);

/* Return the role and the glyph (o # ^ d v + x * ...) of chain or arm number i.
 * The first 16 glyphs are distinct, as are the first 128 pairs of role and
 * glyph. */
cs_role cs_theme_chain(unsigned long i);
char cs_theme_glyph(unsigned long i);

/* Return the role and the shade of a share 0 .. 1 in a heat map. */
cs_role cs_theme_ramp(double share);
unsigned cs_theme_shade(double share);
/* Returns the role of a line or a mark over a level of a heat map, given as a
 * role: CS_ROLE_LINE over low levels, CS_ROLE_INK over high levels. */
cs_role cs_theme_over(unsigned level);
/* Returns the role of a share 0 .. 1 on a diverging scale with its middle at
 * 0.5. */
cs_role cs_theme_sides(double share);
/* Returns the role of class i; each class also has a letter. */
cs_role cs_theme_class(unsigned long i);

/* The appearance of a cell on a terminal of a given tier: a character with
 * the colours `ink` and `ground` (-1: the terminal's own background). Cells
 * without a background colour have the theme's background. */
typedef struct cs_paint {
    unsigned code;
    cs_style ink, ground;
} cs_paint;

/* Returns the paint of a cell. Where colours show the levels of a ramp, a shade
 * character would dim the colours, so a full block is used. A cell of two
 * halves (`role` above `ground`) needs enough colours. With fewer colours, one
 * shade represents both halves, or only the half that is much fuller. A class
 * is drawn as its letter, in upper case if the lower half differs. */
cs_paint cs_theme_paint(const cs_theme *t, unsigned role, unsigned ground,
                        unsigned code, cs_tier tier);
