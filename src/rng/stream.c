/* Threefry2x64 one block at a time, and the choice of the bulk fill. */
#include "rng/stream.h"

#include "rng/fill.h"

static const cs_fill_ops *fill(void)
{
    static const cs_fill_ops *const table[][CS_SIMD_COUNT] = {
        CS_VARIANT_ROW(cs_fill)};
    return table[0][cs_simd_level()];
}

void cs_fill_words(const cs_streams *s, cs_purpose purpose, size_t n,
                   uint64_t *out)
{
    fill()->words(s, purpose, n, out);
}

void cs_fill_uniform(const cs_streams *s, cs_purpose purpose, size_t n,
                     double *out)
{
    fill()->uniform(s, purpose, n, out);
}

void cs_fill_normal(const cs_streams *s, cs_purpose purpose, size_t n,
                    double *out)
{
    fill()->normal(s, purpose, n, out);
}

void cs_fill_log_uniform(const cs_streams *s, cs_purpose purpose, size_t n,
                         double *out)
{
    fill()->log_uniform(s, purpose, n, out);
}

/* Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2,
 * 3" (SC 2011), section 4.2: the Threefish rounds with a key word added after
 * every fourth. */
void cs_threefry2x64(unsigned rounds, const uint64_t counter[2],
                     const uint64_t key[2], uint64_t out[2])
{
    static const unsigned turn[8] = {16, 42, 12, 31, 16, 32, 24, 21};
    const uint64_t k[3] = {key[0], key[1],
                           key[0] ^ key[1] ^ UINT64_C(0x1bd11bdaa9fc1a22)};
    uint64_t a = counter[0] + k[0], b = counter[1] + k[1];
    for (unsigned i = 0; i < rounds; i++) {
        unsigned r = turn[i % 8], s = (i + 1) / 4;
        a += b;
        b = (b << r | b >> (64 - r)) ^ a;
        if (i % 4 == 3) {
            a += k[s % 3];
            b += k[(s + 1) % 3] + s;
        }
    }
    out[0] = a;
    out[1] = b;
}
