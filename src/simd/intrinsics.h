/* The intrinsics of the instruction set that a file is compiled for.
 *
 * GCC takes half a second to read <immintrin.h>, mostly for instruction sets
 * that this program does not use. All other text of a typical file is read in
 * less time. This header therefore includes only the parts for SSE2, AES, AVX2,
 * FMA and AVX-512 (F, DQ, VL), each only where it is used. Some parts need the
 * types of earlier parts; the empty lines keep their order when the file is
 * formatted. The file that uses VAES includes all of <immintrin.h>. */
#pragma once

#if defined(__clang__) || __GNUC__ != 12 || defined(__VAES__)
#include <immintrin.h>
#else
#define _IMMINTRIN_H_INCLUDED /* required by the parts of <immintrin.h> */
#include <emmintrin.h>
#ifdef __AES__
#include <wmmintrin.h>
#endif
#ifdef __AVX2__
#include <smmintrin.h>

#include <avxintrin.h>

#include <avx2intrin.h>
#include <fmaintrin.h>
#endif
#ifdef __AVX512F__
#include <avx512fintrin.h>

#include <avx512dqintrin.h>
#include <avx512vlintrin.h>

#include <avx512vldqintrin.h>
#endif
#undef _IMMINTRIN_H_INCLUDED
#endif
