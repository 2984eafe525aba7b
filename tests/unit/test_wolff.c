/* Tests wolff on lattices. A step updates log p by the bonds at the boundary of
 * its clusters. The updated log p equals log p of the state. A step evaluates
 * only the sites of its clusters. A chain does not affect the chains in
 * adjacent lanes. */
#include "support/support.h"

#include "chain/block.h"
#include "target/enumeration.h"

#include <math.h>

enum {
    SIDE = 20,
    CHAINS = 19,
    STEPS = 1000 /* log p is recomputed after 1024 steps */
};

static cs_value number(const char *name, double value)
{
    return (cs_value){.name = name, .kind = CS_PARAM_REAL, .number = value};
}

static cs_target *make(const char *name, double beta, double field,
                       const char *coupling)
{
    const cs_value v[] = {
        {.name = "rows", .kind = CS_PARAM_INT, .number = SIDE},
        number("beta", beta),
        number("field", field),
        {.name = "coupling", .kind = CS_PARAM_TEXT, .text = coupling}};
    cs_target *t;
    assert_int_equal(cs_target_create(cs_target_find(name), v, 4, &t, NULL),
                     CS_OK);
    return t;
}

static cs_block *start(cs_target *t, size_t live)
{
    static cs_kernel k;
    cs_block *b;
    assert_int_equal(cs_kernel_init(&k, cs_kernel_find("wolff"), NULL, 0, NULL),
                     CS_OK);
    assert_int_equal(cs_block_create(&b, t, &k, 3, 0, live, NULL, 0, NULL),
                     CS_OK);
    assert_int_equal(cs_block_start(b, NULL, NULL), CS_OK);
    return b;
}

static void run(cs_block *b, size_t steps)
{
    assert_int_equal(cs_block_run(b, NULL, steps, NULL), steps);
}

/* Returns the largest |updated log p - log p of the state| over all lanes,
 * including padding. */
static double astray(const cs_block *b)
{
    double x[SIDE * SIDE], logp, worst = 0;
    for (size_t l = 0; l < b->lanes; l++) {
        for (size_t i = 0; i < SIDE * SIDE; i++)
            x[i] = b->move.x[i * b->lanes + l];
        assert_true(cs_enumeration_evaluate(b->target, x, 1, &logp));
        worst = fmax(worst, fabs(logp - b->move.info.logp[l]));
    }
    return worst;
}

/* Returns the largest difference between the evaluator's cached values and
 * recomputed values. */
static double slopes_astray(cs_block *b)
{
    size_t cells = b->target->cache_words * b->lanes;
    _Alignas(64) double logp[64];
    double worst = 0;
    cs_eval_log_density(&b->eval, CS_NEXT, b->move.x, logp);
    for (size_t k = 0; k < cells; k++)
        worst = fmax(worst, fabs(b->eval.cache[0][k] - b->eval.cache[1][k]));
    return worst;
}

static const struct {
    const char *target, *coupling;
    double beta, field;
} cases[] = {
    {"ising", "ferromagnet", 0.3, 0},  {"ising", "ferromagnet", 0.44, 0},
    {"ising", "normal", 0.4, 0},       {"ising", "antiferromagnet", 0.5, 0.2},
    {"potts", "ferromagnet", 0.99, 0}, {"potts", "signs", 0.8, 0.3}};
enum { CASES = sizeof cases / sizeof *cases };

static cs_target *make_case(size_t k)
{
    return make(cases[k].target, cases[k].beta, cases[k].field,
                cases[k].coupling);
}

static void what_is_carried_does_not_drift(void **state)
{
    (void)state;
    for (size_t k = 0; k < CASES; k++) {
        cs_target *t = make_case(k);
        cs_block *b = start(t, CHAINS);
        for (int i = 0; i < 4; i++) {
            run(b, STEPS / 4);
            assert_near(astray(b), 0, 0, 1e-9);
            assert_near(slopes_astray(b), 0, 0, 1e-11);
        }
        cs_block_destroy(b);
        cs_target_release(t);
    }
}

static void chains_do_not_know_of_each_other(void **state)
{
    (void)state;
    for (size_t k = 0; k < CASES; k++) {
        cs_target *t = make_case(k);
        cs_block *one = start(t, 1), *many = start(t, CHAINS);
        for (int i = 0; i < 300; i++) {
            run(one, 1);
            run(many, 1);
            assert_true(one->move.info.logp[0] == many->move.info.logp[0]);
            assert_true(one->move.info.logp_change[0] ==
                        many->move.info.logp_change[0]);
        }
        for (size_t i = 0; i < t->space.dim; i++)
            assert_true(one->move.x[i * one->lanes] ==
                        many->move.x[i * many->lanes]);
        cs_block_destroy(one);
        cs_block_destroy(many);
        cs_target_release(t);
    }
}

/* Far above the transition temperature a cluster has only a few sites. A step
 * evaluates each of these sites twice, and nothing else. */
static void small_clusters_cost_little(void **state)
{
    (void)state;
    cs_target *t = make("ising", 0.1, 0, "ferromagnet");
    cs_block *b = start(t, CHAINS);
    cs_work before = b->eval.work;
    run(b, STEPS);
    uint64_t sites = b->eval.work.site_differences - before.site_differences;
    assert_int_equal(b->eval.work.log_densities, before.log_densities);
    assert_true(sites >= 2u * STEPS * CHAINS);
    assert_true(sites < 6u * STEPS * CHAINS); /* the mean size is about 1.4 */
    cs_block_destroy(b);
    cs_target_release(t);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(what_is_carried_does_not_drift),
    cmocka_unit_test(chains_do_not_know_of_each_other),
    cmocka_unit_test(small_clusters_cost_little),
};
TESTS(test_wolff)
