/* Reading of decimals, with a variant for each instruction set; all variants
 * give the same bits. See base/decimal.h. */
#pragma once

#include "simd/variants.h"

#include <stddef.h>

typedef struct cs_decimal_scanner {
    size_t (*one)(const char *text, const char *end, double *x);
    size_t (*row)(const char **text, const char *end, char separator, double *x,
                  size_t n);
} cs_decimal_scanner;

CS_DECLARE_VARIANTS(cs_decimal_scanner, cs_decimal_scan_hot)
