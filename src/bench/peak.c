#include "bench/peak.h"

#include "base/clock.h"
#include "simd/variants.h"

#include <math.h>
#include <stddef.h>

/* Six sums of 8 doubles, which fit in sixteen registers. The sums start with
 * different values, because the compiler would merge equal ones. */
typedef double eight __attribute__((vector_size(64)));
#define FMA_LOOP                                                               \
    eight a[6], x, y;                                                          \
    volatile double trace = 0;                                                 \
    for (int l = 0; l < 8; l++) {                                              \
        x[l] = 1 + 1e-9 * l;                                                   \
        y[l] = 1e-9;                                                           \
    }                                                                          \
    for (int k = 0; k < 6; k++)                                                \
        a[k] = x + trace + k;                                                  \
    double start = cs_clock_thread();                                          \
    for (size_t i = 0; i < n; i++)                                             \
        for (int k = 0; k < 6; k++)                                            \
            for (int l = 0; l < 8; l++)                                        \
                a[k][l] = __builtin_fma(a[k][l], x[l], y[l]);                  \
    double used = cs_clock_thread() - start;                                   \
    for (int k = 1; k < 6; k++)                                                \
        a[0] += a[k];                                                          \
    for (int l = 1; l < 8; l++)                                                \
        a[0][0] += a[0][l];                                                    \
    trace = a[0][0];                                                           \
    return (double)n * 96 / used * 1e-9;

#if CS_HAVE_AVX512
#ifdef __clang__ /* clang needs no option to keep a 64-byte vector in one
                  * register */
#define AVX512 "avx512f,avx512dq"
#else
#define AVX512 "avx512f,avx512dq,prefer-vector-width=512"
#endif
__attribute__((target(AVX512))) static double peak_avx512(size_t n)
{
    FMA_LOOP
}
#endif

#if CS_HAVE_AVX2
__attribute__((target("avx2,fma"))) static double peak_avx2(size_t n)
{
    FMA_LOOP
}
#endif

double cs_bench_peak(void)
{
    double best = 0;
    for (int i = 0; i < 5; i++) {
        double now = 0;
#if CS_HAVE_AVX2
        if (cs_simd_level() == CS_SIMD_avx2)
            now = peak_avx2(1000000);
#endif
#if CS_HAVE_AVX512
        if (cs_simd_level() == CS_SIMD_avx512)
            now = peak_avx512(1000000);
#endif
        best = fmax(best, now);
    }
    return best;
}
