/* Tests the timeline: events by time, the current position of the run, and the
 * keys that move to events. */
#include "support/support.h"

#include "base/memory.h"
#include "canned.h"
#include "frame.h"
#include "probe/events.h"
#include "screen/input/keys.h"
#include "screen/panels/timeline.h"
#include "screen/state/ui.h"

#include <math.h>
#include <string.h>

enum { END = 2198, ROOM = 1 << 20 };

/* Returns a snapshot of a paused run without events. `oldest` is the oldest
 * step that is kept. */
static cs_flat canned_events(double now, double oldest)
{
    static _Alignas(8) unsigned char memory[ROOM];
    cs_flat f;
    cs_flat_begin(&f, memory, sizeof memory);
    cs_flat_text(&f, "paused", "run/state");
    cs_flat_number(&f, 2, "run/arms");
    cs_flat_number(&f, now, "run/steps");
    cs_flat_number(&f, END, "run/end");
    cs_flat_number(&f, oldest, "run/oldest");
    return f;
}

/* Adds events of every kind, each at its own position. Also adds jumps along
 * the whole axis, including the positions of rarer events. */
static void add_events(cs_flat *f)
{
    static const cs_row_moment all[] = {
        {20, CS_EVENT_VISIT, 0},       {21, CS_EVENT_JUMP, 0},
        {300, CS_EVENT_VISIT, 1},      {600, CS_EVENT_REJECTIONS, 1},
        {900, CS_EVENT_DIVERGENCE, 0}, {1200, CS_EVENT_KINDS, 0},
        {1500, CS_EVENT_STOP, 0},      {1800, CS_EVENT_SWAP, 1},
        {2190, CS_EVENT_JUMP, 1}};
    static const double counts[CS_EVENT_KINDS] = {
        [CS_EVENT_STOP] = 1,       [CS_EVENT_CHANGE] = 1,
        [CS_EVENT_VISIT] = 2,      [CS_EVENT_DIVERGENCE] = 12,
        [CS_EVENT_REJECTIONS] = 1, [CS_EVENT_JUMP] = 1240,
        [CS_EVENT_SWAP] = 77};
    enum { N = sizeof all / sizeof *all, JUMPS = 12 };
    cs_row_moment *to =
        CS_FLAT_ROWS(f, cs_row_moment, N + JUMPS, CS_KEY_MOMENTS);
    memcpy(to, all, sizeof all);
    for (size_t i = 0; i < JUMPS; i++)
        to[N + i] = (cs_row_moment){15 + 180 * (double)i, CS_EVENT_JUMP, 0};
    memcpy(cs_flat_array(f, 1, CS_EVENT_KINDS, "moment/counts"), counts,
           sizeof counts);
    *CS_FLAT_ROWS(f, cs_row_event, 1, CS_KEY_EVENTS) = (cs_row_event){750, 0};
}

static void row(cs_canvas *c, int y, const cs_flat *f, int w, size_t kind)
{
    cs_shot s = {.base = f->base, .used = f->used};
    cs_area all = cs_canvas_area(c), a = cs_area_part(&all, 0, y, w, 1);
    cs_timeline_draw(&a, &s, kind);
}

/* Renders the timeline in four cases: at the newest step, at a past step, for a
 * run whose beginning is not kept, and for a run before its first step. */
static void rows(int w, cs_glyphs glyphs, cs_medium as, cs_tier tier,
                 const char *name)
{
    cs_canvas c;
    assert_int_equal(cs_canvas_init(&c, w, 6, glyphs, NULL), CS_OK);
    cs_flat f = canned_events(END, 0);
    add_events(&f);
    row(&c, 0, &f, w, 0);
    f = canned_events(1188, 0);
    add_events(&f);
    row(&c, 1, &f, w, 1 + CS_EVENT_VISIT);
    f = canned_events(1188, 800);
    add_events(&f);
    row(&c, 2, &f, w, 1 + CS_EVENT_DIVERGENCE);
    f = canned_events(END, 0);
    cs_flat_number(&f, 2, "run/breaks");
    row(&c, 3, &f, w, 0);
    cs_flat_begin(&f, f.base, f.capacity);
    row(&c, 4, &f, w, 0);
    cs_flat_number(&f, 1200, "run/steps");
    cs_flat_number(&f, 2, "run/arms");
    cs_flat_number(&f, 300, "arm/%zu/warm_up", (size_t)1);
    row(&c, 5, &f, w, 0);
    compare_as(&c, as, tier, name);
    cs_canvas_fini(&c);
}

static void test_rows(void **state)
{
    (void)state;
    rows(60, CS_BRAILLE, CS_TEXT, CS_TIER_MONO, "timeline_60");
    rows(80, CS_BRAILLE, CS_TEXT, CS_TIER_MONO, "timeline_80");
    rows(120, CS_BRAILLE, CS_TEXT, CS_TIER_MONO, "timeline_120");
    rows(200, CS_BRAILLE, CS_TEXT, CS_TIER_MONO, "timeline_200");
    rows(80, CS_ASCII, CS_TEXT, CS_TIER_MONO, "timeline_ascii_80");
    rows(80, CS_BRAILLE, CS_ANSI, CS_TIER_16, "timeline_16");
    rows(80, CS_BRAILLE, CS_ANSI, CS_TIER_MONO, "timeline_none");
}

/* ---- keys -------------------------------------------------------------- */

static cs_ui ui;
static char sent[256];

static bool note(void *self, const char *line)
{
    (void)self;
    snprintf(sent, sizeof sent, "%s", line);
    return true;
}

static void press(const cs_flat *f, unsigned key, const char *want)
{
    cs_shot s = {.base = f->base, .used = f->used};
    const cs_sender to = {.send = note};
    *sent = 0;
    assert_true(cs_press(&ui, &s, &to, key));
    assert_string_equal(sent, want);
}

static void draw(const cs_flat *f)
{
    cs_canvas c;
    assert_int_equal(cs_canvas_init(&c, 80, 24, CS_BRAILLE, NULL), CS_OK);
    cs_screen_frame(&ui, f->base, f->used, &c);
    cs_canvas_fini(&c);
}

static void test_keys(void **state)
{
    (void)state;
    cs_flat f = canned_events(1188, 1170);
    cs_flat_text(&f, "small", "arm/0/name");
    cs_ui_init(&ui);
    draw(&f);
    press(&f, '[', "rewind -18"); /* 1 % of the run is 22 steps, but only 18
                                   * are kept */
    press(&f, ']', "rewind +22");
    press(&f, '{', "event previous any small");
    press(&f, '\'', "");
    press(&f, '}', "event next stop small");
    for (size_t i = 1; i < CS_EVENT_KINDS; i++)
        press(&f, '\'', "");
    press(&f, '}', "event next swap small");
    press(&f, '\'', "");
    press(&f, '}', "event next any small");
    press(&f, 'b', "");
    assert_int_equal(ui.prompt.mark, ':');
    assert_string_equal(ui.prompt.begin, "break ");
}

/* The screen displays the chain that the session selected. If a breakpoint
 * stopped the run, the focus moves to the panel with the state of this
 * chain. */
static void test_follows_events(void **state)
{
    (void)state;
    cs_ui_init(&ui);
    cs_flat f = canned_events(1188, 0);
    canned_look(&f);
    cs_flat_number(&f, 4, "arm/0/chains");
    draw(&f);
    cs_ui_panels(&ui, "trace energy");
    assert_int_equal(ui.look.chain, 0);
    f = canned_events(1189, 0);
    canned_look(&f);
    cs_flat_number(&f, 4, "arm/0/chains");
    cs_flat_number(&f, 1, "look/chosen");
    draw(&f);
    assert_int_equal(ui.look.chain, 1);
    assert_string_equal(ui.slots.of[ui.slots.focus].type->name, "trace");
    cs_flat_number(&f, 1, "run/held");
    draw(&f);
    assert_string_equal(ui.slots.of[ui.slots.focus].type->name, "state");
    assert_true(ui.slots.of[ui.slots.focus].on);
}

/* The share of time spent in functions of the script is shown next to the
 * speed. It is shown only if it is at least a tenth and the run is active. */
static void test_calling(void **state)
{
    (void)state;
    static const struct {
        const char *state;
        double share;
        bool reported;
    } cases[] = {{"running", 0.634, true},
                 {"running", 0.05, false},
                 {"running", HUGE_VAL, false},
                 {"paused", 0.634, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        static cs_ui all;
        cs_canvas c;
        cs_flat f = canned_events(END, 0); /* reuses the memory with fewer
                                            * events */
        cs_flat_begin(&f, f.base, f.capacity);
        cs_flat_text(&f, cases[i].state, "run/state");
        cs_flat_number(&f, 1, "run/arms");
        cs_flat_number(&f, 2198, "run/steps");
        cs_flat_number(&f, 41200, "run/rate");
        cs_flat_number(&f, cases[i].share, "run/calling");
        assert_int_equal(cs_canvas_init(&c, 120, 30, CS_BRAILLE, NULL), CS_OK);
        cs_ui_init(&all);
        cs_screen_frame(&all, f.base, f.used, &c);
        char line[121] = "";
        for (int x = 0; x < 120; x++)
            line[x] = c.cell[x].code < 0x7F ? (char)c.cell[x].code : '?';
        bool reported =
            strstr(line, "41.2k steps/s per chain, callbacks 63%") != NULL;
        if (reported != cases[i].reported)
            fail_msg("%s", line);
        cs_canvas_fini(&c);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_calling),
    cmocka_unit_test(test_rows),
    cmocka_unit_test(test_keys),
    cmocka_unit_test(test_follows_events),
};
TESTS(test_timeline)
