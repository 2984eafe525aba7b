/* Tests kernels on a target where most states are infeasible: six bits have 64
 * states, and only the six tours of three cities are feasible. Some kernels are
 * compared step by step with the matrix of their formula. For all other kernels
 * the final states of many chains are compared with the target. */
#include "support/support.h"

#include "base/memory.h"
#include "run/run.h"
#include "run/views/view.h"
#include "target/enumeration.h"

#include <math.h>
#include <string.h>

enum { DIM = 6, STATES = 64, TOURS = 6, CHAINS = 512, STEPS = 400 };

static const double costs[9] = {0, 1.0, 0.3, 0.2, 0, 0.5, 0.9, 1.1, 0};

static cs_target *make(void)
{
    const cs_value given = {.name = "costs",
                            .kind = CS_PARAM_ARRAY,
                            .array = costs,
                            .rows = 3,
                            .cols = 3};
    cs_target *t = NULL;
    assert_int_equal(
        cs_target_create(cs_target_find("tsp"), &given, 1, &t, NULL), CS_OK);
    return t;
}

/* Log p and gradient of every state, computed by the evaluator. */
typedef struct table {
    double logp[STATES], g[STATES][DIM];
    size_t tour[TOURS]; /* states that are tours */
    double pi[TOURS];
} table;

static table look(const cs_target *t)
{
    table k = {.logp = {0}};
    double x[DIM], total = 0;
    size_t n = 0;
    double *all = cs_alloc((2 * DIM + 1) * 8, 8), *logp = all + 2 * DIM * 8;
    double *scratch = cs_alloc(cs_eval_scratch_words(t) * 8, 8);
    cs_eval e;
    cs_eval_open(&e, t, 8, 1, NULL, scratch);
    for (size_t s = 0; s < STATES; s++) {
        cs_space_state(&t->space, s, x);
        for (size_t i = 0; i < DIM * 8; i++)
            all[i] = x[i / 8];
        cs_eval_gradient(&e, CS_NOW, all, logp, all + DIM * 8);
        k.logp[s] = logp[0];
        for (size_t i = 0; i < DIM; i++)
            k.g[s][i] = all[(DIM + i) * 8];
        if (logp[0] > -HUGE_VAL) {
            assert_true(n < TOURS);
            k.tour[n] = s;
            total += k.pi[n++] = exp(logp[0]);
        }
    }
    assert_int_equal(n, TOURS);
    for (size_t i = 0; i < TOURS; i++)
        k.pi[i] /= total;
    cs_free(all);
    cs_free(scratch);
    return k;
}

/* Returns q(b | a) of the discrete Langevin proposal. */
static double proposal(const table *k, size_t a, size_t b, double step)
{
    double q = 1;
    for (size_t i = 0; i < DIM; i++) {
        size_t bit = STATES / 2 >> i;
        double out = a & bit ? -1 : 1;
        double p = 1 / (1 + exp(1 / (2 * step) - 0.5 * out * k->g[a][i]));
        q *= (a & bit) != (b & bit) ? p : 1 - p;
    }
    return q;
}

/* Computes P[from][to] between tours. A rejected move counts as a move from a
 * tour to the same tour. */
static void matrix(const table *k, double step, bool adjusted,
                   double P[TOURS][TOURS])
{
    for (size_t i = 0; i < TOURS; i++) {
        double left = 1;
        for (size_t j = 0; j < TOURS; j++) {
            size_t a = k->tour[i], b = k->tour[j];
            double q = proposal(k, a, b, step);
            if (adjusted)
                q = fmin(q, proposal(k, b, a, step) * k->pi[j] / k->pi[i]);
            P[i][j] = q;
            left -= i == j ? 0 : q;
        }
        P[i][i] = left;
    }
}

/* ---- runs ---------------------------------------------------------------- */

static size_t tour_of(const cs_target *t, const table *k, cs_run *run,
                      size_t chain)
{
    size_t s = cs_space_index(&t->space, cs_run_chain(run, 0, chain).x, 1);
    for (size_t i = 0; i < TOURS; i++)
        if (k->tour[i] == s)
            return i;
    fail_msg("a chain is at state %zu, which is not a tour", s);
    return 0;
}

/* Counts the moves of all chains, and the states visited. */
static void watch(cs_target *t, const table *k, const char *kernel,
                  const cs_value *given, size_t n, double moves[TOURS][TOURS],
                  double share[CHAINS][TOURS])
{
    cs_arm_spec arm = {.name = kernel};
    cs_run *run = NULL;
    uint64_t done;
    size_t at[CHAINS];
    assert_int_equal(
        cs_kernel_init(&arm.kernel, cs_kernel_find(kernel), given, n, NULL),
        CS_OK);
    const cs_run_spec spec = {.target = t,
                              .arms = &arm,
                              .n_arms = 1,
                              .chains = CHAINS,
                              .seed = 11,
                              .workers = 1,
                              .keep = 2,
                              .rewind_bytes = 1};
    assert_int_equal(cs_run_create(&run, &spec, NULL), CS_OK);
    memset(moves, 0, TOURS * sizeof *moves);
    memset(share, 0, CHAINS * sizeof *share);
    for (size_t c = 0; c < CHAINS; c++)
        at[c] = tour_of(t, k, run, c);
    for (size_t s = 1; s <= STEPS; s++) {
        assert_int_equal(cs_run_advance(run, 1, &done, NULL), CS_OK);
        for (size_t c = 0; c < CHAINS; c++) {
            size_t to = tour_of(t, k, run, c);
            moves[at[c]][to]++;
            at[c] = to;
            share[c][to] += s > STEPS / 2 ? 2.0 / STEPS : 0;
        }
    }
    cs_run_destroy(run);
}

static double moves[TOURS][TOURS], share[CHAINS][TOURS];

/* Returns the largest deviation of the counted moves from P, in standard
 * deviations of a binomial count. */
static double furthest(double P[TOURS][TOURS])
{
    double most = 0;
    for (size_t i = 0; i < TOURS; i++) {
        double n = 0;
        for (size_t j = 0; j < TOURS; j++)
            n += moves[i][j];
        assert_true(n > 1000);
        for (size_t j = 0; j < TOURS; j++) {
            double p = P[i][j], sd = sqrt(p * (1 - p) / n);
            most = fmax(most, fabs(moves[i][j] / n - p) / sd);
        }
    }
    return most;
}

/* Checks that the counts agree with the formula within five standard
 * deviations. With another matrix, the counts must differ by far more. */
static void steps_follow_the_formula(const char *kernel, bool adjusted)
{
    cs_target *t = make();
    table k = look(t);
    double P[TOURS][TOURS];
    const cs_value step = {
        .name = "step", .kind = CS_PARAM_REAL, .number = 0.4};
    watch(t, &k, kernel, &step, 1, moves, share);
    matrix(&k, 0.4, adjusted, P);
    assert_true(furthest(P) < 5);
    matrix(&k, 0.4, !adjusted, P);
    assert_true(furthest(P) > 8);
    cs_target_release(t);
}

static void langevin_stays_where_a_proposal_is_no_tour(void **state)
{
    (void)state;
    steps_follow_the_formula("dula", false);
    steps_follow_the_formula("dmala", true);
}

/* The shares of the final states agree with the target within five standard
 * errors, which are computed from the independent chains. */
static void exact_kernels_keep_the_law(void **state)
{
    (void)state;
    static const struct {
        const char *kernel;
        cs_value given[2];
        size_t n;
    } cases[] = {
        {"dmala", {{.name = "step", .kind = CS_PARAM_REAL, .number = 0.5}}, 1},
        {"edmala",
         {{.name = "step", .kind = CS_PARAM_REAL, .number = 0.5},
          {.name = "eta", .kind = CS_PARAM_REAL, .number = 0.8}},
         2},
        {"edmala_glu",
         {{.name = "step", .kind = CS_PARAM_REAL, .number = 0.5},
          {.name = "eta", .kind = CS_PARAM_REAL, .number = 2}},
         2},
        {"gwg", {{.name = "flips", .kind = CS_PARAM_INT, .number = 2}}, 1},
        {"hamming_ball",
         {{.name = "sites", .kind = CS_PARAM_INT, .number = 6},
          {.name = "radius", .kind = CS_PARAM_INT, .number = 2}},
         2},
        {"gibbs", {{.name = "sites", .kind = CS_PARAM_INT, .number = 4}}, 1},
    };
    cs_target *t = make();
    table k = look(t);
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        watch(t, &k, cases[c].kernel, cases[c].given, cases[c].n, moves, share);
        for (size_t i = 0; i < TOURS; i++) {
            double sum = 0, square = 0;
            for (size_t l = 0; l < CHAINS; l++) {
                sum += share[l][i];
                square += share[l][i] * share[l][i];
            }
            double mean = sum / CHAINS;
            double sd = sqrt((square / CHAINS - mean * mean) / CHAINS);
            if (!(fabs(mean - k.pi[i]) <= 5 * sd && sd > 0 && sd < 0.02))
                fail_msg("%s: tour %zu has %g +- %g, not %g", cases[c].kernel,
                         i, mean, sd, k.pi[i]);
        }
    }
    cs_target_release(t);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(langevin_stays_where_a_proposal_is_no_tour),
    cmocka_unit_test(exact_kernels_keep_the_law),
};
TESTS(test_constrained)
