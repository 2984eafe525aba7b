/* Fills arrays with uniforms and normals. Compiled for each instruction set,
 * and for AVX2 with AES on two blocks at once (fill_vaes.c), which only some
 * AVX2 processors have.
 *
 * ARS-5 (see stream.h) is computed for a vector of columns at a time, one
 * column per lane. A block has two words, so the blocks of these columns fill
 * two vectors: one with the blocks of the even columns, and one with the blocks
 * of the odd columns. Interleaving the two vectors gives one vector with the
 * first words and one with the second words of all columns.
 *
 * If there are several chains, a column is a chain. If there is only one chain
 * and a step needs a few rows of numbers, a column is a step: several steps are
 * drawn in advance and stored (see cs_ahead). If a step needs many rows, or if
 * numbers are not stored in advance, a column is a block of this step. The
 * numbers are bit for bit equal in all these cases. Several jobs, each for one
 * vector of columns, are processed together, to hide latencies. */
#include "rng/shape.h"

#ifndef CS_FILL_NAME
#define CS_FILL_NAME CS_VARIANT(cs_fill)
#endif

#include <string.h>

/* ---- jobs ---------------------------------------------------------------- */

/* Several jobs, after their first round of AES. */
typedef struct jobs {
    blocks even[WIDE], odd[WIDE];
    const blocks *even_key[WIDE], *odd_key[WIDE];
} jobs;

/* Applies the remaining rounds and the shape. Writes at least the first `count`
 * numbers of each column to row[], one row per number. */
INLINE void finish(int wide, jobs *t, cs_shape form, size_t count,
                   cs_vu (*row)[WIDE])
{
#pragma GCC unroll 8
    for (int r = 2; r < CS_ARS_ROUNDS; r++) {
        EACH t->even[j] = turn(t->even[j], t->even_key[j][r]);
        EACH t->odd[j] = turn(t->odd[j], t->odd_key[j][r]);
    }
    EACH t->even[j] = last_turn(t->even[j], t->even_key[j][CS_ARS_ROUNDS]);
    EACH t->odd[j] = last_turn(t->odd[j], t->odd_key[j][CS_ARS_ROUNDS]);
    EACH words_of(t->even[j], t->odd[j], &row[0][j], &row[1][j]);
    make(wide, form, count, row);
}

/* Computes the keys of all rounds from the first key. */
INLINE void schedule(blocks first, blocks key[CS_ARS_ROUNDS + 1])
{
    const blocks weyl = block_all(CS_ARS_WEYL0, CS_ARS_WEYL1);
    key[0] = first;
#pragma GCC unroll 8
    for (int r = 0; r < CS_ARS_ROUNDS; r++)
        key[r + 1] = key[r] + weyl;
}

/* ---- columns are chains -------------------------------------------------- */

/* Number of vectors of chains that are processed together. */
enum { GROUPS = CS_STREAMS_PART / CS_VECTOR };

/* The first round combines the two words of a counter only by exclusive or. The
 * contributions of the chain number and of the block number are therefore
 * computed separately: turn(x, key) = turn(lower x, 0) ^ turn(upper x, key) ^
 * turn(0, 0). */
typedef struct chains {
    blocks key[CS_ARS_ROUNDS + 1];
    blocks even[GROUPS], odd[GROUPS]; /* contributions of chain numbers */
    size_t groups;
} chains;

INLINE void take_chains(chains *c, const uint64_t *chain, uint64_t high_key)
{
    const uint64_t zero = 0x6363636363636363u; /* the value turn(0, 0) */
    blocks key = c->key[1] ^ block_all(zero, zero);
    const cs_vu none = {0};
    for (size_t g = 0; g < c->groups; g++) {
        cs_vu high;
        memcpy(&high, chain + g * CS_VECTOR, sizeof high);
        c->even[g] = turn(evens(none, high ^ high_key), key);
        c->odd[g] = turn(odds(none, high ^ high_key), key);
    }
}

/* Position in the generation of numbers for several chains: the next jobs start
 * at block number `block` and at vector number `group` of the chains. */
typedef struct place {
    size_t block, group;
    size_t skip; /* number of blocks that are skipped */
    uint64_t low_key;
    blocks part; /* contribution of the block number */
} place;

INLINE void go_to(place *p, size_t block)
{
    p->block = block;
    p->group = 0;
    p->part =
        turn(block_all(p->low_key ^ (p->skip + block), 0), block_all(0, 0));
}

INLINE void chain_jobs(int wide, const chains *c, place *p, cs_shape form,
                       uint64_t *out, size_t stride, size_t count)
{
    jobs t;
    uint64_t *to[WIDE];
    cs_vu row[MOST_ROWS][WIDE] = {0}; /* set to zero, because the compiler
                                         cannot see that all elements are
                                         written */
    EACH
    {
        t.even[j] = c->even[p->group] ^ p->part;
        t.odd[j] = c->odd[p->group] ^ p->part;
        t.even_key[j] = t.odd_key[j] = c->key;
        to[j] = out + rows_of(form) * p->block * stride + p->group * CS_VECTOR;
        if (++p->group == c->groups)
            go_to(p, p->block + 1);
    }
    finish(wide, &t, form, count, row);
#pragma GCC unroll 4
    for (size_t k = 0; k < count; k++)
        EACH *(cs_vu *)(to[j] + k * stride) = row[k][j];
}

/* Writes `count` numbers of each block. `left` is the number of groups of
 * chains that remain. */
INLINE void block_rows(const chains *c, place *p, size_t left, cs_shape form,
                       uint64_t *out, size_t stride, size_t count)
{
    for (; left >= WIDE; left -= WIDE)
        chain_jobs(WIDE, c, p, form, out, stride, count);
    for (; WIDE > 1 && left; left--)
        chain_jobs(1, c, p, form, out, stride, count);
}

/* Writes n rows of random numbers, one column per chain. */
INLINE void chain_rows(const chains *c, place *p, size_t n, cs_shape form,
                       uint64_t *out, size_t stride)
{
    size_t most = rows_of(form), rest = n % most;
    go_to(p, 0);
    block_rows(c, p, n / most * c->groups, form, out, stride, most);
    if (rest)
        block_rows(c, p, c->groups, form, out, stride, most == 2 ? 1 : rest);
}

INLINE void by_chains(const cs_streams *s, cs_key key, size_t n, uint64_t *out,
                      cs_shape form)
{
    chains c;
    place p = {.skip = s->skip / rows_of(form),
               .low_key = key.word[0] + s->step};
    schedule(block_all(p.low_key, key.word[1]), c.key);
    for (size_t l = 0; l < s->lanes; l += GROUPS * CS_VECTOR) {
        size_t left = (s->lanes - l) / CS_VECTOR;
        c.groups = left < GROUPS ? left : GROUPS;
        take_chains(&c, s->chain + l, key.word[1]);
        chain_rows(&c, &p, n, form, out + l, s->lanes);
    }
}

/* ---- a single chain ------------------------------------------------------ */

/* The keys of some columns, and the counters of these columns without the block
 * number. */
typedef struct columns {
    blocks even, odd;
    blocks even_key[CS_ARS_ROUNDS + 1], odd_key[CS_ARS_ROUNDS + 1];
} columns;

INLINE columns columns_of(cs_vu low, uint64_t chain, cs_vu low_key,
                          uint64_t high_key)
{
    columns c;
    c.even = evens(low, cs_vset_u(chain));
    c.odd = odds(low, cs_vset_u(chain));
    schedule(evens(low_key, cs_vset_u(high_key)), c.even_key);
    schedule(odds(low_key, cs_vset_u(high_key)), c.odd_key);
    return c;
}

/* Distance between two successive jobs, in columns and in blocks. */
typedef struct gap {
    size_t columns, blocks;
} gap;

INLINE void column_jobs(int wide, const columns *c, size_t block, gap apart,
                        cs_shape form, size_t count, cs_vu (*row)[WIDE])
{
    jobs t;
    EACH
    {
        const columns *mine = c + (size_t)j * apart.columns;
        blocks number = block_all(block + (size_t)j * apart.blocks, 0);
        t.even_key[j] = mine->even_key;
        t.odd_key[j] = mine->odd_key;
        t.even[j] =
            turn((mine->even + number) ^ mine->even_key[0], mine->even_key[1]);
        t.odd[j] =
            turn((mine->odd + number) ^ mine->odd_key[0], mine->odd_key[1]);
    }
    finish(wide, &t, form, count, row);
}

/* Writes two numbers per column to the array `to`, next to each other. */
INLINE void put_pairs(cs_vu a, cs_vu b, uint64_t *to, size_t stride)
{
    put_blocks(evens(a, b), to, 2 * stride);
    put_blocks(odds(a, b), to + stride, 2 * stride);
}

/* Writes the numbers of each column of job j to the array `to`, next to each
 * other. Two successive columns are `stride` apart. */
INLINE void put_columns(cs_vu (*row)[WIDE], int j, cs_shape form, uint64_t *to,
                        size_t stride)
{
#pragma GCC unroll 2
    for (size_t k = 0; k < rows_of(form); k += 2)
        put_pairs(row[k][j], row[k + 1][j], to + k, stride);
}

/* Writes one word to every lane of a row. */
INLINE void spread(uint64_t *row, size_t lanes, uint64_t word)
{
    if (lanes == 1)
        *row = word;
    for (size_t l = 0; l + 1 < lanes; l += CS_VECTOR)
        *(cs_vu *)(row + l) = cs_vset_u(word);
}

/* Computes several jobs, each for a vector of consecutive blocks. */
INLINE void block_jobs(int wide, const columns *c, size_t block, cs_shape form,
                       uint64_t *out)
{
    const gap apart = {.blocks = CS_VECTOR};
    size_t rows = rows_of(form);
    cs_vu row[MOST_ROWS][WIDE];
    column_jobs(wide, c, block, apart, form, rows, row);
    EACH put_columns(row, j, form, out + (size_t)j * rows * CS_VECTOR, rows);
}

/* Fills many rows of a single chain: a column is a block. */
INLINE void by_blocks(const cs_streams *s, cs_key key, size_t n, uint64_t *out,
                      cs_shape form)
{
    const size_t rows = rows_of(form), job = rows * CS_VECTOR;
    const size_t most = WIDE * job;
    const cs_vu ramp = {CS_COUNT_UP};
    uint64_t word[WIDE * MOST_ROWS * CS_VECTOR] __attribute__((aligned(64)));
    columns c = columns_of(ramp, s->chain[0], cs_vset_u(key.word[0] + s->step),
                           key.word[1]);
    size_t r = 0, skip = s->skip;
    for (; s->lanes == 1 && r + most <= n; r += most)
        block_jobs(WIDE, &c, (skip + r) / rows, form, out + r);
    for (; r < n; r += most) {
        size_t some = n - r < most ? n - r : most;
        if (some > job)
            block_jobs(WIDE, &c, (skip + r) / rows, form, word);
        else
            block_jobs(1, &c, (skip + r) / rows, form, word);
        for (size_t i = 0; i < some; i++)
            spread(out + (r + i) * s->lanes, s->lanes, word[i]);
    }
}

/* Computes a few rows for many steps of a single chain: a column is a step. */
INLINE void step_jobs(const columns *c, size_t r, cs_shape form, size_t count,
                      uint64_t *out)
{
    const gap apart = {.columns = 1};
    enum { wide = WIDE };
    cs_vu row[MOST_ROWS][WIDE];
    column_jobs(wide, c, r / rows_of(form), apart, form, count, row);
    EACH put_columns(row, j, form,
                     out + (size_t)j * CS_VECTOR * CS_AHEAD_ROWS + r,
                     CS_AHEAD_ROWS);
}

INLINE void by_steps(cs_ahead_slot *slot, cs_shape form)
{
    enum { PARTS = CS_AHEAD_STEPS / CS_VECTOR };
    const cs_vu ramp = {CS_COUNT_UP};
    columns c[PARTS];
    for (size_t i = 0; i < PARTS; i++) {
        cs_vu step = ramp + (slot->window * CS_AHEAD_STEPS + i * CS_VECTOR);
        c[i] = columns_of(ramp & 0, slot->chain, slot->key.word[0] + step,
                          slot->key.word[1]);
    }
    for (size_t i = 0; i < PARTS; i += WIDE) {
        uint64_t *out = slot->word[i * CS_VECTOR];
        size_t r = 0, most = rows_of(form);
        for (; r + most <= slot->rows; r += most)
            step_jobs(c + i, r, form, most, out);
        if (r < slot->rows)
            step_jobs(c + i, r, form, most == 2 ? 1 : most, out);
    }
}

/* Copies a few rows of a single chain that were drawn in advance. */
INLINE void from_ahead(const cs_streams *s, const cs_ahead_slot *slot, size_t n,
                       uint64_t *out)
{
    const uint64_t *from = slot->word[s->step % CS_AHEAD_STEPS];
    for (size_t r = 0; s->lanes == CS_PAD && r < n; r++)
        spread(out + r * CS_PAD, CS_PAD, from[r]);
    for (size_t r = 0; s->lanes != CS_PAD && r < n; r++)
        spread(out + r * s->lanes, s->lanes, from[r]);
}

INLINE void fill(const cs_streams *s, cs_purpose purpose, size_t n,
                 uint64_t *out, cs_shape form)
{
    cs_key key = s->key[purpose];
    const cs_ahead_slot *slot = cs_ahead_of(s, purpose, form, n);
    if (slot)
        from_ahead(s, slot, n, out);
    else if (s->live == 1)
        by_blocks(s, key, n, out, form);
    else
        by_chains(s, key, n, out, form);
}

static bool runs(void)
{
    return blocks_run();
}

/* Functions for one shape. `form` is a constant in each function, so the
 * compiler removes unused code. */
#define SHAPE(name, form)                                                      \
    static void name(const cs_streams *s, cs_purpose purpose, size_t n,        \
                     void *out)                                                \
    {                                                                          \
        fill(s, purpose, n, out, form);                                        \
    }                                                                          \
    static void name##_ahead(cs_ahead_slot *slot)                              \
    {                                                                          \
        by_steps(slot, form);                                                  \
    }

SHAPE(words, CS_RAW_WORDS)
SHAPE(uniform, CS_UNIFORMS)
SHAPE(normal, CS_NORMALS)
SHAPE(single_normal, CS_SINGLE_NORMALS)
SHAPE(log_uniform, CS_LOG_UNIFORMS)

const cs_fill_ops CS_FILL_NAME = {
    .runs = runs,
    .shape = {[CS_RAW_WORDS] = {words, words_ahead},
              [CS_UNIFORMS] = {uniform, uniform_ahead},
              [CS_NORMALS] = {normal, normal_ahead},
              [CS_SINGLE_NORMALS] = {single_normal, single_normal_ahead},
              [CS_LOG_UNIFORMS] = {log_uniform, log_uniform_ahead}},
};
