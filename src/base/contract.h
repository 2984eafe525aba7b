/* Asserts of what a caller owes, at the borders of the core: sizes, alignment, lanes,
 * who owns. Debug builds and those with a sanitizer try them (tests/unit/
 * test_contracts.c); a release build of the core has none (NDEBUG). */
#pragma once

#include <assert.h>

/* A function that only asserts call. */
#define CS_CONTRACT static inline __attribute__((unused))
