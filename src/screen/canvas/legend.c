#include "screen/canvas/legend.h"

#include <string.h>

/* A row of the table of signs. The first row that matches a cell applies. */
typedef struct sign_row {
    const char *panels;   /* names separated by blanks; "": all panels */
    unsigned first, last; /* characters */
    unsigned low, high;   /* roles */
    const char *glyph, *text;
    unsigned variants; /* 0: all; otherwise bits 1 << variant */
} sign_row;

#define ANY_CODE 0, 0x10FFFF
#define ANY_ROLE 0, CS_ROLE_COUNT
#define ONE(x) x, x
#define CHAINS CS_ROLE_CHAIN, CS_ROLE_RAMP - 1
#define RAMP CS_ROLE_RAMP, CS_ROLE_SIDES - 1
#define SIDES CS_ROLE_SIDES, CS_ROLE_COUNT - 1
#define OVER CS_ROLE_INK, CS_ROLE_LINE /* over a bar or a heat map */
#define BARS 0x2580, 0x259F
#define CURVE 0x2800, 0x28FF

static const sign_row table[] = {
    /* map */
    {"map", ONE('@'), ANY_ROLE, "@", "chosen chain", 0},
    {"map", ONE('?'), ONE(CS_ROLE_EVENT), "?", "last proposal", 0},
    {"map", ONE(0x25CB), ANY_ROLE, "\u25CB", "mode", 0},
    {"map", ONE(0x25CF), ANY_ROLE, "\u25CF", "visited mode", 0},
    {"map", ONE(0x25B2), ONE(CS_ROLE_ACCEPT), "\u25B2", "accepted", 0},
    {"map", ONE(0x25BC), ONE(CS_ROLE_REJECT), "\u25BC", "rejected", 0},
    {"map", ONE('x'), ONE(CS_ROLE_REJECT), "x", "divergence", 0},
    {"map", ONE('-'), OVER, "-", "fewer draws than exact", 1u << 3},
    {"map", ONE('+'), OVER, "+", "more draws than exact", 1u << 3},
    {"map", ONE(0x2022), ANY_ROLE, "\u2022", "path", 0},
    {"map", ONE(0xB7), ONE(CS_ROLE_LABEL), "\u00B7", "path", 0},
    {"map", ONE(0xB7), OVER, "\u00B7", "path", 0},
    {"map", ONE('\\'), ANY_ROLE, "\\", "last move", 0},
    {"map", ONE('/'), ANY_ROLE, "/", "last move", 0},
    {"map", ONE('|'), ANY_ROLE, "|", "last move", 0},
    {"map", ONE('-'), ANY_ROLE, "-", "last move", 0},
    {"map", ONE('*'), ANY_ROLE, "*", "end of the next step", 0},
    {"map", ONE('.'), ANY_ROLE, ".", "next trajectory", 0},
    {"map", ONE('d'), ONE(CS_ROLE_EVENT), "d", "drift", 0},
    {"map", ONE('n'), ONE(CS_ROLE_LABEL), "n", "noise", 0},
    {"map", ONE('o'), ANY_ROLE, "o", "noise of the step", 0},
    {"map", ONE('x'), OVER, "x", "noise of the gradient", 0},
    {"map", ONE('+'), ANY_ROLE, "+", "into another bin", 0},
    {"map", ONE(0x25B2), ANY_ROLE, "\u25B2", "uphill", 0},
    {"map", '0', 'z', ONE(CS_ROLE_EVENT), "1", "hill", 0},
    {"map", '0', 'z', ONE(CS_ROLE_FOCUS), "1", "chosen hill", 0},
    {"map", '0', '9', ANY_ROLE, "1", "doubling of the next trajectory", 0},
    {"map", ANY_CODE, SIDES, "sides", "draws", 0},
    /* lines and bars over time */
    {"trace", ONE(0x2506), ANY_ROLE, "\u2506", "changed parameter", 0},
    {"trace", ONE(0x25B2), ONE(CS_ROLE_WARN), "\u25B2", "beyond the axis", 0},
    {"trace", ONE(0x25B2), ANY_ROLE, "\u25B2", "uphill", 0},
    {"trace", ANY_CODE, CHAINS, "", "arms", 1u << 4},
    {"trace", ANY_CODE, CHAINS, "", "chains", 0},
    {"trace acceptance", CURVE, OVER, "\u2812", "chosen chain", 0},
    {"acceptance", ONE(0x2500), ANY_ROLE, "\u2500", "mean", 0},
    {"acceptance", CURVE, CHAINS, "\u2812", "chosen chain", 0},
    {"acceptance", ONE(0x2508), ANY_ROLE, "\u2508", "best rates in theory", 0},
    {"distance", ONE(0xB7), ANY_ROLE, "\u00B7", "floor", 0},
    {"distance race sweep calibration", ANY_CODE, CHAINS, "", "arms", 0},
    {"race", 0x2500, 0x257F, ANY_ROLE, "\u251C\u2500\u2524", "95 % interval",
     0},
    {"race sweep", ONE('*'), ANY_ROLE, "*", "best value", 0},
    {"autocorrelation", CURVE, CHAINS, "\u2500", "all chains", 0},
    {"autocorrelation", CURVE, ONE(CS_ROLE_FAINT), "\u254C", "single chains",
     0},
    {"autocorrelation", ONE(0x2508), ANY_ROLE, "\u2508", "0", 0},
    {"autocorrelation", ONE(0x2506), ANY_ROLE, "\u2506", "end of the sum", 0},
    {"running", ONE(0x2504), ANY_ROLE, "\u2504", "exact", 0},
    {"running", CURVE, CHAINS, "\u2500", "chains, and their mean", 1u << 1},
    {"running", CURVE, CHAINS, "\u2500", "mean", 0},
    {"running", CURVE, ANY_ROLE, "\u00B7", "2 standard errors", 0},
    {"cycle", BARS, ONE(CS_ROLE_ACCEPT), "\u2588", "acceptance", 0},
    {"cycle", BARS, ANY_ROLE, "\u2588", "parameter", 0},
    {"cycle", CURVE, ANY_ROLE, "\u00B7", "typed values", 0},
    {"tuner", ONE(0x2500), ANY_ROLE, "\u2500", "target", 0},
    {"tuner", ONE(':'), ANY_ROLE, ":", "typed value", 0},
    {"tuner", ANY_CODE, CHAINS, "", "phases", 0},
    {"learn", ONE(0x2504), ANY_ROLE, "\u2504", "independent bits", 0},
    {"learn", CURVE, ONE(CS_ROLE_VALUE), "\u254C", "data, or test rows", 0},
    {"learn", CURVE, CHAINS, "\u2500", "chains, or training rows", 0},
    {"first", ANY_CODE, CHAINS, "", "chains", 0},
    {"visits", ANY_CODE, CHAINS, "", "chains", 0},
    {"rows", ONE(0xB7), ANY_ROLE, "\u00B7", "expected", 0},
    {"rows", CURVE, ONE(CS_ROLE_EVENT), "\u2500", "kept", 0},
    {"rows", CURVE, OVER, "\u2500", "kept", 0},
    {"rows", ANY_CODE, CHAINS, "\u2588", "drawn", 0},
    {"ratios", ONE(0xB7), ANY_ROLE, "\u00B7", "equal", 0},
    {"ratios", ONE(0x25CF), ANY_ROLE, "\u25CF", "newest step", 0},
    {"ratios", CURVE, ANY_ROLE, "\u2022", "step", 0},
    /* histograms */
    {"predictive", ONE('o'), ANY_ROLE, "o", "data", 0},
    {"predictive", ONE('x'), ANY_ROLE, "x", "data outside 90 %", 0},
    {"predictive", ONE(0x2502), ANY_ROLE, "\u2502", "data", 0},
    {"predictive", BARS, CHAINS, "\u2588", "replicated", 0},
    {"predictive", CURVE, ONE(CS_ROLE_FAINT), "\u2500",
     "5 and 95 %, or perfect calibration", 0},
    {"predictive", CURVE, ANY_ROLE, "\u2502", "replicated", 0},
    {"energy marginal", BARS, CHAINS, "\u2588", "draws", 0},
    {"energy marginal", CURVE, ANY_ROLE, "\u2500", "exact", 0},
    {"transitions", BARS, CHAINS, "\u2588", "energy", 0},
    {"transitions", CURVE, ANY_ROLE, "\u2500", "change per step", 0},
    {"weights", BARS, CHAINS, "\u2588", "draws", 0},
    {"weights", CURVE, ANY_ROLE, "\u2500", "weight", 0},
    {"ranks", ONE(0x25B2), ANY_ROLE, "\u25B2", "outside the band", 0},
    {"ranks", BARS, CHAINS, "", "chains", 0},
    {"ranks", CURVE, ANY_ROLE, "\u2500", "band of 95 %", 0},
    {"bins", ONE(0x25BC), ANY_ROLE, "\u25BC", "below 0", 0},
    {"bins", ONE(0x2502), ANY_ROLE, "\u2502", "standard deviation", 0},
    {"bins", ONE(0x2592), ONE(CS_ROLE_WARN), "\u2592", "never visited", 0},
    {"bins", ONE(0x2592), ANY_ROLE, "\u2592", "not settled", 0},
    {"bins", CURVE, ONE(CS_ROLE_TRUTH), "\u2500", "exact, or equal shares", 0},
    {"bins", CURVE, OVER, "\u2500", "exact, or equal shares", 0},
    {"bins", CURVE, ONE(CS_ROLE_REJECT), "\u25BC", "below 0", 0},
    {"bins", CURVE, CHAINS, "\u28FF", "multiplier", 0},
    {"bins", BARS, CHAINS, "\u2588", "mean of the chains", 0},
    {"line", CURVE, ONE(CS_ROLE_TRUTH), "\u254C", "energy", 0},
    {"line", CURVE, CHAINS, "\u2500", "effective energy", 0},
    {"line", ONE('@'), ANY_ROLE, "@", "chosen chain", 0},
    {"line", '1', '2', ANY_ROLE, "1", "end of the line", 0},
    {"line", 0x2190, 0x2193, ANY_ROLE, "\u2192", "climb", 0},
    /* parameters of several kinds, and members of a cycle */
    {"state", ONE(0x25CF), ONE(CS_ROLE_FOCUS), "\u25CF", "present value", 0},
    {"state", 0x2500, 0x2524, ONE(CS_ROLE_FAINT), "\u251C",
     "5 to 95 % of the draws", 0},
    {"state proposal", BARS, ONE(CS_ROLE_BAR), "\u2588",
     "conditional probability", 0},
    {"state proposal", BARS, ONE(CS_ROLE_EVENT), "\u2588", "drawn value", 0},
    {"state proposal", CURVE, ONE(CS_ROLE_VALUE), "\u2500",
     "conditional density", 0},
    {"state proposal", ONE(0x25CB), ONE(CS_ROLE_FOCUS), "\u25CB",
     "before the draw", 0},
    {"state proposal", ONE(0x25B2), ONE(CS_ROLE_VALUE), "\u25B2",
     "after the draw", 0},
    {"acceptance", ONE(0x2588), ONE(CS_ROLE_ACCEPT), "\u2588", "accepted", 0},
    {"acceptance", ONE(0x2502), ANY_ROLE, "\u2502", "best rate", 0},
    /* steps */
    {"state", ONE(0xB7), ONE(CS_ROLE_ACCEPT), "\u00B7", "bit 0", 0},
    {"state proposal", 0x2588, 0x2593, ONE(CS_ROLE_ACCEPT), "\u2588",
     "positive, or bit 1", 0},
    {"state proposal", 0x2588, 0x2593, ONE(CS_ROLE_REJECT), "\u2588",
     "negative, or a flip", 0},
    {"state proposal", BARS, ANY_ROLE, "\u2588", "own variable", 0},
    {"state proposal", ONE(0x2502), ANY_ROLE, "\u2502", "0", 0},
    {"state proposal", 0x2190, 0x2193, ANY_ROLE, "\u2192", "longer", 0},
    {"state proposal", ONE(0x25B2), ANY_ROLE, "\u25B2", "accepted", 0},
    {"state proposal", ONE(0x25BC), ANY_ROLE, "\u25BC", "rejected", 0},
    {"state proposal", ONE(0x25CB), ANY_ROLE, "\u25CB", "unchanged", 0},
    {"state proposal", ONE(0x2501), ONE(CS_ROLE_ACCEPT), "\u2501",
     "u that accepts", 0},
    {"state proposal", ONE(0x2500), ONE(CS_ROLE_REJECT), "\u2500",
     "u that rejects", 0},
    {"state proposal", ONE(0x25CF), ANY_ROLE, "\u25CF", "u of this step", 0},
    {"simulation", BARS, ONE(CS_ROLE_EVENT), "\u2588", "undetermined", 0},
    /* pictures */
    {"pairs", ONE('x'), ANY_ROLE, "x", "divergence", 0},
    {"pairs", BARS, CHAINS, "\u2588", "histogram", 0},
    {"picture simulation", ANY_CODE, RAMP, "ramp", "low high", 0},
    {"picture simulation", ANY_CODE, SIDES, "sides", "low high", 0},
    {"picture simulation", '0', '9', ANY_ROLE, "1", "order of the places", 0},
    {"picture simulation", CURVE, ANY_ROLE, "\u2500", "edges", 0},
    {"picture simulation", BARS, CHAINS, "\u2588", "classes", 0},
    /* every other panel */
    {"", ANY_CODE, RAMP, "ramp", "few many", 0},
    {"", ANY_CODE, SIDES, "sides", "low high", 0},
    {"", ANY_CODE, CHAINS, "", "series", 0},
    {"", ONE(0x2504), ANY_ROLE, "\u2504", "exact", 0},
};
enum { ROWS = sizeof table / sizeof *table };

/* ---- cells --------------------------------------------------------------- */

static bool is_ascii(unsigned code)
{
    return code > ' ' && code < 0x7F;
}

/* Returns true if a cell is a part of a text, or has one beside it: another
 * printable character of the same role at a distance of at most two. A run of
 * one character, such as a line of -, is not text. */
static bool has_text(const cs_area *a, int x, const cs_cell *cell)
{
    for (int by = -2; by <= 2; by++) {
        const cs_cell *other = cell + by;
        if (by && x + by >= 0 && x + by < a->w && is_ascii(other->code) &&
            other->role == cell->role && other->ground == cell->ground &&
            other->code != cell->code)
            return true;
    }
    return false;
}

/* Returns true if letters in this role are text. */
static bool is_text_role(unsigned role)
{
    static const bool mark[CS_ROLE_COUNT] = {
        [CS_ROLE_FOCUS] = true,  [CS_ROLE_ACCEPT] = true,
        [CS_ROLE_REJECT] = true, [CS_ROLE_EVENT] = true,
        [CS_ROLE_INK] = true,    [CS_ROLE_LINE] = true};
    return role < CS_ROLE_CHAIN && !mark[role];
}

/* Returns the role and the character of the sign in a cell. If the cell has no
 * sign, returns false. */
static bool sign_in(const cs_area *a, int x, int y, unsigned *code,
                    unsigned *role)
{
    const cs_cell *cell = a->canvas->cell +
                          (size_t)(a->y + y) * (size_t)a->canvas->width +
                          (size_t)(a->x + x);
    bool blank = !cell->code || cell->code == ' ';
    *code = blank ? 0x2588 : cell->code;
    *role = blank ? cell->ground : cell->role;
    if (blank)
        return cell->ground >= CS_ROLE_RAMP;
    if (cell->role == CS_ROLE_BORDER)
        return false;
    bool arrow = cell->code >= 0x2190 && cell->code <= 0x2193;
    bool drawn = arrow || cell->code >= 0x2500 || cell->code == 0xB7 ||
                 cell->code == 0x2022;
    bool shape = arrow || (cell->code >= 0x25A0 && cell->code < 0x2800);
    /* a chosen coordinate with a name of one letter */
    if (cell->role == CS_ROLE_FOCUS && cell->code >= 'A' && cell->code <= 'z')
        return false;
    if (is_ascii(cell->code))
        return !is_text_role(cell->role) && !has_text(a, x, cell);
    return drawn && !(shape && has_text(a, x, cell));
}

/* ---- signs --------------------------------------------------------------- */

static bool has_word(const char *words, const char *word)
{
    size_t n = strlen(word);
    for (const char *at = words; *at; at += strspn(at, " ")) {
        size_t length = strcspn(at, " ");
        if (length == n && strncmp(at, word, n) == 0)
            return true;
        at += length;
    }
    return !*words;
}

static const sign_row *row_of(const char *panel, unsigned variant,
                              unsigned code, unsigned role)
{
    for (size_t i = 0; i < ROWS; i++) {
        const sign_row *r = &table[i];
        if (code >= r->first && code <= r->last && role >= r->low &&
            role <= r->high &&
            (!r->variants || r->variants >> variant % 32 & 1) &&
            has_word(r->panels, panel))
            return r;
    }
    return NULL;
}

static bool is_scale(const cs_legend_sign *s)
{
    return strcmp(s->glyph, "ramp") == 0 || strcmp(s->glyph, "sides") == 0;
}

static void add_role(cs_legend_sign *s, unsigned role)
{
    for (size_t i = 0; i < s->n_roles; i++)
        if (s->role[i] == role || is_scale(s))
            return;
    if (s->n_roles < CS_LEGEND_ROLES)
        s->role[s->n_roles++] = role;
    else
        s->more = true;
}

/* Adds a sign. A curve over bars has another role than beside them, but is the
 * same sign. */
static void add(cs_legend *l, const sign_row *r, unsigned role)
{
    bool over = role == CS_ROLE_INK || role == CS_ROLE_LINE;
    for (size_t i = 0; i < l->n; i++)
        if (strcmp(l->sign[i].glyph, r->glyph) == 0 &&
            strcmp(l->sign[i].text, r->text) == 0) {
            if (!over)
                add_role(&l->sign[i], role);
            return;
        }
    if (l->n == CS_LEGEND_SIGNS)
        return;
    cs_legend_sign *s = &l->sign[l->n++];
    *s = (cs_legend_sign){.glyph = r->glyph, .text = r->text};
    if (!over)
        add_role(s, role);
}

/* The characters and roles found last, so that each is looked up once. A plot
 * has thousands of cells, but few kinds of them. */
enum { SEEN = 128 };
typedef struct seen_sign {
    unsigned code, role; /* code 0: none yet */
} seen_sign;

/* Returns true if a sign was seen before, and remembers it. */
static bool was_seen(seen_sign seen[SEEN], unsigned code, unsigned role)
{
    seen_sign *at = &seen[(code * 31 + role) % SEEN];
    bool before = at->code == code && at->role == role;
    *at = (seen_sign){code, role};
    return before;
}

void cs_legend_find(const cs_area *a, const char *panel, unsigned variant,
                    cs_legend *out)
{
    seen_sign seen[SEEN] = {{0, 0}};
    *out = (cs_legend){.n = 0};
    for (int y = 0; y < a->h; y++)
        for (int x = 0; x < a->w; x++) {
            unsigned code, role;
            if (!sign_in(a, x, y, &code, &role) || was_seen(seen, code, role))
                continue;
            const sign_row *r = row_of(panel, variant, code, role);
            if (r) {
                add(out, r, role);
            } else {
                out->unknown = code;
                out->unknown_role = role;
            }
        }
}

/* ---- drawing ------------------------------------------------------------- */

enum { SHADES = 5, GAP = 2 };

/* Draws five levels of a scale between the two words of its text. */
static int draw_scale(const cs_area *a, int x, int y, const cs_legend_sign *s)
{
    bool ramp = strcmp(s->glyph, "ramp") == 0;
    const char *high = strchr(s->text, ' ');
    int n = high ? (int)(high - s->text) : 0;
    x = cs_print(a, x, y, CS_ROLE_LABEL, "%.*s", n, s->text) + (n > 0);
    for (int i = 0; i < SHADES; i++) {
        double share = (i + 0.5) / SHADES;
        cs_put(a, x++, y, ramp ? cs_theme_ramp(share) : cs_theme_sides(share),
               cs_theme_shade(share));
    }
    return cs_print(a, x + 1, y, CS_ROLE_LABEL, "%s",
                    high ? high + 1 : s->text);
}

/* Draws a sign, its glyph in each of its colours, and its text. Returns the
 * column after it. */
static int draw_sign(const cs_area *a, int x, int y, const cs_legend_sign *s)
{
    if (is_scale(s))
        return draw_scale(a, x, y, s);
    if (!s->n_roles)
        x = cs_print(a, x, y, CS_ROLE_NORMAL, "%s", s->glyph) + 1;
    for (size_t i = 0; i < s->n_roles; i++) {
        unsigned chain = s->role[i] - CS_ROLE_CHAIN;
        if (*s->glyph)
            x = cs_print(a, x, y, (cs_role)s->role[i], "%s", s->glyph) + 1;
        else
            x = cs_print(a, x, y, (cs_role)s->role[i], "%c",
                         cs_theme_glyph(chain)) +
                1;
    }
    return cs_print(a, x, y, CS_ROLE_LABEL, s->more ? "... %s" : "%s", s->text);
}

/* Draws the legend or, with `a` NULL, only finds its number of lines. */
static int lay(const cs_area *a, const cs_legend *l, int w)
{
    int x = 0, y = 0;
    cs_canvas empty = {.width = 0};
    const cs_area none = {.canvas = &empty, .w = CS_CANVAS_MAX};
    for (size_t i = 0; i < l->n; i++) {
        int wide = draw_sign(&none, 0, 0, &l->sign[i]);
        if (x > 0 && x + wide > w) {
            x = 0;
            y++;
        }
        if (a && y < a->h)
            draw_sign(a, x, y, &l->sign[i]);
        x += wide + GAP;
    }
    return l->n ? y + 1 : 0;
}

int cs_legend_lines(const cs_legend *l, int w)
{
    return lay(NULL, l, w);
}

void cs_legend_draw(const cs_area *a, const cs_legend *l)
{
    lay(a, l, a->w);
}
