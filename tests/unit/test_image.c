/* Compares measures of image similarity with their formulas. */
#include "stat/image.h"
#include "support/support.h"

#include <math.h>

static void equal_images_are_alike(void **state)
{
    (void)state;
    double a[100];
    for (size_t i = 0; i < 100; i++)
        a[i] = 0.5 + 0.4 * sin((double)i);
    assert_near(cs_image_ssim(a, a, 10, 10), 1, 1e-12, 0);
    assert_true(cs_image_psnr(cs_image_mse(a, a, 100)) == HUGE_VAL);
}

static void error_and_decibels(void **state)
{
    (void)state;
    const double a[] = {0, 0.5, 1, 1}, b[] = {0.1, 0.5, 0.8, 1};
    assert_near(cs_image_mse(a, b, 4), 0.05 / 4, 1e-15, 0);
    assert_near(cs_image_psnr(0.01), 20, 1e-12, 0);
}

/* With one window, flat images of levels p and q have no variance, so their
 * similarity is (2 p q + C1) / (p^2 + q^2 + C1). A wave and its negative have
 * nearly the lowest similarity that C2 allows. */
static void similarity_of_one_window(void **state)
{
    (void)state;
    double a[49], b[49], mean = 0, var = 0;
    for (size_t i = 0; i < 49; i++) {
        a[i] = 0.3;
        b[i] = 0.6;
    }
    assert_near(cs_image_ssim(a, b, 7, 7),
                (2 * 0.18 + 1e-4) / (0.09 + 0.36 + 1e-4), 1e-12, 0);
    for (size_t i = 0; i < 49; i++) {
        double w = sin(0.7 * (double)i);
        a[i] = 0.5 + 0.3 * w;
        b[i] = 0.5 - 0.3 * w;
        mean += 0.3 * w / 49;
        var += 0.09 * w * w / 49;
    }
    var -= mean * mean;
    double ma = 0.5 + mean, mb = 0.5 - mean;
    double want = (2 * ma * mb + 1e-4) * (-2 * var + 9e-4) /
                  ((ma * ma + mb * mb + 1e-4) * (2 * var + 9e-4));
    assert_near(cs_image_ssim(a, b, 7, 7), want, 1e-12, 0);
    assert_true(want < -0.8);
}

/* The similarity is the mean over all windows inside the image. This image has
 * two columns of windows. */
static void windows_stay_within(void **state)
{
    (void)state;
    double a[56], b[56];
    for (size_t i = 0; i < 56; i++) {
        a[i] = 0.2;
        b[i] = i % 8 == 7 ? 0.9 : 0.2;
    }
    double one = cs_image_ssim(a, b, 7, 8);
    assert_true(one > 0.5 && one < 1);
    for (size_t r = 0; r < 7; r++) /* changes only the right window */
        for (size_t c = 0; c < 7; c++) {
            a[r * 7 + c] = 0.2;
            b[r * 7 + c] = c == 6 ? 0.9 : 0.2;
        }
    assert_near(one, (1 + cs_image_ssim(a, b, 7, 7)) / 2, 1e-12, 0);
    assert_true(isnan(cs_image_ssim(a, b, 6, 8)));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(equal_images_are_alike),
    cmocka_unit_test(error_and_decibels),
    cmocka_unit_test(similarity_of_one_window),
    cmocka_unit_test(windows_stay_within),
};
TESTS(test_image)
