/* Draws random graphs, with each row of the adjacency matrix stored as a word:
 *
 *     y_ij = 1  if  log u / (1 - u) < theta_1 + theta_2 (d_i + d_j) + theta_3 t
 *
 * where d are the degrees without this edge, and t is the number of common
 * neighbours of i and j. The edge adds d_i + d_j two-stars and t triangles.
 * Both numbers increase when other edges are added; therefore the graph of the
 * certain edges and the graph of the possible edges bound all states. For
 * negative theta the two bounds are exchanged (Butts, "A perfect sampling
 * method for exponential family random graph models", 2018). If theta_2 and
 * theta_3 have opposite signs the bounds are loose, and draws may fail. */
#include "targets/intractable/edge_field.h"

#include "simd/vmath.h"

#include <string.h>

/* Memory: the rows of the vertices, [low, high][vertices][lanes]. */
static size_t words(const void *model)
{
    return 2 * ((const cs_edge_field *)model)->vertices;
}

static size_t rows(const void *model)
{
    return cs_edge_pairs(((const cs_edge_field *)model)->vertices);
}

/* Returns the low graph (high = 0) or the high graph (high = 1),
 * [vertices][lanes]. */
static uint64_t *graph_of(const cs_past_block *b, int high)
{
    size_t n = ((const cs_edge_field *)b->model)->vertices;
    return (uint64_t *)(void *)b->memory + (high ? n * b->lanes : 0);
}

static void begin(const cs_past_block *b)
{
    memset(b->memory, 0, words(b->model) * b->lanes * sizeof *b->memory);
}

static void forget(const cs_past_block *b)
{
    size_t n = ((const cs_edge_field *)b->model)->vertices;
    begin(b);
    for (size_t i = 0; i < n; i++)
        for (size_t l = 0; l < b->lanes; l++)
            graph_of(b, 1)[i * b->lanes + l] =
                UINT64_MAX >> (64 - n) & ~(UINT64_C(1) << i);
}

/* Two-stars and triangles that edge (i, j) adds, for each lane. */
typedef struct adds {
    double star[CS_VECTOR] __attribute__((aligned(64)));
    double triangle[CS_VECTOR] __attribute__((aligned(64)));
} adds;

static void count(const cs_past_block *b, int high, const uint8_t pair[2],
                  size_t first, adds *a)
{
    const uint64_t *g = graph_of(b, high) + first;
    for (size_t l = 0; l < CS_VECTOR; l++) {
        uint64_t i = g[pair[0] * b->lanes + l] & ~(UINT64_C(1) << pair[1]);
        uint64_t j = g[pair[1] * b->lanes + l] & ~(UINT64_C(1) << pair[0]);
        a->star[l] = __builtin_popcountll(i) + __builtin_popcountll(j);
        a->triangle[l] = __builtin_popcountll(i & j);
    }
}

/* Adds theta_p times statistic p to the range of the log odds. The statistic
 * has two values, and so there are two products. The smaller product is added
 * to the lower end of the range, and the larger product to the upper end. */
static void add(const cs_past_block *b, size_t p, size_t first,
                const double *low, const double *high, cs_vd odds[2])
{
    const cs_edge_field *f = b->model;
    if (p >= f->statistics)
        return;
    cs_vd theta = cs_load(b->theta + p * b->lanes + first);
    cs_vd one = theta * cs_load(low), other = theta * cs_load(high);
    odds[0] += cs_vmin(one, other);
    odds[1] += cs_vmax(one, other);
}

static void put(const cs_past_block *b, int high, const uint8_t pair[2],
                size_t l, unsigned joined)
{
    uint64_t *i = graph_of(b, high) + pair[0] * b->lanes + l;
    uint64_t *j = graph_of(b, high) + pair[1] * b->lanes + l;
    *i = (*i & ~(UINT64_C(1) << pair[1])) | (uint64_t)joined << pair[1];
    *j = (*j & ~(UINT64_C(1) << pair[0])) | (uint64_t)joined << pair[0];
}

static void update_pair(const cs_past_block *b, const uint8_t pair[2],
                        const double *numbers)
{
    adds a[2];
    for (size_t l = 0; l < b->lanes; l += CS_VECTOR) {
        cs_vd u = cs_load(numbers + l), edge = cs_load(b->theta + l);
        cs_vd odds[2] = {edge, edge};
        for (int high = 0; high < 2; high++)
            count(b, high, pair, l, &a[high]);
        add(b, 1, l, a[0].star, a[1].star, odds);
        add(b, 2, l, a[0].triangle, a[1].triangle, odds);
        cs_vd own = cs_vlog(u / (1 - u));
        for (int high = 0; high < 2; high++) {
            unsigned joined = cs_vbits(cs_vless(own, odds[high]));
            for (size_t k = 0; k < CS_VECTOR; k++)
                put(b, high, pair, l + k, joined >> k & 1);
        }
    }
}

static void update(const cs_past_block *b, bool back, size_t row, size_t n,
                   const double *u)
{
    const cs_edge_field *f = b->model;
    size_t pairs = rows(f);
    for (size_t k = 0; k < n; k++)
        update_pair(b, f->pair[back ? pairs - 1 - (row + k) : row + k],
                    u + k * b->lanes);
}

static size_t left(const cs_past_block *b, size_t l)
{
    size_t n = ((const cs_edge_field *)b->model)->vertices, twice = 0;
    for (size_t i = 0; i < n; i++) {
        uint64_t differ =
            graph_of(b, 0)[i * b->lanes + l] ^ graph_of(b, 1)[i * b->lanes + l];
        twice += (size_t)__builtin_popcountll(differ);
    }
    return twice / 2;
}

static uint64_t open_lanes(const cs_past_block *b)
{
    uint64_t bits = 0;
    for (size_t l = 0; l < b->live; l++)
        bits |= (uint64_t)(left(b, l) != 0) << l;
    return bits;
}

static void write(const cs_past_block *b, size_t l, double *to, size_t stride)
{
    const cs_edge_field *f = b->model;
    for (size_t e = 0; e < rows(f); e++) {
        uint64_t i = graph_of(b, 0)[f->pair[e][0] * b->lanes + l];
        to[e * stride] = (double)(i >> f->pair[e][1] & 1);
    }
}

static void read(const cs_past_block *b, size_t l, const double *from,
                 size_t stride)
{
    const cs_edge_field *f = b->model;
    for (size_t e = 0; e < rows(f); e++)
        for (int high = 0; high < 2; high++)
            put(b, high, f->pair[e], l, from[e * stride] != 0);
}

const cs_past_type CS_VARIANT(cs_past_edge_field) = {
    .words = words,
    .rows = rows,
    .begin = begin,
    .forget = forget,
    .update = update,
    .open = open_lanes,
    .left = left,
    .write = write,
    .read = read,
};
