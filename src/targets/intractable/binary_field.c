/* Bits on a graph, for 64 chains at once:
 *
 *     y_i = 1  if  u < p_n,   log p_n / (1 - p_n) = theta_1 n + theta_2
 *         (for spins 2 theta_1 (2 n - d) + 2 theta_2, d: number of neighbours)
 *
 * Random numbers are compared with the probabilities lane by lane. Binary
 * adders compute n, the number of neighbours that are 1, for the low and the
 * high state together; n selects one of the comparisons. See binary_field.h. */
#include "targets/intractable/binary_field.h"

#include "targets/intractable/planes.h"

#include <string.h>

/* Returns the number of words per lane that the planes take. The memory starts
 * with the planes of the sites. The probabilities of each kind of site follow,
 * [degree + 1][lanes]. */
static size_t plane_words(const cs_binary_field *f)
{
    return cs_rows_for(f->graph->sites * sizeof(cs_planes) / sizeof(double));
}

static size_t words(const void *model)
{
    const cs_binary_field *f = model;
    size_t n = plane_words(f);
    for (size_t k = 0; k < f->graph->kinds; k++)
        n += f->graph->degree[k] + 1;
    return n;
}

static size_t rows(const void *model)
{
    return ((const cs_binary_field *)model)->graph->sites;
}

static cs_planes *planes_of(const cs_past_block *b)
{
    return (cs_planes *)(void *)b->memory;
}

/* Returns the memory for the probabilities of all kinds of sites. */
static double *chances_of(const cs_past_block *b)
{
    return b->memory + plane_words(b->model) * b->lanes;
}

static void begin(const cs_past_block *b)
{
    const cs_binary_field *f = b->model;
    double *to = chances_of(b);
    for (size_t k = 0; k < f->graph->kinds; k++) {
        double d = (double)f->graph->degree[k];
        for (double n = 0; n <= d; n++, to += b->lanes)
            for (size_t l = 0; l < b->lanes; l += CS_VECTOR) {
                cs_vd pair = cs_load(b->theta + l), field = cs_vset(0);
                if (f->field)
                    field = cs_load(b->theta + b->lanes + l);
                cs_vd logit = f->spins ? 2 * (pair * (2 * n - d) + field)
                                       : pair * n + field;
                cs_store(to + l, cs_vsigmoid(logit));
            }
    }
}

static void forget(const cs_past_block *b)
{
    cs_planes *y = planes_of(b);
    for (size_t i = 0; i < rows(b->model); i++)
        y[i] = (cs_planes){0, UINT64_MAX};
}

/* Returns the planes of a site after an update of this site. The n neighbours
 * of the site are other[n]. */
CS_PLANES_INLINE cs_planes next(const cs_planes *y, const uint32_t *other,
                                size_t n, const double *u, const double *chance,
                                size_t lanes)
{
    cs_plane_count c;
    cs_planes below[CS_GRAPH_NEIGHBOURS + 1];
    memset(&c, 0, sizeof c);
    for (size_t k = 0; k < n; k++)
        cs_plane_count_add(&c, k + 1, y[other[k]]);
    for (size_t k = 0; k <= n; k++)
        below[k] = cs_planes_of(cs_lanes_below(u, chance + k * lanes, lanes));
    return cs_planes_sorted(cs_plane_count_choose(&c, n, below));
}

/* Does the work of `next`, with a loop that is specialised for the sites of a
 * grid that have four neighbours. */
CS_PLANES_INLINE cs_planes next_of(const cs_planes *y, const uint32_t *other,
                                   size_t n, const double *u,
                                   const double *chance, size_t lanes)
{
    if (n == 4)
        return next(y, other, 4, u, chance, lanes);
    return next(y, other, n, u, chance, lanes);
}

/* For each kind of site, sets chance[kind] to the start of its table of
 * probabilities. */
static void find_chances(const cs_past_block *b, const double **chance)
{
    const cs_site_graph *g = ((const cs_binary_field *)b->model)->graph;
    const double *at = chances_of(b);
    for (size_t k = 0; k < g->kinds; k++) {
        chance[k] = at;
        at += (g->degree[k] + 1) * b->lanes;
    }
}

CS_PLANES_INLINE void update_lanes(const cs_past_block *b, bool back,
                                   size_t row, size_t n, const double *u,
                                   size_t lanes)
{
    const cs_site_graph *g = ((const cs_binary_field *)b->model)->graph;
    const double *chance[CS_GRAPH_NEIGHBOURS + 1];
    cs_planes *y = planes_of(b);
    find_chances(b, chance);
    for (size_t k = 0; k < n; k++, u += lanes) {
        size_t i = back ? g->sites - 1 - (row + k) : row + k;
        y[i] = next_of(y, g->other + g->start[i], g->start[i + 1] - g->start[i],
                       u, chance[g->kind[i]], lanes);
    }
}

static void update(const cs_past_block *b, bool back, size_t row, size_t n,
                   const double *u)
{
    if (b->lanes == CS_VECTOR)
        update_lanes(b, back, row, n, u, CS_VECTOR);
    else if (b->lanes == CS_PAD)
        update_lanes(b, back, row, n, u, CS_PAD);
    else
        update_lanes(b, back, row, n, u, b->lanes);
}

static uint64_t open_lanes(const cs_past_block *b)
{
    const cs_planes *y = planes_of(b);
    uint64_t bits = 0;
    for (size_t i = 0; i < rows(b->model); i++)
        bits |= y[i][0] ^ y[i][1];
    return bits & cs_lane_bits(b->live);
}

static size_t left(const cs_past_block *b, size_t l)
{
    const cs_planes *y = planes_of(b);
    size_t n = 0;
    for (size_t i = 0; i < rows(b->model); i++)
        n += (y[i][0] ^ y[i][1]) >> l & 1;
    return n;
}

static void mark(const cs_past_block *b, size_t l, double *open)
{
    const cs_planes *y = planes_of(b);
    for (size_t i = 0; i < rows(b->model); i++)
        open[i] = (double)((y[i][0] ^ y[i][1]) >> l & 1);
}

static void write(const cs_past_block *b, size_t l, double *to, size_t stride)
{
    const cs_planes *y = planes_of(b);
    for (size_t i = 0; i < rows(b->model); i++)
        to[i * stride] = (double)(y[i][0] >> l & 1);
}

static void read(const cs_past_block *b, size_t l, const double *from,
                 size_t stride)
{
    cs_planes *y = planes_of(b);
    uint64_t bit = UINT64_C(1) << l;
    for (size_t i = 0; i < rows(b->model); i++) {
        y[i] &= cs_planes_of(~bit);
        y[i] |= cs_planes_of(from[i * stride] != 0 ? bit : 0);
    }
}

const cs_past_type CS_VARIANT(cs_past_binary_field) = {
    .words = words,
    .rows = rows,
    .begin = begin,
    .forget = forget,
    .update = update,
    .open = open_lanes,
    .left = left,
    .mark = mark,
    .write = write,
    .read = read,
};
