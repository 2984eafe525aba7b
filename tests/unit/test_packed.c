/* Tests a single chain, whose rows are contiguous in memory. It computes the
 * same bits as this chain in a block: its state, its density, its gradient, and
 * all of its memory. */
#include "support/support.h"

#include "base/memory.h"
#include "chain/block.h"

#include <string.h>

enum { CHAINS = 5, CHAIN = 2, STEPS = 40 };

typedef struct work {
    const char *kernel;
    double step, leapfrogs;
    size_t dim;
    double rho, force;
} work;

static cs_target *target_of(const work *w)
{
    cs_target *t = NULL;
    cs_value given[] = {
        {.name = "dim", .kind = CS_PARAM_REAL, .number = (double)w->dim},
        {.name = "rho", .kind = CS_PARAM_REAL, .number = w->rho}};
    assert_int_equal(
        cs_target_create(cs_target_find("gaussian"), given, 2, &t, NULL),
        CS_OK);
    return t;
}

static cs_kernel kernel_of(const work *w)
{
    cs_kernel k;
    cs_value given[] = {
        {.name = "step", .kind = CS_PARAM_REAL, .number = w->step},
        {.name = "leapfrogs", .kind = CS_PARAM_REAL, .number = w->leapfrogs},
        {.name = "gradient_precision",
         .kind = CS_PARAM_REAL,
         .number = w->force}};
    assert_int_equal(cs_kernel_init(&k, cs_kernel_find(w->kernel), given,
                                    w->leapfrogs > 0 ? 3 : 1, NULL),
                     CS_OK);
    return k;
}

/* Returns the slab of chain number `lane` in a block of `live` chains starting
 * with `first`. */
static double *slab_of(const work *w, uint64_t first, size_t live, size_t lane,
                       size_t *words)
{
    cs_target *t = target_of(w);
    cs_kernel k = kernel_of(w);
    cs_block *b;
    assert_int_equal(cs_block_create(&b, t, &k, 1, first, live, NULL, 0, NULL),
                     CS_OK);
    assert_int_equal(cs_block_start(b, NULL, NULL), CS_OK);
    for (size_t i = 0; i < STEPS; i++)
        assert_int_equal(cs_block_run(b, NULL, 1, NULL), 1);
    double *slab = cs_alloc(b->slab_words, sizeof *slab);
    *words = b->slab_words;
    cs_block_save_lane(b, lane, slab);
    cs_block_destroy(b);
    cs_target_release(t);
    return slab;
}

/* Returns true if the single chain `mine` ends in the same state as the chain
 * CHAIN of a block. */
static bool is_same(const work *w, uint64_t mine)
{
    size_t n, m;
    double *company = slab_of(w, 0, CHAINS, CHAIN, &n);
    double *alone = slab_of(w, mine, 1, 0, &m);
    bool same = n == m && memcmp(company, alone, n * sizeof *alone) == 0;
    cs_free(company);
    cs_free(alone);
    return same;
}

static void alone_is_as_in_company(void **state)
{
    static const size_t dims[] = {1, 3, 4, 7, 8, 9, 13, 31, 40, 47, 100};
    (void)state;
    for (size_t i = 0; i < sizeof dims / sizeof *dims; i++)
        for (int dense = 0; dense < 2; dense++) {
            double rho = dense ? 0.5 : 0, step = 0.4;
            const work all[] = {
                {"mala", step, 0, dims[i], rho, 0},
                {"barker", step, 0, dims[i], rho, 0},
                {"hmc", step, 3, dims[i], rho, CS_GRADIENT_DOUBLE},
                {"hmc", step, 3, dims[i], rho, CS_GRADIENT_FLOAT},
                {"random_walk", step, 0, dims[i], rho, 0}};
            for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
                assert_true(is_same(&all[k], CHAIN));
                assert_false(is_same(&all[k], CHAIN + 1));
            }
        }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(alone_is_as_in_company),
};
TESTS(test_packed)
