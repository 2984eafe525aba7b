/* What the C tests share. cmocka wants these four headers first. */
#ifndef TESTS_SUPPORT_H
#define TESTS_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

/* Fails unless |got - want| <= absolute + relative |want|. */
void near_or_fail(double got, double want, double relative, double absolute,
                  const char *what, const char *file, int line);
#define assert_near(got, want, relative, absolute)                             \
    near_or_fail((got), (want), (relative), (absolute), #got, __FILE__,        \
                 __LINE__)

#endif
