/* What the C tests share. cmocka wants these four headers first. */
#ifndef TESTS_SUPPORT_H
#define TESTS_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdbool.h>

/* Fails unless |got - want| <= absolute + relative |want|. */
void near_or_fail(double got, double want, double relative, double absolute,
                  const char *what, const char *file, int line);
#define assert_near(got, want, relative, absolute)                             \
    near_or_fail((got), (want), (relative), (absolute), #got, __FILE__,        \
                 __LINE__)

/* Leaves a test out, and says why on a line of its own ("skipped: ..."). With
 * CHAINSCOPE_NO_SKIP set, as in .ci/run, it fails instead. */
void skip_because(const char *why);

/* path = that of a file of the large data, in the folder that CHAINSCOPE_DATA
 * names; without that variable the test is left out, in any case. */
void data_or_skip(const char *file, char *path, size_t size);

/* Of a program compiled for an instruction set: what it ends with, and whether
 * the processor lacks it. */
enum { CS_TEST_SKIPPED = 77 };

static inline bool cs_processor_has_this(void)
{
#if defined(__AVX512F__)
    return __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl");
#elif defined(__AVX2__)
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
    return true;
#endif
}

#endif
