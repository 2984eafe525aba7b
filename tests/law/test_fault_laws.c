/* Tests targets with faults. No kernel moves to a state with a NaN density or a
 * gradient that is not finite; such a proposal is rejected and counted. With
 * `strict` such a proposal ends the chain, and an infinite density always ends
 * the chain. The message names the state. A failed chain does not stop the
 * others. An arm ends with its last chain, at the same step for any division of
 * the chains into blocks. */
#include "support/by_name.h"
#include "support/support.h"

#include "base/memory.h"
#include "run/arms/arms.h"
#include "run/arms/limits.h"
#include "run/history/changes.h"
#include "run/run.h"
#include "run/views/reports.h"
#include "run/views/stopped.h"
#include "run/views/view.h"

#include <string.h>

/* A Gaussian that is faulty where coordinate 0 is above `edge`. */
typedef enum side {
    NAN_DENSITY,
    NAN_GRADIENT,
    INF_GRADIENT,
    INF_DENSITY,
    ABYSS
} side;

static side broken;
static double edge;

static cs_status create(cs_target *t, const cs_value *v, cs_error *err)
{
    static const double middle[2];
    (void)v, (void)err;
    t->space = (cs_space){.kind = CS_CONTINUOUS, .dim = 2};
    t->exact = (cs_exact){.modes = middle, .n_modes = 1, .mode_radius = 1};
    return CS_OK;
}

static void destroy(cs_target *t)
{
    (void)t;
}

static void log_density(const cs_target *t, const cs_point *at, double *logp)
{
    (void)t;
    for (size_t l = 0; l < at->lanes; l++) {
        double x = at->x[l], y = at->x[at->lanes + l];
        bool beyond = x > edge && broken == NAN_DENSITY;
        logp[l] = beyond ? (double)NAN : -0.5 * (x * x + y * y);
        if (x > edge && broken == ABYSS)
            logp[l] = -1e200;
        if (x > edge && broken == INF_DENSITY)
            logp[l] = HUGE_VAL;
    }
}

static void gradient(const cs_target *t, const cs_point *at, double *logp,
                     double *g)
{
    log_density(t, at, logp);
    for (size_t i = 0; i < 2 * at->lanes; i++)
        g[i] = -at->x[i];
    for (size_t l = 0; l < at->lanes; l++)
        if (at->x[l] > edge)
            g[at->lanes + l] = broken == INF_GRADIENT || broken == ABYSS
                                   ? HUGE_VAL
                               : broken == NAN_GRADIENT ? (double)NAN
                                                        : -1;
}

/* Chains start on the good side. */
static void start(const cs_target *t, const double *uniform, double *x)
{
    (void)t;
    x[0] = -uniform[0];
    x[1] = uniform[1];
}

static const cs_target_type half = {.name = "half",
                                    .create = create,
                                    .destroy = destroy,
                                    .log_density = log_density,
                                    .gradient = gradient,
                                    .start = start};

static cs_run *open_run(const cs_kernel *k, size_t n, size_t workers,
                        size_t lanes, bool strict)
{
    cs_arm_spec arm[2] = {{.name = "a", .kernel = k[0]},
                          {.name = "b", .kernel = k[n - 1]}};
    const cs_probe_spec probe[] = {{.type = cs_probe_find("diagnostics")},
                                   {.type = cs_probe_find("moments")},
                                   {.type = cs_probe_find("modes")}};
    cs_run_spec spec = {.arms = arm,
                        .n_arms = n,
                        .probes = probe,
                        .n_probes = 3,
                        .chains = 11,
                        .seed = 3,
                        .workers = workers,
                        .block_lanes = lanes,
                        .strict = strict};
    cs_run *r = NULL;
    assert_int_equal(cs_target_create(&half, NULL, 0, &spec.target, NULL), 0);
    assert_int_equal(cs_run_create(&r, &spec, NULL), CS_OK);
    cs_target_release(spec.target);
    return r;
}

/* Runs to the end, or until all chains have failed; returns the number of
 * failed chains. */
static size_t fail_all(cs_run *r)
{
    size_t failed = 0;
    assert_int_equal(cs_run_advance(r, 20000, NULL, NULL), CS_OK);
    for (size_t c = 0; c < 11; c++)
        failed += cs_run_chain(r, 0, c).failed;
    return failed;
}

/* Returns true if every message of the run contains the words, and no state is
 * past the edge. */
static bool reported(cs_run *r, const char *words)
{
    char text[512];
    size_t n = 0;
    bool good = true;
    for (; cs_run_fault(r, text, sizeof text); n++) {
        good = good && strstr(text, "target half: ") == text;
        good = good && strstr(text, words) && strstr(text, "of arm a at step ");
        good = good && strstr(text, "x = (") && strstr(text, "proposal (");
    }
    for (size_t c = 0; c < 11; c++)
        good = good && cs_run_chain(r, 0, c).x[0] <= edge;
    return good && n == 11;
}

static bool law_faults_stop(const cs_kernel *k, side which, bool strict)
{
    static const char *const words[] = {
        [NAN_DENSITY] = "log density is NaN",
        [NAN_GRADIENT] = "gradient is not finite",
        [INF_GRADIENT] = "gradient is not finite",
        [INF_DENSITY] = "log density is +infinity"};
    broken = which;
    edge = 0.5;
    cs_run *r = open_run(k, 1, 1, 0, strict);
    bool good = fail_all(r) == 11 && reported(r, words[which]);
    good = good && cs_run_finished(r);
    cs_run_destroy(r);
    return good;
}

/* A chain that fails keeps the state that it had before the failing step, even
 * if a step evaluates many points. */
static bool law_ends_stay(const cs_kernel *k, side which)
{
    double before[11][2];
    bool good = true;
    broken = which;
    edge = 0.5;
    cs_run *r = open_run(k, 1, 1, 0, true);
    for (size_t n = 0; n < 20000 && !cs_run_finished(r); n++) {
        for (size_t c = 0; c < 11; c++)
            memcpy(before[c], cs_run_chain(r, 0, c).x, sizeof before[c]);
        assert_int_equal(cs_run_advance(r, 1, NULL, NULL), CS_OK);
        for (size_t c = 0; c < 11; c++) {
            cs_chain_view v = cs_run_chain(r, 0, c);
            good &= !v.failed || memcmp(before[c], v.x, sizeof before[c]) == 0;
        }
    }
    good &= cs_run_finished(r);
    cs_run_destroy(r);
    return good;
}

/* Without `strict` faulty proposals are rejected. Every chain makes some faulty
 * proposals, and continues. */
static bool law_faults_are_refused(const cs_kernel *k, side which)
{
    broken = which;
    edge = 0.5;
    cs_run *r = open_run(k, 1, 1, 0, false);
    bool good = fail_all(r) == 0 && cs_run_steps(r) == 20000;
    for (size_t c = 0; c < 11; c++) {
        cs_chain_view v = cs_run_chain(r, 0, c);
        good &= v.x[0] <= edge && v.tally.not_finite > 0;
        good &= v.tally.not_finite + v.tally.accepted <= v.tally.steps;
    }
    cs_run_destroy(r);
    return good;
}

/* Returns false for gradient descent, because it converges before it reaches a
 * fault. */
static bool wanders_here(const cs_kernel_type *type)
{
    return strstr(type->name, "sgd") == NULL;
}

/* Returns false for kernels that need rows of data, which this target does not
 * have. */
static bool takes_half(const cs_kernel_type *type)
{
    return type->spaces & CS_CONTINUOUS && !(type->flags & CS_KERNEL_ESTIMATES);
}

/* Returns true if the default parameters suffice. Some kernels need values that
 * depend on the target. */
static bool fits_half(const cs_kernel *k)
{
    cs_target *t = NULL;
    assert_int_equal(cs_target_create(&half, NULL, 0, &t, NULL), CS_OK);
    bool fits = cs_kernel_fits(k, t, NULL) == CS_OK;
    cs_target_release(t);
    return fits;
}

static void no_kernel_follows_a_fault(void **state)
{
    const cs_kernel_type *type;
    size_t n = 0;
    (void)state;
    for (size_t i = 0; (type = cs_kernel_at(i)); i++) {
        cs_kernel k;
        if (!takes_half(type) ||
            cs_kernel_init(&k, type, NULL, 0, NULL) != CS_OK)
            continue;
        bool gradient = type->flags & CS_KERNEL_GRADIENT;
        bool refuses = type->flags & (CS_KERNEL_ACCEPTS | CS_KERNEL_EXACT);
        /* these laws need independent chains, but a step of sgld in a ladder
         * involves two chains */
        if (!wanders_here(type) || cs_kernel_group(&k) > 1 || !fits_half(&k))
            continue;
        for (int s = NAN_DENSITY; s <= (gradient ? INF_GRADIENT : 0); s++, n++)
            if (!law_faults_stop(&k, (side)s, refuses) ||
                (refuses && !law_faults_are_refused(&k, (side)s)))
                fail_msg("kernel %s, fault %d", type->name, s);
        for (int s = NAN_DENSITY; s <= (gradient ? INF_GRADIENT : 0); s++)
            if (refuses && !law_ends_stay(&k, (side)s))
                fail_msg("kernel %s loses its state, fault %d", type->name, s);
        if (!law_faults_stop(&k, INF_DENSITY, false))
            fail_msg("kernel %s continues at an infinite density", type->name);
        if (!law_ends_stay(&k, INF_DENSITY))
            fail_msg("kernel %s loses its state at infinity", type->name);
    }
    assert_true(n >= 7);
}

/* If a step fails after some, but not all, of the coordinates were redrawn, the
 * whole step is undone. */
static void a_sweep_that_ends_is_undone(void **state)
{
    const cs_value values[] = {
        {.name = "coordinates", .kind = CS_PARAM_INT, .given = 1, .number = 2},
        {.name = "scan", .kind = CS_PARAM_CHOICE, .given = 1, .number = 0}};
    cs_kernel k;
    (void)state;
    assert_int_equal(
        cs_kernel_init(&k, cs_kernel_find("slice"), values, 2, NULL), CS_OK);
    assert_true(law_ends_stay(&k, NAN_DENSITY));
    assert_true(law_ends_stay(&k, INF_DENSITY));
}

/* A proposal where the gradient overflows is rejected, which is not a fault.
 * All chains continue, and none moves to such a point. */
static void the_abyss_is_no_fault(void **state)
{
    const cs_kernel_type *type;
    size_t lanes[] = {1, 8};
    (void)state;
    broken = ABYSS;
    edge = 0.5;
    for (size_t i = 0; (type = cs_kernel_at(i)); i++) {
        cs_kernel k;
        if (!takes_half(type) || !(type->flags & CS_KERNEL_GRADIENT) ||
            cs_kernel_init(&k, type, NULL, 0, NULL) != CS_OK)
            continue;
        for (int j = 0; j < 2; j++) {
            cs_run *r = open_run(&k, 1, 1, lanes[j], true);
            assert_int_equal(fail_all(r), 0);
            double refused = 0;
            for (size_t c = 0; c < 11; c++) {
                cs_chain_view v = cs_run_chain(r, 0, c);
                assert_true(v.x[0] <= edge);
                assert_true(v.tally.accepted > 0);
                refused += v.tally.steps - v.tally.accepted;
            }
            assert_true(refused > 0 || !wanders_here(type));
            cs_run_destroy(r);
        }
    }
}

/* Fault: a kernel that moves anywhere. */
static size_t two_words(const cs_target *t, const double *values)
{
    (void)t;
    (void)values;
    return 2;
}

static void careless_step(cs_move *m)
{
    cs_fill_normal(&m->streams, CS_FOR_PROPOSAL, 2, m->scratch);
    for (size_t i = 0; i < 2 * m->lanes; i++)
        m->x[i] = 0.5 * m->x[i] + m->scratch[i];
    m->info.proposal = m->x;
    cs_eval_log_density(m->eval, CS_NOW, m->x, m->info.logp);
}

static void nothing(cs_move *m)
{
    (void)m;
}

static void a_careless_kernel_is_caught(void **state)
{
    const cs_kernel_type careless = {.name = "careless",
                                     .spaces = CS_CONTINUOUS,
                                     .memory_words = two_words,
                                     .scratch_words = two_words,
                                     .init = nothing,
                                     .step = careless_step};
    cs_kernel k = {.type = &careless};
    (void)state;
    assert_false(law_faults_stop(&k, NAN_DENSITY, true));
    assert_false(law_faults_are_refused(&k, NAN_DENSITY));
}

/* Two arms on a target whose gradient is faulty in places. All chains of mala
 * fail. The random walk, which never evaluates the gradient, runs to the
 * end. */
static void an_arm_ends_with_its_last_chain(void **state)
{
    const cs_kernel k[2] = {kernel_of("mala"), kernel_of("random_walk")};
    static const size_t lanes[] = {0, 1, 3, 8, 32};
    uint64_t step = 0;
    (void)state;
    broken = NAN_GRADIENT;
    edge = 0.5;
    for (size_t i = 0; i < 5; i++) {
        cs_run *r = open_run(k, 2, 1 + i % 2, lanes[i], true);
        assert_int_equal(cs_run_advance(r, 3000, NULL, NULL), CS_OK);
        cs_arm_view a = cs_run_arm(r, 0), b = cs_run_arm(r, 1);
        assert_true(a.finished && !b.finished && !cs_run_finished(r));
        assert_int_equal(b.steps, 3000);
        double last = 0;
        for (size_t c = 0; c < 11; c++) {
            assert_true(cs_run_chain(r, 0, c).failed);
            assert_false(cs_run_chain(r, 1, c).failed);
            last = fmax(last, cs_run_chain(r, 0, c).tally.steps + 1);
        }
        /* The arm ended at the step at which its last chain failed. */
        assert_true(a.steps == (uint64_t)last);
        assert_true(step == 0 || step == a.steps);
        step = a.steps;
        /* one chain is restored, and the arm continues with it */
        static const double x[2] = {-30, 0};
        assert_int_equal(cs_run_set_state(r, 0, 4, x, NULL), CS_OK);
        assert_false(cs_run_arm(r, 0).finished);
        cs_run_destroy(r);
    }
}

/* Probes observe a chain until that chain fails, whether or not the other
 * chains in its block have failed. */
static void a_chain_is_seen_until_it_fails(void **state)
{
    enum { BYTES = 1 << 18 };
    static _Alignas(8) unsigned char alone[BYTES], together[BYTES];
    const cs_kernel k = kernel_of("random_walk");
    (void)state;
    broken = NAN_DENSITY;
    edge = 2;
    for (int steps = 20; steps < 60; steps++) {
        cs_flat one, all;
        cs_flat_begin(&one, alone, BYTES);
        cs_flat_begin(&all, together, BYTES);
        cs_run *a = open_run(&k, 1, 1, 1, true);
        cs_run *b = open_run(&k, 1, 1, 32, true);
        assert_int_equal(cs_run_advance(a, (uint64_t)steps, NULL, NULL), CS_OK);
        assert_int_equal(cs_run_advance(b, (uint64_t)steps, NULL, NULL), CS_OK);
        cs_run_report(a, &one);
        cs_run_report(b, &all);
        assert_int_equal(one.used, all.used);
        assert_memory_equal(alone, together, one.used);
        cs_run_destroy(a);
        cs_run_destroy(b);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(no_kernel_follows_a_fault),
    cmocka_unit_test(a_sweep_that_ends_is_undone),
    cmocka_unit_test(the_abyss_is_no_fault),
    cmocka_unit_test(a_careless_kernel_is_caught),
    cmocka_unit_test(an_arm_ends_with_its_last_chain),
    cmocka_unit_test(a_chain_is_seen_until_it_fails),
};
TESTS(test_fault_laws)
