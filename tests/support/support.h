/* Helpers shared by the C tests. cmocka requires the first four headers to be
 * included before it. */
#pragma once

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

/* Skips a test and prints the reason on a line of its own ("skipped: ..."). If
 * CHAINSCOPE_NO_SKIP is set, as in .ci/run, the test fails instead. */
void skip_because(const char *why);

/* Writes the path of a large data file in the folder CHAINSCOPE_DATA. If
 * CHAINSCOPE_DATA is not set, the test is skipped. */
void data_or_skip(const char *file, char *path, size_t size);

/* A group setup that makes GSL return errors instead of aborting. */
int gsl_errors_off(void **state);

/* Exit code of a test that this processor cannot run. */
enum { CS_TEST_SKIPPED = 77 };

/* Returns true if the processor supports the instruction set for which the file
 * is compiled. */
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

/* The tests of one file. The executable for this kind of test runs them under
 * the file's name (main.c). The optional argument is a pattern for test names
 * (a cmocka filter). */
typedef int test_main(int argc, char **argv);

/* Ends a test file: registers the table `tests` as the test `name`. */
#define TESTS(name) TESTS_WITH(name, NULL, NULL)
#define TESTS_WITH(name, group_setup, group_teardown)                          \
    test_main name;                                                            \
    int name(int argc, char **argv)                                            \
    {                                                                          \
        if (!cs_processor_has_this())                                          \
            return CS_TEST_SKIPPED;                                            \
        if (argc > 1)                                                          \
            cmocka_set_test_filter(argv[1]);                                   \
        return cmocka_run_group_tests_name(#name, tests, group_setup,          \
                                           group_teardown);                    \
    }
