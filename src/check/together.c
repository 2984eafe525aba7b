/* Finds coordinates that must change together: each alone cannot change, because
 * log p is -infinity at all its other values (a fixed sum, a permutation). */
#include "base/memory.h"
#include "check/laws.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Largest numbers of sites, and of values of a site, that are tried. */
enum { LOOKED = 512, FROZEN = 24, VALUES = 12 };

/* States in which coordinates of x[dim] have other values. */
typedef struct trials {
    const cs_target *t;
    const double *x;
    double *state; /* [VALUES * VALUES][dim] [own] */
    double logp[VALUES * VALUES];
    size_t n;
} trials;

static double *add(trials *k)
{
    size_t dim = k->t->space.dim;
    double *to = k->state + k->n++ * dim;
    memcpy(to, k->x, dim * sizeof *to);
    return to;
}

/* Returns true if one of the states is possible. */
static bool is_possible(trials *k)
{
    bool possible = false;
    cs_check_log_densities(k->t, k->state, k->n, k->logp);
    for (size_t i = 0; i < k->n; i++)
        possible |= k->logp[i] > -HUGE_VAL;
    return possible;
}

static size_t values_of(const trials *k, size_t i, double *low)
{
    const cs_part part = cs_space_part(&k->t->space, i);
    *low = part.low;
    return part.values < VALUES ? (size_t)part.values : VALUES;
}

/* Returns true if coordinate i can have no other value while the others keep
 * theirs. A coordinate with more values than are tried is not frozen. */
static bool is_frozen(trials *k, size_t i)
{
    double low;
    size_t n = values_of(k, i, &low);
    if (cs_space_part(&k->t->space, i).values > VALUES)
        return false;
    k->n = 0;
    for (size_t v = 0; v < n; v++)
        if (low + (double)v != k->x[i])
            add(k)[i] = low + (double)v;
    return !is_possible(k);
}

/* Returns true if coordinates i and j can change together. */
static bool can_change(trials *k, size_t i, size_t j)
{
    double low[2];
    size_t n[2] = {values_of(k, i, &low[0]), values_of(k, j, &low[1])};
    k->n = 0;
    for (size_t v = 0; v < n[0] * n[1]; v++) {
        double a = low[0] + (double)(v % n[0]), b = low[1] + (double)(v / n[0]);
        if (a == k->x[i] || b == k->x[j])
            continue;
        double *to = add(k);
        to[i] = a;
        to[j] = b;
    }
    return is_possible(k);
}

bool cs_check_together(const cs_target *t, const double *x, const bool *changed,
                       char *text, size_t size)
{
    size_t frozen[FROZEN], n = 0, dim = t->space.dim;
    char one[48], other[48];
    trials k = {.t = t, .x = x};
    bool found = false;
    text[0] = '\0';
    k.state = cs_alloc((size_t)VALUES * VALUES * dim, sizeof *k.state);
    for (size_t i = 0; k.state && i < dim && i < LOOKED && n < FROZEN; i++)
        if (cs_space_is_whole(&t->space, i) && !(changed && changed[i]) &&
            is_frozen(&k, i))
            frozen[n++] = i;
    for (size_t a = 0; a < n && !found; a++)
        for (size_t b = a + 1; b < n && !found; b++) {
            found = can_change(&k, frozen[a], frozen[b]);
            if (!found)
                continue;
            cs_target_name_coordinate(t, frozen[a], one, sizeof one);
            cs_target_name_coordinate(t, frozen[b], other, sizeof other);
            snprintf(text, size,
                     "%s and %s must change together: neither has another "
                     "possible value while the rest stays; use a kernel that "
                     "moves both, such as gibbs with sites = 2",
                     one, other);
        }
    cs_free(k.state);
    return found;
}
