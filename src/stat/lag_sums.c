/* Each sum has eight parts, one per lane of a vector, so that it does not
 * depend on the instruction set. */
#define CS_VECTOR_WHOLE
#include "stat/lag_sums.h"

#include "simd/vmath.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* Loads eight numbers from any address. */
static inline cs_vd load(const double *x)
{
    cs_vd v;
    memcpy(&v, x, sizeof v);
    return v;
}

static double total(cs_vd v)
{
    double sum = 0;
    for (size_t k = 0; k < CS_VECTOR; k++)
        sum += v[k];
    return sum;
}

static double mean(const double *x, size_t n, double *low, double *high,
                   bool *finite)
{
    size_t i = 0;
    cs_vd sum = cs_vset(0), rest = sum, bad = sum;
    cs_vd least = cs_vset(HUGE_VAL), most = -least;
    double last = 0, left = 0, none = 0;
    *low = HUGE_VAL;
    *high = -HUGE_VAL;
    for (; i + CS_VECTOR <= n; i += CS_VECTOR) {
        cs_vd v = load(x + i);
        sum += v;
        bad += v * 0;
        least = cs_vselect(v < least, v, least);
        most = cs_vselect(v > most, v, most);
    }
    size_t whole = i;
    for (; i < n; i++) {
        last += x[i];
        none += x[i] * 0;
        *low = x[i] < *low ? x[i] : *low;
        *high = x[i] > *high ? x[i] : *high;
    }
    for (size_t k = 0; k < CS_VECTOR; k++) {
        *low = least[k] < *low ? least[k] : *low;
        *high = most[k] > *high ? most[k] : *high;
    }
    *finite = total(bad) + none == 0;
    double m = (total(sum) + last) / (double)n;
    for (i = 0; i < whole; i += CS_VECTOR)
        rest += load(x + i) - m;
    for (; i < n; i++)
        left += x[i] - m;
    return m + (total(rest) + left) / (double)n;
}

static double squares(const double *x, size_t n, double at)
{
    size_t i = 0;
    cs_vd sum = cs_vset(0);
    double left = 0;
    for (; i + CS_VECTOR <= n; i += CS_VECTOR) {
        cs_vd v = load(x + i) - at;
        sum += v * v;
    }
    for (; i < n; i++)
        left += (x[i] - at) * (x[i] - at);
    return total(sum) + left;
}

enum { BLOCK = 1024, TILE = 4, AHEAD = CS_LAG_SUMS_FIRST + CS_LAG_SUMS };

/* Centres a block, with the numbers that follow it, and adds its products. The
 * n numbers of the block are followed by zeros if the series ends. */
static void add_block(const double *x, size_t n, size_t there, double at,
                      size_t first, cs_vd sum[CS_LAG_SUMS])
{
    double y[BLOCK + CS_VECTOR + AHEAD];
    size_t end = (n + CS_VECTOR - 1) / CS_VECTOR * CS_VECTOR;
    size_t all = end + first + CS_LAG_SUMS;
    there = there < all ? there : all;
    for (size_t i = 0; i < there; i++)
        y[i] = x[i] - at;
    memset(y + there, 0, (all - there) * sizeof *y);
    for (size_t k = 0; k < CS_LAG_SUMS; k += TILE) {
        const double *later = y + first + k;
        cs_vd part[TILE];
        for (size_t j = 0; j < TILE; j++)
            part[j] = sum[k + j];
        for (size_t i = 0; i < end; i += CS_VECTOR) {
            cs_vd v = load(y + i);
#pragma GCC unroll 4
            for (size_t j = 0; j < TILE; j++)
                part[j] += v * load(later + i + j);
        }
        for (size_t j = 0; j < TILE; j++)
            sum[k + j] = part[j];
    }
}

static void products(const double *x, size_t n, double at, size_t first,
                     double out[CS_LAG_SUMS])
{
    cs_vd sum[CS_LAG_SUMS];
    for (size_t k = 0; k < CS_LAG_SUMS; k++)
        sum[k] = cs_vset(0);
    for (size_t from = 0; from < n; from += BLOCK)
        add_block(x + from, n - from < BLOCK ? n - from : BLOCK, n - from, at,
                  first, sum);
    for (size_t k = 0; k < CS_LAG_SUMS; k++)
        out[k] += total(sum[k]);
}

/* ---- bits ---- */

#if defined(__POPCNT__)
static inline size_t ones_in(uint64_t x)
{
    return (size_t)__builtin_popcountll(x);
}
#else
static inline size_t ones_in(uint64_t x)
{
    x -= x >> 1 & UINT64_C(0x5555555555555555);
    x = (x & UINT64_C(0x3333333333333333)) +
        (x >> 2 & UINT64_C(0x3333333333333333));
    x = (x + (x >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    return (size_t)(x * UINT64_C(0x0101010101010101) >> 56);
}
#endif

static size_t pairs(const uint64_t *word, size_t words, size_t k)
{
    size_t skip = k / 64, shift = k % 64, n = 0;
    const uint64_t *w = word + skip;
    if (skip + 1 >= words)
        return 0;
    for (size_t i = 0; shift && i < words - skip - 1; i++)
        n += ones_in(word[i] & (w[i] >> shift | w[i + 1] << (64 - shift)));
    for (size_t i = 0; !shift && i < words - skip - 1; i++)
        n += ones_in(word[i] & w[i]);
    return n;
}

static size_t below(const double *x, size_t n, double at, uint64_t *word)
{
    size_t ones = 0;
    for (size_t from = 0; from < n; from += 64) {
        size_t left = n - from < 64 ? n - from : 64;
        uint64_t bits = 0;
        for (size_t i = 0; i < left; i++)
            bits |= (uint64_t)(x[from + i] <= at) << i;
        word[from / 64] = bits;
        ones += ones_in(bits);
    }
    return ones;
}

const cs_lag_sums CS_VARIANT(cs_lag_sums_hot) = {mean, squares, products, pairs,
                                                 below};
