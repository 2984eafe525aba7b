/* Draws a Poisson number of rows with probabilities proportional to their
 * bounds: the first half of Algorithms 8 and 9 of Yuan and Wang 2026, appendix
 * C. The bounds are on the range of a term (their sum is L) or on its change
 * (their sum is C).
 *
 * The number of draws in a step is unbounded. Rows are therefore drawn in
 * pieces of a fixed size per lane until all draws are made; no draw is left
 * out. The rows depend only on seed, chain and step, so any piece can be
 * generated again. */
#pragma once

#include "kernel/kernel.h"
#include "kernels/auxiliary/poisson_count.h"
#include "target/row_bounds.h"

#include <string.h>

/* CS_PIECE: number of draws per lane in a piece. CS_FETCHED: number of rows
 * that this file prefetches before the evaluation. The target itself prefetches
 * the other rows. */
enum { CS_PIECE = 512, CS_FETCHED = 32 };

/* Largest mean number of draws that is allowed. A step with more draws would
 * take minutes and could not be interrupted. */
#define CS_MOST_DRAWS 1e8

/* ---- functions for the kernel's table ------------------------------------ */

/* Checks that `t` is a sum over rows with bounds of this kind (CS_ROW_RANGE or
 * CS_ROW_CHANGE). The error names the bounds that the kernel needs. */
cs_status cs_row_draws_check(const char *kernel, const cs_target *t,
                             unsigned kind, cs_error *err);
/* Returns CS_LOGP_NONE: the kernel never evaluates log p. */
cs_logp_kind cs_row_draws_logp(const cs_target *t, const double *values);

/* ---- one step, performance-critical -------------------------------------- */

/* The draws of one step. */
typedef struct cs_row_draws {
    const cs_move *m;
    const cs_row_bounds *bounds;
    double *count;  /* [lanes] total number of draws of each lane, an integer */
    size_t piece;   /* number of the next piece */
    uint32_t *row;  /* [live CS_PIECE] rows of the current piece, lane after
                       lane */
    uint32_t *coin; /* [live CS_PIECE] one 32-bit uniform per draw */
    size_t *first;  /* [live + 1] index of each lane's first draw */
    uint64_t *word; /* [CS_PIECE] random words of one lane */
} cs_row_draws;

/* Returns the scratch size that cs_row_draws_open needs, in rows of [lanes]
 * doubles. */
static inline size_t cs_row_draws_words(void)
{
    return 1 + CS_PIECE + 2 + cs_rows_for(CS_PIECE);
}

/* Sets up the draws in scratch[cs_row_draws_words][lanes]. */
static inline cs_row_draws cs_row_draws_open(const cs_move *m,
                                             const cs_row_bounds *bounds,
                                             double *scratch)
{
    cs_row_draws d = {.m = m, .bounds = bounds, .count = scratch};
    scratch += m->lanes;
    d.row = (uint32_t *)(void *)scratch;
    d.coin = d.row + m->lanes * CS_PIECE;
    scratch += m->lanes * CS_PIECE;
    d.first = (size_t *)(void *)scratch;
    scratch += m->lanes * 2;
    d.word = (uint64_t *)(void *)scratch;
    return d;
}

/* Draws the number of rows of lane l from the Poisson distribution with mean
 * `mean`; if the mean is 0, no rows are drawn. */
static inline void cs_row_draws_count(cs_row_draws *d, size_t l, double mean)
{
    cs_streams alone = cs_streams_alone(&d->m->streams, l);
    d->count[l] = cs_poisson_count(&alone, CS_FOR_SITE, mean);
}

/* Restarts at the first piece, so that the rows of this step are drawn
 * again. */
static inline void cs_row_draws_begin(cs_row_draws *d)
{
    d->piece = 0;
}

/* Fills row[n] from n random words: first prefetches the cells of the alias
 * table, then reads them and prefetches the rows. */
static inline void cs_row_draws_pick(const cs_row_bounds *b,
                                     const uint64_t *word, size_t n,
                                     uint32_t *row, uint32_t *fraction)
{
    for (size_t i = 0; i < n; i++) {
        row[i] = cs_row_bounds_cell(b, word[i], &fraction[i]);
        __builtin_prefetch(&b->cell[row[i]]);
    }
    for (size_t i = 0; i < n; i++) {
        row[i] = cs_row_bounds_choose(b, row[i], fraction[i]);
        __builtin_prefetch(&b->of[row[i]]);
    }
}

/* Makes n draws of lane l, starting with draw number `at`. Each row uses one
 * random word, and each uniform uses half a word. */
static inline void cs_row_draws_make(cs_row_draws *d, size_t l, size_t at,
                                     size_t n, uint32_t *row, uint32_t *coin)
{
    cs_streams alone = cs_streams_alone(&d->m->streams, l);
    alone.skip = at + at / 2;
    cs_fill_words(&alone, CS_FOR_DATA, n, d->word);
    cs_row_draws_pick(d->bounds, d->word, n, row, coin);
    cs_eval_fetch(d->m->eval, row, n < CS_FETCHED ? n : CS_FETCHED);
    alone.skip += CS_PIECE;
    cs_fill_words(&alone, CS_FOR_DATA, (n + 1) / 2, d->word);
    memcpy(coin, d->word, n * sizeof *coin);
}

/* Generates the next piece for all lanes. Returns false if no draws are
 * left. */
static inline bool cs_row_draws_next(cs_row_draws *d)
{
    size_t from = d->piece++ * CS_PIECE, used = 0;
    for (size_t l = 0; l < d->m->live; l++) {
        size_t all = (size_t)d->count[l], left = all > from ? all - from : 0;
        size_t n = left < CS_PIECE ? left : CS_PIECE;
        d->first[l] = used;
        if (n)
            cs_row_draws_make(d, l, from, n, d->row + used, d->coin + used);
        used += n;
    }
    d->first[d->m->live] = used;
    return used > 0;
}

/* Returns the current piece as a batch. */
static inline cs_batch cs_row_draws_batch(const cs_row_draws *d)
{
    return (cs_batch){.row = d->row, .first = d->first};
}

/* Builds a vector of numbers f(a), with f(0) for a >= n, in registers. (Loading
 * a vector right after storing its numbers one by one would stall the
 * processor.) */
#if defined(__AVX512F__) || defined(CS_VECTOR_WHOLE)
#define CS_VECTOR_OF(f, n)                                                     \
    ((cs_vd){f(0), f(1 < (n) ? 1 : 0), f(2 < (n) ? 2 : 0), f(3 < (n) ? 3 : 0), \
             f(4 < (n) ? 4 : 0), f(5 < (n) ? 5 : 0), f(6 < (n) ? 6 : 0),       \
             f(7 < (n) ? 7 : 0)})
#else
#define CS_VECTOR_OF(f, n)                                                     \
    ((cs_vd){f(0), f(1 < (n) ? 1 : 0), f(2 < (n) ? 2 : 0), f(3 < (n) ? 3 : 0)})
#endif
