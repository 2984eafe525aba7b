/* Constructs quadratic log densities: see targets/discrete/pairwise.h. */
#include "base/memory.h"
#include "targets/discrete/pairwise.h"
#include "targets/discrete/site_resample.h"

#include <assert.h>
#include <math.h>

/* Largest number of vertices of a graph that can be displayed. */
enum { SEEN = 150 };

static void count_neighbours(cs_pairwise *p, const cs_edges *e)
{
    for (size_t k = 0; k < e->n; k++) {
        if (e->edge[k].i == e->edge[k].j)
            continue;
        p->start[e->edge[k].i + 1]++;
        p->start[e->edge[k].j + 1]++;
    }
    for (size_t i = 0; i < p->dim; i++)
        p->start[i + 1] += p->start[i];
}

static void join(cs_pairwise *p, size_t *next, uint32_t i, uint32_t j, double w)
{
    p->other[next[i]] = j;
    p->weight[next[i]++] = w;
}

/* Fills the lists of neighbours. The edges are sorted, so that each list of
 * neighbours is in ascending order. */
static void fill(cs_pairwise *p, size_t *next, const cs_edges *e)
{
    for (size_t i = 0; i < p->dim; i++)
        next[i] = p->start[i];
    for (size_t k = 0; k < e->n; k++) {
        cs_edge edge = e->edge[k];
        if (edge.i == edge.j) {
            p->linear[edge.i] += edge.w;
            continue;
        }
        join(p, next, edge.i, edge.j, edge.w);
        join(p, next, edge.j, edge.i, edge.w);
    }
}

/* Computes the field of each site: b_i plus half of each w_ij. The fields are
 * the part of log p that the bonds do not contain. If the distribution is
 * symmetric under a flip of all bits, all fields are 0 up to rounding. */
static void fill_field(cs_pairwise *p)
{
    bool any = false;
    for (size_t i = 0; i < p->dim; i++) {
        double sum = p->linear[i], size = fabs(sum);
        for (size_t k = p->start[i]; k < p->start[i + 1]; k++) {
            sum += 0.5 * p->weight[k];
            size += 0.5 * fabs(p->weight[k]);
        }
        p->field[2 * i + 1] = fabs(sum) > 1e-12 * size ? sum : 0;
        any |= p->field[2 * i + 1] != 0;
    }
    if (any)
        return;
    cs_free(p->field);
    p->field = NULL;
}

cs_status cs_pairwise_make(cs_pairwise *p, const cs_edges *e, cs_error *err)
{
    assert(p && e && e->vertices);
    *p = (cs_pairwise){.dim = e->vertices};
    p->linear = cs_alloc(p->dim, sizeof *p->linear);
    p->start = cs_alloc(p->dim + 1, sizeof *p->start);
    p->field = cs_alloc(2 * p->dim, sizeof *p->field);
    size_t *next = cs_alloc(p->dim, sizeof *next);
    p->edge = cs_alloc(2 * 3 * SEEN, sizeof *p->edge);
    if (p->linear && p->start && p->field && next) {
        count_neighbours(p, e);
        p->other = cs_alloc(p->start[p->dim], sizeof *p->other);
        p->weight = cs_alloc(p->start[p->dim], sizeof *p->weight);
    }
    bool whole = p->other && p->weight && p->edge;
    if (whole) {
        fill(p, next, e);
        fill_field(p);
    }
    cs_free(next);
    if (whole)
        return CS_OK;
    cs_pairwise_free(p);
    return cs_fail(err, CS_MEMORY, "out of memory for %zu sites", e->vertices);
}

void cs_pairwise_free(cs_pairwise *p)
{
    CS_FREE_ALL(p->linear, p->start, p->other, p->weight, p->field, p->edge);
    cs_neighbour_sums_free(&p->sums);
    *p = (cs_pairwise){0};
}

double cs_pairwise_chance(double sum, double linear, double least, double most,
                          const void *self)
{
    (void)least;
    (void)most;
    (void)self;
    return 1 / (1 + exp(-(linear + sum)));
}

cs_status cs_pairwise_sum(cs_pairwise *p, cs_neighbour_sums_value *value,
                          const void *self, cs_error *err)
{
    const cs_neighbour_sums_of of = {.dim = p->dim,
                                     .start = p->start,
                                     .weight = p->weight,
                                     .linear = p->linear};
    return cs_neighbour_sums_make(&p->sums, &of, value, self, err);
}

/* Lists every pair of neighbours once. Returns the number of pairs, or 0 if
 * there are too many to display. */
static size_t list_edges(const cs_pairwise *p)
{
    size_t n = p->dim > SEEN ? 0 : p->start[p->dim] / 2, k = 0;
    if (n > 3 * p->dim)
        return 0;
    for (uint32_t i = 0; n && i < p->dim; i++)
        for (size_t at = p->start[i]; at < p->start[i + 1]; at++)
            if (p->other[at] > i) {
                p->edge[2 * k] = i;
                p->edge[2 * k++ + 1] = p->other[at];
            }
    return k;
}

void cs_pairwise_set_hooks(const cs_pairwise *p, cs_target *t)
{
    assert(p->dim && t->self);
    t->space = (cs_space){.kind = CS_BINARY, .dim = p->dim, .values = 2};
    t->cache_words = p->dim;
    t->resample_words = cs_resample_words(p->dim);
    t->n_bonds = p->start[p->dim] / 2;
    t->field = p->field;
    t->exact = (cs_exact){.log_z = NAN, .view = {-0.5, 1.5, -0.5, 1.5}};
    size_t edges = list_edges(p);
    if (edges)
        t->picture = (cs_picture){.kind = CS_PICTURE_GRAPH,
                                  .places = p->dim,
                                  .edge = p->edge,
                                  .edges = edges};
}

void cs_pairwise_destroy(cs_target *t)
{
    cs_pairwise_free(t->self);
}

cs_status cs_pairwise_create(cs_target *t, cs_pairwise_edges *edges,
                             const cs_value *values, cs_error *err)
{
    cs_edges e = {0};
    cs_pairwise *p = t->self;
    cs_status s = edges(values, &e, err);
    if (!s)
        s = cs_pairwise_make(p, &e, err);
    cs_edges_free(&e);
    if (!s)
        s = cs_pairwise_sum(p, cs_pairwise_chance, NULL, err);
    if (!s)
        cs_pairwise_set_hooks(p, t);
    return s;
}
