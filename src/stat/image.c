#include "stat/image.h"

#include <math.h>

enum { WINDOW = 7 };

double cs_image_mse(const double *a, const double *b, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sum / (double)n;
}

double cs_image_psnr(double mse)
{
    return -10 * log10(mse);
}

/* Returns the structural similarity of two images in one window. The rows of an
 * image are `cols` numbers apart. */
static double likeness(const double *a, const double *b, size_t cols)
{
    double ma = 0, mb = 0, aa = 0, bb = 0, ab = 0;
    const double n = WINDOW * WINDOW, c1 = 1e-4, c2 = 9e-4;
    for (size_t r = 0; r < WINDOW; r++)
        for (size_t c = 0; c < WINDOW; c++) {
            double x = a[r * cols + c], y = b[r * cols + c];
            ma += x;
            mb += y;
            aa += x * x;
            bb += y * y;
            ab += x * y;
        }
    ma /= n;
    mb /= n;
    return (2 * ma * mb + c1) * (2 * (ab / n - ma * mb) + c2) /
           ((ma * ma + mb * mb + c1) *
            (aa / n - ma * ma + bb / n - mb * mb + c2));
}

double cs_image_ssim(const double *a, const double *b, size_t rows, size_t cols)
{
    double sum = 0;
    size_t n = 0;
    for (size_t r = 0; r + WINDOW <= rows; r++)
        for (size_t c = 0; c + WINDOW <= cols; c++, n++)
            sum += likeness(a + r * cols + c, b + r * cols + c, cols);
    return n ? sum / (double)n : (double)NAN;
}
