#include "run/draws/exchangeable.h"

#include "base/memory.h"
#include "stat/moments.h"
#include "target/parameters.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { VALUES = 32 }; /* largest number of values of a label */

/* Returns the first displayed quantity of a part of real numbers, all of which
 * are displayed in order; cs_target_shown(t): they are not. */
static size_t shown_of(const cs_target *t, const cs_part *p)
{
    size_t n = cs_target_shown(t), i = 0;
    while (i < n && cs_target_shown_coordinate(t, i) != p->first)
        i++;
    for (size_t k = 0; k < p->dim; k++)
        if (i + k >= n || cs_target_shown_coordinate(t, i + k) != p->first + k)
            return n;
    return i;
}

static bool disagree(const cs_chosen *g, const cs_diagnosis *d, size_t shown,
                     size_t n)
{
    static const double most = 1.1;
    bool any = false;
    for (size_t k = 0; k < n; k++) {
        if (shown + 1 + k >= cs_chosen_scalars(g->view))
            return false;
        any |= d[shown + 1 + k].figures.rhat > most;
    }
    return any;
}

/* Computes mean[chains][n] of n displayed quantities from `shown` on. */
static bool find_means(const cs_chosen *g, size_t shown, size_t n, double *mean)
{
    double *x = cs_alloc(g->n * g->draws, sizeof *x);
    for (size_t k = 0; x && k < n; k++) {
        cs_chosen_copy(g, shown + 1 + k, x);
        for (size_t c = 0; c < g->n; c++)
            mean[c * n + k] = cs_mean(x + c * g->draws, g->draws);
    }
    cs_free(x);
    return x != NULL;
}

static double distance(const double *a, const double *b, size_t n)
{
    double sum = 0;
    for (size_t k = 0; k < n; k++)
        sum += (a[k] - b[k]) * (a[k] - b[k]);
    return sum;
}

/* Finds the chain whose means differ most from those of the first chain, but
 * hardly if both are sorted. Returns 0 without such a chain. */
static size_t find_swapped(const double *mean, size_t chains, size_t n)
{
    static const double little = 0.1;
    double first[VALUES], other[VALUES], most = 0;
    size_t found = 0;
    memcpy(first, mean, n * sizeof *mean);
    cs_sort(first, n);
    for (size_t c = 1; c < chains; c++) {
        double apart = distance(mean, mean + c * n, n);
        memcpy(other, mean + c * n, n * sizeof *mean);
        cs_sort(other, n);
        if (apart > most && distance(first, other, n) < little * apart) {
            most = apart;
            found = c;
        }
    }
    return found;
}

/* Compares the chains of a vector of K real parameters. */
static bool is_swapped(const cs_chosen *g, const cs_diagnosis *d,
                       const cs_part *p, cs_warn_labels *out)
{
    size_t shown = shown_of(g->target, p), n = p->dim;
    if (shown >= cs_target_shown(g->target) || !disagree(g, d, shown, n))
        return false;
    double *mean = cs_alloc(g->n * n, sizeof *mean);
    size_t c =
        mean && find_means(g, shown, n, mean) ? find_swapped(mean, g->n, n) : 0;
    cs_free(mean);
    if (!c)
        return false;
    snprintf(out->vector, sizeof out->vector, "%s", p->name);
    out->chain[0] = g->view->chain[0].number;
    out->chain[1] = g->view->chain[c].number;
    return true;
}

/* Returns the part after p; NULL: p is the last. */
static const cs_part *next_part(const cs_target *t, const cs_part *p)
{
    return p->first + p->dim < t->space.dim ? p + 1 : NULL;
}

bool cs_exchangeable_find(const cs_chosen *g, const cs_diagnosis *d,
                          cs_warn_labels *out)
{
    const cs_target *t = g->target;
    *out = (cs_warn_labels){.vector = ""};
    if (!t->named || g->n < 2 || g->draws == 0 || g->w || g->why)
        return false;
    for (const cs_part *z = t->named; z; z = next_part(t, z)) {
        if (z->kind != CS_CATEGORICAL || !z->name || z->values < 2 ||
            z->values > VALUES)
            continue;
        for (const cs_part *p = t->named; p; p = next_part(t, p))
            if (p->kind == CS_CONTINUOUS && p->name &&
                p->dim == (size_t)z->values && is_swapped(g, d, p, out)) {
                snprintf(out->labels, sizeof out->labels, "%s", z->name);
                return true;
            }
    }
    return false;
}
