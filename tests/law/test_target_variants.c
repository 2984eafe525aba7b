/* Tests that every supported instruction set computes the same bits, both for
 * targets and for matrix products. */
#include "support/support.h"

#include "base/memory.h"
#include "simd/variants.h"
#include "target/eval.h"

#include <string.h>

#define CS_TARGET(name, file)                                                  \
    CS_DECLARE_VARIANTS(cs_target_type, cs_target_##name)
#include "targets/targets.def"
#undef CS_TARGET

static const cs_target_type *const table[][CS_SIMD_COUNT] = {
#define CS_TARGET(name, file) CS_VARIANT_ROW(cs_target_##name)
#include "targets/targets.def"
#undef CS_TARGET
};

/* A block of chains at their initial states. */
typedef struct look {
    double dim; /* dimension of a dense Gaussian; 0: default */
    size_t lanes, live;
} look;

static cs_target *made(const cs_target_type *type, const look *k)
{
    cs_target *t = NULL;
    cs_value given[] = {
        {.name = "dim", .kind = CS_PARAM_REAL, .number = k->dim},
        {.name = "rho", .kind = CS_PARAM_REAL, .number = 0.5}};
    assert_int_equal(
        cs_target_create(type, given, k->dim > 0 ? 2 : 0, &t, NULL), CS_OK);
    return t;
}

/* Returns initial states x[dim][lanes]; a single live lane is copied to all
 * lanes. */
static double *starts(const cs_target *t, const look *k)
{
    size_t dim = t->space.dim, lanes = k->lanes;
    double *x = cs_alloc(dim * lanes, 8), *uniform = cs_alloc(2 * dim, 8);
    double *start = uniform + dim;
    for (size_t l = 0; l < lanes; l++) {
        for (size_t i = 0; i < dim; i++)
            uniform[i] = fmod(0.37 + 0.6180339887 * (double)(i + 7 * l), 1);
        cs_target_start(t, uniform, start);
        for (size_t i = 0; i < dim; i++)
            x[i * lanes + l] = k->live == 1 && l ? x[i * lanes] : start[i];
    }
    cs_free(uniform);
    return x;
}

/* Returns log p of a block, its gradient (computed with and without log p) and
 * its force, in out[1 + 2 dim + dim / 2][lanes]. */
static double *evaluate(const cs_target_type *type, const look *k,
                        size_t *words)
{
    cs_target *t = made(type, k);
    size_t dim = t->space.dim, lanes = k->lanes;
    double *cache = cs_alloc(cs_eval_cache_words(t) * lanes, 8);
    double *scratch = cs_alloc(cs_eval_scratch_words(t) * lanes, 8);
    *words = lanes + 2 * dim * lanes + dim * lanes / 2;
    double *x = starts(t, k), *out = cs_alloc(*words, 8);
    cs_eval e;
    cs_eval_open(&e, t, lanes, k->live, cache, scratch);
    if (type->gradient)
        cs_eval_gradient(&e, CS_NOW, x, out, out + lanes);
    else
        cs_eval_log_density(&e, CS_NOW, x, out);
    if (type->gradient_alone)
        cs_eval_gradient_alone(&e, x, out + lanes + dim * lanes);
    if (type->force)
        cs_eval_low_gradient(&e, x,
                             (float *)(void *)(out + lanes + 2 * dim * lanes));
    cs_target_release(t);
    double *const all[] = {cache, scratch, x};
    for (size_t i = 0; i < 3; i++)
        cs_free(all[i]);
    return out;
}

static void agrees(size_t type, const look *k)
{
    size_t words;
    double *plain = evaluate(table[type][0], k, &words);
    for (int v = 1; v <= (int)cs_simd_level(); v++) {
        double *other = evaluate(table[type][v], k, &words);
        if (memcmp(plain, other, words * sizeof *plain) != 0)
            fail_msg("%s (%g), %zu live of %zu: base and %s differ",
                     table[type][0]->name, k->dim, k->live, k->lanes,
                     cs_simd_name((cs_simd)v));
        cs_free(other);
    }
    cs_free(plain);
}

static void the_same_bits_everywhere(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof table / sizeof *table; k++)
        for (size_t live = 1; live <= 16; live += 15)
            agrees(k, &(look){0, 16, live});
}

/* Compares matrix products at sizes for which the last tile is full or
 * incomplete. */
static void products_too(void **state)
{
    static const double dims[] = {2, 5, 13, 67, 100};
    (void)state;
    assert_string_equal(table[0][0]->name, "gaussian");
    for (size_t i = 0; i < sizeof dims / sizeof *dims; i++)
        for (size_t lanes = 8; lanes <= 56; lanes += 8) {
            agrees(0, &(look){dims[i], lanes, lanes});
            agrees(0, &(look){dims[i], lanes, 1});
        }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_same_bits_everywhere),
    cmocka_unit_test(products_too),
};
TESTS(test_target_variants)
