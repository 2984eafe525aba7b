/* Tests metrics. Invalid input is rejected, and products with the factor agree
 * with GSL. For every kernel that uses a metric, the unit matrix does not
 * change a bit of the results. The results do not depend on blocks, workers or
 * instruction sets. */
#include "base/memory.h"
#include "run/run.h"
#include "simd/variants.h"
#include "support/by_name.h"
#include "support/metrics.h"
#include "support/support.h"

#include <gsl/gsl_blas.h>
#include <string.h>

/* ---- invalid metrics ----------------------------------------------------- */

static void refused(cs_metric_kind kind, size_t dim, const double *s,
                    const char *words)
{
    cs_error err;
    cs_metric *m = (cs_metric *)&err;
    assert_int_equal(cs_metric_make(&m, kind, dim, s, &err), CS_RANGE);
    assert_null(m);
    if (!strstr(err.what, words))
        fail_msg("'%s' does not contain '%s'", err.what, words);
}

static void what_is_no_covariance_is_refused(void **state)
{
    static const double bad[] = {0, -1, (double)NAN, HUGE_VAL, -HUGE_VAL};
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const double few[3] = {1, bad[i], 2};
        const double all[4] = {1, 0, 0, bad[i]}, off[4] = {1, bad[i], 0.5, 1};
        refused(CS_METRIC_DIAGONAL, 3, few, "the variance of coordinate 2 is");
        refused(CS_METRIC_DENSE, 2, all, "the variance of coordinate 2 is");
        refused(CS_METRIC_DENSE, 2, off, "not positive definite");
    }
    const double lopsided[4] = {1, 0.5, 0.4, 1}, far[4] = {1, 1.1, 1.1, 1};
    const double flat[4] = {1, 1, 1, 1},
                 nan[4] = {1, (double)NAN, (double)NAN, 1};
    refused(CS_METRIC_DENSE, 2, lopsided, "not positive definite");
    refused(CS_METRIC_DENSE, 2, far, "not positive definite");
    refused(CS_METRIC_DENSE, 2, flat, "not positive definite");
    refused(CS_METRIC_DENSE, 2, nan, "not positive definite");
}

static void what_rounding_leaves_is_taken(void **state)
{
    cs_metric *m;
    const double near[4] = {1e-6, 0.5, 0.5 * (1 + 1e-12), 1e6};
    (void)state;
    assert_int_equal(cs_metric_make(&m, CS_METRIC_DENSE, 2, near, NULL), CS_OK);
    assert_ptr_equal(cs_metric_hold(m), m);
    cs_metric_let_go(m);
    assert_near(m->lower[m->stride], 500, 1e-11, 0);
    cs_metric_let_go(m);
    assert_int_equal(cs_metric_make(&m, CS_METRIC_UNIT, 2, NULL, NULL), CS_OK);
    assert_null(m);
}

/* ---- products ------------------------------------------------------------ */

/* Computes a product with v from the covariance of the metric, using GSL. */
static void by_gsl(const cs_metric *m, product which, const double *v,
                   double *out)
{
    size_t n = m->dim;
    gsl_matrix *l = gsl_matrix_calloc(n, n);
    gsl_vector_view x = gsl_vector_view_array(out, n);
    bool dense = m->kind == CS_METRIC_DENSE;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            gsl_matrix_set(l, i, j,
                           dense    ? m->covariance[i * n + j]
                           : i == j ? m->covariance[i]
                                    : 0);
    for (size_t j = 0; j < n; j++) { /* Cholesky-Banachiewicz, row by row */
        for (size_t i = j; i < n; i++) {
            double sum = gsl_matrix_get(l, i, j);
            for (size_t k = 0; k < j; k++)
                sum -= gsl_matrix_get(l, i, k) * gsl_matrix_get(l, j, k);
            gsl_matrix_set(l, i, j,
                           i == j ? sqrt(sum) : sum / gsl_matrix_get(l, j, j));
        }
    }
    memcpy(out, v, n * sizeof *out);
    if (which == SOLVE)
        gsl_blas_dtrsv(CblasLower, CblasNoTrans, CblasNonUnit, l, &x.vector);
    else
        gsl_blas_dtrmv(CblasLower,
                       which == TRANSPOSED ? CblasTrans : CblasNoTrans,
                       CblasNonUnit, l, &x.vector);
    gsl_matrix_free(l);
}

/* Compares the product for 16 lanes at once with the product for each lane, bit
 * for bit. */
static void check_products(const cs_metric *m, product which, uint64_t *seed)
{
    enum { LANES = 16 };
    static _Alignas(CS_ALIGN) double v[MOST * LANES], out[MOST * LANES];
    _Alignas(CS_ALIGN) double one[24] = {0}, packed[24], want[MOST];
    size_t n = m->dim;
    for (size_t i = 0; i < n * LANES; i++)
        v[i] = small_normal(seed);
    multiply(m, which, (cs_span){.by = LANES, .end = n * LANES}, v, out);
    cs_span span = {CS_VECTOR, cs_pad_lanes(n), n};
    for (size_t l = 0; l < LANES; l++) {
        for (size_t i = 0; i < n; i++)
            one[i] = v[i * LANES + l];
        by_gsl(m, which, one, want);
        multiply(m, which, span, one, packed);
        for (size_t i = 0; i < n; i++) {
            assert_near(out[i * LANES + l], want[i], 1e-12, 1e-12);
            assert_memory_equal(&packed[i], &out[i * LANES + l], 8);
        }
        for (size_t i = n; i < span.end; i++) /* padding is summed, so it must
                                               * be 0 */
            assert_true(packed[i] == 0);
    }
}

static void products_are_those_of_gsl(void **state)
{
    uint64_t seed = 7;
    (void)state;
    for (size_t n = 1; n <= MOST; n++)
        for (int kind = CS_METRIC_DIAGONAL; kind < CS_METRICS; kind++)
            for (int which = 0; which < PRODUCTS; which++) {
                cs_metric *m = metric_of((cs_metric_kind)kind, n, false);
                check_products(m, (product)which, &seed);
                cs_metric_let_go(m);
            }
}

/* A non-finite value affects the same coordinates in a packed product and in a
 * product over lanes. */
static void overflow_is_the_same_packed(void **state)
{
    enum { LANES = 8, N = 11 };
    _Alignas(CS_ALIGN) double v[N * LANES], out[N * LANES];
    _Alignas(CS_ALIGN) double one[16], packed[16];
    const double odd[] = {HUGE_VAL, -HUGE_VAL, (double)NAN};
    cs_metric *m = metric_of(CS_METRIC_DENSE, N, false);
    (void)state;
    for (int which = 0; which < PRODUCTS; which++)
        for (size_t at = 0; at < N; at++)
            for (size_t k = 0; k < 3; k++) {
                memset(one, 0, sizeof one);
                for (size_t i = 0; i < N; i++)
                    one[i] = i == at ? odd[k] : 1;
                for (size_t i = 0; i < N * LANES; i++)
                    v[i] = one[i / LANES];
                multiply(m, (product)which,
                         (cs_span){.by = LANES, .end = N * LANES}, v, out);
                multiply(m, (product)which,
                         (cs_span){CS_VECTOR, cs_pad_lanes(N), N}, one, packed);
                for (size_t i = 0; i < N; i++)
                    if (!(packed[i] == out[i * LANES] ||
                          (isnan(packed[i]) && isnan(out[i * LANES]))))
                        fail_msg("product %d of %g at %zu: %g packed, %g in "
                                 "lanes at %zu",
                                 which, odd[k], at, packed[i], out[i * LANES],
                                 i);
            }
    cs_metric_let_go(m);
}

static cs_target *gaussian(size_t dim)
{
    const cs_value given[] = {
        {.name = "dim",
         .kind = CS_PARAM_INT,
         .given = 1,
         .number = (double)dim},
        {.name = "rho", .kind = CS_PARAM_REAL, .given = 1, .number = 0.5}};
    cs_target *t = NULL;
    assert_int_equal(
        cs_target_create(cs_target_find("gaussian"), given, 2, &t, NULL),
        CS_OK);
    return t;
}

/* ---- every kernel that uses a metric ------------------------------------- */

/* Opens a block of `live` chains starting with chain number `first`. */
static cs_block *opened(const setting *s, cs_target *t, size_t first,
                        size_t live)
{
    cs_block *b = NULL;
    assert_int_equal(
        cs_block_create(&b, t, &s->kernel, 5, first, live, NULL, 0, NULL),
        CS_OK);
    cs_block_set_metric(b, s->metric);
    assert_int_equal(cs_block_start(b, NULL, NULL), CS_OK);
    return b;
}

static bool same_lane(const cs_block *a, size_t l, const cs_block *b, size_t k)
{
    double x[MOST], y[MOST];
    cs_block_state(a, l, x);
    cs_block_state(b, k, y);
    return memcmp(x, y, a->move.dim * sizeof *x) == 0 &&
           a->move.info.logp[l] == b->move.info.logp[k] &&
           a->move.info.accepted[l] == b->move.info.accepted[k];
}

enum { STEPS = 30 };

static void unit_changes_nothing(const setting *s, cs_target *t)
{
    static const size_t live[] = {1, 3, 8, 11};
    for (size_t k = 0; k < 4; k++)
        for (int kind = CS_METRIC_DIAGONAL; kind < CS_METRICS; kind++) {
            setting with = *s;
            cs_metric *m = metric_of((cs_metric_kind)kind, t->space.dim, true);
            with.metric = m;
            cs_block *a = opened(s, t, 0, live[k]);
            cs_block *b = opened(&with, t, 0, live[k]);
            run_on(a, STEPS);
            run_on(b, STEPS);
            for (size_t l = 0; l < live[k]; l++)
                if (!same_lane(a, l, b, l))
                    fail_msg("%s (%g, %g, %g) on %s, %s, lane %zu of %zu",
                             s->kernel.type->name, s->kernel.values[0],
                             s->kernel.values[1], s->kernel.values[2],
                             t->type->name, cs_metric_names[kind], l, live[k]);
            assert_memory_equal(&a->eval.work, &b->eval.work,
                                sizeof a->eval.work);
            cs_block_destroy(a);
            cs_block_destroy(b);
            cs_metric_let_go(m);
        }
}

static void the_unit_matrix_changes_nothing(void **state)
{
    static const size_t dim[] = {1, 4, 11};
    cs_target *t = small(&small_wells);
    (void)state;
    assert_true(for_all(unit_changes_nothing, t, true) >= 12);
    cs_target_release(t);
    for (size_t i = 0; i < 3; i++) {
        cs_target *packed = gaussian(dim[i]);
        assert_true(for_all(unit_changes_nothing, packed, true) >= 12);
        cs_target_release(packed);
    }
}

/* Checks that each chain gives the same results in a block with other chains
 * and in a block of its own. Tests single steps, and many steps at once. */
static void alone_is_together(const setting *s, cs_target *t)
{
    for (int kind = CS_METRIC_DIAGONAL; kind < CS_METRICS; kind++) {
        setting with = *s;
        cs_metric *m = metric_of((cs_metric_kind)kind, t->space.dim, false);
        with.metric = m;
        cs_block *all = opened(&with, t, 0, 11);
        run_on(all, STEPS);
        for (size_t c = 0; c < 11; c += 5) {
            cs_block *one = opened(&with, t, c, 1);
            for (size_t k = 0; k < STEPS; k += c ? STEPS : 1)
                run_on(one, c ? STEPS : 1);
            if (!same_lane(all, c, one, 0))
                fail_msg("%s on %s, %s: chain %zu", s->kernel.type->name,
                         t->type->name, cs_metric_names[kind], c);
            cs_block_destroy(one);
        }
        cs_block_destroy(all);
        cs_metric_let_go(m);
    }
}

static void a_chain_is_the_same_alone(void **state)
{
    cs_target *t = small(&small_wells), *packed = gaussian(11);
    (void)state;
    for_all(alone_is_together, t, true);
    for_all(alone_is_together, packed, true);
    cs_target_release(t);
    cs_target_release(packed);
}

static void runs_are_the_same(const setting *s, cs_target *t)
{
    static const size_t lanes[] = {1, 3, 8, 32};
    setting with = *s;
    cs_metric *m = metric_of(CS_METRIC_DENSE, t->space.dim, false);
    with.metric = m;
    cs_block *b = opened(&with, t, 0, 11);
    run_on(b, STEPS);
    for (size_t i = 0; i < 4; i++) {
        double x[MOST];
        cs_run *r = run_of(&with, t, 1 + i % 2, lanes[i]);
        run_steps(r, STEPS);
        for (size_t c = 0; c < 11; c++) {
            cs_block_state(b, c, x);
            assert_memory_equal(x, cs_run_chain(r, 0, c).x,
                                t->space.dim * sizeof *x);
        }
        cs_run_destroy(r);
    }
    cs_block_destroy(b);
    cs_metric_let_go(m);
}

static void blocks_and_workers_do_not_matter(void **state)
{
    cs_target *packed = gaussian(11);
    (void)state;
    for_all(runs_are_the_same, packed, false);
    cs_target_release(packed);
}

/* ---- stored checksums of draws ------------------------------------------- */

/* FNV-1a sums of the states of 11 chains, and of a single chain, after 30 steps
 * with default parameters. The targets are a normal with 11 coordinates and the
 * wells, each with both kinds of metric. The sums are the same for each
 * instruction set and must never change. */
static const struct {
    const char *kernel;
    uint64_t sum;
} kept[] = {
    {"random_walk", UINT64_C(0x4ac51149a3a15ace)},
    {"metropolis_within_gibbs", UINT64_C(0xf01a367de501a88b)},
    {"independence", UINT64_C(0x2c135ffb5cad0316)},
    {"mala", UINT64_C(0x1036c61189c45a4b)},
    {"barker", UINT64_C(0xd50e19d2dc0bd8ba)},
    {"hmc", UINT64_C(0x34f2a4023e9ffa08)},
    {"nuts", UINT64_C(0x94dbf7db197ca2b2)},
    {"sgld", UINT64_C(0x3afe03393201e5d0)},
};

static uint64_t hash(uint64_t sum, const double *value, size_t n)
{
    const unsigned char *byte = (const unsigned char *)value;
    for (size_t i = 0; i < n * sizeof *value; i++)
        sum = (sum ^ byte[i]) * UINT64_C(0x100000001b3);
    return sum;
}

static uint64_t hash_of(setting s, cs_target *t, uint64_t sum)
{
    for (int kind = CS_METRIC_DIAGONAL; kind < CS_METRICS; kind++)
        for (size_t live = 1; live <= 11; live += 10) {
            cs_metric *m = metric_of((cs_metric_kind)kind, t->space.dim, false);
            s.metric = m;
            cs_block *b = opened(&s, t, 0, live);
            for (int k = 0; k < STEPS; k++) {
                run_on(b, 1);
                for (size_t l = 0; l < live; l++) {
                    double x[MOST];
                    cs_block_state(b, l, x);
                    sum = hash(sum, x, t->space.dim);
                    sum = hash(sum, &b->move.info.logp[l], 1);
                }
            }
            cs_block_destroy(b);
            cs_metric_let_go(m);
        }
    return sum;
}

static void draws_are_as_kept(void **state)
{
    const cs_kernel_type *type;
    cs_target *t[] = {gaussian(11), small(&small_wells)};
    size_t wrong = 0;
    (void)state;
    for (size_t i = 0; (type = cs_kernel_at(i)); i++) {
        setting s;
        uint64_t sum = UINT64_C(0xcbf29ce484222325), want = 0;
        if (!(type->flags & CS_KERNEL_METRIC) || type->wraps)
            continue;
        law_setting(type, 0, &s);
        for (size_t k = 0; k < 2; k++)
            sum = hash_of(s, t[k], sum);
        for (size_t k = 0; k < sizeof kept / sizeof *kept; k++)
            if (strcmp(kept[k].kernel, type->name) == 0)
                want = kept[k].sum;
        if (sum != want)
            print_error("    {\"%s\", UINT64_C(0x%016llx)},\n", type->name,
                        (unsigned long long)sum);
        wrong += sum != want;
    }
    assert_int_equal(wrong, 0);
    cs_target_release(t[0]);
    cs_target_release(t[1]);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(what_is_no_covariance_is_refused),
    cmocka_unit_test(what_rounding_leaves_is_taken),
    cmocka_unit_test(products_are_those_of_gsl),
    cmocka_unit_test(overflow_is_the_same_packed),
    cmocka_unit_test(blocks_and_workers_do_not_matter),
    cmocka_unit_test(draws_are_as_kept),
    cmocka_unit_test(the_unit_matrix_changes_nothing),
    cmocka_unit_test(a_chain_is_the_same_alone),
};
TESTS(test_metric)
