/* Tests decimals of doubles, by comparison with strtod and printf of the C
 * library. Each decimal is read back to the same bits. No decimal is longer
 * than needed, and no other decimal of the same length is closer to the
 * double. */
#include "support/support.h"

#include "base/decimal.h"
#include "base/decimal_scan.h"
#include "data/lines.h"

#include <fenv.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static double of_bits(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* Returns a random number by splitmix64. */
static uint64_t next(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static void write_it(double x, char *text)
{
    memset(text, '7', CS_DECIMAL); /* the rest of the text shows whether too few
                                    * characters are written */
    size_t n = cs_decimal_put(x, text);
    assert_true(n > 0 && n <= CS_DECIMAL_MOST);
    text[n] = 0;
}

static void reads_back(double x)
{
    char text[CS_DECIMAL];
    write_it(x, text);
    double back = strtod(text, NULL);
    if (bits_of(back) != bits_of(x))
        fail_msg("%.17g was written as %s", x, text);
}

/* Copies the significant digits without trailing zeros. Returns the number of
 * digits copied. */
static size_t digits_of(const char *text, char *digits)
{
    size_t n = 0, used = 0;
    for (; *text && *text != 'e'; text++)
        if (*text >= '0' && *text <= '9' && (n || *text != '0')) {
            digits[n++] = *text;
            used = *text == '0' ? used : n;
        }
    digits[used] = 0;
    return used;
}

/* Returns x rounded to n digits. The direction is up, down or to nearest. */
static double rounded(double x, size_t n, int way, char *text)
{
    fesetround(way);
    snprintf(text, 64, "%.*e", (int)n - 1, x);
    fesetround(FE_TONEAREST);
    return strtod(text, NULL);
}

static void is_shortest(double x)
{
    char text[CS_DECIMAL], digits[CS_DECIMAL], other[64], nearest[64];
    reads_back(x);
    write_it(x, text);
    size_t n = digits_of(text, digits);
    if (n > 1 && (rounded(x, n - 1, FE_UPWARD, other) == x ||
                  rounded(x, n - 1, FE_DOWNWARD, other) == x))
        fail_msg("%s is shorter than %s", other, text);
    if (n > 0 && rounded(x, n, FE_TONEAREST, other) == x) {
        digits_of(other, nearest);
        assert_string_equal(digits, nearest);
    }
}

static void around(double x, void (*check)(double))
{
    check(x);
    check(-x);
    check(nextafter(x, HUGE_VAL));
    check(nextafter(x, 0));
}

static void test_spelling(void **state)
{
    (void)state;
    static const struct {
        double x;
        const char *text;
    } row[] = {{0, "0"},
               {-0.0, "-0"},
               {7, "7"},
               {-9, "-9"},
               {10, "10"},
               {0.1, "0.1"},
               {-0.5, "-0.5"},
               {1.0 / 3, "0.3333333333333333"},
               {123456.789, "123456.789"},
               {0.0001, "0.0001"},
               {0.00001, "1e-5"},
               {-1.25e-7, "-1.25e-7"},
               {1e16, "10000000000000000"},
               {1e17, "1e17"},
               {1e23, "1e23"},
               {9007199254740993.0, "9007199254740992"},
               {12345678901234567.0, "12345678901234568"},
               {5e-324, "5e-324"},
               {2.2250738585072014e-308, "2.2250738585072014e-308"},
               {-1.7976931348623157e308, "-1.7976931348623157e308"},
               {HUGE_VAL, "Inf"},
               {-HUGE_VAL, "-Inf"},
               {(double)NAN, "NaN"},
               {-(double)NAN, "NaN"}};
    char text[CS_DECIMAL];
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        write_it(row[i].x, text);
        assert_string_equal(text, row[i].text);
    }
}

/* Tests powers of 2 and of 10 and their neighbours, where the gap between
 * doubles and the number of digits change. */
static void test_borders(void **state)
{
    (void)state;
    for (int e = -1074; e < 1024; e++)
        around(ldexp(1, e), is_shortest);
    for (int e = -323; e <= 308; e++) {
        char text[16];
        snprintf(text, sizeof text, "1e%d", e);
        for (int k = 1; k < 10; k++)
            around(k * strtod(text, NULL), is_shortest);
    }
    for (uint64_t bits = 1; bits < 3000; bits++)
        is_shortest(of_bits(bits)); /* the smallest double */
    for (int i = -3000; i < 3000; i++)
        is_shortest(i / 100.0);
    is_shortest(of_bits(UINT64_C(0x000fffffffffffff)));
    is_shortest(of_bits(UINT64_C(0x0010000000000001)));
    is_shortest(of_bits(UINT64_C(0x7fefffffffffffff)));
}

static void test_random_bits(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (long i = 0; i < 5000000; i++) {
        double x = of_bits(next(&seed));
        if (!isnan(x))
            reads_back(x);
        if (isfinite(x) && i % 50 == 0)
            is_shortest(x);
    }
}

/* Tests random numbers that resemble draws: they have moderate sizes, and some
 * of them are rounded. */
static void test_random_draws(void **state)
{
    (void)state;
    uint64_t seed = 2;
    for (long i = 0; i < 5000000; i++) {
        double x = (double)(int64_t)next(&seed) / 3e18;
        reads_back(x);
        if (i % 50 == 0)
            is_shortest(x);
        if (i % 50 == 1)
            is_shortest(floor(x * 1e6) / 1e4);
    }
}

/* ---- reading ------------------------------------------------------------- */

/* Reads text[size] in a row after 20 zeros, with one instruction set. The row must
 * end before the text if n, the length of its decimal, is not `size`. */
static void reads_in_row(const cs_decimal_scanner *with, const char *text,
                         size_t size, size_t n, double want)
{
    enum { ZEROS = 20 };
    char row[2 * ZEROS + 128];
    double x[ZEROS + 2];
    const char *at = row;
    for (size_t i = 0; i < ZEROS; i++)
        memcpy(row + 2 * i, "0,", 2);
    memcpy(row + sizeof row - 128, text, size);
    memset(row + sizeof row - 128 + size, ',', 128 - size);
    bool whole = size > 0 && n == size;
    size_t found = with->row(&at, row + sizeof row, ',', x, ZEROS + 2);
    if (found != ZEROS + (size_t)whole ||
        (whole && bits_of(x[ZEROS]) != bits_of(want)))
        fail_msg("%s is read as %.17g in a row of %zu", text, x[ZEROS], found);
}

/* Scans text[size], and with every instruction set the same text before other
 * bytes, which are read ahead, and in a row. Returns the number of bytes; their
 * value must be that of strtod. */
static size_t scans(const char *text, size_t size)
{
    static const cs_decimal_scanner *const all[][CS_SIMD_COUNT] = {
        CS_VARIANT_ROW(cs_decimal_scan_hot)};
    char copy[64] = "", longer[128];
    double x = 0, y = 0;
    size_t n = cs_decimal_scan(text, text + size, &x);
    assert_true(n <= size && size < sizeof copy);
    memcpy(longer, text, size);
    memset(longer + size, ';', sizeof longer - size);
    for (cs_simd set = 0; set <= cs_simd_level(); set++) {
        if (all[0][set]->one(longer, longer + sizeof longer, &y) != n ||
            (n && bits_of(y) != bits_of(x)))
            fail_msg("%s is scanned as %.17g with %s", text, y,
                     cs_simd_name(set));
        if (!memchr(text, ',', size))
            reads_in_row(all[0][set], text, size, n, x);
    }
    memcpy(copy, text, n);
    if (n && bits_of(x) != bits_of(strtod(copy, NULL)))
        fail_msg("%s is scanned as %.17g", copy, x);
    return n;
}

static void reads_as_strtod(const char *text)
{
    double x;
    if (!cs_word_real((cs_word_span){text, text + strlen(text)}, &x) ||
        bits_of(x) != bits_of(strtod(text, NULL)))
        fail_msg("%s is read as %.17g", text, x);
    size_t n = scans(text, strlen(text));
    assert_true(n == 0 || n == strlen(text));
}

/* Tests decimals with any number of digits and any exponent, and decimals that
 * are just between two doubles or next to such a decimal. */
static void test_reading(void **state)
{
    (void)state;
    char text[400];
    uint64_t seed = 3;
    for (long i = 0; i < 1000000; i++) {
        double x =
            i % 2 ? of_bits(next(&seed)) : (double)(int64_t)next(&seed) / 3e18;
        if (i % 10 == 0) { /* an integer between two doubles, and neighbours */
            uint64_t n = (next(&seed) >> 10 | UINT64_C(1) << 53) | 1;
            snprintf(text, sizeof text, "%llu",
                     (unsigned long long)(n + next(&seed) % 3 - 1));
        } else if (i % 10 == 1)
            snprintf(text, sizeof text, "-%llu.%llue%d",
                     (unsigned long long)(next(&seed) % 1000),
                     (unsigned long long)(next(&seed) >> 11),
                     (int)(next(&seed) % 660) - 330);
        else if (i % 10 < 6)
            snprintf(text, sizeof text, "%.*g", 5 + (int)(next(&seed) % 16), x);
        else
            snprintf(text, sizeof text, "%.*e", 5 + (int)(next(&seed) % 16), x);
        if (strlen(text) < 60 && !isnan(x))
            reads_as_strtod(text);
    }
    static const char *const special[] = {"0",
                                          "-0",
                                          "0.0e9",
                                          "00012.50",
                                          "1.",
                                          ".5",
                                          "1e22",
                                          "1e23",
                                          "-1E+05",
                                          "9007199254740993",
                                          "9007199254740993e-3",
                                          "4.9e-324",
                                          "2.2250738585072011e-308",
                                          "2.2250738585072014e-308",
                                          "1.7976931348623157e308",
                                          "1.7976931348623159e308",
                                          "18446744073709551615",
                                          "9999999999999999999e-19",
                                          "1e9999",
                                          "1e-9999"};
    for (size_t i = 0; i < sizeof special / sizeof *special; i++)
        reads_as_strtod(special[i]);
    double x;
    static const char *const wrong[] = {"",      ".",   "-",  "1e",    "1e+",
                                        "1.2.3", "1 2", "e5", "1e5.0", "1-2"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_false(cs_word_real(
            (cs_word_span){wrong[i], wrong[i] + strlen(wrong[i])}, &x));
}

/* Tests that few numbers with 17 digits need strtod. */
static void test_reading_decides(void **state)
{
    (void)state;
    uint64_t seed = 4;
    size_t undecided = 0;
    double x;
    for (long i = 0; i < 100000; i++)
        undecided +=
            !cs_decimal_read(next(&seed) % UINT64_C(100000000000000000),
                             (int)(next(&seed) % 20) - 30, &x);
    assert_true(undecided < 100);
}

/* Returns the length of the digits, with an optional point, at the start. */
static size_t plain(const char *text)
{
    size_t n = strspn(text, "0123456789");
    return text[n] == '.' ? n + 1 + strspn(text + n + 1, "0123456789") : n;
}

/* Tests every byte at every place of a number: eight characters are read at
 * once, and a byte that is not a digit ends the number. */
static void test_scanning(void **state)
{
    (void)state;
    static const char number[] = "3141592653.58979323,7";
    for (size_t place = 1; place < 19; place++)
        for (int byte = 1; byte < 256; byte++) {
            char text[] = "3141592653.58979323,7";
            text[place] = (char)byte;
            if ((byte | 32) == 'e')
                continue;
            assert_int_equal(scans(text, sizeof number - 1), plain(text));
        }
    for (size_t size = 1; size < 19; size++)
        assert_int_equal(scans(number, size), size);
    assert_int_equal(scans("-0.00000000000000000000012345678,", 33), 32);
    assert_int_equal(scans("1e-5;", 5), 4);
    assert_int_equal(scans("1e12345", 7), 0);
    assert_int_equal(scans("1e", 2), 0);
    assert_int_equal(scans("-", 1), 0);
    assert_int_equal(scans("", 0), 0);
    assert_int_equal(scans("+1", 2), 0);
}

/* Writes n random numbers as draws are written: rounded, with all digits, as
 * integers, or small. Returns the number of bytes. */
static size_t write_row(uint64_t *seed, size_t n, char *text)
{
    char *at = text;
    for (size_t i = 0; i < n; i++) {
        double draw = (double)(int64_t)next(seed) / 3e18;
        double sizes[] = {draw, draw * 1e3, round(draw * 100), draw * 1e-3};
        at += snprintf(at, 40, "%.*g,", i % 3 ? 6 : 17, sizes[i / 3 % 4]);
    }
    return (size_t)(at - text);
}

/* Tests rows of numbers of different lengths. */
static void test_rows(void **state)
{
    (void)state;
    enum { ROW = 24, MOST = ROW * 40 };
    char text[MOST + 1];
    double x[ROW];
    uint64_t seed = 5;
    for (int k = 0; k < 2000; k++) {
        size_t size = write_row(&seed, ROW, text);
        const char *at = text;
        assert_int_equal(cs_decimal_scan_row(&at, text + size, ',', x, ROW),
                         ROW);
        assert_ptr_equal(at, text + size);
        const char *from = text;
        for (size_t i = 0; i < ROW; from = strchr(from, ',') + 1, i++)
            assert_true(bits_of(x[i]) == bits_of(strtod(from, NULL)));
    }
}

/* Tests that a row ends before a field that is not a decimal, and before a
 * decimal that something else follows. */
static void test_ends_of_rows(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t n, used;
    } rows[] = {{"1,2,3\n4,5", 2, 4},
                {"1,NaN,3,", 1, 2},
                {"1.5,,2,", 1, 4},
                {"1.5, 2,", 1, 4},
                {"12345678901234567890,", 0, 0},
                {"1.2.3,4", 0, 0},
                {"-1e-5,-2,-", 2, 9},
                {"", 0, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[128];
        double x[8];
        int size = snprintf(text, sizeof text, "%s%*s", rows[i].text, 60, "");
        for (size_t end = strlen(rows[i].text);; end = (size_t)size) {
            const char *at = text;
            assert_int_equal(cs_decimal_scan_row(&at, text + end, ',', x, 8),
                             rows[i].n);
            assert_ptr_equal(at, text + rows[i].used);
            if (end == (size_t)size)
                break;
        }
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_spelling),     cmocka_unit_test(test_borders),
    cmocka_unit_test(test_random_bits),  cmocka_unit_test(test_random_draws),
    cmocka_unit_test(test_reading),      cmocka_unit_test(test_reading_decides),
    cmocka_unit_test(test_scanning),     cmocka_unit_test(test_rows),
    cmocka_unit_test(test_ends_of_rows),
};
TESTS(test_decimal)
