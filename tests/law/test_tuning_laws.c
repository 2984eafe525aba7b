/* Tests the laws of tuners in a run, for every registered tuner. Results depend
 * only on the seed, and not on workers, blocks, interruptions or rewinds.
 * Warm-up steps count as work, but they are neither recorded nor passed to
 * probes. */
#include "base/memory.h"
#include "run/arms/arms.h"
#include "run/draws/kept_draws.h"
#include "run/history/changes.h"
#include "run/rewind.h"
#include "run/run.h"
#include "run/run_replay.h"
#include "run/save.h"
#include "run/tuning/tuning_view.h"
#include "run/views/reports.h"
#include "run/views/view.h"
#include "support/by_name.h"
#include "support/support.h"

#include <string.h>

enum { CHAINS = 11, STEPS = 900, MOST = 1 << 20 };

/* Creates a tuner with a warm-up of a few hundred steps. */
static cs_tuner tuner_of(const cs_tuner_type *type)
{
    cs_tuner t;
    const cs_value steps = {
        .name = "steps", .kind = CS_PARAM_INT, .number = 300};
    bool has = cs_param_find(type->params, type->n_params, "steps") >= 0;
    assert_int_equal(cs_tuner_init(&t, type, &steps, has, NULL), CS_OK);
    return t;
}

static cs_status open_with(cs_target *target, const cs_tuner *tuner,
                           size_t workers, size_t lanes, cs_run **run,
                           cs_error *err)
{
    bool real = cs_space_is_real(&target->space);
    const char *kernel = real ? "random_walk" : "dmala";
    const cs_arm_spec arm[] = {
        {.name = "tuned", .kernel = kernel_of(kernel), .tuner = *tuner},
        {.name = "plain", .kernel = kernel_of(kernel)}};
    cs_probe_spec probe = {.type = cs_probe_find("acceptance")};
    cs_run_spec spec = {.target = target,
                        .arms = arm,
                        .n_arms = 2,
                        .chains = CHAINS,
                        .seed = 5,
                        .probes = &probe,
                        .n_probes = 1,
                        .workers = workers,
                        .block_lanes = lanes,
                        .keep = 32};
    return cs_run_create(run, &spec, err);
}

static cs_run *opened(cs_target *t, const cs_tuner *tuner, size_t workers,
                      size_t lanes)
{
    cs_run *r = NULL;
    assert_int_equal(open_with(t, tuner, workers, lanes, &r, NULL), CS_OK);
    return r;
}

/* ---- required invariances ----- */

static bool same_plan(const cs_arm_view *a, const cs_arm_view *b)
{
    size_t n = a->kernel->type->n_params;
    bool good =
        memcmp(a->kernel->values, b->kernel->values, n * sizeof(double)) == 0;
    for (size_t i = 0; i < n; i++) {
        good &= a->plan->driven[i] == b->plan->driven[i];
        if (a->plan->driven[i])
            good &= memcmp(cs_plan_schedule(a->plan, i)->values,
                           cs_plan_schedule(b->plan, i)->values,
                           sizeof(double[CS_SCHEDULE_VALUES])) == 0;
    }
    return good;
}

static bool same_tuning(const cs_tuning_view *a, const cs_tuning_view *b)
{
    size_t bytes = a->n_trials * sizeof *a->trial;
    return a->active == b->active && a->steps == b->steps &&
           a->n_trials == b->n_trials &&
           (bytes == 0 || memcmp(a->trial, b->trial, bytes) == 0);
}

static bool same_draws(cs_run *a, cs_run *b, size_t arm, size_t chain)
{
    static double x[64][1 + 8], y[64][1 + 8];
    uint64_t every[2];
    size_t n = cs_run_draws(a, arm, chain, x[0], &every[0]);
    size_t k = cs_run_draws(b, arm, chain, y[0], &every[1]);
    size_t row = (1 + cs_target_shown(cs_run_target(a))) * sizeof(double);
    return n == k && every[0] == every[1] && memcmp(x, y, n * row) == 0;
}

static bool same_report(cs_run *a, cs_run *b)
{
    static _Alignas(8) unsigned char x[MOST], y[MOST];
    cs_flat f, g;
    cs_flat_begin(&f, x, MOST);
    cs_flat_begin(&g, y, MOST);
    cs_run_report(a, &f);
    cs_run_report(b, &g);
    return f.used == g.used && memcmp(x, y, f.used) == 0;
}

/* Compares trials, plans, states, work, draws and probe reports bit for bit. */
static bool same(cs_run *a, cs_run *b, bool draws)
{
    bool good = cs_run_steps(a) == cs_run_steps(b) && same_report(a, b);
    size_t dim = cs_run_target(a)->space.dim * sizeof(double);
    for (size_t i = 0; i < 2; i++) {
        cs_arm_view u = cs_run_arm(a, i), v = cs_run_arm(b, i);
        good &= u.warmup_steps == v.warmup_steps && same_plan(&u, &v) &&
                same_tuning(&u.tuning, &v.tuning);
        good &= memcmp(&u.work, &v.work, sizeof u.work) == 0;
        for (size_t c = 0; c < CHAINS; c++) {
            cs_chain_view x = cs_run_chain(a, i, c);
            cs_chain_view y = cs_run_chain(b, i, c);
            good &= memcmp(x.x, y.x, dim) == 0 && x.last.logp == y.last.logp;
            good &= memcmp(&x.tally, &y.tally, sizeof x.tally) == 0;
            good &= !draws || same_draws(a, b, i, c);
        }
    }
    return good;
}

/* ---- laws: each returns true if it holds ---- */

static bool blocks(cs_target *t, const cs_tuner *tuner)
{
    static const size_t lanes[] = {3, 1, 8};
    cs_run *one = opened(t, tuner, 1, 32);
    bool good = true;
    run_steps(one, STEPS);
    for (size_t i = 0; i < 3; i++) {
        cs_run *two = opened(t, tuner, 2, lanes[i]);
        for (uint64_t k = 0; k < STEPS; k += STEPS / 9)
            run_steps(two, STEPS / 9);
        good &= same(one, two, true);
        cs_run_destroy(two);
    }
    cs_run_destroy(one);
    return good;
}

/* Rewinds to several steps of the warm-up and continues. */
static bool rewinds(cs_target *t, const cs_tuner *tuner)
{
    static const uint64_t back[] = {STEPS - 100, 211, 1, 0, 57};
    cs_run *one = opened(t, tuner, 2, 4);
    bool good = true;
    for (size_t i = 0; i < sizeof back / sizeof *back; i++) {
        cs_run *two = opened(t, tuner, 1, 8);
        run_steps(one, STEPS - cs_run_steps(one));
        assert_int_equal(cs_run_rewind(one, back[i], NULL), CS_OK);
        run_steps(two, back[i]);
        good &= same(one, two, false);
        run_steps(one, STEPS - back[i]);
        run_steps(two, STEPS - back[i]);
        good &= same(one, two, false);
        cs_run_destroy(two);
    }
    cs_run_destroy(one);
    return good;
}

/* Returns true if a rewind, followed by a return to the later step, changes
 * neither later states nor results of trials. */
static bool travels(cs_target *t, const cs_tuner *tuner)
{
    static const uint64_t to[] = {STEPS - 100, 57, 211, 1, 230, 0, 120, STEPS};
    cs_run *one = opened(t, tuner, 2, 4);
    bool good = true;
    run_steps(one, STEPS);
    for (size_t i = 0; i < sizeof to / sizeof *to; i++) {
        cs_run *two = opened(t, tuner, 1, 8);
        assert_int_equal(cs_run_travel(one, 107 - 7 * i, NULL), CS_OK);
        assert_int_equal(cs_run_travel(one, to[i], NULL), CS_OK);
        run_steps(two, to[i]);
        good &= same(one, two, false);
        cs_run_destroy(two);
    }
    cs_run_destroy(one);
    return good;
}

/* Returns true if a run that is saved and loaded continues unchanged. The run
 * is saved at any step of the warm-up, and at a step after the warm-up. */
static bool resumes(cs_target *t, const cs_tuner *tuner)
{
    static const uint64_t at[] = {0, 1, 53, 200, STEPS - 10};
    cs_run *one = opened(t, tuner, 1, 32);
    bool good = true;
    run_steps(one, STEPS);
    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
        unsigned char *bytes;
        size_t size;
        cs_run *two = opened(t, tuner, 2, 3), *three = opened(t, tuner, 1, 8);
        run_steps(two, at[i]);
        assert_int_equal(cs_run_save(two, &bytes, &size, NULL), CS_OK);
        run_steps(three, 77);
        assert_int_equal(cs_run_load(three, bytes, size, NULL), CS_OK);
        cs_free(bytes);
        run_steps(three, STEPS - at[i]);
        good &= same(one, three, true);
        /* a rewind to that step must succeed too */
        assert_int_equal(cs_run_rewind(three, at[i], NULL), CS_OK);
        good &= same(two, three, false);
        run_steps(three, STEPS - at[i]);
        good &= same(one, three, false);
        cs_run_destroy(two);
        cs_run_destroy(three);
    }
    cs_run_destroy(one);
    return good;
}

/* Replays two journals: in one the tuner is interrupted, in the other it is
 * not. */
static bool replays(cs_target *t, const cs_tuner *tuner)
{
    bool good = true, drives = !tuner->type->driven || *tuner->type->driven;
    for (int cut = 0; cut < 1 + drives; cut++) {
        cs_run *one = opened(t, tuner, 1, 32), *two = opened(t, tuner, 2, 4);
        char *text;
        run_steps(one, 60);
        assert_int_equal(cs_run_set(one, 1, "step", 0.3, NULL), CS_OK);
        if (cut)
            assert_int_equal(cs_run_set(one, 0, "step", 0.3, NULL), CS_OK);
        good &= cs_run_arm(one, 0).tuning.active == !cut;
        run_steps(one, STEPS - 60);
        assert_int_equal(cs_run_journal_text(one, &text, NULL), CS_OK);
        assert_int_equal(cs_run_replay(two, text, NULL), CS_OK);
        good &= same(one, two, false);
        assert_int_equal(cs_run_rewind(one, 30, NULL), CS_OK);
        good &= cs_run_arm(one, 0).tuning.active;
        cs_free(text);
        cs_run_destroy(one);
        cs_run_destroy(two);
    }
    return good;
}

/* Steps of the warm-up count as the arm's work. Draws are recorded, and probes
 * observe the run, only after the warm-up. */
static bool counts(cs_target *t, const cs_tuner *tuner)
{
    cs_run *r = opened(t, tuner, 1, 8);
    bool good = true;
    while (cs_run_arm(r, 0).tuning.active) {
        cs_arm_view v = cs_run_arm(r, 0), plain = cs_run_arm(r, 1);
        good &= cs_run_draws(r, 0, 0, NULL, NULL) == 0;
        good &= v.warmup_steps == 0 && v.tuning.steps == v.steps;
        good &= v.work.gradients >= plain.work.gradients;
        good &= v.tuning.part >= 0 && v.tuning.part < 1;
        run_steps(r, 1);
    }
    cs_arm_view v = cs_run_arm(r, 0);
    good &= v.warmup_steps > 0 && v.warmup_steps == v.tuning.steps &&
            v.tuning.part == 1;
    good &= cs_run_chain(r, 0, 0).tally.steps == 0;
    run_steps(r, 20);
    v = cs_run_arm(r, 0);
    good &= v.steps == v.warmup_steps + 20 &&
            cs_run_draws(r, 0, 0, NULL, NULL) == 20;
    good &= cs_run_chain(r, 0, 0).tally.steps == 20;
    cs_run_destroy(r);
    return good;
}

/* Lets each allocation fail in turn while a run is opened, saved during its
 * warm-up, and loaded. Each failure is reported, and the next attempt
 * succeeds. */
static bool lacks_memory(cs_target *t, const cs_tuner *tuner, unsigned long n,
                         cs_run *want, bool *good)
{
    unsigned char *bytes = NULL;
    size_t size;
    cs_run *one = NULL, *two = opened(t, tuner, 1, 8);
    cs_memory_fail_at(n, false);
    cs_status s = open_with(t, tuner, 1, 4, &one, NULL);
    cs_status all = s;
    if (s)
        s = one ? CS_INPUT : open_with(t, tuner, 1, 4, &one, NULL);
    *good &= s == CS_OK;
    run_steps(one, 80);
    all |= s = cs_run_save(one, &bytes, &size, NULL);
    if (s)
        *good &= cs_run_save(one, &bytes, &size, NULL) == CS_OK;
    all |= s = cs_run_load(two, bytes, size, NULL);
    if (s)
        *good &= cs_run_load(two, bytes, size, NULL) == CS_OK;
    bool through = cs_memory_requests() < n;
    cs_memory_fail_at(0, false);
    *good &= all == CS_OK || all == CS_MEMORY;
    run_steps(two, 60);
    *good &= same(two, want, true);
    cs_free(bytes);
    cs_run_destroy(one);
    cs_run_destroy(two);
    return through;
}

static bool short_of_memory(cs_target *t, const cs_tuner *tuner)
{
    cs_run *want = opened(t, tuner, 1, 32);
    bool good = true;
    run_steps(want, 140);
    for (unsigned long n = 1; good && !lacks_memory(t, tuner, n, want, &good);
         n++)
        good &= n < 1000;
    cs_run_destroy(want);
    return good;
}

static const struct law {
    const char *name;
    bool (*holds)(cs_target *t, const cs_tuner *tuner);
} laws[] = {{"blocks", blocks},
            {"rewinds", rewinds},
            {"travels", travels},
            {"resumes", resumes},
            {"replays", replays},
            {"counts", counts},
            {"lack of memory", short_of_memory}};
enum { LAWS = sizeof laws / sizeof *laws };

static void obeys(const cs_tuner_type *type, cs_target *t)
{
    cs_tuner tuner = tuner_of(type);
    for (size_t k = 0; k < LAWS; k++)
        if (!laws[k].holds(t, &tuner))
            fail_msg("tuner %s violates the law: %s on %s", type->name,
                     laws[k].name, t->name);
}

/* The coordinates of the target are bits. For tuners that learn a metric, the
 * coordinates are real numbers. */
static void every_tuner_obeys(void **state)
{
    cs_target *bits = target_of("bernoulli4"), *real = target_of("gaussian");
    const cs_tuner_type *type;
    (void)state;
    for (size_t i = 0; (type = cs_tuner_at(i)); i++) {
        if (type->learns != CS_LEARNS_DENSE)
            obeys(type, bits);
        if (type->learns != CS_LEARNS_NO_METRIC)
            obeys(type, real);
    }
    cs_target_release(bits);
    cs_target_release(real);
}

/* ---- planted faults ---- */

static const cs_tuner_type *good_type;
static double hidden; /* fault: state outside of the tuner's memory */

/* Fault: keeps results across a restart. */
static bool remembers(const cs_tuner *t, void *memory, const double *result,
                      cs_trial *trial)
{
    bool more = good_type->next(t, memory, result, trial);
    hidden = hidden * 0.5 + (isnan(*result) ? 0.1 : *result);
    trial->value[0] *= 1 + hidden;
    return more;
}

static bool takes_longer(const cs_tuner *t, void *memory, const double *result,
                         cs_trial *trial)
{
    double *n = memory;
    (void)t;
    (void)result;
    ++*n;
    *trial = (cs_trial){.keep = CS_NO_SLOT,
                        .from = CS_NO_SLOT,
                        .steps = 10,
                        .value = {0.2},
                        .taken = CS_NO_TRIAL};
    return *n < 60; /* fault: more steps than declared */
}

static void faults_are_found(void **state)
{
    static const char *const caught[] = {"rewinds", "counts"};
    cs_target *t = target_of("bernoulli4");
    (void)state;
    good_type = cs_tuner_find("acceptance");
    cs_tuner_type faulty[] = {*good_type, *good_type};
    faulty[0].next = remembers;
    faulty[1].next = takes_longer;
    for (size_t i = 0; i < 2; i++) {
        cs_tuner tuner = tuner_of(&faulty[i]);
        bool found = false;
        for (size_t k = 0; k < LAWS; k++)
            if (strcmp(laws[k].name, caught[i]) == 0)
                found = !laws[k].holds(t, &tuner);
        if (!found)
            fail_msg("a fault is not detected by the law: %s", caught[i]);
    }
    cs_target_release(t);
}

/* ---- refused settings --- */

static void wrong_uses_are_refused(void **state)
{
    cs_target *t = target_of("bernoulli4");
    cs_run *r = NULL;
    cs_error err;
    cs_tuner tuner = tuner_of(cs_tuner_find("acceptance"));
    cs_arm_spec arm = {.kernel = kernel_of("gwg"), .tuner = tuner};
    cs_run_spec spec = {.target = t, .arms = &arm, .n_arms = 1};
    (void)state;
    assert_int_equal(cs_run_create(&r, &spec, &err), CS_UNSUPPORTED);
    assert_non_null(strstr(err.what, "'step'"));
    arm.kernel = kernel_of("dmala");
    strcpy(arm.tuner.parameter, "stepp");
    assert_int_equal(cs_run_create(&r, &spec, &err), CS_UNSUPPORTED);
    strcpy(arm.tuner.parameter, "coding");
    assert_int_equal(cs_run_create(&r, &spec, &err), CS_UNSUPPORTED);
    strcpy(arm.tuner.parameter, "step");
    const cs_schedule one = cs_schedule_constant(1);
    assert_true(cs_plan_drive(&arm.plan, 0, &one));
    assert_int_equal(cs_run_create(&r, &spec, &err), CS_INPUT);
    arm.plan.driven[0] = false;
    arm.kernel = kernel_of("dula"); /* a kernel without an accept step */
    assert_int_equal(cs_run_create(&r, &spec, &err), CS_UNSUPPORTED);
    cs_target_release(t);
}

/* ---- the target acceptance is reached ---- */

static double reached(const char *target, const char *kernel, double start,
                      double wanted)
{
    cs_target *t = target_of(target);
    const cs_value given = {
        .name = "acceptance", .kind = CS_PARAM_REAL, .number = wanted};
    cs_arm_spec arm = {.kernel = kernel_of(kernel)};
    cs_run_spec spec = {.target = t, .arms = &arm, .n_arms = 1, .chains = 32};
    cs_run *r;
    double sum = 0, n = 0;
    int step = cs_param_find(arm.kernel.type->params, arm.kernel.type->n_params,
                             "step");
    arm.kernel.values[step] = start;
    assert_int_equal(
        cs_tuner_init(&arm.tuner, cs_tuner_find("acceptance"), &given, 1, NULL),
        CS_OK);
    assert_int_equal(cs_run_create(&r, &spec, NULL), CS_OK);
    run_steps(r, 500 + 2000);
    assert_int_equal(cs_run_arm(r, 0).warmup_steps, 500);
    for (size_t c = 0; c < 32; c++) {
        cs_tally tally = cs_run_chain(r, 0, c).tally;
        sum += tally.accepted;
        n += tally.steps;
    }
    cs_run_destroy(r);
    cs_target_release(t);
    return sum / n;
}

/* The target acceptance is reached from starting values far too small and far
 * too large. */
static void a_target_is_reached(void **state)
{
    static const struct {
        const char *target, *kernel;
        double start[2], wanted, within;
    } cases[] = {
        {"gaussian", "mala", {1e-4, 40}, 0.574, 0.03},
        {"gaussian", "barker", {1e-4, 40}, 0.4, 0.03},
        {"gaussian", "random_walk", {1e-3, 1e3}, 0.234, 0.03},
        {"gaussian", "hmc", {1e-3, 1.5}, 0.8, 0.04},
        {"bernoulli4", "dmala", {0.05, 0.4}, 0.85, 0.04},
        {"lattice_modes", "dmala", {1, 3000}, 0.574, 0.05},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (size_t k = 0; k < 2; k++) {
            double found = reached(cases[i].target, cases[i].kernel,
                                   cases[i].start[k], cases[i].wanted);
            if (!(fabs(found - cases[i].wanted) <= cases[i].within))
                fail_msg("%s on %s from %g: %g, not %g", cases[i].kernel,
                         cases[i].target, cases[i].start[k], found,
                         cases[i].wanted);
        }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_tuner_obeys),
    cmocka_unit_test(faults_are_found),
    cmocka_unit_test(wrong_uses_are_refused),
    cmocka_unit_test(a_target_is_reached),
};
TESTS(test_tuning_laws)
