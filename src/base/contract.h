/* Assertions about the arguments of the core's functions: sizes, alignment,
 * lanes, ownership. Debug builds and sanitizer builds check them
 * (tests/unit/test_contracts.c). A release build of the core omits them
 * (NDEBUG). */
#pragma once

#include <assert.h>

/* Marks a function that is called only in assertions. */
#define CS_CONTRACT static inline __attribute__((unused))
