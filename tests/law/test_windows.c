/* Tests windows: every kernel that may move a part of a state, in a window. */
#include "support/laws.h"
#include "support/paired.h"
#include "support/small_mixed.h"
#include "support/support.h"

#include "base/memory.h"
#include "kernel/members.h"
#include "target/part_window.h"

#include <string.h>

static void kernels_in_a_window_move_the_conditional(void **state)
{
    (void)state;
    laws_hold(window_laws);
}

static void faults_in_a_window_are_caught(void **state)
{
    (void)state;
    laws_catch_faults(window_laws);
}

/* ---- windows as targets ---- */

static cs_target *make(const cs_target_type *type)
{
    cs_target *t;
    assert_int_equal(cs_target_create(type, NULL, 0, &t, NULL), CS_OK);
    return t;
}

static cs_status open_window(cs_target *whole, const uint32_t *coordinate,
                             size_t n, cs_target **out, cs_error *err)
{
    return cs_part_window_create(whole, coordinate, n, "part", out, err);
}

static void a_window_has_the_space_of_its_part(void **state)
{
    (void)state;
    cs_target *whole = make(&small_listed), *t;
    cs_error err = {0};
    char name[32], same[32];
    static const struct {
        uint32_t coordinate[2];
        size_t n;
        cs_space space;
    } rows[] = {
        {{0, 1}, 2, {.kind = CS_BINARY, .dim = 2, .values = 2}},
        {{2}, 1, {.kind = CS_CATEGORICAL, .dim = 1, .low = 1, .values = 3}},
        {{3}, 1, {.kind = CS_ORDINAL, .dim = 1, .low = 2, .values = 4}}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        assert_int_equal(
            open_window(whole, rows[k].coordinate, rows[k].n, &t, &err), CS_OK);
        assert_true(cs_space_is_same(&t->space, &rows[k].space));
        uint32_t last = rows[k].coordinate[rows[k].n - 1];
        cs_target_coordinate(t, rows[k].n - 1, name, sizeof name);
        cs_target_name_coordinate(whole, last, same, sizeof same);
        assert_string_equal(name, same);
        cs_target_release(t);
    }
    assert_int_equal(open_window(whole, (const uint32_t[]){1, 2}, 2, &t, &err),
                     CS_UNSUPPORTED);
    assert_non_null(strstr(err.what, "part"));
    cs_target_release(whole);
}

/* A window of all coordinates is the whole, and a window of a window belongs to
 * the whole. */
static void windows_are_of_the_whole(void **state)
{
    (void)state;
    cs_target *whole = make(&small_masses), *t, *inside, *same;
    static const uint32_t all[] = {0, 1, 2, 3}, some[] = {0, 2, 3},
                          last[] = {1, 2};
    assert_int_equal(open_window(whole, all, 4, &same, NULL), CS_OK);
    assert_ptr_equal(same, whole);
    assert_null(cs_part_window_of(whole));
    assert_int_equal(open_window(whole, some, 3, &t, NULL), CS_OK);
    assert_int_equal(open_window(t, last, 2, &inside, NULL), CS_OK);
    const cs_part_window *w = cs_part_window_of(inside);
    assert_ptr_equal(w->whole, whole);
    assert_null(w->coordinate);
    assert_int_equal(cs_part_window_coordinate(w, 0), 2);
    assert_int_equal(cs_part_window_coordinate(w, 1), 3);
    cs_target_release(inside);
    cs_target_release(t);
    cs_target_release(same);
    cs_target_release(whole);
}

static void rows_are_gathered_and_scattered(void **state)
{
    (void)state;
    enum { LANES = 8, DIM = 4 };
    static const uint32_t list[2][2] = {{1, 2}, {0, 3}};
    cs_target *whole = make(&small_masses), *t;
    for (size_t k = 0; k < 2; k++) {
        double around[DIM * LANES], want[DIM * LANES], x[2 * LANES];
        for (size_t i = 0; i < DIM * LANES; i++)
            want[i] = around[i] = (double)i;
        assert_int_equal(open_window(whole, list[k], 2, &t, NULL), CS_OK);
        const cs_part_window *w = cs_part_window_of(t);
        cs_part_window_gather(w, around, LANES, x);
        for (size_t i = 0; i < 2 * LANES; i++) {
            assert_true(x[i] ==
                        (double)(list[k][i / LANES] * LANES + i % LANES));
            want[list[k][i / LANES] * LANES + i % LANES] = x[i] += 100;
        }
        cs_part_window_scatter(w, x, LANES, around);
        assert_memory_equal(around, want, sizeof want);
        cs_target_release(t);
    }
    cs_target_release(whole);
}

/* After the kernel has changed x and says so, differences are those of the new
 * state. */
static void changed_states_are_asked_again(void **state)
{
    (void)state;
    enum { LANES = CS_PAD, N = 4 };
    cs_target *inner = make(&small_masses), *t;
    cs_target *whole = paired_whole(inner, PAIRED_STATE, true);
    uint32_t coordinate[N], site[LANES] = {0};
    double *around = cs_alloc(2 * N * LANES, sizeof *around);
    double *x = cs_alloc((N + 3) * LANES, sizeof *x);
    double *logp = x + N * LANES, *d = logp + LANES, first[2 * LANES];
    bool moved[LANES];
    memset(moved, true, sizeof moved);
    for (uint32_t i = 0; i < N; i++)
        coordinate[i] = paired_coordinate(whole, i, false);
    assert_int_equal(open_window(whole, coordinate, N, &t, NULL), CS_OK);
    double *scratch =
        cs_alloc(cs_eval_scratch_words(t) * LANES, sizeof *scratch);
    cs_eval e;
    cs_eval_open(&e, t, LANES, LANES, NULL, scratch);
    e.around = around;
    cs_eval_log_density(&e, CS_NOW, x, logp);
    cs_eval_site(&e, x, logp, site, d);
    memcpy(first, d, sizeof first);
    assert_true(e.around_is_now);
    for (size_t i = LANES; i < N * LANES; i++)
        x[i] = 1;
    cs_eval_accept(&e, moved);
    cs_eval_site(&e, x, logp, site, d);
    double now = d[LANES];
    cs_eval_log_density(&e, CS_NOW, x, logp);
    cs_eval_site(&e, x, logp, site, d);
    assert_true(now == d[LANES] && now != first[LANES]);
    cs_free(around);
    cs_free(x);
    cs_free(scratch);
    cs_target_release(t);
    cs_target_release(whole);
    cs_target_release(inner);
}

/* Kernels that cannot be a member have a reason. */
static void members_are_chosen_by_type(void **state)
{
    (void)state;
    static const char *const members[] = {
        "random_walk", "gibbs", "dmala",  "hmc",       "nuts",
        "slice",       "edula", "edmala", "any_scale", "edmala_glu"};
    static const char *const others[] = {
        "stretch",  "sgld",       "wolff", "block_gibbs", "parallel_tempering",
        "exchange", "wang_landau"};
    for (size_t k = 0; k < sizeof members / sizeof *members; k++)
        assert_null(cs_kernel_no_member(cs_kernel_find(members[k])));
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        assert_non_null(cs_kernel_no_member(cs_kernel_find(others[k])));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(kernels_in_a_window_move_the_conditional),
    cmocka_unit_test(faults_in_a_window_are_caught),
    cmocka_unit_test(a_window_has_the_space_of_its_part),
    cmocka_unit_test(windows_are_of_the_whole),
    cmocka_unit_test(rows_are_gathered_and_scattered),
    cmocka_unit_test(changed_states_are_asked_again),
    cmocka_unit_test(members_are_chosen_by_type),
};
TESTS(test_windows)
