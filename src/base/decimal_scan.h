/* Reading of decimals, with a variant for each instruction set; all variants
 * give the same bits. See base/decimal.h. */
#pragma once

#include "simd/variants.h"

#include <stddef.h>
#include <stdint.h>

/* 10^e is in [g, g + 1] 2^(floor(log2 10^e) - 127), where g is the stored value
 * minus one. The highest bit of g is set. */
typedef struct cs_decimal_power {
    uint64_t high, low;
} cs_decimal_power;

/* Returns the power of e = 0; others are before and after it. */
const cs_decimal_power *cs_decimal_powers(void);

/* Returns floor(log2 10^e), for |e| <= 1650. The shift rounds down. */
static inline int cs_log2_of_ten(int e)
{
    return (e * 1741647) >> 19;
}

typedef struct cs_decimal_scanner {
    size_t (*one)(const char *text, const char *end, double *x);
    size_t (*row)(const char **text, const char *end, char separator, double *x,
                  size_t n);
} cs_decimal_scanner;

CS_DECLARE_VARIANTS(cs_decimal_scanner, cs_decimal_scan_hot)
