#include "support/support.h"

#include "base/memory.h"
#include "target/eval.h"

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

static cs_target *make(const cs_value *given, size_t n)
{
    cs_error err = {0};
    cs_target *t = NULL;
    if (cs_target_create(cs_target_find("gaussian"), given, n, &t, &err))
        print_error("%s\n", err.what);
    assert_non_null(t);
    return t;
}

static void two_dimensions_by_hand(void **state)
{
    (void)state;
    /* For S = (2 1; 1 2), P = (2 -1; -1 2) / 3 and det S = 3. At r = (1, 2), r'
     * P r = (2 - 4 + 8) / 3 = 2. */
    const double s[4] = {2, 1, 1, 2}, m[2] = {1, -1};
    const cs_value given[] = {{.name = "covariance",
                               .kind = CS_PARAM_ARRAY,
                               .array = s,
                               .rows = 2,
                               .cols = 2},
                              {.name = "mean",
                               .kind = CS_PARAM_ARRAY,
                               .array = m,
                               .rows = 2,
                               .cols = 1}};
    cs_target *t = make(given, 2);
    assert_int_equal(t->space.dim, 2);
    size_t words = cs_eval_scratch_words(t);
    double *scratch = cs_alloc(words * 8, sizeof *scratch);
    double *x = cs_alloc(16, sizeof *x), *g = cs_alloc(16, sizeof *g);
    double *logp = cs_alloc(8, sizeof *logp);
    for (int l = 0; l < 8; l++) {
        x[l] = 2;
        x[8 + l] = 1;
    }
    for (size_t live = 1; live <= 8; live += 7) {
        cs_eval e;
        cs_eval_open(&e, t, 8, live, NULL, scratch);
        cs_eval_gradient(&e, CS_NOW, x, logp, g);
        assert_near(logp[7], -1, 1e-15, 0);
        assert_near(g[7], 0, 0, 1e-15);
        assert_near(g[15], -1, 1e-15, 0);
        assert_int_equal(e.work.gradients, live);
    }
    assert_near(t->exact.log_z, log(2 * M_PI) + 0.5 * log(3.0), 1e-15, 0);
    assert_near(t->exact.variance[1], 2, 0, 0);
    cs_target_release(t);
    cs_free(scratch);
    cs_free(x);
    cs_free(g);
    cs_free(logp);
}

#if defined(__SSE2__)
/* Flag in the register MXCSR, which is set by operations on subnormal
 * numbers. */
enum { SUBNORMAL_MET = 2 };

static bool meets_subnormals(const cs_eval *e, const double *x, float *g)
{
    cs_eval now = *e;
    _mm_setcsr(_mm_getcsr() & ~0x3fu);
    cs_eval_low_gradient(&now, x, g);
    return _mm_getcsr() & SUBNORMAL_MET;
}

/* The inverse of the matrix 0.5^|i - j| contains rounding noise below the range
 * of normal floats. The evaluation of the target must not operate on subnormal
 * numbers. */
static void floats_are_no_subnormals(void **state)
{
    (void)state;
    enum { WIDE = 100 };
    static _Alignas(CS_ALIGN) double x[WIDE * 8];
    static _Alignas(CS_ALIGN) float g[WIDE * 8];
    const cs_value given[] = {
        {.name = "dim", .kind = CS_PARAM_INT, .number = WIDE, .given = true},
        {.name = "rho", .kind = CS_PARAM_REAL, .number = 0.5, .given = true}};
    cs_target *t = make(given, 2);
    double *scratch = cs_alloc(cs_eval_scratch_words(t) * 8, sizeof *scratch);
    for (size_t i = 0; i < WIDE * 8; i++)
        x[i] = 0.5 + sin((double)i / 9);
    for (size_t live = 1; live <= 8; live += 7) {
        cs_eval e;
        cs_eval_open(&e, t, 8, live, NULL, scratch);
        assert_false(meets_subnormals(&e, x, g));
    }
    for (size_t i = 0; i < WIDE * 8; i++)
        x[i] *= 1e-39;
    cs_eval e;
    cs_eval_open(&e, t, 8, 8, NULL, scratch);
    assert_true(meets_subnormals(&e, x, g)); /* the flag detects subnormals */
    cs_free(scratch);
    cs_target_release(t);
}
#endif

static void bad_covariances_are_refused(void **state)
{
    (void)state;
    const double bad[][4] = {{1, 2, 2, 1}, {1, 0.5, 0.1, 1}, {-1, 0, 0, 1}};
    for (size_t k = 0; k < 3; k++) {
        const cs_value given = {.name = "covariance",
                                .kind = CS_PARAM_ARRAY,
                                .array = bad[k],
                                .rows = 2,
                                .cols = 2};
        cs_error err = {0};
        cs_target *t;
        assert_int_not_equal(
            cs_target_create(cs_target_find("gaussian"), &given, 1, &t, &err),
            CS_OK);
        assert_null(t);
        assert_true(err.what[0]);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(two_dimensions_by_hand),
    cmocka_unit_test(bad_covariances_are_refused),
#if defined(__SSE2__)
    cmocka_unit_test(floats_are_no_subnormals),
#endif
};
TESTS(test_target_gaussian)
