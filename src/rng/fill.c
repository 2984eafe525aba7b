/* Bulk fills of uniforms and normals: compiled for each instruction set.
 *
 * ARS-5 (see stream.h) on eight columns at a time. A vector holds four blocks
 * of two words; two vectors, of the even and of the odd columns, interleave to
 * the first words of eight columns and the second words of eight columns. A
 * column is a chain; or, where one chain is alone, a step (eight steps are
 * drawn ahead and kept, see cs_ahead) or, for many rows, a block of the chain.
 * All orders give the same bits. */
#if defined(__AVX512F__)
#pragma GCC target("aes,vaes")
#elif defined(__AVX2__)
#pragma GCC target("aes")
#endif
#include "rng/fill.h"

#include "base/vmath.h"

#include <string.h>

#define INLINE static inline __attribute__((always_inline))

/* ---- the generator ------------------------------------------------------- */

/* Four blocks under the keys of each round, key[0] the first. */
#if defined(__AVX512F__)

static bool runs(void)
{
    return __builtin_cpu_supports("aes") && __builtin_cpu_supports("vaes");
}

INLINE cs_vu ars(cs_vu count, const cs_vu key[CS_ARS_ROUNDS + 1])
{
    __m512i v = (__m512i)(count ^ key[0]);
#pragma GCC unroll 8
    for (int r = 1; r < CS_ARS_ROUNDS; r++)
        v = _mm512_aesenc_epi128(v, (__m512i)key[r]);
    return (cs_vu)_mm512_aesenclast_epi128(v, (__m512i)key[CS_ARS_ROUNDS]);
}

#elif defined(__AVX2__)

static bool runs(void)
{
    return __builtin_cpu_supports("aes");
}

INLINE cs_vu ars(cs_vu count, const cs_vu key[CS_ARS_ROUNDS + 1])
{
    union {
        cs_vu v;
        __m128i block[4];
    } t = {.v = count ^ key[0]};
#pragma GCC unroll 8
    for (int r = 1; r <= CS_ARS_ROUNDS; r++) {
        const __m128i *k = (const __m128i *)&key[r];
#pragma GCC unroll 4
        for (int i = 0; i < 4; i++)
            t.block[i] = r < CS_ARS_ROUNDS
                             ? _mm_aesenc_si128(t.block[i], k[i])
                             : _mm_aesenclast_si128(t.block[i], k[i]);
    }
    return t.v;
}

#else

static bool runs(void)
{
    return true;
}

INLINE cs_vu ars(cs_vu count, const cs_vu key[CS_ARS_ROUNDS + 1])
{
    union {
        cs_vu v;
        uint64_t block[4][2];
    } c = {.v = count}, k = {.v = key[0]}, out;
    for (int i = 0; i < 4; i++)
        cs_ars2x64(CS_ARS_ROUNDS, c.block[i], k.block[i], out.block[i]);
    return out.v;
}

#endif

/* Interleaves the even places of two vectors, and the odd ones. */
INLINE cs_vu evens(cs_vu a, cs_vu b)
{
    return __builtin_shuffle(a, b, (cs_vu){0, 8, 2, 10, 4, 12, 6, 14});
}

INLINE cs_vu odds(cs_vu a, cs_vu b)
{
    return __builtin_shuffle(a, b, (cs_vu){1, 9, 3, 11, 5, 13, 7, 15});
}

/* Eight columns: counters without the number of the block, and keys. */
typedef struct columns {
    cs_vu even, odd; /* counters */
    cs_vu even_key[CS_ARS_ROUNDS + 1], odd_key[CS_ARS_ROUNDS + 1];
} columns;

INLINE void schedule(cs_vu key[CS_ARS_ROUNDS + 1])
{
    const cs_vu weyl = {CS_ARS_WEYL0, CS_ARS_WEYL1, CS_ARS_WEYL0, CS_ARS_WEYL1,
                        CS_ARS_WEYL0, CS_ARS_WEYL1, CS_ARS_WEYL0, CS_ARS_WEYL1};
#pragma GCC unroll 8
    for (int r = 0; r < CS_ARS_ROUNDS; r++)
        key[r + 1] = key[r] + weyl;
}

/* The number of a block, added to every counter. */
INLINE cs_vu number(uint64_t block)
{
    return (cs_vu){block, 0, block, 0, block, 0, block, 0};
}

/* Both words of eight columns. */
INLINE void draw(const columns *c, cs_vu block, cs_vu *a, cs_vu *b)
{
    cs_vu even = ars(c->even | block, c->even_key);
    cs_vu odd = ars(c->odd | block, c->odd_key);
    *a = evens(even, odd);
    *b = odds(even, odd);
}

/* Columns with one key. */
INLINE columns with_one_key(cs_key key, uint64_t step)
{
    columns c;
    uint64_t k = key.word[0] + step, h = key.word[1];
    c.even_key[0] = (cs_vu){k, h, k, h, k, h, k, h};
    schedule(c.even_key);
    memcpy(c.odd_key, c.even_key, sizeof c.odd_key);
    return c;
}

INLINE void set_counters(columns *c, cs_vu low, cs_vu high)
{
    c->even = evens(low, high);
    c->odd = odds(low, high);
}

/* ---- what becomes of the two words of a block, in place ------------------ */

typedef enum shape { WORDS = 1, UNIFORMS, NORMALS, LOGS } shape;

/* (k + 1/2) 2^-52 for the lower 52 bits k: exact, never 0 or 1. */
INLINE cs_vd unit(cs_vu word)
{
    cs_vu bits = (word & 0x000fffffffffffffu) | 0x3ff0000000000000u;
    return (cs_vd)bits - (1.0 - 0x1p-53);
}

/* sqrt(-2 log u). Minimax in s^2, to 3e-14 of the logarithm. */
INLINE cs_vd radius(cs_vd u)
{
    cs_vd f, k = cs_vm_log_split(u, &f), s = f / (2.0 + f), z = s * s;
    cs_vd series = -3.999999999999892974500e+00 +
                   z * (-1.333333333594064695760e+00 +
                        z * (-7.999998971562981564531e-01 +
                             z * (-5.714433882315849144717e-01 +
                                  z * (-4.434824394821468840355e-01 +
                                       z * -3.921969906786852977376e-01))));
    return cs_vsqrt(k * -1.38629436111989061883 + s * series);
}

/* Box and Muller, "A note on the generation of random normal deviates"
 * (1958), equation (1). The lower 52 bits of the second word are an angle
 * within an eighth of a turn from the axis, the upper two choose the end of
 * the axis and the axis. sin and cos of v pi/2 are minimax in v^2, to 5e-15
 * and 7e-14 of themselves. */
INLINE void as_normals(cs_vu *a, cs_vu *b)
{
    cs_vd r = radius(unit(*a));
    cs_vu bits = (*b & 0x000fffffffffffffu) | 0x3ff0000000000000u;
    cs_vd v = (cs_vd)bits - 1.5, z = v * v;
    cs_vd sine = r * v *
                 (1.570796326794889452572e+00 +
                  z * (-6.459640975042396648931e-01 +
                       z * (7.969262615353442380517e-02 +
                            z * (-4.681752566775680170219e-03 +
                                 z * (1.604291525100030987774e-04 +
                                      z * -3.556206576694743695172e-06)))));
    cs_vd cosine =
        r * (9.999999999999343858192e-01 +
             z * (-1.233700550118188576931e+00 +
                  z * (2.536695070914812832896e-01 +
                       z * (-2.086346731197187900908e-02 +
                            z * (9.191586039896455133727e-04 +
                                 z * -2.484597856984593718306e-05)))));
    cosine = (cs_vd)((cs_vu)cosine ^ (*b & 0x8000000000000000u));
    cs_vi across = (cs_vi)(*b << 1) < 0;
    *a = (cs_vu)cs_vselect(across, sine, cosine);
    *b = (cs_vu)cs_vselect(across, cosine, sine);
}

/* `both`: the second word is wanted too. */
INLINE void make(shape form, bool both, cs_vu *a, cs_vu *b)
{
    if (form == UNIFORMS) {
        *a = (cs_vu)unit(*a);
        *b = (cs_vu)unit(*b);
    } else if (form == NORMALS) {
        as_normals(a, b);
    } else if (form == LOGS) {
        *a = (cs_vu)cs_vlog_normal(unit(*a));
        if (both)
            *b = (cs_vu)cs_vlog_normal(unit(*b));
    }
}

/* ---- orders -------------------------------------------------------------- */

/* n rows of eight columns, `stride` words apart. */
INLINE void rows(const columns *c, size_t n, size_t stride, uint64_t *out,
                 shape form)
{
    cs_vu a, b, block = {0};
    size_t r = 0;
    for (; r + 1 < n; r += 2) {
        draw(c, block, &a, &b);
        make(form, true, &a, &b);
        *(cs_vu *)(out + r * stride) = a;
        *(cs_vu *)(out + (r + 1) * stride) = b;
        block += number(1);
    }
    if (r < n) {
        draw(c, block, &a, &b);
        make(form, false, &a, &b);
        *(cs_vu *)(out + r * stride) = a;
    }
}

INLINE void by_chains(const cs_streams *s, cs_key key, size_t n, uint64_t *out,
                      shape form)
{
    const cs_vu none = {0};
    columns c = with_one_key(key, s->step);
    for (size_t l = 0; l < s->lanes; l += CS_VECTOR) {
        cs_vu chain;
        memcpy(&chain, s->chain + l, sizeof chain);
        set_counters(&c, none, chain);
        rows(&c, n, s->lanes, out + l, form);
    }
}

/* Writes one word to every lane of a row. */
INLINE void spread(uint64_t *row, size_t lanes, uint64_t word)
{
    for (size_t l = 0; l < lanes; l += CS_VECTOR)
        *(cs_vu *)(row + l) = cs_vset_u(word);
}

/* One chain, many rows: a column is a block. */
INLINE void by_blocks(const cs_streams *s, cs_key key, size_t n, uint64_t *out,
                      shape form)
{
    const cs_vu ramp = {0, 1, 2, 3, 4, 5, 6, 7};
    columns c = with_one_key(key, s->step);
    set_counters(&c, ramp, cs_vset_u(s->chain[0]));
    for (size_t r = 0; r < n; r += 2 * CS_VECTOR) {
        union {
            cs_vu v[2];
            uint64_t word[2][CS_VECTOR];
        } got;
        draw(&c, number(r / 2), &got.v[0], &got.v[1]);
        make(form, true, &got.v[0], &got.v[1]);
        size_t some = n - r < 2 * CS_VECTOR ? n - r : 2 * CS_VECTOR;
        for (size_t i = 0; i < some; i++)
            spread(out + (r + i) * s->lanes, s->lanes, got.word[i & 1][i >> 1]);
    }
}

/* Eight steps of one chain: a column is a step. */
INLINE void by_steps(cs_ahead_slot *slot, shape form)
{
    const cs_vu ramp = {0, 1, 2, 3, 4, 5, 6, 7};
    columns c;
    set_counters(&c, ramp & 0, cs_vset_u(slot->chain));
    cs_vu low = slot->key.word[0] + (slot->window * CS_AHEAD_STEPS + ramp);
    cs_vu high = cs_vset_u(slot->key.word[1]);
    c.even_key[0] = evens(low, high);
    c.odd_key[0] = odds(low, high);
    schedule(c.even_key);
    schedule(c.odd_key);
    rows(&c, slot->rows, CS_AHEAD_STEPS, slot->word[0], form);
}

/* The slot that has these rows; they are drawn if none has. */
INLINE const cs_ahead_slot *ahead_of(const cs_streams *s, cs_key key, size_t n,
                                     shape form)
{
    cs_ahead *all = s->ahead;
    uint64_t window = s->step / CS_AHEAD_STEPS, chain = s->chain[0];
    for (unsigned i = 0; i < CS_AHEAD_SLOTS; i++) {
        const cs_ahead_slot *slot = &all->slot[i];
        if (slot->kind == form && slot->window == window && slot->rows >= n &&
            slot->chain == chain && slot->key.word[0] == key.word[0] &&
            slot->key.word[1] == key.word[1])
            return slot;
    }
    cs_ahead_slot *slot = &all->slot[all->next];
    all->next = (all->next + 1) % CS_AHEAD_SLOTS;
    slot->window = window;
    slot->chain = chain;
    slot->key = key;
    slot->rows = n;
    slot->kind = form;
    by_steps(slot, form);
    return slot;
}

/* One chain, few rows. */
INLINE void from_ahead(const cs_streams *s, cs_key key, size_t n, uint64_t *out,
                       shape form)
{
    const cs_ahead_slot *slot = ahead_of(s, key, n, form);
    for (size_t r = 0; r < n; r++)
        spread(out + r * s->lanes, s->lanes,
               slot->word[r][s->step % CS_AHEAD_STEPS]);
}

INLINE void fill(const cs_streams *s, cs_purpose purpose, size_t n,
                 uint64_t *out, shape form)
{
    cs_key key = s->key[purpose];
    if (s->live != 1)
        by_chains(s, key, n, out, form);
    else if (s->ahead && n <= CS_AHEAD_ROWS)
        from_ahead(s, key, n, out, form);
    else
        by_blocks(s, key, n, out, form);
}

static void words(const cs_streams *s, cs_purpose purpose, size_t n,
                  uint64_t *out)
{
    fill(s, purpose, n, out, WORDS);
}

static void uniform(const cs_streams *s, cs_purpose purpose, size_t n,
                    double *out)
{
    fill(s, purpose, n, (uint64_t *)out, UNIFORMS);
}

static void normal(const cs_streams *s, cs_purpose purpose, size_t n,
                   double *out)
{
    fill(s, purpose, n, (uint64_t *)out, NORMALS);
}

static void log_uniform(const cs_streams *s, cs_purpose purpose, size_t n,
                        double *out)
{
    fill(s, purpose, n, (uint64_t *)out, LOGS);
}

const cs_fill_ops CS_VARIANT(cs_fill) = {
    .runs = runs,
    .words = words,
    .uniform = uniform,
    .normal = normal,
    .log_uniform = log_uniform,
};
