#include "target/grid_error.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

/* Number of rows that are merged into one row of a coarser grid. */
enum { BY = 3 };
static const double little = 1e-9;

/* Sums the masses along an axis in BY parts, mass[BY][side]. A cell belongs to
 * part k if its index on the other axis is k modulo BY. If the grid has only
 * one axis, all cells are in part 0. */
static void sum_parts(const cs_enumeration *g, size_t axis, double *mass)
{
    size_t n = g->side[axis];
    memset(mass, 0, BY * n * sizeof *mass);
    for (size_t i = 0; i < g->side[0]; i++)
        for (size_t j = 0; j < g->side[1]; j++) {
            size_t at = axis ? j : i, other = axis ? i : j;
            mass[other % BY * n + at] += g->p[i * g->side[1] + j];
        }
}

/* Returns the largest difference between the distribution functions of whole[n]
 * and of a coarse grid. The coarse grid consists of every third cell of
 * part[n], starting with cell number `from`. The mass of each of these cells
 * represents three cells, and is multiplied by `times` to account for the
 * omitted parts. */
static double difference(const double *whole, const double *part, size_t n,
                         size_t from, double times)
{
    double below = 0, coarse = 0, worst = 0;
    size_t next = from;
    for (size_t v = 0; v < n; v++) {
        below += whole[v];
        if (v < next + 1)
            continue;
        coarse += BY * times * part[next];
        worst = fmax(worst, fabs(coarse - below));
        next += BY;
        if (next >= n)
            break;
    }
    return worst;
}

/* Returns the mass beyond the outermost cell. `last` is the mass of that cell,
 * and `before` the mass of the cell before it. The result is exact for a tail
 * that falls as 1 / x^2, and an upper bound for a tail that falls faster. */
static double beyond(double last, double before, size_t side)
{
    if (last * (double)side < little)
        return 0;
    return last < before ? fmin(1, 2 * last / (1 - last / before)) : 1;
}

static void find_axis(const cs_enumeration *g, size_t axis, double *mass,
                      cs_grid_error *e)
{
    size_t n = g->side[axis], parts = g->side[1 - axis] > 1 ? BY : 1;
    double *whole = mass + BY * n;
    sum_parts(g, axis, mass);
    for (size_t v = 0; v < n; v++)
        whole[v] = mass[v] + mass[n + v] + mass[2 * n + v];
    for (size_t k = 0; k < parts; k++)
        for (size_t from = 0; from < BY; from++)
            e->coarse = fmax(
                e->coarse,
                difference(whole, mass + k * n, n, from, (double)parts) / 2);
    e->beyond[axis][0] = beyond(whole[0], whole[1], n);
    e->beyond[axis][1] = beyond(whole[n - 1], whole[n - 2], n);
    e->outside += e->beyond[axis][0] + e->beyond[axis][1];
    e->first[axis] = n;
    for (size_t v = 0; v < n; v++) {
        if (!(whole[v] > little))
            continue;
        e->first[axis] = v < e->first[axis] ? v : e->first[axis];
        e->last[axis] = v;
    }
}

/* Returns whether a neighbour of the cell in row i, column j has density 0. */
static bool is_edge(const cs_enumeration *g, size_t i, size_t j)
{
    size_t n = g->side[1], at = i * n + j;
    const double *logp = g->logp;
    return (i > 0 && logp[at - n] == -HUGE_VAL) ||
           (i + 1 < g->side[0] && logp[at + n] == -HUGE_VAL) ||
           (j > 0 && logp[at - 1] == -HUGE_VAL) ||
           (j + 1 < n && logp[at + 1] == -HUGE_VAL);
}

static double edge_of(const cs_enumeration *g)
{
    double mass = 0;
    for (size_t i = 0; i < g->side[0]; i++)
        for (size_t j = 0; j < g->side[1]; j++)
            mass += is_edge(g, i, j) ? g->p[i * g->side[1] + j] : 0;
    return mass / 2;
}

bool cs_grid_error_of(const cs_enumeration *truth, cs_grid_error *out)
{
    size_t most =
        truth->side[0] > truth->side[1] ? truth->side[0] : truth->side[1];
    double *mass = cs_alloc((BY + 1) * most, sizeof *mass);
    *out = (cs_grid_error){.edge = edge_of(truth)};
    for (size_t axis = 0; mass && axis < 2; axis++)
        if (truth->side[axis] > 1)
            find_axis(truth, axis, mass, out);
    if (out->coarse > CS_GRID_COARSE)
        out->coarse = 1;
    cs_free(mass);
    return mass != NULL;
}

double cs_grid_error_sum(const cs_grid_error *e)
{
    return fmin(1, e->coarse + e->outside + e->edge);
}
