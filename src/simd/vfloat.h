/* Vectors of floats for performance-critical files, half as wide as a cs_vd,
 * for results that need not be exact. The bits are the same on every
 * instruction set. */
#pragma once

#include "simd/vmath.h"

static inline cs_vf cs_vfset(float a)
{
    return (cs_vf){CS_EACH(a)};
}

static inline cs_vf cs_vffma(cs_vf a, cs_vf b, cs_vf c)
{
#if defined(CS_ONE_YMM) && defined(__FMA__)
    return (cs_vf)_mm_fmadd_ps((__m128)a, (__m128)b, (__m128)c);
#elif defined(__FMA__)
    return (cs_vf)_mm256_fmadd_ps((__m256)a, (__m256)b, (__m256)c);
#else
    for (unsigned i = 0; i < CS_VECTOR; i++)
        c[i] = __builtin_fmaf(a[i], b[i], c[i]);
    return c;
#endif
}

/* Returns the larger of two numbers; b if either is NaN. */
static inline cs_vf cs_vfmax(cs_vf a, cs_vf b)
{
#if defined(CS_ONE_YMM)
    return (cs_vf)_mm_max_ps((__m128)a, (__m128)b);
#elif defined(__AVX__)
    return (cs_vf)_mm256_max_ps((__m256)a, (__m256)b);
#else
    for (unsigned i = 0; i < CS_VECTOR; i++)
        b[i] = a[i] > b[i] ? a[i] : b[i];
    return b;
#endif
}

/* Returns the smaller of two numbers; b if either is NaN. */
static inline cs_vf cs_vfmin(cs_vf a, cs_vf b)
{
#if defined(CS_ONE_YMM)
    return (cs_vf)_mm_min_ps((__m128)a, (__m128)b);
#elif defined(__AVX__)
    return (cs_vf)_mm256_min_ps((__m256)a, (__m256)b);
#else
    for (unsigned i = 0; i < CS_VECTOR; i++)
        b[i] = a[i] < b[i] ? a[i] : b[i];
    return b;
#endif
}

/* Returns exp x for x from -86 to 86, with relative error 3e-7, or 2e-7 for x
 * below 0. NaN remains NaN. */
static inline cs_vf cs_vfexp_inside(cs_vf x)
{
    static const float inverse[] = {1 / 120.0f, 1 / 24.0f, 1 / 6.0f,
                                    0.5f,       1,         1};
    cs_vf shifted = cs_vffma(x, cs_vfset(1.44269504f), cs_vfset(0x1.8p23f));
    cs_vf k = shifted - 0x1.8p23f;
    cs_vf r = cs_vffma(k, cs_vfset(-0x1.62e4p-1f), x);
    r = cs_vffma(k, cs_vfset(-0x1.7f7d1cp-20f), r);
    cs_vf y = cs_vfset(1 / 720.0f);
#pragma GCC unroll 6
    for (unsigned i = 0; i < sizeof inverse / sizeof *inverse; i++)
        y = cs_vffma(y, r, cs_vfset(inverse[i]));
    return (cs_vf)((cs_vwhole)y + ((cs_vwhole)shifted << 23));
}

/* Returns exp x for x below 0, clamped at -86, so that no result is 0. */
static inline cs_vf cs_vfexp_below(cs_vf x)
{
    return cs_vfexp_inside(cs_vfmax(cs_vfset(-86), x));
}

/* Returns exp x for any x, clamped to e^-86..e^86. */
static inline cs_vf cs_vfexp_within(cs_vf x)
{
    return cs_vfexp_inside(cs_vfmin(cs_vfset(86), cs_vfmax(cs_vfset(-86), x)));
}
