/* Rows of recorded draws. If all values of a discrete space are small whole
 * numbers, the draws are stored as signed bytes, eight per word. They then need
 * an eighth of the memory. */
#pragma once

#include "target/target.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Returns true if the quantities of the target's draws fit in signed bytes. */
static inline bool cs_target_is_narrow(const cs_target *t)
{
    const cs_space *space = &t->space;
    return !t->outputs.n && cs_space_is_discrete(space) &&
           space->low >= INT8_MIN && space->low + space->values - 1 <= INT8_MAX;
}

/* Returns the number of words of n quantities. */
static inline size_t cs_narrow_words(bool bytes, size_t n)
{
    return bytes ? (n + sizeof(double) - 1) / sizeof(double) : n;
}

/* Returns quantity k of the row that starts at `at`. */
static inline double cs_narrow_get(const double *at, bool bytes, size_t k)
{
    return bytes ? ((const int8_t *)(const void *)at)[k] : at[k];
}

/* Stores x as quantity k. With `bytes`, x is a value of the space; other
 * numbers (from a corrupt file) become 0. */
static inline void cs_narrow_put(double *at, bool bytes, size_t k, double x)
{
    if (bytes)
        ((int8_t *)(void *)at)[k] =
            x >= INT8_MIN && x <= INT8_MAX ? (int8_t)x : (int8_t)0;
    else
        at[k] = x;
}

/* Copies n quantities from one array to another, each as bytes or as words.
 * Bytes after the last quantity of `to` are unchanged: rows start as zeros, so
 * that equal states are equal words. */
static inline void cs_narrow_copy(double *to, bool to_bytes, const double *from,
                                  bool from_bytes, size_t n)
{
    if (to_bytes == from_bytes)
        memcpy(to, from, cs_narrow_words(to_bytes, n) * sizeof *to);
    for (size_t k = 0; to_bytes != from_bytes && k < n; k++)
        cs_narrow_put(to, to_bytes, k, cs_narrow_get(from, from_bytes, k));
}
