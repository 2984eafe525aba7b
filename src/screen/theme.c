#include "screen/theme.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

typedef struct row {
    int red, green, blue; /* red -1: default */
    int ansi;             /* of 16 */
    unsigned attributes, mono;
} row;

static const row roles[CS_ROLE_CHAIN];
static const row chains[CS_CHAIN_ROLES];
static const row ramp[CS_RAMP_ROLES];
static const unsigned char ramp_256[CS_RAMP_ROLES];
static const row sides[CS_SIDES_ROLES];

enum { CS_GLYPHS = 16 };

/* The nearest colour of the xterm cube 16..231 or its grey ramp 232..255. */
static int nearest_256(int r, int g, int b)
{
    static const int level[6] = {0, 95, 135, 175, 215, 255};
    int want[3] = {r, g, b}, at[3] = {0}, cube = 0;
    for (int c = 0; c < 3; c++) {
        for (int i = 1; i < 6; i++)
            if (abs(level[i] - want[c]) < abs(level[at[c]] - want[c]))
                at[c] = i;
        int d = level[at[c]] - want[c];
        cube += d * d;
    }
    int mean = (r + g + b) / 3;
    int grey = mean < 8 ? 0 : mean > 238 ? 23 : (mean - 8 + 5) / 10;
    int v = 8 + 10 * grey;
    int off = (v - r) * (v - r) + (v - g) * (v - g) + (v - b) * (v - b);
    return off < cube ? 232 + grey : 16 + 36 * at[0] + 6 * at[1] + at[2];
}

/* The index of a row's colour in the palette of a tier. */
static int colour_of(const row *r, cs_tier tier)
{
    ptrdiff_t level = r - ramp;
    if (tier == CS_TIER_16)
        return r->ansi;
    if (tier == CS_TIER_TRUE)
        return r->red << 16 | r->green << 8 | r->blue;
    return level >= 0 && level < CS_RAMP_ROLES
               ? ramp_256[level]
               : nearest_256(r->red, r->green, r->blue);
}

cs_style cs_theme_style(cs_role role, cs_tier tier)
{
    const row *r = role < CS_ROLE_CHAIN   ? &roles[role]
                   : role < CS_ROLE_RAMP  ? &chains[role - CS_ROLE_CHAIN]
                   : role < CS_ROLE_SIDES ? &ramp[role - CS_ROLE_RAMP]
                   : role < CS_ROLE_COUNT ? &sides[role - CS_ROLE_SIDES]
                                          : &roles[0];
    cs_style look = {r->red, r->green, r->blue, -1, r->attributes};
    if (tier == CS_TIER_MONO)
        look.attributes = r->mono;
    else if (r->red >= 0)
        look.colour = colour_of(r, tier);
    return look;
}

/* From the second round on a colour meets another glyph. */
static unsigned long round_of(unsigned long i)
{
    return i + i / CS_GLYPHS;
}

cs_role cs_theme_chain(unsigned long i)
{
    return (cs_role)(CS_ROLE_CHAIN + i % CS_CHAIN_ROLES);
}

char cs_theme_glyph(unsigned long i)
{
    return "o#^dv+x*s%nq=uzk"[round_of(i) % CS_GLYPHS];
}

cs_role cs_theme_ramp(double share)
{
    int level = CS_RAMP_ROLES - 1;
    if (share < 1)
        level = share > 0 ? (int)(share * CS_RAMP_ROLES) : 0;
    return (cs_role)(CS_ROLE_RAMP + level);
}

unsigned cs_theme_shade(double share)
{
    static const unsigned shade[] = {' ', 0xB7, 0x2591, 0x2592, 0x2593, 0x2588};
    if (!(share > 0))
        return ' ';
    return shade[share < 1 ? 1 + (int)(share * 5) : 5];
}

cs_role cs_theme_sides(double share)
{
    double level = share * (CS_SIDES_ROLES - 1) + 0.5;
    int most = CS_SIDES_ROLES - 1;
    int at = level > 0 ? level < most ? (int)level : most : 0;
    return (cs_role)(CS_ROLE_SIDES + at);
}

cs_role cs_theme_class(unsigned long i)
{
    return cs_theme_chain(i);
}

/* The level of a role of a ramp, 0..1; -1 when it is none. */
static double share_of(unsigned role)
{
    if (role >= CS_ROLE_SIDES && role < CS_ROLE_COUNT)
        return (role - CS_ROLE_SIDES) / (CS_SIDES_ROLES - 1.0);
    if (role >= CS_ROLE_RAMP && role < CS_ROLE_SIDES)
        return (role - CS_ROLE_RAMP) / (CS_RAMP_ROLES - 1.0);
    return -1;
}

enum { UPPER = 0x2580, LOWER = 0x2584, WHOLE = 0x2588 };

/* Two halves of levels without their colours. */
static cs_paint paint_levels(unsigned role, unsigned ground, unsigned code,
                             cs_tier tier)
{
    double ink = share_of(role), off = fmax(share_of(ground), 0);
    double upper = code == UPPER || code == WHOLE ? ink : off;
    double lower = code == LOWER || code == WHOLE ? ink : off;
    bool alone = code == UPPER && ground == CS_ROLE_NORMAL;
    if (alone && ink < 1) /* nothing is below it */
        lower = upper;
    unsigned as = upper > lower + 0.5   ? UPPER
                  : lower > upper + 0.5 ? LOWER
                                        : cs_theme_shade((upper + lower) / 2);
    cs_style none = cs_theme_style(CS_ROLE_NORMAL, CS_TIER_MONO);
    return (cs_paint){as, cs_theme_style(role, tier), none};
}

cs_paint cs_theme_paint(unsigned role, unsigned ground, unsigned code,
                        cs_tier tier)
{
    cs_paint p = {code, cs_theme_style((cs_role)role, tier),
                  cs_theme_style((cs_role)ground, tier)};
    bool shade = code == 0xB7 || (code >= 0x2591 && code <= 0x2593);
    bool levels = share_of(role) >= 0;
    bool halves = code == UPPER || ground != CS_ROLE_NORMAL;
    if (shade && levels && tier >= CS_TIER_256)
        p.code = WHOLE;
    else if (levels && halves && tier < CS_TIER_256)
        return paint_levels(role, ground, code, tier);
    else if (ground >= CS_ROLE_CHAIN && ground < CS_ROLE_RAMP &&
             role >= CS_ROLE_CHAIN && role < CS_ROLE_RAMP &&
             tier == CS_TIER_MONO)
        p.code = (role == ground ? 'a' : 'A') + role - CS_ROLE_CHAIN;
    return p;
}

static const row roles[CS_ROLE_CHAIN] = {
    [CS_ROLE_NORMAL] = {-1, 0, 0, 7, 0, 0},
    [CS_ROLE_FAINT] = {138, 138, 138, 8, 0, CS_DIM},
    [CS_ROLE_TITLE] = {-1, 0, 0, 7, CS_BOLD, CS_BOLD},
    [CS_ROLE_BORDER] = {118, 118, 118, 8, 0, 0},
    [CS_ROLE_FOCUS] = {86, 180, 233, 6, CS_BOLD, CS_BOLD},
    [CS_ROLE_KEY] = {240, 228, 66, 3, CS_BOLD, CS_BOLD},
    [CS_ROLE_LABEL] = {158, 158, 158, 7, 0, 0},
    [CS_ROLE_VALUE] = {-1, 0, 0, 7, CS_BOLD, CS_BOLD},
    [CS_ROLE_ACCEPT] = {86, 180, 233, 6, 0, 0},
    [CS_ROLE_REJECT] = {230, 159, 0, 3, 0, CS_DIM},
    [CS_ROLE_WARN] = {230, 159, 0, 3, CS_BOLD, CS_BOLD},
    [CS_ROLE_ERROR] = {213, 94, 0, 1, CS_BOLD, CS_REVERSE},
    [CS_ROLE_TRUTH] = {240, 228, 66, 3, 0, CS_BOLD},
    [CS_ROLE_CURSOR] = {-1, 0, 0, 7, CS_REVERSE, CS_REVERSE},
    [CS_ROLE_EVENT] = {204, 121, 167, 5, 0, 0},
    [CS_ROLE_BAR] = {-1, 0, 0, 7, CS_REVERSE, CS_REVERSE},
    [CS_ROLE_LINE] = {255, 255, 255, 15, 0, CS_BOLD},
    [CS_ROLE_INK] = {0, 0, 0, 0, 0, CS_REVERSE},
};

/* Okabe and Ito, "Color Universal Design" (2008), black exchanged for grey:
 * it must be seen on a dark ground. */
static const row chains[CS_CHAIN_ROLES] = {
    {86, 180, 233, 6, 0, 0},  {230, 159, 0, 3, 0, 0},   {0, 158, 115, 2, 0, 0},
    {204, 121, 167, 5, 0, 0}, {240, 228, 66, 11, 0, 0}, {213, 94, 0, 1, 0, 0},
    {0, 114, 178, 4, 0, 0},   {178, 178, 178, 7, 0, 0},
};

/* Twelve steps of plasma (Smith and van der Walt, 2015), equally far apart in
 * CIELAB (dE 19 to 22), ever lighter (dL 5 to 12): read in grey and by every
 * kind of eye. */
static const row ramp[CS_RAMP_ROLES] = {
    {13, 8, 135, 4, 0, 0},   {98, 1, 166, 4, 0, 0},   {148, 17, 161, 4, 0, 0},
    {175, 41, 145, 4, 0, 0}, {196, 62, 127, 5, 0, 0}, {213, 84, 110, 5, 0, 0},
    {228, 106, 93, 5, 0, 0}, {241, 130, 76, 5, 0, 0}, {250, 159, 58, 3, 0, 0},
    {252, 188, 45, 3, 0, 0}, {248, 219, 36, 3, 0, 0}, {240, 249, 33, 3, 0, 0},
};

/* The same in xterm's cube: the nearest codes would not be even. */
static const unsigned char ramp_256[CS_RAMP_ROLES] = {
    17, 18, 54, 90, 126, 162, 198, 204, 210, 216, 222, 228};

/* From blue over a pale middle to orange: told apart by every kind of eye. */
static const row sides[CS_SIDES_ROLES] = {
    {0, 80, 160, 4, 0, 0},    {40, 120, 190, 4, 0, 0},
    {100, 160, 215, 6, 0, 0}, {165, 200, 230, 6, 0, 0},
    {225, 225, 225, 7, 0, 0}, {240, 205, 150, 7, 0, 0},
    {235, 170, 80, 3, 0, 0},  {225, 130, 20, 3, 0, 0},
    {200, 85, 0, 1, 0, 0},
};
