/* Products of tall matrices, for each instruction set, of the same bits: what
 * stat/principal.c spends its time on. */
#pragma once

#include "simd/variants.h"

#include <stddef.h>

/* Rows and columns of a result come in multiples of these. */
enum { CS_PRODUCT_ROWS = 4, CS_PRODUCT_COLS = 16 };

typedef struct cs_products {
    /* out[m][n] += a' b over the rows of a[rows][>= m], which are `as` apart,
     * and of b[rows][>= n], `bs` apart; those of out are `os` apart. */
    void (*inner)(const double *a, size_t as, size_t m, const double *b,
                  size_t bs, size_t n, size_t rows, double *out, size_t os);
    /* out[m][n] = a[m][k] b[k][n]; room[k][n]. */
    void (*times)(const double *a, size_t as, size_t m, const double *b,
                  size_t bs, size_t n, size_t k, double *room, double *out,
                  size_t os);
} cs_products;

CS_DECLARE_VARIANTS(cs_products, cs_products_hot)
