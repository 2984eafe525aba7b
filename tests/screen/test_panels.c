/* Compares panels on the canvas with their input, at many sizes. */
#include "support/support.h"

#include "canned_panel.h"
#include "screen/canvas/density_band.h"
#include "screen/input/commands.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static cs_shot shot(void)
{
    return (cs_shot){.base = table.base, .used = table.used};
}

/* ---- words of panels ---- */

static bool quiet(void *self, const char *line)
{
    (void)self;
    return line != NULL;
}

static void test_words(void **state)
{
    (void)state;
    cs_panel_word w = cs_panel_read(NULL, "map=log_tau,theta.1@small");
    assert_string_equal(w.type->name, "map");
    assert_string_equal(w.of, "log_tau,theta.1");
    assert_string_equal(w.arm, "small");
    w = cs_panel_read(NULL, "trace@a=b");
    assert_string_equal(w.of, "");
    assert_string_equal(w.arm, "a=b");
    assert_null(cs_panel_read(NULL, "trac=x").type);
    assert_null(cs_panel_read(NULL, "").type);
    cs_selection at = {.of = "b"};
    assert_int_equal(cs_panel_choice(&at, "energy a b", 3), 2);
    at.option = 1;
    assert_int_equal(cs_panel_choice(&at, "energy a b", 3), 0);
    at = (cs_selection){.of = "none"};
    assert_int_equal(cs_panel_choice(&at, "energy a b", 3), 0);
    assert_int_equal(cs_panel_choice(&at, "", 0), 0);
}

/* Words after the name of a panel select the panel's contents. The words come
 * from a scenario or from a typed line. */
static void test_told(void **state)
{
    (void)state;
    cs_error err;
    cs_ui ui;
    cs_canvas c;
    cs_shot s = shot();
    cs_sender to = {quiet, NULL};
    assert_int_equal(cs_canvas_init(&c, 80, 24, CS_BRAILLE, &err), CS_OK);
    cs_ui_init(&ui);
    cs_screen_frame(&ui, s.base, s.used, &c);
    assert_true(cs_ui_command(&ui, &s, &to, "layout trace=b@acs map"));
    assert_string_equal(ui.slots.of[0].type->name, "trace");
    assert_string_equal(ui.slots.of[0].shows.of, "b");
    assert_string_equal(ui.slots.of[0].shows.arm, "acs");
    assert_false(ui.slots.of[2].on);
    assert_true(cs_ui_command(&ui, &s, &to, "panel trace=a"));
    assert_true(ui.slots.of[0].on);
    assert_string_equal(ui.slots.of[0].shows.of, "a");
    assert_true(cs_ui_command(&ui, &s, &to, "layout trac=a"));
    assert_string_equal(ui.slots.of[0].shows.of, "a");
    cs_canvas_fini(&c);
}

/* ---- density bands of chains ---- */

static const cs_cell *cell_of(const cs_canvas *c, int x, int y)
{
    return c->cell + y * c->width + x;
}

static bool is_chain(unsigned role)
{
    return role >= CS_ROLE_CHAIN && role < CS_ROLE_RAMP;
}

static bool is_level(unsigned role)
{
    return role >= CS_ROLE_RAMP && role < CS_ROLE_SIDES;
}

/* Four chains are shown as a density, and only the selected chain has a colour
 * of its own. The third chain, which is outside the range of the other chains,
 * has full brightness. */
static void test_density(void **state)
{
    (void)state;
    enum { C = 4, N = 64, W = 40, H = 10 };
    static double low[C * N], high[C * N];
    cs_error err;
    cs_canvas c;
    for (size_t i = 0; i < C * N; i++) {
        bool stuck = i / N == 2;
        low[i] = stuck ? 9 : 0;
        high[i] = stuck ? 9 : 4;
    }
    assert_int_equal(cs_canvas_init(&c, W, H, CS_BRAILLE, &err), CS_OK);
    cs_area a = cs_canvas_area(&c);
    cs_plot p = cs_plot_make(&a, 0, N, 0, 10);
    cs_density_band b = {.low = low, .high = high, .chains = C, .bins = N};
    cs_density_band_draw(&p, &b, 1);
    int levels = 0;
    for (int x = 0; x < W; x++) {
        int apart = cell_of(&c, x, cs_plot_row(&p, 9))->role;
        assert_true(is_level((unsigned)apart));
        for (int y = 0; y < H; y++) {
            const cs_cell *at = cell_of(&c, x, y);
            assert_false(is_chain(at->role) &&
                         at->role != (uint8_t)cs_theme_chain(1));
            levels += is_level(at->role) || is_level(at->ground);
            if (is_level(at->role))
                assert_true(at->role <= apart || at->ground <= apart);
        }
    }
    assert_true(levels > W * 3);
    cs_canvas_fini(&c);
}

/* ---- the energy histogram ---- */

/* The exact distribution is shown as a line over the bars. Below the top of a
 * bar, every cell has the bar's colour in its foreground or its background.
 * Where the distribution is 0, no line is shown. */
static void test_energy(void **state)
{
    (void)state;
    cs_error err;
    cs_canvas c;
    cs_shot s = shot();
    for (int w = 40; w <= 200; w += 20) {
        assert_int_equal(cs_canvas_init(&c, w, 20, CS_BRAILLE, &err), CS_OK);
        cs_area a = cs_canvas_area(&c);
        cs_panel_draw(cs_panel_find("energy"), &a, &s,
                      &(cs_selection){.of = ""});
        int line = 0;
        for (int x = 0; x < w; x++) {
            bool bar = false;
            for (int y = 0; y < 18; y++) {
                const cs_cell *at = cell_of(&c, x, y);
                bool is =
                    at->ground ? is_chain(at->ground) : is_chain(at->role);
                assert_false(bar && !is);
                bar = bar || (is && (at->ground || at->code == 0x2588));
                line += at->role == CS_ROLE_TRUTH || at->role == CS_ROLE_INK;
                assert_true(at->code != 0x25CB);
            }
        }
        assert_true(line > w / 3 && line < 5 * w);
        cs_canvas_fini(&c);
    }
}

/* ---- words ---- */

/* Words are never cut at any width: text that does not fit is shortened, moved
 * to another line or omitted. */
static void test_whole_words(void **state)
{
    (void)state;
    cs_canvas c;
    const cs_panel_type *type;
    for (size_t i = 0; (type = cs_panel_at(i)); i++)
        for (int w = 36; w <= 200; w += w < 90 ? 1 : 7)
            for (unsigned v = 0; v < 8; v++) {
                int h = v % 2 ? 9 : 24;
                cs_log log = {0};
                cs_selection at = {
                    .of = "", .variant = v / 2, .every_arm = true, .log = &log};
                draw_panel(&c, type->name, w, h, &at);
                for (int k = 0; k < w * h; k++)
                    if (c.cell[k].code == 0x2026) {
                        char text[CS_CANVAS_MAX + 1];
                        line_of(&c, k / w, text);
                        fail_msg("%s, %d wide: %s", type->name, w, text);
                    }
                cs_canvas_fini(&c);
            }
}

/* If text must be cut, it is cut between two words, unless one word is most of
 * the text. */
static void test_cut(void **state)
{
    (void)state;
    static const struct {
        int w;
        const char *is;
    } cases[] = {{30, "random moves are all it takes "},
                 {29, "random moves are all it takes "},
                 {28, "random moves are all it?      "},
                 {25, "random moves are all it?      "},
                 {24, "random moves are all it?      "},
                 {23, "random moves are all?         "},
                 {4, "ran?                          "}};
    cs_error err;
    cs_canvas c;
    char text[CS_CANVAS_MAX + 1];
    assert_int_equal(cs_canvas_init(&c, 30, 1, CS_BRAILLE, &err), CS_OK);
    cs_area a = cs_canvas_area(&c);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cs_canvas_clear(&c);
        cs_print_cut(&a, 0, 0, cases[i].w, CS_ROLE_NORMAL, "%s",
                     "random moves are all it takes");
        line_of(&c, 0, text);
        assert_string_equal(text, cases[i].is);
    }
    cs_canvas_fini(&c);
}

/* The title of a panel is the word that opens the panel. */
static void test_titles(void **state)
{
    (void)state;
    const cs_panel_type *type;
    for (size_t i = 0; (type = cs_panel_at(i)); i++)
        if (strncmp(type->title, type->name, strlen(type->name)) != 0)
            fail_msg("the title of panel %s does not begin with its name: %s",
                     type->name, type->title);
}

/* A panel has exactly the views whose names it lists. After the last view, the
 * key shows the first view again. The border shows the name of the current
 * view. */
static void test_views(void **state)
{
    (void)state;
    enum { W = 120, H = 30 };
    const cs_panel_type *type;
    for (size_t i = 0; (type = cs_panel_at(i)); i++) {
        char name[120];
        cs_canvas first, c;
        cs_log log = {0};
        cs_selection at = {.of = "", .log = &log, .every_arm = true};
        unsigned n = cs_panel_option(type, 'v', 0, name, sizeof name);
        draw_panel(&first, type->name, W, H, &at);
        for (unsigned v = 1; v <= n; v++) {
            at.variant = v;
            draw_panel(&c, type->name, W, H, &at);
            bool same = memcmp(first.cell, c.cell, sizeof *c.cell * W * H) == 0;
            /* these panels need other data */
            bool needs = strcmp(type->name, "picture") == 0 ||
                         strcmp(type->name, "predictive") == 0 ||
                         strcmp(type->name, "proposal") == 0;
            if (same != (v == n) && !needs)
                fail_msg("%s does not have %u views", type->name, n);
            cs_canvas_fini(&c);
        }
        cs_canvas_fini(&first);
    }
    char text[120];
    type = cs_panel_find("trace");
    assert_int_equal(cs_panel_option(type, 'v', 6, text, sizeof text), 5);
    assert_string_equal(text, "one lane per chain");
    assert_int_equal(cs_panel_option(type, 'x', 0, text, sizeof text), 0);
    assert_string_equal(text, "");
}

/* On a wide screen, and if the panel has the whole screen, the title of the
 * focused panel shows the panel's keys. These keys do not
 * displace the labels of keys that are always available. A panel with enough
 * space also keeps its caption. */
static void test_keys_told(void **state)
{
    (void)state;
    cs_error err;
    cs_ui ui;
    cs_canvas c;
    for (int w = 80; w <= 240; w += 40) {
        cs_shot s = shot();
        assert_int_equal(cs_canvas_init(&c, w, 40, CS_BRAILLE, &err), CS_OK);
        cs_ui_init(&ui);
        cs_screen_frame(&ui, s.base, s.used, &c);
        assert_true(says(&c, "run/pause") && says(&c, "? help"));
        bool wide = w >= 160;
        assert_int_equal(says(&c, "v 1/5") && says(&c, "o next"), wide);
        assert_true(says(&c, "energy; R-hat 1.080"));
        ui.slots.of[0].variant = 3;
        cs_screen_frame(&ui, s.base, s.used, &c);
        assert_int_equal(says(&c, "v 4/5"), wide);
        ui.slots.zoom = true;
        cs_screen_frame(&ui, s.base, s.used, &c);
        assert_true(says(&c, "v 4") && says(&c, "o next"));
        cs_canvas_fini(&c);
    }
}

/* ---- the state ---- */

/* After one accepted step, the previous state of the chain is shown next to the
 * current state. After two steps the previous state is unknown. */
static void test_from(void **state)
{
    (void)state;
    cs_error err;
    cs_ui ui;
    cs_canvas c;
    assert_int_equal(cs_canvas_init(&c, 120, 40, CS_BRAILLE, &err), CS_OK);
    cs_ui_init(&ui);
    const double now[][2] = {{1, 2}, {3, 4}, {5, 6}};
    const double steps[] = {7, 8, 10};
    for (int k = 0; k < 3; k++) {
        cs_flat_begin(&table, memory, CANNED_BYTES);
        cs_flat_number(&table, 1, "run/arms");
        cs_flat_number(&table, steps[k], "run/steps");
        cs_flat_number(&table, steps[k], "arm/0/steps");
        cs_flat_text(&table, "hmc", "arm/0/kernel");
        *CS_FLAT_ROWS(&table, cs_row_look, 1, CS_KEY_LOOK) = (cs_row_look){0};
        memcpy(cs_flat_array(&table, 1, 2, "look/x"), now[k], sizeof now[k]);
        memcpy(cs_flat_array(&table, 1, 2, "look/proposal"), now[k],
               sizeof now[k]);
        *CS_FLAT_ROWS(&table, cs_decision, 1, CS_KEY_STEP) =
            (cs_decision){.logp = -1,
                          .logp_proposal = -1,
                          .logp_change = 20000,
                          .log_q_forward = -2,
                          .log_q_back = -5.5,
                          .log_ratio = 19996.5,
                          .log_uniform = -1,
                          .accepted = 1,
                          .moved = 1};
        cs_screen_frame(&ui, table.base, table.used, &c);
        assert_int_equal(says(&c, "from"), k == 1);
        assert_true(says(&c, "proposed"));
        assert_true(says(&c, "K 2 to 5.5, change"));
        assert_true(says(&c, "change of H"));
        assert_false(says(&c, "log q"));
        assert_true(says(&c, "U(x') - U(x)"));
    }
    cs_canvas_fini(&c);
}

/* A bar that exceeds its space ends in an arrow. */
static void test_saturated(void **state)
{
    (void)state;
    cs_canvas c;
    cs_selection at = {.of = ""};
    for (int k = 0; k < 2; k++) {
        const double x[] = {1, 2};
        cs_flat_begin(&table, memory, CANNED_BYTES);
        cs_flat_number(&table, 1, "run/arms");
        *CS_FLAT_ROWS(&table, cs_row_look, 1, CS_KEY_LOOK) = (cs_row_look){0};
        memcpy(cs_flat_array(&table, 1, 2, "look/x"), x, sizeof x);
        memcpy(cs_flat_array(&table, 1, 2, "look/proposal"), x, sizeof x);
        *CS_FLAT_ROWS(&table, cs_decision, 1, CS_KEY_STEP) =
            (cs_decision){.logp_change = k ? -46253 : -9000,
                          .log_ratio = -1,
                          .log_uniform = -1};
        draw_panel(&c, "state", 80, 20, &at);
        int arrows = 0;
        for (int i = 0; i < 80 * 20; i++)
            arrows += c.cell[i].code == 0x2190;
        assert_int_equal(arrows, k);
        cs_canvas_fini(&c);
    }
}

/* ---- visits ---- */

/* The row of each mode shows two shares of this mode: the share of the draws,
 * and the exact share. */
static void test_weights(void **state)
{
    (void)state;
    enum { M = 3 };
    static const double weight[] = {0.5, 0.3, 0.2}, visits[] = {61, 28, 11};
    static const double first[] = {3, 14, 159};
    cs_canvas c;
    char text[CS_CANVAS_MAX + 1];
    cs_selection at = {.of = ""};
    cs_flat_begin(&table, memory, CANNED_BYTES);
    cs_flat_number(&table, 1, "run/arms");
    memcpy(cs_flat_array(&table, 1, M, "arm/0/modes/visits"), visits,
           sizeof visits);
    memcpy(cs_flat_array(&table, 1, M, "arm/0/modes/weight"), weight,
           sizeof weight);
    memcpy(cs_flat_array(&table, 1, M, "arm/0/modes/first"), first,
           sizeof first);
    draw_panel(&c, "visits", 60, 7, &at);
    static const char *const rows[] = {"61.0% 50.0%", "28.0% 30.0%",
                                       "11.0% 20.0%"};
    for (int m = 0; m < M; m++) {
        line_of(&c, m + 1, text);
        assert_non_null(strstr(text, rows[m]));
    }
    assert_non_null(strstr(text, " 159"));
    cs_canvas_fini(&c);
}

/* If there are more chains than columns, the panel has an axis of time in place
 * of an axis of chains. The panel is never empty. */
static void test_chains_without_room(void **state)
{
    (void)state;
    enum { M = 2, CHAINS = 16, T = 4 };
    cs_canvas c;
    char text[CS_CANVAS_MAX + 1];
    cs_selection at = {.of = "", .variant = 1};
    cs_flat_begin(&table, memory, CANNED_BYTES);
    cs_flat_number(&table, 1, "run/arms");
    double *visits = cs_flat_array(&table, CHAINS, M, "arm/0/modes/visits");
    double *time = cs_flat_array(&table, 1, T, "arm/0/modes/time");
    double *shares = cs_flat_array(&table, M, T, "arm/0/modes/shares");
    for (int i = 0; i < CHAINS * M; i++)
        visits[i] = 1;
    for (int i = 0; i < M * T; i++)
        shares[i] = 1, time[i % T] = 10.0 * (i % T + 1);
    for (int w = 36; w <= 60; w += 24) {
        draw_panel(&c, "visits", w, 5, &at);
        line_of(&c, 0, text);
        assert_true(!strstr(text, "step") == (w == 60));
        line_of(&c, 1, text);
        assert_non_null(strchr(text, '?')); /* '?' is a shaded cell */
        cs_canvas_fini(&c);
    }
}

/* ---- messages ---- */

/* The log shows the step of each message. */
static void test_when(void **state)
{
    (void)state;
    cs_error err;
    cs_ui ui;
    cs_canvas c;
    assert_int_equal(cs_canvas_init(&c, 120, 40, CS_BRAILLE, &err), CS_OK);
    cs_ui_init(&ui);
    cs_flat_begin(&table, memory, CANNED_BYTES);
    cs_flat_number(&table, 2, "run/messages");
    cs_flat_text(&table, "opened a.lua", "run/said/0");
    cs_flat_text(&table, "the chains have met", "run/said/1");
    double *at = cs_flat_array(&table, 1, 16, "run/said_at");
    at[1] = 1188;
    cs_screen_frame(&ui, table.base, table.used, &c);
    assert_true(says(&c, " step 1,188: the chains have met"));
    ui.view = CS_VIEW_LOG;
    cs_screen_frame(&ui, table.base, table.used, &c);
    assert_true(says(&c, " opened a.lua"));
    assert_false(says(&c, "step 0:"));
    cs_canvas_fini(&c);
}

/* The message that a file was opened, without a note, disappears after the
 * first step. A script may print a message that starts with the same word. */
static void test_opened(void **state)
{
    (void)state;
    static const char *const texts[] = {"opened a;b.lua", "opened the box"};
    cs_error err;
    cs_canvas c;
    assert_int_equal(cs_canvas_init(&c, 120, 40, CS_BRAILLE, &err), CS_OK);
    for (unsigned i = 0; i < 4; i++) {
        cs_ui ui;
        bool opening = i % 2 == 0, moved = i / 2;
        cs_ui_init(&ui);
        cs_flat_begin(&table, memory, CANNED_BYTES);
        cs_flat_number(&table, 1, "run/messages");
        cs_flat_number(&table, opening, "run/opening");
        cs_flat_number(&table, moved, "run/steps");
        cs_flat_text(&table, texts[i % 2], "run/said/0");
        cs_canvas_clear(&c);
        cs_screen_frame(&ui, table.base, table.used, &c);
        assert_true(says(&c, texts[i % 2]) == (!opening || !moved));
    }
    cs_canvas_fini(&c);
}

/* A title has the digit of the key that opens its panel. The tenth panel is the
 * last one with a digit. */
static void test_digits(void **state)
{
    (void)state;
    cs_error err;
    cs_ui ui;
    cs_canvas c;
    cs_sender to = {quiet, NULL};
    char title[64];
    cs_flat_begin(&table, memory, CANNED_BYTES);
    cs_flat_number(&table, 1, "run/arms");
    cs_shot s = shot();
    assert_int_equal(cs_canvas_init(&c, 80, 24, CS_ASCII, &err), CS_OK);
    cs_ui_init(&ui);
    cs_screen_frame(&ui, s.base, s.used, &c);
    ui.slots.zoom = true;
    assert_true(ui.slots.n > 11);
    for (size_t i = 0; i < ui.slots.n; i++) {
        char line[64];
        snprintf(line, sizeof line, "panel %s", ui.slots.of[i].type->name);
        assert_true(cs_ui_command(&ui, &s, &to, line));
        ui.slots.zoom = true;
        cs_screen_frame(&ui, s.base, s.used, &c);
        snprintf(title, sizeof title, "%zu %s", (i + 1) % 10,
                 ui.slots.of[i].type->title);
        assert_int_equal(says(&c, title), i < 10);
    }
    cs_canvas_fini(&c);
}

/* ---- the summary ---- */

/* Figures with similar names are below separate headings. ESS is the effective
 * sample size of the mean over all steps, and not the bulk ESS. The ESS per
 * second is the ESS divided by the seconds. */
static void test_summary(void **state)
{
    (void)state;
    static const double row[14] = {1, 2, 1.005, 111, 222, 0.1, 333};
    static const double acceptance[] = {1000, 0.25, 0.2, 0.3};
    static const struct {
        const char *head, *value;
    } want[] = {{"ESS ", "333"},       {"ESS/1k ev", "33.30"},
                {"ESS/s", "83.25"},    {"R-hat", "1.005"},
                {"accept", "0.250"},   {"gradients", "6,000"},
                {"densities", "4,000"}};
    cs_canvas c;
    char text[CS_CANVAS_MAX + 1];
    cs_selection at = {.of = ""};
    cs_flat_begin(&table, memory, CANNED_BYTES);
    cs_flat_number(&table, 1, "run/arms");
    cs_flat_text(&table, "a", "arm/0/name");
    cs_flat_number(&table, 1, "arm/0/chains");
    cs_flat_number(&table, 1000, "arm/0/steps");
    cs_flat_number(&table, 4, "arm/0/seconds");
    cs_flat_number(&table, 6000, "arm/0/gradients");
    cs_flat_number(&table, 4000, "arm/0/log_densities");
    cs_flat_number(&table, 10000, "arm/0/evaluations");
    cs_flat_text(&table, "x.1", "arm/0/diagnostics/names");
    memcpy(cs_flat_array(&table, 1, 14, "arm/0/diagnostics/table"), row,
           sizeof row);
    memcpy(cs_flat_array(&table, 1, 4, "arm/0/acceptance/chains"), acceptance,
           sizeof acceptance);
    draw_panel(&c, "summary", 190, 12, &at);
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        under(&c, want[i].head, text, sizeof text);
        assert_string_equal(text, want[i].value);
    }
    cs_canvas_fini(&c);
}

/* If a panel shows two kinds of effective sample size, the kinds have different
 * names, and the panel explains both names. */
static void test_which_ess(void **state)
{
    (void)state;
    static const double row[14] = {1, 2, 1.005, 111, 222, 0.1, 333};
    static const char *const said[] = {
        "ESS is for the mean over all steps; R-hat, bulk and tail ESS are from "
        "900 draws kept per chain",
        "ESS is for the mean; bulk and tail ESS are for ranks and quantiles of "
        "the same 900 draws per chain"};
    cs_canvas c;
    cs_selection at = {.of = ""};
    for (int whole = 0; whole < 2; whole++) {
        cs_flat_begin(&table, memory, CANNED_BYTES);
        cs_flat_number(&table, 1, "run/arms");
        cs_flat_text(&table, "a", "arm/0/name");
        cs_flat_number(&table, 4, "arm/0/chains");
        cs_flat_text(&table, "x.1", "arm/0/diagnostics/names");
        cs_flat_number(&table, 900, "arm/0/diagnostics/n");
        cs_flat_number(&table, whole, "arm/0/diagnostics/whole");
        memcpy(cs_flat_array(&table, 1, 14, "arm/0/diagnostics/table"), row,
               sizeof row);
        draw_panel(&c, "summary", 120, 12, &at);
        assert_true(says(&c, said[whole]));
        assert_false(says(&c, said[!whole]));
        assert_true(says(&c, "bulk ESS  tail ESS  MCSE      mean ESS"));
        cs_canvas_fini(&c);
    }
}

/* An R-hat that indicates a problem is visible, however narrow the panel is. */
static void test_flagged(void **state)
{
    (void)state;
    static const struct {
        int w;
        const char *title, *foot;
    } cases[] = {{60, "energy; R-hat 1.080", "R-hat 1.080"},
                 {34, "energy; R-hat 1.080", "R-hat 1.080"},
                 {24, "R-hat 1.080", "R-hat 1.080"},
                 {22, "R-hat 1.080", "R-hat 1.080"},
                 {16, NULL, "R-hat 1.080"}};
    cs_canvas c;
    const cs_panel_type *type = cs_panel_find("trace");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cs_shot s = shot();
        cs_selection at = {.of = "", .detail = true};
        char forms[160], row[CS_CANVAS_MAX + 1];
        assert_int_equal(cs_canvas_init(&c, cases[i].w, 12, CS_BRAILLE, NULL),
                         CS_OK);
        cs_area a = cs_canvas_area(&c);
        type->caption(&s, &at, forms, sizeof forms);
        cs_area in = cs_box(&a, CS_ROLE_BORDER, "1 trace", forms);
        cs_panel_draw(type, &in, &s, &at);
        line_of(&c, 0, row);
        if (cases[i].title && !strstr(row, cases[i].title))
            fail_msg("%d wide: %s", cases[i].w, row);
        line_of(&c, 10, row);
        if (!strstr(row, cases[i].foot))
            fail_msg("%d wide: %s", cases[i].w, row);
        cs_canvas_fini(&c);
    }
}

/* For weighted draws, the summary has quantiles instead of R-hat. It also has
 * the effective sample size of the weights. */
static void test_summary_of_weights(void **state)
{
    (void)state;
    static const double row[14] = {1, 2, NAN, NAN, NAN, 0.125, 256};
    static const double quantiles[] = {-7.5, 0.1, 99,  0.5, 0.1,
                                       98,   8.5, 0.1, 97};
    cs_canvas c;
    cs_selection at = {.of = ""};
    for (int weighted = 0; weighted < 2; weighted++) {
        cs_flat_begin(&table, memory, CANNED_BYTES);
        cs_flat_number(&table, 1, "run/arms");
        cs_flat_text(&table, "a", "arm/0/name");
        cs_flat_number(&table, 4, "arm/0/chains");
        cs_flat_text(&table, "x.1", "arm/0/diagnostics/names");
        cs_flat_number(&table, 900, "arm/0/diagnostics/n");
        memcpy(cs_flat_array(&table, 1, 14, "arm/0/diagnostics/table"), row,
               sizeof row);
        if (weighted) {
            cs_flat_number(&table, 321, "arm/0/diagnostics/kish");
            memcpy(cs_flat_array(&table, 1, 9, "arm/0/diagnostics/quantiles"),
                   quantiles, sizeof quantiles);
        }
        draw_panel(&c, "summary", 190, 12, &at);
        assert_int_equal(says(&c, "weighted: 900 draws per chain, effective "
                                  "sample size of the weights 321"),
                         weighted);
        assert_int_equal(says(&c, "5 %       50 %      95 %"), weighted);
        assert_int_equal(says(&c, "-7.50     0.5       8.50"), weighted);
        assert_int_equal(says(&c, "tail ESS"), !weighted);
        assert_true(says(&c, "256"));
        cs_canvas_fini(&c);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(test_words, setup, teardown),
    cmocka_unit_test_setup_teardown(test_told, setup, teardown),
    cmocka_unit_test_setup_teardown(test_digits, setup, teardown),
    cmocka_unit_test(test_density),
    cmocka_unit_test_setup_teardown(test_energy, setup, teardown),
    cmocka_unit_test_setup_teardown(test_whole_words, setup, teardown),
    cmocka_unit_test(test_cut),
    cmocka_unit_test(test_titles),
    cmocka_unit_test_setup_teardown(test_views, setup, teardown),
    cmocka_unit_test_setup_teardown(test_keys_told, setup, teardown),
    cmocka_unit_test_setup_teardown(test_from, setup, teardown),
    cmocka_unit_test_setup_teardown(test_saturated, setup, teardown),
    cmocka_unit_test_setup_teardown(test_weights, setup, teardown),
    cmocka_unit_test_setup_teardown(test_chains_without_room, setup, teardown),
    cmocka_unit_test_setup_teardown(test_summary, setup, teardown),
    cmocka_unit_test_setup_teardown(test_which_ess, setup, teardown),
    cmocka_unit_test_setup_teardown(test_flagged, setup, teardown),
    cmocka_unit_test_setup_teardown(test_summary_of_weights, setup, teardown),
    cmocka_unit_test_setup_teardown(test_opened, setup, teardown),
    cmocka_unit_test_setup_teardown(test_when, setup, teardown),
};
TESTS(test_panels)
