/* Vectors for performance-critical ("hot") files.
 *
 * A hot file (a kernel, a target, the random fill) is compiled once for each
 * instruction set of the build. CS_VARIANT(name) gives each exported symbol one
 * name per set. simd/variants.h lists the sets and chooses one at run time. All
 * variants compute the same bits: without contraction, with fused operations
 * only where written (__builtin_fma), and with a fixed order of every sum. */
#pragma once

#include <stdint.h>

/* CS_SIMD is defined by the build for each variant of a hot file. */
#ifndef CS_SIMD
#define CS_SIMD base
#endif
#define CS_PASTE2(a, b) a##_##b
#define CS_PASTE(a, b) CS_PASTE2(a, b)
#define CS_VARIANT(name) CS_PASTE(name, CS_SIMD)

/* CS_PAD: arrays other than the lanes of a block are padded to a multiple of
 * CS_PAD. The lanes of a block are padded to whole vectors (see
 * cs_target_lanes), with at least CS_LEAST_LANES lanes. */
enum { CS_PAD = 8, CS_LEAST_LANES = 4 };

/* Number of lanes in one vector. Where GCC handles vectors well, this is the
 * number of doubles in a register; without AVX it is twice that number. With
 * eight lanes on AVX2, GCC 12 would compare and shuffle lane by lane through
 * general registers. Each lane is summed separately, so the bits do not depend
 * on the width. A hot file that defines CS_VECTOR_WHOLE uses whole rows of
 * CS_PAD lanes. */
#if defined(__AVX512F__) || defined(CS_VECTOR_WHOLE)
enum { CS_VECTOR = 8 };
#define CS_VECTOR_BYTES 64
#define CS_EACH(a) (a), (a), (a), (a), (a), (a), (a), (a)
#define CS_COUNT_UP 0, 1, 2, 3, 4, 5, 6, 7
#else
enum { CS_VECTOR = 4 };
#define CS_VECTOR_BYTES 32
#define CS_EACH(a) (a), (a), (a), (a)
#define CS_COUNT_UP 0, 1, 2, 3
#endif

typedef double cs_vd __attribute__((vector_size(CS_VECTOR_BYTES),
                                    aligned(CS_VECTOR_BYTES), may_alias));
typedef int64_t cs_vi __attribute__((vector_size(CS_VECTOR_BYTES),
                                     aligned(CS_VECTOR_BYTES), may_alias));
typedef uint64_t cs_vu __attribute__((vector_size(CS_VECTOR_BYTES),
                                      aligned(CS_VECTOR_BYTES), may_alias));

/* Loads one vector from p, which must be aligned to the size of a vector. */
static inline cs_vd cs_load(const double *p)
{
    return *(const cs_vd *)p;
}

static inline void cs_store(double *p, cs_vd v)
{
    *(cs_vd *)p = v;
}

/* Rounds a number up to a multiple of CS_PAD. */
static inline unsigned long cs_pad_lanes(unsigned long lanes)
{
    return (lanes + CS_PAD - 1) / CS_PAD * CS_PAD;
}

/* Rounds a number of lanes up to whole vectors of the variant in use. */
unsigned long cs_whole_vectors(unsigned long lanes);

/* Returns a number of rows that can hold n numbers, whatever the number of
 * lanes. Used for memory that all chains of a block share. */
static inline unsigned long cs_rows_for(unsigned long n)
{
    return (n + CS_LEAST_LANES - 1) / CS_LEAST_LANES;
}
