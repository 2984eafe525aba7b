/* Encodes portions of up to 1024 numbers. A portion with at most sixteen
 * distinct numbers is stored in three parts: the count of the distinct numbers,
 * the distinct numbers, and the indices. For each number of the portion there
 * is an index, which selects a distinct number and takes 0, 1, 2 or 4 bits. Any
 * other portion is stored as the byte 255 and the unchanged numbers. */
#include "base/pack.h"

#include "base/hash.h"
#include "base/memory.h"

#include <assert.h>
#include <string.h>

enum { PORTION = 1024, DIFFERENT = 16, SLOTS = 64, PLAIN = 255 };

/* Returns the number of bits that store an index below `count`. */
static size_t bits_for(size_t count)
{
    return count == 1 ? 0 : count == 2 ? 1 : count <= 4 ? 2 : 4;
}

static size_t bytes_for(size_t n, size_t count)
{
    return 8 * count + (n * bits_for(count) + 7) / 8;
}

/* Writes the distinct numbers of from[n] to value[]; which[k] becomes the index
 * of from[k] in value[]. Returns the number of distinct numbers, or 0 if this
 * number exceeds DIFFERENT. */
static size_t tell_apart(const double *from, size_t n, uint64_t *value,
                         uint8_t *which)
{
    uint8_t slot[SLOTS] = {0}; /* 1 + index of the value; 0: empty */
    size_t count = 0;
    for (size_t k = 0; k < n; k++) {
        uint64_t bits;
        memcpy(&bits, from + k, sizeof bits);
        size_t at = cs_hash_word(0, bits) >> 58;
        while (slot[at] && value[slot[at] - 1] != bits)
            at = (at + 1) % SLOTS;
        if (!slot[at]) {
            if (count == DIFFERENT)
                return 0;
            value[count++] = bits;
            slot[at] = (uint8_t)count;
        }
        which[k] = (uint8_t)(slot[at] - 1);
    }
    return count;
}

static void add_portion(cs_pack *p, const double *from, size_t n)
{
    uint64_t value[DIFFERENT];
    uint8_t which[PORTION], *to = p->byte + p->n + 1;
    size_t count = tell_apart(from, n, value, which), bits = bits_for(count);
    size_t bytes = count ? bytes_for(n, count) : 8 * n;
    if (bytes >= 8 * n) {
        bytes = 8 * n;
        count = 0;
    }
    p->byte[p->n] = count ? (uint8_t)count : PLAIN;
    p->n += 1 + bytes;
    if (!count) {
        memcpy(to, from, bytes);
        return;
    }
    memset(to, 0, bytes);
    memcpy(to, value, 8 * count);
    to += 8 * count;
    for (size_t k = 0; k < n && bits; k++)
        to[k * bits / 8] |= (uint8_t)(which[k] << k * bits % 8);
}

void cs_pack_add(cs_pack *p, const double *from, size_t n)
{
    while (n && !p->failed) {
        size_t part = n < PORTION ? n : PORTION;
        p->failed = !CS_EXTEND(p->byte, p->n, p->capacity, 1 + 8 * part);
        if (!p->failed)
            add_portion(p, from, part);
        from += part;
        n -= part;
    }
}

static bool take_portion(const uint8_t **at, const uint8_t *end, double *to,
                         size_t n)
{
    if (*at == end)
        return false;
    size_t count = *(*at)++, bits = bits_for(count);
    size_t bytes = count == PLAIN ? 8 * n : bytes_for(n, count);
    const uint8_t *value = *at;
    if ((count != PLAIN && (count < 1 || count > DIFFERENT)) ||
        bytes > (size_t)(end - *at))
        return false;
    *at += bytes;
    if (count == PLAIN) {
        memcpy(to, value, bytes);
        return true;
    }
    const uint8_t *which = value + 8 * count;
    for (size_t k = 0; k < n; k++) {
        size_t one = 0;
        if (bits)
            one = (size_t)which[k * bits / 8] >> k * bits % 8 &
                  (((size_t)1 << bits) - 1);
        if (one >= count)
            return false;
        memcpy(to + k, value + 8 * one, 8);
    }
    return true;
}

bool cs_pack_take(const uint8_t **at, const uint8_t *end, double *to, size_t n)
{
    assert(*at <= end);
    for (size_t k = 0; k < n; k += PORTION)
        if (!take_portion(at, end, to + k, n - k < PORTION ? n - k : PORTION))
            return false;
    return true;
}

void cs_pack_trim(cs_pack *p)
{
    uint8_t *byte = p->n ? cs_resize(p->byte, p->capacity, p->n) : NULL;
    if (!byte)
        return;
    p->byte = byte;
    p->capacity = p->n;
}

void cs_pack_free(cs_pack *p)
{
    cs_free(p->byte);
    *p = (cs_pack){0};
}
