/* Tests the layout (places and sizes of panels), the strip of arms, and the
 * sentences at the top. The snapshots are synthetic. */
#include "canned_draws.h"
#include "frame.h"
#include "screen/panels/sentence.h"
#include "screen/state/ui.h"

#include <math.h>

static cs_canvas canvas;
static cs_ui ui;

/* ---- places ---------------------------------------------------------------- */

static void choose(const char *names)
{
    cs_ui_init(&ui);
    cs_ui_panels(&ui, names);
}

static cs_layout make(size_t arms, bool compare, int w, int h)
{
    const cs_layout_wish wish = {.slot = ui.slots.of,
                                 .n = ui.slots.n,
                                 .focus = ui.slots.focus,
                                 .sizes = &ui.slots.sizes,
                                 .arms = arms,
                                 .compare = compare};
    return cs_layout_make(&wish, w, h);
}

static bool apart(const cs_layout_place *a, const cs_layout_place *b)
{
    return a->x + a->w <= b->x || b->x + b->w <= a->x || a->y + a->h <= b->y ||
           b->y + b->h <= a->y;
}

/* Checks that all panels and the strip are on the screen and do not overlap. */
static void check_apart(const cs_layout *l, int w, int h)
{
    for (size_t i = 0; i < l->n; i++) {
        const cs_layout_place *p = &l->place[i];
        assert_true(p->x >= 0 && p->y >= 0 && p->x + p->w <= w &&
                    p->y + p->h <= h);
        assert_true(apart(p, &l->strip));
        for (size_t k = 0; k < i; k++)
            assert_true(apart(p, &l->place[k]) &&
                        p->panel != l->place[k].panel);
    }
}

/* Panels have at least 30 x 8 cells inside. On screens of 100 columns and more,
 * the large panel has at least 30 % of the space. */
static void test_sizes(void **state)
{
    (void)state;
    static const char *const sets[] = {
        "map", "trace map", "lesson map trace energy",
        "map trace energy acceptance visits state race distance ranks"};
    for (size_t set = 0; set < sizeof sets / sizeof *sets; set++)
        for (size_t arms = 0; arms <= 40; arms += arms < 9 ? 1 : 31)
            for (int w = 62; w <= 240; w += 3)
                for (int h = 18; h <= 70; h += 4) {
                    choose(sets[set]);
                    cs_layout l = make(arms, false, w, h);
                    assert_true(l.n >= 1);
                    check_apart(&l, w, h);
                    for (size_t i = 0; i < l.n; i++) {
                        if (!(l.place[i].w >= CS_LAYOUT_WIDTH &&
                              l.place[i].h > CS_LAYOUT_HEIGHT))
                            print_error("%zu arms, %dx%d: place %zu is %dx%d\n",
                                        arms, w, h, i, l.place[i].w,
                                        l.place[i].h);
                        assert_true(l.place[i].w >= CS_LAYOUT_WIDTH &&
                                    l.place[i].h > CS_LAYOUT_HEIGHT);
                    }
                    if (w >= 100 && l.place->w * l.place->h < 0.28 * w * h)
                        print_error("%zu arms, %dx%d: large panel %dx%d\n",
                                    arms, w, h, l.place->w, l.place->h);
                    assert_true(w < 100 ||
                                l.place->w * l.place->h >= 0.28 * w * h);
                }
}

/* The large panel is the first panel that is not text. The panel with the focus
 * is visible even if it is switched off. */
static void test_order(void **state)
{
    (void)state;
    choose("lesson map trace energy acceptance visits");
    cs_layout l = make(4, false, 118, 34);
    assert_string_equal(ui.slots.of[l.place[0].panel].type->name, "map");
    for (size_t i = 0; i < l.n; i++)
        assert_false(ui.slots.of[l.place[i].panel].type->text);
    size_t ranks = 0;
    while (strcmp(ui.slots.of[ranks].type->name, "ranks") != 0)
        ranks++;
    ui.slots.focus = ranks;
    l = make(4, false, 118, 34);
    bool placed = false;
    for (size_t i = 0; i < l.n; i++)
        placed |= l.place[i].panel == ranks;
    assert_true(placed);
    ui.slots.focus = 0; /* the lesson */
    l = make(4, false, 118, 34);
    assert_string_equal(ui.slots.of[l.place[0].panel].type->name, "map");
    placed = false;
    for (size_t i = 0; i < l.n; i++)
        placed |= l.place[i].panel == 0;
    assert_true(placed);
}

/* Arms are compared in the panel with the focus. This panel has the whole
 * height. */
static void test_compare(void **state)
{
    (void)state;
    choose("map trace energy acceptance");
    ui.slots.focus = 2;
    cs_layout l = make(4, true, 118, 34);
    assert_int_equal(l.place[0].panel, 2);
    assert_int_equal(l.place[0].h, 34);
    check_apart(&l, 118, 34);
}

/* A dragged border moves by the columns or lines of the drag, but no panel
 * becomes smaller than its smallest size. The other panels keep their order. */
static void test_borders(void **state)
{
    (void)state;
    choose("map trace energy acceptance visits state");
    cs_layout l = make(4, false, 160, 50), after;
    size_t left = 0, foot = 0;
    while (l.place[left].region != CS_REGION_LEFT)
        left++;
    while (l.place[foot].region != CS_REGION_FOOT)
        foot++;
    cs_layout_move(&l, left, false, 7, &ui.slots.sizes);
    after = make(4, false, 160, 50);
    assert_int_equal(after.place[0].w, l.place[0].w - 7);
    cs_layout_move(&after, 0, true, -3, &ui.slots.sizes);
    l = after;
    after = make(4, false, 160, 50);
    assert_int_equal(after.place[0].h, l.place[0].h - 3);
    cs_layout_move(&after, foot, false, 4, &ui.slots.sizes);
    l = after;
    after = make(4, false, 160, 50);
    assert_true(abs(after.place[foot].w - l.place[foot].w - 4) <= 1);
    cs_layout_move(&after, left, true, 5, &ui.slots.sizes);
    l = after;
    after = make(4, false, 160, 50);
    assert_true(abs(after.place[left].h - l.place[left].h - 5) <= 1);
    for (int i = 0; i < 40; i++) {
        cs_layout_move(&after, left, false, 20, &ui.slots.sizes);
        cs_layout_move(&after, 0, true, 20, &ui.slots.sizes);
        after = make(4, false, 160, 50);
        check_apart(&after, 160, 50);
        for (size_t k = 0; k < after.n; k++)
            assert_true(after.place[k].w >= CS_LAYOUT_WIDTH &&
                        after.place[k].h > CS_LAYOUT_HEIGHT);
    }
}

/* ---- sentences and verdicts -------------------------------------------------- */

/* Begins a snapshot of n arms with the names `a`, `b` ... All arms have made
 * steps. */
static cs_shot begin_arms(size_t n)
{
    canned_many(&table, n, 2);
    return (cs_shot){table.base, table.used, NULL};
}

/* Adds to an arm warnings of the kinds `kinds`, with the texts `lines`. */
static cs_shot warn(size_t arm, const char *kinds, const char *lines)
{
    cs_flat_text(&table, kinds, "arm/%zu/warned", arm);
    cs_flat_text(&table, lines, "arm/%zu/warnings", arm);
    assert_false(table.full);
    return (cs_shot){table.base, table.used, NULL};
}

/* The verdict comes from the first warning that has a verdict. This warning
 * names a cause, not the effects of the cause. */
static void test_verdicts(void **state)
{
    (void)state;
    static const struct {
        const char *kinds;
        cs_arm_verdict verdict;
    } row[] = {{"check", CS_VERDICT_WRONG},
               {"off rhat", CS_VERDICT_WRONG},
               {"differs", CS_VERDICT_WRONG},
               /* either arm may be wrong */
               {"arms_disagree rhat", CS_VERDICT_APART},
               {"step_small rhat draws_few", CS_VERDICT_SMALL_STEP},
               {"step_large stuck", CS_VERDICT_LARGE_STEP},
               {"modes_missed rhat", CS_VERDICT_MODES},
               {"rhat draws_few", CS_VERDICT_NOT_CONVERGED},
               {"one_place draws_few", CS_VERDICT_FEW},
               {"rhat_vague", CS_VERDICT_FEW}, /* not "good" */
               {"bias", CS_VERDICT_BIASED},
               {"warming", CS_VERDICT_WARM_UP}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        begin_arms(2);
        cs_shot s = warn(0, row[i].kinds, "one\ntwo\nthree\n");
        cs_arm_verdict v;
        assert_true(cs_verdict_of(&s, 0, &v));
        assert_int_equal(v, row[i].verdict);
        assert_true(strlen(cs_verdict_name(v, false)) <= 13);
    }
    begin_arms(2); /* a kernel that is not exact is biased by design */
    cs_flat_number(&table, 0, "arm/0/exact");
    cs_shot s = warn(0, "off rhat", "one\ntwo\n");
    cs_arm_verdict v;
    assert_true(cs_verdict_of(&s, 0, &v));
    assert_int_equal(v, CS_VERDICT_BIASED);
}

/* Every kind of warning that can affect figures has a verdict. */
static void test_every_warning_has_a_verdict(void **state)
{
    (void)state;
    const cs_warning *w;
    for (size_t i = 0; (w = cs_warning_at(i)); i++) {
        bool wrong = w->verdict == CS_VERDICT_WRONG;
        assert_true(w->severity != CS_SEVERITY_WRONG ||
                    w->verdict >= CS_VERDICT_BIASED);
        assert_true(!wrong || w->severity == CS_SEVERITY_WRONG);
        assert_ptr_equal(cs_warning_find(w->name, strlen(w->name)), w);
    }
    assert_null(cs_warning_find("unknown", 7));
}

static void expect(const cs_shot *s, size_t arm, const char *first)
{
    cs_run_sentences known;
    const cs_selection at = {.arm = arm, .of = "", .pinned = CS_NO_PIN};
    cs_sentences_write(s, &at, &known);
    if (!strstr(known.text[0], first))
        print_error("'%s' does not contain '%s'\n", known.text[0], first);
    assert_non_null(strstr(known.text[0], first));
}

/* If the chosen arm has a problem, the first sentence is about the chosen arm.
 * Otherwise it is about the first arm that has a problem. */
static void test_sentences(void **state)
{
    (void)state;
    cs_shot s = begin_arms(3);
    char name[64];
    expect(&s, 0, "Nothing is known yet");
    s = warn(1, "draws_few rhat", "few\nR-hat of x.1 is 1.2\n");
    snprintf(name, sizeof name, "`%s`: R-hat of x.1", cs_shot_arm(&s, 1));
    expect(&s, 1, "few");
    s = begin_arms(3);
    s = warn(1, "rhat", "R-hat of x.1 is 1.2\n");
    expect(&s, 1, name);
    expect(&s, 0, name);
    s = warn(2, "divergent", "5 of 9 steps diverged.\n");
    snprintf(name, sizeof name, "`%s`: 5 of 9 steps diverged.",
             cs_shot_arm(&s, 2));
    expect(&s, 2, name);
}

/* An arm is not judged by its first steps, unless its density is wrong. */
static void test_first_steps(void **state)
{
    (void)state;
    cs_arm_verdict v;
    begin_arms(3);
    cs_shot s = warn(1, "rhat", "R-hat of x.1 is 1.2\n");
    cs_flat_entry steps;
    assert_true(cs_flat_find(s.base, s.used, &steps, "run/steps"));
    memcpy((unsigned char *)table.base +
               ((const unsigned char *)steps.data - table.base),
           &(const double){31}, sizeof(double));
    expect(&s, 1, "It is too early to judge: 31 steps so far.");
    assert_true(cs_verdict_of(&s, 1, &v));
    assert_int_equal(v, CS_VERDICT_FEW);
}

static int close_canvas(void **state)
{
    cs_canvas_fini(&canvas);
    return teardown(state);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_sizes),
    cmocka_unit_test(test_order),
    cmocka_unit_test(test_compare),
    cmocka_unit_test(test_borders),
    cmocka_unit_test(test_verdicts),
    cmocka_unit_test(test_every_warning_has_a_verdict),
    cmocka_unit_test(test_sentences),
    cmocka_unit_test(test_first_steps),
};
TESTS_WITH(test_layout, setup, close_canvas)
