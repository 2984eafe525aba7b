#include "check/apart.h"

#include "base/memory.h"

#include <assert.h>
#include <string.h>

/* Largest number of states in all groups that are joined. */
enum { MOST_WORK = 1 << 26 };

static size_t root_of(uint32_t *parent, size_t k)
{
    while (parent[k] != k) {
        parent[k] = parent[parent[k]];
        k = parent[k];
    }
    return k;
}

/* Returns true if the two were not joined before. */
static bool join(uint32_t *parent, size_t a, size_t b)
{
    a = root_of(parent, a);
    b = root_of(parent, b);
    parent[a > b ? a : b] = (uint32_t)(a < b ? a : b);
    return a != b;
}

static uint32_t *open_parents(size_t n)
{
    uint32_t *parent = cs_alloc(n, sizeof *parent);
    for (size_t k = 0; parent && k < n; k++)
        parent[k] = (uint32_t)k;
    return parent;
}

static size_t value_of(const cs_site_list *s, size_t index, size_t site)
{
    return index / s->stride[site] % (size_t)s->values[site];
}

/* ---- parts ---------------------------------------------------------------- */

/* Joins the possible states that agree outside n sites. first[states] is
 * scratch. */
static void join_group(const cs_site_list *s, const int32_t *part,
                       const uint32_t *site, size_t n, uint32_t *parent,
                       uint32_t *first)
{
    size_t states = (size_t)s->states;
    memset(first, 0xff, states * sizeof *first);
    for (size_t k = 0; k < states; k++) {
        size_t rest = k;
        if (part[k] == CS_APART_NOWHERE)
            continue;
        for (size_t i = 0; i < n; i++)
            rest -= value_of(s, k, site[i]) * s->stride[site[i]];
        if (first[rest] == UINT32_MAX)
            first[rest] = (uint32_t)k;
        else
            join(parent, first[rest], k);
    }
}

/* Sets the next n of `all` numbers in lexical order. Returns false after the
 * last ones. */
static bool next_subset(uint32_t *chosen, size_t n, size_t all)
{
    size_t i = n;
    while (i > 0 && chosen[i - 1] == all - n + i - 1)
        i--;
    if (i == 0)
        return false;
    chosen[i - 1]++;
    for (; i < n; i++)
        chosen[i] = chosen[i - 1] + 1;
    return true;
}

/* Returns the number of ways to choose n of `all`, or more than MOST_WORK. */
static double ways(size_t all, size_t n)
{
    double w = 1;
    for (size_t i = 0; i < n && w <= MOST_WORK; i++)
        w = w * (double)(all - i) / (double)(i + 1);
    return w;
}

static bool join_move(const cs_site_list *s, const cs_site_move *move,
                      const int32_t *part, uint32_t *parent, uint32_t *first)
{
    uint32_t *chosen = cs_alloc(2 * move->most + 1, sizeof *chosen);
    if (!chosen)
        return false;
    uint32_t *site = chosen + move->most;
    for (size_t i = 0; i < move->most; i++)
        chosen[i] = (uint32_t)i;
    do {
        for (size_t i = 0; i < move->most; i++)
            site[i] = move->site[chosen[i]];
        join_group(s, part, site, move->most, parent, first);
    } while (next_subset(chosen, move->most, move->n));
    cs_free(chosen);
    return true;
}

/* Numbers the parts in the order of their first states. Returns their number. */
static size_t number_parts(size_t states, uint32_t *parent, int32_t *part)
{
    size_t parts = 0;
    for (size_t k = 0; k < states; k++) {
        size_t root = root_of(parent, k);
        if (part[k] != CS_APART_NOWHERE)
            part[k] = root == k ? (int32_t)parts++ : part[root];
    }
    return parts;
}

bool cs_apart_by_moves(const cs_site_list *s, const cs_site_moves *moves,
                       int32_t *part, size_t *parts)
{
    size_t states = (size_t)s->states;
    double work = 0;
    *parts = 0;
    for (size_t i = 0; i < moves->n; i++)
        work += ways(moves->move[i].n, moves->move[i].most) * s->states *
                (double)moves->move[i].most;
    if (work > MOST_WORK)
        return true;
    uint32_t *parent = open_parents(states);
    uint32_t *first = cs_alloc(states, sizeof *first);
    bool good = parent && first;
    for (size_t i = 0; good && i < moves->n; i++)
        good = !moves->move[i].n ||
               join_move(s, &moves->move[i], part, parent, first);
    if (good)
        *parts = number_parts(states, parent, part);
    CS_FREE_ALL(parent, first);
    return good;
}

/* ---- the widest jump ------------------------------------------------------ */

/* For each state: the nearest possible state and the number of sites in which it
 * differs; `unowned` if they are unknown. */
typedef struct nearest {
    const cs_site_list *s;
    uint32_t *owner;
    uint32_t *far;
    uint32_t *queue; /* states whose owners are known */
    size_t n;        /* in the queue */
} nearest;

static const uint32_t unowned = UINT32_MAX;

/* Visits each state `other` that differs from k at most in one site, with the
 * values of that site in order. */
#define FOR_NEIGHBOURS(s, k, site, value, other)                               \
    for (size_t site = 0; site < (s)->n; site++)                               \
        for (size_t value = 0,                                                 \
                    other = (k)-value_of(s, k, site) * (s)->stride[site];      \
             value < (size_t)(s)->values[site];                                \
             value++, other += (s)->stride[site])

static void find_nearest(nearest *f, const int32_t *part)
{
    size_t states = (size_t)f->s->states;
    for (size_t k = 0; k < states; k++) {
        bool possible = part[k] != CS_APART_NOWHERE;
        f->owner[k] = possible ? (uint32_t)k : unowned;
        if (possible)
            f->queue[f->n++] = (uint32_t)k;
    }
    for (size_t i = 0; i < f->n; i++) {
        size_t k = f->queue[i];
        FOR_NEIGHBOURS(f->s, k, site, value, other)
        {
            if (f->owner[other] != unowned)
                continue;
            f->owner[other] = f->owner[k];
            f->far[other] = f->far[k] + 1;
            f->queue[f->n++] = (uint32_t)other;
        }
    }
}

/* Joins the parts whose distance is `sites`. Returns the number of joins, and
 * sets *j to the last one. */
static size_t join_parts(const nearest *f, const int32_t *part, size_t sites,
                         uint32_t *parent, cs_apart_jump *j)
{
    size_t joined = 0;
    for (size_t k = 0; k < (size_t)f->s->states; k++) {
        FOR_NEIGHBOURS(f->s, k, site, value, other)
        {
            size_t a = f->owner[k], b = f->owner[other];
            if (other <= k || f->far[k] + f->far[other] + 1 != sites ||
                !join(parent, (size_t)part[a], (size_t)part[b]))
                continue;
            *j = (cs_apart_jump){a, b, sites};
            joined++;
        }
    }
    return joined;
}

bool cs_apart_find_jump(const cs_site_list *s, const int32_t *part,
                        size_t parts, cs_apart_jump *j)
{
    size_t states = (size_t)s->states;
    nearest f = {.s = s};
    uint32_t *parent = open_parents(parts);
    assert(parts > 0);
    *j = (cs_apart_jump){0, 0, 0};
    f.owner = cs_alloc(3 * states, sizeof *f.owner);
    bool good = parent && f.owner;
    if (good) {
        f.far = f.owner + states;
        f.queue = f.far + states;
        find_nearest(&f, part);
    }
    for (size_t n = 1; good && parts > 1 && n <= 2 * s->n + 1; n++)
        parts -= join_parts(&f, part, n, parent, j);
    CS_FREE_ALL(parent, f.owner);
    return good;
}
