/* Every instruction set that this processor has computes the same bits. */
#include "support/support.h"

#include "base/memory.h"
#include "base/simd.h"
#include "model/eval.h"

#include <string.h>

#define CS_TARGET(name, file)                                                  \
    CS_DECLARE_VARIANTS(cs_target_type, cs_target_##name)
#include "model/targets.def"
#undef CS_TARGET

static const cs_target_type *const table[][CS_SIMD_COUNT] = {
#define CS_TARGET(name, file) CS_VARIANT_ROW(cs_target_##name)
#include "model/targets.def"
#undef CS_TARGET
};

enum { LANES = 16 };

/* U and gradient of a block at its starts, into out[1 + dim][LANES]. */
static double *evaluate(const cs_target_type *type, size_t live, size_t *words)
{
    cs_target *t = NULL;
    assert_int_equal(cs_target_create(type, NULL, 0, &t, NULL), CS_OK);
    size_t dim = t->space.dim;
    double *cache = cs_alloc(2 * cs_eval_cache_words(t) * LANES, 8);
    double *scratch = cs_alloc(cs_eval_scratch_words(t) * LANES, 8);
    double *x = cs_alloc(dim * LANES, 8), *out = cs_alloc((1 + dim) * LANES, 8);
    double *u = cs_alloc(dim, 8), *start = cs_alloc(dim, 8);
    for (size_t l = 0; l < LANES; l++) {
        for (size_t i = 0; i < dim; i++)
            u[i] = fmod(0.37 + 0.6180339887 * (double)(i + 7 * l), 1);
        cs_target_start(t, u, start);
        for (size_t i = 0; i < dim; i++)
            x[i * LANES + l] = live == 1 && l ? x[i * LANES] : start[i];
    }
    cs_eval e;
    cs_eval_open(&e, t, LANES, live, cache, scratch);
    if (type->gradient)
        cs_eval_gradient(&e, CS_NOW, x, out, out + LANES);
    else
        cs_eval_log_density(&e, CS_NOW, x, out);
    *words = (1 + dim) * LANES;
    cs_target_release(t);
    double *const all[] = {cache, scratch, x, u, start};
    for (size_t i = 0; i < 5; i++)
        cs_free(all[i]);
    return out;
}

static void the_same_bits_everywhere(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof table / sizeof *table; k++)
        for (size_t live = 1; live <= LANES; live += LANES - 1) {
            size_t words;
            double *plain = evaluate(table[k][0], live, &words);
            for (int v = 1; v <= (int)cs_simd_level(); v++) {
                double *other = evaluate(table[k][v], live, &words);
                if (memcmp(plain, other, words * sizeof *plain) != 0)
                    fail_msg("%s, %zu live: base and %s differ",
                             table[k][0]->name, live, cs_simd_name((cs_simd)v));
                cs_free(other);
            }
            cs_free(plain);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_bits_everywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
