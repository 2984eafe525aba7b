/* Tests wrappers around cycles and mixtures: the temperature reaches every
 * member, draws of tempering and flattening follow the target, results do not
 * depend on workers, blocks, checkpoints or rewinds, and wrappers are refused as
 * members. */
#include "run/run.h"
#include "run/views/reports.h"
#include "run/views/view.h"
#include "support/composed.h"
#include "support/run_laws.h"
#include "support/sanitized.h"
#include "support/small_mixed.h"
#include "support/support.h"

#include "kernel/wrapper.h"

#include <math.h>
#include <string.h>

enum { STATES = COMPOSED_STATES, DIM = COMPOSED_DIM };

static const composed_part bits[] = {
    {"far", "dmala", {2, 0.5}, 2, {0, 1}, 2, 1, 1, NULL, 0},
    {"near", "gibbs", {0, 1}, 2, {0, 1}, 2, 2, 3, NULL, 0}};
static const composed_part members[] = {
    {"bits", "mixture", {0}, 0, {0}, 0, 1, 1, bits, 2},
    {"z", "gibbs", {0, 1}, 2, {2}, 1, 1, 1, NULL, 0},
    {"n", "dmala", {2, 0.5}, 2, {3}, 1, 2, 1, NULL, 0}};
static const composed_part in_order = {"all", "cycle", {0}, 0,       {0},
                                       0,     1,       1,   members, 3};
static const composed_part at_random = {"all", "mixture", {0}, 0,       {0},
                                        0,     1,         1,   members, 3};

/* ---- temperature --------------------------------------------------------- */

/* Replaces the target by its power `beta`. */
static void temper(composed_whole *w, double beta)
{
    double total = 0;
    for (size_t s = 0; s < STATES; s++) {
        w->logp[s] *= beta;
        total += w->pi[s] = exp(w->logp[s]);
        for (size_t i = 0; i < DIM; i++)
            w->g[s][i] *= beta;
    }
    for (size_t s = 0; s < STATES; s++)
        w->pi[s] /= total;
}

static void the_temperature_reaches_every_member(void **state)
{
    (void)state;
    static double P[STATES * STATES], power[LAW_CHAINS];
    static composed_whole w;
    static const composed_part *const roots[] = {&in_order, &at_random};
    if (ONLY_RACES)
        skip();
    composed_fill(&w, &small_cached);
    temper(&w, 0.3);
    for (size_t l = 0; l < LAW_CHAINS; l++)
        power[l] = 0.3;
    for (size_t k = 0; k < 2; k++) {
        composed_tree tree;
        assert_int_equal(composed_tree_open(&tree, w.t, roots[k], NULL), CS_OK);
        composed_matrix(&w, roots[k], P);
        double p = composed_frequencies_at(&w, &tree.kernel, P, power);
        print_message("%s: p = %.3g\n", roots[k]->kernel, p);
        assert_true(p > 1e-6);
        composed_tree_close(&tree);
    }
    cs_target_release(w.t);
}

/* ---- draws --------------------------------------------------------------- */

enum { SEEDS = 24, LONG = 2500 };

/* Fills mean[DIM] with the means of the draws of a run. */
static void means_of(cs_target *t, const cs_kernel *k, uint64_t seed,
                     double *mean)
{
    static double memory[1 << 14];
    const cs_probe_spec probe = {.type = cs_probe_find("moments")};
    cs_arm_spec arm = {.name = "a", .kernel = *k};
    cs_run_spec spec = {.target = t,
                        .arms = &arm,
                        .n_arms = 1,
                        .chains = 4,
                        .seed = seed,
                        .workers = 1,
                        .warmup = 300,
                        .probes = &probe,
                        .n_probes = 1};
    cs_run *r = NULL;
    cs_flat f;
    cs_flat_entry e;
    assert_int_equal(cs_run_create(&r, &spec, NULL), CS_OK);
    assert_int_equal(cs_run_advance(r, 300 + LONG, NULL, NULL), CS_OK);
    cs_flat_begin(&f, memory, sizeof memory);
    cs_run_report(r, &f);
    assert_true(cs_flat_find(f.base, f.used, &e, "arm/0/moments/mean"));
    memcpy(mean, e.data, DIM * sizeof *mean);
    cs_run_destroy(r);
}

/* Compares the means of runs with those of the target. */
static void assert_draws(const composed_whole *w, const cs_kernel *k)
{
    double each[SEEDS][DIM], want[DIM] = {0};
    for (size_t s = 0; s < STATES; s++)
        for (size_t i = 0; i < DIM; i++)
            want[i] += w->pi[s] * w->x[s][i];
    for (size_t r = 0; r < SEEDS; r++)
        means_of(w->t, k, r + 1, each[r]);
    for (size_t i = 0; i < DIM; i++) {
        double mean = 0, squares = 0;
        for (size_t r = 0; r < SEEDS; r++)
            mean += each[r][i] / SEEDS;
        for (size_t r = 0; r < SEEDS; r++)
            squares += (each[r][i] - mean) * (each[r][i] - mean);
        double error = sqrt(squares / (SEEDS * (SEEDS - 1.0)));
        print_message("%s: %.4f, exact %.4f, error %.4f\n", k->type->name, mean,
                      want[i], error);
        assert_true(error < 0.05 && fabs(mean - want[i]) < 5 * error);
    }
}

/* Values of wrappers that learn their weights during the warm-up. */
static const cs_value few_temperatures[] = {
    {.name = "learn", .given = true, .number = 200},
    {.name = "rungs", .given = true, .number = 3},
    {.name = "hottest", .given = true, .number = 3},
    {.name = "swap_interval", .given = true, .number = 1}};
static const cs_value few_bins[] = {
    {.name = "learn", .given = true, .number = 250},
    {.name = "every", .given = true, .number = 50},
    {.name = "bins", .given = true, .number = 4},
    {.name = "power", .given = true, .number = 0.4}};

/* Creates a wrapper with four given values, or the default values. */
static cs_kernel wrapped(const char *outer, const cs_value *given,
                         const cs_kernel *inner)
{
    cs_kernel k;
    assert_int_equal(cs_kernel_wrap(&k, cs_kernel_find(outer), given,
                                    given ? 4 : 0, inner, NULL),
                     CS_OK);
    return k;
}

static const struct {
    const char *outer;
    const cs_value *given;
    const composed_part *root;
} wrappers[] = {{"parallel_tempering", NULL, &in_order},
                {"simulated_tempering", few_temperatures, &at_random},
                {"simulated_tempering", few_temperatures, &in_order},
                {"multicanonical", few_bins, &at_random}};
enum { WRAPPERS = sizeof wrappers / sizeof *wrappers };

static void draws_follow_the_target(void **state)
{
    (void)state;
    static composed_whole w;
    if (ONLY_RACES)
        skip();
    composed_fill(&w, &small_cached);
    for (size_t i = 0; i < WRAPPERS; i++) {
        composed_tree tree;
        assert_int_equal(composed_tree_open(&tree, w.t, wrappers[i].root, NULL),
                         CS_OK);
        cs_kernel k =
            wrapped(wrappers[i].outer, wrappers[i].given, &tree.kernel);
        assert_draws(&w, &k);
        cs_kernel_release(&k);
        composed_tree_close(&tree);
    }
    cs_target_release(w.t);
}

/* ---- runs ---------------------------------------------------------------- */

static void runs_can_be_interrupted(void **state)
{
    (void)state;
    cs_target *t = composed_target(&small_cached);
    for (size_t i = 0; i < WRAPPERS + 2; i++) {
        composed_tree tree;
        const composed_part *root = i < WRAPPERS    ? wrappers[i].root
                                    : i == WRAPPERS ? &in_order
                                                    : &at_random;
        assert_int_equal(composed_tree_open(&tree, t, root, NULL), CS_OK);
        cs_kernel k = i < WRAPPERS ? wrapped(wrappers[i].outer,
                                             wrappers[i].given, &tree.kernel)
                                   : tree.kernel;
        assert_true(run_blocks(t, &k));
        assert_true(run_resume(t, &k));
        assert_true(ONLY_RACES || run_rewind(t, &k)); /* in one thread */
        assert_true(ONLY_RACES || run_memory(t, &k));
        if (i < WRAPPERS)
            cs_kernel_release(&k);
        composed_tree_close(&tree);
    }
    cs_target_release(t);
}

/* ---- refusals ------------------------------------------------------------ */

static void wrappers_are_refused_as_members(void **state)
{
    (void)state;
    static const char *const outer[] = {"parallel_tempering", "wang_landau",
                                        "simulated_tempering"};
    cs_kernel gibbs, k;
    const uint32_t z[] = {2};
    assert_int_equal(
        cs_kernel_init(&gibbs, cs_kernel_find("gibbs"), NULL, 0, NULL), CS_OK);
    for (size_t i = 0; i < 3; i++) {
        cs_kernel hot = wrapped(outer[i], NULL, &gibbs);
        cs_error err = {0};
        const cs_member_spec spec = {.name = "z",
                                     .kernel = &hot,
                                     .coordinate = z,
                                     .n = 1,
                                     .times = 1,
                                     .weight = 1};
        assert_int_equal(cs_kernel_mixture(&k, NULL, &spec, 1, &err),
                         CS_UNSUPPORTED);
        assert_non_null(strstr(err.what, "have no common target"));
        assert_non_null(strstr(err.hint, "around the mixture"));
        cs_kernel_release(&hot);
    }
}

/* The draws of a mixture that contains a cycle have no acceptance ratio. */
static void a_cycle_is_not_flattened(void **state)
{
    (void)state;
    static const composed_part one_way[] = {
        {"bits", "gibbs", {1, 1}, 2, {0, 1}, 2, 1, 1, NULL, 0},
        {"rest", "cycle", {0}, 0, {0}, 0, 1, 1, members + 1, 2}};
    static const composed_part roots[] = {
        {"all", "mixture", {0}, 0, {0}, 0, 1, 1, one_way, 2},
        {"all", "cycle", {0}, 0, {0}, 0, 1, 1, members, 3}};
    cs_target *t = composed_target(&small_cached);
    for (size_t i = 0; i < 2; i++) {
        composed_tree tree;
        cs_kernel k;
        cs_error err = {0};
        assert_int_equal(composed_tree_open(&tree, t, &roots[i], NULL), CS_OK);
        assert_int_equal(cs_kernel_wrap(&k, cs_kernel_find("samc"), NULL, 0,
                                        &tree.kernel, &err),
                         CS_UNSUPPORTED);
        assert_non_null(strstr(err.what, "not reversible"));
        assert_non_null(strstr(err.hint, "mixture of reversible kernels"));
        composed_tree_close(&tree);
    }
    cs_target_release(t);
}

/* A mixture is reversible only while the values of its members are. */
static void values_may_end_reversibility(void **state)
{
    (void)state;
    composed_tree tree;
    cs_target *t = composed_target(&small_cached);
    assert_int_equal(composed_tree_open(&tree, t, &at_random, NULL), CS_OK);
    cs_kernel k = wrapped("samc", NULL, &tree.kernel);
    assert_int_equal(cs_kernel_fits(&k, t, NULL), CS_OK);
    int row = cs_param_find(k.type->params, k.type->n_params, "z.scan");
    assert_true(row >= 0);
    k.values[row] = 1;
    assert_int_equal(cs_kernel_fits(&k, t, NULL), CS_UNSUPPORTED);
    cs_kernel_release(&k);
    composed_tree_close(&tree);
    cs_target_release(t);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_temperature_reaches_every_member),
    cmocka_unit_test(draws_follow_the_target),
    cmocka_unit_test(runs_can_be_interrupted),
    cmocka_unit_test(wrappers_are_refused_as_members),
    cmocka_unit_test(a_cycle_is_not_flattened),
    cmocka_unit_test(values_may_end_reversibility),
};
TESTS(test_tempered_cycle)
