/* Tests the screen of a game: its keys and clicks, the text of the open game, and
 * its reveal, which fits on the smallest screen. */
#include "support/support.h"

#include "frame.h"
#include "read_panel.h"
#include "screen/input/keys.h"
#include "screen/input/mouse.h"

#include <stdio.h>
#include <string.h>

static unsigned char memory[1 << 16] __attribute__((aligned(8)));
static char sent[256];
static const char *run_state = "paused";

static bool record(void *self, const char *line)
{
    (void)self;
    snprintf(sent, sizeof sent, "%s", line);
    return true;
}

/* Writes a snapshot of a game with four arms; `text` is its state. */
static cs_flat game(const char *text, const char *marked, bool over)
{
    cs_flat f;
    cs_flat_begin(&f, memory, sizeof memory);
    cs_flat_number(&f, 4, "run/arms");
    cs_flat_number(&f, over ? 100 : 50, "run/steps");
    cs_flat_text(&f, run_state, "run/state");
    cs_flat_text(&f, "The game", "run/title");
    cs_flat_text(&f, "x.1 x.2", "coordinates");
    for (size_t i = 0; i < 4; i++) {
        char name[] = {(char)('a' + i), 0};
        cs_flat_text(&f, name, "arm/%zu/name", i);
        cs_flat_text(&f, "covered", "arm/%zu/kernel", i);
        cs_flat_number(&f, 4, "arm/%zu/chains", i);
    }
    cs_flat_text(&f, over ? "2" : "1", "course/step");
    cs_flat_text(&f, over ? "2" : "1", "course/of");
    cs_flat_text(&f, "game", "course/kind");
    cs_flat_text(&f, "Which arm is broken?", "course/ask");
    cs_flat_text(&f, "a\nb\nc\nd", "course/choices");
    cs_flat_text(&f, text, "course/text");
    if (over) {
        cs_flat_text(&f, "right", "course/mark");
        cs_flat_text(&f, "1", "course/over");
    } else {
        cs_flat_text(&f, marked, "course/chosen");
        cs_flat_text(&f, "rhat ess decision kernel", "course/covers");
    }
    return f;
}

static const char opening[] =
    "Step 50: the right arm scores 100, a wrong one -50.";
static const char tested[] =
    "Step 50: the right arm scores 70, a wrong one -80.\n"
    "check of b: no broken law found; it holds again, record, inside, "
    "stationarity.";
/* a reveal with the longest sentences */
static const char reveal[] =
    "Right: 90 points after 100 steps.\n"
    "Arm a was broken: informed_unweighted\n"
    "Wrong: flips a spin with weight sqrt(p(y) / p(x)), and leaves log q out\n"
    "Right: log r has the sums of the weights before and after\n"
    "Law stationarity: 8000 exact draws no longer follow the target after 5 "
    "steps: largest shift of a mean in sds 0.843, p = 0.0e+00\n"
    "With the same random numbers, the correct kernel first goes elsewhere at "
    "step 100 (chain 1: -0.1967, not 0.4984)";

static const char *press(const cs_flat *f, cs_ui *ui, unsigned key)
{
    cs_shot s = {.base = f->base, .used = f->used};
    cs_sender to = {record, NULL};
    *sent = 0;
    cs_press(ui, &s, &to, key);
    return sent;
}

static void keys_are_moves(void **state)
{
    (void)state;
    cs_flat f = game(opening, "", false);
    read_frame(&f, "lesson", FORM_LARGE, 0);
    assert_true(read_ui.game);
    assert_string_equal(press(&f, &read_ui, '\r'), "game");
    assert_string_equal(press(&f, &read_ui, '1'), "game mark a");
    assert_string_equal(press(&f, &read_ui, '4'), "game mark d");
    assert_string_equal(press(&f, &read_ui, 't'), "game check");
    assert_string_equal(press(&f, &read_ui, '5'), ""); /* a panel's digit */
    f = game(reveal, "", true);
    read_frame(&f, "lesson", FORM_LARGE, 0);
    assert_false(read_ui.game);
    assert_string_equal(press(&f, &read_ui, 't'), "");
    assert_string_equal(press(&f, &read_ui, '2'), "");
    assert_string_equal(press(&f, &read_ui, ' '), "toggle");
}

/* A click on the row of an arm marks the arm. */
static void a_click_marks_an_arm(void **state)
{
    (void)state;
    cs_flat f = game(opening, "", false);
    read_frame(&f, "lesson", FORM_LARGE, 0);
    cs_shot s = {.base = f.base, .used = f.used};
    cs_sender to = {record, NULL};
    size_t clicks = 0;
    for (size_t i = 0; i < read_ui.mouse.n_hits; i++) {
        const cs_hit h = read_ui.mouse.hit[i];
        if (h.kind != CS_HIT_ARM)
            continue;
        const cs_mouse m = {.kind = CS_MOUSE_PRESS, .x = h.x + 2, .y = h.y};
        char line[] = {"game mark ?"};
        line[strlen(line) - 1] = (char)('a' + h.key);
        *sent = 0;
        assert_true(cs_mouse_act(&read_ui, &s, &to, &m));
        assert_string_equal(sent, line);
        clicks++;
    }
    assert_int_equal(clicks, 4);
}

/* Returns a frame of the game, which runs and is then at the end of its budget. */
static cs_area frame_done(const char *text, bool over)
{
    run_state = "running";
    cs_flat f = game(text, "", over);
    read_frame(&f, "lesson", FORM_LARGE, 1);
    run_state = "done";
    f = game(text, "", over);
    run_state = "paused";
    cs_canvas_clear(&read_canvas);
    cs_screen_frame(&read_ui, f.base, f.used, &read_canvas);
    return (cs_area){.canvas = &read_canvas,
                     .w = read_canvas.width,
                     .h = read_canvas.height};
}

/* At the end of the budget, the message names the keys that then apply. */
static void the_budget_ends(void **state)
{
    (void)state;
    cs_area a = frame_done(opening, false);
    assert_true(read_says(&a, "enter runs 50 steps more"));
    a = frame_done(reveal, true);
    assert_true(read_says(&a, "space continues"));
    assert_false(read_says(&a, "next step of the lesson"));
}

/* Renders a frame with the panel lesson enlarged, as after the end of a game.
 * Returns the whole frame. */
static cs_area frame_zoomed(const cs_flat *f, size_t size)
{
    read_frame(f, "lesson", FORM_ZOOMED, size);
    read_ui.slots.focus = 0;
    cs_canvas_clear(&read_canvas);
    cs_screen_frame(&read_ui, f->base, f->used, &read_canvas);
    return (cs_area){.canvas = &read_canvas,
                     .w = read_canvas.width,
                     .h = read_canvas.height};
}

/* Runs in the background would show the figures that the game covers. */
static void no_background_runs(void **state)
{
    static const char *const lines[] = {"replicate 2", "sweep a.step=1,2",
                                        "sbc"};
    (void)state;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        cs_flat f = game(opening, "", false);
        read_frame(&f, "lesson", FORM_LARGE, 0);
        cs_shot s = {.base = f.base, .used = f.used};
        cs_sender to = {record, NULL};
        cs_obey(&(cs_key_press){&read_ui, &s, &to, 0, true}, lines[i]);
        cs_canvas_clear(&read_canvas);
        cs_screen_frame(&read_ui, f.base, f.used, &read_canvas);
        cs_area a = {.canvas = &read_canvas,
                     .w = read_canvas.width,
                     .h = read_canvas.height};
        assert_true(read_says(&a, "would tell which arm is broken"));
    }
}

static void picture(const char *text, const char *marked, bool over,
                    size_t size, const char *name)
{
    cs_flat f = game(text, marked, over);
    if (over)
        frame_zoomed(&f, size);
    else
        read_frame(&f, "lesson", FORM_LARGE, size);
    compare_as(&read_canvas, CS_TEXT, CS_TIER_MONO, name);
}

/* The frames of an open game name its keys, and not those of a run, which the
 * game refuses. */
static void frames(void **state)
{
    (void)state;
    picture(opening, "", false, 0, "game_80x24");
    picture(tested, "2", false, 0, "game_marked_80x24");
    picture(tested, "2", false, 1, "game_marked_120x40");
    picture(reveal, "", true, 0, "game_over_80x24");
    picture(reveal, "", true, 1, "game_over_120x40");
}

/* The end of a game enlarges the panel, in which the reveal fits; a new game shows
 * all panels again. */
static void the_reveal_fits(void **state)
{
    (void)state;
    cs_ui ui;
    cs_flat f = game(opening, "", false);
    cs_shot s = {.base = f.base, .used = f.used};
    cs_ui_init(&ui);
    cs_ui_follow(&ui, &s);
    assert_false(ui.slots.zoom);
    f = game(reveal, "", true);
    s.used = f.used;
    cs_ui_follow(&ui, &s);
    assert_true(ui.slots.zoom);
    assert_string_equal(ui.slots.of[ui.slots.focus].type->name, "lesson");
    f = game(opening, "", false);
    s.used = f.used;
    cs_ui_follow(&ui, &s);
    assert_false(ui.slots.zoom);
    cs_ui_fini(&ui);
    f = game(reveal, "", true);
    cs_area a = frame_zoomed(&f, 0);
    assert_true(read_says(&a, "step 100 (chain 1: -0.1967, not 0.4984)"));
    assert_true(read_says(&a, "R: another game"));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(keys_are_moves),
    cmocka_unit_test(a_click_marks_an_arm),
    cmocka_unit_test(no_background_runs),
    cmocka_unit_test(the_budget_ends),
    cmocka_unit_test(frames),
    cmocka_unit_test(the_reveal_fits),
};
TESTS(test_game)
