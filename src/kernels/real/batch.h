/* The rows of data that each chain looks at in one step.
 *
 *   epochs                batch number k takes the places k n .. k n + n - 1 of
 *                         an endless row of epochs, each a permutation of the
 *                         rows of its own
 *   without_replacement   n different rows, anew at each step: the first n
 *                         places of a permutation of the step's own
 *   with_replacement      n rows, each any of all, at each step
 *
 * A permutation is computed place by place, so that nothing of it is kept: a
 * Feistel network of eight rounds over the fewest bits that hold all rows,
 * walked on from places beyond them (Black and Rogaway, "Ciphers with arbitrary
 * finite domains", 2002, section 4). Its keys are words of the chain's stream,
 * at the number of the epoch or of the step: the order of the data is a pure
 * function of seed, chain and epoch. */
#ifndef CS_KERNELS_REAL_BATCH_H
#define CS_KERNELS_REAL_BATCH_H

#include "kernel/kernel.h"

typedef enum cs_batch_order {
    CS_BATCH_EPOCHS,
    CS_BATCH_WITHOUT_REPLACEMENT,
    CS_BATCH_WITH_REPLACEMENT
} cs_batch_order;

enum { CS_BATCH_KEYS = 4 /* words of 64 bits, two rounds each */ };

/* Scratch a lane of cs_batch_draw for n rows: the rows, `first`, then words of
 * the stream. */
static inline size_t cs_batch_words(size_t n)
{
    size_t words = n < CS_BATCH_KEYS ? CS_BATCH_KEYS : n;
    return n / 2 + 1 + 2 + words;
}

typedef struct cs_permutation {
    unsigned low_bits;
    uint32_t low, high; /* masks of both halves */
    uint32_t rows;
    uint32_t key[2 * CS_BATCH_KEYS];
} cs_permutation;

/* Of `rows` (1 .. 2^31), with the keys word[CS_BATCH_KEYS * stride]. */
static inline cs_permutation
cs_permutation_of(uint32_t rows, const uint64_t *word, size_t stride)
{
    unsigned bits = 2;
    while (bits < 32 && (UINT64_C(1) << bits) < rows)
        bits++;
    cs_permutation p = {.low_bits = bits / 2, .rows = rows};
    p.low = (UINT32_C(1) << p.low_bits) - 1;
    p.high = (uint32_t)((UINT64_C(1) << (bits - p.low_bits)) - 1);
    for (size_t k = 0; k < CS_BATCH_KEYS; k++) {
        p.key[2 * k] = (uint32_t)word[k * stride];
        p.key[2 * k + 1] = (uint32_t)(word[k * stride] >> 32);
    }
    return p;
}

/* A hash of 32 bits in which each bit of the input flips about half of the
 * output. */
static inline uint32_t cs_hash_round(uint32_t x)
{
    x ^= x >> 16;
    x *= UINT32_C(0x7feb352d);
    x ^= x >> 15;
    x *= UINT32_C(0x846ca68b);
    return x ^ x >> 16;
}

static inline uint32_t cs_feistel(const cs_permutation *p, uint32_t place)
{
    uint32_t high = place >> p->low_bits, low = place & p->low;
    for (size_t k = 0; k < CS_BATCH_KEYS; k++) {
        high ^= cs_hash_round(low + p->key[2 * k]) & p->high;
        low ^= cs_hash_round(high + p->key[2 * k + 1]) & p->low;
    }
    return high << p->low_bits | low;
}

/* row[n] = the rows at the places from `first` on, all below `rows`. */
static inline void cs_permute(const cs_permutation *p, uint32_t first, size_t n,
                              uint32_t *row)
{
    for (size_t i = 0; i < n; i++)
        row[i] = cs_feistel(p, first + (uint32_t)i);
    for (size_t i = 0; i < n; i++)
        while (row[i] >= p->rows)
            row[i] = cs_feistel(p, row[i]);
}

/* The keys of a permutation, word[CS_BATCH_KEYS][lanes]. */
static inline void cs_batch_keys(const cs_move *m, uint64_t number,
                                 uint64_t *word)
{
    cs_streams s = m->streams;
    s.step = number;
    s.ahead = NULL;
    cs_fill_words(&s, CS_FOR_DATA, CS_BATCH_KEYS, word);
}

/* row[n] of each live lane from place `first` of permutation `number` on. */
static inline void cs_batch_permuted(const cs_move *m, uint64_t number,
                                     uint64_t first, size_t n, size_t apart,
                                     uint64_t *word, uint32_t *row)
{
    uint32_t rows = (uint32_t)m->eval->target->n_rows;
    cs_batch_keys(m, number, word);
    for (size_t l = 0; l < m->live && n; l++) {
        cs_permutation p = cs_permutation_of(rows, word + l, m->lanes);
        cs_permute(&p, (uint32_t)first, n, row + l * apart);
    }
}

/* A batch that straddles two epochs takes of both. */
static inline void cs_batch_epochs(const cs_move *m, size_t n, uint64_t *word,
                                   uint32_t *row)
{
    uint64_t rows = m->eval->target->n_rows, at = m->streams.step * n;
    uint64_t epoch = at / rows, first = at % rows, left = rows - first;
    size_t here = n < left ? n : (size_t)left;
    cs_batch_permuted(m, epoch, first, here, n, word, row);
    if (here < n)
        cs_batch_permuted(m, epoch + 1, 0, n - here, n, word, row + here);
}

/* floor(rows word / 2^64): uniform to within rows / 2^64. */
static inline uint32_t cs_row_of(uint64_t word, uint64_t rows)
{
    uint64_t low = ((word & UINT32_MAX) * rows) >> 32;
    return (uint32_t)(((word >> 32) * rows + low) >> 32);
}

static inline void cs_batch_any(const cs_move *m, size_t n, uint64_t *word,
                                uint32_t *row)
{
    uint64_t rows = m->eval->target->n_rows;
    cs_streams s = m->streams;
    s.ahead = NULL;
    cs_fill_words(&s, CS_FOR_DATA, n, word);
    for (size_t l = 0; l < m->live; l++)
        for (size_t i = 0; i < n; i++)
            row[l * n + i] = cs_row_of(word[i * m->lanes + l], rows);
}

/* The batches of this step, n rows a live lane, lane after lane; n is at most
 * the target's rows. room[cs_batch_words][lanes], which holds them. */
static inline cs_batch cs_batch_draw(const cs_move *m, cs_batch_order order,
                                     size_t n, double *room)
{
    uint32_t *row = (uint32_t *)(void *)room;
    size_t *first = (size_t *)(void *)(room + (n / 2 + 1) * m->lanes);
    uint64_t *word = (uint64_t *)(first + 2 * m->lanes);
    if (order == CS_BATCH_WITH_REPLACEMENT)
        cs_batch_any(m, n, word, row);
    else if (order == CS_BATCH_EPOCHS)
        cs_batch_epochs(m, n, word, row);
    else
        cs_batch_permuted(m, m->streams.step, 0, n, n, word, row);
    for (size_t l = 0; l <= m->live; l++)
        first[l] = l * n;
    return (cs_batch){.row = row, .first = first};
}

#endif
