#include "support/clusters.h"

#include "support/small_make.h"

#include <math.h>
#include <string.h>

typedef struct graph {
    const points *p;
    const small_bond *bond;
    int bonds, dim, values;
    const double (*field)[3]; /* NULL: no field */
} graph;

static bool graph_of(const points *p, graph *g)
{
    bool spins = p->target->type == &small_spins;
    *g = (graph){.p = p,
                 .bond = spins ? small_spin_bonds : small_colour_bonds,
                 .bonds = spins ? SMALL_SPIN_BONDS : SMALL_COLOUR_BONDS,
                 .dim = (int)p->dim,
                 .values = p->target->space.values,
                 .field = spins ? NULL : small_colour_field};
    return spins || p->target->type == &small_colours;
}

static const double *state(const graph *g, size_t s)
{
    return g->p->x + s * g->p->dim;
}

/* Returns the probability that exactly the bonds of the set are active in state
 * x. */
static double chance_of(const graph *g, const double *x, unsigned set)
{
    double chance = 1;
    for (int k = 0; k < g->bonds; k++) {
        small_bond b = g->bond[k];
        bool alike = x[b.i] == x[b.j], may = alike == (b.strength > 0);
        double holds = may ? 1 - exp(-fabs(b.strength)) : 0;
        chance *= set >> k & 1 ? holds : 1 - holds;
    }
    return chance;
}

/* Sets label[site] to the smallest site in the cluster of the site. */
static void label_all(const graph *g, unsigned set, int *label)
{
    for (int i = 0; i < g->dim; i++)
        label[i] = i;
    for (int round = 0; round < g->dim; round++)
        for (int k = 0; k < g->bonds; k++)
            if (set >> k & 1) {
                int *i = label + g->bond[k].i, *j = label + g->bond[k].j;
                *i = *j = *i < *j ? *i : *j;
            }
}

/* Returns exp of the field on one cluster after the values of its sites are
 * shifted. */
static double worth(const graph *g, const double *x, const int *label, int root,
                    int shift)
{
    double sum = 0;
    for (int i = 0; g->field && i < g->dim; i++)
        if (label[i] == root)
            sum += g->field[i][((int)x[i] + shift) % g->values];
    return exp(sum);
}

static size_t shifted(const graph *g, const double *x, const int *label,
                      const int *shift)
{
    double y[SMALL_DIM];
    for (int i = 0; i < g->dim; i++)
        y[i] = ((int)x[i] + shift[label[i]]) % g->values;
    return cs_space_index(&g->p->target->space, y, 1);
}

/* Every cluster is shifted independently. Adds the probability of each
 * combination of shifts to the element of `row` for the state that results from
 * the shifts. */
static void all_clusters(const graph *g, size_t a, const int *label,
                         double chance, double *row)
{
    int ways = 1;
    for (int i = 0; i < g->dim; i++)
        ways *= g->values;
    for (int way = 0; way < ways; way++) {
        int shift[SMALL_DIM], left = way;
        bool proper = true; /* only the roots of clusters have a shift */
        double share = chance;
        for (int i = 0; i < g->dim; i++, left /= g->values) {
            shift[i] = left % g->values;
            proper = proper && (label[i] == i || shift[i] == 0);
            if (label[i] != i)
                continue;
            double sum = 0;
            for (int s = 0; s < g->values; s++)
                sum += worth(g, state(g, a), label, i, s);
            share *= worth(g, state(g, a), label, i, shift[i]) / sum;
        }
        if (proper)
            row[shifted(g, state(g, a), label, shift)] += share;
    }
}

/* Shifts the cluster that contains a uniformly drawn site, and adds the
 * probabilities of the resulting states to `row`. */
static void one_cluster(const graph *g, size_t a, const int *label,
                        double chance, double *row)
{
    for (int seed = 0; seed < g->dim; seed++) {
        int root = label[seed];
        double sum = 0;
        for (int s = 0; s < g->values; s++)
            sum += worth(g, state(g, a), label, root, s);
        for (int s = 0; s < g->values; s++) {
            int shift[SMALL_DIM] = {0};
            shift[root] = s;
            double share = worth(g, state(g, a), label, root, s) / sum;
            if (!g->field)
                share = s ? 1.0 / (g->values - 1) : 0;
            row[shifted(g, state(g, a), label, shift)] +=
                chance * share / g->dim;
        }
    }
}

bool cluster_matrix(const char *kernel, const points *p, double *P)
{
    graph g;
    bool all = strcmp(kernel, "swendsen_wang") == 0;
    if (!graph_of(p, &g) || (!all && strcmp(kernel, "wolff") != 0))
        return false;
    for (size_t a = 0; a < p->n; a++)
        for (unsigned set = 0; set < 1u << g.bonds; set++) {
            double chance = chance_of(&g, state(&g, a), set);
            int label[SMALL_DIM];
            label_all(&g, set, label);
            if (chance > 0 && all)
                all_clusters(&g, a, label, chance, P + a * p->n);
            else if (chance > 0)
                one_cluster(&g, a, label, chance, P + a * p->n);
        }
    return true;
}
