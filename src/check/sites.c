#include "check/sites.h"

#include "base/memory.h"
#include "kernel/composed.h"

#include <assert.h>
#include <math.h>
#include <string.h>

bool cs_site_list_open(cs_site_list *s, const cs_target *t, const double *x)
{
    size_t dim = t->space.dim, n = cs_space_sites(&t->space), k = 0;
    *s = (cs_site_list){.t = t, .n = n, .states = 1};
    s->x = cs_alloc(dim, sizeof *s->x);
    s->coordinate = cs_alloc(n + 1, sizeof *s->coordinate);
    s->low = cs_alloc(2 * n + 1, sizeof *s->low);
    s->stride = cs_alloc(n + 1, sizeof *s->stride);
    if (!s->x || !s->coordinate || !s->low || !s->stride)
        return false;
    s->values = s->low + n;
    memcpy(s->x, x, dim * sizeof *x);
    for (size_t i = 0; i < dim; i++) {
        const cs_part p = cs_space_part(&t->space, i);
        if (p.kind == CS_CONTINUOUS)
            continue;
        s->coordinate[k] = (uint32_t)i;
        s->low[k] = p.low;
        s->values[k++] = p.values;
        s->states *= p.values;
    }
    if (s->states > 1e15)
        s->states = HUGE_VAL;
    size_t stride = 1;
    for (k = n; k-- > 0 && s->states < HUGE_VAL;) {
        s->stride[k] = stride;
        stride *= (size_t)s->values[k];
    }
    return true;
}

void cs_site_list_close(cs_site_list *s)
{
    CS_FREE_ALL(s->x, s->coordinate, s->low, s->stride);
    *s = (cs_site_list){0};
}

void cs_site_list_state(const cs_site_list *s, size_t index, double *x)
{
    assert((double)index < s->states && s->states < HUGE_VAL);
    memcpy(x, s->x, s->t->space.dim * sizeof *x);
    for (size_t k = 0; k < s->n; k++)
        x[s->coordinate[k]] =
            s->low[k] + (double)(index / s->stride[k] % (size_t)s->values[k]);
}

size_t cs_site_list_index(const cs_site_list *s, const double *x)
{
    size_t index = 0;
    for (size_t k = 0; k < s->n; k++)
        index += (size_t)(x[s->coordinate[k]] - s->low[k]) * s->stride[k];
    return index;
}

/* ---- the sites that one step can change together -------------------------- */

void cs_site_moves_close(cs_site_moves *m)
{
    for (size_t i = 0; i < m->n; i++)
        cs_free(m->move[i].site);
    cs_free(m->move);
    *m = (cs_site_moves){0};
}

/* Returns the number of the site with this coordinate; s->n: it is real. */
static size_t site_of(const cs_site_list *s, size_t coordinate)
{
    size_t low = 0, high = s->n;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (s->coordinate[middle] < coordinate)
            low = middle + 1;
        else
            high = middle;
    }
    return low < s->n && s->coordinate[low] == coordinate ? low : s->n;
}

/* Returns the number of sites that a step of the kernel changes; 0: any number.
 * `driven` belongs to the kernel's first row. */
static size_t most_of(const cs_kernel *k, const bool *driven)
{
    if (!k->type->sites_at_once || k->type->wraps)
        return 0;
    for (size_t i = 0; driven && i < k->type->n_params; i++)
        if (driven[i])
            return 0;
    return k->type->sites_at_once(k->values);
}

/* Marks the sites among coordinates[n]; NULL: all n. */
static void mark(const cs_site_list *s, const uint32_t *coordinate, size_t n,
                 bool *marked)
{
    for (size_t i = 0; i < n; i++)
        marked[site_of(s, coordinate ? coordinate[i] : i)] = true;
}

/* Adds a kernel that moves the coordinates of a member; NULL: all. A member that
 * sums out coordinates draws all of them after it has moved its own. */
static bool add_move(cs_site_moves *m, const cs_site_list *s,
                     const cs_kernel *k, const bool *driven, const cs_member *q)
{
    bool *marked = cs_alloc(s->n + 1, sizeof *marked);
    uint32_t *site = cs_alloc(s->n + 1, sizeof *site);
    size_t most = most_of(k, driven), some = 0, own = 0;
    if (!marked || !site || !CS_EXTEND(m->move, m->n, m->capacity, 1)) {
        CS_FREE_ALL(marked, site);
        return false;
    }
    mark(s, q ? q->coordinate : NULL, q ? q->n : s->t->space.dim, marked);
    for (size_t i = 0; i < s->n; i++)
        own += marked[i];
    if (q && q->sums)
        mark(s, q->sums->coordinate, q->sums->n, marked);
    for (size_t i = 0; i < s->n; i++)
        if (marked[i])
            site[some++] = (uint32_t)i;
    bool known = most > 0 || (own == 0 && some > 0);
    if (!most || most > some || some > own)
        most = some;
    m->move[m->n++] = (cs_site_move){site, some, most, known};
    cs_free(marked);
    return true;
}

static bool add_members(cs_site_moves *m, const cs_site_list *s,
                        const cs_kernel *k, const bool *driven)
{
    const cs_composed *of = cs_composed_of(k);
    bool good = true;
    for (size_t i = 0; good && i < of->n; i++) {
        const cs_member *q = &of->member[i];
        const bool *rows = driven ? driven + q->first_param : NULL;
        cs_kernel one = cs_kernel_member(k, i);
        good = cs_composed_of(&one) ? add_members(m, s, &one, rows)
                                    : add_move(m, s, &one, rows, q);
    }
    return good;
}

bool cs_site_moves_open(cs_site_moves *m, const cs_site_list *s,
                        const cs_kernel *kernel, const bool *driven)
{
    *m = (cs_site_moves){0};
    return cs_composed_of(kernel) ? add_members(m, s, kernel, driven)
                                  : add_move(m, s, kernel, driven, NULL);
}

bool cs_site_moves_reach(const cs_site_moves *m, const uint32_t *site, size_t n,
                         bool *known)
{
    bool reach = false;
    *known = true;
    for (size_t i = 0; i < m->n; i++) {
        const cs_site_move *move = &m->move[i];
        size_t found = 0;
        for (size_t k = 0; found < n && k < move->n; k++)
            found += move->site[k] == site[found];
        if (found < n || move->most < n)
            continue;
        *known &= move->known;
        reach = true;
    }
    return reach;
}
