/* Compares runs that must be equal: runs with other numbers of workers and
 * other blocks, runs after a rewind, and runs that continue from a
 * checkpoint. */
#include "run/arms/arm.h"
#include "run/arms/run_state.h"
#include "run/arms/spec.h"
#include "support/by_name.h"
#include "support/support.h"

#include "base/memory.h"
#include "run/arms/arms.h"
#include "run/arms/limits.h"
#include "run/draws/diagnosed.h"
#include "run/draws/kept_draws.h"
#include "run/draws/recall.h"
#include "run/history/changes.h"
#include "run/history/marks.h"
#include "run/rewind.h"
#include "run/run.h"
#include "run/save.h"
#include "run/tuning/tune.h"
#include "run/views/reports.h"
#include "run/views/view.h"

#include <string.h>

enum { CHAINS = 40, DIM = 2 };

/* Lists every registered probe that is compatible with the target. */
static size_t all_probes(cs_target *t, cs_probe_spec *out, size_t capacity)
{
    size_t n = 0;
    const cs_probe_type *type;
    for (size_t i = 0; n < capacity && (type = cs_probe_at(i)); i++) {
        cs_probe p;
        if (cs_probe_init(&p, type, NULL, 0, t, NULL) != CS_OK)
            continue;
        cs_probe_fini(&p);
        out[n++] = (cs_probe_spec){.type = type};
    }
    return n;
}

typedef struct options {
    size_t workers, lanes;
    cs_budget budget;
    uint64_t rewind;
    unsigned long fail_at; /* number of the failing allocation; 0: none */
} options;

static cs_status open_run(cs_target *t, options o, cs_run **run, cs_error *err)
{
    cs_arm_spec arm[2] = {{.name = "a"}, {.name = "b", .chains = 3}};
    cs_probe_spec probe[16];
    unsigned long fail_at = o.fail_at;
    cs_memory_fail_at(0, false);
    size_t n_probes = all_probes(t, probe, 16);
    cs_memory_fail_at(fail_at, true);
    for (int i = 0; i < 2; i++) {
        cs_status s = cs_kernel_init(
            &arm[i].kernel, cs_kernel_find("random_walk"), NULL, 0, err);
        if (s != CS_OK)
            return s;
    }
    cs_run_spec spec = {.target = t,
                        .arms = arm,
                        .n_arms = 2,
                        .chains = CHAINS,
                        .seed = 5,
                        .budget = o.budget,
                        .probes = probe,
                        .n_probes = n_probes,
                        .workers = o.workers,
                        .block_lanes = o.lanes,
                        .keep = 64,
                        .rewind_bytes = o.rewind ? o.rewind : 1 << 24};
    return cs_run_create(run, &spec, err);
}

static cs_run *must_open(cs_target *t, options o)
{
    cs_run *run = NULL;
    cs_error err = {0};
    cs_status s = open_run(t, o, &run, &err);
    if (s != CS_OK)
        print_error("%s\n", err.what);
    assert_int_equal(s, CS_OK);
    return run;
}

/* Compares states, energies, tallies and reports of two runs bit for bit. */
static void assert_same(cs_run *a, cs_run *b)
{
    static unsigned char left[4 << 20], right[4 << 20];
    cs_flat l, r;
    assert_int_equal(cs_run_steps(a), cs_run_steps(b));
    for (size_t arm = 0; arm < 2; arm++) {
        cs_arm_view u = cs_run_arm(a, arm), v = cs_run_arm(b, arm);
        assert_memory_equal(&u.work, &v.work, sizeof u.work);
        assert_int_equal(u.steps, v.steps);
        for (size_t c = 0; c < u.chains; c++) {
            cs_chain_view x = cs_run_chain(a, arm, c);
            cs_chain_view y = cs_run_chain(b, arm, c);
            assert_memory_equal(x.x, y.x, DIM * sizeof(double));
            assert_memory_equal(&x.last.logp, &y.last.logp, sizeof x.last.logp);
            assert_memory_equal(&x.tally, &y.tally, sizeof x.tally);
        }
    }
    cs_flat_begin(&l, left, sizeof left);
    cs_flat_begin(&r, right, sizeof right);
    cs_run_report(a, &l);
    cs_run_report(b, &r);
    assert_false(l.full);
    assert_int_equal(l.used, r.used);
    assert_memory_equal(left, right, l.used);
}

static void workers_and_blocks_do_not_matter(void **state)
{
    cs_target *t = target_of("gaussian");
    cs_run *one = must_open(t, (options){.workers = 1, .lanes = 32});
    const options other[] = {
        {.workers = 2, .lanes = 8}, {.workers = 2}, {.workers = 1, .lanes = 5}};
    (void)state;
    run_steps(one, 700);
    for (size_t i = 0; i < 3; i++) {
        cs_run *two = must_open(t, other[i]);
        run_steps(two, 333);
        run_steps(two, 367);
        assert_same(one, two);
        cs_run_destroy(two);
    }
    cs_run_destroy(one);
    cs_target_release(t);
}

/* The comparison detects a run with another step size. */
static void another_step_is_noticed(void **state)
{
    cs_target *t = target_of("gaussian");
    cs_run *one = must_open(t, (options){.workers = 1});
    cs_run *two = must_open(t, (options){.workers = 1});
    (void)state;
    run_steps(one, 50);
    run_steps(two, 51);
    cs_chain_view x = cs_run_chain(one, 0, 0), y = cs_run_chain(two, 0, 0);
    assert_true(x.tally.steps != y.tally.steps);
    cs_run_destroy(one);
    cs_run_destroy(two);
    cs_target_release(t);
}

static void rewind_is_exact(void **state)
{
    cs_target *t = target_of("gaussian");
    cs_run *one = must_open(t, (options){.workers = 2});
    cs_run *two = must_open(t, (options){.workers = 1});
    cs_error err = {0};
    double x[DIM] = {0.25, -0.5};
    (void)state;
    for (int i = 0; i < 2; i++) {
        cs_run *r = i ? two : one;
        run_steps(r, 100);
        assert_int_equal(cs_run_set(r, 0, "step", 0.125, &err), CS_OK);
        run_steps(r, 200);
        assert_int_equal(cs_run_set_state(r, 1, 2, x, &err), CS_OK);
        run_steps(r, 155);
    }
    run_steps(one, 400);
    assert_int_equal(cs_run_set(one, 0, "step", 2, &err), CS_OK);
    run_steps(one, 45);
    assert_int_equal(cs_run_rewind(one, 455, &err), CS_OK);
    assert_same(one, two);
    run_steps(one, 300);
    run_steps(two, 300);
    assert_same(one, two);
    const cs_change *changes;
    assert_int_equal(cs_run_journal(one, &changes), 2);
    assert_string_equal(changes[0].what, "step");
    assert_int_equal(changes[0].step, 100);
    assert_int_equal(cs_run_rewind(one, 9999, &err), CS_RANGE);
    cs_run_destroy(one);
    cs_run_destroy(two);
    cs_target_release(t);
}

static void saved_bytes_go_on(void **state)
{
    cs_target *t = target_of("gaussian");
    cs_run *one = must_open(t, (options){.workers = 1, .lanes = 32});
    cs_run *two = must_open(t, (options){.workers = 2, .lanes = 8});
    unsigned char *bytes;
    size_t size;
    cs_error err = {0};
    (void)state;
    run_steps(one, 321);
    assert_int_equal(cs_run_set(one, 0, "step", 0.5, &err), CS_OK);
    run_steps(one, 100);
    assert_int_equal(cs_run_save(one, &bytes, &size, &err), CS_OK);
    /* Damage at any position is detected. */
    for (size_t i = 0; i < size; i += size / 97) {
        bytes[i] ^= 4;
        assert_int_equal(cs_run_load(two, bytes, size, &err), CS_INPUT);
        bytes[i] ^= 4;
        assert_int_equal(cs_run_load(two, bytes, i, &err), CS_INPUT);
    }
    assert_int_equal(cs_run_load(two, bytes, size, &err), CS_OK);
    assert_same(one, two);
    run_steps(one, 222);
    run_steps(two, 222);
    assert_same(one, two);
    double a[64 * (1 + DIM)], b[64 * (1 + DIM)];
    size_t n = cs_run_draws(one, 0, 17, a, NULL);
    assert_int_equal(cs_run_draws(two, 0, 17, b, NULL), n);
    assert_memory_equal(a, b, n * (1 + DIM) * sizeof *a);
    assert_int_equal(cs_run_rewind(two, 450, &err), CS_OK);
    assert_int_equal(cs_run_rewind(one, 450, &err), CS_OK);
    assert_same(one, two);
    cs_free(bytes);
    cs_run_destroy(one);
    cs_run_destroy(two);
    cs_target_release(t);
}

enum { SUNK = 200, LEAD = 3 };

typedef struct written {
    double row[2][CHAINS][SUNK][LEAD + DIM];
    size_t n[2][CHAINS];
} written;

static void keep_rows(void *self, size_t arm, size_t chain, const double *rows,
                      size_t n)
{
    written *s = self;
    assert_true(s->n[arm][chain] + n <= SUNK);
    memcpy(s->row[arm][chain][s->n[arm][chain]], rows,
           n * sizeof s->row[0][0][0]);
    s->n[arm][chain] += n;
}

static void recall(cs_run *to, const written *s)
{
    for (size_t a = 0; a < 2; a++) {
        assert_int_equal(cs_run_recall(to, a), SUNK);
        for (size_t c = 0; c < cs_run_arm(to, a).chains; c++)
            for (size_t i = 0; i < s->n[a][c]; i++)
                cs_run_recall_draw(to, a, c, i, s->row[a][c][i]);
        cs_run_recalled(to, a);
        assert_int_equal(cs_run_recall(to, a), 0);
    }
}

/* If the number of draws that are read back exceeds the capacity of the store,
 * the draws are thinned by two, repeatedly if necessary. */
static void recall_some(cs_run *to, const written *s)
{
    cs_arm *a = &to->arm[0];
    size_t most = a->diagnosed->most;
    uint64_t every;
    a->diagnosed->most = 64;
    assert_int_equal(cs_run_recall(to, 0), SUNK);
    assert_int_equal(cs_diagnosed_rows(a, &every), SUNK / 4);
    assert_int_equal(every, 4);
    for (size_t i = 0; i < SUNK; i++)
        cs_run_recall_draw(to, 0, 0, i, s->row[0][0][i]);
    for (size_t i = 0; i < SUNK / 4; i++) {
        const double *from = s->row[0][0][4 * i + 3];
        const double *row = a->diagnosed->rows + i * (1 + DIM);
        assert_true(row[0] == from[0] && row[DIM] == from[LEAD + DIM - 1]);
    }
    a->diagnosed->most = most;
    cs_diagnosed_place(a, 1, 0);
}

/* A saved run contains its diagnosed draws. If the run is saved next to files
 * of draws, it omits these draws and reads them back from the files. */
static void diagnosed_draws_are_saved_or_recalled(void **state)
{
    static written s;
    cs_target *t = target_of("gaussian");
    cs_run *one = must_open(t, (options){.workers = 1, .lanes = 32});
    const char *const *names;
    unsigned char *bytes;
    size_t size, all;
    (void)state;
    assert_int_equal(cs_run_columns(one, 0, &names), LEAD);
    cs_run_judge_all(one, 1);
    assert_int_equal(cs_run_sink(one, keep_rows, &s, 1, NULL), CS_OK);
    run_steps(one, SUNK);
    assert_int_equal(cs_run_save(one, &bytes, &all, NULL), CS_OK);
    for (int beside = 0; beside < 2; beside++) {
        cs_run *two = must_open(t, (options){.workers = 2, .lanes = 8});
        assert_int_equal(cs_run_load(two, bytes, beside ? size : all, NULL),
                         CS_OK);
        cs_run_judge_all(two, 1);
        if (beside) {
            recall_some(two, &s);
            recall(two, &s);
        }
        assert_same(one, two);
        cs_free(bytes);
        cs_run_destroy(two);
        if (!beside)
            assert_int_equal(cs_run_save_beside(one, &bytes, &size, NULL),
                             CS_OK);
    }
    assert_true(size < all - CHAINS * SUNK * sizeof(double));
    /* New files would start at this step and lack the earlier draws, so the
     * saved run must now contain these draws itself. */
    cs_run_judge_all(one, 1);
    assert_int_equal(cs_run_save_beside(one, &bytes, &size, NULL), CS_OK);
    assert_int_equal(size, all);
    cs_free(bytes);
    cs_run_destroy(one);
    cs_target_release(t);
}

static cs_run *tuned_run(cs_target *t)
{
    cs_run *run;
    cs_arm_spec arm = {.name = "a", .chains = 3};
    cs_run_spec spec = {.target = t,
                        .arms = &arm,
                        .n_arms = 1,
                        .seed = 5,
                        .workers = 1,
                        .rewind_bytes = 1 << 24};
    assert_int_equal(
        cs_kernel_init(&arm.kernel, cs_kernel_find("dmala"), NULL, 0, NULL), 0);
    assert_int_equal(
        cs_tuner_init(&arm.tuner, cs_tuner_find("acs"), NULL, 0, NULL), 0);
    assert_int_equal(cs_run_create(&run, &spec, NULL), CS_OK);
    return run;
}

/* Rewinds to a mark within the tuner's search, after the search has continued
 * in another way. The tuner stores states of the chains; these states must be
 * restored. */
static void rewind_into_a_search_is_exact(void **state)
{
    cs_target *t = target_of("bernoulli4");
    double dim[16];
    (void)state;
    for (uint64_t at = 15; at < 400; at += 35) {
        cs_run *one = tuned_run(t), *two = tuned_run(t);
        run_steps(one, at + 150);
        run_steps(two, at);
        cs_marks_take(two);
        cs_tuning *g = two->arm[0].tuning;
        size_t held = cs_tuning_held(&two->arm[0]);
        double *was = cs_alloc(held + 1, sizeof *was);
        if (held)
            memcpy(was, g->state, held * sizeof *was);
        run_steps(two, 150);
        assert_int_equal(cs_run_rewind(two, at, NULL), CS_OK);
        assert_int_equal(cs_tuning_held(&two->arm[0]), held);
        if (held)
            assert_memory_equal(was, g->state, held * sizeof *was);
        run_steps(two, 150);
        for (size_t c = 0; c < 3; c++) {
            cs_chain_view x = cs_run_chain(one, 0, c);
            memcpy(dim, x.x, 4 * sizeof *dim);
            cs_chain_view y = cs_run_chain(two, 0, c);
            assert_memory_equal(dim, y.x, 4 * sizeof *dim);
        }
        cs_free(was);
        cs_run_destroy(one);
        cs_run_destroy(two);
    }
    cs_target_release(t);
}

static void budgets_end_on_the_step(void **state)
{
    cs_target *t = target_of("gaussian");
    cs_budget steps = {.steps = 77};
    cs_budget work = {.log_densities = CHAINS * 101};
    uint64_t done;
    (void)state;
    cs_run *r = must_open(t, (options){.budget = steps});
    assert_int_equal(cs_run_advance(r, 1000, &done, NULL), CS_OK);
    assert_int_equal(done, 77);
    assert_true(cs_run_finished(r));
    cs_run_destroy(r);
    r = must_open(t, (options){.budget = work});
    assert_int_equal(cs_run_advance(r, 1000000, &done, NULL), CS_OK);
    /* the start uses the work of one step */
    assert_int_equal(cs_run_arm(r, 0).steps, 100);
    assert_true(cs_run_arm(r, 0).finished);
    cs_run_destroy(r);
    cs_target_release(t);
}

static void draws_thin_by_doubling(void **state)
{
    cs_target *t = target_of("gaussian");
    cs_run *r = must_open(t, (options){.workers = 2});
    double rows[64 * (1 + DIM)];
    uint64_t every;
    (void)state;
    run_steps(r, 200);
    size_t n = cs_run_draws(r, 0, 39, rows, &every);
    assert_int_equal(every, 4);
    assert_int_equal(n, 50);
    assert_memory_equal(&rows[49 * 3 + 1], cs_run_chain(r, 0, 39).x,
                        DIM * sizeof(double));
    cs_run_destroy(r);
    cs_target_release(t);
}

static void steps_allocate_nothing(void **state)
{
    cs_target *t = target_of("gaussian");
    cs_run *r = must_open(t, (options){.workers = 2, .rewind = 1});
    (void)state;
    run_steps(r, 500);
    cs_memory_fail_at(0, false);
    run_steps(r, 60);
    assert_int_equal(cs_memory_requests(), 0);
    cs_run_destroy(r);
    cs_target_release(t);
}

static void every_allocation_may_fail(void **state)
{
    cs_target *t = target_of("gaussian");
    (void)state;
    for (unsigned long n = 1;; n++) {
        cs_run *r = NULL;
        cs_error err = {0};
        options o = {.workers = 2, .fail_at = n};
        cs_status s = open_run(t, o, &r, &err);
        bool reached = cs_memory_requests() >= n;
        cs_memory_fail_at(0, false);
        if (s == CS_OK) {
            run_steps(r, 10);
            cs_run_destroy(r);
        } else {
            assert_int_equal(s, CS_MEMORY);
            assert_null(r);
        }
        if (!reached)
            break;
    }
    cs_target_release(t);
}

/* Returns the number of chains in the first block. */
static size_t lanes_for(size_t chains, size_t workers)
{
    cs_target *t = target_of("gaussian");
    const cs_arm_spec arm = {.name = "a", .kernel = kernel_of("random_walk")};
    cs_error err = {0};
    cs_run *run = NULL;
    const cs_run_spec spec = {.target = t,
                              .arms = &arm,
                              .n_arms = 1,
                              .chains = chains,
                              .workers = workers,
                              .keep = 2,
                              .rewind_bytes = 1};
    assert_int_equal(cs_run_create(&run, &spec, &err), CS_OK);
    size_t lanes = run->arm[0].block[0]->live;
    cs_run_destroy(run);
    cs_target_release(t);
    return lanes;
}

static void workers_have_alike_to_do(void **state)
{
    (void)state;
    assert_int_equal(lanes_for(104, 1), 64);
    /* Two workers get blocks of 56 and 48 chains instead of 64 and 40. */
    assert_int_equal(lanes_for(104, 2), 56);
    assert_int_equal(lanes_for(104, 4), 32);
    assert_int_equal(lanes_for(104, 13), 8);
    assert_int_equal(lanes_for(9, 1), 8); /* blocks of 8 and 1 */
    assert_int_equal(lanes_for(17, 1), 16);
    assert_int_equal(lanes_for(12, 1), 12);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(workers_and_blocks_do_not_matter),
    cmocka_unit_test(workers_have_alike_to_do),
    cmocka_unit_test(another_step_is_noticed),
    cmocka_unit_test(rewind_is_exact),
    cmocka_unit_test(saved_bytes_go_on),
    cmocka_unit_test(diagnosed_draws_are_saved_or_recalled),
    cmocka_unit_test(rewind_into_a_search_is_exact),
    cmocka_unit_test(budgets_end_on_the_step),
    cmocka_unit_test(draws_thin_by_doubling),
    cmocka_unit_test(steps_allocate_nothing),
    cmocka_unit_test(every_allocation_may_fail),
};
TESTS(test_run)
