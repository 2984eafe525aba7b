/* The small targets with bonds, which small.h declares. Only small.c includes
 * this file. */
#pragma once

#include "rng/stream.h"
#include "support/small.h"
#include "support/small_make.h"

#include <math.h>
#include <string.h>

const small_bond small_spin_bonds[] = {
    {0, 1, 0.9}, {1, 2, -0.7}, {2, 3, 0.6}, {0, 2, 0.5}, {0, 3, -0.4}};
const small_bond small_colour_bonds[] = {{0, 1, 0.8}, {1, 2, -0.6}};
const double small_colour_field[3][3] = {
    {0.5, 0, -0.3}, {0, 0.4, 0.2}, {-0.2, 0, 0.7}};

static double spins(const double *x, double *g)
{
    double logp = 0;
    memset(g, 0, 4 * sizeof *g);
    for (int k = 0; k < SMALL_SPIN_BONDS; k++) {
        small_bond b = small_spin_bonds[k];
        double s = 2 * x[b.i] - 1, t = 2 * x[b.j] - 1;
        logp += 0.5 * b.strength * (1 + s * t);
        g[b.i] += b.strength * t;
        g[b.j] += b.strength * s;
    }
    return logp;
}

/* Returns log p for three colours. For the values 0, 1 and 2, [x = y] is
 * written as a polynomial in the difference x - y. */
static double colours(const double *x, double *g)
{
    double logp = 0;
    memset(g, 0, 3 * sizeof *g);
    for (int k = 0; k < SMALL_COLOUR_BONDS; k++) {
        small_bond b = small_colour_bonds[k];
        double d = x[b.i] - x[b.j], slope = d * d * d - 2.5 * d;
        logp += b.strength * (1 - 1.25 * d * d + 0.25 * d * d * d * d);
        g[b.i] += b.strength * slope;
        g[b.j] -= b.strength * slope;
    }
    for (int i = 0; i < 3; i++) { /* parabola through three values */
        const double *f = small_colour_field[i];
        double bend = 0.5 * f[2] - f[1] + 0.5 * f[0];
        double rise = f[1] - f[0] - bend;
        logp += f[0] + rise * x[i] + bend * x[i] * x[i];
        g[i] += rise + 2 * bend * x[i];
    }
    return logp;
}

/* The bonds as adjacency lists. */
typedef struct small_graph {
    size_t start[SMALL_DIM + 1];
    uint32_t other[16];
    double strength[16];
} small_graph;

static small_graph spins_graph, colours_graph;

static void small_bind(small_graph *s, const small_bond *b, int n, int dim)
{
    size_t at = 0;
    for (int i = 0; i < dim; i++) {
        s->start[i] = at;
        for (int k = 0; k < n; k++)
            if (b[k].i == i || b[k].j == i) {
                s->other[at] = (uint32_t)(b[k].i + b[k].j - i);
                s->strength[at++] = 2 * b[k].strength;
            }
    }
    s->start[dim] = at;
}

enum { SMALL_TIMES = 4 };

static cs_site_bonds small_bonds(const small_graph *s, size_t site)
{
    size_t first = s->start[site];
    return (cs_site_bonds){s->start[site + 1] - first, s->other + first,
                           s->strength + first, 0.5};
}

static void small_dress(cs_target *t, const small_graph *s)
{
    t->n_bonds = s->start[t->space.dim] / 2;
    t->resample_words = SMALL_TIMES * t->space.dim;
}

static cs_status spins_create(cs_target *t, const cs_value *v, cs_error *err)
{
    small_graph *graph = &spins_graph;
    (void)v, (void)err;
    t->space = (cs_space){.kind = CS_BINARY, .dim = 4, .values = 2};
    small_bind(graph, small_spin_bonds, SMALL_SPIN_BONDS, 4);
    small_dress(t, graph);
    return CS_OK;
}

static cs_status colours_create(cs_target *t, const cs_value *v, cs_error *err)
{
    small_graph *graph = &colours_graph;
    (void)v, (void)err;
    t->space = (cs_space){.kind = CS_CATEGORICAL, .dim = 3, .values = 3};
    small_bind(graph, small_colour_bonds, SMALL_COLOUR_BONDS, 3);
    t->field = small_colour_field[0];
    small_dress(t, graph);
    return CS_OK;
}

/* Redraws one site of a state from its conditional distribution. */
static void small_redraw(const cs_target *t, small_density *f, size_t site,
                         double uniform, double *x)
{
    double g[SMALL_DIM], weight[SMALL_DIM], sum = 0;
    for (int v = 0; v < t->space.values; v++) {
        x[site] = v;
        sum += weight[v] = exp(f(x, g));
    }
    int v = 0;
    for (double left = uniform * sum; v + 1 < t->space.values; v++) {
        if (left < weight[v])
            break;
        left -= weight[v];
    }
    x[site] = v;
}

static void small_resample(const cs_target *t, const cs_point *at,
                           const cs_streams *s, size_t times, double *x,
                           bool *moved, small_density *f)
{
    size_t dim = t->space.dim, n = times * dim;
    cs_fill_uniform(s, CS_FOR_PROPOSAL, n, at->scratch);
    for (size_t l = 0; l < at->lanes; l++) {
        double one[SMALL_DIM];
        for (size_t i = 0; i < dim; i++)
            one[i] = x[i * at->lanes + l];
        for (size_t k = 0; k < n; k++)
            small_redraw(t, f, k % dim, at->scratch[k * at->lanes + l], one);
        moved[l] = false;
        for (size_t i = 0; i < dim; i++) {
            moved[l] |= x[i * at->lanes + l] != one[i];
            x[i * at->lanes + l] = one[i];
        }
    }
}

#define SMALL_GRAPH(which)                                                     \
    static void which##_log_density(const cs_target *t, const cs_point *at,    \
                                    double *logp)                              \
    {                                                                          \
        small_each_lane(t, at, logp, NULL, which);                             \
    }                                                                          \
    static void which##_gradient(const cs_target *t, const cs_point *at,       \
                                 double *logp, double *g)                      \
    {                                                                          \
        small_each_lane(t, at, logp, g, which);                                \
    }                                                                          \
    static void which##_resample(const cs_target *t, const cs_point *at,       \
                                 const cs_streams *s, size_t times, double *x, \
                                 bool *moved)                                  \
    {                                                                          \
        small_resample(t, at, s, times, x, moved, which);                      \
    }                                                                          \
    static cs_site_bonds which##_bonds(const cs_target *t, size_t site)        \
    {                                                                          \
        (void)t;                                                               \
        return small_bonds(&which##_graph, site);                              \
    }                                                                          \
    const cs_target_type small_##which = {.name = "small_" #which,             \
                                          .title = "small " #which,            \
                                          .create = which##_create,            \
                                          .destroy = small_destroy,            \
                                          .log_density = which##_log_density,  \
                                          .gradient = which##_gradient,        \
                                          .sites.resample = which##_resample,  \
                                          .sites.bonds = which##_bonds}

SMALL_GRAPH(spins);
SMALL_GRAPH(colours);
