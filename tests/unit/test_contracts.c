/* Tests the preconditions of the core. A call that violates a precondition
 * fails an assert, and a correct call does not. Each call runs in its own
 * process. Release builds omit asserts, so they skip these tests. */
#include "base/memory.h"
#include "chain/block.h"
#include "check/check.h"
#include "probe/probe.h"
#include "simd/variants.h"
#include "support/support.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { DIM = 3, LANES = CS_PAD };

/* ---- a target in three dimensions ---- */

static cs_status create(cs_target *t, const cs_value *values, cs_error *err)
{
    (void)values;
    (void)err;
    t->space = (cs_space){.kind = CS_CONTINUOUS, .dim = DIM};
    return CS_OK;
}

static void destroy(cs_target *t)
{
    (void)t;
}

static void log_density(const cs_target *t, const cs_point *at, double *logp)
{
    (void)t;
    for (size_t l = 0; l < at->lanes; l++)
        logp[l] = -at->x[l] * at->x[l];
}

static void gradient(const cs_target *t, const cs_point *at, double *logp,
                     double *g)
{
    log_density(t, at, logp);
    memset(g, 0, DIM * at->lanes * sizeof *g);
}

static void moved(const cs_target *t, const cs_point *at, const uint32_t *site,
                  const double *value)
{
    (void)t;
    (void)at;
    (void)site;
    (void)value;
}

static cs_target *make(cs_target_type type)
{
    static cs_target_type kept;
    cs_target *t = NULL;
    kept = type;
    if (cs_target_create(&kept, NULL, 0, &t, NULL))
        exit(2);
    return t;
}

static const cs_target_type plain = {.name = "plain",
                                     .create = create,
                                     .destroy = destroy,
                                     .log_density = log_density};

static double *numbers(size_t n)
{
    double *x = cs_alloc(n * LANES, sizeof *x);
    if (!x)
        exit(2);
    return x;
}

/* ---- calls; if `broken` is set, a call violates a precondition ----------- */

static void a_set_that_exists(bool broken)
{
    cs_simd_name(broken ? CS_SIMD_COUNT : CS_SIMD_base);
}

static const uint64_t chain[LANES] = {1, 2, 3, 4, 5, 6, 7, 8};

static void a_purpose_that_exists(bool broken)
{
    cs_streams s = cs_streams_of(1, 1, chain, LANES, LANES);
    cs_fill_uniform(&s, broken ? CS_PURPOSES : CS_FOR_USER, 2, numbers(2));
}

static void rows_that_are_aligned(bool broken)
{
    cs_streams s = cs_streams_of(1, 1, chain, LANES, LANES);
    cs_fill_uniform(&s, CS_FOR_USER, 2, numbers(3) + broken);
}

static void a_lane_of_the_streams(bool broken)
{
    cs_streams s = cs_streams_of(1, 1, chain, LANES, LANES);
    cs_streams_alone(&s, broken ? LANES : LANES - 1);
}

static void a_state_of_the_space(bool broken)
{
    cs_space bits = {.kind = CS_BINARY, .dim = DIM, .values = 2};
    cs_space_state(&bits, broken ? 8 : 7, numbers(1));
}

static void a_target_with_its_density(bool broken)
{
    cs_target_type type = plain;
    type.log_density = broken ? NULL : log_density;
    cs_target_release(make(type));
}

static void no_change_of_sites_without_sites(bool broken)
{
    cs_target_type type = plain;
    type.sites.moved = broken ? moved : NULL;
    cs_target_release(make(type));
}

static void a_target_that_is_held(bool broken)
{
    cs_target *t = make(plain);
    t->holders = broken ? 0 : 1;
    cs_target_release(t);
}

static void no_more_live_lanes_than_lanes(bool broken)
{
    cs_target *t = make(plain);
    cs_eval e;
    cs_eval_open(&e, t, LANES, broken ? LANES + 1 : LANES, NULL, NULL);
    cs_target_release(t);
}

static void a_gradient_that_exists(bool broken)
{
    cs_target_type type = plain;
    type.gradient = broken ? NULL : gradient;
    cs_target *t = make(type);
    cs_eval e;
    cs_eval_open(&e, t, LANES, LANES, NULL, NULL);
    cs_eval_gradient(&e, CS_NEXT, numbers(DIM), numbers(1), numbers(DIM));
    cs_target_release(t);
}

static void a_metric_that_exists(bool broken)
{
    cs_metric_words(broken ? CS_METRICS : CS_METRIC_DENSE, DIM);
}

static void a_kernel_with_its_step(bool broken)
{
    cs_kernel_type type = *cs_kernel_find("random_walk");
    cs_kernel k;
    if (broken)
        type.step = NULL;
    cs_kernel_init(&k, &type, NULL, 0, NULL);
    cs_kernel_release(&k);
}

static cs_block *block(cs_target *t, size_t live)
{
    static cs_kernel k;
    cs_block *b = NULL;
    if (cs_kernel_init(&k, cs_kernel_find("random_walk"), NULL, 0, NULL) ||
        cs_block_create(&b, t, &k, 1, 0, live, NULL, 0, NULL) ||
        cs_block_start(b, NULL, NULL))
        exit(2);
    return b;
}

static void a_block_of_chains(bool broken)
{
    cs_target *t = make(plain);
    cs_block_destroy(block(t, broken ? 0 : 2));
    cs_target_release(t);
}

static void a_lane_of_the_block(bool broken)
{
    cs_target *t = make(plain);
    cs_block *b = block(t, 2);
    cs_block_load_lane(b, broken ? 2 : 1, numbers(b->slab_words));
    cs_block_destroy(b);
    cs_target_release(t);
}

static void a_recorder_of_the_block(bool broken)
{
    cs_target *t = make(plain);
    cs_block *b = block(t, 2);
    cs_block_recorder(b, broken ? CS_RECORDERS : CS_DIAGNOSED,
                      (cs_recorder){0});
    cs_block_destroy(b);
    cs_target_release(t);
}

static void a_plan_that_is_held(bool broken)
{
    cs_held_plan *plan = cs_plan_held(NULL);
    plan->holders = broken ? 0 : 1;
    cs_plan_let_go(cs_plan_hold(plan));
}

static void a_probe_with_its_report(bool broken)
{
    cs_target *t = make(plain);
    cs_probe_type type = *cs_probe_find("moments");
    cs_probe p;
    if (broken)
        type.report = NULL;
    cs_probe_init(&p, &type, NULL, 0, t, NULL);
    cs_probe_fini(&p);
    cs_target_release(t);
}

static void a_law_with_a_name(bool broken)
{
    cs_law_find(broken ? NULL : "gradient");
}

/* ---- calls in their own processes ---------------------------------------- */

static int status_of(void (*call)(bool), bool broken)
{
    int status;
    pid_t child = fork();
    if (child == 0) {
        setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
        close(STDERR_FILENO); /* hides the message of the assert */
        signal(SIGABRT, SIG_DFL);
        call(broken);
        _exit(0);
    }
    assert_true(child > 0 && waitpid(child, &status, 0) == child);
    return status;
}

#define CONTRACT(name)                                                         \
    {                                                                          \
#name, name                                                            \
    }

static void broken_contracts_abort(void **state)
{
    static const struct {
        const char *name;
        void (*call)(bool broken);
    } contract[] = {
        CONTRACT(a_set_that_exists),
        CONTRACT(a_purpose_that_exists),
        CONTRACT(rows_that_are_aligned),
        CONTRACT(a_lane_of_the_streams),
        CONTRACT(a_state_of_the_space),
        CONTRACT(a_target_with_its_density),
        CONTRACT(no_change_of_sites_without_sites),
        CONTRACT(a_target_that_is_held),
        CONTRACT(no_more_live_lanes_than_lanes),
        CONTRACT(a_gradient_that_exists),
        CONTRACT(a_metric_that_exists),
        CONTRACT(a_kernel_with_its_step),
        CONTRACT(a_block_of_chains),
        CONTRACT(a_lane_of_the_block),
        CONTRACT(a_recorder_of_the_block),
        CONTRACT(a_plan_that_is_held),
        CONTRACT(a_probe_with_its_report),
        CONTRACT(a_law_with_a_name),
    };
    (void)state;
    for (size_t i = 0; i < sizeof contract / sizeof *contract; i++) {
        int kept = status_of(contract[i].call, false);
        int broken = status_of(contract[i].call, true);
        if (!WIFEXITED(kept) || WEXITSTATUS(kept))
            fail_msg("%s: correct call, but status %d", contract[i].name, kept);
        if (!WIFSIGNALED(broken) || WTERMSIG(broken) != SIGABRT)
            fail_msg("%s: violating call, but status %d", contract[i].name,
                     broken);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(broken_contracts_abort),
};

TESTS(test_contracts)
