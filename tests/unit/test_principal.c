/* Compares principal components with closed forms and with their definition. */
#include "base/memory.h"
#include "stat/principal.h"
#include "support/support.h"

#include <math.h>
#include <string.h>

typedef struct matrix {
    size_t rows, cols;
    const double *x;
} matrix;

static void take_row(const void *self, size_t i, double *x)
{
    const matrix *m = self;
    memcpy(x, m->x + i * m->cols, m->cols * sizeof *x);
}

static cs_status fit(const double *x, size_t rows, size_t cols, size_t k,
                     cs_principal *p, cs_error *err)
{
    matrix m = {rows, cols, x};
    return cs_principal_fit(p, &(cs_row_source){rows, cols, take_row, &m}, k,
                            err);
}

/* Computes components of four points around (5, -7) on two rotated axes, with a
 * constant column. The variances are 18 / 3 and 2 / 3. The largest entry of
 * each direction is positive for every rotation. */
static void two_turned_axes(void **state)
{
    (void)state;
    for (double angle = 0.3; angle < 6.2; angle += 0.7) {
        const double c = cos(angle), s = sin(angle);
        const double x[] = {5 + 3 * c, -7 + 3 * s, 2, 5 - 3 * c, -7 - 3 * s, 2,
                            5 - s,     -7 + c,     2, 5 + s,     -7 - c,     2};
        cs_principal p;
        assert_int_equal(fit(x, 4, 3, 2, &p, NULL), CS_OK);
        assert_near(p.variance[0], 6, 0, 1e-13);
        assert_near(p.variance[1], 2.0 / 3, 0, 1e-13);
        assert_near(p.total, 20.0 / 3, 0, 1e-13);
        assert_near(p.mean[0], 5, 0, 1e-14);
        double first = fabs(c) > fabs(s) ? c : s, sign = first < 0 ? -1 : 1;
        assert_near(p.direction[0], sign * c, 0, 1e-13);
        assert_near(p.direction[1], sign * s, 0, 1e-13);
        assert_true(p.direction[2] == 0);
        first = fabs(c) > fabs(s) ? c : -s;
        double other = first < 0 ? -1 : 1, score[2];
        assert_near(p.direction[3], -other * s, 0, 1e-13);
        assert_near(p.direction[4], other * c, 0, 1e-13);
        cs_principal_score(&p, x, score);
        assert_near(score[0], sign * 3, 0, 1e-13);
        assert_near(score[1], 0, 0, 1e-13);
        cs_principal_free(&p);
    }
}

/* If all entries of a direction have the same size, the first entry is
 * positive. */
static void equal_entries_have_a_sign(void **state)
{
    (void)state;
    const double x[] = {1, -1, -1, 1, 3, -3, -3, 3, 0.1, 0.1, -0.1, -0.1};
    cs_principal p;
    assert_int_equal(fit(x, 6, 2, 2, &p, NULL), CS_OK);
    assert_near(p.direction[0], sqrt(0.5), 0, 1e-13);
    assert_near(p.direction[1], -sqrt(0.5), 0, 1e-13);
    assert_near(p.direction[2], sqrt(0.5), 0, 1e-13);
    cs_principal_free(&p);
}

enum { ROWS = 300, COLS = 21 };

/* Fills x with irregular numbers. Column 4 is constant. */
static void fill(double *x, size_t rank)
{
    for (size_t i = 0; i < ROWS; i++)
        for (size_t j = 0; j < COLS; j++) {
            double sum = 100;
            for (size_t k = 0; k < rank && j != 4; k++)
                sum += sin(12.9898 * (double)((i + 1) * (k * k + 3))) *
                       cos(78.233 * (double)((j + 2) * (k * k + 1))) /
                       (double)(k + 1);
            x[i * COLS + j] = sum;
        }
}

/* Returns (S v)_j, computed from the rows. */
static double times(const double *x, const double *mean, const double *v,
                    size_t j)
{
    double sum = 0;
    for (size_t i = 0; i < ROWS; i++) {
        double dot = 0;
        for (size_t k = 0; k < COLS; k++)
            dot += (x[i * COLS + k] - mean[k]) * v[k];
        sum += (x[i * COLS + j] - mean[j]) * dot;
    }
    return sum / (ROWS - 1);
}

static void eigenvectors_of_the_covariance(void **state)
{
    (void)state;
    static double x[ROWS * COLS];
    cs_principal p;
    double sum = 0;
    fill(x, 40);
    assert_int_equal(fit(x, ROWS, COLS, COLS - 1, &p, NULL), CS_OK);
    for (size_t k = 0; k < COLS - 1; k++) {
        const double *v = p.direction + k * COLS;
        for (size_t j = 0; j < COLS; j++)
            assert_near(times(x, p.mean, v, j), p.variance[k] * v[j], 0,
                        1e-12 * p.total);
        for (size_t l = 0; l <= k; l++) {
            double dot = 0;
            for (size_t j = 0; j < COLS; j++)
                dot += v[j] * p.direction[l * COLS + j];
            assert_near(dot, l == k, 0, 1e-12);
        }
        assert_true(k == 0 || p.variance[k] <= p.variance[k - 1]);
        double most = 0, least = 0;
        for (size_t j = 0; j < COLS; j++) {
            most = fmax(most, v[j]);
            least = fmin(least, v[j]);
        }
        assert_true(most > -least);
        sum += p.variance[k];
    }
    assert_near(sum, p.total, 0, 1e-12 * p.total);
    cs_principal_free(&p);
}

/* A fit of fewer components gives the same first components. */
static void fewer_are_the_first(void **state)
{
    (void)state;
    static double x[ROWS * COLS];
    cs_principal all, few;
    fill(x, 40);
    assert_int_equal(fit(x, ROWS, COLS, 9, &all, NULL), CS_OK);
    assert_int_equal(fit(x, ROWS, COLS, 3, &few, NULL), CS_OK);
    assert_memory_equal(all.direction, few.direction,
                        3 * COLS * sizeof(double));
    cs_principal_free(&all);
    cs_principal_free(&few);
}

enum { MANY = 160, TALL = 400, LESS = 60 };

/* If only a few components of many columns are fitted, another method is used.
 * The result is the same. */
static void few_of_many(void **state)
{
    (void)state;
    static double x[TALL * MANY];
    cs_principal all, few;
    for (size_t i = 0; i < TALL; i++)
        for (size_t j = 0; j < MANY; j++) {
            double sum = 3;
            for (size_t k = 0; k < 30; k++)
                sum += sin(12.9898 * (double)((i + 1) * (k * k + 3))) *
                       cos(78.233 * (double)((j + 2) * (k * k + 1))) /
                       (double)(k + 1);
            x[i * MANY + j] =
                sum + 0.05 * sin(7.77 * (double)(i * i + 31 * j * j + i * j));
        }
    assert_int_equal(fit(x, TALL, MANY, LESS, &all, NULL), CS_OK);
    for (size_t k = 1; k <= 9; k += 4) {
        assert_int_equal(fit(x, TALL, MANY, k, &few, NULL), CS_OK);
        for (size_t i = 0; i < k; i++)
            assert_near(few.variance[i], all.variance[i], 1e-12, 0);
        for (size_t j = 0; j < k * MANY; j++)
            assert_near(few.direction[j], all.direction[j], 0, 1e-9);
        cs_principal_free(&few);
    }
    cs_principal_free(&all);
}

/* Twenty directions have the same variance. Hence any eight orthogonal
 * directions within their span are correct. */
static void few_of_many_alike(void **state)
{
    (void)state;
    static double x[2 * MANY * MANY];
    cs_principal p;
    for (size_t i = 0; i < 2 * MANY; i++)
        x[i * MANY + i / 2] = (i % 2 ? -1 : 1) * (i < 40 ? 3 : 1);
    assert_int_equal(fit(x, 2 * MANY, MANY, 8, &p, NULL), CS_OK);
    for (size_t k = 0; k < 8; k++) {
        const double *v = p.direction + k * MANY;
        assert_near(p.variance[k], 18.0 / (2 * MANY - 1), 1e-12, 0);
        for (size_t j = 20; j < MANY; j++)
            assert_near(v[j], 0, 0, 1e-11);
        for (size_t l = 0; l <= k; l++) {
            double dot = 0;
            for (size_t j = 0; j < MANY; j++)
                dot += v[j] * p.direction[l * MANY + j];
            assert_near(dot, l == k, 0, 1e-12);
        }
    }
    cs_principal_free(&p);
}

static void refused(const double *x, size_t rows, size_t cols, size_t k,
                    const char *what, const char *hint)
{
    cs_principal p;
    cs_error err = {0};
    assert_int_equal(fit(x, rows, cols, k, &p, &err), CS_INPUT);
    assert_non_null(strstr(err.what, what));
    assert_non_null(strstr(err.hint, hint));
    assert_null(p.direction);
}

static void what_is_not_there_is_said(void **state)
{
    (void)state;
    static double x[ROWS * COLS], wide[2 * 1030];
    fill(x, 5);
    cs_principal p;
    assert_int_equal(fit(x, ROWS, COLS, 5, &p, NULL), CS_OK);
    cs_principal_free(&p);
    refused(x, ROWS, COLS, 6, "vary in 5 directions", "at most 5");
    refused(x, 4, COLS, 4, "vary in 3 directions", "at most 3");
    refused(x, ROWS, COLS, COLS, "20 columns vary", "at most 20");
    refused(x, ROWS, COLS, COLS + 1, "there are 21 columns", "at most 21");
    refused(x, 1, COLS, 1, "fewer than two rows", "more rows");
    const double same[] = {1, 2, 1, 2, 1, 2};
    refused(same, 3, 2, 1, "no column varies", "rows that differ");
    x[7 * COLS + 3] = NAN;
    refused(x, ROWS, COLS, 1, "row 8 has a number", "missing");
    const double large[] = {1e200, -1e200};
    refused(large, 2, 1, 1, "too large", "power of ten");
    for (size_t j = 0; j < 1030; j++)
        wide[j] = 1;
    refused(wide, 2, 1030, 1, "1030 columns vary", "smaller images");
}

static void memory_that_is_refused(void **state)
{
    (void)state;
    static double x[ROWS * COLS];
    fill(x, 40);
    for (unsigned long n = 1;; n++) {
        cs_principal p;
        cs_error err = {0};
        cs_memory_fail_at(n, false);
        cs_status s = fit(x, ROWS, COLS, 2, &p, &err);
        cs_memory_fail_at(0, false);
        cs_principal_free(&p);
        if (s == CS_OK)
            break;
        assert_int_equal(s, CS_MEMORY);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(two_turned_axes),
    cmocka_unit_test(equal_entries_have_a_sign),
    cmocka_unit_test(eigenvectors_of_the_covariance),
    cmocka_unit_test(fewer_are_the_first),
    cmocka_unit_test(few_of_many),
    cmocka_unit_test(few_of_many_alike),
    cmocka_unit_test(what_is_not_there_is_said),
    cmocka_unit_test(memory_that_is_refused),
};
TESTS(test_principal)
