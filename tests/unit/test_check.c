/* Tests parts of `check` that scenarios use rarely or never. */
#include "base/clock.h"
#include "run/run.h"
#include "support/support.h"

#include "check/laws.h"
#include "check/state_graph.h"

#include <string.h>

/* ---- the graph of observed moves ----------------------------------------- */

static cs_state_graph graph_of(size_t states, const char *const *steps)
{
    cs_state_graph g;
    assert_true(cs_state_graph_open(&g, states));
    for (; *steps; steps++)
        assert_true(cs_state_graph_add(&g, (size_t)((*steps)[0] - 'a'),
                                       (size_t)((*steps)[1] - 'a')));
    cs_state_graph_merge(&g);
    return g;
}

static void a_step_one_way_does_not_merge(void **state)
{
    (void)state;
    const char *const steps[] = {"ab", "bc", "ca", "cd", "cd",
                                 "de", "ed", "ff", NULL};
    cs_state_graph g = graph_of(6, steps);
    assert_int_equal(g.parts, 3);
    assert_true(g.part[0] == g.part[1] && g.part[1] == g.part[2]);
    assert_true(g.part[3] == g.part[4] && g.part[3] != g.part[0]);
    assert_true(g.part[5] != g.part[0] && g.part[5] != g.part[3]);
    assert_int_equal(g.edges, 1);
    assert_int_equal(g.edge[0], (uint64_t)g.part[0] << 32 | g.part[3]);
    assert_true(cs_state_graph_add(&g, 4, 1)); /* the reverse edge is added
                                                * later */
    cs_state_graph_merge(&g);
    assert_int_equal(g.parts, 2);
    assert_int_equal(g.edges, 0);
    cs_state_graph_close(&g);
}

/* The states form a directed ring, which is strongly connected only after its
 * last edge is added. Before the last edge, the other edges are added eight
 * times and merged. The other edges form the longest possible path. */
static void a_long_ring_closes_with_its_last_step(void **state)
{
    (void)state;
    enum { STATES = 30000 };
    cs_state_graph g;
    assert_true(cs_state_graph_open(&g, STATES));
    for (size_t turn = 0; turn < 8; turn++)
        for (size_t k = 0; k + 1 < STATES; k++)
            assert_true(cs_state_graph_add(&g, k, k + 1));
    cs_state_graph_merge(&g);
    assert_int_equal(g.parts, STATES);
    assert_int_equal(g.edges, STATES - 1);
    assert_true(cs_state_graph_add(&g, STATES - 1, 0));
    cs_state_graph_merge(&g);
    assert_int_equal(g.parts, 1);
    cs_state_graph_close(&g);
}

/* ---- rounds of a statistical test ---------------------------------------- */

/* Passes these p-values to the rounds of a test. Returns the number of rounds
 * and the verdicts. */
static size_t looks_at(const double *p, double seconds, bool *refuted,
                       size_t *draws)
{
    cs_check c = {.seconds = seconds};
    cs_looks l = {0};
    while (cs_check_look(&c, &l)) {
        *draws = l.draws;
        l.p = *p++;
    }
    *refuted = cs_check_refutes(&l);
    return l.look;
}

static void a_p_value_in_doubt_is_looked_at_again(void **state)
{
    (void)state;
    static const struct {
        double p[3];
        size_t looks, draws;
        bool refuted;
    } cases[] = {
        {{0.03}, 1, 20000, false},
        {{0.01, 0.3}, 2, 80000, false},
        {{1e-5, 1e-8}, 2, 80000, true}, /* evidence of a drift in both rounds */
        {{1e-9, 1e-9}, 2, 20000, true},
        {{1e-9, 0.3}, 2, 20000, false}, /* one round never rejects */
        {{1e-4, 0.00098, 1e-4}, 3, 262144, true},
        {{1e-4, 0.00098, 0.01}, 3, 262144, false},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        bool refuted;
        size_t draws, looks = looks_at(cases[k].p, 5, &refuted, &draws);
        assert_int_equal(looks, cases[k].looks);
        assert_int_equal(draws, cases[k].draws);
        assert_int_equal(refuted, cases[k].refuted);
    }
}

static void more_seconds_are_more_draws(void **state)
{
    (void)state;
    const double p[] = {1};
    bool refuted;
    size_t draws;
    looks_at(p, 1, &refuted, &draws);
    assert_int_equal(draws, 20000);
    looks_at(p, 30, &refuted, &draws);
    assert_int_equal(draws, 120000);
}

/* A round that ended late is followed by a round of the full time if its result
 * is doubtful, and only once. */
static void a_late_doubt_starts_the_time_again(void **state)
{
    (void)state;
    cs_check c = {.seconds = 100};
    double now = cs_clock_work();
    cs_looks l = {.look = 1, .draws = 20000, .begin = now - 70, .p = 1e-3};
    assert_true(cs_check_look(&c, &l));
    assert_true(l.until > now + 70);
    l.begin = now - 95;
    l.p = 1e-3;
    assert_false(cs_check_look(&c, &l));
    assert_true(l.late);
    cs_looks sure = {
        .look = 1, .draws = 20000, .begin = now - 95, .p = 0.5, .error = 1};
    assert_false(cs_check_look(&c, &sure));
    assert_false(sure.extended);
}

/* ---- wheels -------------------------------------------------------------- */

enum { WHEELS = 11 }; /* with three values each; too many states to list */

static cs_status flat_create(cs_target *t, const cs_value *given, cs_error *err)
{
    (void)given, (void)err;
    t->space = (cs_space){.kind = CS_CATEGORICAL, .dim = WHEELS, .values = 3};
    return CS_OK;
}

static void flat_density(const cs_target *t, const cs_point *at, double *logp)
{
    (void)t;
    memset(logp, 0, at->lanes * sizeof *logp);
}

static void flat_destroy(cs_target *t)
{
    (void)t;
}

static const cs_target_type flat = {.name = "flat",
                                    .create = flat_create,
                                    .destroy = flat_destroy,
                                    .log_density = flat_density};

/* Rotates a wheel by one at every second step, always in the same direction.
 * The uniform distribution is invariant, but the kernel is not reversible. */
static void turn(cs_move *m)
{
    bool turns = m->streams.step % 2 == 0;
    m->info.proposal = NULL;
    for (size_t l = 0; l < m->lanes; l++) {
        if (turns)
            m->x[l] = m->x[l] == 2 ? 0 : m->x[l] + 1;
        m->info.accepted[l] = m->info.moved[l] = turns;
    }
}

static void start(cs_move *m)
{
    (void)m;
}

static void keep_balance(void *to, const cs_finding *f)
{
    if (strcmp(f->law, "balance") == 0)
        *(cs_finding *)to = *f;
}

static cs_finding balance_of(unsigned flags)
{
    const cs_kernel_type type = {.name = "wheel",
                                 .spaces = CS_DISCRETE,
                                 .flags = flags,
                                 .init = start,
                                 .step = turn};
    cs_arm_spec arm = {.name = "a", .kernel.type = &type};
    cs_finding f = {.text = ""};
    cs_check c = {.say = keep_balance, .to = &f, .seconds = 20};
    cs_target *t;
    cs_run *run;
    assert_int_equal(cs_target_create(&flat, NULL, 0, &t, NULL), CS_OK);
    const cs_run_spec spec = {
        .target = t, .arms = &arm, .n_arms = 1, .chains = 1, .workers = 1};
    assert_int_equal(cs_run_create(&run, &spec, NULL), CS_OK);
    assert_int_equal(cs_check_run(run, &c, NULL), CS_OK);
    cs_run_destroy(run);
    cs_target_release(t);
    return f;
}

static void one_way_is_a_fault_of_who_promised_both(void **state)
{
    (void)state;
    cs_finding f = balance_of(CS_KERNEL_EXACT | CS_KERNEL_REVERSIBLE);
    assert_int_equal(f.verdict, CS_BROKEN);
    assert_non_null(strstr(f.text, "not reversible, though declared so"));
    f = balance_of(CS_KERNEL_EXACT);
    assert_int_equal(f.verdict, CS_UNTRIED);
    assert_non_null(strstr(f.text, "without being reversible"));
    assert_non_null(strstr(f.text, "law stationarity decides"));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_step_one_way_does_not_merge),
    cmocka_unit_test(a_long_ring_closes_with_its_last_step),
    cmocka_unit_test(a_p_value_in_doubt_is_looked_at_again),
    cmocka_unit_test(more_seconds_are_more_draws),
    cmocka_unit_test(a_late_doubt_starts_the_time_again),
    cmocka_unit_test(one_way_is_a_fault_of_who_promised_both),
};
TESTS(test_check)
