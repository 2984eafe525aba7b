/* Randomness as a pure function of (seed, chain, purpose, step, index).
 *
 * Threefry2x64 (Salmon, Moraes, Dror and Shaw, SC 2011) with key
 * (seed, chain) and counter (step, purpose << 48 | block) gives two 64-bit
 * words for each block; outputs 2b and 2b+1 of a step come from block b.
 * Nothing is carried from draw to draw, so that no result depends on block
 * size, thread, screen or time, and any step can be computed again. The
 * published 13-round variant (the fewest that pass BigCrush) fills in bulk. */
#ifndef CS_RNG_STREAM_H
#define CS_RNG_STREAM_H

#include <stddef.h>
#include <stdint.h>

/* What a draw is for. Streams of different purposes never meet. The numbers
 * are part of the meaning of a seed: never renumber. */
typedef enum cs_purpose {
    CS_FOR_START = 0,     /* initial states */
    CS_FOR_PROPOSAL = 1,  /* the noise of a proposal */
    CS_FOR_ACCEPT = 2,    /* accept or reject */
    CS_FOR_SITE = 3,      /* which site */
    CS_FOR_LENGTH = 4,    /* trajectory lengths and other discrete choices */
    CS_FOR_AUXILIARY = 5, /* auxiliary variables */
    CS_FOR_DATA = 6,      /* minibatches, synthetic data */
    CS_FOR_SWAP = 7,      /* exchange between chains */
    CS_FOR_EXACT = 8,     /* exact draws from a target */
    CS_FOR_USER = 9       /* a script's own numbers */
} cs_purpose;

/* The streams of one block at one step: `chain[lanes]` [borrowed] are the
 * global chain numbers of the lanes; padding lanes repeat a live chain. */
typedef struct cs_streams {
    uint64_t seed;
    uint64_t step;
    const uint64_t *chain;
    size_t lanes; /* padded: a multiple of CS_VECTOR */
    size_t live;
} cs_streams;

/* Fills out[n][lanes] (aligned to CS_ALIGN) with uniforms on (0, 1): never
 * 0, never 1, 52 bits. Row r of lane l is output r of that lane's chain. */
void cs_fill_uniform(const cs_streams *s, cs_purpose purpose, size_t n,
                     double *out);

/* The same with standard normals (Box-Muller on outputs 2b and 2b+1). */
void cs_fill_normal(const cs_streams *s, cs_purpose purpose, size_t n,
                    double *out);

/* The same with raw 64-bit words. */
void cs_fill_words(const cs_streams *s, cs_purpose purpose, size_t n,
                   uint64_t *out);

/* Minus standard exponentials, log(u) <= 0: what an accept test compares
 * with. out[n][lanes]. */
void cs_fill_log_uniform(const cs_streams *s, cs_purpose purpose, size_t n,
                         double *out);

/* One block of Threefry2x64 with `rounds` in 1..32: out[2] from counter[2]
 * and key[2]. The reference that the vector code is tested against. */
void cs_threefry2x64(unsigned rounds, const uint64_t counter[2],
                     const uint64_t key[2], uint64_t out[2]);

#endif
