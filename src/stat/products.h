/* Products of tall matrices, with a variant for each instruction set; all
 * variants give the same bits. These products take most of the time of
 * stat/principal.c. */
#pragma once

#include "simd/variants.h"

#include <stddef.h>

/* The numbers of rows and of columns of a result are multiples of these
 * constants. */
enum { CS_PRODUCT_ROWS = 4, CS_PRODUCT_COLS = 16 };

typedef struct cs_products {
    /* Adds a' b to out[m][n], where a[rows][] has at least m columns and
     * b[rows][] at least n. `as`, `bs` and `os` are the distances between
     * consecutive rows of a, b and out. */
    void (*inner)(const double *a, size_t as, size_t m, const double *b,
                  size_t bs, size_t n, size_t rows, double *out, size_t os);
    /* Computes out[m][n] = a[m][k] b[k][n]. scratch[k][n] is scratch memory. */
    void (*times)(const double *a, size_t as, size_t m, const double *b,
                  size_t bs, size_t n, size_t k, double *scratch, double *out,
                  size_t os);
} cs_products;

CS_DECLARE_VARIANTS(cs_products, cs_products_hot)
