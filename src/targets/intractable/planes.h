/* The values of a bit in up to 64 lanes, as a pair of words. In each word a
 * lane has one bit. The bit of the first word is 1 if the value is certainly 1;
 * the bit of the second word is 1 if the value is possibly 1. Include this file
 * only in files that are compiled once per instruction set. */
#pragma once

#include "simd/vmath.h"
#include "targets/intractable/site_graph.h"

/* A bit in 64 lanes, one lane per bit of each element. Element 0: the value is
 * certainly 1; element 1: the value is possibly 1. */
typedef uint64_t cs_planes
    __attribute__((vector_size(16), aligned(16), may_alias));

#define CS_PLANES_INLINE static inline __attribute__((always_inline))

CS_PLANES_INLINE cs_planes cs_planes_of(uint64_t bits)
{
    return (cs_planes){bits, bits};
}

/* Returns the certain and possible values of a function of bits. The function
 * is monotone (increasing or decreasing); `ends` holds its values at both
 * ends. */
CS_PLANES_INLINE cs_planes cs_planes_sorted(cs_planes ends)
{
    return (cs_planes){ends[0] & ends[1], ends[0] | ends[1]};
}

/* Returns a word with bit l set if u[l] < limit[l]. */
CS_PLANES_INLINE uint64_t cs_lanes_below(const double *u, const double *limit,
                                         size_t lanes)
{
    uint64_t bits = 0;
    for (size_t l = 0; l < lanes; l += CS_VECTOR)
        bits |= (uint64_t)cs_vbits(cs_vless(cs_load(u + l), cs_load(limit + l)))
                << l;
    return bits;
}

/* The number of planes with a 1 in each lane, as a binary number. digit[0] is
 * the lowest digit. */
enum { CS_DIGITS = 8 };
typedef struct cs_plane_count {
    cs_planes digit[CS_DIGITS];
} cs_plane_count;

/* Adds one plane to the count of each lane. The plane is the n-th that is
 * counted, so only the digits that the number n has can change. */
CS_PLANES_INLINE void cs_plane_count_add(cs_plane_count *c, size_t n,
                                         cs_planes carry)
{
#pragma GCC unroll 8
    for (size_t k = 0; k < CS_DIGITS; k++) {
        if (n >> k == 0)
            return;
        cs_planes both = c->digit[k] & carry;
        c->digit[k] ^= carry;
        carry = both;
    }
}

/* For each lane, selects the element of choice[0 .. n] whose index is the count
 * of the lane; the count is at most n. Overwrites the choices. */
CS_PLANES_INLINE cs_planes cs_plane_count_choose(const cs_plane_count *c,
                                                 size_t n, cs_planes *choice)
{
    size_t last = n;
#pragma GCC unroll 8
    for (size_t k = 0; k < CS_DIGITS; k++) {
        if (last == 0)
            break;
        for (size_t i = 0; i <= last / 2; i++) {
            cs_planes even = choice[2 * i];
            cs_planes odd = 2 * i < last ? choice[2 * i + 1] : even;
            choice[i] = even ^ ((even ^ odd) & c->digit[k]);
        }
        last /= 2;
    }
    return choice[0];
}

/* Returns the mask of the first 1 to 64 lanes. */
CS_PLANES_INLINE uint64_t cs_lane_bits(size_t lanes)
{
    return UINT64_MAX >> (64 - lanes);
}
