/* The instruction sets for which performance-critical ("hot") files are
 * compiled, and the choice of one of them at run time.
 *
 * The build decides which sets exist (CS_SIMD in CMakeLists.txt: the portable
 * set and the widest one of the building machine, or all). Tables of variants
 * have one entry per compiled set, in the order of CS_SIMD_LIST, and are
 * indexed by cs_simd_level(). Only files that declare or index such tables
 * include this header, so that a change of the sets recompiles only a few
 * files. */
#pragma once

#include "simd/simd.h"
#include "simd_sets.h" /* generated; defines CS_HAVE_AVX2 and CS_HAVE_AVX512 */

#include <stdbool.h>

#if CS_HAVE_AVX2
#define CS_IF_AVX2(...) __VA_ARGS__
#else
#define CS_IF_AVX2(...)
#endif
#if CS_HAVE_AVX512
#define CS_IF_AVX512(...) __VA_ARGS__
#else
#define CS_IF_AVX512(...)
#endif

/* Applies X(suffix) to each compiled set, the best set last. */
#define CS_SIMD_LIST(X) X(base) CS_IF_AVX2(X(avx2)) CS_IF_AVX512(X(avx512))

typedef enum cs_simd {
#define CS_SIMD_ENUM(suffix) CS_SIMD_##suffix,
    CS_SIMD_LIST(CS_SIMD_ENUM)
#undef CS_SIMD_ENUM
        CS_SIMD_COUNT
} cs_simd;

/* Returns the set in use. The first call chooses the set. If the processor has
 * the set that CHAINSCOPE_SIMD names, chooses that set. Otherwise chooses the
 * best compiled set that the processor has. */
cs_simd cs_simd_level(void);

/* Returns the name of a compiled set, such as "avx512". */
const char *cs_simd_name(cs_simd level);

/* Bits that represent instruction sets, both of processors and of builds. */
enum { CS_CPU_AVX2 = 1, CS_CPU_AVX512 = 2 };

/* Returns the best compiled set for a processor that has the sets in `cpu`.
 * `wanted` is the name of a set or NULL; a set that is not compiled or that the
 * processor lacks is ignored. */
cs_simd cs_simd_choose(unsigned cpu, const char *wanted);

/* Returns a sentence about a wider set that this processor or this build lacks,
 * or NULL if the build has the processor's widest set. Sets *slow to true if
 * the build has wider sets but the processor has none of them, so the portable
 * code runs. */
const char *cs_simd_mismatch(unsigned cpu, bool *slow);

/* Returns the instruction sets of this processor, as CS_CPU bits. */
unsigned cs_simd_processor(void);

/* Declares the variants of one table, and lists their names for a row of a
 * table of variants. */
#define CS_DECLARE_VARIANTS(type, name)                                        \
    extern const type name##_base CS_IF_AVX2(, name##_avx2)                    \
        CS_IF_AVX512(, name##_avx512);
#define CS_VARIANT_ROW(name)                                                   \
    {&name##_base CS_IF_AVX2(, &name##_avx2) CS_IF_AVX512(, &name##_avx512)},
