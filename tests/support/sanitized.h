/* Sanitizers look at memory, arithmetic and races, and take five to twenty
 * times as long. There the laws, which a build without them tries in full, are
 * tried on a part of their cases: one in CASES_EVERY of a kernel, one target in
 * TARGETS_EVERY, each time others, with 1 / SHORTER of the draws; and no fault
 * is planted, since that a law can fail says nothing of memory. */
#pragma once

#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
enum { SANITIZED = 1, CASES_EVERY = 12, TARGETS_EVERY = 9, SHORTER = 4 };
#else
enum { SANITIZED = 0, CASES_EVERY = 1, TARGETS_EVERY = 1, SHORTER = 1 };
#endif
