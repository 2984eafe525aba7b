/* Sanitizers check memory, arithmetic and races, and make tests five to twenty
 * times slower. Under a sanitizer a test runs only a part of its cases. It runs
 * one in CASES_EVERY cases of a kernel and one in TARGETS_EVERY targets (a
 * different target each time). It makes 1 / SHORTER of the draws. Planted
 * faults are omitted, because they do not test memory. Builds without
 * sanitizers run all cases. */
#pragma once

#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
enum { SANITIZED = 1, CASES_EVERY = 12, TARGETS_EVERY = 9, SHORTER = 4 };
#else
enum { SANITIZED = 0, CASES_EVERY = 1, TARGETS_EVERY = 1, SHORTER = 1 };
#endif

/* TSan detects only races, so tests with a single thread skip themselves. */
#if defined __SANITIZE_THREAD__
enum { ONLY_RACES = 1 };
#else
enum { ONLY_RACES = 0 };
#endif
