/* Sums over long series, with a variant for each instruction set; all variants
 * give the same bits. */
#pragma once

#include "simd/variants.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CS_LAG_SUMS = 8, CS_LAG_SUMS_FIRST = 128 };

typedef struct cs_lag_sums {
    /* Returns the mean of x[n], n > 0, from two passes. Sets *low and *high to
     * the smallest and the largest value, and *finite to false if a value is
     * not finite. */
    double (*mean)(const double *x, size_t n, double *low, double *high,
                   bool *finite);
    /* Returns the sum of (x_i - at)^2. */
    double (*squares)(const double *x, size_t n, double at);
    /* Adds the sums over i of (x_i - at)(x_{i+k} - at), i + k < n, for the lags
     * k = first, first + 1 ... to out[CS_LAG_SUMS]. `first` is at most
     * CS_LAG_SUMS_FIRST. */
    void (*products)(const double *x, size_t n, double at, size_t first,
                     double out[CS_LAG_SUMS]);
    /* Returns the number of i for which the bits i and i + k are both 1. The
     * last word must be 0. */
    size_t (*pairs)(const uint64_t *word, size_t words, size_t k);
    /* Sets the bits i < n of word[n / 64 + 1] to x_i <= at and returns the
     * number of ones. */
    size_t (*below)(const double *x, size_t n, double at, uint64_t *word);
} cs_lag_sums;

CS_DECLARE_VARIANTS(cs_lag_sums, cs_lag_sums_hot)
