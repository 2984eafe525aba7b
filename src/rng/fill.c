/* Bulk fills of uniforms and normals: compiled for each instruction set.
 *
 * ARS-5 (see stream.h) on eight columns at a time. A quad holds four blocks of
 * two words; two of them, of the even and of the odd columns, interleave to
 * the first words and the second words of eight columns. A column is a chain;
 * or, where one chain is alone, a step (some steps are drawn ahead and kept,
 * see cs_ahead) or, for many rows, a block of the chain. Some jobs of eight
 * columns are done together, so that the latency of one hides behind the
 * others. All orders give the same bits. */
#include "rng/shape.h"

#include <string.h>

/* ---- jobs ---------------------------------------------------------------- */

/* Some jobs after their first round, and where their rows go. */
typedef struct jobs {
    quad even[WIDE], odd[WIDE];
    const quad *even_key[WIDE], *odd_key[WIDE];
    uint64_t *to[WIDE];
} jobs;

/* The other rounds, the shape, and the rows. */
INLINE void finish(int wide, jobs *t, shape form, size_t stride, bool second)
{
    cs_vu a[WIDE], b[WIDE];
#pragma GCC unroll 8
    for (int r = 2; r < CS_ARS_ROUNDS; r++) {
        EACH t->even[j] = turn(t->even[j], t->even_key[j][r]);
        EACH t->odd[j] = turn(t->odd[j], t->odd_key[j][r]);
    }
    EACH t->even[j] = last_turn(t->even[j], t->even_key[j][CS_ARS_ROUNDS]);
    EACH t->odd[j] = last_turn(t->odd[j], t->odd_key[j][CS_ARS_ROUNDS]);
    EACH words_of(t->even[j], t->odd[j], &a[j], &b[j]);
    make(wide, form, second, a, b);
    EACH *(cs_vu *)t->to[j] = a[j];
    if (second)
        EACH *(cs_vu *)(t->to[j] + stride) = b[j];
}

/* The keys of the rounds, given the first. */
INLINE void schedule(quad first, quad key[CS_ARS_ROUNDS + 1])
{
    const quad weyl = quad_all(CS_ARS_WEYL0, CS_ARS_WEYL1);
    key[0] = first;
#pragma GCC unroll 8
    for (int r = 0; r < CS_ARS_ROUNDS; r++)
        key[r + 1] = sum(key[r], weyl);
}

/* ---- a column is a chain ------------------------------------------------- */

enum { GROUPS = 4 }; /* of eight chains, side by side */

/* The first round mixes the two words of a counter by exclusive or only, so
 * that the part of the chain and the part of the block are computed apart:
 * turn(x, key) = turn(lower x, 0) ^ turn(upper x, key) ^ turn(0, 0). */
typedef struct chains {
    quad key[CS_ARS_ROUNDS + 1];
    quad even[GROUPS], odd[GROUPS]; /* what the chains put in */
    size_t groups;
} chains;

INLINE void take_chains(chains *c, const uint64_t *chain, uint64_t high_key)
{
    const uint64_t zero = 0x6363636363636363u; /* turn(0, 0) */
    quad key = both(c->key[1], quad_all(zero, zero));
    const cs_vu none = {0};
    for (size_t g = 0; g < c->groups; g++) {
        cs_vu high;
        memcpy(&high, chain + g * CS_VECTOR, sizeof high);
        c->even[g] = turn(evens(none, high ^ high_key), key);
        c->odd[g] = turn(odds(none, high ^ high_key), key);
    }
}

/* Where the jobs of some chains have come to. */
typedef struct place {
    size_t block, group;
    uint64_t low_key;
    quad part; /* what the block puts in */
} place;

INLINE void go_to(place *p, size_t block)
{
    p->block = block;
    p->group = 0;
    p->part = turn(quad_all(p->low_key ^ block, 0), quad_all(0, 0));
}

INLINE void chain_jobs(int wide, const chains *c, place *p, shape form,
                       uint64_t *out, size_t stride, bool second)
{
    jobs t;
    EACH
    {
        t.even[j] = both(c->even[p->group], p->part);
        t.odd[j] = both(c->odd[p->group], p->part);
        t.even_key[j] = t.odd_key[j] = c->key;
        t.to[j] = out + 2 * p->block * stride + p->group * CS_VECTOR;
        if (++p->group == c->groups)
            go_to(p, p->block + 1);
    }
    finish(wide, &t, form, stride, second);
}

/* n rows of the chains. */
INLINE void chain_rows(const chains *c, place *p, size_t n, shape form,
                       uint64_t *out, size_t stride)
{
    go_to(p, 0);
    size_t left = n / 2 * c->groups;
    for (; left >= WIDE; left -= WIDE)
        chain_jobs(WIDE, c, p, form, out, stride, true);
    for (; WIDE > 1 && left; left--)
        chain_jobs(1, c, p, form, out, stride, true);
    left = n % 2 * c->groups;
    for (; left >= WIDE; left -= WIDE)
        chain_jobs(WIDE, c, p, form, out, stride, false);
    for (; WIDE > 1 && left; left--)
        chain_jobs(1, c, p, form, out, stride, false);
}

INLINE void by_chains(const cs_streams *s, cs_key key, size_t n, uint64_t *out,
                      shape form)
{
    chains c;
    place p = {.low_key = key.word[0] + s->step};
    schedule(quad_all(p.low_key, key.word[1]), c.key);
    for (size_t l = 0; l < s->lanes; l += GROUPS * CS_VECTOR) {
        size_t left = (s->lanes - l) / CS_VECTOR;
        c.groups = left < GROUPS ? left : GROUPS;
        take_chains(&c, s->chain + l, key.word[1]);
        chain_rows(&c, &p, n, form, out + l, s->lanes);
    }
}

/* ---- one chain ----------------------------------------------------------- */

/* Eight columns: counters before the number of the block is added, and keys. */
typedef struct columns {
    quad even, odd;
    quad even_key[CS_ARS_ROUNDS + 1], odd_key[CS_ARS_ROUNDS + 1];
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

/* Where the next of several jobs of one chain is, from the one before. */
typedef struct stride {
    size_t columns, blocks, to; /* between jobs */
    size_t second;              /* from the first words to the second ones */
} stride;

INLINE void column_jobs(int wide, const columns *c, size_t block, stride apart,
                        shape form, uint64_t *out, bool second)
{
    jobs t;
    EACH
    {
        const columns *mine = c + (size_t)j * apart.columns;
        quad number = quad_all(block + (size_t)j * apart.blocks, 0);
        t.even_key[j] = mine->even_key;
        t.odd_key[j] = mine->odd_key;
        t.even[j] = turn(both(sum(mine->even, number), mine->even_key[0]),
                         mine->even_key[1]);
        t.odd[j] = turn(both(sum(mine->odd, number), mine->odd_key[0]),
                        mine->odd_key[1]);
        t.to[j] = out + (size_t)j * apart.to;
    }
    finish(wide, &t, form, apart.second, second);
}

/* Writes one word to every lane of a row. */
INLINE void spread(uint64_t *row, size_t lanes, uint64_t word)
{
    if (lanes == 1)
        *row = word;
    for (size_t l = 0; l + 1 < lanes; l += CS_VECTOR)
        *(cs_vu *)(row + l) = cs_vset_u(word);
}

/* The rows of some jobs of one chain, in order: word[job][2][CS_VECTOR]. */
INLINE void in_order(const uint64_t *word, size_t n, size_t lanes,
                     uint64_t *out)
{
    enum { JOB = 2 * CS_VECTOR };
    size_t i = 0;
    for (; lanes == 1 && i + JOB <= n; i += JOB)
        for (size_t k = 0; k < CS_VECTOR; k++) {
            out[i + 2 * k] = word[i + k];
            out[i + 2 * k + 1] = word[i + CS_VECTOR + k];
        }
    for (; i < n; i++)
        spread(out + i * lanes, lanes,
               word[i / JOB * JOB + i % 2 * CS_VECTOR + i % JOB / 2]);
}

/* Many rows: a column is a block. */
INLINE void by_blocks(const cs_streams *s, cs_key key, size_t n, uint64_t *out,
                      shape form)
{
    enum { JOB = 2 * CS_VECTOR, MOST = WIDE * JOB };
    const stride apart = {.blocks = CS_VECTOR, .to = JOB, .second = CS_VECTOR};
    const cs_vu ramp = {0, 1, 2, 3, 4, 5, 6, 7};
    uint64_t word[MOST] __attribute__((aligned(64)));
    columns c = columns_of(ramp, s->chain[0], cs_vset_u(key.word[0] + s->step),
                           key.word[1]);
    for (size_t r = 0; r < n; r += MOST) {
        size_t some = n - r < MOST ? n - r : MOST;
        if (some > JOB)
            column_jobs(WIDE, &c, r / 2, apart, form, word, true);
        else
            column_jobs(1, &c, r / 2, apart, form, word, true);
        in_order(word, some, s->lanes, out + r * s->lanes);
    }
}

/* Few rows, many steps: a column is a step. */
INLINE void by_steps(cs_ahead_slot *slot, shape form)
{
    enum { PARTS = CS_AHEAD_STEPS / CS_VECTOR };
    const stride apart = {
        .columns = 1, .to = CS_VECTOR, .second = CS_AHEAD_STEPS};
    const cs_vu ramp = {0, 1, 2, 3, 4, 5, 6, 7};
    columns c[PARTS];
    for (size_t i = 0; i < PARTS; i++) {
        cs_vu step = ramp + (slot->window * CS_AHEAD_STEPS + i * CS_VECTOR);
        c[i] = columns_of(ramp & 0, slot->chain, slot->key.word[0] + step,
                          slot->key.word[1]);
    }
    for (size_t i = 0; i < PARTS; i += WIDE) {
        uint64_t *out = slot->word[0] + i * CS_VECTOR;
        size_t r = 0;
        for (; r + 1 < slot->rows; r += 2)
            column_jobs(WIDE, c + i, r / 2, apart, form,
                        out + r * CS_AHEAD_STEPS, true);
        if (r < slot->rows)
            column_jobs(WIDE, c + i, r / 2, apart, form,
                        out + r * CS_AHEAD_STEPS, false);
    }
}

/* The slot that has these rows; they are drawn if it has not. */
INLINE const cs_ahead_slot *ahead_of(const cs_streams *s, cs_purpose purpose,
                                     size_t n, shape form)
{
    cs_key key = s->key[purpose];
    uint64_t window = s->step / CS_AHEAD_STEPS, chain = s->chain[0];
    cs_ahead_slot *slot =
        &s->ahead->slot[((unsigned)purpose + form) % CS_AHEAD_SLOTS];
    if (slot->kind == form && slot->window == window && slot->rows >= n &&
        slot->chain == chain && slot->key.word[0] == key.word[0] &&
        slot->key.word[1] == key.word[1])
        return slot;
    slot->window = window;
    slot->chain = chain;
    slot->key = key;
    slot->rows = n;
    slot->kind = form;
    by_steps(slot, form);
    return slot;
}

/* One chain, few rows. */
INLINE void from_ahead(const cs_streams *s, cs_purpose purpose, size_t n,
                       uint64_t *out, shape form)
{
    const cs_ahead_slot *slot = ahead_of(s, purpose, n, form);
    const uint64_t *from = slot->word[0] + s->step % CS_AHEAD_STEPS;
    size_t lanes = s->lanes;
    for (size_t r = 0; lanes == CS_VECTOR && r < n; r++)
        *(cs_vu *)(out + r * CS_VECTOR) = cs_vset_u(from[r * CS_AHEAD_STEPS]);
    for (size_t r = 0; lanes != CS_VECTOR && r < n; r++)
        spread(out + r * lanes, lanes, from[r * CS_AHEAD_STEPS]);
}

INLINE void fill(const cs_streams *s, cs_purpose purpose, size_t n,
                 uint64_t *out, shape form)
{
    cs_key key = s->key[purpose];
    if (s->live != 1)
        by_chains(s, key, n, out, form);
    else if (s->ahead && n <= CS_AHEAD_ROWS)
        from_ahead(s, purpose, n, out, form);
    else
        by_blocks(s, key, n, out, form);
}

static bool runs(void)
{
    return quad_runs();
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
