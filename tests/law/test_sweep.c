/* Tests sweeps of gibbs by colours: on a traced chain of labels the matrix of a
 * step is the product of the matrices of single sites, and leaves the target
 * invariant; a sweep in a window and in a block makes the same draws as a sweep of
 * one chain; a higher temperature makes equal neighbours rarer. */
#include "support/laws.h"
#include "support/support.h"

#include "base/memory.h"
#include "check/laws.h"
#include "kernel/composed.h"
#include "tape/expression_target.h"
#include "target/part_window.h"

#include <math.h>
#include <string.h>

enum { SITES = 4, VALUES = 2, STATES = 16, LONG = 300 };

static const cs_part parts[] = {
    {.name = "z",
     .kind = CS_CATEGORICAL,
     .first = 0,
     .dim = SITES,
     .low = 1,
     .values = VALUES},
    {.name = "m", .kind = CS_CONTINUOUS, .first = SITES, .dim = 1}};

static cs_node op(cs_graph *g, cs_op o, cs_node a, cs_node b)
{
    return cs_graph_op2(g, o, a, b);
}

/* Makes a chain of n labels: neighbours are equal with weight 0.9, and label i
 * has the datum sin(i + 1). With `real`, a real coordinate follows, which shifts
 * the data. */
static cs_target *make_chain(size_t n, bool real)
{
    cs_graph *g;
    cs_target *t;
    cs_error err;
    cs_part own[2] = {parts[0], parts[1]};
    own[0].dim = own[1].first = n;
    const cs_space
        mixed = {.kind = CS_MIXED, .dim = n + 1, .n_parts = 2, .part = own},
        labels = {.kind = CS_CATEGORICAL, .dim = n, .low = 1, .values = VALUES};
    const cs_space space = real ? mixed : labels;
    assert_int_equal(cs_graph_create(space.dim, 1 << 20, &g, &err), CS_OK);
    assert_true(cs_tape_set_ranges(g, &space));
    cs_node x = cs_graph_input(g), logp = cs_graph_number(g, 0);
    for (size_t i = 0; i < n; i++) {
        cs_node z = cs_graph_slice(g, x, i, 1);
        cs_node off = op(g, CS_OP_SUB, z, cs_graph_number(g, 1.5));
        cs_node y = cs_graph_number(g, sin((double)i + 1));
        if (real)
            y = op(g, CS_OP_ADD, y, cs_graph_slice(g, x, n, 1));
        logp = op(g, CS_OP_ADD, logp, op(g, CS_OP_MUL, off, y));
        if (i == 0)
            continue;
        cs_node same = cs_graph_same(g, z, cs_graph_slice(g, x, i - 1, 1));
        logp = op(g, CS_OP_ADD, logp,
                  cs_graph_op3(g, CS_OP_WHERE, same, cs_graph_number(g, 0.9),
                               cs_graph_number(g, 0)));
    }
    assert_int_equal(cs_tape_target_create(g, logp, &space, &t, &err), CS_OK);
    assert_non_null(t->type->sites.colour);
    return t;
}

static cs_kernel sweeping(void)
{
    cs_kernel k;
    assert_int_equal(cs_kernel_init(&k, cs_kernel_find("gibbs"), NULL, 0, NULL),
                     CS_OK);
    k.values[0] = 2; /* scan = "sweep" */
    return k;
}

/* ---- the matrix ---------------------------------------------------------- */

typedef struct listed {
    cs_target *t;
    double x[STATES][SITES], logp[STATES], pi[STATES];
} listed;

static void list_states(listed *w, cs_target *t)
{
    double sum = 0;
    w->t = t;
    for (size_t k = 0; k < STATES; k++)
        for (size_t i = 0; i < SITES; i++)
            w->x[k][i] = 1 + (double)(k >> (SITES - 1 - i) & 1);
    cs_enumeration_log_densities(t, w->x[0], STATES, w->logp);
    for (size_t k = 0; k < STATES; k++)
        sum += w->pi[k] = exp(w->logp[k]);
    for (size_t k = 0; k < STATES; k++)
        w->pi[k] /= sum;
}

/* Multiplies P by the matrix that redraws site i. */
static void redraw(const listed *w, size_t i, double P[STATES][STATES])
{
    size_t bit = (size_t)1 << (SITES - 1 - i);
    for (size_t a = 0; a < STATES; a++)
        for (size_t k = 0; k < STATES; k++) {
            if (k & bit)
                continue;
            double both = P[a][k] + P[a][k | bit];
            double of = w->pi[k] / (w->pi[k] + w->pi[k | bit]);
            P[a][k] = both * of;
            P[a][k | bit] = both * (1 - of);
        }
}

/* Counts the states after one step from each state. */
static void count_steps(const listed *w, size_t rounds,
                        double count[STATES][STATES])
{
    enum { LANES = 32 };
    cs_kernel k = sweeping();
    cs_block *b;
    const double *start[LANES];
    memset(count, 0, STATES * sizeof count[0]);
    for (size_t l = 0; l < LANES; l++)
        start[l] = w->x[l % STATES];
    assert_int_equal(cs_block_create(&b, w->t, &k, 3, 0, LANES, NULL, 0, NULL),
                     CS_OK);
    for (size_t r = 0; r < rounds; r++) {
        cs_check_reseed(b, 5 + r);
        assert_int_equal(cs_block_start(b, start, NULL), CS_OK);
        cs_block_run(b, NULL, 1, NULL);
        for (size_t l = 0; l < LANES; l++) {
            size_t to = 0;
            for (size_t i = 0; i < SITES; i++)
                to = 2 * to + (b->move.x[i * b->lanes + l] > 1.5);
            count[l % STATES][to]++;
            assert_near(b->move.info.logp[l], w->logp[to], 1e-12, 1e-12);
        }
    }
    cs_block_destroy(b);
}

static void a_sweep_is_the_product_of_its_sites(void **state)
{
    (void)state;
    static double P[STATES][STATES], count[STATES][STATES];
    cs_target *t = make_chain(SITES, false);
    const uint32_t *site;
    listed w;
    size_t n;
    list_states(&w, t);
    memset(P, 0, sizeof P);
    for (size_t k = 0; k < STATES; k++)
        P[k][k] = 1;
    for (size_t k = 0; (site = t->type->sites.colour(t, k, &n)); k++)
        for (size_t i = 0; i < n; i++)
            redraw(&w, site[i], P);
    for (size_t b = 0; b < STATES; b++) {
        double sum = 0;
        for (size_t a = 0; a < STATES; a++)
            sum += w.pi[a] * P[a][b];
        assert_near(sum, w.pi[b], 1e-12, 1e-12);
    }
    count_steps(&w, 4000, count);
    for (size_t a = 0; a < STATES; a++) {
        double p = cs_check_cells_p(count[a], P[a], STATES);
        print_message("state %zu: p = %.3g\n", a, p);
        assert_true(p > 1e-5);
    }
    cs_target_release(t);
}

/* ---- lanes and windows --------------------------------------------------- */

static void start_of(double *x, size_t n, size_t lane)
{
    for (size_t i = 0; i < n; i++)
        x[i] = 1 + (double)((i * 7 + lane * 3) % 5 > 2);
    x[n] = 0.3 * (double)lane;
}

/* Runs `live` chains from chain `first` on; copies the states to
 * y[live][LONG + 1]. */
static void run_chains(cs_target *t, const cs_kernel *k, size_t first,
                       size_t live, const double *power, double *y)
{
    static double x[5][LONG + 1];
    const double *start[5];
    cs_block *b;
    double logp[5];
    for (size_t l = 0; l < live; l++) {
        start_of(x[l], LONG, first + l);
        start[l] = x[l];
    }
    assert_int_equal(cs_block_create(&b, t, k, 3, first, live, NULL, 0, NULL),
                     CS_OK);
    if (power)
        b->eval.power = power;
    assert_int_equal(cs_block_start(b, start, NULL), CS_OK);
    cs_block_run(b, NULL, 40, NULL);
    for (size_t l = 0; l < live; l++)
        cs_block_state(b, l, y + l * (LONG + 1));
    cs_enumeration_log_densities(t, y, live, logp);
    for (size_t l = 0; l < live; l++)
        assert_near(b->move.info.logp[l], logp[l] * (power ? power[l] : 1),
                    1e-10, 1e-10);
    cs_block_destroy(b);
}

/* A cycle of a sweep of the labels and a random walk of the real coordinate:
 * chains alone and in a block make the same steps. */
static void chains_do_not_depend_on_their_block(void **state)
{
    (void)state;
    static double together[5 * (LONG + 1)], alone[LONG + 1];
    static uint32_t labels[LONG];
    static const uint32_t real[] = {LONG};
    cs_target *t = make_chain(LONG, true);
    cs_kernel gibbs = sweeping(), walk, cycle;
    assert_int_equal(
        cs_kernel_init(&walk, cs_kernel_find("random_walk"), NULL, 0, NULL),
        CS_OK);
    for (uint32_t i = 0; i < LONG; i++)
        labels[i] = i;
    const cs_member_spec spec[] = {{.name = "z",
                                    .kernel = &gibbs,
                                    .coordinate = labels,
                                    .n = LONG,
                                    .times = 2,
                                    .weight = 1},
                                   {.name = "m",
                                    .kernel = &walk,
                                    .coordinate = real,
                                    .n = 1,
                                    .times = 1,
                                    .weight = 1}};
    assert_int_equal(cs_kernel_cycle(&cycle, t, spec, 2, NULL), CS_OK);
    run_chains(t, &cycle, 0, 5, NULL, together);
    for (size_t l = 0; l < 5; l++) {
        run_chains(t, &cycle, l, 1, NULL, alone);
        assert_memory_equal(alone, together + l * (LONG + 1), sizeof alone);
    }
    cs_kernel_release(&cycle);
    cs_target_release(t);
}

/* At a low inverse temperature neighbours are equal about half of the time. */
static void sweeps_are_tempered(void **state)
{
    (void)state;
    static double y[2 * (LONG + 1)];
    const double power[CS_PAD] = {1, 0.01, 0.01, 0.01, 0.01, 0.01, 0.01, 0.01};
    cs_target *t = make_chain(LONG, true);
    static uint32_t labels[LONG];
    cs_kernel gibbs = sweeping(), cycle;
    for (uint32_t i = 0; i < LONG; i++)
        labels[i] = i;
    const cs_member_spec spec = {.name = "z",
                                 .kernel = &gibbs,
                                 .coordinate = labels,
                                 .n = LONG,
                                 .times = 1,
                                 .weight = 1};
    static const uint32_t real[] = {LONG};
    assert_int_equal(cs_kernel_cycle(&cycle, NULL, &spec, 1, NULL), CS_OK);
    assert_int_equal(cs_composed_hold(cycle.self, real, 1, NULL), CS_OK);
    assert_int_equal(cs_composed_bind(cycle.self, t, NULL), CS_OK);
    run_chains(t, &cycle, 0, 2, power, y);
    size_t same[2] = {0, 0};
    for (size_t l = 0; l < 2; l++)
        for (size_t i = 1; i < LONG; i++)
            same[l] += y[l * (LONG + 1) + i] == y[l * (LONG + 1) + i - 1];
    print_message("equal neighbours: %zu and %zu\n", same[0], same[1]);
    assert_true(same[0] > 170 && same[1] < 180);
    cs_kernel_release(&cycle);
    cs_target_release(t);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_sweep_is_the_product_of_its_sites),
    cmocka_unit_test(chains_do_not_depend_on_their_block),
    cmocka_unit_test(sweeps_are_tempered),
};
TESTS(test_sweep)
