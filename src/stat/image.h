/* How like two images are: grey levels from 0 to 1, row by row. */
#pragma once

#include <stddef.h>

/* Mean of (a - b)^2. */
double cs_image_mse(const double *a, const double *b, size_t n);

/* 10 log10(1 / mse): decibels, HUGE_VAL of equal images. */
double cs_image_psnr(double mse);

/* Structural similarity (Wang, Bovik, Sheikh and Simoncelli 2004, eq. 13):
 *
 *   (2 m_a m_b + C1) (2 s_ab + C2) / ((m_a^2 + m_b^2 + C1) (s_a^2 + s_b^2 + C2))
 *
 * with C1 = 1e-4, C2 = 9e-4 and moments over windows of 7 x 7 (all weights
 * alike, divisor 49), its mean over all windows that lie within the image; NAN
 * of an image that is smaller. */
double cs_image_ssim(const double *a, const double *b, size_t rows,
                     size_t cols);
