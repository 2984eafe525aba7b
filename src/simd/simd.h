/* Vectors for hot files.
 *
 * A hot file (a kernel, a target, the random fill) is compiled once for each
 * instruction set of the build; CS_VARIANT(name) gives each exported symbol a
 * name per set. simd/variants.h lists the sets and chooses one at run time. All
 * variants compute the same bits: no contraction, fused operations only where
 * written (__builtin_fma), every sum in one order. */
#pragma once

#include <stdint.h>

/* CS_SIMD is defined by the build for each variant of a hot file. */
#ifndef CS_SIMD
#define CS_SIMD base
#endif
#define CS_PASTE2(a, b) a##_##b
#define CS_PASTE(a, b) CS_PASTE2(a, b)
#define CS_VARIANT(name) CS_PASTE(name, CS_SIMD)

/* The multiple to which rows are padded that are not the lanes of a block.
 * Those are padded to whole vectors (see cs_target_lanes): there are never
 * fewer than CS_LEAST_LANES. */
enum { CS_PAD = 8, CS_LEAST_LANES = 4 };

/* Lanes of one vector: as many numbers as a register holds, where GCC lowers
 * vectors well, and twice as many where there is no AVX. With eight lanes on
 * AVX2, GCC 12 would compare and shuffle lane by lane through general
 * registers. Sums are of each lane by itself, so that bits do not depend on it.
 * A hot file that says CS_VECTOR_WHOLE has whole rows of CS_PAD lanes. */
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

/* The numbers of one vector at p, which is a multiple of its size. */
static inline cs_vd cs_load(const double *p)
{
    return *(const cs_vd *)p;
}

static inline void cs_store(double *p, cs_vd v)
{
    *(cs_vd *)p = v;
}

/* A number rounded up to a multiple of CS_PAD. */
static inline unsigned long cs_pad_lanes(unsigned long lanes)
{
    return (lanes + CS_PAD - 1) / CS_PAD * CS_PAD;
}

/* Lanes rounded up to whole vectors of the variant in use. */
unsigned long cs_whole_vectors(unsigned long lanes);

/* Rows of lanes that hold n numbers, however many lanes there are: for room
 * that all chains of a block share. */
static inline unsigned long cs_rows_for(unsigned long n)
{
    return (n + CS_LEAST_LANES - 1) / CS_LEAST_LANES;
}
