/* P-values of counts against probabilities, and of two samples. If most states
 * are too rare to be compared one by one, the counts of coordinates and of log
 * p are compared as well; their distributions follow from the probabilities of
 * the states. */
#include "base/memory.h"
#include "check/laws.h"
#include "stat/distance.h"
#include "stat/moments.h"

#include <assert.h>
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

enum { FEW = 10, CELLS = 32 };

typedef struct counts {
    const cs_target *t;
    const cs_enumeration *truth;
    const double *count; /* [truth->n] counts of the states */
    double n;            /* sum of all counts */
    double *cell, *mass; /* [truth->n] scratch for merged cells [own] */
    double least;        /* smallest p-value so far */
    size_t tests;
    cs_distance *worst;
} counts;

double cs_check_cells_p(const double *count, const double *mass, size_t cells)
{
    assert(count && mass && cells);
    double chi = 0, rare = 0, odd = 0, n = 0;
    int free_cells = -1;
    for (size_t k = 0; k < cells; k++)
        n += count[k];
    for (size_t k = 0; k < cells; k++) {
        double want = mass[k] * n;
        if (mass[k] < 1e-300 && count[k] > 0)
            return 0;
        if (want < FEW) {
            rare += want;
            odd += count[k];
            continue;
        }
        chi += (count[k] - want) * (count[k] - want) / want;
        free_cells++;
    }
    if (rare > FEW / 2) {
        chi += (odd - rare) * (odd - rare) / rare;
        free_cells++;
    }
    return free_cells > 0 ? gsl_cdf_chisq_Q(chi, free_cells) : 1;
}

static void try(counts *s, const double *count, const double *mass,
                size_t cells, const char *what)
{
    double p = cs_check_cells_p(count, mass, cells);
    if (s->tests == 0 || p < s->least) {
        s->least = p;
        *s->worst = (cs_distance){
            .what = what, .far = cs_total_variation(count, mass, cells)};
    }
    s->tests++;
}

static bool is_thin(const counts *s)
{
    double rare = 0;
    for (size_t k = 0; k < s->truth->n; k++)
        rare += s->truth->p[k] * s->n < FEW ? s->truth->p[k] : 0;
    return rare > 0.1;
}

static void empty(counts *s, size_t cells)
{
    for (size_t v = 0; v < cells; v++)
        s->cell[v] = s->mass[v] = 0;
}

static void add(counts *s, size_t state, size_t cell)
{
    s->cell[cell] += s->count[state];
    s->mass[cell] += s->truth->p[state];
}

static void try_coordinates(counts *s)
{
    size_t values, stride = 1;
    for (size_t i = s->t->space.dim; i-- > 0; stride *= values) {
        values = (size_t)cs_space_part(&s->t->space, i).values;
        empty(s, values);
        for (size_t k = 0; k < s->truth->n; k++)
            add(s, k, k / stride % values);
        try(s, s->cell, s->mass, values, "total variation of a coordinate");
    }
}

typedef struct level {
    double logp;
    size_t state;
} level;

static int compare_levels(const void *a, const void *b)
{
    double x = ((const level *)a)->logp, y = ((const level *)b)->logp;
    return (x > y) - (x < y);
}

/* Groups the states by log p into cells of about equal probability. */
static bool try_energy(counts *s)
{
    level *by = cs_alloc(s->truth->n, sizeof *by);
    double below = 0;
    for (size_t k = 0; by && k < s->truth->n; k++)
        by[k] = (level){s->truth->logp[k], k};
    if (!by)
        return false;
    qsort(by, s->truth->n, sizeof *by, compare_levels);
    empty(s, CELLS);
    for (size_t k = 0; k < s->truth->n; k++) {
        size_t cell = (size_t)(below * CELLS);
        add(s, by[k].state, cell < CELLS ? cell : CELLS - 1);
        below += s->truth->p[by[k].state];
    }
    cs_free(by);
    try(s, s->cell, s->mass, CELLS, "total variation of log p");
    return true;
}

double cs_check_counts_p(const cs_target *t, const cs_enumeration *truth,
                         const double *count, size_t n, cs_distance *worst)
{
    counts s = {
        .t = t, .truth = truth, .count = count, .n = (double)n, .worst = worst};
    bool good = true;
    try(&s, count, truth->p, truth->n, "total variation");
    if (is_thin(&s)) {
        size_t capacity = truth->n > CELLS ? truth->n : CELLS;
        s.cell = cs_alloc(2 * capacity, sizeof *s.cell);
        s.mass = s.cell ? s.cell + capacity : NULL;
        good = s.cell && try_energy(&s);
        if (good)
            try_coordinates(&s);
    }
    cs_free(s.cell);
    return good ? fmin(1, s.least * (double)s.tests) : (double)NAN;
}

/* ---- two samples --------------------------------------------------------- */

double cs_check_samples_p(double *a, double *b, size_t n, double *far)
{
    assert(a && b && n && far);
    cs_sort(a, n);
    cs_sort(b, n);
    *far = cs_ks_two(a, n, b, n);
    return cs_ks_p(*far, 0.5 * (double)n);
}
