/* Threefry2x64 and ARS2x64 one block at a time, the keys of a seed, and the
 * choice of the bulk fill. */
#include "rng/stream.h"

#include "rng/fill.h"

#include <stdatomic.h>
#include <string.h>

/* The best variant whose AES instructions the processor has too. */
static const cs_fill_ops *fill(void)
{
    static const cs_fill_ops *const table[][CS_SIMD_COUNT] = {
        CS_VARIANT_ROW(cs_fill)};
    static _Atomic(const cs_fill_ops *) chosen;
    const cs_fill_ops *ops =
        atomic_load_explicit(&chosen, memory_order_relaxed);
    if (ops)
        return ops;
    int level = (int)cs_simd_level();
    while (level > 0 && !table[0][level]->runs())
        level--;
    ops = table[0][level];
#if CS_HAVE_AVX2
    if (level == CS_SIMD_avx2 && cs_fill_avx2_vaes.runs())
        ops = &cs_fill_avx2_vaes;
#endif
    atomic_store_explicit(&chosen, ops, memory_order_relaxed);
    return ops;
}

void cs_fill_shape(const cs_streams *s, cs_purpose purpose, cs_shape shape,
                   size_t n, void *out)
{
    fill()->shape[shape].fill(s, purpose, n, out);
}

void cs_fill_ahead(const cs_streams *s, cs_purpose purpose, cs_shape kind,
                   size_t n, cs_ahead_slot *slot)
{
    slot->window = s->step / CS_AHEAD_STEPS;
    slot->chain = s->chain[0];
    slot->key = s->key[purpose];
    slot->rows = n;
    slot->kind = kind;
    fill()->shape[kind].ahead(slot);
}

cs_streams cs_streams_of(uint64_t seed, uint64_t step, const uint64_t *chain,
                         size_t lanes, size_t live)
{
    cs_streams s = {.step = step, .chain = chain, .lanes = lanes, .live = live};
    for (uint64_t p = 0; p < CS_PURPOSES; p++)
        cs_threefry2x64(20, (uint64_t[2]){p, UINT64_MAX},
                        (uint64_t[2]){seed, UINT64_MAX}, s.key[p].word);
    return s;
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

/* FIPS 197, "Advanced encryption standard", figure 7. */
static const uint8_t s_box[256] = {
    0x63, 0x7c, 0x77, 0x7b, 0xf2, 0x6b, 0x6f, 0xc5, 0x30, 0x01, 0x67, 0x2b,
    0xfe, 0xd7, 0xab, 0x76, 0xca, 0x82, 0xc9, 0x7d, 0xfa, 0x59, 0x47, 0xf0,
    0xad, 0xd4, 0xa2, 0xaf, 0x9c, 0xa4, 0x72, 0xc0, 0xb7, 0xfd, 0x93, 0x26,
    0x36, 0x3f, 0xf7, 0xcc, 0x34, 0xa5, 0xe5, 0xf1, 0x71, 0xd8, 0x31, 0x15,
    0x04, 0xc7, 0x23, 0xc3, 0x18, 0x96, 0x05, 0x9a, 0x07, 0x12, 0x80, 0xe2,
    0xeb, 0x27, 0xb2, 0x75, 0x09, 0x83, 0x2c, 0x1a, 0x1b, 0x6e, 0x5a, 0xa0,
    0x52, 0x3b, 0xd6, 0xb3, 0x29, 0xe3, 0x2f, 0x84, 0x53, 0xd1, 0x00, 0xed,
    0x20, 0xfc, 0xb1, 0x5b, 0x6a, 0xcb, 0xbe, 0x39, 0x4a, 0x4c, 0x58, 0xcf,
    0xd0, 0xef, 0xaa, 0xfb, 0x43, 0x4d, 0x33, 0x85, 0x45, 0xf9, 0x02, 0x7f,
    0x50, 0x3c, 0x9f, 0xa8, 0x51, 0xa3, 0x40, 0x8f, 0x92, 0x9d, 0x38, 0xf5,
    0xbc, 0xb6, 0xda, 0x21, 0x10, 0xff, 0xf3, 0xd2, 0xcd, 0x0c, 0x13, 0xec,
    0x5f, 0x97, 0x44, 0x17, 0xc4, 0xa7, 0x7e, 0x3d, 0x64, 0x5d, 0x19, 0x73,
    0x60, 0x81, 0x4f, 0xdc, 0x22, 0x2a, 0x90, 0x88, 0x46, 0xee, 0xb8, 0x14,
    0xde, 0x5e, 0x0b, 0xdb, 0xe0, 0x32, 0x3a, 0x0a, 0x49, 0x06, 0x24, 0x5c,
    0xc2, 0xd3, 0xac, 0x62, 0x91, 0x95, 0xe4, 0x79, 0xe7, 0xc8, 0x37, 0x6d,
    0x8d, 0xd5, 0x4e, 0xa9, 0x6c, 0x56, 0xf4, 0xea, 0x65, 0x7a, 0xae, 0x08,
    0xba, 0x78, 0x25, 0x2e, 0x1c, 0xa6, 0xb4, 0xc6, 0xe8, 0xdd, 0x74, 0x1f,
    0x4b, 0xbd, 0x8b, 0x8a, 0x70, 0x3e, 0xb5, 0x66, 0x48, 0x03, 0xf6, 0x0e,
    0x61, 0x35, 0x57, 0xb9, 0x86, 0xc1, 0x1d, 0x9e, 0xe1, 0xf8, 0x98, 0x11,
    0x69, 0xd9, 0x8e, 0x94, 0x9b, 0x1e, 0x87, 0xe9, 0xce, 0x55, 0x28, 0xdf,
    0x8c, 0xa1, 0x89, 0x0d, 0xbf, 0xe6, 0x42, 0x68, 0x41, 0x99, 0x2d, 0x0f,
    0xb0, 0x54, 0xbb, 0x16,
};

/* SubBytes and ShiftRows: byte r of column c comes from column c + r. */
static void substitute(uint32_t t[4])
{
    uint32_t out[4];
    for (unsigned c = 0; c < 4; c++) {
        out[c] = 0;
        for (unsigned r = 0; r < 4; r++)
            out[c] |= (uint32_t)s_box[t[(c + r) % 4] >> 8 * r & 0xff] << 8 * r;
    }
    memcpy(t, out, sizeof out);
}

static uint32_t turned(uint32_t w, unsigned bytes)
{
    return w >> 8 * bytes | w << (32 - 8 * bytes);
}

/* MixColumns: four bytes at once, twice a byte being a shift and a fold. */
static void mix(uint32_t t[4])
{
    for (unsigned c = 0; c < 4; c++) {
        uint32_t w = t[c];
        uint32_t twice =
            (w & 0x7f7f7f7f) << 1 ^ (w >> 7 & 0x01010101) * UINT32_C(0x1b);
        t[c] = twice ^ turned(twice ^ w, 1) ^ turned(w, 2) ^ turned(w, 3);
    }
}

void cs_aes_round(uint64_t block[2], bool last)
{
    uint32_t t[4] = {(uint32_t)block[0], (uint32_t)(block[0] >> 32),
                     (uint32_t)block[1], (uint32_t)(block[1] >> 32)};
    substitute(t);
    if (!last)
        mix(t);
    block[0] = t[0] | (uint64_t)t[1] << 32;
    block[1] = t[2] | (uint64_t)t[3] << 32;
}

/* Salmon et al., section 4.1: the rounds of AES with keys that are key plus
 * multiples of a constant instead of the AES key schedule. */
void cs_ars2x64(unsigned rounds, const uint64_t counter[2],
                const uint64_t key[2], uint64_t out[2])
{
    uint64_t k[2] = {key[0], key[1]};
    out[0] = counter[0] ^ k[0];
    out[1] = counter[1] ^ k[1];
    for (unsigned r = 1; r <= rounds; r++) {
        cs_aes_round(out, r == rounds);
        k[0] += CS_ARS_WEYL0;
        k[1] += CS_ARS_WEYL1;
        out[0] ^= k[0];
        out[1] ^= k[1];
    }
}
