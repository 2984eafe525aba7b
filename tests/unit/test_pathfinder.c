/* Tests initial states that are found by a short ascent of log p. The implicit
 * product equals the BFGS matrix. Draws follow the normal approximation of the
 * ascent. Each ascent finds the mode next to its start. */
#include "run/tuning/inverse_hessian.h"
#include "run/tuning/pathfinder.h"
#include "support/support.h"

#include <string.h>

enum { DIM = 5 };

static double number(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return (double)(*seed >> 11) * 0x1p-52 - 1;
}

/* Applies the BFGS update of textbooks to a full matrix: H = (I - r s y') H (I
 * - y r s') + r s s', where r = 1 / s'y. */
static void bfgs(double h[DIM][DIM], const double *s, const double *y)
{
    double left[DIM][DIM], half[DIM][DIM] = {{0}}, r = 0;
    for (int i = 0; i < DIM; i++)
        r += s[i] * y[i];
    r = 1 / r;
    for (int i = 0; i < DIM; i++)
        for (int j = 0; j < DIM; j++)
            left[i][j] = (i == j) - r * s[i] * y[j];
    for (int i = 0; i < DIM; i++)
        for (int j = 0; j < DIM; j++)
            for (int k = 0; k < DIM; k++)
                half[i][j] += left[i][k] * h[k][j];
    for (int i = 0; i < DIM; i++)
        for (int j = 0; j < DIM; j++) {
            h[i][j] = r * s[i] * s[j];
            for (int k = 0; k < DIM; k++)
                h[i][j] += half[i][k] * left[j][k];
        }
}

/* Generates a step s and a gradient change y with positive definite
 * curvature. */
static void next_pair(uint64_t *seed, double *s, double *y)
{
    for (int i = 0; i < DIM; i++)
        s[i] = number(seed);
    for (int i = 0; i < DIM; i++)
        y[i] = (1 + 3 * i) * s[i] + 0.5 * s[(i + 1) % DIM] +
               0.5 * s[(i + DIM - 1) % DIM];
}

static void the_product_is_the_update(void **state)
{
    double scratch[(1 + 3 * CS_PAIRS) * DIM], spare[DIM], h[DIM][DIM] = {{0}};
    double s[8][DIM], y[8][DIM], root[DIM][DIM], v[DIM];
    uint64_t seed = 3;
    cs_inverse_hessian p;
    (void)state;
    assert_int_equal(cs_inverse_hessian_words(DIM), (1 + 3 * CS_PAIRS) * DIM);
    cs_inverse_hessian_begin(&p, DIM, scratch);
    for (int k = 0; k < 8; k++) {
        next_pair(&seed, s[k], y[k]);
        assert_true(cs_inverse_hessian_add(&p, s[k], y[k], spare));
    }
    for (int i = 0; i < DIM; i++)
        h[i][i] = p.diagonal[i];
    for (int k = 8 - CS_PAIRS; k < 8; k++)
        bfgs(h, s[k], y[k]);
    for (int j = 0; j < DIM; j++) {
        memset(v, 0, sizeof v);
        v[j] = 1;
        cs_inverse_hessian_times(&p, v);
        for (int i = 0; i < DIM; i++)
            assert_near(v[i], h[i][j], 1e-9, 1e-9);
        memset(v, 0, sizeof v);
        v[j] = 1;
        cs_inverse_hessian_root(&p, v);
        for (int i = 0; i < DIM; i++)
            root[i][j] = v[i];
    }
    for (int i = 0; i < DIM; i++)
        for (int j = 0; j < DIM; j++) {
            double sum = 0;
            for (int k = 0; k < DIM; k++)
                sum += root[i][k] * root[j][k];
            assert_near(sum, h[i][j], 1e-9, 1e-9);
        }
}

/* log det H equals the value obtained by elimination from the products of H
 * with unit vectors. */
static void the_determinant_is_its_own(void **state)
{
    double scratch[(1 + 3 * CS_PAIRS) * DIM], spare[DIM], a[DIM][DIM], v[DIM];
    double s[DIM], y[DIM], sum = 0;
    uint64_t seed = 5;
    cs_inverse_hessian p;
    (void)state;
    cs_inverse_hessian_begin(&p, DIM, scratch);
    for (int k = 0; k < 4; k++) {
        next_pair(&seed, s, y);
        assert_true(cs_inverse_hessian_add(&p, s, y, spare));
    }
    for (int j = 0; j < DIM; j++) {
        memset(v, 0, sizeof v);
        v[j] = 1;
        cs_inverse_hessian_times(&p, v);
        memcpy(a[j], v, sizeof v);
    }
    for (int k = 0; k < DIM; k++) {
        sum += log(a[k][k]);
        for (int r = k + 1; r < DIM; r++)
            for (int c = DIM; c-- > k;)
                a[r][c] -= a[r][k] / a[k][k] * a[k][c];
    }
    assert_near(p.log_det, sum, 1e-9, 1e-9);
    double back[DIM];
    for (int i = 0; i < DIM; i++)
        back[i] = -s[i];
    assert_false(cs_inverse_hessian_add(&p, back, y, spare));
    assert_near(p.log_det, sum, 1e-9, 1e-9);
}

static cs_target *gaussian(void)
{
    cs_target *t = NULL;
    const cs_value given[] = {
        {.name = "dim", .kind = CS_PARAM_INT, .given = 1, .number = DIM},
        {.name = "rho", .kind = CS_PARAM_REAL, .given = 1, .number = 0.8}};
    const cs_target_type *type = cs_target_find("gaussian");
    assert_int_equal(cs_target_create(type, given, 2, &t, NULL), CS_OK);
    return t;
}

/* From 400 distant starts, the means, the variances and a covariance of the
 * draws are within four standard errors of those of the target. */
static void draws_are_of_the_target(void **state)
{
    enum { N = 400 };
    cs_target *t = gaussian();
    double mean = 0, square = 0, product = 0, again[DIM], x[DIM];
    (void)state;
    assert_true(cs_pathfinder_fits(t));
    for (uint64_t c = 0; c < N; c++) {
        cs_work work = {0}, more = {0};
        for (int i = 0; i < DIM; i++)
            x[i] = again[i] = 100 * (i - 2) + (double)c;
        assert_true(cs_pathfinder(t, 9, c, x, &work));
        assert_true(work.gradients > 1 &&
                    work.gradients <= CS_PATHFINDER_GRADIENTS + 1);
        assert_true(work.log_densities <= CS_PATHFINDER_DRAWS * work.gradients);
        assert_true(cs_pathfinder(t, 9, c, again, &more));
        assert_memory_equal(x, again, sizeof x);
        mean += x[0] / N;
        square += x[1] * x[1] / N;
        product += x[1] * x[2] / N;
    }
    assert_near(mean, 0, 0, 0.2);
    assert_near(square, 1, 0, 0.3);
    assert_near(product, 0.8, 0, 0.3);
    cs_target_release(t);
}

/* Each of nine modes in the plane is found from a start near the mode. */
static void every_hill_is_its_own(void **state)
{
    cs_target *t = NULL;
    size_t n = 0;
    (void)state;
    assert_int_equal(
        cs_target_create(cs_target_find("nine_modes"), NULL, 0, &t, NULL),
        CS_OK);
    for (size_t k = 0; k < t->exact.n_modes; k++) {
        const double *mode = t->exact.modes + 2 * k;
        double x[2] = {mode[0] + 0.1, mode[1] - 0.1};
        cs_work work = {0};
        if (cs_pathfinder(t, 1, k, x, &work))
            n += hypot(x[0] - mode[0], x[1] - mode[1]) < 1.5;
    }
    assert_int_equal(n, t->exact.n_modes);
    cs_target_release(t);
}

static void what_has_no_slope_is_left_alone(void **state)
{
    cs_target *t = NULL;
    (void)state;
    assert_int_equal(
        cs_target_create(cs_target_find("ising"), NULL, 0, &t, NULL), CS_OK);
    assert_false(cs_pathfinder_fits(t));
    cs_target_release(t);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_product_is_the_update),
    cmocka_unit_test(the_determinant_is_its_own),
    cmocka_unit_test(draws_are_of_the_target),
    cmocka_unit_test(every_hill_is_its_own),
    cmocka_unit_test(what_has_no_slope_is_left_alone),
};
TESTS(test_pathfinder)
