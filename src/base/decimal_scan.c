/* Reads decimals from a text. Up to 19 digits are collected in one integer,
 * eight at a time if eight of them follow each other. A product or quotient of
 * an integer below 2^53 and a power up to 10^22 is exact before its only
 * rounding (W. D. Clinger, "How to read floating point numbers accurately",
 * 1990); cs_decimal_read rounds most of the other numbers. */
#include "base/decimal.h"

#include <string.h>

enum { MOST_DIGITS = 19, EXPONENT_DIGITS = 4, EXACT_POWER = 22 };

/* The part of the text that has not been read, and the digits before it. */
typedef struct scan {
    const char *at, *end;
    uint64_t digits;
} scan;

/* Returns how many of the eight characters of the text are digits, up to the
 * first one that is not, and sets *digits to the number that they form. The
 * first character is in the lowest byte. The digits are shifted to the end, so
 * that zeros precede them. Then pairs of digits become numbers below 100, pairs
 * of these numbers below 10^4, and the last pair the result; each step is done
 * for all pairs at once. */
static unsigned some_digits(const char *text, uint64_t *digits)
{
    const uint64_t zeros = UINT64_C(0x3030303030303030),
                   highs = UINT64_C(0xf0f0f0f0f0f0f0f0);
    uint64_t v = 0;
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    memcpy(&v, text, sizeof v);
#else
    for (int i = 0; i < 8; i++)
        v |= (uint64_t)(unsigned char)text[i] << 8 * i;
#endif
    /* A digit, and the digit plus 6, have the high half 3. A sum that exceeds a
     * byte changes only characters after the first that is not a digit. */
    uint64_t other = ((v & highs) ^ zeros) |
                     (((v + UINT64_C(0x0606060606060606)) & highs) ^ zeros);
    unsigned n = other ? (unsigned)__builtin_ctzll(other) / 8 : 8;
    if (n == 0)
        return 0;
    v = (v ^ zeros) << (64 - 8 * n);
    v = (v * 10 + (v >> 8)) & UINT64_C(0x00ff00ff00ff00ff);
    v = (v * 100 + (v >> 16)) & UINT64_C(0x0000ffff0000ffff);
    *digits = (v & UINT32_MAX) * 10000 + (v >> 32);
    return n;
}

static bool is_digit(char c)
{
    return (unsigned)(unsigned char)c - '0' < 10;
}

/* Reads digits and returns their number. The integer wraps around after 19
 * digits. */
static size_t take_digits(scan *s)
{
    static const uint32_t power[] = {1,      10,      100,      1000,     10000,
                                     100000, 1000000, 10000000, 100000000};
    const char *from = s->at;
    while (s->end - s->at >= 8) {
        uint64_t some = 0;
        unsigned n = some_digits(s->at, &some);
        s->digits = s->digits * power[n] + some;
        s->at += n;
        if (n < 8)
            return (size_t)(s->at - from);
    }
    while (s->at < s->end && is_digit(*s->at))
        s->digits = s->digits * 10 + (uint64_t)(*s->at++ - '0');
    return (size_t)(s->at - from);
}

static size_t skip_zeros(scan *s)
{
    const char *from = s->at;
    while (s->at < s->end && *s->at == '0')
        s->at++;
    return (size_t)(s->at - from);
}

/* Reads the characters after "e". Returns false if they do not form an exponent
 * of at most four digits. */
static bool take_exponent(scan *s, int *exponent)
{
    bool minus = s->at < s->end && *s->at == '-';
    s->at += minus || (s->at < s->end && *s->at == '+');
    const char *from = s->at;
    int e = 0;
    while (s->at < s->end && is_digit(*s->at) &&
           s->at - from <= EXPONENT_DIGITS)
        e = 10 * e + (*s->at++ - '0');
    *exponent = minus ? -e : e;
    return s->at > from && s->at - from <= EXPONENT_DIGITS;
}

static bool scale(uint64_t digits, int exponent, double *x)
{
    static const double power[EXACT_POWER + 1] = {
        1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
        1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    *x = 0;
    if (digits == 0)
        return true;
    if (digits >> 53 || exponent < -EXACT_POWER || exponent > EXACT_POWER)
        return cs_decimal_read(digits, exponent, x);
    *x = exponent < 0 ? (double)digits / power[-exponent]
                      : (double)digits * power[exponent];
    return true;
}

size_t cs_decimal_scan(const char *text, const char *end, double *x)
{
    scan s = {text, end, 0};
    bool minus = text < end && *text == '-';
    int exponent = 0, after = 0;
    s.at += minus;
    size_t zeros = skip_zeros(&s), digits = take_digits(&s);
    bool any = zeros || digits;
    if (s.at < end && *s.at == '.') {
        const char *point = ++s.at;
        if (digits == 0)
            skip_zeros(&s);
        digits += take_digits(&s);
        any |= s.at > point;
        if (s.at - point > INT16_MAX)
            return 0;
        after = (int)(s.at - point);
    }
    if (!any || digits > MOST_DIGITS)
        return 0;
    if (s.at < end && (*s.at | 32) == 'e') {
        s.at++;
        if (!take_exponent(&s, &exponent))
            return 0;
    }
    if (!scale(s.digits, exponent - after, x))
        return 0;
    *x = minus ? -*x : *x;
    return (size_t)(s.at - text);
}
