/* Tests the energy along a line, which a session computes for a panel. The
 * tests check the points of the line, the energies at the points, and the times
 * at which the energies are recomputed. */
#include "run/arms/arms.h"
#include "run/run.h"
#include "support/by_name.h"
#include "support/support.h"

#include "session/commands/command.h"
#include "target/enumeration.h"

#include <stdio.h>
#include <string.h>

static cs_session session;
static _Alignas(8) unsigned char memory[1 << 16];
static cs_flat shot;

static void open_run(const char *target, const char *kernel, size_t chains)
{
    cs_target *t = target_of(target);
    const cs_arm_spec arm = {.name = "one", .kernel = kernel_of(kernel)};
    const cs_run_spec spec = {
        .target = t, .arms = &arm, .n_arms = 1, .chains = chains, .seed = 3};
    memset(&session, 0, sizeof session);
    session.line.of = SIZE_MAX;
    snprintf(session.show.reports, sizeof session.show.reports, "trace line");
    assert_int_equal(cs_run_create(&session.open.run, &spec, NULL), CS_OK);
    cs_target_release(t);
    run_steps(session.open.run, 20);
}

static void close_run(void)
{
    cs_run_destroy(session.open.run);
}

static void look(void)
{
    cs_flat_begin(&shot, memory, sizeof memory);
    cs_session_put_line(&session, &shot);
}

static cs_status obey(const char *line)
{
    char text[128], *word[CS_WORDS];
    size_t n;
    cs_error err;
    snprintf(text, sizeof text, "%s", line);
    assert_int_equal(cs_words_cut(text, word, &n, &err), CS_OK);
    cs_status status = cs_command_line(&session, word, n - 1, &err);
    if (status == CS_OK)
        look();
    return status;
}

static const double *row_of(const char *key, size_t *n)
{
    cs_flat_entry e;
    if (!cs_flat_find(shot.base, shot.used, &e, "%s", key) || !e.data)
        return NULL;
    *n = e.rows * e.cols;
    return e.data;
}

static const char *text_of(const char *key)
{
    cs_flat_entry e;
    bool there = cs_flat_find(shot.base, shot.used, &e, "%s", key);
    return there && e.text ? e.text : "not there";
}

/* Checks the energies at the points of the line, which are `from` plus
 * multiples of `by`. */
static void holds_energies(const double *from, const double *by)
{
    size_t n = 0, m = 0;
    const cs_target *t = cs_run_target(session.open.run);
    const double *at = row_of("line/at", &n);
    const double *energy = row_of("line/energy", &m);
    assert_non_null(at);
    assert_true(energy && n == m && n >= 41);
    for (size_t i = 0; i < n; i++) {
        double x[8], logp;
        for (size_t d = 0; d < t->space.dim; d++)
            x[d] = from[d] + at[i] * by[d];
        cs_enumeration_evaluate(t, x, 1, &logp);
        if (isfinite(logp))
            assert_near(energy[i], -logp, 1e-9, 1e-9);
        else
            assert_true(energy[i] == -logp);
    }
}

static void along_the_only_coordinate(void **state)
{
    (void)state;
    const double none[1] = {0}, one[1] = {1};
    size_t n;
    open_run("mixture", "sgld", 2);
    look();
    holds_energies(none, one);
    assert_string_equal(text_of("line/name"), "x.1");
    assert_string_equal(text_of("line/through"), "");
    const double *at = row_of("line/at", &n);
    assert_true(at[0] < -6 && at[n - 1] > 4);
    assert_near(*row_of("line/marks", &n),
                cs_run_chain(session.open.run, 0, 0).x[0], 0, 0);
    assert_int_equal(obey("line x.1 -3 5"), CS_OK);
    at = row_of("line/at", &n);
    assert_true(at[0] == -3 && at[n - 1] == 5);
    holds_energies(none, one);
    close_run();
}

/* The line passes through the state of the second chain, along the second
 * coordinate. */
static void through_the_state_of_a_chain(void **state)
{
    (void)state;
    const double up[2] = {0, 1};
    double from[2] = {0};
    open_run("nine_modes", "sgld", 3);
    session.look = (cs_look_at){.chain = 1, .coordinate = 1};
    look();
    from[0] = cs_run_chain(session.open.run, 0, 1).x[0];
    holds_energies(from, up);
    assert_string_equal(text_of("line/name"), "x.2");
    assert_string_equal(text_of("line/through"), "through chain 2 of one");
    assert_int_equal(obey("line 1"), CS_OK);
    assert_string_equal(text_of("line/name"), "x.1");
    assert_int_equal(obey("line"), CS_OK);
    assert_string_equal(text_of("line/name"), "x.2");
    close_run();
}

static void from_point_to_point(void **state)
{
    (void)state;
    size_t n;
    double from[2], by[2];
    open_run("nine_modes", "sgld", 3);
    const double *modes = cs_run_target(session.open.run)->exact.modes;
    for (int chains = 0; chains < 2; chains++) {
        double to[2], length = 0;
        assert_int_equal(obey(chains ? "line chains 3 1" : "line modes 9 1"),
                         CS_OK);
        for (size_t d = 0; d < 2; d++) {
            from[d] = chains ? cs_run_chain(session.open.run, 0, 2).x[d]
                             : modes[8 * 2 + d];
            to[d] =
                chains ? cs_run_chain(session.open.run, 0, 0).x[d] : modes[d];
            length = hypot(length, to[d] - from[d]);
        }
        for (size_t d = 0; d < 2; d++)
            by[d] = (to[d] - from[d]) / length;
        holds_energies(from, by);
        const double *marks = row_of("line/marks", &n);
        assert_int_equal(n, 2);
        assert_near(marks[0], 0, 0, 0);
        assert_near(marks[1], length, 1e-12, 0);
        assert_string_equal(text_of("line/name"),
                            chains ? "distance from chain 3 to chain 1"
                                   : "distance from mode 9 to mode 1");
    }
    close_run();
}

/* While the run is active, the line is not recomputed for each snapshot. The
 * evaluations on the line are not counted as work of any arm. */
static void it_is_made_seldom(void **state)
{
    (void)state;
    size_t n;
    open_run("nine_modes", "sgld", 1);
    session.move.running = true;
    look();
    uint64_t work = cs_run_arm(session.open.run, 0).work.log_densities;
    double first = *row_of("line/step", &n);
    run_steps(session.open.run, 5);
    uint64_t after = cs_run_arm(session.open.run, 0).work.log_densities;
    look();
    assert_near(*row_of("line/step", &n), first, 0, 0);
    session.move.running = false;
    look();
    assert_near(*row_of("line/step", &n), first + 5, 0, 0);
    assert_int_equal(cs_run_arm(session.open.run, 0).work.log_densities, after);
    assert_true(after >= work);
    close_run();
}

static void nobody_looks_nothing_is_made(void **state)
{
    (void)state;
    open_run("mixture", "sgld", 1);
    snprintf(session.show.reports, sizeof session.show.reports, "trace");
    look();
    assert_int_equal(shot.used, 0);
    session.show.reports[0] = '*';
    session.show.reports[1] = 0;
    look();
    assert_int_equal(shot.used, 0);
    session.open.n_panels = 1;
    snprintf(session.open.panel[0], sizeof session.open.panel[0], "line");
    look();
    assert_true(shot.used > 0);
    close_run();
}

static void where_there_is_none_it_says_why(void **state)
{
    (void)state;
    open_run("bernoulli4", "gibbs", 1);
    look();
    assert_string_equal(text_of("line/why"), "a discrete space has no line");
    assert_string_equal(text_of("line/name"), "not there");
    assert_int_not_equal(obey("line modes 1 99"), CS_OK);
    assert_int_not_equal(obey("line x.9"), CS_OK);
    close_run();
    open_run("mixture", "sgld", 2);
    assert_int_not_equal(obey("line 1 3 2"), CS_OK);
    assert_int_not_equal(obey("line 1 3"), CS_OK);
    assert_int_not_equal(obey("line modes 1 1"), CS_OK);
    assert_int_not_equal(obey("line modes 1"), CS_OK);
    assert_int_not_equal(obey("line chains 1 3"), CS_OK);
    close_run();
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(along_the_only_coordinate),
    cmocka_unit_test(through_the_state_of_a_chain),
    cmocka_unit_test(from_point_to_point),
    cmocka_unit_test(it_is_made_seldom),
    cmocka_unit_test(nobody_looks_nothing_is_made),
    cmocka_unit_test(where_there_is_none_it_says_why),
};
TESTS(test_line)
