/* Tests kernels whose log p is an estimate or is unknown. Reports state this.
 * On request log p itself is evaluated; the evaluation does not count as the
 * arm's work and has no other effect. */
#include "support/by_name.h"
#include "support/support.h"
#include "support/unsure.h"

#include "base/memory.h"
#include "run/draws/kept_draws.h"
#include "run/history/changes.h"
#include "run/rewind.h"
#include "run/run.h"
#include "run/save.h"
#include "run/views/reports.h"
#include "run/views/view.h"
#include "target/enumeration.h"

#include <string.h>

enum { CHAINS = 6, DIM = 2, STEPS = 60, EVERY = 3, ROOM = 1 << 18 };

typedef struct setting {
    cs_logp_kind kind;
    bool exchanges, asked;
    size_t lanes; /* per block; 0: automatic */
} setting;

typedef struct made {
    cs_target *target;
    cs_run *run;
} made;

static cs_target *gauss(void)
{
    const cs_value dim = {
        .name = "dim", .kind = CS_PARAM_INT, .given = 1, .number = DIM};
    cs_target *t;
    assert_int_equal(
        cs_target_create(cs_target_find("gaussian"), &dim, 1, &t, NULL), CS_OK);
    return t;
}

static made make(setting s)
{
    made m = {.target = gauss()};
    const cs_kernel_type *type = &unsure_types[s.kind][s.exchanges];
    const cs_arm_spec arm = {.name = "a", .kernel = {.type = type}};
    const cs_probe_spec probe[] = {
        {.type = cs_probe_find("trace"), .every = EVERY, .true_logp = s.asked},
        {.type = cs_probe_find("diagnostics"),
         .every = EVERY,
         .true_logp = s.asked},
        {.type = cs_probe_find("energy"),
         .every = EVERY,
         .true_logp = s.asked}};
    const cs_run_spec spec = {.target = m.target,
                              .arms = &arm,
                              .n_arms = 1,
                              .chains = CHAINS,
                              .seed = 5,
                              .probes = probe,
                              .n_probes = 3,
                              .workers = s.lanes ? 2 : 1,
                              .block_lanes = s.lanes};
    assert_int_equal(cs_run_create(&m.run, &spec, NULL), CS_OK);
    return m;
}

static void move(made m, uint64_t n)
{
    assert_int_equal(cs_run_advance(m.run, n, NULL, NULL), CS_OK);
}

static void drop(made m)
{
    cs_run_destroy(m.run);
    cs_target_release(m.target);
}

static made moved(setting s)
{
    made m = make(s);
    move(m, STEPS);
    return m;
}

static cs_flat report(made m, const char *probe, void *scratch)
{
    cs_flat f;
    cs_flat_begin(&f, scratch, ROOM);
    assert_true(cs_run_report_one(m.run, 0, probe, "", &f));
    return f;
}

static cs_flat_entry entry(const cs_flat *f, const char *key)
{
    cs_flat_entry e;
    if (!cs_flat_find(f->base, f->used, &e, "%s", key))
        fail_msg("no %s", key);
    return e;
}

static bool has(const cs_flat *f, const char *key)
{
    cs_flat_entry e;
    return cs_flat_find(f->base, f->used, &e, "%s", key);
}

/* Returns log p. The terms are added in another order than in the target. */
static double logp_of(const double *x)
{
    return -(x[0] * x[0] + x[1] * x[1]) / 2;
}

/* Copies the kept draws of a chain, [n][1 + DIM]. */
static size_t draws_of(made m, size_t chain, double *to)
{
    uint64_t every;
    size_t n = cs_run_draws(m.run, 0, chain, NULL, &every);
    assert_true(n <= STEPS && every == 1);
    return cs_run_draws(m.run, 0, chain, to, &every);
}

/* ---- requests ------------- */

static void energy_that_was_asked_for(cs_logp_kind kind)
{
    static _Alignas(8) unsigned char buffer[ROOM];
    made m = moved((setting){.kind = kind, .asked = true});
    cs_flat f = report(m, "trace", buffer);
    cs_flat_entry energy = entry(&f, "0/recent"), x = entry(&f, "1/recent"),
                  y = entry(&f, "2/recent");
    assert_int_equal(energy.rows, CHAINS);
    assert_int_equal(energy.cols, STEPS / EVERY);
    for (size_t i = 0; i < energy.rows * energy.cols; i++) {
        double at[DIM] = {x.data[i], y.data[i]}, logp;
        assert_true(cs_enumeration_evaluate(m.target, at, 1, &logp));
        assert_true(energy.data[i] == -logp);
    }
    assert_false(has(&f, "logp"));
    cs_arm_view v = cs_run_arm(m.run, 0);
    bool own = kind == CS_LOGP_EXACT;
    assert_int_equal(v.observed.log_densities,
                     own ? 0 : CHAINS * (STEPS / EVERY));
    assert_int_equal(v.work.log_densities, own ? CHAINS : 0); /* one evaluation
                                                               * per chain, at
                                                               * the start */
    drop(m);
}

static void asking_shows_log_p_itself(void **state)
{
    (void)state;
    for (cs_logp_kind k = CS_LOGP_EXACT; k <= CS_LOGP_NONE; k++)
        energy_that_was_asked_for(k);
}

static void asking_changes_nothing(void **state)
{
    (void)state;
    static double one[STEPS * (1 + DIM)], two[STEPS * (1 + DIM)];
    for (cs_logp_kind k = CS_LOGP_EXACT; k <= CS_LOGP_NONE; k++) {
        made a = moved((setting){.kind = k}),
             b = moved((setting){.kind = k, .asked = true, .lanes = 2});
        for (size_t c = 0; c < CHAINS; c++) {
            size_t n = draws_of(a, c, one);
            assert_int_equal(n, STEPS);
            assert_int_equal(draws_of(b, c, two), n);
            assert_memory_equal(one, two, n * (1 + DIM) * sizeof *one);
        }
        cs_work x = cs_run_arm(a.run, 0).work, y = cs_run_arm(b.run, 0).work;
        assert_memory_equal(&x, &y, sizeof x);
        drop(a);
        drop(b);
    }
}

static void one_state_is_evaluated_on_request(void **state)
{
    (void)state;
    for (cs_logp_kind k = CS_LOGP_EXACT; k <= CS_LOGP_NONE; k++) {
        made m = moved((setting){.kind = k});
        cs_chain_view v = cs_run_chain(m.run, 0, 3);
        double logp, want;
        assert_true(cs_enumeration_evaluate(m.target, v.x, 1, &want));
        assert_int_equal(cs_run_true_logp(m.run, 0, 3, &logp, NULL), CS_OK);
        if (k == CS_LOGP_EXACT)
            assert_near(logp, want, 1e-12, 1e-12);
        else
            assert_true(logp == want);
        cs_arm_view arm = cs_run_arm(m.run, 0);
        assert_int_equal(arm.observed.log_densities, k != CS_LOGP_EXACT);
        assert_int_equal(arm.work.log_densities,
                         k == CS_LOGP_EXACT ? CHAINS : 0);
        drop(m);
    }
}

/* If an allocation of the observer fails, the failure is reported and the state
 * is unchanged. */
static void lack_of_memory_is_said(void **state)
{
    (void)state;
    made m = moved((setting){.kind = CS_LOGP_NONE});
    cs_error err = {0};
    double logp = 0, x = cs_run_chain(m.run, 0, 5).x[0];
    cs_memory_fail_at(1, false);
    cs_status s = cs_run_true_logp(m.run, 0, 5, &logp, &err);
    cs_memory_fail_at(0, false);
    assert_int_equal(s, CS_MEMORY);
    assert_non_null(strstr(err.what, "out of memory"));
    assert_int_equal(cs_run_true_logp(m.run, 0, 5, &logp, NULL), CS_OK);
    assert_true(cs_run_chain(m.run, 0, 5).x[0] == x);
    assert_int_equal(cs_run_arm(m.run, 0).observed.log_densities, 1);
    drop(m);
}

/* ---- reports ---------- */

static void look_at_table(const cs_flat *f, cs_logp_kind kind)
{
    cs_flat_entry e = entry(f, "table");
    const cs_figures *row = CS_ENTRY_ROWS(e, cs_figures);
    assert_int_equal(e.rows, 1 + DIM);
    for (size_t k = 0; k < e.rows; k++) {
        bool known = k || kind != CS_LOGP_NONE;
        assert_int_equal(!isnan(row[k].mean), known);
        assert_int_equal(!isnan(row[k].rhat), known);
        assert_int_equal(!isnan(row[k].ess), known);
    }
    double mean = row[0].mean;
    assert_true(kind != CS_LOGP_EXACT || mean < 0);
    assert_true(kind != CS_LOGP_ESTIMATE || mean > UNSURE_OFF - 100);
    assert_null(strstr(entry(f, "words").text, "the kernel has no log p"));
}

static void reports_say_what_they_show(void **state)
{
    (void)state;
    static _Alignas(8) unsigned char buffer[ROOM];
    static const char *const probes[] = {"trace", "energy", "diagnostics"};
    for (int asked = 0; asked < 2; asked++)
        for (cs_logp_kind k = CS_LOGP_EXACT; k <= CS_LOGP_NONE; k++) {
            made m = moved((setting){.kind = k, .asked = asked});
            cs_logp_kind shown = asked ? CS_LOGP_EXACT : k;
            assert_int_equal(cs_run_arm(m.run, 0).logp, k);
            for (size_t p = 0; p < 3; p++) {
                cs_flat f = report(m, probes[p], buffer);
                assert_int_equal(has(&f, "logp"), shown != CS_LOGP_EXACT);
                if (shown != CS_LOGP_EXACT)
                    assert_string_equal(entry(&f, "logp").text,
                                        cs_logp_name(shown));
            }
            cs_flat f = report(m, "diagnostics", buffer);
            look_at_table(&f, shown);
            f = report(m, "energy", buffer);
            assert_int_equal(has(&f, "counts"), shown != CS_LOGP_NONE);
            drop(m);
        }
}

static void hear(void *self, size_t arm, size_t chain, const double *rows,
                 size_t n)
{
    cs_logp_kind *kind = self;
    (void)arm;
    (void)chain;
    for (size_t i = 0; i < n; i++, rows += 2 + DIM) {
        double logp = logp_of(rows + 2);
        if (*kind == CS_LOGP_NONE)
            assert_true(isnan(rows[0]));
        else
            assert_near(rows[0],
                        logp + (*kind == CS_LOGP_ESTIMATE ? UNSURE_OFF : 0),
                        1e-12, 1e-9);
    }
}

static void draws_have_what_the_kernel_has(void **state)
{
    (void)state;
    static double row[STEPS * (1 + DIM)];
    for (cs_logp_kind k = CS_LOGP_EXACT; k <= CS_LOGP_NONE; k++) {
        made m = make((setting){.kind = k});
        assert_int_equal(cs_run_sink(m.run, hear, &k, 1, NULL), CS_OK);
        move(m, STEPS);
        assert_int_equal(draws_of(m, 1, row), STEPS);
        for (size_t i = 0; i < STEPS; i++)
            assert_int_equal(isnan(row[i * (1 + DIM)]), k == CS_LOGP_NONE);
        double last = cs_run_decision(m.run, 0, 1).last.logp;
        assert_int_equal(isnan(last), k == CS_LOGP_NONE);
        drop(m);
    }
}

static void exchanges_are_told(void **state)
{
    (void)state;
    for (cs_logp_kind k = CS_LOGP_EXACT; k <= CS_LOGP_NONE; k++) {
        made m = moved((setting){.kind = k, .exchanges = true, .asked = true});
        for (size_t c = 0; c < CHAINS; c++) {
            double reported = unsure_met[c];
            const double *x = cs_run_chain(m.run, 0, c ^ 1).x;
            if (k == CS_LOGP_NONE)
                assert_true(isnan(reported));
            else if (STEPS % 4 == 0)
                assert_near(reported - (k == CS_LOGP_ESTIMATE ? UNSURE_OFF : 0),
                            logp_of(x), 1e-12, 1e-9);
        }
        drop(m);
    }
}

/* ---- rewinding and checkpoints ----- */

static void assert_same(made a, made b)
{
    unsigned char *one, *two;
    size_t n, k;
    assert_int_equal(cs_run_save(a.run, &one, &n, NULL), CS_OK);
    assert_int_equal(cs_run_save(b.run, &two, &k, NULL), CS_OK);
    cs_work x = cs_run_arm(a.run, 0).observed,
            y = cs_run_arm(b.run, 0).observed;
    assert_memory_equal(&x, &y, sizeof x);
    assert_int_equal(n, k);
    cs_free(one);
    cs_free(two);
    static double u[STEPS * (1 + DIM)], v[STEPS * (1 + DIM)];
    for (size_t c = 0; c < CHAINS; c++) {
        size_t rows = draws_of(a, c, u);
        assert_int_equal(draws_of(b, c, v), rows);
        assert_memory_equal(u, v, rows * (1 + DIM) * sizeof *u);
    }
}

static void going_back_takes_the_work_along(void **state)
{
    (void)state;
    for (cs_logp_kind k = CS_LOGP_EXACT; k <= CS_LOGP_NONE; k++) {
        made a = moved((setting){.kind = k, .asked = true}),
             b = make((setting){.kind = k, .asked = true});
        assert_int_equal(cs_run_rewind(a.run, STEPS / 2, NULL), CS_OK);
        move(b, STEPS / 2);
        assert_same(a, b);
        move(a, STEPS / 2);
        move(b, STEPS / 2);
        assert_same(a, b);
        drop(a);
        drop(b);
    }
}

static void a_checkpoint_goes_on(void **state)
{
    (void)state;
    for (cs_logp_kind k = CS_LOGP_EXACT; k <= CS_LOGP_NONE; k++) {
        setting s = {.kind = k, .asked = true};
        made a = make(s), b = make(s);
        unsigned char *bytes;
        size_t n;
        cs_error err = {0};
        move(a, STEPS / 2);
        assert_int_equal(cs_run_save(a.run, &bytes, &n, NULL), CS_OK);
        if (cs_run_load(b.run, bytes, n, &err) != CS_OK)
            fail_msg("%s: %s", cs_logp_name(k), err.what);
        cs_free(bytes);
        assert_same(a, b);
        move(a, STEPS / 2);
        move(b, STEPS / 2);
        assert_same(a, b);
        drop(a);
        drop(b);
    }
}

/* Tests changes of the kernel. After a change from a kernel that estimates log
 * p to a kernel with exact log p, the values observed so far are still reported
 * as estimates. After a change from a kernel without log p, the values are
 * reported as exact. */
static void a_change_of_kernel_is_remembered(void **state)
{
    (void)state;
    static const struct {
        cs_logp_kind first, then, seen;
    } rows[] = {{CS_LOGP_EXACT, CS_LOGP_ESTIMATE, CS_LOGP_ESTIMATE},
                {CS_LOGP_ESTIMATE, CS_LOGP_EXACT, CS_LOGP_ESTIMATE},
                {CS_LOGP_NONE, CS_LOGP_EXACT, CS_LOGP_EXACT},
                {CS_LOGP_NONE, CS_LOGP_NONE, CS_LOGP_NONE}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        made m = make((setting){.kind = rows[i].first});
        cs_plan plan = {.driven = {false}};
        cs_kernel next = {.type = &unsure_types[rows[i].then][0]};
        move(m, 10);
        assert_int_equal(cs_run_set_kernel(m.run, 0, &next, &plan, NULL),
                         CS_OK);
        assert_int_equal(cs_run_arm(m.run, 0).logp, rows[i].first);
        move(m, 10);
        assert_int_equal(cs_run_arm(m.run, 0).logp, rows[i].seen);
        assert_int_equal(cs_run_rewind(m.run, 10, NULL), CS_OK);
        assert_int_equal(cs_run_arm(m.run, 0).logp, rows[i].first);
        drop(m);
    }
}

/* ---- starts ---- */

static size_t asked[8]; /* evaluations of log p per lane */

/* A target whose support is x.1 >= 1, so three of four starting points are
 * outside. */
static void fenced(const cs_target *t, const cs_point *at, double *logp)
{
    (void)t;
    for (size_t l = 0; l < at->lanes; l++) {
        bool used = !at->failed || !at->failed[l];
        asked[l] += used;
        logp[l] = !used ? (double)NAN : at->x[l] < 1 ? -HUGE_VAL : -at->x[l];
    }
}

static cs_status fence(cs_target *t, const cs_value *v, cs_error *err)
{
    (void)v;
    (void)err;
    t->space = (cs_space){.kind = CS_CONTINUOUS, .dim = DIM};
    return CS_OK;
}

static void nothing(cs_target *t)
{
    (void)t;
}

/* A pass over the data is slow. Hence a chain with a valid start is not
 * evaluated again while other chains of its block search for a valid start.
 * Each chain starts at the same state as in a block of its own. */
static void starts_are_asked_once(void **state)
{
    (void)state;
    const cs_target_type type = {.name = "fence",
                                 .create = fence,
                                 .destroy = nothing,
                                 .log_density = fenced};
    const cs_kernel k = {.type = &unsure_types[CS_LOGP_ESTIMATE][0]};
    size_t together[8], again = 0;
    cs_target *t;
    cs_block *all, *one;
    assert_int_equal(cs_target_create(&type, NULL, 0, &t, NULL), CS_OK);
    assert_int_equal(cs_block_create(&all, t, &k, 3, 0, 8, NULL, 0, NULL),
                     CS_OK);
    memset(asked, 0, sizeof asked);
    assert_int_equal(cs_block_start(all, NULL, NULL), CS_OK);
    memcpy(together, asked, sizeof asked);
    for (size_t c = 0; c < 8; c++) {
        assert_int_equal(cs_block_create(&one, t, &k, 3, c, 1, NULL, 0, NULL),
                         CS_OK);
        memset(asked, 0, sizeof asked);
        assert_int_equal(cs_block_start(one, NULL, NULL), CS_OK);
        assert_int_equal(together[c], asked[0]);
        again += asked[0] - 1;
        for (size_t d = 0; d < DIM; d++)
            assert_true(all->move.x[d * all->lanes + c] ==
                        one->move.x[d * one->lanes]);
        assert_true(all->move.info.logp[c] == one->move.info.logp[0]);
        assert_false(all->move.info.accepted[c]);
        cs_block_destroy(one);
    }
    assert_true(again > 8);
    cs_block_destroy(all);
    cs_target_release(t);
}

/* A proposal outside the target's support is rejected, even if the kernel's own
 * ratio would accept this proposal. */
static void places_are_of_the_target(void **state)
{
    (void)state;
    const cs_target_type type = {.name = "fence",
                                 .create = fence,
                                 .destroy = nothing,
                                 .log_density = fenced};
    const double inside[DIM] = {1.5, 0}, outside[DIM] = {0.5, 0};
    for (cs_logp_kind kind = CS_LOGP_EXACT; kind <= CS_LOGP_NONE; kind++) {
        const cs_kernel k = {.type = &unsure_types[kind][0]};
        cs_target *t;
        cs_block *b;
        assert_int_equal(cs_target_create(&type, NULL, 0, &t, NULL), CS_OK);
        assert_int_equal(cs_block_create(&b, t, &k, 3, 0, 8, NULL, 0, NULL),
                         CS_OK);
        assert_int_equal(cs_block_start(b, NULL, NULL), CS_OK);
        assert_int_equal(cs_block_place(b, 2, inside, NULL), CS_OK);
        assert_true(b->move.x[2] == 1.5);
        assert_int_equal(cs_block_place(b, 2, outside, NULL), CS_RANGE);
        assert_true(b->move.x[2] == 1.5);
        cs_block_destroy(b);
        cs_target_release(t);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(asking_shows_log_p_itself),
    cmocka_unit_test(asking_changes_nothing),
    cmocka_unit_test(one_state_is_evaluated_on_request),
    cmocka_unit_test(lack_of_memory_is_said),
    cmocka_unit_test(reports_say_what_they_show),
    cmocka_unit_test(draws_have_what_the_kernel_has),
    cmocka_unit_test(exchanges_are_told),
    cmocka_unit_test(going_back_takes_the_work_along),
    cmocka_unit_test(a_checkpoint_goes_on),
    cmocka_unit_test(a_change_of_kernel_is_remembered),
    cmocka_unit_test(starts_are_asked_once),
    cmocka_unit_test(places_are_of_the_target),
};
TESTS(test_unsure)
