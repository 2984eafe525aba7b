#include "base/hash.h"

#include <stdbool.h>
#include <string.h>

static const uint64_t fnv_prime = UINT64_C(0x100000001b3);

/* Processes eight bytes at a time, because hundreds of megabytes of data may be
 * hashed at each start. */
uint64_t cs_digest(uint64_t h, const void *bytes, size_t n)
{
    const unsigned char *b = bytes;
    for (; n >= 8; n -= 8, b += 8) {
        uint64_t w;
        memcpy(&w, b, sizeof w);
        h = (h ^ w) * UINT64_C(0x9fb21c651e98df25);
        h ^= h >> 29;
    }
    for (; n; n--, b++)
        h = (h ^ *b) * fnv_prime;
    return h ^ h >> 32;
}

static const uint64_t factor = UINT64_C(0x9e3779b97f4a7c15);

/* Computes eight independent products at a time, so that no product waits for
 * another. */
uint64_t cs_running_sum(uint64_t sum, const void *bytes, size_t n)
{
    const uint64_t r = factor, r2 = r * r, r3 = r2 * r, r4 = r2 * r2;
    const unsigned char *b = bytes;
    for (; n >= 8; n -= 8, b += 8)
        sum = sum * (r4 * r4) +
              (b[0] * (r4 * r3) + b[1] * (r4 * r2) + b[2] * (r4 * r) +
               b[3] * r4 + b[4] * r3 + b[5] * r2 + b[6] * r + b[7]);
    for (; n; n--, b++)
        sum = sum * r + *b;
    return sum;
}

static bool is_small(uint64_t x, uint64_t most)
{
    return x <= most || -x <= most;
}

/* In the sum, a byte that is k places from the end is multiplied by factor^k.
 * The difference of the two sums, divided by this power, is therefore the
 * difference of the two bytes. */
uint64_t cs_running_sum_place(uint64_t was, uint64_t is, uint64_t n)
{
    enum { DIGITS = 9, BYTES = 255 };
    uint64_t by = is - was, inverse = factor; /* inverse of the factor modulo
                                               * 2^64; so far only its lowest
                                               * three bits are correct */
    for (int i = 0; i < 5; i++)
        inverse *= 2 - factor * inverse;
    for (uint64_t at = n; at-- > 0; by *= inverse) {
        if (is_small(by, BYTES))
            return at;
        for (int d = -DIGITS; d <= DIGITS && at > 0; d++)
            if (is_small((by - (uint64_t)(int64_t)d) * inverse, DIGITS))
                return at - 1;
    }
    return n;
}

uint64_t cs_checksum(const void *bytes, size_t n)
{
    return cs_checksum_on(CS_DIGEST, bytes, n);
}

uint64_t cs_checksum_on(uint64_t sum, const void *bytes, size_t n)
{
    const unsigned char *b = bytes;
    for (size_t i = 0; i < n; i++)
        sum = (sum ^ b[i]) * fnv_prime;
    return sum;
}
