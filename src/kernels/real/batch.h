/* The rows of data that each chain reads in one step.
 *
 *   epochs                batch number k is at positions k n .. k n + n - 1 of
 *                         an endless series of epochs, each a permutation of
 *                         the rows
 *   without_replacement   n distinct rows, new in each step: the first n
 *                         positions of a new permutation
 *   with_replacement      n independent uniform rows in each step
 *
 * A permutation is computed position by position and is not stored. It is a
 * Feistel network of eight rounds. The rounds use modular addition on a
 * rectangle of cells, at least one cell per row of data; cycle walking skips
 * the extra cells (Black and Rogaway, "Ciphers with arbitrary finite domains",
 * 2002, sections 4 and 5). Its keys are words of the chain's stream at the
 * number of the epoch or step. The order of the data is therefore a pure
 * function of seed, chain and epoch (or step). */
#pragma once

#include "kernel/kernel.h"

#include <math.h>
#include <string.h>

typedef enum cs_batch_order {
    CS_BATCH_EPOCHS,
    CS_BATCH_WITHOUT_REPLACEMENT,
    CS_BATCH_WITH_REPLACEMENT
} cs_batch_order;

enum {
    CS_BATCH_KEYS = 4 /* number of 64-bit words of a permutation's keys; each
                       * word is used for two rounds */
};

/* Returns the scratch size of cs_batch_draw for n rows, in doubles per lane.
 * Layout: the rows, `first`, then random words. */
static inline size_t cs_batch_words(size_t n)
{
    size_t words = n < CS_BATCH_KEYS ? CS_BATCH_KEYS : n;
    return n / 2 + 1 + 2 + words;
}

/* A vector of eight 32-bit numbers, each of which is one half of a cell: its
 * high or its low number. CS_TOGETHER such vectors are processed together, to
 * hide latencies. */
typedef uint32_t cs_halves __attribute__((vector_size(32), may_alias));
typedef int32_t cs_signed_halves __attribute__((vector_size(32), may_alias));
enum { CS_HALVES = 8, CS_TOGETHER = 4, CS_PLACES = CS_HALVES * CS_TOGETHER };

/* A permutation of `rows` numbers. Cells are pairs (high, low) with high <
 * `highs` and low < `lows`. The rectangle of cells is the smallest that holds
 * all rows and at least 35 cells, because fewer cells would mix badly. For
 * example, 3 rows would have only 3 of the 6 orders. Among 5 or 7 rows, the
 * probability that two given rows are at positions 0 and 1 would be wrong by 3
 * %. */
typedef struct cs_permutation {
    uint32_t highs, lows, rows;
    uint32_t key[2 * CS_BATCH_KEYS];
} cs_permutation;

/* Returns the permutation of `rows` rows (1 .. 2^31) with the keys
 * word[CS_BATCH_KEYS * stride]. */
static inline cs_permutation
cs_permutation_of(uint32_t rows, const uint64_t *word, size_t stride)
{
    uint32_t places = rows < CS_PLACES ? CS_PLACES : rows;
    cs_permutation p = {.rows = rows, .lows = (uint32_t)sqrt((double)places)};
    p.highs = (places + p.lows - 1) / p.lows;
    for (size_t k = 0; k < CS_BATCH_KEYS; k++) {
        p.key[2 * k] = (uint32_t)word[k * stride];
        p.key[2 * k + 1] = (uint32_t)(word[k * stride] >> 32);
    }
    return p;
}

/* Returns half + h(other half), modulo `most` (below 2^16). h is a product hash
 * below `most`, taken from the upper bits. */
static inline cs_halves cs_feistel_round(cs_halves half, cs_halves other,
                                         uint32_t key, uint32_t most)
{
    cs_halves x = (other + key) * UINT32_C(0x7feb352d);
    x = (x ^ x >> 15) * UINT32_C(0x846ca68b);
    half += (x >> 16) * most >> 16;
    return half - ((cs_halves)((cs_signed_halves)half >= (int32_t)most) & most);
}

/* Applies one round to both halves of CS_PLACES cells. */
static inline void cs_feistel(const cs_permutation *p, cs_halves *high,
                              cs_halves *low)
{
    for (size_t k = 0; k < CS_BATCH_KEYS; k++) {
        for (size_t i = 0; i < CS_TOGETHER; i++)
            high[i] =
                cs_feistel_round(high[i], low[i], p->key[2 * k], p->highs);
        for (size_t i = 0; i < CS_TOGETHER; i++)
            low[i] =
                cs_feistel_round(low[i], high[i], p->key[2 * k + 1], p->lows);
    }
}

/* Computes row[CS_PLACES], the images of the cells from `place` on. Cycle
 * walking uses only the first image. */
static inline void cs_feistel_from(const cs_permutation *p, uint32_t place,
                                   uint32_t *row)
{
    cs_halves high[CS_TOGETHER], low[CS_TOGETHER];
    uint32_t h[CS_PLACES], l[CS_PLACES];
    h[0] = place / p->lows;
    l[0] = place % p->lows;
    for (size_t i = 1; i < CS_PLACES; i++) {
        uint32_t full = l[i - 1] + 1 == p->lows;
        h[i] = h[i - 1] + full;
        l[i] = full ? 0 : l[i - 1] + 1;
    }
    memcpy(high, h, sizeof h);
    memcpy(low, l, sizeof l);
    cs_feistel(p, high, low);
    for (size_t i = 0; i < CS_TOGETHER; i++)
        high[i] = high[i] * p->lows + low[i];
    memcpy(row, high, sizeof high);
}

/* Computes row[n], the rows at the positions from `first` on. An image beyond
 * the last row is mapped again until it is below `rows`. */
static inline void cs_permute(const cs_permutation *p, uint32_t first, size_t n,
                              uint32_t *row)
{
    uint32_t at[CS_PLACES], next[CS_PLACES];
    for (size_t i = 0; i < n; i += CS_PLACES) {
        size_t left = n - i < CS_PLACES ? n - i : CS_PLACES;
        cs_feistel_from(p, first + (uint32_t)i, at);
        for (size_t k = 0; k < left; k++)
            while (at[k] >= p->rows) {
                cs_feistel_from(p, at[k], next);
                at[k] = next[0];
            }
        memcpy(row + i, at, left * sizeof *row);
    }
}

/* Draws the keys of a permutation, word[CS_BATCH_KEYS][lanes]. */
static inline void cs_batch_keys(const cs_move *m, uint64_t number,
                                 uint64_t *word)
{
    cs_streams s = m->streams;
    s.step = number;
    s.ahead = NULL;
    cs_fill_words(&s, CS_FOR_DATA, CS_BATCH_KEYS, word);
}

/* Fills row[n] of each live lane from permutation number `number`, with the
 * rows at the positions from `first` on. */
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

/* Fills the rows of a batch by epochs. A batch at the end of an epoch takes its
 * remaining rows from the next epoch. */
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

/* Returns floor(rows word / 2^64). Each row has the same probability, with an
 * error of at most rows / 2^64. */
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

/* Draws the batches of this step, n rows per live lane, stored lane after lane
 * in scratch[cs_batch_words][lanes]. n is at most the number of rows of the
 * target. */
static inline cs_batch cs_batch_draw(const cs_move *m, cs_batch_order order,
                                     size_t n, double *scratch)
{
    uint32_t *row = (uint32_t *)(void *)scratch;
    size_t *first = (size_t *)(void *)(scratch + (n / 2 + 1) * m->lanes);
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
