/* Bulk fills of uniforms and normals: compiled for each instruction set.
 *
 * Threefry2x64-13 (see stream.h) on eight lanes a vector and four vectors at
 * a time, so that the latency of one hides behind the others. The blocks that
 * a fill needs form a grid, index x group of eight lanes, walked row by row.
 * A single live chain would waste seven lanes of eight: then the eight lanes
 * of a vector are eight successive blocks of that chain, and what comes out
 * is spread over the row. Both orders give the same bits. */
#include "rng/fill.h"

#include "base/vmath.h"

#include <string.h>

enum { WIDE = 4 };

/* Four vectors of blocks on their way through the rounds. */
typedef struct blocks {
    cs_vu a[WIDE], b[WIDE];
} blocks;

#define EACH for (int j = 0; j < WIDE; j++)
#define INLINE static inline __attribute__((always_inline))

/* One round: add, rotate, mix. */
INLINE void turn(blocks *t, int r)
{
#pragma GCC unroll 4
    EACH
    {
        t->a[j] += t->b[j];
        t->b[j] = (t->b[j] << r | t->b[j] >> (64 - r)) ^ t->a[j];
    }
}

INLINE void four(blocks *t, int r0, int r1, int r2, int r3)
{
    turn(t, r0);
    turn(t, r1);
    turn(t, r2);
    turn(t, r3);
}

/* The key words that follow four rounds, and the number of the addition. */
INLINE void add_key(blocks *t, const cs_vu p[WIDE], const cs_vu q[WIDE],
                    uint64_t number)
{
#pragma GCC unroll 4
    EACH
    {
        t->a[j] += p[j];
        t->b[j] += q[j] + number;
    }
}

/* The thirteen rounds. On entry b holds the second key word and `count` the
 * second counter word of each block. */
INLINE void threefry(uint64_t seed, uint64_t step, const cs_vu count[WIDE],
                     blocks *t)
{
    cs_vu k0[WIDE], k1[WIDE], k2[WIDE];
#pragma GCC unroll 4
    EACH
    {
        k0[j] = cs_vset_u(seed);
        k1[j] = t->b[j];
        k2[j] = t->b[j] ^ (seed ^ 0x1bd11bdaa9fc1a22u);
        t->a[j] = k0[j] + step;
        t->b[j] += count[j];
    }
    four(t, 16, 42, 12, 31);
    add_key(t, k1, k2, 1);
    four(t, 16, 32, 24, 21);
    add_key(t, k2, k0, 2);
    four(t, 16, 42, 12, 31);
    add_key(t, k0, k1, 3);
    turn(t, 16);
}

/* What becomes of the two words of a block, in place. */
typedef void (*shape)(cs_vu *a, cs_vu *b);

static inline void as_words(cs_vu *a, cs_vu *b)
{
    (void)a;
    (void)b;
}

/* (k + 1/2) 2^-52 for the upper 52 bits k: exact, never 0 or 1. */
static inline cs_vd unit(cs_vu word)
{
    return (cs_vd)((word >> 12) | 0x3ff0000000000000u) - (1.0 - 0x1p-53);
}

static inline void as_uniforms(cs_vu *a, cs_vu *b)
{
    *a = (cs_vu)unit(*a);
    *b = (cs_vu)unit(*b);
}

static inline void as_logs(cs_vu *a, cs_vu *b)
{
    *a = (cs_vu)cs_vlog_normal(unit(*a));
    *b = (cs_vu)cs_vlog_normal(unit(*b));
}

/* sqrt(-2 log u): the logarithm without care for its last bits. */
static inline cs_vd radius(cs_vd u)
{
    cs_vd f, k = cs_vm_log_split(u, &f), s = f / (2.0 + f);
    cs_vd log_u =
        k * 6.93147180559945309417e-01 + s * (2.0 + cs_vm_log_series(s * s));
    return cs_vsqrt(-2.0 * log_u);
}

/* Box and Muller, "A note on the generation of random normal deviates"
 * (1958), equation (1). The angle is a quarter turn times the two lowest bits
 * of the second word plus its upper 52 bits, a fraction in [-1/2, 1/2). */
static inline void as_normals(cs_vu *a, cs_vu *b)
{
    cs_vd sine, cosine, r = radius(unit(*a));
    cs_vd part = (cs_vd)((*b >> 12) | 0x3ff0000000000000u) - 1.5;
    cs_vm_circle(part * 1.57079632679489661923, *b, &sine, &cosine);
    *a = (cs_vu)(r * cosine);
    *b = (cs_vu)(r * sine);
}

/* Across lanes: block i of group g goes to rows 2i and 2i + 1. */
INLINE void across_lanes(const cs_streams *s, uint64_t tag, size_t n,
                         uint64_t *out, shape make)
{
    size_t groups = s->lanes / CS_VECTOR, total = (n + 1) / 2 * groups;
    size_t i = 0, g = 0;
    for (size_t done = 0; done < total; done += WIDE) {
        size_t row[WIDE], group[WIDE];
        cs_vu count[WIDE];
        blocks t;
        EACH
        {
            row[j] = 2 * i;
            group[j] = g * CS_VECTOR;
            count[j] = cs_vset_u(tag | i);
            memcpy(&t.b[j], s->chain + group[j], sizeof t.b[j]);
            if (done + (size_t)j + 1 < total && ++g == groups) {
                g = 0;
                i++;
            }
        }
        threefry(s->seed, s->step, count, &t);
#pragma GCC unroll 4
        EACH
        {
            if (done + (size_t)j >= total)
                break;
            make(&t.a[j], &t.b[j]);
            *(cs_vu *)(out + row[j] * s->lanes + group[j]) = t.a[j];
            if (row[j] + 1 < n)
                *(cs_vu *)(out + (row[j] + 1) * s->lanes + group[j]) = t.b[j];
        }
    }
}

/* Writes one word to every lane of a row. */
static inline void spread(uint64_t *row, size_t lanes, uint64_t word)
{
    for (size_t l = 0; l < lanes; l += CS_VECTOR)
        *(cs_vu *)(row + l) = cs_vset_u(word);
}

/* Across the index: lane k of vector j is block i + 8 j + k of the chain. */
INLINE void across_index(const cs_streams *s, uint64_t tag, size_t n,
                         uint64_t *out, shape make)
{
    const cs_vu ramp = {0, 1, 2, 3, 4, 5, 6, 7};
    for (size_t i = 0; 2 * i < n; i += WIDE * CS_VECTOR) {
        union {
            cs_vu v[2][WIDE];
            uint64_t word[2][WIDE * CS_VECTOR];
        } got;
        cs_vu count[WIDE];
        blocks t;
        EACH
        {
            count[j] = ramp + (tag | (i + (size_t)j * CS_VECTOR));
            t.b[j] = cs_vset_u(s->chain[0]);
        }
        threefry(s->seed, s->step, count, &t);
#pragma GCC unroll 4
        EACH
        {
            if (2 * (i + (size_t)j * CS_VECTOR) < n)
                make(&t.a[j], &t.b[j]);
            got.v[0][j] = t.a[j];
            got.v[1][j] = t.b[j];
        }
        size_t rows = n - 2 * i;
        if (rows > 2 * WIDE * CS_VECTOR)
            rows = 2 * WIDE * CS_VECTOR;
        for (size_t r = 0; r < rows; r++)
            spread(out + (2 * i + r) * s->lanes, s->lanes,
                   got.word[r & 1][r >> 1]);
    }
}

INLINE void fill(const cs_streams *s, cs_purpose purpose, size_t n,
                 uint64_t *out, shape make)
{
    uint64_t tag = (uint64_t)purpose << 48;
    if (s->live == 1)
        across_index(s, tag, n, out, make);
    else
        across_lanes(s, tag, n, out, make);
}

static void words(const cs_streams *s, cs_purpose purpose, size_t n,
                  uint64_t *out)
{
    fill(s, purpose, n, out, as_words);
}

static void uniform(const cs_streams *s, cs_purpose purpose, size_t n,
                    double *out)
{
    fill(s, purpose, n, (uint64_t *)out, as_uniforms);
}

static void normal(const cs_streams *s, cs_purpose purpose, size_t n,
                   double *out)
{
    fill(s, purpose, n, (uint64_t *)out, as_normals);
}

static void log_uniform(const cs_streams *s, cs_purpose purpose, size_t n,
                        double *out)
{
    fill(s, purpose, n, (uint64_t *)out, as_logs);
}

const cs_fill_ops CS_VARIANT(cs_fill) = {
    .words = words,
    .uniform = uniform,
    .normal = normal,
    .log_uniform = log_uniform,
};
