/* Masks of lanes, as the results of comparisons, for the innermost loops. They
 * are kept in mask registers if the processor has mask registers. (GCC 12 would
 * convert the result of a comparison to a cs_vi, and then back to a mask.) */
#pragma once

#include "simd/vfloat.h"

#if defined(__AVX512F__)
typedef __mmask8 cs_vmask;
#else
typedef cs_vi cs_vmask;
#endif

static inline cs_vmask cs_vmask_less(cs_vd a, cs_vd b)
{
#if defined(__AVX512F__)
    return _mm512_cmp_pd_mask((__m512d)a, (__m512d)b, _CMP_LT_OQ);
#else
    return cs_vless(a, b);
#endif
}

static inline cs_vmask cs_vmask_differ(cs_vd a, cs_vd b)
{
#if defined(__AVX512F__)
    return _mm512_cmp_pd_mask((__m512d)a, (__m512d)b, _CMP_NEQ_UQ);
#else
    return a != b;
#endif
}

/* Returns the mask with one bit per lane. */
static inline unsigned cs_vmask_bits(cs_vmask mask)
{
#if defined(__AVX512F__)
    return mask;
#else
    return cs_vbits(mask);
#endif
}

/* Returns a b in the lanes of the mask, and a in the others. */
static inline cs_vd cs_vmask_times(cs_vmask mask, cs_vd a, cs_vd b)
{
#if defined(__AVX512F__)
    return (cs_vd)_mm512_mask_mul_pd((__m512d)a, mask, (__m512d)a, (__m512d)b);
#else
    return cs_vselect(mask, a * b, a);
#endif
}

/* Returns 1 - a in the lanes of the mask, and a in the others. */
static inline cs_vd cs_vmask_other(cs_vmask mask, cs_vd a)
{
#if defined(__AVX512F__)
    return (cs_vd)_mm512_mask_sub_pd((__m512d)a, mask, (__m512d)cs_vset(1),
                                     (__m512d)a);
#else
    return cs_vselect(mask, 1.0 - a, a);
#endif
}

/* Returns -a in the lanes where x is 1, and a where x is 0. */
static inline cs_vf cs_vmask_turned(cs_vf a, cs_vd x)
{
#if defined(__AVX512F__)
    __mmask8 set = cs_vmask_differ(x, cs_vset(0));
    return (cs_vf)_mm256_mask_xor_ps((__m256)a, set, (__m256)a,
                                     _mm256_set1_ps(-0.0f));
#else
    return cs_vfround(1.0 - 2.0 * x) * a;
#endif
}
