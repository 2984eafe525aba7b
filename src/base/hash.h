/* Hash functions. They find equal items, distinguish data and functions, and
 * detect damaged files. None of them protects against deliberate
 * manipulation. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Adds one word to the hash of a sequence. The first call has h = 0 or h = the
 * number of words. Use this hash only for tables in memory. */
static inline uint64_t cs_hash_word(uint64_t h, uint64_t word)
{
    h = (h ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return h ^ h >> 32;
}

/* Returns a digest of bytes that continues from `h`, which is initially
 * CS_DIGEST. This digest identifies data and functions in different runs of the
 * program, and is stored in files. */
#define CS_DIGEST UINT64_C(0xcbf29ce484222325)
uint64_t cs_digest(uint64_t h, const void *bytes, size_t n);

/* Returns a checksum of bytes that continues from `sum`. The checksum does not
 * depend on how the bytes are split into calls. It is a polynomial in an odd
 * number, modulo 2^64. The checksum detects every change of one byte, and takes
 * an eighth of the time of cs_checksum. */
uint64_t cs_running_sum(uint64_t sum, const void *bytes, size_t n);

/* Finds the change that turned the sum of n bytes from `was` into `is`: a
 * change of one byte, or of two adjacent digits. Returns the position of the
 * changed byte, or of the first changed digit. Returns n if no such change
 * explains the two sums. */
uint64_t cs_running_sum_place(uint64_t was, uint64_t is, uint64_t n);

/* Returns the checksum (FNV-1a, 64 bits) that is stored at the end of files;
 * cs_checksum_on continues the checksum `sum` with more bytes. */
uint64_t cs_checksum(const void *bytes, size_t n);
uint64_t cs_checksum_on(uint64_t sum, const void *bytes, size_t n);
