/* Draws Potts models by the sets of colours that each site may have.
 *
 * An update proposes a colour c with probability g_c ~ exp(theta_2 [c = 0]) and
 * accepts it with probability
 *
 *     a_c = exp(theta_1 n_c - max(theta_1, 0) d),
 *
 * where d is the number of the site's neighbours, and n_c the number of
 * neighbours with colour c. If c is rejected, the site keeps its colour. This
 * leaves the conditional distribution of the site, ~ g_c exp(theta_1 n_c),
 * invariant, and is reversible. If each site has a set of colours, n_c is
 * between the number of neighbours that can only have c and the number that may
 * have c. A colour accepted at both ends of this range becomes the only colour
 * of the site; a colour accepted at one end joins the set. This follows Huber
 * ("Perfect sampling using bounding chains", 2004), but Huber proposes colours
 * until one is certainly accepted, which needs an unbounded number of uniforms.
 *
 * A single uniform decides both steps: (0, 1) is divided into intervals of
 * lengths g_c. The interval that contains the uniform gives the proposal c. The
 * proposal is accepted if the uniform is in the first part of the interval,
 * which is the fraction a_c of its length. */
#include "targets/intractable/potts_field.h"

#include "targets/intractable/planes.h"

#include <string.h>

/* Returns the number of words of a site. There is one word per colour for the
 * site's set. One more word marks the lanes whose set has a single colour. */
static size_t site_words(const cs_potts_field *f)
{
    return f->colours + 1;
}

static size_t set_words(const cs_potts_field *f)
{
    return cs_rows_for(f->graph->sites * site_words(f));
}

/* Returns the size of the memory in words. The memory holds the sets, and the
 * ends of the intervals, [colours][lanes]. For each kind of site and each
 * colour, it also holds the ends of the accepted parts, [degree + 1][lanes]. */
static size_t words(const void *model)
{
    const cs_potts_field *f = model;
    size_t n = set_words(f) + f->colours;
    for (size_t k = 0; k < f->graph->kinds; k++)
        n += f->colours * (f->graph->degree[k] + 1);
    return n;
}

static size_t rows(const void *model)
{
    return ((const cs_potts_field *)model)->graph->sites;
}

static uint64_t *sets_of(const cs_past_block *b)
{
    return (uint64_t *)(void *)b->memory;
}

static double *ends_of(const cs_past_block *b)
{
    return b->memory + set_words(b->model) * b->lanes;
}

/* For each kind of site, sets table[kind] to the start of its table. */
static void find_tables(const cs_past_block *b, double **table)
{
    const cs_potts_field *f = b->model;
    double *at = ends_of(b) + f->colours * b->lanes;
    for (size_t k = 0; k < f->graph->kinds; k++) {
        table[k] = at;
        at += f->colours * (f->graph->degree[k] + 1) * b->lanes;
    }
}

/* Computes the interval of colour c for eight lanes, starting at lane l. Sets
 * *first to the start of the interval and *wide to its length. */
static void interval(const cs_past_block *b, size_t l, size_t c, cs_vd *first,
                     cs_vd *wide)
{
    const cs_potts_field *f = b->model;
    cs_vd field = cs_vset(0);
    if (f->field)
        field = cs_load(b->theta + b->lanes + l);
    /* Divides by the larger of exp field and 1, so that no exponential
     * overflows. */
    cs_vd top = cs_vmax(field, cs_vset(0));
    cs_vd pulled = cs_vexp(field - top), other = cs_vexp(-top);
    cs_vd sum = pulled + (double)(f->colours - 1) * other;
    *wide = pulled / sum;
    *first = cs_vset(0);
    if (c == 0)
        return;
    *wide = other / sum;
    *first = (pulled + (double)(c - 1) * other) / sum;
}

static void fill_table(const cs_past_block *b, double *to, size_t d, size_t c)
{
    for (size_t l = 0; l < b->lanes; l += CS_VECTOR) {
        cs_vd first, wide, pair = cs_load(b->theta + l);
        interval(b, l, c, &first, &wide);
        cs_vd most = cs_vmax(pair, cs_vset(0)) * (double)d;
        for (size_t n = 0; n <= d; n++)
            cs_store(to + n * b->lanes + l,
                     first + wide * cs_vexp(pair * (double)n - most));
    }
}

static void begin(const cs_past_block *b)
{
    const cs_potts_field *f = b->model;
    double *table[CS_GRAPH_NEIGHBOURS + 1];
    find_tables(b, table);
    for (size_t c = 0; c < f->colours; c++) {
        for (size_t l = 0; l < b->lanes; l += CS_VECTOR) {
            cs_vd first, wide;
            interval(b, l, c, &first, &wide);
            if (c + 1 == f->colours)
                wide = 1 - first;
            cs_store(ends_of(b) + c * b->lanes + l, first + wide);
        }
        for (size_t k = 0; k < f->graph->kinds; k++) {
            size_t d = f->graph->degree[k];
            fill_table(b, table[k] + c * (d + 1) * b->lanes, d, c);
        }
    }
}

static void forget(const cs_past_block *b)
{
    const cs_potts_field *f = b->model;
    uint64_t *set = sets_of(b);
    memset(set, 0xff, rows(f) * site_words(f) * sizeof *set);
    for (size_t i = 0; i < rows(f); i++)
        set[i * site_words(f) + f->colours] = f->colours > 1 ? 0 : UINT64_MAX;
}

/* Returns two masks for colour c, proposed at site i: whether c is certainly
 * accepted, and whether c is possibly accepted. */
static cs_planes taken(const cs_past_block *b, size_t i, size_t c,
                       const double *u, const double *table)
{
    const cs_potts_field *f = b->model;
    const uint64_t *set = sets_of(b);
    const uint32_t *other = f->graph->other + f->graph->start[i];
    size_t n = f->graph->start[i + 1] - f->graph->start[i];
    cs_plane_count count;
    cs_planes below[CS_GRAPH_NEIGHBOURS + 1];
    memset(&count, 0, sizeof count);
    for (size_t k = 0; k < n; k++) {
        const uint64_t *at = set + other[k] * site_words(f);
        cs_plane_count_add(&count, k + 1,
                           (cs_planes){at[c] & at[f->colours], at[c]});
    }
    for (size_t k = 0; k <= n; k++)
        below[k] = cs_planes_of(
            cs_lanes_below(u, table + (c * (n + 1) + k) * b->lanes, b->lanes));
    return cs_planes_sorted(cs_plane_count_choose(&count, n, below));
}

static void update_site(const cs_past_block *b, size_t i, const double *u,
                        const double *table)
{
    const cs_potts_field *f = b->model;
    uint64_t *set = sets_of(b) + i * site_words(f), sure = 0, joined = 0;
    uint64_t possible[CS_POTTS_COLOURS], before = 0;
    for (size_t c = 0; c < f->colours; c++) {
        uint64_t up_to = cs_lanes_below(u, ends_of(b) + c * b->lanes, b->lanes);
        cs_planes t = taken(b, i, c, u, table) & cs_planes_of(up_to & ~before);
        before = up_to;
        sure |= t[0];
        possible[c] = t[1];
        joined |= t[1] & ~set[c];
    }
    for (size_t c = 0; c < f->colours; c++)
        set[c] = (set[c] & ~sure) | possible[c];
    set[f->colours] = (set[f->colours] & ~joined) | sure;
}

static void update(const cs_past_block *b, bool back, size_t row, size_t n,
                   const double *u)
{
    const cs_site_graph *g = ((const cs_potts_field *)b->model)->graph;
    double *table[CS_GRAPH_NEIGHBOURS + 1];
    find_tables(b, table);
    for (size_t k = 0; k < n; k++) {
        size_t i = back ? g->sites - 1 - (row + k) : row + k;
        update_site(b, i, u + k * b->lanes, table[g->kind[i]]);
    }
}

static uint64_t open_lanes(const cs_past_block *b)
{
    const cs_potts_field *f = b->model;
    uint64_t one = UINT64_MAX;
    for (size_t i = 0; i < rows(f); i++)
        one &= sets_of(b)[i * site_words(f) + f->colours];
    return ~one & cs_lane_bits(b->live);
}

static size_t left(const cs_past_block *b, size_t l)
{
    const cs_potts_field *f = b->model;
    size_t n = 0;
    for (size_t i = 0; i < rows(f); i++)
        n += ~sets_of(b)[i * site_words(f) + f->colours] >> l & 1;
    return n;
}

static void write(const cs_past_block *b, size_t l, double *to, size_t stride)
{
    const cs_potts_field *f = b->model;
    for (size_t i = 0; i < rows(f); i++) {
        const uint64_t *set = sets_of(b) + i * site_words(f);
        for (size_t c = 0; c < f->colours; c++)
            if (set[c] >> l & 1)
                to[i * stride] = (double)c;
    }
}

const cs_past_type CS_VARIANT(cs_past_colour_sets) = {
    .words = words,
    .rows = rows,
    .begin = begin,
    .forget = forget,
    .update = update,
    .open = open_lanes,
    .left = left,
    .write = write,
};
