#include "screen/theme.h"

#include <math.h>
#include <stdlib.h>

typedef struct row {
    int red, green, blue; /* red -1: default */
    int ansi;             /* of 16 */
    unsigned attributes, mono;
} row;

static const row roles[CS_ROLE_CHAIN];
static const row chains[CS_CHAIN_ROLES];
static const unsigned char cividis[5][3];
static const row sides[CS_SIDES_ROLES];

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

static row ramp(int level)
{
    double at = 4.0 * level / (CS_RAMP_ROLES - 1);
    int i = at >= 4 ? 3 : (int)at;
    int c[3];
    for (int k = 0; k < 3; k++)
        c[k] = (int)(cividis[i][k] +
                     (at - i) * (cividis[i + 1][k] - cividis[i][k]) + 0.5);
    return (row){c[0], c[1], c[2], level < 5 ? 4 : level < 11 ? 7 : 3, 0, 0};
}

cs_look cs_theme_look(cs_role role, cs_tier tier)
{
    row r = role < CS_ROLE_CHAIN   ? roles[role]
            : role < CS_ROLE_RAMP  ? chains[role - CS_ROLE_CHAIN]
            : role < CS_ROLE_SIDES ? ramp((int)role - CS_ROLE_RAMP)
            : role < CS_ROLE_COUNT ? sides[role - CS_ROLE_SIDES]
                                   : roles[0];
    cs_look look = {r.red, r.green, r.blue, -1, r.attributes};
    if (tier == CS_TIER_MONO)
        look.attributes = r.mono;
    else if (r.red >= 0)
        look.colour =
            tier == CS_TIER_16 ? r.ansi : nearest_256(r.red, r.green, r.blue);
    return look;
}

cs_role cs_theme_chain(unsigned long i)
{
    return (cs_role)(CS_ROLE_CHAIN + i % CS_CHAIN_ROLES);
}

char cs_theme_glyph(unsigned long i)
{
    return "o#^dv+x*"[i % CS_CHAIN_ROLES];
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
    cs_look none = cs_theme_look(CS_ROLE_NORMAL, CS_TIER_MONO);
    return (cs_paint){as, cs_theme_look(role, tier), none};
}

cs_paint cs_theme_paint(unsigned role, unsigned ground, unsigned code,
                        cs_tier tier)
{
    cs_paint p = {code, cs_theme_look((cs_role)role, tier),
                  cs_theme_look((cs_role)ground, tier)};
    bool shade = code == 0xB7 || (code >= 0x2591 && code <= 0x2593);
    bool ramp = share_of(role) >= 0;
    bool halves = code == UPPER || ground != CS_ROLE_NORMAL;
    if (shade && ramp && tier == CS_TIER_256)
        p.code = WHOLE;
    else if (ramp && halves && tier != CS_TIER_256)
        return paint_levels(role, ground, code, tier);
    else if (ground >= CS_ROLE_CHAIN && ground < CS_ROLE_RAMP &&
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
};

/* Okabe and Ito, "Color Universal Design" (2008), black exchanged for grey:
 * it must be seen on a dark ground. */
static const row chains[CS_CHAIN_ROLES] = {
    {86, 180, 233, 6, 0, 0},  {230, 159, 0, 3, 0, 0},   {0, 158, 115, 2, 0, 0},
    {204, 121, 167, 5, 0, 0}, {240, 228, 66, 11, 0, 0}, {213, 94, 0, 1, 0, 0},
    {0, 114, 178, 4, 0, 0},   {178, 178, 178, 7, 0, 0},
};

/* Five anchors of cividis: Nunez, Anderton, Renslow, PLOS ONE 13 (2018). */
static const unsigned char cividis[5][3] = {{0, 34, 78},
                                            {62, 75, 108},
                                            {124, 123, 120},
                                            {188, 175, 111},
                                            {254, 232, 56}};

/* From blue over a pale middle to orange: told apart by every kind of eye. */
static const row sides[CS_SIDES_ROLES] = {
    {0, 80, 160, 4, 0, 0},    {40, 120, 190, 4, 0, 0},
    {100, 160, 215, 6, 0, 0}, {165, 200, 230, 6, 0, 0},
    {225, 225, 225, 7, 0, 0}, {240, 205, 150, 7, 0, 0},
    {235, 170, 80, 3, 0, 0},  {225, 130, 20, 3, 0, 0},
    {200, 85, 0, 1, 0, 0},
};
