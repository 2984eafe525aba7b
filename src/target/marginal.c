#include "target/marginal.h"

#include "base/memory.h"
#include "stat/sort.h"

#include <math.h>

enum { CUTS = 1023 };

/* ---- from a distribution function ---- */

/* The distribution function of coordinate i, or of the energy. */
typedef struct function {
    const cs_target *t;
    size_t i;
    bool energy;
} function;

static double below_of(const function *f, double x)
{
    return f->energy ? f->t->type->exact.energy(f->t, x)
                     : f->t->type->exact.marginal(f->t, f->i, x);
}

/* Finds the q quantile by bisection, until no number is between the bounds. */
static double quantile(const function *f, double q)
{
    double low = -1, high = 1;
    for (int k = 0; k < 1000 && below_of(f, low) > q; k++)
        low *= 2;
    for (int k = 0; k < 1000 && below_of(f, high) < q; k++)
        high *= 2;
    for (int k = 0; k < 80; k++) {
        double middle = 0.5 * (low + high);
        if (middle == low || middle == high)
            break;
        *(below_of(f, middle) < q ? &low : &high) = middle;
    }
    return 0.5 * (low + high);
}

static size_t cut_function(const function *f, size_t most, double *cut,
                           double *below)
{
    for (size_t k = 0; k < most; k++) {
        cut[k] = quantile(f, (double)(k + 1) / (double)(most + 1));
        below[k] = below_of(f, cut[k]);
    }
    return most;
}

/* ---- from the cells of an axis ---- */

/* Computes cuts at borders of the cells of an axis. The cuts are all borders,
 * or the quantiles. (Several quantiles may be in one heavy cell.) */
static size_t cut_axis(const double *mass, size_t cells, double first,
                       double width, size_t most, double *cut, double *below)
{
    double sum = 0, next = 1, parts = (double)(most + 1);
    size_t n = 0;
    for (size_t v = 0; v + 1 < cells && n < most; v++) {
        sum += mass[v];
        if (cells > most + 1 && sum * parts < next)
            continue;
        cut[n] = first + width * (double)(v + 1);
        below[n++] = sum;
        next = floor(sum * parts) + 1;
    }
    return n;
}

size_t cs_marginal_cuts(const cs_target *t, size_t i, size_t most, double *cut,
                        double *below, cs_status *s)
{
    if (t->type->exact.marginal)
        return cut_function(&(function){t, i, false}, most, cut, below);
    const cs_enumeration *truth = cs_enumeration_of(t);
    double first, width;
    size_t cells = cs_enumeration_axis(t, truth, i, &first, &width, NULL);
    double *mass = cells ? cs_alloc(cells, sizeof *mass) : NULL;
    if (!mass) {
        *s = cells ? CS_MEMORY : CS_OK;
        return 0;
    }
    cs_enumeration_axis(t, truth, i, &first, &width, mass);
    size_t n = cut_axis(mass, cells, first, width, most, cut, below);
    cs_free(mass);
    return n;
}

/* ---- from points ---- */

/* Sorts n points and computes cuts at their values. The cuts are all values, or
 * the quantiles. p holds the probabilities of the points; NULL: all are
 * equal. */
static size_t cut_points(cs_sort_place *place, const double *p, size_t n,
                         double *cut, double *below)
{
    double sum = 0, next = 1;
    size_t used = 0;
    cs_sort_places(place, n);
    for (size_t i = 0; i < n && used < CUTS; i++) {
        sum += p ? p[place[i].at] : 1 / (double)n;
        bool last = i + 1 == n || isnan(place[i + 1].value);
        if (!last &&
            (place[i + 1].value == place[i].value || sum * (CUTS + 1) < next))
            continue;
        cut[used] = place[i].value;
        below[used++] = last ? 1 : sum;
        next = floor(sum * (CUTS + 1)) + 1;
        if (last)
            break;
    }
    return used;
}

/* Returns n exact draws and, if requested, their energies. */
static double *draw(const cs_target *t, size_t n, bool energies)
{
    size_t dim = t->space.dim;
    double *x = t->type->exact.draw ? cs_alloc(n * (dim + 1), sizeof *x) : NULL;
    if (x && cs_enumeration_draws(t, n, x) &&
        (!energies || cs_enumeration_evaluate(t, x, n, x + n * dim)))
        return x;
    cs_free(x);
    return NULL;
}

static size_t cut_draws(const cs_target *t, size_t scalar, double *cut,
                        double *below)
{
    size_t n = CS_MARGINAL_DRAWS, dim = t->space.dim, used = 0;
    double *x = draw(t, n, scalar == 0);
    cs_sort_place *place = x ? cs_alloc(n, sizeof *place) : NULL;
    for (size_t i = 0; place && i < n; i++)
        place[i] = (cs_sort_place){
            scalar ? x[i * dim + scalar - 1] : -x[n * dim + i], i};
    if (place)
        used = cut_points(place, NULL, n, cut, below);
    cs_free(place);
    cs_free(x);
    return used;
}

/* Computes cuts of the energies of all states or grid points. Points of
 * probability 0 are left out. */
static size_t cut_energies(const cs_enumeration *truth, double *cut,
                           double *below)
{
    size_t n = 0, used = 0;
    cs_sort_place *place = cs_alloc(truth->n, sizeof *place);
    for (size_t i = 0; place && i < truth->n; i++)
        if (truth->p[i] > 0)
            place[n++] = (cs_sort_place){-truth->logp[i], i};
    if (place && n)
        used = cut_points(place, truth->p, n, cut, below);
    cs_free(place);
    return used;
}

/* ---- the table ---- */

/* Returns the mean of coordinate i, computed from the masses of the cells along
 * the axis of i. The whole mass of a cell is placed at one point. */
static double mean_of_axis(const cs_target *t, size_t i)
{
    const cs_enumeration *truth = cs_enumeration_of(t);
    double first, width, sum = 0;
    size_t cells = cs_enumeration_axis(t, truth, i, &first, &width, NULL);
    double *mass = cells ? cs_alloc(cells, sizeof *mass) : NULL;
    if (!mass)
        return (double)NAN;
    cs_enumeration_axis(t, truth, i, &first, &width, mass);
    for (size_t v = 0; v < cells; v++)
        sum += mass[v] * (first + width * ((double)v + 0.5));
    cs_free(mass);
    return sum;
}

static double mean_of_energies(const cs_enumeration *truth)
{
    double sum = 0;
    for (size_t i = 0; i < truth->n; i++)
        sum -= truth->p[i] > 0 ? truth->p[i] * truth->logp[i] : 0;
    return sum;
}

static void find_energy(const cs_target *t, cs_marginal *m)
{
    const cs_enumeration *truth;
    if (t->type->exact.energy && !isnan(t->type->exact.energy(t, 0))) {
        m->from = "formula";
        m->n = cut_function(&(function){t, 0, true}, CUTS, m->cut, m->below);
    } else if ((truth = cs_enumeration_of(t))->n) {
        m->from = truth->all ? "all states" : "grid";
        m->n = cut_energies(truth, m->cut, m->below);
        m->mean = mean_of_energies(truth);
        m->steps = true;
    }
}

static void find_coordinate(const cs_target *t, size_t i, cs_marginal *m)
{
    cs_status s = CS_OK;
    m->n = cs_marginal_cuts(t, i, CUTS, m->cut, m->below, &s);
    m->mean = t->exact.mean ? t->exact.mean[i] : mean_of_axis(t, i);
    m->from = t->type->exact.marginal     ? "formula"
              : cs_enumeration_of(t)->all ? "all states"
                                          : "grid";
}

cs_marginal cs_marginal_of(const cs_target *t, size_t scalar)
{
    cs_marginal m = {.mean = (double)NAN};
    if (t->outputs.n && scalar > 0)
        return m;
    m.cut = cs_alloc(2 * CUTS, sizeof *m.cut);
    if (!m.cut)
        return m;
    m.below = m.cut + CUTS;
    if (scalar == 0)
        find_energy(t, &m);
    else
        find_coordinate(t, scalar - 1, &m);
    if (m.n)
        return m;
    m.n = cut_draws(t, scalar, m.cut, m.below);
    m.from = m.n ? "8192 exact draws" : NULL;
    m.draws = m.n ? CS_MARGINAL_DRAWS : 0;
    m.steps = true;
    return m;
}

double cs_marginal_below(const cs_marginal *m, double x)
{
    size_t low = 0, high = m->n; /* cuts with an index below `low` are <= x */
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (m->cut[middle] <= x)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0)
        return 0;
    if (low == m->n)
        return x > m->cut[low - 1] ? 1 : m->below[low - 1];
    double from = m->below[low - 1];
    if (m->steps)
        return from;
    double part = (x - m->cut[low - 1]) / (m->cut[low] - m->cut[low - 1]);
    return from + part * (m->below[low] - from);
}

double cs_marginal_quantile(const cs_marginal *m, double p)
{
    for (size_t i = 0; i < m->n; i++)
        if (m->below[i] >= p)
            return m->cut[i];
    return m->n ? m->cut[m->n - 1] : (double)NAN;
}
