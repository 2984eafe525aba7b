/* Reads decimals from a text. Up to 19 digits are collected in one integer,
 * with AVX2 sixteen at a time, and otherwise eight at a time if eight of them
 * follow each other. A product or quotient of an integer below 2^53 and a power
 * up to 10^22 is exact before its only rounding (W. D. Clinger, "How to read
 * floating point numbers accurately", 1990); cs_decimal_read rounds most of the
 * other numbers. */
#include "base/decimal_scan.h"

#include "base/decimal.h"
#ifdef __AVX2__
#include "simd/intrinsics.h"
#endif

#include <string.h>

enum { MOST_DIGITS = 19, EXPONENT_DIGITS = 4, EXACT_POWER = 22, FEW_BITS = 48 };

/* The part of the text that has not been read, and the digits before it. */
typedef struct scan {
    const char *at, *end;
    uint64_t digits;
} scan;

static const uint32_t power_of_ten[] = {
    1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};

static const double exact_power[EXACT_POWER + 1] = {
    1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/* Returns how many of the eight characters of the text are digits, up to the
 * first one that is not, and sets *digits to the number that they form. The
 * first character is in the lowest byte. The digits are shifted to the end, so
 * that zeros precede them. Then pairs of digits become numbers below 100, pairs
 * of these numbers below 10^4, and the last pair the result; each step is done
 * for all pairs at once. */
static inline unsigned some_digits(const char *text, uint64_t *digits)
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
    unsigned bits = (unsigned)__builtin_ctzll(other | UINT64_C(1) << 63) & 56;
    bits += 8U * (other == 0);
    unsigned half = (64 - bits) / 2; /* a shift by 64 is undefined */
    v = (v ^ zeros) << half << half;
    v = (v * 10 + (v >> 8)) & UINT64_C(0x00ff00ff00ff00ff);
    v = (v * 100 + (v >> 16)) & UINT64_C(0x0000ffff0000ffff);
    *digits = (v & UINT32_MAX) * 10000 + (v >> 32);
    return bits / 8;
}

static bool is_digit(char c)
{
    return (unsigned)(unsigned char)c - '0' < 10;
}

#ifdef __AVX2__
/* Bytes after the text that take_quick may read. */
enum { QUICK = 24 };

/* Returns the number that sixteen digits form; the first digit is in the lowest
 * byte. */
static inline uint64_t sixteen_digits(__m128i digit)
{
    __m128i two = _mm_maddubs_epi16(digit, _mm_set1_epi16(0x010a));
    __m128i four = _mm_madd_epi16(two, _mm_set1_epi32(0x00010064));
    __m128i eight = _mm_madd_epi16(_mm_packus_epi32(four, four),
                                   _mm_set1_epi32(0x00012710));
    uint64_t v = (uint64_t)_mm_cvtsi128_si64(eight);
    return (v & UINT32_MAX) * 100000000 + (v >> 32);
}

/* Reads digits with an optional point, 16 characters at once: removes the point,
 * and shifts the digits to the end. Has no branches for the number of digits,
 * which the processor could not predict. Sets *after to the number of digits
 * after the point. Returns false, and reads nothing, if there are no digits, or
 * possibly too many. */
static inline bool take_quick(scan *s, int *after)
{
#define SIXTEEN(x) x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x
    static const signed char from[32] = {SIXTEEN(0), SIXTEEN(-1)};
    static const signed char count[32] = {
        -16, -15, -14, -13, -12, -11, -10, -9, -8, -7, -6, -5, -4, -3, -2, -1,
        0,   1,   2,   3,   4,   5,   6,   7,  8,  9,  10, 11, 12, 13, 14, 15};
#undef SIXTEEN
    __m128i text = _mm_loadu_si128((const __m128i *)s->at);
    __m128i digit = _mm_sub_epi8(text, _mm_set1_epi8('0'));
    __m128i is = _mm_cmpeq_epi8(_mm_min_epu8(digit, _mm_set1_epi8(9)), digit);
    unsigned digits = (unsigned)_mm_movemask_epi8(is);
    unsigned points =
        (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(text, _mm_set1_epi8('.')));
    unsigned end = (unsigned)__builtin_ctz(~(digits | points));
    points &= (1U << end) - 1;
    if (points & (points - 1))
        return false;
    unsigned whole = (unsigned)__builtin_ctz(points | 1U << end);
    unsigned n = end - (points != 0);
    __m128i after_point = _mm_loadu_si128((const __m128i *)(from + 16 - whole));
    __m128i to_end = _mm_loadu_si128((const __m128i *)(count + n));
    digit = _mm_blendv_epi8(digit, _mm_srli_si128(digit, 1), after_point);
    s->digits = sixteen_digits(_mm_shuffle_epi8(digit, to_end));
    if (end == 16) {
        uint64_t some;
        unsigned more = some_digits(s->at + 16, &some);
        /* zeros before the other digits are not counted */
        if (whole == 16 || more > 4U + (s->digits < UINT64_C(100000000000000)))
            return false;
        s->digits = s->digits * power_of_ten[more] + some;
        n += more;
        end += more;
    }
    s->at += n ? end : 0;
    *after = (int)(n - whole);
    return n > 0;
}
#else
enum { QUICK = 0 };

/* Other instruction sets read all numbers with take_any. */
static inline bool take_quick(scan *s, int *after)
{
    (void)s;
    (void)after;
    return false;
}
#endif

/* Reads digits and returns their number. The integer wraps around after 19
 * digits. */
static size_t take_digits(scan *s)
{
    const char *from = s->at;
    while (s->end - s->at >= 8) {
        uint64_t some = 0;
        unsigned n = some_digits(s->at, &some);
        s->digits = s->digits * power_of_ten[n] + some;
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

/* Numbers with more than FEW_BITS bits are left to cs_decimal_read, although up
 * to 53 bits are exact: many numbers of 16 and 17 digits are around this limit,
 * and the processor could not predict the branch. */
static bool scale(uint64_t digits, int exponent, double *x)
{
    *x = 0;
    if (digits == 0)
        return true;
    if (digits >> FEW_BITS || exponent < -EXACT_POWER || exponent > EXACT_POWER)
        return cs_decimal_read(digits, exponent, x);
    *x = exponent < 0 ? (double)digits / exact_power[-exponent]
                      : (double)digits * exact_power[exponent];
    return true;
}

/* Reads any digits with an optional point. Sets *after to the number of digits
 * after the point. Returns false if there are no digits, or more than 19 after
 * leading zeros. */
static bool take_any(scan *s, int *after)
{
    s->digits = 0;
    size_t zeros = skip_zeros(s), digits = take_digits(s);
    bool any = zeros || digits;
    if (s->at < s->end && *s->at == '.') {
        const char *point = ++s->at;
        if (digits == 0)
            skip_zeros(s);
        digits += take_digits(s);
        any |= s->at > point;
        if (s->at - point > INT16_MAX)
            return false;
        *after = (int)(s->at - point);
    }
    return any && digits <= MOST_DIGITS;
}

static inline size_t read_one(const char *text, const char *end, double *x)
{
    scan s = {text, end, 0};
    bool minus = text < end && *text == '-';
    int exponent = 0, after = 0;
    uint64_t bits;
    s.at += minus;
    bool quick = end - s.at >= QUICK && take_quick(&s, &after);
    if (!quick && !take_any(&s, &after))
        return 0;
    if (s.at < end && (*s.at | 32) == 'e') {
        s.at++;
        if (!take_exponent(&s, &exponent))
            return 0;
    }
    if (!scale(s.digits, exponent - after, x))
        return 0;
    memcpy(&bits, x, sizeof bits);
    bits ^= (uint64_t)minus << 63;
    memcpy(x, &bits, sizeof bits);
    return (size_t)(s.at - text);
}

static size_t one(const char *text, const char *end, double *x)
{
    return read_one(text, end, x);
}

/* Reads decimals one after the other: see cs_decimal_scan_row. */
static size_t read_each(const char **text, const char *end, char separator,
                        double *x, size_t n)
{
    size_t i = 0;
    for (; i < n; i++) {
        size_t some = read_one(*text, end, x + i);
        const char *next = *text + some;
        if (some == 0 || next == end || *next != separator)
            break;
        *text = next + 1;
    }
    return i;
}

#ifdef __AVX2__
/* SOME: fields whose ends are found before they are read, so that the processor
 * reads several at a time. BLOCK: characters that are searched at once. */
enum { SOME = 32, BLOCK = 64 };

/* Returns a bit for each of 64 characters, which is 1 for separators. */
static inline uint64_t separators(const char *text, char separator)
{
    __m256i wanted = _mm256_set1_epi8(separator);
    __m256i low = _mm256_loadu_si256((const __m256i *)text);
    __m256i high = _mm256_loadu_si256((const __m256i *)(text + BLOCK / 2));
    return (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(low, wanted)) |
           (uint64_t)(uint32_t)_mm256_movemask_epi8(
               _mm256_cmpeq_epi8(high, wanted))
               << BLOCK / 2;
}

/* Sets at[] to the indices of the next separators in text[size], size >= BLOCK,
 * from index `from` on. Returns their number: at least SOME, if there are that
 * many. Eight indices are stored at once, more than there may be: the processor
 * could not predict their number. */
static inline size_t find_separators(const char *text, size_t from, size_t size,
                                     char separator,
                                     uint32_t at[SOME + 2 * BLOCK])
{
    size_t n = 0;
    for (; from < size && n < SOME; from += BLOCK) {
        size_t start = from + BLOCK <= size ? from : size - BLOCK;
        uint64_t bits = separators(text + start, separator);
        bits &= UINT64_MAX << (from - start);
        size_t end = n + (size_t)__builtin_popcountll(bits);
        do {
#pragma GCC unroll 1 /* GCC would collect the indices in vectors */
            for (size_t k = 0; k < 8; k++, bits &= bits - 1)
                at[n + k] = (uint32_t)start +
                            (uint32_t)__builtin_ctzll(bits | UINT64_C(1) << 63);
            n += 8;
        } while (n < end);
        n = end;
    }
    return n;
}

/* The part of cs_decimal_read that suffices for all but one in 500 numbers, for
 * exponents from -EXACT_POWER to 0. Returns false for the others. */
static inline bool read_many(uint64_t digits, int exponent,
                             const cs_decimal_power *powers, double *x)
{
    enum { UNSURE = 511 };
    const cs_decimal_power *g = powers + exponent;
    int zeros = __builtin_clzll(digits);
    uint64_t d = digits << zeros;
    unsigned __int128 low = (unsigned __int128)d * (g->high - (g->low == 0));
    uint64_t top = (uint64_t)(low >> 64);
    int carry = (int)(top >> 63);
    uint64_t half = top >> (9 + carry);
    uint64_t binary =
        (uint64_t)(cs_log2_of_ten(exponent) + carry - zeros + 1085);
    uint64_t bits = (binary << 52) + ((half + 1) >> 1);
    memcpy(x, &bits, sizeof bits);
    return (top & UNSURE) != UNSURE && (uint64_t)low != 0;
}

/* Characters before the end of a decimal that read_field may read. */
enum { BEFORE = 33 };

/* Reads the decimal of `size` characters before `end`: at most 19 digits with an
 * optional point, which it removes by moving the digits before the point by one
 * character. Returns false if the text is something else, or needs strtod. */
static inline bool read_field(const char *end, size_t size,
                              const cs_decimal_power *powers, double *x)
{
    bool minus = end[-(ptrdiff_t)size] == '-';
    uint64_t sign = (uint64_t)minus << 63, bits;
    size -= minus;
    if (size > EXACT_POWER + 1)
        return false;
    __m256i text = _mm256_loadu_si256((const __m256i *)(end - 32));
    __m256i moved = _mm256_loadu_si256((const __m256i *)(end - 33));
    __m256i zero = _mm256_set1_epi8('0');
    __m256i digit = _mm256_sub_epi8(text, zero);
    uint32_t inside = (uint32_t)(UINT64_C(0xffffffff) << (32 - size));
    uint32_t points = inside & (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(
                                   text, _mm256_set1_epi8('.')));
    uint32_t digits = (uint32_t)_mm256_movemask_epi8(
        _mm256_cmpeq_epi8(_mm256_min_epu8(digit, _mm256_set1_epi8(9)), digit));
    unsigned point = points != 0;
    unsigned after = 31 - (unsigned)__builtin_ctz(points | UINT32_C(1) << 31);
    __m256i index = _mm256_setr_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12,
                                     13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23,
                                     24, 25, 26, 27, 28, 29, 30, 31);
    size_t n = size - point;
    if ((points & (points - 1)) || (~(digits | points) & inside) || n == 0)
        return false;
    /* digits before the point are one character further to the left */
    __m256i left = _mm256_cmpgt_epi8(
        _mm256_set1_epi8((char)(point * (32 - after))), index);
    __m256i mine = _mm256_cmpgt_epi8(index, _mm256_set1_epi8((char)(31 - n)));
    digit = _mm256_blendv_epi8(digit, _mm256_sub_epi8(moved, zero), left);
    digit = _mm256_and_si256(digit, mine);
    __m256i two = _mm256_maddubs_epi16(digit, _mm256_set1_epi16(0x010a));
    __m256i four = _mm256_madd_epi16(two, _mm256_set1_epi32(0x00010064));
    __m256i eight = _mm256_madd_epi16(_mm256_packus_epi32(four, four),
                                      _mm256_set1_epi32(0x00012710));
    uint64_t high = (uint64_t)_mm_cvtsi128_si64(_mm256_castsi256_si128(eight));
    uint64_t low =
        (uint64_t)_mm_cvtsi128_si64(_mm256_extracti128_si256(eight, 1));
    if ((uint32_t)high || high >> 32 > 999)
        return false;
    uint64_t all = (high >> 32) * UINT64_C(10000000000000000) +
                   (low & UINT32_MAX) * 100000000 + (low >> 32);
    if (!(all >> FEW_BITS))
        *x = (double)all / exact_power[after];
    else if (!read_many(all, -(int)after, powers, x))
        return false;
    memcpy(&bits, x, sizeof bits);
    bits |= sign;
    memcpy(x, &bits, sizeof bits);
    return true;
}

static size_t row(const char **text, const char *end, char separator, double *x,
                  size_t n)
{
    uint32_t at[SOME + 2 * BLOCK];
    size_t from = 0, i = 0, size = (size_t)(end - *text), some = 1;
    const cs_decimal_power *powers = cs_decimal_powers();
    if (size < BLOCK || size > UINT32_MAX)
        return read_each(text, end, separator, x, n);
    for (bool good = true; good && i < n && some;) {
        some = find_separators(*text, from, size, separator, at);
        for (size_t k = 0; k < some && i < n && good; k++) {
            const char *stop = *text + at[k], *start = *text + from;
            good = (at[k] >= BEFORE && stop > start &&
                    read_field(stop, (size_t)(stop - start), powers, x + i)) ||
                   read_one(start, stop, x + i) == (size_t)(stop - start);
            good &= stop > start;
            from = good ? at[k] + 1 : from;
            i += good;
        }
    }
    *text += from;
    return i;
}
#else
static size_t row(const char **text, const char *end, char separator, double *x,
                  size_t n)
{
    return read_each(text, end, separator, x, n);
}
#endif

const cs_decimal_scanner CS_VARIANT(cs_decimal_scan_hot) = {one, row};
