#include "simd/variants.h"

#include <assert.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* The compiled instruction sets, with the CS_CPU bit of the processor that each
 * requires. */
static const struct set {
    const char *name;
    unsigned needs;
    unsigned long vector; /* number of doubles in a vector of the set */
} sets[] = {
    {"base", 0, CS_LEAST_LANES},
#if CS_HAVE_AVX2
    {"avx2", CS_CPU_AVX2, CS_LEAST_LANES},
#endif
#if CS_HAVE_AVX512
    {"avx512", CS_CPU_AVX512, CS_PAD},
#endif
};

const char *cs_simd_name(cs_simd level)
{
    assert(level < CS_SIMD_COUNT);
    return sets[level].name;
}

unsigned cs_simd_processor(void)
{
    unsigned cpu = 0;
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
        __builtin_cpu_supports("bmi2"))
        cpu |= CS_CPU_AVX2;
    if (__builtin_cpu_supports("avx512f") &&
        __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512cd"))
        cpu |= CS_CPU_AVX512;
#endif
    return cpu;
}

cs_simd cs_simd_choose(unsigned cpu, const char *wanted)
{
    int best = CS_SIMD_base;
    for (int i = 0; i < CS_SIMD_COUNT; i++) {
        if ((cpu & sets[i].needs) != sets[i].needs)
            continue;
        best = i;
        if (wanted && strcmp(wanted, sets[i].name) == 0)
            break;
    }
    assert((cpu & sets[best].needs) == sets[best].needs);
    return (cs_simd)best;
}

/* Returns the instruction sets of this build, as CS_CPU bits. */
static unsigned compiled(void)
{
    unsigned all = 0;
    for (int i = 0; i < CS_SIMD_COUNT; i++)
        all |= sets[i].needs;
    return all;
}

const char *cs_simd_mismatch(unsigned cpu, bool *slow)
{
    assert(slow);
    unsigned built = compiled();
    *slow = built && !(built & cpu);
    if (*slow)
        return "this processor lacks the vector instructions of this build; "
               "the portable code is used";
    if ((cpu & ~built) > built) /* wider sets have higher bits */
        return "this processor has wider vectors than this program was "
               "compiled for";
    return NULL;
}

cs_simd cs_simd_level(void)
{
    static atomic_int decided; /* 0: not decided yet; otherwise the level in use
                                  plus 1 */
    int now = atomic_load_explicit(&decided, memory_order_relaxed);
    if (now)
        return (cs_simd)(now - 1);
    cs_simd level =
        cs_simd_choose(cs_simd_processor(), getenv("CHAINSCOPE_SIMD"));
    atomic_store(&decided, (int)level + 1);
    return level;
}

unsigned long cs_whole_vectors(unsigned long lanes)
{
    assert(lanes <= ULONG_MAX - CS_PAD);
    unsigned long wide = sets[cs_simd_level()].vector;
    return (lanes + wide - 1) / wide * wide;
}
