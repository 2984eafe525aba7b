/* Compares themes with models of colour vision. Also tests the choice of the
 * number of colours and of the character set. The user's request comes first,
 * then the terminal's own information. The program never uses more colours than
 * the terminal can show. */
#include "support/support.h"

#include "screen/canvas/colours.h"

#include <math.h>

typedef struct lab {
    double l, a, b;
} lab;

static double linear(int v)
{
    double c = v / 255.0;
    return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

static double cube_root(double t)
{
    return t > 0.008856 ? cbrt(t) : (903.3 * t + 16) / 116;
}

/* Returns the CIELAB coordinates of an sRGB colour, for white D65. */
static lab lab_of(int red, int green, int blue)
{
    double r = linear(red), g = linear(green), b = linear(blue);
    double x = cube_root((0.4125 * r + 0.3576 * g + 0.1804 * b) / 0.9505);
    double y = cube_root(0.2127 * r + 0.7152 * g + 0.0722 * b);
    double z = cube_root((0.0193 * r + 0.1192 * g + 0.9503 * b) / 1.0888);
    return (lab){116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

static lab lab_of_style(const cs_style *look, cs_tier tier)
{
    static const int level[] = {0, 95, 135, 175, 215, 255};
    int code = look->colour;
    if (tier == CS_TIER_TRUE)
        return lab_of(code >> 16, code >> 8 & 255, code & 255);
    assert_in_range(code, 16, 255);
    if (code >= 232)
        return lab_of(8 + 10 * (code - 232), 8 + 10 * (code - 232),
                      8 + 10 * (code - 232));
    code -= 16;
    return lab_of(level[code / 36], level[code / 6 % 6], level[code % 6]);
}

static lab look_of(const cs_theme *t, cs_role role, cs_tier tier)
{
    cs_style look = cs_theme_style(t, role, tier);
    return lab_of_style(&look, tier);
}

static double distance(const lab *p, const lab *q)
{
    return sqrt((p->l - q->l) * (p->l - q->l) + (p->a - q->a) * (p->a - q->a) +
                (p->b - q->b) * (p->b - q->b));
}

/* Checks the colours of the heat map. The lightness of each colour is farther
 * from the background than that of the colour before it, and successive colours
 * can be distinguished. */
static void check_ramp(const cs_theme *t, cs_tier tier)
{
    enum { FINE = CS_RAMP_FINE, STEPS = CS_RAMP_ROLES / FINE };
    double least = HUGE_VAL;
    lab first = look_of(t, CS_ROLE_RAMP, tier);
    double up = first.l < 50 ? 1 : -1;
    for (int i = 1; i < STEPS; i++) {
        lab p = look_of(t, (cs_role)(CS_ROLE_RAMP + FINE * (i - 1)), tier);
        lab q = look_of(t, (cs_role)(CS_ROLE_RAMP + FINE * i), tier);
        double far = distance(&p, &q);
        if (!(up * (q.l - p.l) > 1.5))
            fail_msg("%s, tier %d: step %d is %g lighter", cs_theme_name(t),
                     (int)tier, i, up * (q.l - p.l));
        least = fmin(least, far);
    }
    if (!(least > 12))
        fail_msg("%s, tier %d: a step of %g", cs_theme_name(t), (int)tier,
                 least);
}

/* Checks that with 2^24 colours all levels are distinct, and that the lightness
 * is monotone. */
static void check_continuous(const cs_theme *t)
{
    lab first = look_of(t, CS_ROLE_RAMP, CS_TIER_TRUE);
    double up = first.l < 50 ? 1 : -1;
    for (int i = 1; i < CS_RAMP_ROLES; i++) {
        lab p = look_of(t, (cs_role)(CS_ROLE_RAMP + i - 1), CS_TIER_TRUE);
        lab q = look_of(t, (cs_role)(CS_ROLE_RAMP + i), CS_TIER_TRUE);
        assert_true(up * (q.l - p.l) > 0.2);
        assert_true(cs_theme_role((unsigned)(CS_ROLE_RAMP + i), CS_TIER_256) ==
                    (unsigned)(CS_ROLE_RAMP + i / CS_RAMP_FINE * CS_RAMP_FINE));
    }
}

static void test_ramp(void **state)
{
    (void)state;
    const cs_theme *t;
    for (size_t i = 0; (t = cs_theme_at(i)); i++) {
        check_ramp(t, CS_TIER_256);
        check_ramp(t, CS_TIER_TRUE);
        check_continuous(t);
    }
}

/* Returns a colour as it appears to an eye without one kind of cone. The colour
 * is computed in linear light at full severity, as in Machado, Oliveira and
 * Fernandes, "A physiologically-based model for simulation of color vision
 * deficiency" (2009). */
static lab seen_by(const double eye[3][3], const cs_style *look)
{
    double in[3] = {linear(look->red), linear(look->green), linear(look->blue)};
    int out[3];
    for (int i = 0; i < 3; i++) {
        double v = 0;
        for (int k = 0; k < 3; k++)
            v += eye[i][k] * in[k];
        v = fmax(0, fmin(1, v));
        v = v <= 0.0031308 ? 12.92 * v : 1.055 * pow(v, 1 / 2.4) - 0.055;
        out[i] = (int)(255 * v + 0.5);
    }
    return lab_of(out[0], out[1], out[2]);
}

static double contrast(const cs_style *ink, const cs_style *ground)
{
    const cs_style *both[] = {ink, ground};
    double y[2];
    for (int i = 0; i < 2; i++)
        y[i] = 0.05 + 0.2127 * linear(both[i]->red) +
               0.7152 * linear(both[i]->green) + 0.0722 * linear(both[i]->blue);
    return fmax(y[0], y[1]) / fmin(y[0], y[1]);
}

/* Checks every theme. For every kind of eye, the colours of any two chains
 * differ. Everything is visible on its background: the contrast is at least 3
 * to 1, and text has a higher contrast. */
static void test_every_theme(void **state)
{
    (void)state;
    static const double eye[4][3][3] = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                                        {{0.152286, 1.052583, -0.204868},
                                         {0.114503, 0.786281, 0.099216},
                                         {-0.003882, -0.048116, 1.051998}},
                                        {{0.367322, 0.860646, -0.227968},
                                         {0.280085, 0.672501, 0.047413},
                                         {-0.011820, 0.042940, 0.968881}},
                                        {{1.255528, -0.076749, -0.178779},
                                         {-0.078411, 0.930809, 0.147602},
                                         {0.004733, 0.691367, 0.303900}}};
    static const struct {
        const char *name;
        double apart, text, frame; /* apart: colour difference dE; text, frame:
                                    * contrasts */
    } want[] = {
        {"dark", 25.5, 4, 3}, {"light", 22.9, 4, 3}, {"contrast", 22, 7, 7}};
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        const cs_theme *t = cs_theme_find(want[i].name);
        cs_style ink, ground, look;
        cs_theme_paper(t, &ink, &ground);
        assert_true(contrast(&ink, &ground) > 7);
        for (int r = 0; r < CS_ROLE_CHAIN + CS_CHAIN_ROLES; r++) {
            look = cs_theme_style(t, (cs_role)r, CS_TIER_TRUE);
            bool over = r == CS_ROLE_INK || r == CS_ROLE_LINE;
            double least =
                r >= CS_ROLE_CHAIN || r == CS_ROLE_BORDER ? 3 : want[i].text;
            least = r == CS_ROLE_BORDER ? want[i].frame : least;
            if (look.red >= 0 && !over && contrast(&look, &ground) < least)
                fail_msg("%s: role %d is %.2g to 1", want[i].name, r,
                         contrast(&look, &ground));
        }
        for (int e = 0; e < 4; e++)
            for (int a = 0; a < CS_CHAIN_ROLES; a++)
                for (int b = 0; b < a; b++) {
                    cs_style one = cs_theme_style(
                        t, (cs_role)(CS_ROLE_CHAIN + a), CS_TIER_TRUE);
                    cs_style two = cs_theme_style(
                        t, (cs_role)(CS_ROLE_CHAIN + b), CS_TIER_TRUE);
                    lab p = seen_by(eye[e], &one), q = seen_by(eye[e], &two);
                    if (distance(&p, &q) < want[i].apart)
                        fail_msg("%s: chains %d, %d are %.1f apart to eye %d",
                                 want[i].name, a, b, distance(&p, &q), e);
                }
    }
    assert_ptr_equal(cs_theme_next(cs_theme_find("contrast")), cs_theme_at(0));
}

/* The colours of the dark and the light theme, with their index in the palette
 * of 256 colours and with the colour of a terminal of 16 colours (-1: its
 * default). First the arms, then the ramp from low to high. */
static const struct colour {
    int dark, dark_256, dark_16, light, light_256, light_16;
} palette[] = {{0x5fd7af, 79, 14, 0x875faf, 97, 4},
               {0xffd700, 220, 11, 0x875f00, 94, 1},
               {0xd75f00, 166, 9, 0xd7005f, 161, 5},
               {0xd7d7ff, 189, 15, 0x0000ff, 21, 0},
               {0xd700ff, 165, 13, 0xaf00d7, 128, 6},
               {0xd7875f, 173, 3, 0x87005f, 89, 2},
               {0xd787ff, 177, 5, 0x5f0087, 54, 12},
               {0x5f8787, 66, 6, 0x5f0000, 52, 8},
               {0x5f5faf, 61, -1, 0x5f87af, 67, -1},
               {0x5f87af, 67, -1, 0x5f5faf, 61, -1},
               {0x87afaf, 109, -1, 0x005faf, 25, -1},
               {0xafd7af, 151, -1, 0x005f87, 24, -1},
               {0xd7d7af, 187, -1, 0x000087, 18, -1},
               {0xffffaf, 229, -1, 0x000000, 16, -1}};

static void check_colour(const cs_theme *t, size_t i, const int want[3])
{
    static const cs_tier tier[] = {CS_TIER_TRUE, CS_TIER_256, CS_TIER_16};
    /* the first and the last level of the ramp are its first and last colour */
    size_t level = (i - CS_CHAIN_ROLES) * CS_RAMP_FINE;
    bool last = i == CS_CHAIN_ROLES + 5, first = i == CS_CHAIN_ROLES;
    for (size_t k = 0; k < 3; k++) {
        cs_role role = i < CS_CHAIN_ROLES ? cs_theme_chain(i)
                       : last             ? cs_theme_ramp(1)
                                          : (cs_role)(CS_ROLE_RAMP + level);
        if (k == 0 && i > CS_CHAIN_ROLES && !first && !last)
            continue; /* a mixture of two colours */
        cs_style look = cs_theme_style(t, role, tier[k]);
        if (look.colour != want[k])
            fail_msg("%s: colour %zu, tier %d is %x", cs_theme_name(t), i,
                     (int)tier[k], (unsigned)look.colour);
    }
}

static void test_palette(void **state)
{
    (void)state;
    cs_style ink, ground;
    for (size_t i = 0; i < sizeof palette / sizeof *palette; i++) {
        const struct colour *c = &palette[i];
        check_colour(cs_theme_find("dark"), i,
                     (const int[]){c->dark, c->dark_256, c->dark_16});
        check_colour(cs_theme_find("light"), i,
                     (const int[]){c->light, c->light_256, c->light_16});
    }
    cs_theme_paper(cs_theme_find("dark"), &ink, &ground);
    assert_int_equal(ink.colour, 0xdadada);
    assert_int_equal(ground.colour, 0x101014);
    cs_theme_paper(cs_theme_find("light"), &ink, &ground);
    assert_int_equal(ink.colour, 0x1c1c1c);
    assert_int_equal(ground.colour, 0xfafafa);
}

/* Sixteen chains can be distinguished without colours, and 128 chains with
 * colours. */
static void test_chains(void **state)
{
    (void)state;
    for (unsigned long i = 0; i < 128; i++)
        for (unsigned long k = 0; k < i; k++) {
            bool same = cs_theme_glyph(i) == cs_theme_glyph(k);
            assert_false(same && i < 16);
            assert_false(same && cs_theme_chain(i) == cs_theme_chain(k));
        }
}

/* ---- output to the terminal ---- */

static void test_tiers(void **state)
{
    (void)state;
    static const struct {
        const char *asked;
        cs_terminal_facts facts;
        cs_tier tier;
    } table[] = {
        {"", {.term = "xterm", .colours = 8, .iso = true}, CS_TIER_16},
        {"", {.term = "xterm-256color", .colours = 256}, CS_TIER_256},
        {NULL,
         {.term = "xterm-256color", .colorterm = "truecolor", .colours = 256},
         CS_TIER_TRUE},
        {"auto",
         {.term = "tmux-256color", .colorterm = "24bit", .colours = 256},
         CS_TIER_TRUE},
        {"", {.term = "xterm-direct", .colours = 1 << 24}, CS_TIER_TRUE},
        {"",
         {.term = "vt220", .colorterm = "truecolor", .colours = -1},
         CS_TIER_MONO},
        {"",
         {.term = "linux", .colorterm = "truecolor", .colours = 8},
         CS_TIER_16},
        /* GNU screen keeps COLORTERM=truecolor from the terminal around it, but
         * shows fewer colours. tmux has the same TERM, and shows all
         * colours. */
        {"",
         {.term = "screen-256color", .colorterm = "truecolor", .colours = 256},
         CS_TIER_256},
        {"",
         {.term = "screen-256color",
          .tmux = "/tmp/x",
          .colorterm = "truecolor",
          .colours = 256},
         CS_TIER_TRUE},
        {"", {.colorterm = "yes", .colours = 256}, CS_TIER_256},
        /* an explicit request overrides NO_COLOR, and NO_COLOR overrides the
         * rest */
        {"", {.no_color = "1", .colours = 256}, CS_TIER_MONO},
        {"", {.no_color = "", .colours = 256}, CS_TIER_256},
        {"256", {.no_color = "1", .colours = 256}, CS_TIER_256},
        {"never", {.colours = 256}, CS_TIER_MONO},
        {"16", {.colours = 256}, CS_TIER_16},
        {"true", {.colours = 256, .iso = true}, CS_TIER_TRUE},
        {"256", {.colours = 8, .iso = true}, CS_TIER_256},
        {"true", {.colours = 8, .iso = false}, CS_TIER_16},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (cs_tier_choose(&table[i].facts, table[i].asked) != table[i].tier)
            fail_msg("row %zu: tier %d", i,
                     (int)cs_tier_choose(&table[i].facts, table[i].asked));
}

static void test_glyphs(void **state)
{
    (void)state;
    const cs_terminal_facts plain = {.utf8 = false};
    const cs_terminal_facts most = {.utf8 = true};
    const cs_terminal_facts console = {.utf8 = true, .term = "linux"};
    const cs_terminal_facts set = {.utf8 = true, .glyphs = "ascii"};
    assert_int_equal(cs_glyphs_choose(&plain, ""), CS_ASCII);
    assert_int_equal(cs_glyphs_choose(&plain, "braille"), CS_BRAILLE);
    assert_int_equal(cs_glyphs_choose(&most, NULL), CS_BRAILLE);
    assert_int_equal(cs_glyphs_choose(&most, "block"), CS_BLOCK);
    assert_int_equal(cs_glyphs_choose(&console, "auto"), CS_BLOCK);
    assert_int_equal(cs_glyphs_choose(&set, ""), CS_ASCII);
    assert_int_equal(cs_glyphs_choose(&set, "block"), CS_BLOCK);
}

/* 24-bit colours that are in the palette of 256 are recognised. */
static void test_exact(void **state)
{
    (void)state;
    static const struct {
        int colour, index;
    } table[] = {{0xffffff, 231}, {0x000000, 16}, {0x5f87af, 67},
                 {0x080808, 232}, {0x101418, -1}, {0xfffffe, -1}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        assert_int_equal(cs_theme_exact_256(table[i].colour), table[i].index);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_exact),   cmocka_unit_test(test_ramp),
    cmocka_unit_test(test_palette), cmocka_unit_test(test_every_theme),
    cmocka_unit_test(test_chains),  cmocka_unit_test(test_tiers),
    cmocka_unit_test(test_glyphs),
};
TESTS(test_themes)
