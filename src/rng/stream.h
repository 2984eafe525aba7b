/* Random numbers as a pure function of (seed, chain, purpose, step, index).
 *
 * Uses two published counter-based generators of Salmon, Moraes, Dror and Shaw,
 * "Parallel random numbers: as easy as 1, 2, 3" (SC 2011). Threefry2x64-20 maps
 * seed and purpose to a key of 128 bits; the key of a step is this key plus the
 * step number. With this key ARS-5 (five rounds of the AES block cipher, the
 * smallest number that passes BigCrush) maps the counter (block, chain) to two
 * 64-bit words: outputs 2b and 2b+1 of a chain's step come from block b. The
 * code uses AES instructions if the processor has them; the bits are the same
 * without them. No state is kept between draws, so results do not depend on
 * block size, thread, screen or time, and any step can be recomputed. */
#pragma once

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

/* The purpose of a draw. Streams of different purposes never overlap. The
 * values of the constants are part of the meaning of a seed and must never be
 * changed. */
typedef enum cs_purpose {
    CS_FOR_START = 0,      /* drawing the initial states */
    CS_FOR_PROPOSAL = 1,   /* the noise of a proposal */
    CS_FOR_ACCEPT = 2,     /* the uniforms of accept steps */
    CS_FOR_SITE = 3,       /* the choice of the sites that change */
    CS_FOR_LENGTH = 4,     /* trajectory lengths and other discrete choices */
    CS_FOR_AUXILIARY = 5,  /* drawing the auxiliary variables */
    CS_FOR_DATA = 6,       /* drawing minibatches and synthetic data */
    CS_FOR_SWAP = 7,       /* the exchanges between chains */
    CS_FOR_EXACT = 8,      /* exact draws from a target */
    CS_FOR_USER = 9,       /* numbers drawn by a script */
    CS_FOR_GENERATED = 10, /* the random numbers of generated quantities */
    CS_PURPOSES
} cs_purpose;

/* A key of 128 bits: low and high word. */
typedef struct cs_key {
    uint64_t word[2];
} cs_key;

/* The conversion of the words of a stream to numbers. */
typedef enum cs_shape {
    CS_RAW_WORDS = 1,
    CS_UNIFORMS,
    CS_NORMALS,
    CS_SINGLE_NORMALS,
    CS_LOG_UNIFORMS,
    CS_SHAPES
} cs_shape;

/* Numbers drawn in advance for a single chain: many steps are drawn at once, in
 * the lanes of vectors, and used one by one. Owned by a block and valid for any
 * streams. The contents never change a result. Initialise this memory with
 * zeros. */
enum { CS_AHEAD_SLOTS = 4, CS_AHEAD_ROWS = 16, CS_AHEAD_STEPS = 32 };
typedef struct cs_ahead_slot {
    uint64_t window; /* index of the window; window w holds CS_AHEAD_STEPS
                      * steps, from step w * CS_AHEAD_STEPS on */
    uint64_t chain;
    cs_key key; /* key of the stream, without the step number added */
    size_t rows;
    cs_shape kind; /* shape of the numbers; 0: empty */
    union {
        uint64_t word[CS_AHEAD_STEPS][CS_AHEAD_ROWS];
        double number[CS_AHEAD_STEPS][CS_AHEAD_ROWS];
    } __attribute__((aligned(64)));
} cs_ahead_slot;
typedef struct cs_ahead {
    cs_ahead_slot slot[CS_AHEAD_SLOTS]; /* slots, chosen by purpose and shape */
} cs_ahead;

/* The streams of one block at one step, created by cs_streams_of. chain[lanes]
 * [borrowed] are the global chain numbers of the lanes; padding lanes repeat a
 * live chain. */
typedef struct cs_streams {
    cs_key key[CS_PURPOSES]; /* keys that the seed gives, one per purpose */
    uint64_t step;
    const uint64_t *chain;
    size_t lanes; /* number of lanes, padded to whole vectors, or 1 if live =
                     1 */
    size_t live;
    size_t skip;     /* index of the first row, a multiple of the number of
                        results per block; set in order to draw rows piece by
                        piece */
    cs_ahead *ahead; /* numbers drawn in advance; NULL if live > 1, and possibly
                        NULL if live = 1 [borrowed] */
} cs_streams;

cs_streams cs_streams_of(uint64_t seed, uint64_t step, const uint64_t *chain,
                         size_t lanes, size_t live);

/* Returns the stream of a single lane of `s`. The stream gives the numbers that
 * this lane has in `s`, but stores them contiguously. Valid for the lifetime of
 * `s`. */
static inline cs_streams cs_streams_alone(const cs_streams *s, size_t lane)
{
    assert(lane < s->lanes);
    cs_streams alone = *s;
    alone.chain = s->chain + lane;
    alone.lanes = alone.live = 1;
    alone.ahead = NULL;
    return alone;
}

/* Largest number of lanes that are processed together. */
enum { CS_STREAMS_PART = 32 };

/* Returns the streams of up to CS_STREAMS_PART lanes of `s`, starting at lane
 * `first`. The lanes have the numbers that they have in `s`. Callers that
 * process one part at a time find the numbers still in the cache. Valid for the
 * lifetime of `s`. */
static inline cs_streams cs_streams_part(const cs_streams *s, size_t first)
{
    assert(first < s->lanes);
    cs_streams part = *s;
    size_t left = s->lanes - first;
    part.chain = s->chain + first;
    part.lanes = left < CS_STREAMS_PART ? left : CS_STREAMS_PART;
    return part;
}

/* Fills out[n][lanes] (aligned to CS_ALIGN) with words or doubles, according to
 * the shape. Row r of lane l is number r of that lane's chain. A block yields
 * two numbers or, in single precision, four normals. */
void cs_fill_shape(const cs_streams *s, cs_purpose purpose, cs_shape shape,
                   size_t n, void *out);

/* Fills `out` with uniforms on (0, 1) of 52 bits, never 0 or 1. */
static inline void cs_fill_uniform(const cs_streams *s, cs_purpose purpose,
                                   size_t n, double *out)
{
    cs_fill_shape(s, purpose, CS_UNIFORMS, n, out);
}

/* Fills `out` with standard normals (Box-Muller on outputs 2b and 2b+1). */
static inline void cs_fill_normal(const cs_streams *s, cs_purpose purpose,
                                  size_t n, double *out)
{
    cs_fill_shape(s, purpose, CS_NORMALS, n, out);
}

/* Fills `out` with normals made from 32 bits each, as doubles, at half the cost
 * of cs_fill_normal. They are within 3e-5 of the exact quantile and at most 6.4
 * in magnitude, and z and -z are exactly equally likely. For proposals that
 * only need to be symmetric. */
static inline void cs_fill_single_normal(const cs_streams *s,
                                         cs_purpose purpose, size_t n,
                                         double *out)
{
    cs_fill_shape(s, purpose, CS_SINGLE_NORMALS, n, out);
}

/* Fills `out` with raw 64-bit words. */
static inline void cs_fill_words(const cs_streams *s, cs_purpose purpose,
                                 size_t n, uint64_t *out)
{
    cs_fill_shape(s, purpose, CS_RAW_WORDS, n, out);
}

/* Fills `out` with log(u) <= 0, where u is uniform, for accept steps. (-log(u)
 * is a standard exponential.) */
static inline void cs_fill_log_uniform(const cs_streams *s, cs_purpose purpose,
                                       size_t n, double *out)
{
    cs_fill_shape(s, purpose, CS_LOG_UNIFORMS, n, out);
}

/* Draws the numbers of all steps in the window of `s`, and stores them in a
 * slot. */
void cs_fill_ahead(const cs_streams *s, cs_purpose purpose, cs_shape kind,
                   size_t n, cs_ahead_slot *slot);

/* Returns the slot that holds n <= CS_AHEAD_ROWS numbers of this step and of
 * its neighbouring steps; NULL if no numbers are drawn in advance. */
static inline const cs_ahead_slot *
cs_ahead_of(const cs_streams *s, cs_purpose purpose, cs_shape kind, size_t n)
{
    assert(purpose < CS_PURPOSES && kind < CS_SHAPES);
    if (!s->ahead || n > CS_AHEAD_ROWS || s->skip)
        return NULL;
    const cs_key *key = &s->key[purpose];
    cs_ahead_slot *slot =
        &s->ahead->slot[((unsigned)purpose + kind) % CS_AHEAD_SLOTS];
    if (slot->kind != kind || slot->window != s->step / CS_AHEAD_STEPS ||
        slot->rows < n || slot->chain != s->chain[0] ||
        slot->key.word[0] != key->word[0] || slot->key.word[1] != key->word[1])
        cs_fill_ahead(s, purpose, kind, n, slot);
    return slot;
}

/* Returns the numbers of this step, contiguous and without a copy, as cs_fill_*
 * would write them. CS_AHEAD_ROWS numbers may be read; numbers beyond n are
 * undefined. */
static inline const double *cs_ahead_numbers(const cs_streams *s,
                                             cs_purpose purpose, cs_shape kind,
                                             size_t n)
{
    const cs_ahead_slot *slot = cs_ahead_of(s, purpose, kind, n);
    return slot ? slot->number[s->step % CS_AHEAD_STEPS] : NULL;
}

/* Computes one block of Threefry2x64 with `rounds` in 1..32: out[2] from
 * counter[2] and key[2]. */
void cs_threefry2x64(unsigned rounds, const uint64_t counter[2],
                     const uint64_t key[2], uint64_t out[2]);

/* Computes one block of ARS2x64 with `rounds` in 1..10, without special
 * instructions. This is the reference for tests of the vector code. */
void cs_ars2x64(unsigned rounds, const uint64_t counter[2],
                const uint64_t key[2], uint64_t out[2]);
