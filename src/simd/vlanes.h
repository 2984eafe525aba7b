/* Operations on rows of lanes, for performance-critical files: access to rows
 * and first lanes, lanes selected by a bool array, transposes, logarithms of
 * products of many factors. */
#pragma once

#include "simd/vmask.h"

#include <stdbool.h>

/* The bools of one vector of lanes, as a vector of bytes and as one word. */
typedef int8_t cs_vb
    __attribute__((vector_size(CS_VECTOR), aligned(1), may_alias));
#if defined(__AVX512F__) || defined(CS_VECTOR_WHOLE)
typedef uint64_t cs_vb_word;
#else
typedef uint32_t cs_vb_word;
#endif

/* Sets all bits of the lanes whose bool is true. */
static inline cs_vi cs_load_bool(const bool *p)
{
#if defined(__AVX512F__)
    return -(cs_vi)_mm512_cvtepi8_epi64(_mm_loadl_epi64((const __m128i *)p));
#elif defined(CS_ONE_YMM) && defined(__AVX2__)
    int32_t bytes;
    __builtin_memcpy(&bytes, p, sizeof bytes);
    return -(cs_vi)_mm256_cvtepi8_epi64(_mm_cvtsi32_si128(bytes));
#else
    return -__builtin_convertvector(*(const cs_vb *)p, cs_vi);
#endif
}

/* Returns a mask as bytes of 0 or 1, one per lane, in one word. */
static inline cs_vb_word cs_bytes_of(cs_vi mask)
{
#if defined(CS_ONE_YMM) && defined(__AVX2__)
    __m128i low = _mm256_castsi256_si128((__m256i)mask);
    __m128i high = _mm256_extracti128_si256((__m256i)mask, 1);
    __m128i words = _mm_packs_epi32(low, high); /* each lane now has two 16-bit
                                                   words */
    __m128i bytes =
        _mm_shuffle_epi8(words, _mm_setr_epi8(0, 4, 8, 12, -1, -1, -1, -1, -1,
                                              -1, -1, -1, -1, -1, -1, -1));
    return (cs_vb_word)_mm_cvtsi128_si32(bytes) & 0x01010101;
#else
    cs_vb bytes = __builtin_convertvector(mask & 1, cs_vb);
    cs_vb_word word;
    __builtin_memcpy(&word, &bytes, sizeof word);
    return word;
#endif
}

static inline void cs_store_bool(bool *p, cs_vi mask)
{
    cs_vb_word word = cs_bytes_of(mask);
    __builtin_memcpy(p, &word, sizeof word);
}

/* Returns row r of a [rows][lanes] array. */
static inline double *cs_row(double *array, size_t lanes, size_t r)
{
    return array + r * lanes;
}

/* Returns the first `left` numbers of a vector, followed by zeros. */
static inline cs_vd cs_first(cs_vd v, size_t left)
{
    const cs_vi place = {CS_COUNT_UP};
    return cs_vselect(place < (int64_t)left, v, cs_vset(0));
}

/* Gathers the first lanes of the rows of CS_PAD lanes, for one vector of rows
 * or for the `left` remaining rows. The vector is built in registers, because
 * loading a vector right after storing its numbers one by one would stall the
 * processor. */
static inline cs_vd cs_first_lane(const double *rows, size_t left)
{
#define CS_ROW(k) (k < left ? rows[(k)*CS_PAD] : 0)
#if defined(__AVX512F__) || defined(CS_VECTOR_WHOLE)
    return (cs_vd){CS_ROW(0), CS_ROW(1), CS_ROW(2), CS_ROW(3),
                   CS_ROW(4), CS_ROW(5), CS_ROW(6), CS_ROW(7)};
#else
    return (cs_vd){CS_ROW(0), CS_ROW(1), CS_ROW(2), CS_ROW(3)};
#endif
#undef CS_ROW
}

/* Writes the same number to all lanes of a row with CS_PAD lanes. */
static inline void cs_store_all(double *row, double a)
{
    for (size_t l = 0; l < CS_PAD; l += CS_VECTOR)
        cs_store(row + l, cs_vset(a));
}

/* Copies the rows of `from` to `to` ([rows][lanes]) in the lanes that moved. */
static inline void cs_commit_moved(const bool *moved, size_t lanes, size_t rows,
                                   const double *from, double *to)
{
    for (size_t l = 0; l < lanes; l += CS_VECTOR) {
        cs_vi mask = cs_load_bool(moved + l);
        for (size_t at = l; at < rows * lanes; at += lanes)
            *(cs_vd *)(to + at) = cs_vselect(mask, *(const cs_vd *)(from + at),
                                             *(const cs_vd *)(to + at));
    }
}

/* Transposes CS_VECTOR vectors in place: exchanges v[i][j] and v[j][i]. */
static inline void cs_vtranspose(cs_vd *v)
{
#if defined(__AVX512F__)
    __m512d a[8], b[8];
#pragma GCC unroll 8
    for (int k = 0; k < 8; k += 2) {
        a[k] = _mm512_unpacklo_pd((__m512d)v[k], (__m512d)v[k + 1]);
        a[k + 1] = _mm512_unpackhi_pd((__m512d)v[k], (__m512d)v[k + 1]);
    }
#pragma GCC unroll 8
    for (int k = 0; k < 8; k += 4)
#pragma GCC unroll 2
        for (int i = 0; i < 2; i++) {
            b[k + i] = _mm512_shuffle_f64x2(a[k + i], a[k + i + 2], 0x88);
            b[k + i + 2] = _mm512_shuffle_f64x2(a[k + i], a[k + i + 2], 0xdd);
        }
#pragma GCC unroll 4
    for (int k = 0; k < 4; k++) {
        v[k] = (cs_vd)_mm512_shuffle_f64x2(b[k], b[k + 4], 0x88);
        v[k + 4] = (cs_vd)_mm512_shuffle_f64x2(b[k], b[k + 4], 0xdd);
    }
#elif defined(CS_ONE_YMM)
    __m256d a = _mm256_unpacklo_pd((__m256d)v[0], (__m256d)v[1]);
    __m256d b = _mm256_unpackhi_pd((__m256d)v[0], (__m256d)v[1]);
    __m256d c = _mm256_unpacklo_pd((__m256d)v[2], (__m256d)v[3]);
    __m256d d = _mm256_unpackhi_pd((__m256d)v[2], (__m256d)v[3]);
    v[0] = (cs_vd)_mm256_permute2f128_pd(a, c, 0x20);
    v[1] = (cs_vd)_mm256_permute2f128_pd(b, d, 0x20);
    v[2] = (cs_vd)_mm256_permute2f128_pd(a, c, 0x31);
    v[3] = (cs_vd)_mm256_permute2f128_pd(b, d, 0x31);
#else
    for (unsigned i = 0; i < CS_VECTOR; i++)
        for (unsigned j = 0; j < i; j++) {
            double kept = v[i][j];
            v[i][j] = v[j][i];
            v[j][i] = kept;
        }
#endif
}

/* Sums log(1 + a) for numbers a in 0..1, and computes only a few logarithms:
 * factors 1 + a are multiplied while their product is at most 2^512, and then
 * its logarithm is added. */
typedef struct cs_log_product {
    cs_vd sum, product;
    unsigned factors;
} cs_log_product;

static inline cs_log_product cs_log_product_one(void)
{
    return (cs_log_product){cs_vset(0), cs_vset(1), 0};
}

static inline void cs_log_product_times(cs_log_product *p, cs_vd one_to_two)
{
    p->product *= one_to_two;
    if (++p->factors == 512) {
        p->sum += cs_vlog(p->product);
        p->product = cs_vset(1);
        p->factors = 0;
    }
}

static inline cs_vd cs_log_product_end(const cs_log_product *p)
{
    return p->sum + cs_vlog(p->product);
}

/* The log of a ratio of products of numbers in e^-87..e^87. The products would
 * soon overflow a double, so powers of two are counted separately. */
typedef struct cs_ratio_product {
    cs_vd above, below;
    cs_vi power;
    unsigned factors;
} cs_ratio_product;

static inline cs_ratio_product cs_ratio_product_one(void)
{
    return (cs_ratio_product){cs_vset(1), cs_vset(1), {0}, 0};
}

/* Removes the power of two from a product, unless it is NaN. Returns the power
 * plus a constant. */
static inline cs_vi cs_ratio_product_power(cs_vd *product)
{
    const int64_t fraction = INT64_C(0xfffffffffffff);
    cs_vi bits = (cs_vi)*product, one = (cs_vi)cs_vset(1);
    cs_vd rest = (cs_vd)((bits & fraction) | one);
    *product = cs_vselect(*product == *product, rest, *product);
    return bits >> 52;
}

/* Multiplies the ratio by `above` in lanes where the mask is set, and divides
 * it by `below` in all lanes. */
static inline void cs_ratio_product_times(cs_ratio_product *p, cs_vmask mask,
                                          cs_vd above, cs_vd below)
{
    p->above = cs_vmask_times(mask, p->above, above);
    p->below *= below;
    if (++p->factors < 8)
        return;
    p->power +=
        cs_ratio_product_power(&p->above) - cs_ratio_product_power(&p->below);
    p->factors = 0;
}

static inline cs_vd cs_ratio_product_end(const cs_ratio_product *p)
{
    const double ln2 = 0.693147180559945309417;
    return ln2 * __builtin_convertvector(p->power, cs_vd) +
           (cs_vlog(p->above) - cs_vlog(p->below));
}
