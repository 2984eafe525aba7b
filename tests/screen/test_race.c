/* Tests the race: figures of arms at equal work, the order of the arms, and the
 * panel that shows them. */
#include "support/support.h"

#include "base/memory.h"
#include "canned_race.h"
#include "frame.h"
#include "screen/input/commands.h"
#include "screen/panels/race_series.h"
#include "screen/state/ui.h"
#include "support/watch.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { BYTES = 1 << 20 };
static unsigned char *memory;
static cs_flat table;

static int setup(void **state)
{
    (void)state;
    memory = cs_alloc(BYTES, 1);
    return !memory;
}

static int teardown(void **state)
{
    (void)state;
    cs_free(memory);
    return 0;
}

static cs_shot make(const raced *arm, size_t n)
{
    canned_race(&table, memory, BYTES, arm, n);
    assert_false(table.full);
    return (cs_shot){.base = table.base, .used = table.used};
}

/* A step of hmc needs ten times the evaluations of a step of walk; sgld is not
 * exact. */
static const raced three[] = {
    {"walk", 4, 20000, 1, 800, 0.1, 1, 3, false, NULL},
    {"hmc", 4, 4000, 10, 8000, 0.1, 0.2, 25, false, NULL},
    {"sgld", 4, 20000, 2, 90000, 0.02, 0.1, 25, true, NULL},
};

/* ---- work ---- */

static void test_units(void **state)
{
    (void)state;
    cs_shot s = make(three, 3);
    assert_near(cs_shot_work(&s, 1, CS_UNIT_STEPS), 16000, 1e-12, 0);
    assert_near(cs_shot_work(&s, 1, CS_UNIT_EVALUATIONS), 160000, 1e-12, 0);
    assert_near(cs_shot_work(&s, 1, CS_UNIT_USUAL), 160000, 1e-12, 0);
    assert_near(cs_shot_work(&s, 1, CS_UNIT_GRADIENTS), 80000, 1e-12, 0);
    assert_near(cs_shot_work(&s, 1, CS_UNIT_SECONDS), 0.16, 1e-12, 0);
    assert_true(isnan(cs_shot_work(&s, 0, CS_UNIT_GRADIENTS)));
    assert_true(isnan(cs_shot_work(&s, 0, CS_UNIT_TERMS)));
    assert_near(cs_shot_step_work(&s, 1, CS_UNIT_GRADIENTS), 5, 1e-12, 0);
    assert_near(cs_shot_step_work(&s, 1, CS_UNIT_USUAL), 1, 0, 0);
    for (cs_unit u = CS_UNIT_USUAL; u < CS_UNITS; u++)
        assert_int_equal(cs_unit_find(cs_unit_at(u)->name), u);
    assert_int_equal(cs_unit_find("joules"), CS_UNITS);
    assert_null(cs_unit_at(CS_UNITS));
}

/* An axis starts after the warm-up. If an arm lacks the selected unit, the axis
 * has steps instead. */
static void test_axes(void **state)
{
    (void)state;
    cs_shot s = make(three, 3);
    cs_flat_number(&table, 500, "arm/1/warm_up");
    s.used = table.used;
    cs_axis a = cs_axis_of(&s, 1, CS_UNIT_GRADIENTS);
    assert_true(a.known);
    assert_near(cs_axis_at(&a, 100), 3000, 1e-12, 0);
    assert_string_equal(a.name, "gradients per chain");
    a = cs_axis_of(&s, 0, CS_UNIT_GRADIENTS);
    assert_false(a.known);
    assert_near(cs_axis_at(&a, 100), 100, 0, 0);
    assert_string_equal(a.name, "step");
}

static bool quiet(void *self, const char *line)
{
    (void)self, (void)line;
    return false; /* there is no session to which a line could be sent */
}

/* The key cycles through the units in which some arm has done work, and then
 * returns to the default unit. The command accepts every unit. */
static void test_choosing(void **state)
{
    (void)state;
    static const cs_unit turn[] = {CS_UNIT_STEPS,     CS_UNIT_GRADIENTS,
                                   CS_UNIT_DENSITIES, CS_UNIT_EVALUATIONS,
                                   CS_UNIT_SECONDS,   CS_UNIT_USUAL};
    cs_ui ui;
    char buffer[CS_WORD];
    cs_shot s = make(three, 3);
    cs_sender to = {quiet, NULL};
    cs_ui_init(&ui);
    for (size_t i = 0; i < sizeof turn / sizeof *turn; i++) {
        assert_true(cs_press(&ui, &s, &to, 'u'));
        assert_int_equal(ui.look.unit, turn[i]);
    }
    assert_true(cs_ui_command(&ui, &s, &to, "unit gradients"));
    assert_int_equal(ui.look.unit, CS_UNIT_GRADIENTS);
    assert_true(cs_ui_command(&ui, &s, &to, "unit joules"));
    assert_int_equal(ui.look.unit, CS_UNIT_GRADIENTS);
    assert_true(cs_ui_command(&ui, &s, &to, "unit"));
    assert_int_equal(ui.look.unit, CS_UNIT_DENSITIES);
    assert_string_equal(cs_ui_offer(&ui, "unit ", 2, buffer), "gradients");
    assert_null(cs_ui_offer(&ui, "unit ", CS_UNITS, buffer));
}

/* ---- at equal work ---- */

static void test_interpolation(void **state)
{
    (void)state;
    static const double time[] = {10, 20, 30, 50};
    const double y[] = {1, 5, (double)NAN, 11};
    assert_near(cs_value_at(time, y, 4, 10), 1, 0, 0);
    assert_near(cs_value_at(time, y, 4, 12.5), 2, 1e-14, 0);
    assert_near(cs_value_at(time, y, 4, 35), 8, 1e-14, 0);
    assert_near(cs_value_at(time, y, 4, 50), 11, 0, 0);
    assert_true(isnan(cs_value_at(time, y, 4, 9.9)));
    assert_true(isnan(cs_value_at(time, y, 4, 50.1)));
    assert_true(isnan(cs_value_at(time, y, 0, 1)));
}

static void race(const cs_shot *s, cs_race_figure which, cs_unit unit,
                 cs_race *out)
{
    static cs_racers f;
    static cs_figure_look at;
    at = (cs_figure_look){.of = "", .unit = unit};
    cs_race_line_up(s, &at, &f);
    cs_race_find(&f, which, out);
}

/* The distance is compared at an amount of work that all arms have reached.
 * This is 20000 evaluations per chain, where walk ends. At this work, hmc has
 * made 2000 of its 4000 steps. */
static void test_distance_at_equal_work(void **state)
{
    (void)state;
    cs_race r;
    cs_shot s = make(three, 3);
    race(&s, CS_RACE_DISTANCE, CS_UNIT_USUAL, &r);
    assert_near(r.work, 20000, 1e-9, 0);
    assert_near(r.arm[0].value, 1 / sqrt(20000), 1e-9, 0);
    assert_near(r.arm[1].value, 0.2 / sqrt(2000), 1e-3, 0);
    assert_near(r.arm[1].error, 0.05, 1e-9, 0);
    assert_near(r.arm[1].freedom, 3, 0, 0);
    assert_near(r.arm[2].value, 0.1 / sqrt(10000), 1e-3, 0);
    assert_non_null(strstr(r.title, "(tv)"));
    assert_non_null(strstr(r.where, "at 20k evaluations per chain"));
    race(&s, CS_RACE_DISTANCE, CS_UNIT_STEPS, &r); /* compared at step 4000,
                                                    * where hmc ends */
    assert_near(r.work, 4000, 1e-9, 0);
    assert_near(r.arm[0].value, 1 / sqrt(4000), 1e-3, 0);
    assert_near(r.arm[1].value, 0.2 / sqrt(4000), 1e-9, 0);
}

/* A mode is counted if its first visit is within the work that all chains have
 * reached. */
static void test_modes_at_equal_work(void **state)
{
    (void)state;
    cs_race r;
    const raced two[] = {{"a", 4, 1000, 1, 10, 0.1, 1, 25, false, NULL},
                         {"b", 2, 5000, 4, 10, 0.1, 1, 25, false, NULL}};
    cs_shot s = make(two, 2);
    race(&s, CS_RACE_MODES, CS_UNIT_STEPS, &r);
    assert_near(r.work, 4000, 0, 0); /* 4000 steps, summed over all chains */
    /* four chains have made 1000 steps each, and visited modes at steps 100,
     * 200 ... 1000; two other chains have made 2000 steps each */
    assert_near(r.arm[0].value, 10, 0, 0);
    assert_near(r.arm[1].value, 20, 0, 0);
    race(&s, CS_RACE_MODES, CS_UNIT_EVALUATIONS, &r);
    assert_near(r.arm[0].value, 10, 0, 0);
    /* after 4000 evaluations, each of the two chains has made 500 steps */
    assert_near(r.arm[1].value, 5, 0, 0);
    assert_near(r.ranking.modes, 25, 0, 0);
}

static void test_energy_at_equal_work(void **state)
{
    (void)state;
    cs_race r;
    cs_shot s = make(three, 3);
    race(&s, CS_RACE_ENERGY, CS_UNIT_EVALUATIONS, &r);
    assert_near(r.work, 80000, 1e-9, 0);
    assert_near(r.arm[0].value, -3 * log10(20000) - 0.3, 1e-9, 0);
    assert_near(r.arm[1].value, -3 * log10(2000) - 0.3, 1e-9, 0);
    cs_flat_text(&table, "estimate", "arm/1/trace/logp");
    s.used = table.used;
    race(&s, CS_RACE_ENERGY, CS_UNIT_EVALUATIONS, &r);
    assert_true(isnan(r.arm[1].value));
    assert_string_equal(r.arm[1].missing, "has no exact log p");
}

/* ---- figures ---- */

static void test_rates(void **state)
{
    (void)state;
    cs_race r;
    cs_shot s = make(three, 3);
    race(&s, CS_RACE_ESS, CS_UNIT_USUAL, &r);
    assert_near(r.arm[0].value, 1000 * 800. / 80000, 1e-12, 0);
    assert_near(r.arm[1].value, 1000 * 8000. / 160000, 1e-12, 0);
    assert_near(r.arm[1].error, 0.1, 1e-12, 0); /* the error of the worst
                                                 * quantity */
    assert_near(r.arm[1].freedom, 3, 0, 0);
    assert_string_equal(r.brief, "ESS/1k ev");
    race(&s, CS_RACE_ESS, CS_UNIT_SECONDS, &r);
    assert_near(r.arm[1].value, 8000 / 0.16, 1e-9, 0);
    race(&s, CS_RACE_ESS, CS_UNIT_GRADIENTS, &r);
    assert_true(isnan(r.arm[0].value));
    assert_string_equal(r.arm[0].missing, "has no gradients");
    assert_int_equal(r.order[2], 0);
    race(&s, CS_RACE_CHOSEN, CS_UNIT_USUAL, &r);
    assert_near(r.arm[1].value, 1000 * 8000. / 160000, 1e-12, 0);
    race(&s, CS_RACE_ACCEPTANCE, CS_UNIT_USUAL, &r);
    assert_near(r.arm[0].value, 0.515, 1e-12, 0);
}

/* The figure of the worst quantity is undefined if some quantities use all
 * steps and others only kept draws. If all quantities use kept draws, the
 * figure is defined. It is still not compared if too few draws were kept to
 * measure the effective sample size over all steps. */
static void test_different_draws(void **state)
{
    (void)state;
    cs_race r;
    cs_shot s = make(three, 3);
    cs_flat_number(&table, 0, "arm/1/diagnostics/whole");
    for (size_t known = 0; known <= 3; known++) {
        cs_flat start = table;
        cs_flat_number(&table, 4100, "arm/1/diagnostics/n");
        cs_flat_number(&table, (double)known, "arm/1/diagnostics/known");
        s.used = table.used;
        race(&s, CS_RACE_ESS, CS_UNIT_USUAL, &r);
        if (known == 1 || known == 2) {
            assert_true(isnan(r.arm[1].value));
            assert_string_equal(r.arm[1].missing,
                                "mixes quantities of all steps with quantities "
                                "of kept draws");
        } else {
            assert_near(r.arm[1].value, 1000 * 8000. / 160000, 1e-12, 0);
            assert_null(r.arm[1].missing);
        }
        /* a single quantity is itself the worst one */
        race(&s, CS_RACE_CHOSEN, CS_UNIT_USUAL, &r);
        assert_true(!isnan(r.arm[1].value));
        table = start;
    }
    cs_flat_number(&table, 1900, "arm/1/diagnostics/n");
    cs_flat_number(&table, 0, "arm/1/diagnostics/known");
    s.used = table.used;
    race(&s, CS_RACE_ESS, CS_UNIT_USUAL, &r);
    assert_string_equal(r.arm[1].vague,
                        "keeps too few draws to measure its effective size "
                        "over all steps");
}

static void test_who_is_out(void **state)
{
    (void)state;
    cs_race r;
    raced four[4] = {three[0],
                     three[1],
                     three[2],
                     {"late", 4, 0, 1, 1, 0.1, 1, 25, false, NULL}};
    four[1].broken = "balance";
    cs_shot s = make(four, 4);
    race(&s, CS_RACE_ESS, CS_UNIT_USUAL, &r);
    static const size_t order[] = {2, 1, 0, 3};
    assert_memory_equal(r.order, order, sizeof order);
    assert_string_equal(r.arm[1].barred, "fails the law balance");
    assert_string_equal(r.arm[2].barred, "is not exact");
    assert_string_equal(r.arm[3].missing, "has not started");
    assert_int_equal(cs_ranking_leader(&r.ranking), 0);
    cs_flat_number(&table, 4, "arm/0/failed");
    cs_flat_number(&table, 0.5, "run/tuned");
    cs_flat_number(&table, 0.5, "arm/1/tuned");
    s.used = table.used;
    race(&s, CS_RACE_ESS, CS_UNIT_USUAL, &r);
    assert_string_equal(r.arm[0].missing, "has stopped: all its chains failed");
    assert_string_equal(r.arm[1].missing, "is in its warm-up");
    /* arm 2 is compared although the other arms cannot be compared */
    assert_null(r.arm[2].missing);
}

/* An arm never wins if its draws differ from an exact distribution, or if its
 * kernel is not exact. If all arms are inexact, the arms are compared by their
 * distance from the exact distribution. */
static void test_draws_that_are_off(void **state)
{
    (void)state;
    cs_race r;
    cs_shot s = make(three, 3);
    race(&s, CS_RACE_ESS, CS_UNIT_USUAL, &r);
    size_t first = cs_ranking_leader(&r.ranking);
    cs_flat_number(&table, 1, "arm/%zu/off", first);
    s.used = table.used;
    race(&s, CS_RACE_ESS, CS_UNIT_USUAL, &r);
    assert_string_equal(r.arm[first].barred,
                        "differs from the exact distribution");
    assert_true(cs_ranking_leader(&r.ranking) != first);
}

/* If arms disagree about the target, the text for each arm names the other
 * arms, and no arm leads. */
static void test_disagreement(void **state)
{
    (void)state;
    cs_race r;
    cs_shot s = make(three, 3);
    static const char how[] =
        "x differs between `walk` and `hmc` by 35 standard errors";
    cs_flat_text(&table, "disagrees with `hmc`", "arm/0/apart");
    cs_flat_text(&table, "disagrees with `walk`", "arm/1/apart");
    cs_flat_text(&table, how, "run/apart");
    s.used = table.used;
    race(&s, CS_RACE_ESS, CS_UNIT_USUAL, &r);
    assert_string_equal(r.arm[0].apart, "disagrees with `hmc`");
    assert_string_equal(r.arm[1].apart, "disagrees with `walk`");
    assert_null(r.arm[2].apart);
    assert_string_equal(r.ranking.apart, how);
    assert_int_equal(cs_ranking_leader(&r.ranking), 3);
}

static void test_sentence(void **state)
{
    (void)state;
    char text[1000];
    cs_racers f;
    cs_shot s = make(three, 3);
    cs_figure_look at = {.of = ""};
    cs_race_line_up(&s, &at, &f);
    cs_race_say(&f, text, sizeof text);
    assert_string_equal(text,
                        "`hmc` finds 20 of 25 modes within 80k evaluations; "
                        "`walk` is stuck in 3; `sgld` is not exact: it cannot "
                        "win");
}

/* ---- replicates ---- */

/* Creates the first n of `of` replicates, with the seeds 8, 9, ... In these
 * replicates the values of `hmc` are 4, 5, 6, ... times the values of `walk`.
 * From each seed to the next, the values of `walk` are multiplied by
 * `grows`. */
static cs_replicas *replicas(size_t n, size_t of, double grows)
{
    static cs_replicas all;
    const double good[CS_SHOT_ARMS] = {1, 4, 0.5};
    all = (cs_replicas){.n = n, .of = of, .steps = 4000, .left = 95};
    for (size_t i = 0; i < n * CS_RACE_FIGURES * CS_UNITS * CS_SHOT_ARMS; i++) {
        size_t arm = i % CS_SHOT_ARMS, unit = i / CS_SHOT_ARMS % CS_UNITS;
        size_t f = i / CS_SHOT_ARMS / CS_UNITS % CS_RACE_FIGURES;
        size_t run = i / CS_SHOT_ARMS / CS_UNITS / CS_RACE_FIGURES;
        double v = good[arm < 3 ? arm : 2] + (arm == 1 ? (double)run : 0);
        all.run[run].seed = 8 + (double)run;
        all.run[run].value[f][unit][arm] =
            unit == CS_UNIT_SECONDS ? (double)NAN : v * pow(grows, (double)run);
    }
    return &all;
}

/* Tests means and paired comparisons over seeds. With only two seeds no error
 * can be computed, so the race uses the open run. Replicates have no results
 * per second, and no results for another coordinate. */
static void test_replicas(void **state)
{
    (void)state;
    cs_racers f;
    cs_race r;
    cs_lead lead;
    cs_shot s = make(three, 3);
    cs_figure_look at = {.of = "", .replicas = replicas(3, 5, 10)};
    cs_race_line_up(&s, &at, &f);
    cs_race_find(&f, CS_RACE_ESS, &r);
    assert_int_equal(r.runs, 3);
    assert_near(r.arm[0].value, 10, 1e-12, 0);
    assert_near(r.arm[1].value, 10 * cbrt(4 * 5 * 6), 1e-12, 0);
    assert_true(cs_race_pair(&r, 1, 0, 0.95, &lead));
    assert_near(lead.ratio, cbrt(4 * 5 * 6), 1e-12, 0);
    assert_true(lead.low > 2.9 && lead.high < 8.3);
    assert_non_null(strstr(r.title, ", mean of 3 seeds"));
    cs_race_find(&f, CS_RACE_ENERGY, &r); /* a difference of means */
    assert_near(r.arm[0].value, 37, 1e-12, 0);
    assert_true(cs_race_pair(&r, 0, 1, 0.95, &lead));
    assert_near(lead.ratio, (3 + 40 + 500) / 3., 1e-12, 0);
    f.at.coordinate = 1;
    cs_race_find(&f, CS_RACE_CHOSEN, &r);
    assert_int_equal(r.runs, 0);
    f.at.unit = CS_UNIT_SECONDS;
    cs_race_find(&f, CS_RACE_ESS, &r);
    assert_int_equal(r.runs, 0);
    f.at = (cs_figure_look){.of = "", .replicas = replicas(2, 5, 10)};
    cs_race_find(&f, CS_RACE_ESS, &r);
    assert_int_equal(r.ranking.runs, 0);
    assert_near(r.mean[0], sqrt(10), 1e-12, 0);
    assert_near(r.arm[0].freedom, 3, 0, 0); /* from the open run's chains */
    assert_false(cs_race_pair(&r, 1, 0, 0.95, &lead));
    assert_near(lead.ratio, sqrt(20), 1e-12, 0);
}

/* The interval of a mean over chains has its nominal coverage, to within three
 * standard errors. The test uses 200 snapshots with eight chains each. */
static void test_mean_over_chains(void **state)
{
    (void)state;
    enum { SETS = 200, CHAINS = 8 };
    const raced one = {"walk", CHAINS, 100, 1, 80, 0.1, 1, 3, false, NULL};
    size_t inside = 0;
    for (size_t s = 0; s < SETS; s++) {
        double low, high;
        cs_race r;
        cs_flat_begin(&table, memory, BYTES);
        cs_flat_number(&table, 1, "run/arms");
        raced_work(&table, 0, &one);
        cs_row_acceptance *row = CS_FLAT_ROWS(&table, cs_row_acceptance, CHAINS,
                                              CS_KEY_ACCEPTANCE, (size_t)0);
        for (size_t c = 0; c < CHAINS; c++)
            row[c] =
                (cs_row_acceptance){100, 0.4 + 0.02 * watch_normal(), 1, 1};
        cs_shot shot = {.base = table.base, .used = table.used};
        race(&shot, CS_RACE_ACCEPTANCE, CS_UNIT_USUAL, &r);
        assert_true(cs_race_interval(&r, 0, &low, &high));
        inside += low <= 0.4 && 0.4 <= high;
    }
    assert_in_range(inside, 181, 198);
}

/* The stored figures of a run equal the figures in the race of this run. */
static void test_kept(void **state)
{
    (void)state;
    static cs_replicated kept;
    cs_race r;
    cs_shot s = make(three, 3);
    cs_race_keep(&s, 0, &kept);
    race(&s, CS_RACE_ESS, CS_UNIT_USUAL, &r);
    for (size_t i = 0; i < 3; i++)
        assert_near(kept.value[CS_RACE_ESS][CS_UNIT_EVALUATIONS][i],
                    r.arm[i].value, 0, 0);
    assert_true(isnan(kept.value[CS_RACE_ESS][CS_UNIT_SECONDS][0]));
    assert_true(isnan(kept.value[CS_RACE_ESS][CS_UNIT_STEPS][3]));
}

/* ---- curves -------------------------------------------------------------- */

static size_t series(cs_race_figure which, cs_unit unit, size_t arm,
                     cs_race_series *out)
{
    static cs_racers f;
    cs_shot s = make(three, 3);
    cs_figure_look at = {.of = "", .unit = unit};
    cs_race_line_up(&s, &at, &f);
    return cs_race_series_find(&f, which, arm, out) ? out->n : 0;
}

/* Distances decrease as one over the square root of the chain's work. The
 * curves of modes are step functions, and end at the current work of the
 * chains. */
static void test_courses(void **state)
{
    (void)state;
    static cs_race_series c;
    assert_int_equal(series(CS_RACE_DISTANCE, CS_UNIT_USUAL, 1, &c),
                     RACED_POINTS);
    for (size_t i = 0; i < c.n; i++)
        assert_true(fabs(c.value[i] * sqrt(c.work[i] / 10) / 0.2 - 1) < 1e-9);
    assert_true(fabs(c.work[c.n - 1] - 40000) < 1e-6);
    assert_false(c.steps);
    assert_int_equal(series(CS_RACE_MODES, CS_UNIT_STEPS, 0, &c), 3 + 2);
    for (size_t m = 0; m < 4; m++) {
        assert_true(c.work[m] == 100 * (double)m);
        assert_true(c.value[m] == (double)m);
    }
    assert_true(c.work[4] == 20000 && c.value[4] == 3 && c.steps);
    assert_int_equal(series(CS_RACE_ESS, CS_UNIT_STEPS, 0, &c), 0);
    assert_int_equal(series(CS_RACE_DISTANCE, CS_UNIT_GRADIENTS, 0, &c), 0);
}

/* ---- rendering ----------------------------------------------------------- */

static cs_ui ui;

static void frame(int w, int h, cs_glyphs glyphs, const char *name)
{
    cs_canvas c;
    assert_int_equal(cs_canvas_init(&c, w, h, glyphs, NULL), CS_OK);
    cs_screen_frame(&ui, table.base, table.used, &c);
    if (name)
        compare_as(&c, CS_TEXT, CS_TIER_MONO, name);
    cs_canvas_fini(&c);
}

static void open_race(const raced *arm, size_t n)
{
    make(arm, n);
    cs_ui_init(&ui);
    frame(1, 1, CS_BRAILLE, NULL); /* reads the snapshot */
    ui.slots.zoom = true;
}

static const raced nine[] = {
    {"walk", 4, 20000, 1, 800, 0.1, 1, 25, false, NULL},
    {"hmc", 4, 4000, 10, 8000, 0.1, 0.2, 25, false, NULL},
    {"nuts", 4, 4000, 10, 9000, 0.3, 0.2, 25, false, NULL},
    {"sgld", 4, 20000, 2, 9000, 0.02, 0.1, 25, true, NULL},
    {"barker", 4, 20000, 2, 300, 0.2, 1, 25, false, NULL},
    {"slow", 4, 20000, 1, 9, 0.5, 9, 25, false, NULL},
    {"odd", 4, 20000, 1, 7000, 0.1, 1, 25, false, "stationarity"},
    {"stuck_in_a_long_name", 4, 20000, 1, 7000, 0.1, 1, 3, false, NULL},
    {"late", 4, 0, 1, 1, 0.1, 1, 25, false, NULL},
};

static void test_frames(void **state)
{
    (void)state;
    open_race(three, 3);
    frame(80, 24, CS_BRAILLE, "race_80x24");
    frame(120, 40, CS_BRAILLE, "race_120x40");
    frame(200, 60, CS_BRAILLE, "race_200x60");
    frame(80, 24, CS_ASCII, "race_ascii_80x24");
    frame(40, 10, CS_BRAILLE, "race_40x10");
    cs_canvas c;
    assert_int_equal(cs_canvas_init(&c, 80, 24, CS_BRAILLE, NULL), CS_OK);
    cs_screen_frame(&ui, table.base, table.used, &c);
    compare_as(&c, CS_ANSI, CS_TIER_16, "race_16");
    compare_as(&c, CS_ANSI, CS_TIER_MONO, "race_none");
    cs_canvas_fini(&c);
    ui.slots.of[0].option = 2;
    ui.look.unit = CS_UNIT_GRADIENTS;
    frame(80, 24, CS_BRAILLE, "race_distance_80x24");
    open_race(nine, 9);
    frame(80, 24, CS_BRAILLE, "race_nine_80x24");
    frame(120, 40, CS_BRAILLE, "race_nine_120x40");
    open_race(nine, 1);
    frame(80, 24, CS_BRAILLE, "race_one_80x24");
    raced few[] = {three[0], three[1]};
    few[0].chains = few[1].chains = 1;
    few[0].error = few[1].error = NAN;
    few[0].modes = 25;
    open_race(few, 2);
    frame(80, 24, CS_BRAILLE, "race_a_chain_80x24");
    few[0].chains = few[1].chains = 16;
    few[0].error = few[1].error = 0.05;
    open_race(few, 2);
    frame(80, 24, CS_BRAILLE, "race_16_chains_80x24");
    open_race(three, 2);
    cs_flat_text(&table, "disagrees with `hmc`", "arm/0/apart");
    cs_flat_text(&table, "disagrees with `walk`", "arm/1/apart");
    cs_flat_text(&table,
                 "x differs between `walk` and `hmc` by 35 standard errors",
                 "run/apart");
    frame(80, 24, CS_BRAILLE, "race_apart_80x24");
    make(NULL, 0);
    frame(80, 24, CS_BRAILLE, "race_empty_80x24");
}

static void test_frames_of_replicas(void **state)
{
    (void)state;
    open_race(three, 3);
    ui.look.replicas = replicas(2, 5, 1.2);
    frame(80, 24, CS_BRAILLE, "race_two_of_5_80x24");
    ui.look.replicas = replicas(5, 5, 1.2);
    frame(120, 40, CS_BRAILLE, "race_of_5_120x40");
    frame(40, 10, CS_ASCII, "race_of_5_40x10");
    open_race(nine, 9);
    ui.look.replicas = replicas(3, 5, 1.2);
    frame(80, 24, CS_BRAILLE, "race_nine_of_3_80x24");
}

static size_t count_said(const char *what)
{
    size_t n = 0;
    for (size_t i = 0; i < ui.log.added && i < CS_LOG_LINES; i++)
        n += strstr(ui.log.line[i].text, what) != NULL;
    return n;
}

/* The log reports the race once, when the run has finished and its reports are
 * complete. If the run is then continued, the log reports the race once more.
 * If a run has one arm, no race is reported. A lesson reports the race after its
 * last answer. */
static void test_log(void **state)
{
    (void)state;
    static const struct {
        const char *run;
        double reported;
        size_t said;
        bool coming; /* a question of a lesson will follow */
    } turn[] = {{"running", 1, 0, false}, {"done", 0, 0, false},
                {"done", 1, 0, true},     {"done", 1, 1, false},
                {"done", 1, 1, false},    {"running", 0, 1, false},
                {"done", 1, 2, false}};
    for (size_t arms = 1; arms <= 3; arms += 2) {
        cs_ui_init(&ui);
        for (size_t i = 0; i < sizeof turn / sizeof *turn; i++) {
            canned_race(&table, memory, BYTES, three, arms);
            unsigned char *copy = cs_alloc(BYTES, 1);
            cs_flat f;
            cs_flat_begin(&f, copy, BYTES);
            cs_flat_text(&f, turn[i].run, "run/state"); /* written before the
                                                         * canned state */
            cs_flat_number(&f, turn[i].reported, "run/reported");
            if (turn[i].coming)
                cs_flat_text(&f, "ess", "course/coming");
            cs_flat_add(&f, table.base, table.used);
            table = f;
            frame(80, 24, CS_BRAILLE, NULL);
            assert_int_equal(count_said("`hmc` finds 20 of 25 modes"),
                             arms > 1 ? turn[i].said : 0);
            cs_free(copy);
        }
    }
    assert_int_equal(count_said("; "), 0); /* one clause per line */
}

/* The first press of the key shows only this panel, in any layout. The second
 * press restores the layout. */
static void test_key(void **state)
{
    (void)state;
    cs_shot s = make(three, 3);
    cs_sender to = {quiet, NULL};
    cs_ui_init(&ui);
    frame(1, 1, CS_BRAILLE, NULL);
    cs_ui_panels(&ui, "trace summary");
    ui.slots.focus = 1;
    assert_true(cs_press(&ui, &s, &to, 'X'));
    assert_true(ui.slots.zoom);
    assert_string_equal(ui.slots.of[ui.slots.focus].type->name, "race");
    assert_true(cs_press(&ui, &s, &to, 'X'));
    assert_false(ui.slots.zoom);
    assert_int_equal(ui.slots.focus, 1);
    for (size_t i = 0; i < ui.slots.n; i++)
        assert_int_equal(ui.slots.of[i].on, i < 2);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_units),
    cmocka_unit_test(test_axes),
    cmocka_unit_test(test_choosing),
    cmocka_unit_test(test_interpolation),
    cmocka_unit_test(test_distance_at_equal_work),
    cmocka_unit_test(test_modes_at_equal_work),
    cmocka_unit_test(test_energy_at_equal_work),
    cmocka_unit_test(test_rates),
    cmocka_unit_test(test_different_draws),
    cmocka_unit_test(test_who_is_out),
    cmocka_unit_test(test_draws_that_are_off),
    cmocka_unit_test(test_disagreement),
    cmocka_unit_test(test_sentence),
    cmocka_unit_test(test_replicas),
    cmocka_unit_test(test_mean_over_chains),
    cmocka_unit_test(test_kept),
    cmocka_unit_test(test_courses),
    cmocka_unit_test(test_frames),
    cmocka_unit_test(test_frames_of_replicas),
    cmocka_unit_test(test_log),
    cmocka_unit_test(test_key),
};
TESTS_WITH(test_race, setup, teardown)
