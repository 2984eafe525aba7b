/* Tests three things that can happen between the steps of a run: draws are
 * passed to a function (the sink), another thread stops the run, and an
 * allocation fails. */
#include "run/arms/arm.h"
#include "run/arms/run_state.h"
#include "run/arms/spec.h"
#include "run/rounds.h"
#include "support/by_name.h"
#include "support/support.h"

#include "base/memory.h"
#include "run/arms/arms.h"
#include "run/draws/draw_store.h"
#include "run/draws/kept_draws.h"
#include "run/history/changes.h"
#include "run/rewind.h"
#include "run/run.h"
#include "run/save.h"
#include "run/views/reports.h"
#include "run/views/view.h"

#include <pthread.h>
#include <string.h>
#include <time.h>

enum { CHAINS = 9, DIM = 2 };

/* Opens a run of two arms, hmc and random_walk, with probes whose reports
 * allocate memory. */
static cs_status open_run(cs_target *t, size_t workers, size_t lanes,
                          cs_run **r, cs_error *err)
{
    cs_arm_spec arm[2] = {{.name = "h", .kernel = kernel_of("hmc")},
                          {.name = "w", .kernel = kernel_of("random_walk")}};
    static const char *const names[] = {"diagnostics", "distance"};
    cs_probe_spec probe[2];
    for (size_t i = 0; i < 2; i++)
        probe[i] = (cs_probe_spec){.type = cs_probe_find(names[i])};
    cs_run_spec spec = {.target = t,
                        .arms = arm,
                        .n_arms = 2,
                        .chains = CHAINS,
                        .seed = 21,
                        .probes = probe,
                        .n_probes = 2,
                        .workers = workers,
                        .block_lanes = lanes,
                        .keep = 64};
    *r = NULL;
    return cs_run_create(r, &spec, err);
}

static cs_run *opened(cs_target *t, size_t workers, size_t lanes)
{
    cs_run *r;
    assert_int_equal(open_run(t, workers, lanes, &r, NULL), CS_OK);
    return r;
}

/* ---- the sink ---- */

enum { ROOM = 20000, MOST = 16, WIDE = 2000 };

static cs_target *wide_target(void)
{
    cs_target *t = NULL;
    const cs_value dim = {
        .name = "dim", .kind = CS_PARAM_INT, .number = WIDE, .given = true};
    assert_int_equal(
        cs_target_create(cs_target_find("gaussian"), &dim, 1, &t, NULL), CS_OK);
    return t;
}

typedef struct written {
    cs_run *run;
    size_t n[2][CHAINS], columns[2];
    double row[2][CHAINS][ROOM / 10][MOST];
} written;

static void sink(void *self, size_t arm, size_t chain, const double *rows,
                 size_t n)
{
    written *s = self;
    for (size_t i = 0; i < n; i++) {
        size_t at = s->n[arm][chain]++;
        assert_true(at < ROOM / 10);
        memcpy(s->row[arm][chain][at], rows + i * (s->columns[arm] + DIM),
               (s->columns[arm] + DIM) * sizeof(double));
    }
}

/* Opens the sink; returns the index of the named column of arm 0. */
static size_t listen(written *s, cs_run *r, uint64_t thin, const char *column)
{
    const char *const *name;
    size_t at = 99;
    memset(s, 0, sizeof *s);
    s->run = r;
    for (size_t i = 0; i < 2; i++)
        s->columns[i] = cs_run_columns(r, i, &name);
    for (size_t i = 0; i < cs_run_columns(r, 0, &name); i++)
        if (strcmp(name[i], column) == 0)
            at = i;
    assert_true(at < MOST);
    assert_int_equal(cs_run_sink(r, sink, s, thin, NULL), CS_OK);
    return at;
}

static written heard, again;

/* Counts the rows of chains with many coordinates. Only a few of these rows fit
 * into the buffer. */
typedef struct counted {
    size_t n[CHAINS];
    double last[CHAINS];
} counted;

static void count(void *self, size_t arm, size_t chain, const double *rows,
                  size_t n)
{
    counted *s = self;
    (void)arm;
    s->n[chain] += n;
    s->last[chain] = rows[(n - 1) * (WIDE + 3) + 3];
}

/* No row is lost, even if the rows of one round of steps exceed the capacity of
 * the buffer. */
static void no_row_is_lost_for_lack_of_room(void **state)
{
    static counted s;
    cs_target *t = wide_target();
    (void)state;
    for (uint64_t thin = 1; thin < 1000; thin += 199) {
        cs_arm_spec arm = {.name = "w", .kernel = kernel_of("random_walk")};
        const cs_run_spec spec = {.target = t,
                                  .arms = &arm,
                                  .n_arms = 1,
                                  .chains = CHAINS,
                                  .seed = 21,
                                  .workers = 2,
                                  .keep = 2};
        cs_run *r;
        s = (counted){{0}, {0}};
        assert_int_equal(cs_run_create(&r, &spec, NULL), CS_OK);
        assert_int_equal(cs_run_sink(r, count, &s, thin, NULL), CS_OK);
        assert_true(cs_draws_steps(r) < 200 * thin);
        r->rounds->quantum = CS_QUANTUM;
        run_steps(r, 1000);
        for (size_t c = 0; c < CHAINS; c++)
            assert_int_equal(s.n[c], 1000 / thin);
        assert_true(thin > 1 || s.last[8] == cs_run_chain(r, 0, 8).x[0]);
        cs_run_destroy(r);
    }
    cs_target_release(t);
}

/* There is one row per step, with the state after the step. accept_stat__ is
 * the acceptance probability of the last proposal. Because the kinetic energy
 * is not negative, energy__ is at least -log p. */
static void a_row_is_a_step(void **state)
{
    cs_target *t = target_of("gaussian");
    cs_run *r = opened(t, 2, 4);
    size_t leapfrogs = listen(&heard, r, 1, "n_leapfrog__");
    size_t energy = listen(&heard, r, 1, "energy__");
    (void)state;
    for (size_t i = 0; i < 40; i++) {
        run_steps(r, 1);
        for (size_t c = 0; c < CHAINS; c++)
            for (size_t a = 0; a < 2; a++) {
                cs_chain_view v = cs_run_chain(r, a, c);
                const double *row = heard.row[a][c][i];
                assert_int_equal(heard.n[a][c], i + 1);
                assert_near(row[0], v.last.logp, 0, 0);
                assert_near(row[1], fmin(1, exp(v.last.log_ratio)), 1e-15, 0);
                assert_near(row[2], cs_run_arm(r, a).kernel->values[0], 0, 0);
                assert_near(row[heard.columns[a]], v.x[0], 0, 0);
                assert_near(row[heard.columns[a] + 1], v.x[1], 0, 0);
                if (a == 0) {
                    assert_near(row[leapfrogs], 10, 0, 0);
                    assert_true(row[energy] >= -v.last.logp);
                }
            }
    }
    cs_run_destroy(r);
    cs_target_release(t);
}

/* Tests thinned rows, with long advances and a step size that follows a
 * schedule. The kernel that is set later has no leapfrogs. From then on, the
 * column of leapfrogs contains NaN. */
static void rows_are_thinned(void **state)
{
    cs_target *t = target_of("gaussian");
    cs_run *r = opened(t, 2, 4), *whole = opened(t, 1, 32);
    cs_kernel mala = kernel_of("mala");
    cs_schedule s = {.type = cs_schedule_find("linear"),
                     .values = {0.1, 0.2, 1, 1000}};
    size_t column = listen(&heard, r, 7, "n_leapfrog__");
    (void)state;
    listen(&again, whole, 1, "lp__");
    for (int i = 0; i < 2; i++) {
        cs_run *one = i ? whole : r;
        assert_int_equal(cs_run_set_schedule(one, 0, "step", &s, NULL), CS_OK);
        run_steps(one, 1000);
        assert_int_equal(cs_run_set_kernel(one, 0, &mala, NULL, NULL), CS_OK);
        run_steps(one, 100);
    }
    for (size_t c = 0; c < CHAINS; c++) {
        assert_int_equal(heard.n[0][c], 1100 / 7);
        for (size_t i = 0; i < heard.n[0][c]; i++) {
            const double *row = heard.row[0][c][i];
            size_t step = 7 * (i + 1);
            assert_memory_equal(row, again.row[0][c][step - 1],
                                2 * sizeof *row);
            double now = 0.1;
            if (step <= 1000)
                s.type->fill(&s, step, 1, &now);
            assert_near(row[2], now, 1e-15, 0);
            assert_true(isnan(row[column]) == (step > 1000));
        }
    }
    cs_run_destroy(r);
    cs_run_destroy(whole);
    cs_target_release(t);
}

/* A rewind passes no draws to the sink. If steps are repeated after the rewind,
 * their draws are passed again. */
static void going_back_is_silent(void **state)
{
    cs_target *t = target_of("gaussian");
    cs_run *r = opened(t, 2, 4);
    listen(&heard, r, 1, "lp__");
    (void)state;
    run_steps(r, 300);
    assert_int_equal(cs_run_rewind(r, 100, NULL), CS_OK);
    assert_int_equal(heard.n[1][3], 300);
    run_steps(r, 200);
    assert_int_equal(heard.n[1][3], 500);
    for (size_t i = 0; i < 200; i++)
        assert_memory_equal(heard.row[1][3][100 + i], heard.row[1][3][300 + i],
                            sizeof heard.row[1][3][0]);
    assert_int_equal(cs_run_sink(r, NULL, NULL, 0, NULL), CS_OK);
    run_steps(r, 10);
    assert_int_equal(heard.n[1][3], 500);
    cs_run_destroy(r);
    cs_target_release(t);
}

/* ---- a stop ---- */

static void *stop_soon(void *run)
{
    const struct timespec wait = {.tv_nsec = 3000000};
    nanosleep(&wait, NULL);
    cs_run_stop(run);
    return NULL;
}

/* After a stop at any time, all chains of all arms are at the same step. The
 * run then equals a run with that number of steps. */
static void a_stop_leaves_no_trace(void **state)
{
    cs_target *t = target_of("gaussian");
    cs_run *r = opened(t, 2, 4);
    (void)state;
    for (int i = 0; i < 5; i++) {
        pthread_t thread;
        uint64_t before = cs_run_steps(r), done;
        assert_int_equal(pthread_create(&thread, NULL, stop_soon, r), 0);
        assert_int_equal(cs_run_advance(r, 1u << 30, &done, NULL), CS_OK);
        pthread_join(thread, NULL);
        assert_true(done < 1u << 30 && cs_run_steps(r) == before + done);
        for (size_t a = 0; a < 2; a++)
            for (size_t c = 0; c < CHAINS; c++)
                assert_true(cs_run_chain(r, a, c).tally.steps ==
                            (double)cs_run_steps(r));
    }
    cs_run *plain = opened(t, 1, 32);
    run_steps(plain, cs_run_steps(r));
    for (size_t c = 0; c < CHAINS; c++) {
        double x[DIM];
        memcpy(x, cs_run_chain(r, 0, c).x, sizeof x);
        assert_memory_equal(x, cs_run_chain(plain, 0, c).x, sizeof x);
    }
    cs_run_destroy(r);
    cs_run_destroy(plain);
    cs_target_release(t);
}

/* ---- memory ---- */

static void ignore(void *self, size_t arm, size_t chain, const double *rows,
                   size_t n)
{
    (void)self, (void)arm, (void)chain, (void)rows, (void)n;
}

/* Performs action number `what` of the test. */
static cs_status act(cs_run *r, cs_run *other, int what, cs_error *err)
{
    static const double x[DIM] = {0.5, -0.25};
    cs_kernel mala = kernel_of("mala");
    cs_schedule linear = {.type = cs_schedule_find("linear"),
                          .values = {0.1, 0.2, 1, 100}};
    unsigned char *bytes = NULL;
    char *text = NULL;
    size_t size;
    cs_status s = CS_OK;
    switch (what) {
    case 0:
        return cs_run_set(r, 0, "step", 0.25, err);
    case 1:
        return cs_run_set_schedule(r, 1, "step", &linear, err);
    case 2:
        return cs_run_set_state(r, 1, 4, x, err);
    case 3:
        return cs_run_sink(r, ignore, NULL, 2, err);
    case 4:
        return cs_run_advance(r, 30, NULL, err);
    case 5:
        return cs_run_set_kernel(r, 1, &mala, NULL, err);
    case 6:
        return cs_run_advance(r, 30, NULL, err);
    case 7:
        return cs_run_rewind(r, 45, err);
    case 8:
        s = cs_run_save(r, &bytes, &size, err);
        if (s == CS_OK)
            s = cs_run_load(other, bytes, size, err);
        cs_free(bytes);
        return s;
    default:
        s = cs_run_journal_text(r, &text, err);
        cs_free(text);
        return s;
    }
}

enum { ACTS = 10 };

/* Performs all actions, and repeats each action that failed for lack of memory.
 * Returns the number of failures. */
static int do_all(cs_run *r, cs_run *other)
{
    int refused = 0;
    for (int i = 0; i < ACTS; i++) {
        cs_error err = {0};
        cs_status s = act(r, other, i, &err);
        if (s == CS_OK)
            continue;
        assert_int_equal(s, CS_MEMORY);
        assert_non_null(strstr(err.what, "memory"));
        cs_memory_fail_at(0, false);
        refused++;
        if (act(r, other, i, &err) != CS_OK)
            fail_msg("act %d: %s", i, err.what);
    }
    return refused;
}

static void assert_same(cs_run *a, cs_run *b)
{
    for (size_t arm = 0; arm < 2; arm++)
        for (size_t c = 0; c < CHAINS; c++) {
            cs_chain_view u = cs_run_chain(a, arm, c);
            double x[DIM], at = u.last.logp;
            memcpy(x, u.x, sizeof x);
            cs_chain_view v = cs_run_chain(b, arm, c);
            assert_memory_equal(x, v.x, sizeof x);
            assert_memory_equal(&at, &v.last.logp, sizeof at);
            assert_memory_equal(&u.tally, &v.tally, sizeof u.tally);
        }
}

/* Lets every allocation of every action fail in turn, either only once or from
 * then on. The action reports the error, no data are lost, and the run ends in
 * the same state. */
static void memory_may_be_refused_anywhere(void **state)
{
    cs_target *t = target_of("gaussian");
    cs_run *reference = opened(t, 1, 32), *other = opened(t, 1, 32);
    unsigned long n = 1;
    int refusals = 0;
    (void)state;
    assert_int_equal(do_all(reference, other), 0);
    assert_same(reference, other);
    for (bool reached = true; reached; n++)
        for (int for_ever = 0; for_ever < 2; for_ever++) {
            cs_run *r = opened(t, 1, 4), *second = opened(t, 1, 8);
            cs_memory_fail_at(n, for_ever);
            int now = do_all(r, second);
            reached = now || cs_memory_requests() >= n;
            refusals += now;
            cs_memory_fail_at(0, false);
            assert_same(r, reference);
            assert_same(second, reference);
            cs_run_destroy(r);
            cs_run_destroy(second);
        }
    assert_true(n > 20 && refusals > 20);
    cs_run_destroy(reference);
    cs_run_destroy(other);
    cs_target_release(t);
}

/* A report cannot fail. If there is no memory for an entry of the report, the
 * entry keeps its position but has no value. As soon as there is memory again,
 * the report is complete. */
static void reports_without_memory(void **state)
{
    static unsigned char buffer[3][1 << 18];
    cs_target *t = target_of("gaussian");
    cs_run *r = opened(t, 1, 32);
    cs_flat f[3];
    (void)state;
    for (size_t i = 0; i < 3; i++)
        cs_flat_begin(&f[i], buffer[i], sizeof buffer[i]);
    run_steps(r, 60);
    cs_memory_fail_at(1, true);
    cs_run_report(r, &f[0]);
    cs_memory_fail_at(0, false);
    cs_run_report(r, &f[1]);
    for (unsigned long n = 1; n < 30; n++) {
        cs_memory_fail_at(n, false);
        cs_flat_begin(&f[2], buffer[2], sizeof buffer[2]);
        cs_run_report(r, &f[2]);
        cs_memory_fail_at(0, false);
        cs_flat_begin(&f[2], buffer[2], sizeof buffer[2]);
        cs_run_report(r, &f[2]); /* undefined entries are not cached */
        assert_int_equal(f[2].used, f[1].used);
        assert_memory_equal(buffer[2], buffer[1], f[1].used);
    }
    cs_flat_entry e;
    assert_true(
        cs_flat_find(f[0].base, f[0].used, &e, "arm/0/diagnostics/table"));
    assert_true(isnan(e.data[2]) && !isnan(e.data[0]));
    assert_true(
        cs_flat_find(f[0].base, f[0].used, &e, "arm/0/diagnostics/reason"));
    assert_string_equal(e.text, "out of memory");
    assert_true(
        cs_flat_find(f[1].base, f[1].used, &e, "arm/0/diagnostics/table"));
    assert_true(!isnan(e.data[2]));
    cs_run_destroy(r);
    cs_target_release(t);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_row_is_a_step),
    cmocka_unit_test(no_row_is_lost_for_lack_of_room),
    cmocka_unit_test(rows_are_thinned),
    cmocka_unit_test(going_back_is_silent),
    cmocka_unit_test(a_stop_leaves_no_trace),
    cmocka_unit_test(memory_may_be_refused_anywhere),
    cmocka_unit_test(reports_without_memory),
};
TESTS(test_run_changes)
