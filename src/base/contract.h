/* Asserts of what a caller owes, at the borders of the core: sizes, alignment, lanes,
 * who owns. Debug builds and those with a sanitizer try them (tests/unit/
 * test_contracts.c); a release build of the core has none (NDEBUG). */
#ifndef CS_BASE_CONTRACT_H
#define CS_BASE_CONTRACT_H

#include <assert.h>

/* A function that only asserts call. */
#define CS_CONTRACT static inline __attribute__((unused))

#endif
