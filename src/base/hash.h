/* Hashes: to find equal things, to tell data and functions apart, to notice
 * that a file is damaged. None is against malice. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* The hash of words, one after the other from h = 0 or their number: for
 * tables in memory. */
static inline uint64_t cs_hash_word(uint64_t h, uint64_t word)
{
    h = (h ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return h ^ h >> 32;
}

/* A digest of bytes that continues from `h`, initially CS_DIGEST. Identifies
 * data and functions across program starts. Stored in files. */
#define CS_DIGEST UINT64_C(0xcbf29ce484222325)
uint64_t cs_digest(uint64_t h, const void *bytes, size_t n);

/* A checksum of bytes that continues from `sum`, the same for any division
 * into pieces: a polynomial in an odd number, modulo 2^64. Detects every
 * single change. Takes an eighth of the time of the next. */
uint64_t cs_running_sum(uint64_t sum, const void *bytes, size_t n);

/* Where a change of one byte, or of two digits beside each other, made the sum `was`
 * of n bytes into `is`: the place of the first of them, n: no such change did. */
uint64_t cs_running_sum_place(uint64_t was, uint64_t is, uint64_t n);

/* The sum at the end of a file (FNV-1a, 64 bits), and its update. */
uint64_t cs_checksum(const void *bytes, size_t n);
uint64_t cs_checksum_on(uint64_t sum, const void *bytes, size_t n);
