/* Elementary functions on all lanes of a vector, for performance-critical
 * files.
 *
 * The functions are free of branches and use separate multiplications and
 * additions (cs_vfma where written), so every instruction set computes the same
 * bits. The reductions and polynomials are those of fdlibm (Sun Microsystems,
 * 1993): e_log, s_log1p, e_exp, k_sin and k_cos. Errors are at most about 2 ulp
 * (4 for tanh and sigmoid). Results for infinities, NaN, signed zeros and
 * subnormal numbers are those of libm. */
#pragma once

#include "simd/simd.h"

#include <stddef.h>

#if defined(__AVX__) || defined(__SSE2__)
#include "simd/intrinsics.h"
#else
#include <math.h>
#endif

#define CS_VM_LN2_HI 6.93147180369123816490e-01
#define CS_VM_LN2_LO 1.90821492927058770002e-10
#define CS_VM_INF ((double)__builtin_inff())
#define CS_VM_NAN ((double)__builtin_nanf(""))

/* ---- bits, masks, roots -------------------------------------------------- */

static inline cs_vd cs_vset(double a)
{
    return (cs_vd){CS_EACH(a)};
}

static inline cs_vu cs_vset_u(uint64_t a)
{
    return (cs_vu){CS_EACH(a)};
}

/* Returns a in lanes where the mask is set, else b. Each lane of the mask is -1
 * or 0, as in the result of a comparison. */
static inline cs_vd cs_vselect(cs_vi mask, cs_vd a, cs_vd b)
{
    return (cs_vd)(((cs_vi)a & mask) | ((cs_vi)b & ~mask));
}

static inline cs_vd cs_vabs(cs_vd a)
{
    return (cs_vd)((cs_vu)a & 0x7fffffffffffffffu);
}

/* Returns |a| with the sign of b. */
static inline cs_vd cs_vcopysign(cs_vd a, cs_vd b)
{
    return (cs_vd)(((cs_vu)a & 0x7fffffffffffffffu) |
                   ((cs_vu)b & 0x8000000000000000u));
}

/* CS_ONE_YMM: a vector is one AVX register. Otherwise a vector is two
 * registers, or more than one with SSE2. */
#if defined(__AVX__) && !defined(__AVX512F__) && !defined(CS_VECTOR_WHOLE)
#define CS_ONE_YMM 1
#elif defined(__AVX__) && !defined(__AVX512F__)
#define CS_LOW(v) ((__m256d)__builtin_shufflevector(v, v, 0, 1, 2, 3))
#define CS_HIGH(v) ((__m256d)__builtin_shufflevector(v, v, 4, 5, 6, 7))
#define CS_JOIN(low, high)                                                     \
    __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7)
#elif !defined(__AVX__) && defined(__SSE2__)
/* The parts of a vector that takes two registers, one register each. */
typedef union cs_vparts {
    cs_vd v;
    cs_vi mask;
    __m128d part[CS_VECTOR / 2];
} cs_vparts;
#define CS_EACH_PART(i)                                                        \
    _Pragma("GCC unroll 4") for (unsigned i = 0; i < CS_VECTOR / 2; i++)
#define CS_PARTS 1
#endif

/* Returns the mask of a < b. Avoids the lane-by-lane code that GCC generates
 * for vectors that take two registers. */
static inline cs_vi cs_vless(cs_vd a, cs_vd b)
{
#if defined(CS_ONE_YMM)
    return (cs_vi)_mm256_cmp_pd((__m256d)a, (__m256d)b, _CMP_LT_OQ);
#elif defined(CS_JOIN)
    __m256d low = _mm256_cmp_pd(CS_LOW(a), CS_LOW(b), _CMP_LT_OQ);
    __m256d high = _mm256_cmp_pd(CS_HIGH(a), CS_HIGH(b), _CMP_LT_OQ);
    return (cs_vi)CS_JOIN(low, high);
#elif defined(CS_PARTS)
    cs_vparts x = {.v = a}, y = {.v = b};
    CS_EACH_PART(i) x.part[i] = _mm_cmplt_pd(x.part[i], y.part[i]);
    return x.mask;
#else
    return a < b;
#endif
}

/* Returns the mask of lanes with NaN. */
static inline cs_vi cs_vunknown(cs_vd a)
{
#ifdef CS_JOIN
    __m256d low = _mm256_cmp_pd(CS_LOW(a), CS_LOW(a), _CMP_UNORD_Q);
    __m256d high = _mm256_cmp_pd(CS_HIGH(a), CS_HIGH(a), _CMP_UNORD_Q);
    return (cs_vi)CS_JOIN(low, high);
#elif defined(CS_PARTS)
    cs_vparts x = {.v = a};
    CS_EACH_PART(i) x.part[i] = _mm_cmpunord_pd(x.part[i], x.part[i]);
    return x.mask;
#else
    return a != a;
#endif
}

/* Returns the mask as bits: bit k is set if the mask is set in lane k. */
static inline unsigned cs_vbits(cs_vi mask)
{
#if defined(__AVX512DQ__)
    return _mm512_movepi64_mask((__m512i)mask);
#elif defined(CS_ONE_YMM)
    return (unsigned)_mm256_movemask_pd((__m256d)mask);
#elif defined(CS_JOIN)
    return (unsigned)_mm256_movemask_pd(CS_LOW((cs_vd)mask)) |
           (unsigned)_mm256_movemask_pd(CS_HIGH((cs_vd)mask)) << 4;
#elif defined(CS_PARTS)
    cs_vparts x = {.mask = mask};
    unsigned bits = 0;
    CS_EACH_PART(i) bits |= (unsigned)_mm_movemask_pd(x.part[i]) << 2 * i;
    return bits;
#else
    unsigned bits = 0;
    for (unsigned k = 0; k < CS_VECTOR; k++)
        bits |= (mask[k] != 0 ? 1u : 0u) << k;
    return bits;
#endif
}

/* Return the smaller and the larger number; b in lanes where either is NaN or
 * both are 0. */
static inline cs_vd cs_vmin(cs_vd a, cs_vd b)
{
#if defined(__AVX512F__)
    return (cs_vd)_mm512_min_pd((__m512d)a, (__m512d)b);
#elif defined(CS_ONE_YMM)
    return (cs_vd)_mm256_min_pd((__m256d)a, (__m256d)b);
#else
    return cs_vselect(cs_vless(a, b), a, b);
#endif
}

static inline cs_vd cs_vmax(cs_vd a, cs_vd b)
{
#if defined(__AVX512F__)
    return (cs_vd)_mm512_max_pd((__m512d)a, (__m512d)b);
#elif defined(CS_ONE_YMM)
    return (cs_vd)_mm256_max_pd((__m256d)a, (__m256d)b);
#else
    return cs_vselect(cs_vless(b, a), a, b);
#endif
}

static inline cs_vd cs_vsqrt(cs_vd a)
{
#if defined(__AVX512F__)
    return (cs_vd)_mm512_sqrt_pd((__m512d)a);
#elif defined(CS_ONE_YMM)
    return (cs_vd)_mm256_sqrt_pd((__m256d)a);
#else
    union {
        cs_vd v;
#if defined(__AVX__)
        __m256d part[CS_VECTOR / 4];
#elif defined(__SSE2__)
        __m128d part[CS_VECTOR / 2];
#else
        double part[CS_VECTOR];
#endif
    } all = {.v = a};
    for (unsigned i = 0; i < sizeof all.part / sizeof all.part[0]; i++)
#if defined(__AVX__)
        all.part[i] = _mm256_sqrt_pd(all.part[i]);
#elif defined(__SSE2__)
        all.part[i] = _mm_sqrt_pd(all.part[i]);
#else
        all.part[i] = sqrt(all.part[i]);
#endif
    return all.v;
#endif
}

/* Returns a b + c, rounded once. Without a suitable instruction the C library
 * computes the result, exactly but slowly. */
static inline cs_vd cs_vfma(cs_vd a, cs_vd b, cs_vd c)
{
#if defined(__AVX512F__)
    return (cs_vd)_mm512_fmadd_pd((__m512d)a, (__m512d)b, (__m512d)c);
#elif defined(CS_ONE_YMM) && defined(__FMA__)
    return (cs_vd)_mm256_fmadd_pd((__m256d)a, (__m256d)b, (__m256d)c);
#elif defined(__FMA__)
    __m256d low = _mm256_fmadd_pd(CS_LOW(a), CS_LOW(b), CS_LOW(c));
    __m256d high = _mm256_fmadd_pd(CS_HIGH(a), CS_HIGH(b), CS_HIGH(c));
    return (cs_vd)CS_JOIN(low, high);
#else
    for (unsigned i = 0; i < CS_VECTOR; i++)
        c[i] = __builtin_fma(a[i], b[i], c[i]);
    return c;
#endif
}

/* Convert a vector of floats to doubles, and a vector of doubles to floats with
 * rounding. */
typedef float cs_vf
    __attribute__((vector_size(CS_VECTOR_BYTES / 2), aligned(4), may_alias));

static inline cs_vf cs_vfround(cs_vd v)
{
#if defined(__AVX512F__)
    return (cs_vf)_mm512_cvtpd_ps((__m512d)v);
#elif defined(CS_ONE_YMM)
    return (cs_vf)_mm256_cvtpd_ps((__m256d)v);
#else
    return __builtin_convertvector(v, cs_vf);
#endif
}

static inline cs_vd cs_vfwiden(cs_vf v)
{
#if defined(__AVX512F__)
    return (cs_vd)_mm512_cvtps_pd((__m256)v);
#elif defined(CS_ONE_YMM)
    return (cs_vd)_mm256_cvtps_pd((__m128)v);
#else
    return __builtin_convertvector(v, cs_vd);
#endif
}

/* Loads contiguous floats as doubles. */
static inline cs_vd cs_vwiden(const float *p)
{
    return cs_vfwiden(*(const cs_vf *)p);
}

/* Loads one vector of contiguous integers. */
typedef int32_t cs_vwhole
    __attribute__((vector_size(CS_VECTOR_BYTES / 2), aligned(4), may_alias));

static inline cs_vd cs_vwiden_int(const int32_t *p)
{
#if defined(__AVX512F__)
    return (cs_vd)_mm512_cvtepi32_pd(_mm256_loadu_si256((const __m256i *)p));
#elif defined(CS_ONE_YMM)
    return (cs_vd)_mm256_cvtepi32_pd(_mm_loadu_si128((const __m128i *)p));
#elif defined(CS_JOIN)
    return (cs_vd)CS_JOIN(
        _mm256_cvtepi32_pd(_mm_loadu_si128((const __m128i *)p)),
        _mm256_cvtepi32_pd(_mm_loadu_si128((const __m128i *)p + 1)));
#else
    return __builtin_convertvector(*(const cs_vwhole *)p, cs_vd);
#endif
}

static inline void cs_vnarrow(float *p, cs_vd v)
{
    *(cs_vf *)p = cs_vfround(v);
}

/* Sets `sum` to the sum of `term`, an expression of `at`, over the rows at =
 * first, first + by, ... < end. Uses four partial sums in every instruction
 * set, so that additions do not wait for each other. */
#define CS_VSUM(sum, first, by, end, term)                                     \
    do {                                                                       \
        const cs_vd zero_ = cs_vset(0);                                        \
        cs_vd a_ = zero_, b_ = zero_, c_ = zero_, d_ = zero_;                  \
        size_t at = (first), by_ = (by), end_ = (end);                         \
        while (at + 3 * by_ < end_) {                                          \
            a_ += (term);                                                      \
            at += by_;                                                         \
            b_ += (term);                                                      \
            at += by_;                                                         \
            c_ += (term);                                                      \
            at += by_;                                                         \
            d_ += (term);                                                      \
            at += by_;                                                         \
        }                                                                      \
        for (; at < end_; at += by_)                                           \
            a_ += (term);                                                      \
        sum = (a_ + b_) + (c_ + d_);                                           \
    } while (0)

/* Four partial sums of one lane. */
typedef double cs_four __attribute__((vector_size(32), aligned(32)));

/* Adds the first `left` terms of a vector in the order in which CS_VSUM adds
 * rows: in groups of four, and the rest of the last group to the first partial
 * sum. */
static inline cs_four cs_four_add(cs_four sum, cs_vd term, size_t left)
{
    union {
        cs_vd all;
        cs_four part[CS_VECTOR / 4];
        double one[CS_VECTOR];
    } t = {.all = term};
    size_t k = 0;
    for (; k + 3 < left && k < CS_VECTOR; k += 4)
        sum += t.part[k / 4];
    for (; k < left && k < CS_VECTOR; k++)
        sum[0] += t.one[k];
    return sum;
}

/* Sets `sum` to the result of CS_VSUM, bit for bit, in every lane. For a single
 * lane with n packed rows. Adds one vector of terms at a time. */
#define CS_VSUM_PACKED(sum, n, term)                                           \
    do {                                                                       \
        cs_four four_ = {0};                                                   \
        size_t at = 0, n_ = (n);                                               \
        for (; at < n_; at += CS_VECTOR)                                       \
            four_ = cs_four_add(four_, (term), n_ - at);                       \
        sum = cs_vset((four_[0] + four_[1]) + (four_[2] + four_[3]));          \
    } while (0)

/* Returns the mask of lanes with an infinity or NaN in any row of x. */
static inline cs_vi cs_vnot_finite(const double *x, size_t first, size_t by,
                                   size_t end)
{
    cs_vd sum;
    CS_VSUM(sum, first, by, end, *(const cs_vd *)(x + at) * 0.0);
    return sum != 0.0;
}

/* Returns 2^k for integer k in -1022..1023, given as k + 1.5 * 2^52. */
static inline cs_vd cs_vm_power2(cs_vd shifted)
{
    return (cs_vd)(((cs_vu)shifted + 1023) << 52);
}

/* ---- logarithms ---------------------------------------------------------- */

/* Returns (log((1 + s) / (1 - s)) - 2 s) / s as a function of z = s^2, for |s|
 * < 0.1716. */
static inline cs_vd cs_vm_log_series(cs_vd z)
{
    cs_vd w = z * z;
    cs_vd even =
        w * (3.999999999940941908e-01 +
             w * (2.222219843214978396e-01 + w * 1.531383769920937332e-01));
    cs_vd odd =
        z *
        (6.666666666666735130e-01 +
         w * (2.857142874366239149e-01 +
              w * (1.818357216161805012e-01 + w * 1.479819860511658591e-01)));
    return even + odd;
}

/* Returns k ln 2 + log(1 + f) + c, the final part of log and log1p. */
static inline cs_vd cs_vm_log_tail(cs_vd k, cs_vd f, cs_vd c)
{
    cs_vd s = f / (2.0 + f), half = 0.5 * f * f;
    cs_vd low = s * (half + cs_vm_log_series(s * s)) + (k * CS_VM_LN2_LO + c);
    return k * CS_VM_LN2_HI - ((half - low) - f);
}

/* Splits x = 2^k (1 + f) with 1 + f in [sqrt(1/2), sqrt 2), for normal x >
 * 0. */
static inline cs_vd cs_vm_log_split(cs_vd x, cs_vd *f)
{
    cs_vu t = (cs_vu)x + (0x3ff0000000000000u - 0x3fe6a09e00000000u);
    cs_vu m = (t & 0x000fffffffffffffu) + 0x3fe6a09e00000000u;
    *f = (cs_vd)m - 1.0;
    return (cs_vd)((t >> 52) | 0x4330000000000000u) -
           (4503599627370496.0 + 1023.0);
}

static inline cs_vd cs_vlog(cs_vd x)
{
    cs_vi tiny = cs_vless(x, cs_vset(0x1p-1022));
    cs_vd f, k = cs_vm_log_split(cs_vselect(tiny, x * 0x1p54, x), &f);
    k = k - cs_vselect(tiny, cs_vset(54.0), cs_vset(0.0));
    cs_vd y = cs_vm_log_tail(k, f, cs_vset(0.0));
    y = cs_vselect(x == 0.0, cs_vset(-CS_VM_INF), y);
    y = cs_vselect(x < 0.0, cs_vset(CS_VM_NAN), y);
    return cs_vselect(x < CS_VM_INF, y, x);
}

static inline cs_vd cs_vlog1p(cs_vd x)
{
    cs_vd u = 1.0 + x, f, k = cs_vm_log_split(u, &f);
    cs_vd lost = cs_vselect(x < 1.0, x - (u - 1.0), 1.0 - (u - x));
    cs_vi near = k == 0.0;
    cs_vd c = cs_vselect(near, cs_vset(0.0), lost / u);
    cs_vd y = cs_vm_log_tail(k, cs_vselect(near, x, f), c);
    y = cs_vselect(cs_vabs(x) < 0x1p-54, x, y);
    y = cs_vselect(x == -1.0, cs_vset(-CS_VM_INF), y);
    y = cs_vselect(x < -1.0, cs_vset(CS_VM_NAN), y);
    return cs_vselect(x < CS_VM_INF, y, x);
}

/* ---- exponentials -------------------------------------------------------- */

/* Splits x = k ln 2 + r with |r| <= ln 2 / 2. Sets *shifted to k + 1.5 * 2^52
 * and returns exp(r) - 1. */
static inline cs_vd cs_vm_exp_parts(cs_vd x, cs_vd *shifted)
{
    *shifted = x * 1.44269504088896338700 + 0x1.8p52;
    cs_vd k = *shifted - 0x1.8p52;
    cs_vd hi = x - k * CS_VM_LN2_HI, lo = k * CS_VM_LN2_LO, r = hi - lo;
    cs_vd z = r * r;
    cs_vd c = r - z * (1.66666666666666019037e-01 +
                       z * (-2.77777777770155933842e-03 +
                            z * (6.61375632143793436117e-05 +
                                 z * (-1.65339022054652515390e-06 +
                                      z * 4.13813679705723846039e-08))));
    return hi - (lo - r * c / (2.0 - c));
}

/* Returns y 2^k, computed with two factors so that neither overflows. */
static inline cs_vd cs_vm_scale(cs_vd y, cs_vd shifted)
{
    cs_vd k = shifted - 0x1.8p52;
#if defined(__AVX512F__) /* one instruction computes this value; a subnormal
                            result is rounded once */
    return (cs_vd)_mm512_scalef_pd((__m512d)y, (__m512d)k);
#endif
    cs_vd half = 0.5 * k + 0x1.8p52, rest = k - (half - 0x1.8p52) + 0x1.8p52;
    return y * cs_vm_power2(half) * cs_vm_power2(rest);
}

static inline cs_vd cs_vexp(cs_vd x)
{
    cs_vd inside = cs_vselect(x < -746.0, cs_vset(-746.0), x), shifted;
    inside = cs_vselect(x > 710.0, cs_vset(710.0), inside);
    cs_vd y = 1.0 + cs_vm_exp_parts(inside, &shifted);
    return cs_vselect(x == x, cs_vm_scale(y, shifted), x);
}

/* Returns exp x for x <= 0. Faster than cs_vexp, because the Taylor series to
 * the twelfth power needs no division. The error is at most one ulp. NaN
 * remains NaN. */
static inline cs_vd cs_vexp_below(cs_vd x)
{
    static const double inverse[] = {
        1 / 39916800.0, 1 / 3628800.0, 1 / 362880.0, 1 / 40320.0, 1 / 5040.0,
        1 / 720.0,      1 / 120.0,     1 / 24.0,     1 / 6.0,     0.5};
    cs_vd inside = cs_vmax(cs_vset(-746.0), x);
    cs_vd shifted =
        cs_vfma(inside, cs_vset(1.44269504088896338700), cs_vset(0x1.8p52));
    cs_vd k = shifted - 0x1.8p52;
    cs_vd r = cs_vfma(k, cs_vset(-CS_VM_LN2_HI), inside);
    r = cs_vfma(k, cs_vset(-CS_VM_LN2_LO), r);
    cs_vd y = cs_vset(1 / 479001600.0);
#pragma GCC unroll 10
    for (unsigned i = 0; i < sizeof inverse / sizeof *inverse; i++)
        y = cs_vfma(y, r, cs_vset(inverse[i]));
    y = cs_vfma(y, r, cs_vset(1));
    return cs_vm_scale(cs_vfma(y, r, cs_vset(1)), shifted);
}

static inline cs_vd cs_vexpm1(cs_vd x)
{
    cs_vd inside = cs_vselect(x < -38.0, cs_vset(-38.0), x), shifted;
    inside = cs_vselect(x > 710.0, cs_vset(710.0), inside);
    cs_vd e = cs_vm_exp_parts(inside, &shifted);
    cs_vd k = shifted - 0x1.8p52;
    cs_vd down = cs_vm_power2(cs_vmax(cs_vset(-60.0), -k) + 0x1.8p52);
    cs_vd y = cs_vm_scale(e + (1.0 - down), shifted);
    y = cs_vselect(cs_vabs(x) < 0x1p-54, x, y);
    return cs_vselect(x == x, y, x);
}

/* Returns log(1 + exp x). */
static inline cs_vd cs_vsoftplus(cs_vd x)
{
    cs_vd e = cs_vexp(-cs_vabs(x));
    return cs_vselect(x > 0.0, x, cs_vset(0.0)) + cs_vlog1p(e);
}

/* Returns 1 / (1 + exp -x). */
static inline cs_vd cs_vsigmoid(cs_vd x)
{
    cs_vd e = cs_vexp(-cs_vabs(x));
    return cs_vselect(x < 0.0, e, cs_vset(1.0)) / (1.0 + e);
}

static inline cs_vd cs_vtanh(cs_vd x)
{
    cs_vd t = cs_vexpm1(-2.0 * cs_vabs(x));
    cs_vd y = cs_vcopysign(t / (t + 2.0), x);
    return cs_vselect(x == x, y, x);
}

/* ---- sine and cosine ----------------------------------------------------- */

/* Computes sin and cos of x + q pi/2 for |x| <= pi/4; q is taken modulo 4. */
static inline void cs_vm_circle(cs_vd x, cs_vu q, cs_vd *sine, cs_vd *cosine)
{
    cs_vd z = x * x;
    cs_vd s = x + x * z *
                      (-1.66666666666666324348e-01 +
                       z * (8.33333333332248946124e-03 +
                            z * (-1.98412698298579493134e-04 +
                                 z * (2.75573137070700676789e-06 +
                                      z * (-2.50507602534068634195e-08 +
                                           z * 1.58969099521155010221e-10)))));
    cs_vd half = 0.5 * z, w = 1.0 - half;
    cs_vd c = z * z *
              (4.16666666666666019037e-02 +
               z * (-1.38888888888741095749e-03 +
                    z * (2.48015872894767294178e-05 +
                         z * (-2.75573143513906633035e-07 +
                              z * (2.08757232129817482790e-09 +
                                   z * -1.13596475577881948265e-11)))));
    c = w + (((1.0 - w) - half) + c);
    cs_vi odd = -(cs_vi)(q & 1);
    cs_vu minus_s = (q & 2) << 62, minus_c = ((q + 1) & 2) << 62;
    *sine = (cs_vd)((cs_vu)cs_vselect(odd, c, s) ^ minus_s);
    *cosine = (cs_vd)((cs_vu)cs_vselect(odd, s, c) ^ minus_c);
}

/* Computes sin and cos of 2 pi u for |u| < 2^49. */
static inline void cs_vsincos2pi_near(cs_vd u, cs_vd *sine, cs_vd *cosine)
{
    cs_vd shifted = 4.0 * u + 0x1.8p52; /* the low bits hold the index of the
                                         * quarter turn */
    cs_vd x = (u - 0.25 * (shifted - 0x1.8p52)) * 6.283185307179586477;
    cs_vm_circle(x, (cs_vu)shifted, sine, cosine);
}

/* Computes sin and cos of 2 pi u; the results are NaN at infinities. */
static inline void cs_vsincos2pi(cs_vd u, cs_vd *sine, cs_vd *cosine)
{
    cs_vd size = cs_vabs(u);
    cs_vd whole = cs_vcopysign((size + 0x1p52) - 0x1p52, u);
    cs_vd part = cs_vselect(size < 0x1p52, u - whole, u * 0.0);
    cs_vsincos2pi_near(part, sine, cosine);
    *sine = cs_vselect(part == 0.0, u * 0.0, *sine);
}
