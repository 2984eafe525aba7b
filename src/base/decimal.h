/* Formats numbers as decimals that read back to the same bits, and reads
 * decimals; used for files of draws. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The longest formatted number, and the size of the buffer, in bytes. */
enum { CS_DECIMAL_MOST = 24, CS_DECIMAL = 40 };

/* Writes x with the fewest digits that read back (by strtod or any reader that
 * rounds correctly) to the same double. If several such decimals exist, writes
 * the one nearest to x. Returns the number of bytes written to
 * text[CS_DECIMAL], at most CS_DECIMAL_MOST. The text is not NUL-terminated and
 * does not depend on the locale. Like printf's %.17g, the function writes an
 * exponent if the value of the first digit is below 1e-4 or at least 1e17. NaN,
 * Inf and -Inf are spelled as in R, the strictest reader. */
size_t cs_decimal_put(double x, char *text);

/* Sets *x to digits 10^exponent, rounded to the nearest double as strtod does.
 * Returns false if this function cannot decide: for 0, for numbers that are just
 * between two doubles, subnormal or near the largest double, and for a few
 * others. */
bool cs_decimal_read(uint64_t digits, int exponent, double *x);

/* Reads the decimal with which text[end - text] starts: an optional minus, digits
 * with an optional point, and an optional exponent. Sets *x to the nearest double
 * and returns the number of bytes read. Returns 0, and leaves the text to
 * strtod, if the text starts in another way, if the number has more than 19
 * digits after leading zeros, or if cs_decimal_read cannot decide. *x is then
 * undefined. */
size_t cs_decimal_scan(const char *text, const char *end, double *x);

/* Reads up to n decimals of *text into x[n], each of which is followed by the
 * separator, and moves *text after the last of these separators. Stops before a
 * decimal that cs_decimal_scan does not read, or that another character follows.
 * Returns the number of decimals. */
size_t cs_decimal_scan_row(const char **text, const char *end, char separator,
                           double *x, size_t n);
