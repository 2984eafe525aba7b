/* Numbers as decimals that read back to the same bits: what files of draws are
 * made of. */
#pragma once

#include <stddef.h>

/* Bytes that a number takes at most, and while it is written. */
enum { CS_DECIMAL_MOST = 24, CS_DECIMAL = 40 };

/* Writes x with the fewest digits that read back (strtod, any reader that
 * rounds correctly) to the same double, and of those the nearest to x; returns
 * the number of bytes written to text[CS_DECIMAL], at most CS_DECIMAL_MOST.
 * The text is not NUL-terminated and does not depend on the locale. As
 * printf's %.17g chooses, with an exponent where the first digit stands for
 * less than 1e-4 or for 1e17 or more; NaN, Inf and -Inf as R spells them, the
 * strictest of readers. */
size_t cs_decimal_put(double x, char *text);
