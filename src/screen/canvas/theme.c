#include "screen/canvas/theme_rows.h"

#include "base/registry.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#define CS_THEME(name, file) extern const cs_theme cs_theme_##name;
#include "screen/canvas/themes.def"
#undef CS_THEME

static const cs_theme *const table[][1] = {
#define CS_THEME(name, file) CS_SINGLE_ROW(cs_theme_##name)
#include "screen/canvas/themes.def"
#undef CS_THEME
    {NULL}};

CS_REGISTRY(cs_theme, cs_theme)

const char *cs_theme_name(const cs_theme *t)
{
    return t->name;
}

const cs_theme *cs_theme_next(const cs_theme *t)
{
    size_t i = 0;
    while (cs_theme_at(i) && cs_theme_at(i) != t)
        i++;
    return cs_theme_at(i) && cs_theme_at(i + 1) ? cs_theme_at(i + 1)
                                                : cs_theme_at(0);
}

/* Attributes of roles on terminals without colour, in every theme. */
static const unsigned mono[CS_ROLE_CHAIN] = {
    [CS_ROLE_FAINT] = CS_DIM,   [CS_ROLE_TITLE] = CS_BOLD,
    [CS_ROLE_FOCUS] = CS_BOLD,  [CS_ROLE_KEY] = CS_BOLD,
    [CS_ROLE_VALUE] = CS_BOLD,  [CS_ROLE_REJECT] = CS_DIM,
    [CS_ROLE_WARN] = CS_BOLD,   [CS_ROLE_ERROR] = CS_REVERSE,
    [CS_ROLE_TRUTH] = CS_BOLD,  [CS_ROLE_CURSOR] = CS_REVERSE,
    [CS_ROLE_BAR] = CS_REVERSE, [CS_ROLE_LINE] = CS_BOLD,
    [CS_ROLE_INK] = CS_REVERSE,
};

enum { CS_GLYPHS = 16 };

/* Returns the nearest colour of the xterm cube 16..231 or of its grey ramp
 * 232..255. *off is the squared distance. */
static int nearest_256(int r, int g, int b, int *off)
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
    *off = (v - r) * (v - r) + (v - g) * (v - g) + (v - b) * (v - b);
    if (*off < cube)
        return 232 + grey;
    *off = cube;
    return 16 + 36 * at[0] + 6 * at[1] + at[2];
}

int cs_theme_exact_256(int colour)
{
    int off;
    int i = nearest_256(colour >> 16, colour >> 8 & 255, colour & 255, &off);
    return off == 0 ? i : -1;
}

/* Returns the index of a row's colour in the palette of a tier. */
static int colour_of(const cs_theme_row *r, cs_tier tier)
{
    int off;
    if (tier == CS_TIER_16)
        return r->ansi;
    if (tier == CS_TIER_TRUE)
        return r->red << 16 | r->green << 8 | r->blue;
    return nearest_256(r->red, r->green, r->blue, &off);
}

static cs_style style_of(const cs_theme_row *r, cs_tier tier)
{
    cs_style look = {r->red, r->green, r->blue, -1, r->attributes};
    if (tier != CS_TIER_MONO && r->red >= 0)
        look.colour = colour_of(r, tier);
    return look;
}

static int mixed(int a, int b, int part)
{
    return a + ((b - a) * part + CS_RAMP_ROLES / 2) / (CS_RAMP_ROLES - 1);
}

/* Returns the style of a level of the ramp: a mixture of the two neighbouring
 * stops if the terminal has enough colours. */
static cs_style level_of(const cs_theme *t, int level, cs_tier tier)
{
    int stop = level / CS_RAMP_FINE;
    cs_style look = style_of(&t->ramp[stop], tier);
    if (tier == CS_TIER_256)
        look.colour = t->ramp_256[stop];
    if (tier != CS_TIER_TRUE)
        return look;
    int at = level * (CS_RAMP_STOPS - 1), part = at % (CS_RAMP_ROLES - 1);
    const cs_theme_row *a = &t->ramp[at / (CS_RAMP_ROLES - 1)];
    const cs_theme_row *b = a + (part > 0);
    cs_theme_row mix = {mixed(a->red, b->red, part),
                        mixed(a->green, b->green, part),
                        mixed(a->blue, b->blue, part), a->ansi, 0};
    return style_of(&mix, tier);
}

cs_style cs_theme_style(const cs_theme *t, cs_role role, cs_tier tier)
{
    assert(t && role < CS_ROLE_COUNT);
    if (role >= CS_ROLE_RAMP && role < CS_ROLE_SIDES)
        return level_of(t, (int)(role - CS_ROLE_RAMP), tier);
    const cs_theme_row *r = role < CS_ROLE_CHAIN ? &t->role[role]
                            : role < CS_ROLE_RAMP
                                ? &t->chain[role - CS_ROLE_CHAIN]
                                : &t->sides[role - CS_ROLE_SIDES];
    cs_style look = style_of(r, tier);
    if (tier == CS_TIER_MONO)
        look.attributes = role < CS_ROLE_CHAIN ? mono[role] : 0;
    return look;
}

cs_style cs_theme_ground(const cs_theme *t, cs_tier tier)
{
    cs_theme_row own = {-1, 0, 0, 0, 0};
    return style_of(t->paints ? &t->ground : &own, tier);
}

void cs_theme_paper(const cs_theme *t, cs_style *ink, cs_style *ground)
{
    *ink = style_of(&t->ink, CS_TIER_TRUE);
    *ground = style_of(&t->ground, CS_TIER_TRUE);
}

unsigned cs_theme_role(unsigned role, cs_tier tier)
{
    bool level = role >= CS_ROLE_RAMP && role < CS_ROLE_SIDES;
    unsigned past = level ? (role - CS_ROLE_RAMP) % CS_RAMP_FINE : 0;
    return tier == CS_TIER_TRUE ? role : role - past;
}

/* Returns an index for the choice of chain i's glyph. After each round of
 * CS_GLYPHS chains the index is shifted by one, so that each colour has
 * another glyph in the next round. */
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

cs_role cs_theme_over(unsigned level)
{
    return level >= CS_ROLE_RAMP + CS_RAMP_ROLES * 5 / 12 ? CS_ROLE_INK
                                                          : CS_ROLE_LINE;
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

/* Returns the level, 0 .. 1, of a role on a ramp. For other roles, returns
 * -1. */
static double share_of(unsigned role)
{
    if (role >= CS_ROLE_SIDES && role < CS_ROLE_COUNT)
        return (role - CS_ROLE_SIDES) / (CS_SIDES_ROLES - 1.0);
    if (role >= CS_ROLE_RAMP && role < CS_ROLE_SIDES)
        return (role - CS_ROLE_RAMP) / CS_RAMP_FINE / (CS_RAMP_STOPS - 1.0);
    return -1;
}

enum { UPPER = 0x2580, LOWER = 0x2584, WHOLE = 0x2588 };

/* Paints two half cells of a ramp without colours. */
static cs_paint paint_levels(const cs_theme *t, unsigned role, unsigned ground,
                             unsigned code, cs_tier tier)
{
    double ink = share_of(role), off = fmax(share_of(ground), 0);
    double upper = code == UPPER || code == WHOLE ? ink : off;
    double lower = code == LOWER || code == WHOLE ? ink : off;
    bool alone = code == UPPER && ground == CS_ROLE_NORMAL;
    /* a partly filled half above an empty half: both halves get the same
     * shade */
    if (alone && ink < 1)
        lower = upper;
    unsigned as = upper > lower + 0.5   ? UPPER
                  : lower > upper + 0.5 ? LOWER
                                        : cs_theme_shade((upper + lower) / 2);
    return (cs_paint){as, cs_theme_style(t, role, tier),
                      cs_theme_ground(t, tier)};
}

cs_paint cs_theme_paint(const cs_theme *t, unsigned role, unsigned ground,
                        unsigned code, cs_tier tier)
{
    cs_paint p = {code, cs_theme_style(t, (cs_role)role, tier),
                  ground == CS_ROLE_NORMAL
                      ? cs_theme_ground(t, tier)
                      : cs_theme_style(t, (cs_role)ground, tier)};
    bool shade = code == 0xB7 || (code >= 0x2591 && code <= 0x2593);
    bool levels = share_of(role) >= 0;
    bool halves = code == UPPER || ground != CS_ROLE_NORMAL;
    if (shade && levels && tier >= CS_TIER_256)
        p.code = WHOLE;
    else if (levels && halves && tier < CS_TIER_256)
        return paint_levels(t, role, ground, code, tier);
    else if (ground >= CS_ROLE_CHAIN && ground < CS_ROLE_RAMP &&
             role >= CS_ROLE_CHAIN && role < CS_ROLE_RAMP &&
             tier == CS_TIER_MONO)
        p.code = (role == ground ? 'a' : 'A') + role - CS_ROLE_CHAIN;
    return p;
}
