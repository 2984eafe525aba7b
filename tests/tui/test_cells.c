/* Tests that every cell of the terminal equals the cell of the frame in
 * character, colour and attributes. The test uses three sizes and every kind of
 * terminal. It computes the frame a second time from a second session of the
 * run, without a terminal. */
#include "term.h"

#include "cli/front/front.h"
#include "screen/state/ui.h"

#include <stdio.h>
#include <string.h>

extern const cs_subcommand cs_subcommand_screen;

static term t;
static cs_ui ui;

static int stop(void **state)
{
    (void)state;
    term_stop(&t);
    return 0;
}

/* Starts a second session of the run. It makes the same number of steps as the
 * first session, and computes all exact values. */
static cs_client *session(const char *scene, const unsigned char **base,
                          size_t *used)
{
    const cs_front_options options = {.trust = false};
    const char *words[] = {scene};
    cs_client *c;
    cs_flat_entry e;
    cs_args args = {.sub = &cs_subcommand_screen, .n_words = 1};
    memcpy(args.word, words, sizeof words);
    assert_int_equal(cs_front_create(&c, &options, NULL), CS_OK);
    assert_int_equal(cs_front_open(c, &args, NULL, NULL), CS_OK);
    assert_int_equal(cs_front_ask(c, "pictures 100", NULL, NULL), CS_OK);
    assert_int_equal(cs_front_ask(c, "step 100", NULL, NULL), CS_OK);
    do
        cs_client_wait(c, 50);
    while (!cs_client_snapshot(c, base, used) ||
           !cs_flat_find(*base, *used, &e, "run/state") || !e.text ||
           strcmp(e.text, "running") == 0 ||
           !cs_flat_find(*base, *used, &e, "run/steps") || *e.data < 100 ||
           !cs_flat_find(*base, *used, &e, "run/settled") || *e.data == 0 ||
           !cs_flat_find(*base, *used, &e, "run/reported") || *e.data == 0);
    return c;
}

static void compare_colour(int x, int y, const char *what,
                           const VTermColor *got, const cs_style *want,
                           cs_tier tier, int colours)
{
    bool indexed = VTERM_COLOR_IS_INDEXED(got);
    bool exact = tier == CS_TIER_TRUE && indexed && want->colour >= 0 &&
                 cs_theme_exact_256(want->colour) == got->indexed.idx;
    int have =
        exact ? want->colour
        : VTERM_COLOR_IS_DEFAULT_FG(got) || VTERM_COLOR_IS_DEFAULT_BG(got) ? -1
        : indexed ? got->indexed.idx
                  : got->rgb.red << 16 | got->rgb.green << 8 | got->rgb.blue;
    assert_true(have < 0 || exact || indexed == (tier != CS_TIER_TRUE));
    int colour = want->colour < colours ? want->colour : want->colour % 8;
    if (colour == 0 && want->colour == 8)
        colour = 7; /* this grey is not one of the eight colours */
    if (have != (tier == CS_TIER_MONO ? -1 : colour))
        term_fail(&t, "cell %d,%d has %s of colour %d, not %d", x, y, what,
                  have, colour);
}

static void compare_cell(const cs_canvas *c, int x, int y, cs_tier tier,
                         int colours)
{
    const cs_cell *want = c->cell + y * c->width + x;
    VTermScreenCell got = term_cell(&t, x, y);
    cs_paint p =
        cs_theme_paint(ui.theme, want->role, want->ground, want->code, tier);
    unsigned a = p.ink.attributes | want->attributes;
    uint32_t glyph = got.chars[0] ? got.chars[0] : ' ';
    if (want->code == 0)
        return; /* this cell is covered by the wide character to its left */
    if (glyph != p.code)
        term_fail(&t, "cell %d,%d holds U+%04X, not U+%04X", x, y, glyph,
                  p.code);
    if (!!got.attrs.reverse != !!(a & CS_REVERSE) ||
        !!got.attrs.underline != !!(a & CS_UNDERLINE))
        term_fail(&t, "cell %d,%d: reverse or underline", x, y);
    compare_colour(x, y, "ground", &got.bg, &p.ground, tier, colours);
    if (glyph == ' ')
        return; /* blanks have no foreground */
    if (!!got.attrs.bold != !!(a & CS_BOLD))
        term_fail(&t, "cell %d,%d: bold", x, y);
    compare_colour(x, y, "ink", &got.fg, &p.ink, tier, colours);
}

/* Waits until the results of background reports are shown. The results appear
 * when the reports are complete. */
static void wait_for_glyphs(const cs_canvas *c, cs_tier tier)
{
    double until = term_clock() + TERM_PATIENCE;
    bool same = false;
    while (!same && term_clock() < until) {
        term_quiet(&t, 100);
        same = true;
        for (int y = 0; same && y < c->height; y++)
            for (int x = 0; same && x < c->width; x++) {
                const cs_cell *want = c->cell + y * c->width + x;
                uint32_t got = term_cell(&t, x, y).chars[0];
                cs_paint p = cs_theme_paint(ui.theme, want->role, want->ground,
                                            want->code, tier);
                same = want->code == 0 || (got ? got : ' ') == p.code ||
                       strstr(term_line(&t, y), "ESS/s");
            }
    }
}

static const char *theme = "dark"; /* set by the option of the program */

static void compare_scene(const char *scene, int rows, int cols, cs_tier tier,
                          int colours, cs_glyphs glyphs,
                          const char *const *more)
{
    const char *const argv[] = {CS_PROGRAM, scene, "--theme", theme, NULL};
    const unsigned char *base;
    size_t used;
    cs_canvas canvas;
    cs_client *c = session(scene, &base, &used);
    assert_int_equal(cs_canvas_init(&canvas, cols, rows, glyphs, NULL), CS_OK);
    cs_ui_init(&ui);
    ui.theme = cs_theme_find(theme);
    cs_screen_frame(&ui, base, used, &canvas);
    term_start(&t, rows, cols, argv, more);
    term_wait_line(&t, 0, "paused  step 0");
    term_send(&t, ">");
    term_wait_line(&t, 0, "paused  step 100");
    term_wait_gone(&t, "visits (");
    wait_for_glyphs(&canvas, tier);
    for (int y = 0; y < rows; y++) {
        if (strstr(term_line(&t, y), "ESS/s"))
            continue; /* depends on the clock */
        for (int x = 0; x < cols; x++)
            compare_cell(&canvas, x, y, tier, colours);
    }
    if (tier == CS_TIER_MONO && t.colours)
        term_fail(&t, "%lu sequences set a colour", t.colours);
    if (glyphs == CS_ASCII && t.high)
        term_fail(&t, "%u bytes are not ASCII", t.high);
    cs_canvas_fini(&canvas);
    cs_client_close(c, 3000);
    cs_client_destroy(c);
    term_send(&t, "QQ");
    assert_int_equal(term_end(&t), 0);
    term_stop(&t);
}

static void compare(int rows, int cols, cs_tier tier, int colours,
                    cs_glyphs glyphs, const char *const *more)
{
    compare_scene("scene.lua", rows, cols, tier, colours, glyphs, more);
}

static void test_pictures(void **state)
{
    (void)state;
    static const char *const few[] = {"TERM=xterm", NULL};
    static const char *const ascii[] = {"LC_ALL=C", "TERM=vt100", NULL};
    compare_scene("spins.lua", 24, 80, CS_TIER_256, 256, CS_BRAILLE, NULL);
    compare_scene("spins.lua", 60, 200, CS_TIER_256, 256, CS_BRAILLE, NULL);
    compare_scene("spins.lua", 40, 120, CS_TIER_16, 8, CS_BRAILLE, few);
    compare_scene("spins.lua", 24, 80, CS_TIER_MONO, 0, CS_ASCII, ascii);
    compare_scene("greys.lua", 24, 80, CS_TIER_256, 256, CS_BRAILLE, NULL);
    compare_scene("greys.lua", 24, 80, CS_TIER_16, 8, CS_BRAILLE, few);
}

static void test_sizes(void **state)
{
    (void)state;
    compare(24, 80, CS_TIER_256, 256, CS_BRAILLE, NULL);
    compare(40, 120, CS_TIER_256, 256, CS_BRAILLE, NULL);
    compare(60, 200, CS_TIER_256, 256, CS_BRAILLE, NULL);
}

/* 24-bit colours are used if the terminal reports that it supports them. If the
 * terminal has only a few colours, or if colours are switched off, 24-bit
 * colours are not used. */
static void test_true_colours(void **state)
{
    (void)state;
    static const char *const all[] = {"COLORTERM=truecolor", NULL};
    static const char *const few[] = {"COLORTERM=24bit", "TERM=xterm", NULL};
    static const char *const none[] = {"COLORTERM=truecolor", "NO_COLOR=1",
                                       NULL};
    compare(40, 120, CS_TIER_TRUE, 1 << 24, CS_BRAILLE, all);
    compare_scene("spins.lua", 24, 80, CS_TIER_TRUE, 1 << 24, CS_BRAILLE, all);
    compare(24, 80, CS_TIER_16, 8, CS_BRAILLE, few);
    compare(24, 80, CS_TIER_MONO, 0, CS_BRAILLE, none);
}

/* If a theme has a background of its own, this background is painted
 * everywhere. */
static void test_themes(void **state)
{
    (void)state;
    static const char *const all[] = {"COLORTERM=truecolor", NULL};
    static const char *const few[] = {"TERM=xterm", NULL};
    static const char *const none[] = {"NO_COLOR=1", NULL};
    theme = "light";
    compare(24, 80, CS_TIER_TRUE, 1 << 24, CS_BRAILLE, all);
    compare(40, 120, CS_TIER_256, 256, CS_BRAILLE, NULL);
    compare(24, 80, CS_TIER_16, 8, CS_BRAILLE, few);
    compare(24, 80, CS_TIER_MONO, 0, CS_BRAILLE, none);
    theme = "contrast";
    compare(24, 80, CS_TIER_256, 256, CS_BRAILLE, NULL);
    theme = "dark";
}

static void test_few_colours(void **state)
{
    (void)state;
    static const char *const more[] = {"TERM=xterm", NULL};
    compare(24, 80, CS_TIER_16, 8, CS_BRAILLE, more);
    compare(60, 200, CS_TIER_16, 8, CS_BRAILLE, more);
}

static void test_no_colour(void **state)
{
    (void)state;
    static const char *const asked[] = {"NO_COLOR=1", NULL};
    static const char *const none[] = {"TERM=vt220", NULL};
    compare(24, 80, CS_TIER_MONO, 0, CS_BRAILLE, asked);
    compare(24, 80, CS_TIER_MONO, 0, CS_BRAILLE, none);
}

static void test_ascii(void **state)
{
    (void)state;
    /* tmux replaces xterm, because libvterm 0.1 starts a new line too early
     * after a repeated character */
    static const char *const more[] = {"LC_ALL=C", "TERM=tmux-256color", NULL};
    static const char *const mono[] = {"LC_ALL=C", "TERM=vt100", NULL};
    compare(24, 80, CS_TIER_256, 256, CS_ASCII, more);
    compare(40, 120, CS_TIER_256, 256, CS_ASCII, more);
    compare(24, 80, CS_TIER_MONO, 0, CS_ASCII, mono);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_teardown(test_sizes, stop),
    cmocka_unit_test_teardown(test_pictures, stop),
    cmocka_unit_test_teardown(test_true_colours, stop),
    cmocka_unit_test_teardown(test_themes, stop),
    cmocka_unit_test_teardown(test_few_colours, stop),
    cmocka_unit_test_teardown(test_no_colour, stop),
    cmocka_unit_test_teardown(test_ascii, stop),
};
TESTS(test_cells)
