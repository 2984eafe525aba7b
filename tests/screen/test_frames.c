/* Compares whole frames of a canned snapshot with the files frames/NAME.txt, or
 * with frames/NAME.ans for frames with colours. If a frame has changed, the
 * test fails. Check the new frame, and store it with UPDATE=1. */
#include "support/support.h"

#include "base/memory.h"
#include "canned_frame.h"
#include "probe/probe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void test_sizes(void **state)
{
    (void)state;
    cs_ui_init(&ui);
    frame(80, 24, CS_BRAILLE, "run_80x24");
    frame(120, 40, CS_BRAILLE, "run_120x40");
    frame(200, 60, CS_BRAILLE, "run_200x60");
    frame(80, 24, CS_BLOCK, "block_80x24");
    frame(80, 24, CS_ASCII, "ascii_80x24");
    frame(120, 40, CS_ASCII, "ascii_120x40");
    frame(200, 60, CS_ASCII, "ascii_200x60");
    frame(40, 10, CS_BRAILLE, "run_40x10");
    frame(40, 12, CS_ASCII, "ascii_40x12");
    frame(20, 5, CS_BRAILLE, "run_20x5");
    frame(1, 1, CS_BRAILLE, "run_1x1");
}

/* Compares three versions of a frame: with 256 colours, with 16 colours and
 * without colours. */
static void test_colours(void **state)
{
    (void)state;
    cs_canvas c;
    cs_ui_init(&ui);
    draw(&c, 80, 24, CS_BRAILLE);
    compare_as(&c, CS_ANSI, CS_TIER_256, "colours_256");
    compare_as(&c, CS_ANSI, CS_TIER_16, "colours_16");
    compare_as(&c, CS_ANSI, CS_TIER_MONO, "colours_none");
    cs_canvas_fini(&c);
}

/* Compares frames of each panel on its own, in each of its variants, with all
 * arms side by side. */
static void test_panels(void **state)
{
    (void)state;
    static const char *const variants[] = {"", "_v1", "_v2", "_v3", "_v4"};
    static const unsigned n[] = {2, 5, 1, 1, 3, 4, 1, 1, 1};
    cs_ui_init(&ui);
    cs_ui_panels(&ui, "state trace acceptance energy visits map distance "
                      "summary log");
    frame(1, 1, CS_BRAILLE, "run_1x1"); /* reads the snapshot */
    cs_ui_panels(&ui, "state trace acceptance energy visits map distance "
                      "summary log");
    ui.slots.zoom = ui.look.every_arm = true;
    for (size_t k = 0; k < 9; k++)
        for (unsigned v = 0; v < n[k]; v++) {
            char name[64];
            ui.slots.focus = k;
            ui.slots.of[k].variant = v;
            snprintf(name, sizeof name, "panel_%s%s", ui.slots.of[k].type->name,
                     variants[v]);
            frame(80, 24, CS_BRAILLE, name);
        }
}

/* Compares frames with several arms. All arms side by side fill the whole right
 * side; the other frames have a pinned arm beside the chosen arm. */
static void test_arms_side_by_side(void **state)
{
    (void)state;
    cs_ui_init(&ui);
    follow(120, 40);
    ui.look.every_arm = true;
    frame(120, 40, CS_BRAILLE, "compare_120x40");
    frame(80, 24, CS_BRAILLE, "compare_80x24");
    ui.look.every_arm = false;
    ui.look.arm = 1;
    ui.look.pinned = 0;
    ui.slots.focus = 3;
    frame(120, 40, CS_BRAILLE, "pinned_120x40");
}

static bool says(const cs_canvas *c, int y, const char *words)
{
    char line[CS_CANVAS_MAX + 1] = "";
    for (int x = 0; x < c->width; x++) {
        unsigned code = c->cell[y * c->width + x].code;
        line[x] = (char)(code < 0x7F ? code ? code : ' ' : '?');
    }
    return strstr(line, words) != NULL;
}

/* A sentence that does not fit ends after a clause. */
static void test_sentences(void **state)
{
    (void)state;
    static const struct {
        int w;
        const char *line;
    } cases[] = {
        {200, " `dmala`: 9 of 25 modes (3, 5, 7) were never visited, the "
              "largest has 4 % of the mass: use more chains, or a ladder; "
              "more draws do not help."},
        {140, " `dmala`: 9 of 25 modes (3, 5, 7) were never visited, the "
              "largest has 4 % of the mass: use more chains, or a ladder."},
        {100, " `dmala`: 9 of 25 modes (3, 5, 7) were never visited, the "
              "largest has 4 % of the mass."},
        {80, " `dmala`: 9 of 25 modes (3, 5, 7) were never visited."}};
    unsigned char *bytes = cs_alloc(CANNED_BYTES, 1);
    const cs_flat before = table;
    assert_non_null(bytes);
    cs_flat_begin(&table, bytes, CANNED_BYTES);
    cs_flat_text(&table, "modes_missed", "arm/0/warned");
    cs_flat_text(&table,
                 "9 of 25 modes (3, 5, 7) were never visited, the largest has "
                 "4 % of the mass: use more chains, or a ladder; more draws do "
                 "not help\n",
                 "arm/0/warnings");
    cs_flat_add(&table, before.base, before.used);
    cs_ui_init(&ui);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cs_canvas c;
        draw(&c, cases[i].w, 40, CS_BRAILLE);
        assert_true(says(&c, 1, cases[i].line));
        assert_false(says(&c, 1, "?"));
        cs_canvas_fini(&c);
    }
    table = before;
    cs_free(bytes);
}

/* The column of modes in the strip is as wide as its numbers, and names of
 * eight letters fit beside it. */
static void test_strip(void **state)
{
    (void)state;
    unsigned char *bytes = cs_alloc(CANNED_BYTES, 1);
    const cs_flat before = table;
    assert_non_null(bytes);
    for (size_t modes = 25; modes <= 125; modes += 100) {
        cs_canvas c;
        char found[16];
        cs_flat_begin(&table, bytes, CANNED_BYTES);
        cs_flat_text(&table, "released", "arm/0/name");
        double *n = cs_flat_array(&table, 1, modes, "arm/0/modes/visits");
        for (size_t i = 0; i < modes; i++)
            n[i] = 1;
        cs_flat_add(&table, before.base, before.used);
        cs_ui_init(&ui);
        draw(&c, 120, 40, CS_BRAILLE);
        snprintf(found, sizeof found, " %zu/%zu ", modes, modes);
        assert_true(says(&c, 4, found));
        assert_int_equal(says(&c, 4, "o released "), modes == 25);
        assert_true(says(&c, 3, " modes verdict"));
        cs_canvas_fini(&c);
    }
    table = before;
    cs_free(bytes);
}

/* The initial focus is on the large panel, which is the first panel that is not
 * text. If all panels are text, the large panel is the first one. */
static void test_first_focus(void **state)
{
    (void)state;
    static const char *const large[][2] = {{"summary map trace", "map"},
                                           {"map summary", "map"},
                                           {"summary log", "summary"}};
    for (size_t i = 0; i < 3; i++) {
        cs_ui_init(&ui);
        follow(120, 40);
        cs_ui_panels(&ui, large[i][0]);
        follow(120, 40);
        size_t focus = ui.slots.focus;
        assert_string_equal(ui.slots.of[focus].type->name, large[i][1]);
        assert_int_equal(ui.drawn.layout.place[0].panel, focus);
    }
}

/* Compares frames with gradients as the unit of work. The axes of the panels
 * trace, acceptance, visits and distance have this unit. The strip and the
 * summary have this unit in their columns of figures per unit of work. */
static void test_unit(void **state)
{
    (void)state;
    cs_ui_init(&ui);
    frame(1, 1, CS_BRAILLE, "run_1x1"); /* reads the snapshot */
    ui.look.unit = CS_UNIT_GRADIENTS;
    cs_ui_panels(&ui, "trace acceptance visits distance summary");
    frame(120, 40, CS_BRAILLE, "unit_120x40");
    frame(80, 24, CS_ASCII, "unit_80x24");
    ui.slots.focus = 4;
    ui.slots.zoom = true;
    frame(80, 24, CS_BRAILLE, "unit_summary_80x24");
}

/* Compares a frame of the summary that has space for all columns: effective
 * sample sizes for bulk and tail, and effective sample sizes per second. */
static void test_summary(void **state)
{
    (void)state;
    cs_ui_init(&ui);
    frame(1, 1, CS_BRAILLE, "run_1x1");
    cs_ui_panels(&ui, "summary");
    ui.slots.zoom = true;
    frame(200, 16, CS_BRAILLE, "summary_200x16");
    frame(60, 24, CS_BRAILLE, "summary_60x24");
}

/* Returns true if `key` is reported by a probe that is not in `reads`. */
static bool is_unread(const char *key, const char *reads)
{
    char probe[40] = "", word[40];
    if (sscanf(key, "arm/%*u/%39[^/]", probe) != 1 || !cs_probe_find(probe))
        return false;
    for (size_t i = 0; cs_shot_word(reads, i, word, sizeof word); i++)
        if (strcmp(word, probe) == 0)
            return false;
    return true;
}

/* Returns a copy of the snapshot without the entries of probes that are not in
 * `reads`. */
static cs_flat without_unread(const char *reads, unsigned char *to)
{
    cs_flat f;
    cs_flat_entry e;
    size_t at = 0, from = 0;
    cs_flat_begin(&f, to, CANNED_BYTES);
    for (; cs_flat_next(table.base, table.used, &at, &e); from = at)
        if (!is_unread(e.key, reads))
            cs_flat_add(&f, table.base + from, at - from);
    return f;
}

/* A panel declares which probes it reads. The panel shows the same output if
 * the session sends only the reports of the declared probes. */
static void test_panels_say_what_they_read(void **state)
{
    (void)state;
    unsigned char *scratch = cs_alloc(CANNED_BYTES, 1);
    const cs_panel_type *type;
    cs_flat whole = table;
    char reads[256];
    for (size_t i = 0; (type = cs_panel_at(i)); i++)
        for (unsigned v = 0; v < 6; v++)
            for (unsigned o = 0; o < 4; o++) {
                cs_canvas c, d;
                cs_ui_init(&ui);
                draw(&c, 1, 1, CS_BRAILLE); /* reads the snapshot */
                cs_canvas_fini(&c);
                cs_ui_panels(&ui, type->name);
                ui.slots.of[0].variant = v;
                ui.slots.of[0].option = o;
                ui.look.every_arm = true;
                draw(&c, 150, 50, CS_BRAILLE);
                cs_ui_reports(
                    &ui, &(cs_shot){.base = table.base, .used = table.used},
                    reads, sizeof reads);
                table = without_unread(reads, scratch);
                draw(&d, 150, 50, CS_BRAILLE);
                table = whole;
                if (memcmp(c.cell, d.cell, (size_t)(150 * 50) * sizeof *c.cell))
                    fail_msg("panel %s reads more than '%s'", type->name,
                             reads);
                cs_canvas_fini(&c);
                cs_canvas_fini(&d);
            }
    cs_free(scratch);
}

static void test_views(void **state)
{
    (void)state;
    cs_ui_init(&ui);
    frame(1, 1, CS_BRAILLE, "run_1x1");
    ui.params = true;
    frame(120, 40, CS_BRAILLE, "params_120x40");
    frame(80, 24, CS_ASCII, "params_80x24");
    cs_ui_cover(&ui, CS_VIEW_HELP);
    frame(80, 24, CS_BRAILLE, "help_80x24");
    frame(40, 12, CS_ASCII, "help_40x12");
    ui.row = 1000; /* the last row */
    frame(80, 24, CS_BRAILLE, "help_end_80x24");
    cs_log_add(&ui.log, CS_LOG_TYPED, ":set dmala.step 2000");
    cs_log_add(&ui.log, CS_LOG_ERROR, "step must lie between 1e-06 and 1000");
    cs_log_add(&ui.log, CS_LOG_REPLY, "one\ntwo\nthree");
    cs_ui_cover(&ui, CS_VIEW_LOG);
    frame(80, 24, CS_BRAILLE, "messages_80x24");
    ui.view = CS_VIEW_RUN;
    ui.prompt = (cs_prompt){.mark = ':',
                            .text = ":set dmala.",
                            .cursor = 11,
                            .offer = {"dmala.step", "dmala.balance"},
                            .n_offers = 2};
    frame(80, 24, CS_BRAILLE, "prompt_80x24");
    frame(40, 12, CS_ASCII, "prompt_40x12");
}

/* Compares frames of the gallery: with all rows, with the rows that contain
 * some words, with no rows, and during loading. */
static void test_gallery(void **state)
{
    (void)state;
    static const char *const row[][5] = {
        {"start", "A first random walk", "why it is slow", "", "start/01.lua"},
        {"start", "Gradients", "MALA and HMC", "Neal 2011", "start/02.lua"},
        {"acs", "Twenty-five modes", "a cycle crosses", "acs, 4.1",
         "acs/1.lua"},
        {"acs", "", "", "", "acs/broken.lua"}};
    static const char *const key[] = {"folder", "title", "shows", "source",
                                      "file"};
    unsigned char bytes[8192] __attribute__((aligned(8)));
    cs_flat f;
    cs_flat_begin(&f, bytes, sizeof bytes);
    for (size_t i = 0; i < 4; i++)
        for (size_t k = 0; k < 5; k++)
            cs_flat_text(&f, row[i][k], "%zu/%s", i, key[k]);
    cs_flat_text(&f, "acs/broken.lua:3: there is no kernel", "3/error");
    cs_flat_text(&f, "multimodal cyclical", "2/tags");
    cs_ui_init(&ui);
    frame(1, 1, CS_BRAILLE, "run_1x1"); /* reads the snapshot */
    ui.view = CS_VIEW_GALLERY;
    ui.gallery.rows = f.base;
    ui.gallery.used = f.used;
    frame(80, 24, CS_BRAILLE, "gallery_80x24");
    snprintf(ui.gallery.filter, sizeof ui.gallery.filter, "ACS mod");
    snprintf(ui.wait, sizeof ui.wait, "opening, 3 s so far, ^C stops: a.lua");
    frame(80, 24, CS_BRAILLE, "gallery_found_80x24");
    assert_int_equal(ui.row, 2);
    snprintf(ui.gallery.filter, sizeof ui.gallery.filter, "broken");
    frame(80, 24, CS_BRAILLE, "gallery_broken_80x24");
    snprintf(ui.gallery.filter, sizeof ui.gallery.filter, "modes walk");
    frame(40, 12, CS_ASCII, "gallery_none_40x12");
    *ui.wait = 0;
    snprintf(ui.gallery.filter, sizeof ui.gallery.filter,
             "#cycle"); /* a word of the row's text */
    assert_string_equal(cs_gallery_file(&ui), "");
    snprintf(ui.gallery.filter, sizeof ui.gallery.filter, "#cyc");
    snprintf(
        ui.gallery.picture, sizeof ui.gallery.picture, "%s",
        "o walk      \u2502# dmala\n\u28e4\u28f6 \u2584\u2580\u2588   "
        "     \u2502\n\n0            \u2502 a line that is far too long for "
        "a picture\n");
    frame(120, 40, CS_BRAILLE, "gallery_picture_120x40");
    frame(120, 40, CS_ASCII, "gallery_picture_ascii_120x40");
    frame(80, 24, CS_BRAILLE, "gallery_tagged_80x24");
}

static const cs_cell guard = {.code = 0x2603, .role = CS_ROLE_EVENT};

/* Renders a panel in the middle of a canvas. The cells around the panel must
 * not change. */
static void draw_guarded(cs_canvas *c, const cs_panel_type *type,
                         const cs_shot *s, const cs_selection *at)
{
    for (int i = 0; i < c->width * c->height; i++)
        c->cell[i] = guard;
    cs_area all = cs_canvas_area(c);
    cs_area inside = cs_area_part(&all, 2, 1, c->width - 4, c->height - 2);
    cs_panel_draw(type, &inside, s, at);
    for (int y = 0; y < c->height; y++)
        for (int x = 0; x < c->width; x++) {
            const cs_cell *cell = c->cell + y * c->width + x;
            bool in = x >= 2 && x < c->width - 2 && y >= 1 && y < c->height - 1;
            if (!in && memcmp(cell, &guard, sizeof guard) != 0)
                fail_msg("%s draws at %d, %d, outside its %d x %d", type->name,
                         x, y, inside.w, inside.h);
        }
}

/* Renders every panel at every size: with data, without data, and with half of
 * a snapshot. No panel may write outside its area or read beyond a snapshot.
 * The sanitizers detect both faults. */
static void test_panels_stay_inside(void **state)
{
    (void)state;
    cs_canvas c;
    const cs_panel_type *type;
    cs_shot shots[] = {{.base = table.base, .used = table.used},
                       {.base = table.base, .used = table.used / 2},
                       {.base = NULL}};
    assert_int_equal(cs_canvas_init(&c, 1, 1, CS_BRAILLE, NULL), CS_OK);
    for (int w = 1; w <= 60; w++)
        for (int h = 1; h <= 20; h += w % 3 + 1)
            for (size_t k = 0; (type = cs_panel_at(k)); k++) {
                size_t n = (size_t)(w + h);
                cs_selection at = {.arm = n % 2,
                                   .chain = n % 4,
                                   .every_arm = n % 3 > 0,
                                   .pinned = n % 5 ? CS_NO_PIN : n % 2,
                                   .option = (unsigned)h % 4,
                                   .variant = (unsigned)w % 4,
                                   .scroll = n % 5};
                c.glyphs = (cs_glyphs)(n % 3);
                assert_int_equal(cs_canvas_resize(&c, w + 4, h + 2, NULL),
                                 CS_OK);
                draw_guarded(&c, type, &shots[n % 7 < 5 ? 0 : n % 7 - 4], &at);
            }
    cs_canvas_fini(&c);
}

static size_t full_cells(cs_canvas *c, const cs_shot *s)
{
    size_t n = 0, k = 0;
    while (strcmp(cs_panel_at(k)->name, "map") != 0)
        k++;
    cs_area all = cs_canvas_area(c);
    cs_selection at = {.arm = 1, .pinned = CS_NO_PIN};
    memset(c->cell, 0, (size_t)(c->width * c->height) * sizeof *c->cell);
    cs_panel_draw(cs_panel_at(k), &all, s, &at);
    for (int i = 0; i < c->width * c->height; i++)
        n += c->cell[i].code == 0x2588;
    return n;
}

/* A window that no chain has visited is empty. */
static void test_empty_map(void **state)
{
    (void)state;
    cs_canvas c;
    size_t rows, cols;
    unsigned char *copy = cs_alloc(table.used, 1);
    assert_non_null(copy);
    memcpy(copy, table.base, table.used);
    cs_shot s = {.base = copy, .used = table.used};
    assert_int_equal(cs_canvas_init(&c, 40, 20, CS_BRAILLE, NULL), CS_OK);
    assert_true(full_cells(&c, &s) > 0);
    static const char *const masses[] = {"counts", "truth"};
    for (size_t i = 0; i < 2; i++) {
        const double *mass =
            cs_shot_array(&s, &rows, &cols, "arm/1/plane/%s", masses[i]);
        size_t offset = (size_t)((const unsigned char *)mass - copy);
        memset(copy + offset, 0, rows * cols * sizeof *mass);
    }
    assert_int_equal(full_cells(&c, &s), 0);
    cs_canvas_fini(&c);
    cs_free(copy);
}

/* Renders whole frames at every size from 1 x 1 to 60 x 20 and at larger sizes,
 * in every view and with every overlay. */
static void test_every_size(void **state)
{
    (void)state;
    static const char *const prompts[] = {":set dmala.st", ";cs.kernel.m"};
    cs_canvas c;
    cs_ui_init(&ui);
    for (int i = 0; i < 40; i++)
        cs_log_add(&ui.log, (cs_log_kind)(i % 4),
                   i % 2 ? "short"
                         : "a message that is long enough to be "
                           "broken at every width that there is");
    assert_int_equal(cs_canvas_init(&c, 1, 1, CS_BRAILLE, NULL), CS_OK);
    for (int w = 1; w <= 220; w += w < 60 ? 1 : 7)
        for (int h = 1; h <= 60; h += h < 20 ? 1 : 5) {
            assert_int_equal(cs_canvas_resize(&c, w, h, NULL), CS_OK);
            c.glyphs = (cs_glyphs)((w + h) % 3);
            ui.view = (cs_view)((w + 2 * h) % 4);
            ui.before = (w + h) % 2 ? CS_VIEW_RUN : CS_VIEW_GALLERY;
            ui.slots.focus = (size_t)(w * h) % ui.slots.n;
            ui.slots.zoom = w % 2;
            ui.look.every_arm = h % 2;
            ui.look.pinned = h % 4 < 2 ? CS_NO_PIN : 1;
            ui.params = h % 3 == 0;
            ui.prompt.mark = 0;
            if ((w + h) % 5 < 2) {
                const char *text = prompts[(w + h) % 5];
                ui.prompt.mark = *text;
                snprintf(ui.prompt.text, sizeof ui.prompt.text, "%s", text);
                ui.prompt.cursor = (int)strlen(text);
                ui.prompt.n_offers = (size_t)w % 30;
            }
            cs_screen_frame(&ui, table.base, table.used, &c);
        }
    cs_canvas_fini(&c);
}

static void put(const char *key, const double *from, size_t n)
{
    double *to = cs_flat_array(&table, 1, n, "%s", key);
    if (to)
        memcpy(to, from, n * sizeof *to);
}

/* In a tempered group of eight chains, only the visits of the coldest chain are
 * shown. The coldest chains are chains 1, 9, 17 and 25. The selected chain is
 * underlined. */
static void test_visits_of_ladders(void **state)
{
    (void)state;
    unsigned char *bytes = cs_alloc(CANNED_BYTES, 1);
    cs_flat f;
    canned(&f, bytes);
    cs_flat_number(&f, 8, "arm/0/group");
    const cs_shot s = {.base = f.base, .used = f.used};
    const cs_selection at = {.chain = 8, .variant = 1, .pinned = CS_NO_PIN};
    const char *const number[] = {"1", "9", "17", "25"};
    cs_canvas c;
    assert_int_equal(cs_canvas_init(&c, 60, 8, CS_BRAILLE, NULL), CS_OK);
    cs_area a = cs_canvas_area(&c);
    cs_panel_draw(cs_panel_find("visits"), &a, &s, &at);
    size_t row = 0;
    while (c.cell[row * 60].code != 'n')
        row++;
    for (size_t k = 0; k < 4; k++) {
        const cs_cell *cell = c.cell + row * 60 + 4 + 3 * k;
        for (size_t i = 0; number[k][i]; i++)
            assert_int_equal(cell[i].code, number[k][i]);
        assert_int_equal(cell->role, cs_theme_chain(8 * k));
        assert_int_equal((cell->attributes & CS_UNDERLINE) != 0, k == 1);
    }
    cs_canvas_fini(&c);
    cs_free(bytes);
}

/* Shows the auxiliary variable of a kernel next to the state, as columns of
 * numbers or as a picture of bits. Columns are omitted if the space is too
 * small. */
static void test_own_variables(void **state)
{
    (void)state;
    const cs_decision step = {.logp = -1,
                              .logp_proposal = -2,
                              .logp_change = -1,
                              .log_ratio = -1,
                              .log_uniform = -2};
    double x[16], y[16], a[16], b[16];
    for (size_t i = 0; i < 16; i++) {
        x[i] = i % 3 == 0;
        y[i] = i == 5 ? 1 - x[i] : x[i];
        a[i] = 0.125 * (double)i - 0.25;
        b[i] = a[i] + 0.0625;
    }
    const cs_flat before = table;
    void *scratch = cs_alloc(CANNED_BYTES, 1);
    for (size_t n = 4; n <= 16; n += 12) {
        cs_flat_begin(&table, scratch, CANNED_BYTES);
        canned_run(&table);
        canned_arm(&table, 0);
        *CS_FLAT_ROWS(&table, cs_row_look, 1, CS_KEY_LOOK) =
            (cs_row_look){.chain = 1, .coordinate = 3};
        put("look/x", x, n);
        put("look/proposal", y, n);
        *CS_FLAT_ROWS(&table, cs_decision, 1, CS_KEY_STEP) = step;
        cs_flat_text(&table, "theta_a", "look/own");
        put("look/own/0", a, n);
        put("look/own/0/proposal", b, n);
        assert_false(table.full);
        cs_ui_init(&ui);
        cs_ui_panels(&ui, "state trace");
        frame(1, 1, CS_BRAILLE, "run_1x1"); /* reads the snapshot */
        cs_ui_panels(&ui, "state trace");
        ui.slots.zoom = true;
        frame(80, 24, CS_BRAILLE, n == 4 ? "own_80x24" : "own_bits_80x24");
        frame(40, 16, CS_ASCII, n == 4 ? "own_40x16" : "own_bits_40x16");
    }
    cs_free(scratch);
    table = before;
}

/* Text from users must not reach the screen as control characters. */
static void test_foreign_text(void **state)
{
    (void)state;
    cs_canvas c;
    assert_int_equal(cs_canvas_init(&c, 40, 1, CS_BRAILLE, NULL), CS_OK);
    cs_area a = cs_canvas_area(&c);
    int end = cs_print(&a, 0, 0, CS_ROLE_NORMAL, "a\033[2Jb\u4E2D\n");
    for (int i = 0; i < c.width; i++)
        assert_true(c.cell[i].code == 0 || c.cell[i].code >= 0x20);
    assert_int_equal(c.cell[1].code, '\\');
    assert_int_equal(end, 1 + 4 + 3 + 1 + 2 + 1);
    cs_canvas_fini(&c);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_sizes),
    cmocka_unit_test(test_colours),
    cmocka_unit_test(test_panels),
    cmocka_unit_test(test_arms_side_by_side),
    cmocka_unit_test(test_sentences),
    cmocka_unit_test(test_strip),
    cmocka_unit_test(test_first_focus),
    cmocka_unit_test(test_unit),
    cmocka_unit_test(test_summary),
    cmocka_unit_test(test_panels_say_what_they_read),
    cmocka_unit_test(test_views),
    cmocka_unit_test(test_gallery),
    cmocka_unit_test(test_empty_map),
    cmocka_unit_test(test_panels_stay_inside),
    cmocka_unit_test(test_every_size),
    cmocka_unit_test(test_visits_of_ladders),
    cmocka_unit_test(test_own_variables),
    cmocka_unit_test(test_foreign_text),
};
TESTS_WITH(test_frames, setup, teardown)
