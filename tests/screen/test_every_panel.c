/* Tests every panel for any number of chains and arms, at every size. Text is
 * not cut and does not run together, axes are labelled, and the available space
 * is used. Also compares a frame of each panel for each number of chains and
 * arms. */
#include "support/support.h"

#include "canned_predictive.h"
#include "canned_table.h"
#include "canned_tuning.h"
#include "frame.h"
#include "screen/canvas/legend.h"
#include "screen/input/keys.h"
#include "screen/state/ui.h"
#include "session/client/preview_rows.h"

#include <ctype.h>
#include <string.h>
#include <unistd.h>

enum { BYTES = 24 << 20, MOST = 16 };

static const size_t chains_of[] = {1, 4, MOST}, arms_of[] = {1, 3, 9};
static const int sizes[][2] = {{80, 24}, {120, 40}, {200, 60}};

static cs_canvas canvas;
static cs_ui ui;

/* ---- a run with given numbers of chains and arms ------------------------- */

static void put_head(size_t arms)
{
    static const char *const name[] = {"dmala", "acs",   "gwg",
                                       "gibbs", "walk",  "mala",
                                       "nuts",  "slice", "any_scale"};
    cs_flat_begin(&table, memory, BYTES);
    cs_flat_text(&table, "paused", "run/state"); /* a later entry with this key
                                                  * is ignored */
    cs_flat_number(&table, (double)arms, "run/arms");
    for (size_t i = 0; i < arms; i++)
        cs_flat_text(&table, name[i], "arm/%zu/name", i);
    cs_flat_text(&table,
                 "Two islands, and what it takes to go from one to the other."
                 "\n\nPress space, and watch the panel visits.",
                 "run/lesson");
    canned_run(&table);
}

/* Adds to the snapshot the preview of a step in a tempered group. The step
 * moves two coordinates, and the kernel draws a Poisson minibatch of rows for
 * the step. */
static void put_preview(void)
{
    enum { ROWS = 40, SWAPS = 3 };
    static const double x[2] = {0.5, -1.25}, y[2] = {0.75, -1};
    static const double drift[2] = {0.125, -0.25}, noise[2] = {0.125, 0.5};
    static const double rows[3] = {ROWS, 12, 10000};
    *CS_FLAT_ROWS(&table, cs_decision, 1, CS_KEY_PREVIEW_STEP) =
        canned_decision();
    memcpy(cs_flat_array(&table, 1, 2, "look/preview/x"), x, sizeof x);
    memcpy(cs_flat_array(&table, 1, 2, "look/preview/proposal"), y, sizeof y);
    memcpy(cs_flat_array(&table, 1, 2, "look/preview/drift"), drift, 16);
    memcpy(cs_flat_array(&table, 1, 2, "look/preview/noise"), noise, 16);
    memcpy(cs_flat_array(&table, 1, 3, "look/preview/rows"), rows, 24);
    cs_row_note *row = CS_FLAT_ROWS(&table, cs_row_note, ROWS, CS_KEY_DRAWN);
    for (size_t i = 0; i < ROWS; i++)
        row[i] = (cs_row_note){.row = (double)(i * 7919 % 10000),
                               .use = CS_ROW_WEIGHS,
                               .bound = 1.0 / (double)(i + 3),
                               .here = -1 / (double)(i + 7),
                               .there = i % 3 ? (double)NAN : -0.1,
                               .chance = 1 / (double)(i + 2),
                               .kept = i % 3 == 0,
                               .part = i % 3 ? 0 : 0.01};
    cs_swap_note *swap =
        CS_FLAT_ROWS(&table, cs_swap_note, SWAPS, CS_KEY_SWAPS);
    for (size_t i = 0; i < SWAPS; i++)
        swap[i] = (cs_swap_note){.chain = 2 * (double)i,
                                 .other = 2 * (double)i + 1,
                                 .rung = 2 * (double)i,
                                 .other_rung = 2 * (double)i + 1,
                                 .temperature = 1 + (double)i,
                                 .other_temperature = 2 + (double)i,
                                 .energy = 123.456,
                                 .other_energy = 99,
                                 .tempered = -0.5,
                                 .log_ratio = -0.5,
                                 .chance = 0.6065,
                                 .uniform = 0.25,
                                 .swaps = 1};
    cs_flat_number(&table, 1240515, "look/preview/swap_step");
}

static void put_run(size_t arms, size_t chains)
{
    put_head(arms);
    canned_look(&table);
    canned_steps_of(&table, chains);
    canned_ratios(&table);
    canned_data(&table);
    for (size_t i = 0; i < arms; i++) {
        canned_tuner(&table, i);
        canned_cycle(&table, i);
        canned_weights(&table, i);
        canned_discrepancy(&table, i);
        canned_arm_of(&table, i, chains);
    }
    canned_pictures_of(&table, arms, chains);
    canned_line(&table);
    canned_predictive(&table, arms);
    put_preview();
    assert_false(table.full);
}

/* ---- a frame ------------------------------------------------------------- */

static void show(const char *panel, int w, int h)
{
    cs_canvas_fini(&canvas);
    assert_int_equal(cs_canvas_init(&canvas, w, h, CS_BRAILLE, NULL), CS_OK);
    cs_ui_init(&ui);
    cs_screen_frame(&ui, table.base, table.used, &canvas);
    cs_ui_panels(&ui, panel);
    ui.slots.zoom = ui.look.every_arm = true;
    cs_canvas_clear(&canvas);
    cs_screen_frame(&ui, table.base, table.used, &canvas);
}

static const cs_cell *cell_at(int x, int y)
{
    return canvas.cell + y * canvas.width + x;
}

static bool is_blank(const cs_cell *cell)
{
    return (!cell->code || cell->code == ' ') && !cell->ground;
}

/* Copies line y to text, in ASCII: other characters become ?. */
static void line_of(int y, char *text)
{
    for (int x = 0; x < canvas.width; x++) {
        unsigned code = cell_at(x, y)->code;
        text[x] = code && code < 0x7F ? (char)code : '?';
    }
    text[canvas.width] = 0;
}

/* Returns a description of the fault in a line, or "" if it has no fault. */
static const char *fault_in(int y)
{
    for (int x = 1; x + 1 < canvas.width; x++) {
        unsigned code = cell_at(x, y)->code, next = cell_at(x + 1, y)->code;
        bool digit = code < 0x7F && isdigit((int)code);
        if (code == 0x2026)
            return "a word is cut";
        if (digit && next == '-' && x + 2 < canvas.width) {
            unsigned after = cell_at(x + 2, y)->code;
            if (after < 0x7F && isdigit((int)after))
                return "two numbers are glued together";
        }
    }
    return "";
}

static bool has_letter(int x, int y, int w)
{
    for (int i = 0; i < w && x + i < canvas.width; i++) {
        unsigned code = cell_at(x + i, y)->code;
        if (code < 0x7F && isalpha((int)code))
            return true;
    }
    return false;
}

/* Returns true if each axis that has space for its name has the name next to
 * it. Tiles that are too narrow need no name. */
static bool axes_are_named(void)
{
    size_t named = 0, wide = 0;
    for (size_t i = 0; i < canvas.n_axes; i++) {
        const cs_x_axis *a = &canvas.axis[i];
        bool own_line = a->y >= a->top + a->h;
        if (a->y >= ui.drawn.focused.y + ui.drawn.focused.h || a->w < 30 ||
            !own_line)
            continue;
        wide++;
        named += has_letter(a->x, a->y, a->w);
    }
    return named == wide;
}

static double used(void)
{
    int n = 0, all = 0;
    for (int y = ui.drawn.focused.y + 1;
         y < ui.drawn.focused.y + ui.drawn.focused.h; y++)
        for (int x = 1; x + 1 < canvas.width; x++, all++) {
            unsigned code = cell_at(x, y)->code;
            n += (code && code != ' ') || cell_at(x, y)->ground;
        }
    return all ? (double)n / all : 0;
}

/* Number of faults found so far in all panels. */
static size_t faults;

#define FAULT(...) (faults++, print_error(__VA_ARGS__))

static void check(const char *panel, size_t arms, size_t chains)
{
    char text[CS_CANVAS_MAX + 1], of[96];
    snprintf(of, sizeof of, "%s of %zu arms of %zu chains at %dx%d", panel,
             arms, chains, canvas.width, canvas.height);
    line_of(ui.drawn.focused.y, text);
    if (!strstr(text, panel))
        FAULT("%s has not its title: %s\n", of, text);
    for (int y = ui.drawn.focused.y;
         y < ui.drawn.focused.y + ui.drawn.focused.h; y++) {
        const char *fault = fault_in(y);
        line_of(y, text);
        if (*fault)
            FAULT("%s: %s: %s\n", of, fault, text);
        if (!is_blank(cell_at(0, y)) || !is_blank(cell_at(canvas.width - 1, y)))
            FAULT("%s: its margin is drawn over: %s\n", of, text);
    }
    for (int y = 1; y < ui.drawn.focused.y; y++) { /* the sentences */
        const char *fault = fault_in(y);
        line_of(y, text);
        if (*fault)
            FAULT("%s: %s: %s\n", of, fault, text);
    }
    if (!axes_are_named())
        FAULT("%s: an axis has no name\n", of);
    if (!(used() > 0))
        FAULT("%s: nothing is drawn\n", of);
}

static void test_all(void **state)
{
    const cs_panel_type *type;
    (void)state;
    for (size_t i = 0; i < 9; i++) {
        size_t chains = chains_of[i / 3], arms = arms_of[i % 3];
        put_run(arms, chains);
        for (size_t k = 0; (type = cs_panel_at(k)); k++)
            for (size_t s = 0; s < 3; s++) {
                show(type->name, sizes[s][0], sizes[s][1]);
                check(type->name, arms, chains);
            }
    }
    assert_int_equal(faults, 0);
}

/* ---- legends ------------------------------------------------------------- */

/* Removes the first `word` of a line, and returns true if there was one. */
static bool take(char *line, const char *word)
{
    char *at = strstr(line, word);
    if (at)
        memset(at, ' ', strlen(word));
    return at != NULL;
}

/* Copies the cells of an area to text as UTF-8. */
static void words_of(const cs_area *a, char *text)
{
    for (int y = 0; y < a->h; y++)
        for (int x = 0; x < a->w; x++) {
            unsigned code = cell_at(a->x + x, a->y + y)->code;
            text += cs_utf8_encode(code ? code : ' ', text);
        }
    *text = 0;
}

/* Tests that a legend does not name two kinds of lines or dots by one sign.
 * Kinds of bars differ in their colours. */
static void check_signs(const char *panel, unsigned variant, const cs_legend *l)
{
    static const char bars[] = "\u2588\u2592";
    for (size_t i = 0; i < l->n; i++)
        for (size_t k = i + 1; k < l->n; k++)
            if (*l->sign[i].glyph && !strstr(bars, l->sign[i].glyph) &&
                strcmp(l->sign[i].glyph, l->sign[k].glyph) == 0)
                FAULT("%s, view %u: %s is '%s' and '%s'\n", panel, variant,
                      l->sign[i].glyph, l->sign[i].text, l->sign[k].text);
}

/* Tests the legend in the last lines of the focused panel: each sign that the
 * panel has drawn is explained, and nothing else is in these lines. */
static void check_legend(const char *panel, unsigned views)
{
    static char line[4 * CS_CANVAS_MAX];
    const cs_area *f = &ui.drawn.focused;
    cs_area inside = cs_area_part(f, 0, 1, f->w, f->h - 1);
    inside.canvas = &canvas;
    unsigned variant = views ? ui.slots.of[0].variant % views : 0;
    cs_legend legend;
    cs_legend_find(&inside, panel, variant, &legend);
    if (!ui.drawn.legend && legend.unknown)
        FAULT("%s, view %u: no sign for U+%04X in role %u\n", panel, variant,
              legend.unknown, legend.unknown_role);
    for (int lines = ui.drawn.legend ? 1 : 0; lines; lines++) {
        cs_area body = cs_area_part(&inside, 0, 0, f->w, inside.h - lines);
        cs_area foot = cs_area_part(&inside, 0, body.h, f->w, lines);
        cs_legend_find(&body, panel, variant, &legend);
        if (cs_legend_lines(&legend, f->w) != lines && lines < 4)
            continue;
        if (legend.unknown)
            FAULT("%s, view %u: no sign for U+%04X in role %u\n", panel,
                  variant, legend.unknown, legend.unknown_role);
        check_signs(panel, variant, &legend);
        words_of(&foot, line);
        for (size_t i = 0; i < legend.n; i++) {
            const cs_legend_sign *s = &legend.sign[i];
            const char *second = strchr(s->text, ' ');
            bool scale =
                !strcmp(s->glyph, "ramp") || !strcmp(s->glyph, "sides");
            char first[40];
            snprintf(first, sizeof first, "%.*s",
                     scale && second ? (int)(second - s->text) : 39, s->text);
            bool found = take(line, first);
            found &= !scale || !second || take(line, second + 1);
            for (size_t k = 0; k < (s->n_roles ? s->n_roles : 1); k++)
                found &= scale || !*s->glyph || take(line, s->glyph);
            for (size_t k = 0; k < s->n_roles && !*s->glyph; k++) {
                char glyph[2] = {cs_theme_glyph(s->role[k] - CS_ROLE_CHAIN)};
                found &= take(line, glyph);
            }
            if (!found)
                FAULT("%s, view %u: no '%s' in the legend\n", panel, variant,
                      s->text);
            if (s->more)
                take(line, "...");
            for (unsigned shade = 0; scale && shade < 5; shade++) {
                char text[5] = "";
                cs_utf8_encode(cs_theme_shade((shade + 0.5) / 5), text);
                take(line, text);
            }
        }
        if (line[strspn(line, " ")])
            FAULT("%s, view %u: the legend has more: '%s'\n", panel, variant,
                  line + strspn(line, " "));
        return;
    }
}

static void test_legends(void **state)
{
    static const size_t runs[][2] = {{1, 4}, {3, 1}, {9, MOST}};
    const cs_panel_type *type;
    size_t shown = 0;
    char view[8];
    (void)state;
    faults = 0;
    for (size_t r = 0; r < 3; r++) {
        put_run(runs[r][0], runs[r][1]);
        for (size_t k = 0; (type = cs_panel_at(k)); k++) {
            unsigned n = cs_panel_option(type, 'v', 0, view, sizeof view);
            for (unsigned i = 0; i < 4 * (n ? n : 1); i++) {
                show(type->name, 120, 40);
                ui.slots.zoom = ui.look.every_arm = i % 2;
                ui.slots.of[0].option = i / 2 % 2;
                ui.slots.of[0].variant = i / 4;
                ui.slots.focus = 0;
                ui.legend = 1;
                cs_canvas_clear(&canvas);
                cs_screen_frame(&ui, table.base, table.used, &canvas);
                check_legend(type->name, n);
                shown += ui.drawn.legend;
            }
        }
    }
    assert_int_equal(faults, 0);
    assert_true(shown > 150);
}

/* By default, the focused panel has a legend in a run of one arm, and has none
 * in a run of several arms at 120 x 40. The key K shows all legends, and hides
 * them if it is pressed again. */
static void test_key_of_the_legend(void **state)
{
    (void)state;
    for (size_t arms = 1; arms <= 3; arms += 2) {
        put_run(arms, 4);
        show("map", 120, 40);
        ui.slots.zoom = ui.look.every_arm = false;
        cs_shot s = {.base = table.base, .used = table.used};
        for (int i = 0; i < 3; i++) {
            cs_canvas_clear(&canvas);
            cs_screen_frame(&ui, table.base, table.used, &canvas);
            assert_int_equal(ui.drawn.legend, i == 0 ? arms == 1 : i == 1);
            const cs_action *act = cs_action_find("legend");
            assert_int_equal(act->keys[0], 'K');
            act->act(&(cs_key_press){.ui = &ui, .shot = &s, .key = 'K'});
        }
    }
}

/* Tests the views of a step, with data rows and without. */
static void test_views_of_a_step(void **state)
{
    static const int w = 120, h = 40;
    cs_canvas first = {0};
    (void)state;
    put_run(1, 4);
    for (unsigned v = 0; v < 4; v++) {
        show("proposal", w, h);
        ui.slots.of[0].variant = v;
        cs_screen_frame(&ui, table.base, table.used, &canvas);
        cs_area inside = cs_area_part(&ui.drawn.focused, 1, 1, w - 2, h - 9);
        if (v == 0)
            assert_int_equal(cs_canvas_copy(&first, &canvas, NULL), CS_OK);
        size_t at = (size_t)(inside.y * w), n = (size_t)(inside.h * w);
        bool same = memcmp(first.cell + at, canvas.cell + at,
                           n * sizeof *canvas.cell) == 0;
        assert_int_equal(same, v % 3 == 0);
    }
    cs_canvas_fini(&first);
}

/* Sixteen chains or arms can be distinguished by colour or glyph with any
 * number of colours, and by glyph on a terminal without colours. */
static void test_nothing_is_alike(void **state)
{
    (void)state;
    const cs_theme *theme;
    for (size_t t = 0; (theme = cs_theme_at(t)); t++)
        for (cs_tier tier = CS_TIER_MONO; tier <= CS_TIER_TRUE; tier++)
            for (size_t i = 0; i < MOST; i++)
                for (size_t k = 0; k < i; k++) {
                    bool alike = cs_theme_glyph(i) == cs_theme_glyph(k);
                    int a =
                        cs_theme_style(theme, cs_theme_chain(i), tier).colour;
                    int b =
                        cs_theme_style(theme, cs_theme_chain(k), tier).colour;
                    if (alike && (tier == CS_TIER_MONO || a == b))
                        fail_msg("chains %zu and %zu are alike", i, k);
                }
}

/* ---- frames -------------------------------------------------------------- */

/* Compares a panel's frame with the stored frame, and returns 1. If no frame of
 * this panel is stored, returns 0, because a new panel has a test and frames of
 * its own. With UPDATE=1, stores the frame and does not compare. */
static size_t keep(const char *panel, int w, int h, cs_medium as, cs_tier tier,
                   const char *of)
{
    char file[96], path[128];
    snprintf(file, sizeof file, "every_%s_%s", panel, of);
    snprintf(path, sizeof path, "frames/%s.%s", file,
             as == CS_TEXT ? "txt" : "ans");
    if (!getenv("UPDATE") && access(path, R_OK) != 0)
        return 0;
    show(panel, w, h);
    compare_as(&canvas, as, tier, file);
    return 1;
}

static void test_frames(void **state)
{
    size_t kept = 0;
    static const char *const dense[] = {"trace",      "map",  "visits",
                                        "acceptance", "race", "pairs"};
    const cs_panel_type *type;
    (void)state;
    put_run(9, MOST);
    for (size_t k = 0; (type = cs_panel_at(k)); k++)
        kept += keep(type->name, 80, 24, CS_TEXT, CS_TIER_MONO, "9x16_80x24");
    for (size_t k = 0; k < sizeof dense / sizeof *dense; k++)
        kept += keep(dense[k], 80, 24, CS_ANSI, CS_TIER_16, "9x16_16");
    put_run(1, 4);
    for (size_t k = 0; k < sizeof dense / sizeof *dense; k++)
        kept += keep(dense[k], 80, 24, CS_ANSI, CS_TIER_TRUE, "1x4_true");
    put_run(3, 1);
    for (size_t k = 0; (type = cs_panel_at(k)); k++)
        kept += keep(type->name, 120, 40, CS_TEXT, CS_TIER_MONO, "3x1_120x40");
    assert_true(kept > 50);
}

static int open_memory(void **state)
{
    (void)state;
    memory = cs_alloc(BYTES, 1);
    return !memory;
}

static int close_canvas(void **state)
{
    cs_canvas_fini(&canvas);
    return teardown(state);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_all),
    cmocka_unit_test(test_legends),
    cmocka_unit_test(test_key_of_the_legend),
    cmocka_unit_test(test_views_of_a_step),
    cmocka_unit_test(test_nothing_is_alike),
    cmocka_unit_test(test_frames),
};
TESTS_WITH(test_every_panel, open_memory, close_canvas)
