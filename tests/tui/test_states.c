/* Tests the pictures of states that the session sends. The pictures must equal
 * the states of the chains. */
#include "support/support.h"

#include "base/clock.h"
#include "cli/front/front.h"
#include "session/client/snapshot.h"
#include "session/client/snapshot_rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

extern const cs_subcommand cs_subcommand_screen;

enum { PATIENCE = 60 }; /* seconds until a session is considered to hang */

static const unsigned char *base;
static size_t used;

static cs_client *open_scene(const char *scene)
{
    const cs_front_options options = {.trust = false};
    cs_args args = {.sub = &cs_subcommand_screen, .n_words = 1};
    cs_client *c;
    args.word[0] = scene;
    assert_int_equal(cs_front_create(&c, &options, NULL), CS_OK);
    assert_int_equal(cs_front_open(c, &args, NULL, NULL), CS_OK);
    return c;
}

/* Runs a command and reads the snapshot that shows the effect of the command.
 * This snapshot is complete before the reply arrives. */
static void ask(cs_client *c, const char *line)
{
    assert_int_equal(cs_front_ask(c, line, NULL, NULL), CS_OK);
    for (double until = cs_clock() + PATIENCE;
         !cs_client_snapshot(c, &base, &used) && cs_clock() < until;)
        cs_client_wait(c, 50);
}

static void step(cs_client *c, uint64_t n)
{
    cs_flat_entry e;
    char line[32];
    snprintf(line, sizeof line, "step %d", (int)n);
    ask(c, line);
    for (double until = cs_clock() + PATIENCE; cs_clock() < until;) {
        bool still = cs_flat_find(base, used, &e, "run/state") &&
                     strcmp(e.text, "running") != 0;
        if (still && cs_flat_find(base, used, &e, "run/steps") &&
            *e.data >= (double)n)
            return;
        cs_client_wait(c, 50);
        cs_client_snapshot(c, &base, &used);
    }
    fail();
}

static const char *text_at(const char *key)
{
    cs_flat_entry e;
    bool there = cs_flat_find(base, used, &e, "%s", key) && e.text;
    return there ? e.text : "";
}

static const double *numbers_at(const char *key, size_t *n)
{
    cs_flat_entry e;
    bool there = cs_flat_find(base, used, &e, "%s", key) && e.data;
    *n = there ? e.rows * e.cols : 0;
    return there ? e.data : NULL;
}

/* Counts wrong characters among the n characters in `level`. Each character
 * must be 1 plus the level of the corresponding x. Levels go from 0 (x = low)
 * to `most` (x = high). */
static size_t count_faults(const char *level, const double *x, size_t n,
                           double low, double high, double most)
{
    size_t faults = 0;
    for (size_t i = 0; i < n; i++) {
        double share = fmin(fmax((x[i] - low) / (high - low), 0), 1);
        double got = (unsigned char)level[i] - 1.0;
        faults += fabs(got - share * most) > 0.5 + 1e-9;
    }
    return faults;
}

/* Checks that the picture of each chain equals the chain's state. Also checks
 * that a difference in a single site is detected. */
static void check_chains(cs_client *c, const char *arm, const char *key,
                         size_t first, size_t n, double low, double high,
                         double most)
{
    for (size_t chain = 0; chain < 3; chain++) {
        char line[64], copy[512];
        size_t dim;
        snprintf(line, sizeof line, "look %s %zu", arm, chain + 1);
        ask(c, line);
        const double *x = numbers_at("look/x", &dim);
        const char *level = text_at(key);
        assert_non_null(x);
        assert_true(dim >= first + n && n < sizeof copy);
        assert_int_equal(strlen(level), 3 * n);
        memcpy(copy, level + chain * n, n);
        x += first;
        assert_int_equal(count_faults(copy, x, n, low, high, most), 0);
        copy[n / 2] = copy[n / 2] > 1 || copy[n / 2] < 0 ? 1 : (char)(most + 1);
        assert_int_equal(count_faults(copy, x, n, low, high, most), 1);
    }
}

static void test_spins(void **state)
{
    (void)state;
    enum { N = 108 };
    cs_client *c = open_scene("spins.lua");
    size_t n, k;
    step(c, 50);
    /* no pictures are requested */
    assert_int_equal(strlen(text_at("arm/0/picture/states")), 0);
    const cs_row_picture *shape = (const void *)numbers_at(CS_KEY_PICTURE, &n);
    assert_int_equal(n, sizeof *shape / sizeof(double));
    assert_true(shape->rows == 9 && shape->cols == 12 && shape->n == N);
    ask(c, "pictures 3");
    check_chains(c, "dmala", "arm/0/picture/states", 0, N, 0, 1, 1);
    check_chains(c, "edmala", "arm/1/picture/states", 0, N, 0, 1, 1);
    const double *mean = numbers_at("arm/0/moments/mean", &n);
    assert_int_equal(n, N); /* as requested by the scenario */
    for (size_t i = 0; i < N; i++)
        assert_true(mean[i] >= 0 && mean[i] <= 1);
    const double *y = numbers_at("look/proposal", &n);
    const double *own = numbers_at("look/own/0", &k);
    assert_true(y && own && n == N && k == N);
    assert_int_equal(
        count_faults(text_at("look/picture/proposal"), y, N, 0, 1, 1), 0);
    assert_int_equal(
        count_faults(text_at("look/picture/own"), own, N, -1, 2, 253), 0);
    ask(c, "pictures 0");
    assert_int_equal(strlen(text_at("arm/1/picture/states")), 0);
    cs_client_close(c, 3000);
    cs_client_destroy(c);
}

static void test_greys(void **state)
{
    (void)state;
    cs_client *c = open_scene("greys.lua");
    step(c, 20);
    ask(c, "pictures 50");
    check_chains(c, "1", "arm/0/picture/states", 1, 12, -1, 1.5, 253);
    cs_client_close(c, 3000);
    cs_client_destroy(c);
}

/* If there is space for only one of three pictures, the session sends the
 * picture of the selected chain. */
static void test_few(void **state)
{
    (void)state;
    cs_client *c = open_scene("spins.lua");
    size_t n;
    step(c, 50);
    ask(c, "pictures 2");
    ask(c, "look edmala 3");
    const double *first = numbers_at("arm/1/picture/first", &n);
    assert_true(first && *first == 1);
    const double *x = numbers_at("look/x", &n);
    assert_int_equal(strlen(text_at("arm/1/picture/states")), 2 * n);
    assert_int_equal(
        count_faults(text_at("arm/1/picture/states") + n, x, n, 0, 1, 1), 0);
    cs_client_close(c, 3000);
    cs_client_destroy(c);
}

/* For the selected chain, the tour in the snapshot equals the chain's state.
 * The proposed tour equals the proposal, which may be an invalid tour. Cities
 * are counted from 0 here, and from 1 on the screen. */
static void test_tours(void **state)
{
    (void)state;
    enum { CITIES = 10, STEPS = 150 };
    cs_client *c = open_scene("tours.lua");
    size_t n, infeasible = 0;
    ask(c, "pictures 3");
    for (uint64_t k = 1; k <= STEPS; k++) {
        step(c, k);
        const double *x = numbers_at("look/x", &n);
        const double *y = numbers_at("look/proposal", &n);
        assert_int_equal(n, 1 + CITIES);
        const double *now = numbers_at("arm/0/picture/tours", &n);
        assert_int_equal(n, 3 * CITIES);
        const double *next = numbers_at("look/picture/tour", &n);
        assert_int_equal(n, CITIES);
        unsigned seen = 0;
        for (size_t i = 0; i < CITIES; i++) {
            assert_true(now[i] + 1 == x[1 + i]);
            assert_true(next[i] + 1 == y[1 + i]);
            seen |= 1u << (unsigned)next[i];
        }
        infeasible += seen != (1u << CITIES) - 1;
    }
    assert_true(infeasible > 0 && infeasible < STEPS);
    assert_non_null(numbers_at("arm/0/energy/edges", &n));
    assert_string_equal(text_at("arm/0/energy/truth_from"), ""); /* too many
                                                                  * states */
    cs_client_close(c, 3000);
    cs_client_destroy(c);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_spins),
    cmocka_unit_test(test_greys),
    cmocka_unit_test(test_few),
    cmocka_unit_test(test_tours),
};
TESTS(test_states)
