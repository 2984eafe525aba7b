/* Roles: what a cell means, not how it looks. A theme gives each role a
 * colour for terminals of 256 and 16 colours and an attribute where there is
 * no colour. Nothing is told by colour alone: chains have glyphs, ramps have
 * shades. */
#ifndef CS_SCREEN_THEME_H
#define CS_SCREEN_THEME_H

#include <stdbool.h>

enum { CS_CHAIN_ROLES = 8, CS_RAMP_ROLES = 16 };

#define CS_ROLE_LIST(X)                                                        \
    X(NORMAL, normal)                                                          \
    X(FAINT, faint) X(TITLE, title) X(BORDER, border) X(FOCUS, focus)          \
        X(KEY, key) X(LABEL, label) X(VALUE, value) X(ACCEPT, accept)          \
            X(REJECT, reject) X(WARN, warn) X(ERROR, error) X(TRUTH, truth)    \
                X(CURSOR, cursor) X(EVENT, event) X(BAR, bar)

typedef enum cs_role {
#define CS_ROLE_ENUM(name, word) CS_ROLE_##name,
    CS_ROLE_LIST(CS_ROLE_ENUM)
#undef CS_ROLE_ENUM
        CS_ROLE_CHAIN,
    CS_ROLE_RAMP = CS_ROLE_CHAIN + CS_CHAIN_ROLES,
    CS_ROLE_COUNT = CS_ROLE_RAMP + CS_RAMP_ROLES
} cs_role;

typedef enum cs_tier { CS_TIER_MONO, CS_TIER_16, CS_TIER_256 } cs_tier;

enum { CS_BOLD = 1, CS_DIM = 2, CS_REVERSE = 4, CS_UNDERLINE = 8 };

/* How a role looks. red < 0: the terminal's own foreground. */
typedef struct cs_look {
    int red, green, blue;
    int colour; /* index in the palette of the tier, -1 = the default */
    unsigned attributes;
} cs_look;

cs_look cs_theme_look(cs_role role, cs_tier tier);

/* The role and the glyph (o # ^ d v + x *) of chain or arm number i. */
cs_role cs_theme_chain(unsigned long i);
char cs_theme_glyph(unsigned long i);

/* The role and the shade of a share 0..1 of a heat map. */
cs_role cs_theme_ramp(double share);
unsigned cs_theme_shade(double share);

#endif
