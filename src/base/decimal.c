/* The shortest decimal of a double, after R. Giulietti, "The Schubfach way to
 * render doubles" (2021). Let x = c 2^q. All numbers between (c - 1/2) 2^q and
 * (c + 1/2) 2^q read back as x; the ends of this interval do so if c is even,
 * since ties round to even. Choose k with 10^k <= 2^q < 10^(k+1). Then that
 * interval contains a multiple of 10^k and at most one multiple of 10^(k+1). If
 * there is such a multiple of 10^(k+1), it is the shortest decimal; otherwise
 * the shortest decimal is the multiple of 10^k nearest to x. If c is a power of
 * two, the interval starts at (c - 1/4) 2^q, and 10^k <= 3/4 2^q.
 *
 * x and the ends are compared in quarters of 10^k, as integers rounded to odd:
 * a number that is not an integer becomes the odd one of its two neighbours.
 * The candidates are even, so the result of each comparison is unchanged. */
#include "base/decimal.h"

#include "base/decimal_scan.h"

#include <assert.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

/* The table holds 10^LEAST to 10^MOST, which includes 10^-k for the k of every
 * double. */
enum { LEAST = -292, MOST = 324, WORDS = 18 };

typedef cs_decimal_power power;

static power powers[MOST - LEAST + 1]; /* filled once, by make_powers */
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* Return floor(log10 2^q) and floor(log10(3/4 2^q)), for |q|
 * <= 1650. The shifts round down. */
static int log10_of_two(int q)
{
    return (q * 1262611) >> 22;
}

static int log10_of_three_quarters(int q)
{
    return (q * 1262611 - 524031) >> 22;
}

/* ---- table of powers ----------------------------------------------------- */

/* Returns the highest 128 bits of n[WORDS], whose lowest word is first. Adds
 * one to the lowest of these bits. */
static power first_bits(const uint64_t *n)
{
    int top = WORDS - 1;
    while (n[top] == 0)
        top--;
    int shift = __builtin_clzll(n[top]);
    uint64_t word[3] = {0, 0, 0};
    for (int i = 0; i < 3 && i <= top; i++)
        word[i] = n[top - i];
    power p = {word[0], word[1]};
    if (shift) {
        p.high = word[0] << shift | word[1] >> (64 - shift);
        p.low = word[1] << shift | word[2] >> (64 - shift);
    }
    p.low++;
    p.high += p.low == 0;
    return p;
}

/* Fills the table by long multiplication and division. This is exact:
 * floor(floor(n / 10) / 10) is floor(n / 100). */
static void make_powers(void)
{
    uint64_t n[WORDS] = {1};
    for (int e = 0; e <= MOST; e++) {
        unsigned __int128 carry = 0;
        powers[e - LEAST] = first_bits(n);
        for (int i = 0; i < WORDS; i++, carry >>= 64) {
            carry += (unsigned __int128)n[i] * 10;
            n[i] = (uint64_t)carry;
        }
        assert(carry == 0);
    }
    memset(n, 0, sizeof n);
    n[WORDS - 1] = UINT64_C(1) << 63;
    for (int e = -1; e >= LEAST; e--) {
        unsigned __int128 rest = 0;
        for (int i = WORDS - 1; i >= 0; i--) {
            rest = rest << 64 | n[i];
            n[i] = (uint64_t)(rest / 10);
            rest %= 10;
        }
        powers[e - LEAST] = first_bits(n);
    }
}

static atomic_bool begun;

/* Fills the table at the first call. Later calls read a flag, which takes less
 * time than pthread_once. */
static inline void begin_powers(void)
{
    if (atomic_load_explicit(&begun, memory_order_acquire))
        return;
    pthread_once(&once, make_powers);
    atomic_store_explicit(&begun, true, memory_order_release);
}

const cs_decimal_power *cs_decimal_powers(void)
{
    begin_powers();
    return powers - LEAST;
}

/* ---- the shortest decimal ------------------------------------------------ */

/* The number digits * 10^exponent. */
typedef struct decimal {
    uint64_t digits;
    int exponent;
} decimal;

/* Returns g n / 2^128 rounded to odd, where g belongs to a power and n < 2^60.
 * g is too large by at most 1. Therefore the quotient is too large by less than
 * 2^-68, and the first word of the remainder is 0 whenever the exact remainder
 * is 0. The first word is non-zero whenever the exact remainder is not 0. This
 * holds for all arguments that occur here, with any exponent of a double: a
 * quotient that is not an integer is at least 2^-61.6 below or 2^-64 above the
 * nearest integer. There is only one exception, whose integer part is odd
 * (shown by continued fractions). */
static uint64_t to_odd(power g, uint64_t n)
{
    uint64_t low = (uint64_t)((unsigned __int128)g.low * n >> 64);
    unsigned __int128 all = (unsigned __int128)g.high * n + low;
    return (uint64_t)(all >> 64) | ((uint64_t)all != 0);
}

/* Returns the shortest decimal of c 2^q. `narrow`: c is a power of two, so the
 * gap below c 2^q is narrower than the gap above. */
static decimal shortest(uint64_t c, int q, bool narrow)
{
    int k = narrow ? log10_of_three_quarters(q) : log10_of_two(q);
    int shift = q + cs_log2_of_ten(-k) + 1;
    power g = powers[-k - LEAST];
    uint64_t odd = c & 1;
    uint64_t x = to_odd(g, (4 * c) << shift);
    uint64_t from = to_odd(g, (4 * c - 2 + narrow) << shift) + odd;
    uint64_t to = to_odd(g, (4 * c + 2) << shift) - odd;
    uint64_t one = x / 4, ten = one / 10 * 10; /* the candidates below x */
    bool ten_below = from <= 4 * ten, ten_above = 4 * ten + 40 <= to,
         below = from <= 4 * one, above = 4 * one + 4 <= to,
         nearer = x + (one & 1) > 4 * one + 2,
         up = (below & above & nearer) | (!below & above);
    ten += ten_above ? 10 : 0;
    one += up;
    return (decimal){ten_below != ten_above ? ten : one, k};
}

static decimal decimal_of(uint64_t bits)
{
    uint64_t fraction = bits & ((UINT64_C(1) << 52) - 1);
    int exponent = (int)(bits >> 52 & 0x7ff);
    if (exponent == 0)
        return shortest(fraction, -1074, false);
    return shortest(fraction | UINT64_C(1) << 52, exponent - 1075,
                    fraction == 0 && exponent > 1);
}

/* ---- digits -------------------------------------------------------------- */

/* Returns the eight digits of n < 10^8; the first digit is in the lowest byte.
 * Splits n into halves, the halves into quarters, and the quarters into digits.
 * Each of these steps processes all parts at once. */
static uint64_t eight_digits(uint64_t n)
{
    uint64_t high = n / 10000;
    uint64_t four = high | (n - 10000 * high) << 32;
    high = (four * 10486 >> 20) & UINT64_C(0x0000007f0000007f);
    uint64_t two = high | (four - 100 * high) << 16;
    high = (two * 103 >> 10) & UINT64_C(0x000f000f000f000f);
    return high | (two - 10 * high) << 8;
}

static void put_eight(uint64_t digits, char *text)
{
    digits |= UINT64_C(0x3030303030303030);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    memcpy(text, &digits, sizeof digits);
#else
    for (int i = 0; i < 8; i++)
        text[i] = (char)(digits >> 8 * i);
#endif
}

/* Writes the 17 digits of n, 10^16 <= n < 10^17; returns their number without
 * trailing zeros. */
static int put_digits(uint64_t n, char *text)
{
    uint64_t first = n / 10000000000000000U, rest = n % 10000000000000000U;
    uint64_t middle = eight_digits(rest / 100000000U),
             last = eight_digits(rest % 100000000U);
    text[0] = (char)('0' + first);
    put_eight(middle, text + 1);
    put_eight(last, text + 9);
    if (last)
        return 17 - __builtin_clzll(last) / 8;
    return middle ? 9 - __builtin_clzll(middle) / 8 : 1;
}

/* Writes an exponent such as "e-308". */
static size_t put_exponent(int e, char *text)
{
    char *at = text;
    unsigned size = (unsigned)(e < 0 ? -e : e);
    *at++ = 'e';
    if (e < 0)
        *at++ = '-';
    if (size >= 100)
        *at++ = (char)('0' + size / 100);
    if (size >= 10)
        *at++ = (char)('0' + size / 10 % 10);
    *at++ = (char)('0' + size % 10);
    return (size_t)(at - text);
}

/* Writes d as text. Copies a fixed number of bytes, which is more than needed
 * but faster. */
static size_t put(decimal d, char *text)
{
    char digit[40] = {0};
    while (d.digits < 10000000000000000U) {
        d.digits *= 10;
        d.exponent--;
    }
    int n = put_digits(d.digits, digit), e = d.exponent + 16;
    if (e >= 17 || e < -4) {
        text[0] = digit[0];
        text[1] = '.';
        memcpy(text + 2, digit + 1, 16);
        size_t size = n > 1 ? (size_t)n + 1 : 1;
        return size + put_exponent(e, text + size);
    }
    if (e < 0) {
        memcpy(text, "0.000", 6);
        memcpy(text + 1 - e, digit, 17);
        return (size_t)(1 - e + n);
    }
    memcpy(text, digit, 17);
    if (n <= e + 1)
        return (size_t)e + 1;
    text[e + 1] = '.';
    memcpy(text + e + 2, digit + e + 1, 16);
    return (size_t)n + 1;
}

/* ---- reading ------------------------------------------------------------- */

/* Sets *x to the double nearest to half 2^(binary - 1), half < 2^54, whose last
 * bit is rounded up. Returns false if the double is not normal. */
static bool round_half(uint64_t half, int binary, double *x)
{
    enum { BIAS = 1075, MOST_BINARY = 2045 };
    uint64_t bits = ((uint64_t)(binary + BIAS) << 52) + ((half + 1) >> 1) -
                    (UINT64_C(1) << 52);
    memcpy(x, &bits, sizeof bits);
    return binary + BIAS >= 1 && binary + BIAS <= MOST_BINARY;
}

/* Returns the number of bits after the 54 highest of a product. */
static int bits_to_cut(unsigned __int128 product)
{
    return 128 - 54 - !(product >> 127);
}

/* Let d be the digits, shifted so that the highest bit is set. With g of the
 * table, digits 10^e is in [d g, d (g + 1)] 2^s. Both ends are cut after 54
 * bits, one more than a double has. If they are then equal, this number and its
 * last bit determine the rounding, unless the lower end is just between two
 * doubles. (For other numbers the shape is that of D. Lemire, "Number parsing at
 * a gigabyte per second", 2021.) The first word of g is sufficient for all but
 * one in a thousand numbers. */
bool cs_decimal_read(uint64_t digits, int exponent, double *x)
{
    if (digits == 0 || exponent < LEAST || exponent > MOST)
        return false;
    begin_powers();
    power g = powers[exponent - LEAST];
    int zeros = __builtin_clzll(digits);
    uint64_t d = digits << zeros;
    int binary = 64 + 1 + cs_log2_of_ten(exponent) - 127 - zeros;
    g.high -= g.low == 0; /* the stored value is g + 1 */
    g.low--;
    unsigned __int128 low = (unsigned __int128)d * g.high;
    int cut = bits_to_cut(low);
    uint64_t top = (uint64_t)(low >> 64), next = (uint64_t)low;
    uint64_t end_top = top + (next + d < next);
    if ((top << (128 - cut) | next) &&
        top >> (cut - 64) == end_top >> (cut - 64))
        return round_half(top >> (cut - 64), binary + cut, x);
    unsigned __int128 least = (unsigned __int128)d * g.low;
    low += least >> 64;
    cut = bits_to_cut(low);
    unsigned __int128 end = (unsigned __int128)(uint64_t)least + d;
    unsigned __int128 high = low + (end >> 64);
    uint64_t half = (uint64_t)(low >> cut);
    bool whole = low << (128 - cut) == 0 && (uint64_t)least == 0;
    return half == (uint64_t)(high >> cut) && !((half & 1) && whole) &&
           round_half(half, binary + cut, x);
}

static const cs_decimal_scanner *scanner(void)
{
    static const cs_decimal_scanner *const all[][CS_SIMD_COUNT] = {
        CS_VARIANT_ROW(cs_decimal_scan_hot)};
    return all[0][cs_simd_level()];
}

size_t cs_decimal_scan(const char *text, const char *end, double *x)
{
    return scanner()->one(text, end, x);
}

size_t cs_decimal_scan_row(const char **text, const char *end, char separator,
                           double *x, size_t n)
{
    return scanner()->row(text, end, separator, x, n);
}

size_t cs_decimal_put(double x, char *text)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    if (isnan(x)) {
        memcpy(text, "NaN", 3);
        return 3;
    }
    size_t sign = bits >> 63;
    text[0] = '-';
    text += sign;
    if (isinf(x)) {
        memcpy(text, "Inf", 3);
        return 3 + sign;
    }
    bits &= ~(UINT64_C(1) << 63);
    double size = sign ? -x : x;
    if (size <= 9 && size == (int)size) { /* fast path: one digit, as for
                                           * bits and small counts */
        text[0] = (char)('0' + (int)size);
        return 1 + sign;
    }
    begin_powers();
    return sign + put(decimal_of(bits), text);
}
