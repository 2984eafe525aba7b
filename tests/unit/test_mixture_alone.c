/* Tests the target `mixture` with a single chain. In this case the target uses
 * the lanes for its components. The results have the same bits as for this
 * chain in a block, for any number of components and dimensions. */
#include "support/support.h"

#include "base/memory.h"
#include "target/eval.h"

#include <math.h>
#include <string.h>

enum { LANES = CS_PAD, MOST_DIM = 3, POINTS = 200 };

static cs_target *mixture_of(size_t n, size_t dim)
{
    double means[40 * MOST_DIM], sds[40];
    cs_target *t;
    for (size_t k = 0; k < n; k++) {
        sds[k] = 0.2 + 0.05 * (double)k;
        for (size_t i = 0; i < dim; i++)
            means[k * dim + i] = 5 * sin((double)(7 * k + 3 * i));
    }
    const cs_value given[] = {{.name = "means",
                               .kind = CS_PARAM_ARRAY,
                               .given = 1,
                               .array = means,
                               .rows = n,
                               .cols = dim},
                              {.name = "sds",
                               .kind = CS_PARAM_ARRAY,
                               .given = 1,
                               .array = sds,
                               .rows = n,
                               .cols = 1}};
    assert_int_equal(
        cs_target_create(cs_target_find("mixture"), given, 2, &t, NULL), CS_OK);
    return t;
}

/* Computes logp[LANES], the gradient, and logp without the gradient, at
 * x[dim][LANES]. */
static void look(const cs_target *t, size_t live, const double *x, double *out)
{
    double *scratch = cs_alloc(cs_eval_scratch_words(t) * LANES, 8);
    cs_eval e;
    cs_eval_open(&e, t, LANES, live, NULL, scratch);
    cs_eval_gradient(&e, CS_NEXT, x, out, out + LANES);
    cs_eval_log_density(&e, CS_NEXT, x, out + (1 + t->space.dim) * LANES);
    cs_free(scratch);
}

static void a_chain_alone_has_the_same_bits(void **state)
{
    static const size_t sizes[] = {1, 2, 7, 8, 9, 25, 40};
    static const double odd[] = {0, 1e3, -1e200, HUGE_VAL};
    _Alignas(CS_ALIGN) double x[MOST_DIM * LANES];
    _Alignas(CS_ALIGN) double one[(2 + MOST_DIM) * LANES];
    _Alignas(CS_ALIGN) double many[(2 + MOST_DIM) * LANES];
    (void)state;
    for (size_t s = 0; s < 7; s++)
        for (size_t dim = 1; dim <= MOST_DIM; dim++) {
            cs_target *t = mixture_of(sizes[s], dim);
            for (size_t p = 0; p < POINTS; p++) {
                for (size_t at = 0; at < dim * LANES; at++)
                    x[at] = p < 4 ? odd[p]
                                  : 6 * cos((double)(p * dim + at / LANES));
                look(t, 1, x, one);
                look(t, LANES, x, many);
                assert_memory_equal(one, many,
                                    (2 + dim) * LANES * sizeof(double));
            }
            cs_target_release(t);
        }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_chain_alone_has_the_same_bits),
};
TESTS(test_mixture_alone)
