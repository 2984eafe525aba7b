#include "support/support.h"

#include "base/memory.h"
#include "base/product.h"

/* One chain of fused multiply-adds a sum, in order: what product.h promises,
 * for shapes that end in every kind of tile. */
static void every_sum_runs_in_order(void **state)
{
    (void)state;
    static const size_t shape[][2] = {{1, 1}, {5, 3}, {13, 17}, {67, 40}};
    for (size_t k = 0; k < 4; k++)
        for (size_t lanes = 8; lanes <= 40; lanes += 8) {
            size_t rows = shape[k][0], cols = shape[k][1];
            double *a = cs_alloc(2 * rows * cols, 8), *at = a + rows * cols;
            double *x = cs_alloc(cols * lanes, 8), *one = cs_alloc(cols, 8);
            double *y = cs_alloc(rows * lanes, 8), *z = cs_alloc(rows, 8);
            for (size_t i = 0; i < rows * cols; i++)
                at[i % cols * rows + i / cols] = a[i] = sin((double)(i * i));
            for (size_t i = 0; i < cols * lanes; i++)
                x[i] = cos((double)(3 * i));
            cs_product(a, rows, cols, x, lanes, y);
            for (size_t l = 0; l < lanes; l++) {
                for (size_t j = 0; j < cols; j++)
                    one[j] = x[j * lanes + l];
                cs_product_one(at, rows, cols, one, z);
                for (size_t i = 0; i < rows; i++) {
                    double sum = 0;
                    for (size_t j = 0; j < cols; j++)
                        sum = fma(a[i * cols + j], one[j], sum);
                    assert_memory_equal(&sum, &y[i * lanes + l], 8);
                    assert_memory_equal(&sum, &z[i], 8);
                }
            }
            double *const all[] = {a, x, one, y, z};
            for (size_t i = 0; i < 5; i++)
                cs_free(all[i]);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_sum_runs_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
