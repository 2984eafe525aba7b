#include "simd/simd.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[] = {
#define CS_SIMD_STRING(suffix) #suffix,
    CS_SIMD_LIST(CS_SIMD_STRING)
#undef CS_SIMD_STRING
};

const char *cs_simd_name(cs_simd level)
{
    return names[level];
}

static cs_simd best(void)
{
#if defined(__x86_64__)
    __builtin_cpu_init();
#ifndef CS_WITHOUT_AVX512
    if (__builtin_cpu_supports("avx512f") &&
        __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512cd"))
        return CS_SIMD_avx512;
#endif
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
        __builtin_cpu_supports("bmi2"))
        return CS_SIMD_avx2;
#endif
    return CS_SIMD_base;
}

cs_simd cs_simd_level(void)
{
    static atomic_int decided; /* 0: not yet, else level + 1 */
    int now = atomic_load_explicit(&decided, memory_order_relaxed);
    if (now)
        return (cs_simd)(now - 1);
    cs_simd level = best();
    const char *wanted = getenv("CHAINSCOPE_SIMD");
    for (int i = 0; wanted && i < (int)level; i++)
        if (strcmp(wanted, names[i]) == 0)
            level = (cs_simd)i;
    atomic_store(&decided, (int)level + 1);
    return level;
}

unsigned long cs_whole_vectors(unsigned long lanes)
{
    unsigned long wide = CS_LEAST_LANES;
#if defined(__x86_64__) && !defined(CS_WITHOUT_AVX512)
    if (cs_simd_level() == CS_SIMD_avx512)
        wide = CS_PAD;
#endif
    return (lanes + wide - 1) / wide * wide;
}
