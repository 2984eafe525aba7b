#include "support/support.h"

#include "base/memory.h"
#include "simd/matmul.h"
#include "simd/matmul_winograd.h"
#include "simd/simd.h"

#include <stdbool.h>
#include <string.h>

typedef void product(const double *a, size_t rows, size_t stride, size_t cols,
                     const double *x, size_t lanes, double *y);
typedef void product_one(const double *at, size_t rows, size_t stride,
                         size_t cols, const double *x, bool back, double *y);

/* Returns true if each sum is a single chain of fused multiply-adds in order,
 * as specified in simd/matmul.h. */
static bool runs_in_order(product *many, product_one *single, size_t rows,
                          size_t cols, size_t lanes)
{
    size_t wide = cols + 1, high = cs_pad_lanes(rows); /* strides */
    double *a = cs_alloc(rows * wide, 8), *at = cs_alloc(cols * high, 8);
    double *x = cs_alloc(cols * lanes, 8), *one = cs_alloc(cols, 8);
    double *y = cs_alloc(rows * lanes, 8), *z = cs_alloc(rows, 8);
    bool good = true;
    for (size_t i = 0; i < rows * cols; i++)
        at[i % cols * high + i / cols] = a[i / cols * wide + i % cols] =
            sin((double)(i * i));
    for (size_t i = 0; i < cols * lanes; i++)
        x[i] = cos((double)(3 * i));
    many(a, rows, wide, cols, x, lanes, y);
    for (size_t l = 0; l < lanes; l++) {
        for (size_t j = 0; j < cols; j++)
            one[j] = x[j * lanes + l];
        single(at, rows, high, cols, one, l % 2, z);
        for (size_t i = 0; i < rows; i++) {
            double sum = 0;
            for (size_t j = 0; j < cols; j++)
                sum = fma(a[i * wide + j], one[j], sum);
            good &= memcmp(&sum, &y[i * lanes + l], 8) == 0;
            good &= memcmp(&sum, &z[i], 8) == 0;
        }
    }
    double *const all[] = {a, at, x, one, y, z};
    for (size_t i = 0; i < 6; i++)
        cs_free(all[i]);
    return good;
}

/* Tries sizes for which the last tile is full or incomplete. */
static bool always_in_order(product *many, product_one *single)
{
    static const size_t shape[][2] = {
        {1, 1}, {5, 3}, {13, 17}, {67, 40}, {100, 9}};
    bool good = true;
    for (size_t k = 0; k < 5; k++)
        for (size_t lanes = CS_VECTOR; lanes <= 40; lanes += CS_VECTOR)
            good &=
                runs_in_order(many, single, shape[k][0], shape[k][1], lanes);
    return good;
}

static void every_sum_runs_in_order(void **state)
{
    (void)state;
    assert_true(always_in_order(cs_matmul, cs_matvec));
}

/* ---- single precision ---------------------------------------------------- */

typedef void single(const float *a, size_t rows, size_t stride, size_t cols,
                    const float *x, size_t lanes, float *y);

/* Compares products with one lane and products with many lanes to sums of fused
 * multiply-adds in order. The matrix a is symmetric. */
static bool single_in_order(single *many, size_t n, size_t lanes)
{
    size_t high = cs_pad_lanes(n);
    float *a = cs_alloc(n * high, 4), *x = cs_alloc(n * lanes, 4);
    float *y = cs_alloc(n * lanes, 4), *one = cs_alloc(2 * n, 4);
    bool good = true;
    for (size_t i = 0; i < n * n; i++)
        a[i / n * high + i % n] = sinf((float)((i / n + 1) * (i % n + 1)));
    for (size_t i = 0; i < n * lanes; i++)
        x[i] = cosf((float)(3 * i));
    many(a, n, high, n, x, lanes, y);
    for (size_t l = 0; l < lanes; l++) {
        for (size_t j = 0; j < n; j++)
            one[j] = x[j * lanes + l];
        cs_matvec_float(a, n, high, n, one, l % 2, one + n);
        for (size_t i = 0; i < n; i++) {
            float sum = 0;
            for (size_t j = 0; j < n; j++)
                sum = fmaf(a[i * high + j], one[j], sum);
            good &= memcmp(&sum, &y[i * lanes + l], 4) == 0;
            good &= memcmp(&sum, &one[n + i], 4) == 0;
        }
    }
    float *const all[] = {a, x, y, one};
    for (size_t i = 0; i < 4; i++)
        cs_free(all[i]);
    return good;
}

static void rounds_singles_twice(const float *a, size_t rows, size_t stride,
                                 size_t cols, const float *x, size_t lanes,
                                 float *y)
{
    for (size_t i = 0; i < rows * lanes; i++) {
        float sum = 0;
        for (size_t j = 0; j < cols; j++)
            sum += a[i / lanes * stride + j] * x[j * lanes + i % lanes];
        y[i] = sum;
    }
}

static void every_single_sum_runs_in_order(void **state)
{
    static const size_t size[] = {1, 5, 13, 67, 100};
    (void)state;
    for (size_t k = 0; k < 5; k++)
        for (size_t lanes = CS_VECTOR; lanes <= 40; lanes += CS_VECTOR)
            assert_true(single_in_order(cs_matmul_float, size[k], lanes));
    assert_false(single_in_order(rounds_singles_twice, 13, 8));
}

/* ---- products by pairs (Winograd) ---------------------------------------- */

/* Defines functions for doubles and for floats: one sum as specified in
 * simd/matmul_winograd.h (*about receives the plain sum), a check of all sums
 * of a product, and faults. The numbers have the same magnitude and mean 0, as
 * that header requires. All sums of a product must equal the specified sums bit
 * for bit, and must be close to the plain sums. */
#define PAIRS_OF(name, number, fused, of_row, product, plain, unit)            \
    typedef void name(const number *a, const number *own, size_t rows,         \
                      size_t stride, size_t cols, const number *x,             \
                      size_t lanes, number *y);                                \
    static number name##_sum(const number *a, const number *x, size_t cols,    \
                             size_t lanes, long double *about)                 \
    {                                                                          \
        number sum = 0, own = 0;                                               \
        *about = 0;                                                            \
        for (size_t j = 0; j < cols; j++)                                      \
            *about += (long double)a[j] * (long double)x[j * lanes];           \
        for (size_t j = 0; j < cols; j++) {                                    \
            number left = x[j * lanes];                                        \
            if (cols - j + j % 6 < 6 || j % 6 >= 4) {                          \
                sum = fused(a[j], left, sum);                                  \
                continue;                                                      \
            }                                                                  \
            number right = x[(j + 1) * lanes];                                 \
            sum = fused(a[j] + right, a[j + 1] + left, sum);                   \
            own = fused(left, right, own);                                     \
            j++;                                                               \
        }                                                                      \
        return sum - of_row(a, cols) - own;                                    \
    }                                                                          \
    static bool name##_are(name *many, size_t rows, size_t cols, size_t lanes) \
    {                                                                          \
        enum { WORD = sizeof(number) };                                        \
        size_t wide = cols + 3;                                                \
        number *a = cs_alloc(rows * wide, WORD);                               \
        number *x = cs_alloc(cols * lanes, WORD);                              \
        number *own = cs_alloc(rows, WORD), *y = cs_alloc(rows * lanes, WORD); \
        bool good = true;                                                      \
        for (size_t i = 0; i < rows * wide; i++)                               \
            a[i] = (number)(0.5 * sin((double)(i * i % 10007)));               \
        for (size_t i = 0; i < cols * lanes; i++)                              \
            x[i] = (number)(0.5 * cos((double)(3 * i)));                       \
        for (size_t i = 0; i < rows; i++)                                      \
            own[i] = of_row(a + i * wide, cols);                               \
        many(a, own, rows, wide, cols, x, lanes, y);                           \
        for (size_t i = 0; i < rows * lanes; i++) {                            \
            long double about;                                                 \
            number want = name##_sum(a + i / lanes * wide, x + i % lanes,      \
                                     cols, lanes, &about);                     \
            long double off = fabsl((long double)want - about);                \
            good &= memcmp(&want, &y[i], WORD) == 0;                           \
            good &= off < (unit) * (2 * (long double)cols + 20);               \
        }                                                                      \
        number *const all[] = {a, x, own, y};                                  \
        for (size_t i = 0; i < 4; i++)                                         \
            cs_free(all[i]);                                                   \
        return good;                                                           \
    }                                                                          \
    static bool always_##name(name *many)                                      \
    {                                                                          \
        static const size_t shape[][2] = {{1, 1},   {5, 3},   {13, 17},        \
                                          {67, 40}, {31, 12}, {12, 500}};      \
        bool good = true;                                                      \
        for (size_t k = 0; k < sizeof shape / sizeof *shape; k++)              \
            for (size_t lanes = CS_VECTOR; lanes <= 56; lanes += CS_VECTOR)    \
                good &= name##_are(many, shape[k][0], shape[k][1], lanes);     \
        return good;                                                           \
    }                                                                          \
    static void name##_without_rows(const number *a, const number *own,        \
                                    size_t rows, size_t stride, size_t cols,   \
                                    const number *x, size_t lanes, number *y)  \
    {                                                                          \
        number *none = cs_alloc(rows, sizeof *none);                           \
        (void)own;                                                             \
        product(a, none, rows, stride, cols, x, lanes, y);                     \
        cs_free(none);                                                         \
    }                                                                          \
    static void name##_without_the_last(                                       \
        const number *a, const number *own, size_t rows, size_t stride,        \
        size_t cols, const number *x, size_t lanes, number *y)                 \
    {                                                                          \
        product(a, own, rows, stride, cols - cols % 6, x, lanes, y);           \
    }                                                                          \
    static void name##_not_at_all(const number *a, const number *own,          \
                                  size_t rows, size_t stride, size_t cols,     \
                                  const number *x, size_t lanes, number *y)    \
    {                                                                          \
        (void)own;                                                             \
        plain(a, rows, stride, cols, x, lanes, y);                             \
    }                                                                          \
    static void name##_are_as_they_are_said_to_be(void **state)                \
    {                                                                          \
        (void)state;                                                           \
        assert_true(always_##name(product));                                   \
        assert_false(always_##name(name##_without_rows));                      \
        assert_false(always_##name(name##_without_the_last));                  \
        assert_false(always_##name(name##_not_at_all));                        \
    }

PAIRS_OF(pairs, double, fma, cs_winograd_row, cs_matmul_winograd, cs_matmul,
         0x1p-53L)
PAIRS_OF(single_pairs, float, fmaf, cs_winograd_row_float,
         cs_matmul_winograd_float, cs_matmul_float, 0x1p-24L)

/* ---- planted faults: a product that is rounded before it is added, a sum in
 * reverse order, and a missing last row ---- */

static void rounds_twice(const double *a, size_t rows, size_t stride,
                         size_t cols, const double *x, size_t lanes, double *y)
{
    for (size_t i = 0; i < rows * lanes; i++) {
        double sum = 0;
        for (size_t j = 0; j < cols; j++)
            sum += a[i / lanes * stride + j] * x[j * lanes + i % lanes];
        y[i] = sum;
    }
}

static void forgets_the_last_row(const double *a, size_t rows, size_t stride,
                                 size_t cols, const double *x, size_t lanes,
                                 double *y)
{
    cs_matmul(a, rows - rows % 2, stride, cols, x, lanes, y);
}

static void sums_from_the_end(const double *at, size_t rows, size_t stride,
                              size_t cols, const double *x, bool back,
                              double *y)
{
    (void)back;
    for (size_t i = 0; i < rows; i++) {
        double sum = 0;
        for (size_t j = cols; j-- > 0;)
            sum = fma(at[j * stride + i], x[j], sum);
        y[i] = sum;
    }
}

static void faults_are_found(void **state)
{
    (void)state;
    assert_false(always_in_order(rounds_twice, cs_matvec));
    assert_false(always_in_order(forgets_the_last_row, cs_matvec));
    assert_false(always_in_order(cs_matmul, sums_from_the_end));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_sum_runs_in_order),
    cmocka_unit_test(every_single_sum_runs_in_order),
    cmocka_unit_test(pairs_are_as_they_are_said_to_be),
    cmocka_unit_test(single_pairs_are_as_they_are_said_to_be),
    cmocka_unit_test(faults_are_found),
};
TESTS(test_matmul)
