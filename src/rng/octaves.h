/* The inverse of the Gaussian distribution function, with two results in single
 * precision per word. Each 32 bits give a sign and a number k of 31 bits,
 *
 *     z = +- Phi^-1(1 - u),  u = (k + 1/2) / 2^32 <= 1/2
 *
 * In each octave of u a minimax polynomial in the mantissa is used. The error
 * of z is at most 3e-5. Included by shape.h. */
#pragma once

#include "rng/blocks.h"

/* Vectors of the two halves of each word, the lower half first. */
typedef float halves __attribute__((vector_size(CS_VECTOR_BYTES), may_alias));
typedef int32_t half_ints
    __attribute__((vector_size(CS_VECTOR_BYTES), may_alias));
typedef uint32_t half_words
    __attribute__((vector_size(CS_VECTOR_BYTES), may_alias));

enum { OCTAVES = 32, OCTAVE_TERMS = 5 };
enum { UPPER = 22 }; /* index of the first of the eight upper octaves */

/* Coefficients of the polynomials, highest power first. The lower five bits of
 * the exponent of the float u 2^32 select the column. */
static const float octave[OCTAVE_TERMS][OCTAVES] __attribute__((
    aligned(64))) = {
    {
        8.68790246e-03f, 8.82987116e-03f, 8.97890331e-03f, 9.13559698e-03f,
        9.30062284e-03f, 9.47473573e-03f, 9.65878859e-03f, 9.85374934e-03f,
        1.00607213e-02f, 1.02809681e-02f, 1.05159448e-02f, 1.07673356e-02f,
        1.10371023e-02f, 1.13275441e-02f, 1.16413750e-02f, 1.19818219e-02f,
        1.23527531e-02f, 1.27588463e-02f, 1.32058112e-02f, 1.37006871e-02f,
        1.42522465e-02f, 1.48715436e-02f, 1.55726661e-02f, 1.63737618e-02f,
        1.72984174e-02f, 1.83774246e-02f, 1.96507154e-02f, 2.11668867e-02f,
        2.29253813e-02f, 2.19659622e-02f, 8.42306922e-03f, 8.55246200e-03f,
    },
    {
        -1.66818422e-02f, -1.69589184e-02f, -1.72500130e-02f, -1.75563338e-02f,
        -1.78792376e-02f, -1.82202550e-02f, -1.85811190e-02f, -1.89638013e-02f,
        -1.93705548e-02f, -1.98039673e-02f, -2.02670267e-02f, -2.07632034e-02f,
        -2.12965532e-02f, -2.18718475e-02f, -2.24947408e-02f, -2.31719865e-02f,
        -2.39117187e-02f, -2.47238241e-02f, -2.56204373e-02f, -2.66166084e-02f,
        -2.77312083e-02f, -2.89881661e-02f, -3.04181590e-02f, -3.20608995e-02f,
        -3.39681609e-02f, -3.62077642e-02f, -3.88705890e-02f, -4.21058182e-02f,
        -4.65242077e-02f, -6.16499931e-02f, -1.61655420e-02f, -1.64177058e-02f,
    },
    {
        3.47308052e-02f, 3.53235480e-02f, 3.59471352e-02f, 3.66043031e-02f,
        3.72981363e-02f, 3.80321269e-02f, 3.88102448e-02f, 3.96370248e-02f,
        4.05176727e-02f, 4.14581965e-02f, 4.24655704e-02f, 4.35479404e-02f,
        4.47148851e-02f, 4.59777496e-02f, 4.73500760e-02f, 4.88481666e-02f,
        5.04918250e-02f, 5.23053439e-02f, 5.43188323e-02f, 5.65700108e-02f,
        5.91066419e-02f, 6.19897800e-02f, 6.52979264e-02f, 6.91316037e-02f,
        7.36155124e-02f, 7.88859861e-02f, 8.50106463e-02f, 9.15803081e-02f,
        9.53345104e-02f, 6.89032739e-02f, 3.36283666e-02f, 3.41664705e-02f,
    },
    {
        -1.07213838e-01f, -1.09143900e-01f, -1.11180357e-01f, -1.13333264e-01f,
        -1.15614045e-01f, -1.18035750e-01f, -1.20613357e-01f, -1.23364154e-01f,
        -1.26308220e-01f, -1.29469019e-01f, -1.32874177e-01f, -1.36556469e-01f,
        -1.40555115e-01f, -1.44917496e-01f, -1.49701456e-01f, -1.54978453e-01f,
        -1.60837933e-01f, -1.67393562e-01f, -1.74792270e-01f, -1.83227789e-01f,
        -1.92961519e-01f, -2.04355915e-01f, -2.17930269e-01f, -2.34458969e-01f,
        -2.55156158e-01f, -2.82052593e-01f, -3.18852836e-01f, -3.73200842e-01f,
        -4.64181048e-01f, -6.59021637e-01f, -1.03638365e-01f, -1.05381288e-01f,
    },
    {
        6.05582923e+00f, 5.94326964e+00f, 5.82864731e+00f, 5.71184642e+00f,
        5.59274001e+00f, 5.47118841e+00f, 5.34703739e+00f, 5.22011599e+00f,
        5.09023383e+00f, 4.95717798e+00f, 4.82070898e+00f, 4.68055607e+00f,
        4.53641117e+00f, 4.38792132e+00f, 4.23467908e+00f, 4.07621005e+00f,
        3.91195664e+00f, 3.74125622e+00f, 3.56331162e+00f, 3.37714993e+00f,
        3.18156379e+00f, 2.97502508e+00f, 2.75555342e+00f, 2.52050698e+00f,
        2.26623183e+00f, 1.98743319e+00f, 1.67594537e+00f, 1.31801695e+00f,
        8.87153101e-01f, 3.18646183e-01f, 6.27517541e+00f, 6.16643207e+00f,
    }};

INLINE halves halves_of(float a)
{
    return (halves){CS_EACH(a), CS_EACH(a)};
}

/* Returns a b + c, rounded once. */
INLINE halves half_fma(halves a, halves b, halves c)
{
#if defined(__AVX512F__)
    return (halves)_mm512_fmadd_ps((__m512)a, (__m512)b, (__m512)c);
#elif defined(__FMA__)
    return (halves)_mm256_fmadd_ps((__m256)a, (__m256)b, (__m256)c);
#else
    for (unsigned i = 0; i < 2 * CS_VECTOR; i++)
        c[i] = __builtin_fmaf(a[i], b[i], c[i]);
    return c;
#endif
}

/* Returns one coefficient for each number; the octave of the number selects the
 * coefficient. `near` means that all numbers are in the eight upper octaves,
 * whose coefficients fit into one register. (255 of 256 numbers are in these
 * octaves.) */
INLINE halves octave_term(int term, half_words which, bool near)
{
    const float *row = octave[term];
#if defined(__AVX512F__)
    (void)near;
    return (halves)_mm512_permutex2var_ps(_mm512_load_ps(row), (__m512i)which,
                                          _mm512_load_ps(row + 16));
#elif defined(__AVX2__)
    if (near)
        return (halves)_mm256_permutevar8x32_ps(
            _mm256_blend_ps(_mm256_loadu_ps(row + UPPER + 2),
                            _mm256_loadu_ps(row + UPPER - 6), 0xc0),
            (__m256i)which);
    return (halves)_mm256_i32gather_ps(row, (__m256i)(which % OCTAVES),
                                       sizeof *row);
#else
    (void)near;
    halves out;
    for (unsigned i = 0; i < 2 * CS_VECTOR; i++)
        out[i] = row[which[i] % OCTAVES];
    return out;
#endif
}

/* Returns whether all numbers are in the eight upper octaves, in variants where
 * this saves time. */
INLINE bool all_near(int wide, const half_words *which)
{
    bool near = false;
#if defined(__AVX2__) && !defined(__AVX512F__)
    near = true;
    EACH
    {
        half_ints low = (half_ints)(which[j] % OCTAVES) < UPPER;
        half_ints high = (half_ints)(which[j] % OCTAVES) >= UPPER + 8;
        near &=
            _mm256_testz_si256((__m256i)(low | high), (__m256i)(low | high));
    }
#else
    (void)which;
    (void)wide;
#endif
    return near;
}

/* Evaluates the polynomials in f, with the coefficients that `which`
 * selects. */
INLINE void octave_sums(int wide, const halves *f, const half_words *which,
                        bool near, halves *z)
{
    EACH z[j] = octave_term(0, which[j], near);
#pragma GCC unroll 8
    for (int term = 1; term < OCTAVE_TERMS; term++)
        EACH z[j] = half_fma(f[j], z[j], octave_term(term, which[j], near));
}

/* Computes z for each half of some words. The multiplier is slightly below 1,
 * because otherwise the largest k would be rounded up to 2^31. */
INLINE void half_normals(int wide, const cs_vu *word, halves *z)
{
    half_words which[WIDE];
    halves f[WIDE];
    const halves below = halves_of(1 - 0x1p-24f), middle = halves_of(0.5f);
    EACH
    {
        half_ints k = (half_ints)word[j] & 0x7fffffff;
        half_words u = (half_words)half_fma(__builtin_convertvector(k, halves),
                                            below, middle);
        f[j] = (halves)((u & 0x007fffff) | 0x3f800000u) - 1.5f;
        which[j] = u >> 23;
    }
    if (all_near(wide, which))
        octave_sums(wide, f, which, true, z);
    else
        octave_sums(wide, f, which, false, z);
    EACH z[j] =
        (halves)((half_words)z[j] ^ ((half_words)word[j] & 0x80000000u));
}

/* Converts the lower halves and the upper halves to doubles. */
INLINE void widen(halves z, cs_vu *lower, cs_vu *upper)
{
#if defined(__AVX512F__)
    const __m512i order =
        _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 1, 3, 5, 7, 9, 11, 13, 15);
    __m512d sorted = _mm512_castps_pd(_mm512_permutexvar_ps(order, (__m512)z));
    __m256d low = _mm512_castpd512_pd256(sorted);
    __m256d high = _mm512_extractf64x4_pd(sorted, 1);
    *lower = (cs_vu)_mm512_cvtps_pd(_mm256_castpd_ps(low));
    *upper = (cs_vu)_mm512_cvtps_pd(_mm256_castpd_ps(high));
#elif defined(__AVX2__)
    const __m256i order = _mm256_setr_epi32(0, 2, 4, 6, 1, 3, 5, 7);
    __m256 sorted = _mm256_permutevar8x32_ps((__m256)z, order);
    *lower = (cs_vu)_mm256_cvtps_pd(_mm256_castps256_ps128(sorted));
    *upper = (cs_vu)_mm256_cvtps_pd(_mm256_extractf128_ps(sorted, 1));
#else
    cs_vd low, high;
    for (unsigned i = 0; i < CS_VECTOR; i++) {
        low[i] = (double)z[2 * i];
        high[i] = (double)z[2 * i + 1];
    }
    *lower = (cs_vu)low;
    *upper = (cs_vu)high;
#endif
}
