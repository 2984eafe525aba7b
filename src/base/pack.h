/* Doubles of which many are alike, in few bytes, and back, bit for bit: states
 * of spins take a bit each, numbers that are all different a thousandth more
 * than they are. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct cs_pack {
    uint8_t *byte; /* [own] */
    size_t n, room;
    bool failed; /* out of memory: the contents are invalid */
} cs_pack;

/* Adds n numbers. */
void cs_pack_add(cs_pack *p, const double *from, size_t n);

/* The numbers that were added next, in the same portions: *at is the position,
 * which advances. Returns false if the bytes before `end` do not encode this
 * many. */
bool cs_pack_take(const uint8_t **at, const uint8_t *end, double *to, size_t n);

/* Frees unused memory, or all of it. */
void cs_pack_trim(cs_pack *p);
void cs_pack_free(cs_pack *p);
