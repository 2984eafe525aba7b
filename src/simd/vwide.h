/* Vectors with the size of one register of the file's instruction set. They are
 * used where a cs_vd takes more than one register (without AVX, and in files
 * with CS_VECTOR_WHOLE), and where numbers are not aligned. A sum has equal
 * bits in all instruction sets only if no lanes are added to each other. */
#pragma once

#include "simd/intrinsics.h"

#define CS_WIDE_INLINE static inline __attribute__((always_inline))

/* CS_WIDE: number of doubles in one register of this instruction set. */
#if defined(__AVX512F__)
#define CS_WIDE 8
#elif defined(__AVX__)
#define CS_WIDE 4
#else
#define CS_WIDE 2
#endif
typedef double cs_wide
    __attribute__((vector_size(8 * CS_WIDE), aligned(8), may_alias));

/* Loads numbers at p, which may be unaligned. */
CS_WIDE_INLINE cs_wide cs_wide_at(const double *p)
{
    return *(const cs_wide *)p;
}

CS_WIDE_INLINE void cs_wide_put(double *p, cs_wide v)
{
    *(cs_wide *)p = v;
}

CS_WIDE_INLINE cs_wide cs_wide_of(double a)
{
#if CS_WIDE == 8
    return (cs_wide){a, a, a, a, a, a, a, a};
#elif CS_WIDE == 4
    return (cs_wide){a, a, a, a};
#else
    return (cs_wide){a, a};
#endif
}

/* Returns a b + c, rounded once. */
CS_WIDE_INLINE cs_wide cs_wide_fma(cs_wide a, cs_wide b, cs_wide c)
{
#if CS_WIDE == 8
    return (cs_wide)_mm512_fmadd_pd((__m512d)a, (__m512d)b, (__m512d)c);
#elif CS_WIDE == 4 && defined(__FMA__)
    return (cs_wide)_mm256_fmadd_pd((__m256d)a, (__m256d)b, (__m256d)c);
#else
    for (unsigned i = 0; i < CS_WIDE; i++)
        c[i] = __builtin_fma(a[i], b[i], c[i]);
    return c;
#endif
}
