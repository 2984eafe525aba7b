/* Compresses doubles without loss. Many equal values take little space: for
 * example, each spin of a state takes one bit. Numbers that are all distinct
 * take 0.1 % more space than uncompressed numbers. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct cs_pack {
    uint8_t *byte; /* [own] */
    size_t n, capacity;
    bool failed; /* out of memory: the contents are invalid */
} cs_pack;

/* Compresses n numbers and appends them to p. */
void cs_pack_add(cs_pack *p, const double *from, size_t n);

/* Decodes the next n numbers. The numbers must be decoded in the same portions
 * as they were added. *at is the position, which advances. Returns false if the
 * bytes before `end` do not encode n numbers. */
bool cs_pack_take(const uint8_t **at, const uint8_t *end, double *to, size_t n);

/* cs_pack_trim frees the unused memory, cs_pack_free all memory. */
void cs_pack_trim(cs_pack *p);
void cs_pack_free(cs_pack *p);
