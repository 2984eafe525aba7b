/* Threefry2x64-20 as a gsl_rng: block after block of one stream. */
#include "rng/gsl.h"

typedef struct stream_state {
    uint64_t key[2];
    uint64_t counter[2];
    uint64_t out[2];
    uint64_t used; /* words of `out` already given; 2: the block is spent */
} stream_state;

static void seek(stream_state *st, uint64_t seed, uint64_t chain, uint64_t step,
                 uint64_t tag)
{
    *st =
        (stream_state){.key = {seed, chain}, .counter = {step, tag}, .used = 2};
}

static void set(void *state, unsigned long seed)
{
    seek(state, seed, 0, 0, 0);
}

static uint64_t next(stream_state *st)
{
    if (st->used == 2) {
        cs_threefry2x64(20, st->counter, st->key, st->out);
        st->counter[1]++;
        st->used = 0;
    }
    return st->out[st->used++];
}

/* The upper half of a word: GSL's integers have at most 32 bits in all its
 * own generators, and some of its users rely on it. */
static unsigned long get(void *state)
{
    return (unsigned long)(next(state) >> 32);
}

/* 53 bits on [0, 1), as GSL asks. */
static double get_double(void *state)
{
    return (double)(next(state) >> 11) * 0x1p-53;
}

static const gsl_rng_type threefry = {
    .name = "threefry2x64",
    .max = 0xffffffffUL,
    .min = 0,
    .size = sizeof(stream_state),
    .set = set,
    .get = get,
    .get_double = get_double,
};

const gsl_rng_type *const cs_gsl_threefry = &threefry;

void cs_gsl_seek(gsl_rng *r, uint64_t seed, uint64_t chain, cs_purpose purpose,
                 uint64_t step)
{
    seek(r->state, seed, chain, step, (uint64_t)purpose << 48);
}
