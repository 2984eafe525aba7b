/* Heat bath updates on bits: see targets/discrete/multispin.h.
 *
 *   P(x_i = 1 | the rest) = p_k if k of its four neighbours are 1
 *
 * Full adders compute k for 512 sites at once. A uniform u is compared with p =
 * p_k bit by bit, starting with the highest bit: u < p if p has a 1 at the
 * first bit in which u and p differ. About eleven bits decide all sites. The
 * probabilities are exact to 2^-64. Without a field p_k = 1 - p_(4-k) and p_2 =
 * 1/2: a site takes the majority value of its neighbours, or the other value
 * with probability p_1 or p_0; one random bit decides a tie. */
#define CS_VECTOR_WHOLE
#include "targets/discrete/multispin.h"

#include <string.h>
#if defined(__AVX512F__)
#include "simd/intrinsics.h"
#endif

enum {
    SURE = 8,     /* number of bits that are compared before the first test
                     whether all sites are decided */
    STRANDS = 32, /* number of streams per chain; the generator is fastest with
                     this number */
    PAIR = 2      /* number of vectors that are decided together */
};

/* State of the sampler for one chain. */
typedef struct bath {
    const cs_multispin *t;
    cs_streams streams;
    uint64_t strand[STRANDS];
    uint64_t *drawn; /* [CS_TORUS_DRAWN] random words */
    size_t next;
    uint64_t *colour[2]; /* [words] bits of each colour, with a halo at both
                            ends */
} bath;

/* ---- random bits --------------------------------------------------------- */

/* Starts the streams of a chain. Each strand has its own chain number. All
 * these numbers differ, because chain numbers are far below 2^48. */
static void enter(bath *b, const cs_streams *s, size_t lane)
{
    for (size_t k = 0; k < STRANDS; k++)
        b->strand[k] = s->chain[lane] | (uint64_t)k << 48;
    b->streams = *s;
    b->streams.chain = b->strand;
    b->streams.lanes = b->streams.live = STRANDS;
    b->streams.ahead = NULL;
    b->next = CS_TORUS_DRAWN;
}

static void refill(bath *b)
{
    size_t rows = CS_TORUS_DRAWN / STRANDS;
    cs_fill_words(&b->streams, CS_FOR_PROPOSAL, rows, b->drawn);
    b->streams.skip += rows;
    b->next = 0;
}

/* Ensures that `bits` random bits are available for each site of a pair of
 * vectors. */
static inline void provide(bath *b, size_t bits)
{
    if (b->next + bits * PAIR * CS_VECTOR > CS_TORUS_DRAWN)
        refill(b);
}

static inline cs_vu random_bits(bath *b)
{
    cs_vu bits = *(const cs_vu *)(b->drawn + b->next);
    b->next += CS_VECTOR;
    return bits;
}

/* ---- decisions ----------------------------------------------------------- */

static inline bool any(cs_vu v)
{
#if defined(__AVX512F__)
    return _mm512_test_epi64_mask((__m512i)v, (__m512i)v) != 0;
#else
    uint64_t all = 0;
    for (int k = 0; k < CS_VECTOR; k++)
        all |= v[k];
    return all;
#endif
}

/* Masks over 512 sites. of[k] marks the sites with k neighbours that are 1.
 * `open` marks the undecided sites, and `below` the sites with u < p. */
typedef struct sites {
    cs_vu of[5], open, below;
} sites;

static inline void settle(sites *s, cs_vu p, cs_vu random)
{
    cs_vu differ = s->open & (random ^ p);
    s->below |= differ & p;
    s->open &= ~differ;
}

/* Compares one more bit of u with the same bit of the probability of each
 * site. */
static inline void compare(bath *b, const uint64_t *chance, sites *s)
{
    settle(s,
           (s->of[0] & chance[0]) | (s->of[1] & chance[1]) |
               (s->of[2] & chance[2]) | (s->of[3] & chance[3]) |
               (s->of[4] & chance[4]),
           random_bits(b));
}

/* Does the work of `compare` without a field. of[0] is the mask of sites whose
 * neighbours all agree; of[1] is the mask of sites where one neighbour differs
 * from the others. */
static inline void compare_even(bath *b, const uint64_t *chance, sites *s)
{
    settle(s, (s->of[0] & chance[0]) | (s->of[1] & chance[1]), random_bits(b));
}

typedef void comparison(bath *b, const uint64_t *chance, sites *s);

static inline void decide(bath *b, comparison *one_bit, sites s[PAIR])
{
    provide(b, SURE);
#pragma GCC unroll 8
    for (int k = 0; k < SURE; k++)
        for (int i = 0; i < PAIR; i++)
            one_bit(b, b->t->chance[k], &s[i]);
    for (int k = SURE; k < 64 && any(s[0].open | s[1].open); k++) {
        provide(b, 1);
        for (int i = 0; i < PAIR; i++)
            one_bit(b, b->t->chance[k], &s[i]);
    }
}

/* Resamples the sites that are marked in `open`. */
static inline void resample(bath *b, sites s[PAIR])
{
    decide(b, compare, s);
}

static inline void resample_even(bath *b, sites s[PAIR])
{
    cs_vu most[PAIR], coin[PAIR];
    provide(b, 1);
    for (int i = 0; i < PAIR; i++) {
        cs_vu *of = s[i].of;
        coin[i] = of[2] & s[i].open & random_bits(b);
        most[i] = (of[3] | of[4]) & s[i].open;
        s[i].open &= ~of[2];
        of[0] |= of[4];
        of[1] |= of[3];
    }
    decide(b, compare_even, s);
    for (int i = 0; i < PAIR; i++)
        s[i].below = (s[i].below ^ most[i]) | coin[i];
}

/* ---- neighbours ---------------------------------------------------------- */

typedef uint64_t loose __attribute__((vector_size(64), aligned(8), may_alias));

/* Offset of a bit: words, and bits within a word. */
typedef struct far {
    ptrdiff_t word;
    unsigned shift; /* offset within the word, 0 .. 63 */
} far;

static far far_of(ptrdiff_t by)
{
    ptrdiff_t word = by >= 0 ? by / 64 : -((63 - by) / 64);
    return (far){word, (unsigned)(by - 64 * word)};
}

static inline cs_vu reach(const uint64_t *at, far f)
{
    loose low = *(const loose *)(at + f.word);
    loose high = *(const loose *)(at + f.word + 1);
    return (cs_vu)(low >> f.shift | high << 1 << (63 - f.shift));
}

/* Offsets of the neighbours below and above, and of the four side neighbours
 * (in the order of the masks). */
typedef struct reaches {
    far down, up, side[4];
} reaches;

static reaches reaches_of(const cs_multispin *t)
{
    ptrdiff_t half = (ptrdiff_t)t->half;
    return (reaches){
        far_of(-half),
        far_of(half),
        {far_of(-1), far_of(1), far_of(half - 1), far_of(1 - half)}};
}

/* Computes of[k], the sites where k of the bits a, b, c, d are 1. */
static inline void count(cs_vu a, cs_vu b, cs_vu c, cs_vu d, cs_vu of[5])
{
    cs_vu odd_a = a ^ b, two_a = a & b, odd_c = c ^ d, two_c = c & d;
    cs_vu odd = odd_a ^ odd_c, two = two_a ^ two_c ^ (odd_a & odd_c);
    of[4] = two_a & two_c;
    of[3] = odd & two;
    of[2] = two & ~odd;
    of[1] = odd & ~two;
    of[0] = ~(a | b | c | d);
}

/* Counts the neighbours that are 1, for 512 sites of colour c, starting at word
 * w. All neighbours have the other colour. */
static inline void look_round(const bath *b, const reaches *r, size_t c,
                              size_t w, sites *s)
{
    const cs_multispin *t = b->t;
    const uint64_t *at = b->colour[1 - c] + w;
    const uint64_t *mask = t->mask + c * t->words + w;
    cs_vu side = {0};
#pragma GCC unroll 4
    for (size_t k = 0; k < 4; k++)
        side |=
            reach(at, r->side[k]) & *(const cs_vu *)(mask + 2 * k * t->words);
    count(reach(at, r->down), reach(at, r->up), *(const cs_vu *)at, side,
          s->of);
    s->open = *(const cs_vu *)(t->mask + 8 * t->words + w);
    s->below = s->open & 0;
}

/* ---- halos --------------------------------------------------------------- */

/* Copies n bits, 64 at a time, from bit `from` of the words to bit `to`. */
static void copy_bits(uint64_t *word, size_t from, size_t to, size_t n)
{
    for (size_t k = 0; k < n; k += 64) {
        size_t a = (from + k) / 64, s = (from + k) % 64;
        size_t b = (to + k) / 64, d = (to + k) % 64;
        uint64_t bits = word[a] >> s | word[a + 1] << 1 << (63 - s);
        uint64_t mask = n - k < 64 ? (UINT64_C(1) << (n - k)) - 1 : UINT64_MAX;
        bits &= mask;
        word[b] = (word[b] & ~(mask << d)) | bits << d;
        word[b + 1] =
            (word[b + 1] & ~(mask >> 1 >> (63 - d))) | bits >> 1 >> (63 - d);
    }
}

/* Fills each halo with a copy of the opposite end. */
static void close_ring(const cs_multispin *t, uint64_t *colour)
{
    uint64_t *word = colour - t->halo;
    size_t first = 64 * t->halo, end = first + t->bits;
    copy_bits(word, end - t->half, first - t->half, t->half);
    copy_bits(word, first, end, t->half);
}

/* ---- sweeps -------------------------------------------------------------- */

static inline void sweep_by(bath *b, const reaches *r, size_t c,
                            void (*resample_by)(bath *b, sites s[PAIR]))
{
    for (size_t w = 0; w < b->t->words; w += PAIR * CS_VECTOR) {
        sites s[PAIR];
        for (size_t i = 0; i < PAIR; i++)
            look_round(b, r, c, w + i * CS_VECTOR, &s[i]);
        resample_by(b, s);
        for (size_t i = 0; i < PAIR; i++)
            *(cs_vu *)(b->colour[c] + w + i * CS_VECTOR) = s[i].below;
    }
    close_ring(b->t, b->colour[c]);
}

static void sweep(bath *b, const reaches *r, size_t c)
{
    if (b->t->even)
        sweep_by(b, r, c, resample_even);
    else
        sweep_by(b, r, c, resample);
}

static void pack(bath *b, const double *x, size_t lanes)
{
    const cs_multispin *t = b->t;
    for (size_t c = 0; c < 2; c++) {
        memset(b->colour[c], 0, t->words * sizeof(uint64_t));
        for (size_t n = 0; n < t->bits; n++) {
            size_t row = n / t->half, j = 2 * (n % t->half) + (row + c) % 2;
            uint64_t bit = x[(row * t->cols + j) * lanes] != 0;
            b->colour[c][n / 64] |= bit << n % 64;
        }
        close_ring(t, b->colour[c]);
    }
}

/* Writes the bit of each site to `copies` lanes of x; returns whether x has
 * changed. */
static bool unpack(const bath *b, double *x, size_t lanes, size_t copies)
{
    const cs_multispin *t = b->t;
    bool moved = false;
    for (size_t c = 0; c < 2; c++)
        for (size_t n = 0; n < t->bits; n++) {
            size_t row = n / t->half, j = 2 * (n % t->half) + (row + c) % 2;
            double *to = x + (row * t->cols + j) * lanes;
            double bit = (double)(b->colour[c][n / 64] >> n % 64 & 1);
            if (*to == bit)
                continue;
            moved = true;
            for (size_t k = 0; k < copies; k++)
                to[k] = bit;
        }
    return moved;
}

/* Places the sampler in scratch, starting at the first aligned address. */
static bath bath_of(const cs_multispin *t, double *scratch)
{
    size_t off = (uintptr_t)scratch / sizeof *scratch % CS_VECTOR;
    scratch += off ? CS_VECTOR - off : 0;
    uint64_t *word = (uint64_t *)(void *)scratch;
    size_t size = t->words + 2 * t->halo;
    return (bath){.t = t,
                  .drawn = word,
                  .colour = {word + CS_TORUS_DRAWN + t->halo,
                             word + CS_TORUS_DRAWN + size + t->halo}};
}

void CS_VARIANT(cs_multispin_resample)(const cs_multispin *t,
                                       const cs_point *at, const cs_streams *s,
                                       size_t times, double *x, bool *moved)
{
    bath b = bath_of(t, at->scratch);
    reaches r = reaches_of(t);
    for (size_t l = 0; l < at->live; l++) {
        bool last = l + 1 == at->live; /* the padding lanes repeat the last
                                          chain */
        size_t copies = last ? at->lanes - l : 1;
        enter(&b, s, l);
        pack(&b, x + l, at->lanes);
        for (size_t k = 0; k < 2 * times; k++)
            sweep(&b, &r, k % 2);
        bool differs = unpack(&b, x + l, at->lanes, copies);
        memset(moved + l, differs, copies);
    }
}
