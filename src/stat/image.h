/* Similarity of two images. An image is an array of grey levels from 0 to 1,
 * stored row by row. */
#pragma once

#include <stddef.h>

/* Returns the mean of (a - b)^2. */
double cs_image_mse(const double *a, const double *b, size_t n);

/* Returns 10 log10(1 / mse) in decibels; HUGE_VAL for equal images. */
double cs_image_psnr(double mse);

/* Returns the structural similarity (Wang, Bovik, Sheikh and Simoncelli 2004,
 * eq. 13):
 *
 *   (2 m_a m_b + C1) (2 s_ab + C2) / ((m_a^2 + m_b^2 + C1) (s_a^2 + s_b^2 +
 *   C2))
 *
 * with C1 = 1e-4, C2 = 9e-4 and moments over windows of 7 x 7 pixels (equal
 * weights, divisor 49), averaged over all windows inside the image. Returns NAN
 * for a smaller image. */
double cs_image_ssim(const double *a, const double *b, size_t rows,
                     size_t cols);
