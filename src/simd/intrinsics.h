/* The intrinsics of the instruction set that a file is compiled for.
 *
 * GCC reads <immintrin.h> in half a second, most of it for sets that no file here
 * is compiled for: longer than most hot files take otherwise. So only its parts for
 * SSE2, AES, AVX2, FMA and AVX-512 (F, DQ, VL) are read, each where it is compiled
 * for. Some need the types of those before: the empty lines keep their order when
 * they are formatted. The file that uses VAES gets all of <immintrin.h>. */
#pragma once

#if defined(__clang__) || __GNUC__ != 12 || defined(__VAES__)
#include <immintrin.h>
#else
#define _IMMINTRIN_H_INCLUDED /* the parts refuse to be read without it */
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
