/* Constructs the tables of sums: see targets/discrete/neighbour_sums.h. */
#include "targets/discrete/neighbour_sums.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

enum {
    WEIGHTS = 6, /* largest number of distinct weights among the neighbours of
                    a site: 2^6 sums */
    KINDS = 64,  /* largest number of kinds of sites that share their values */
    ALONE = 16,  /* largest number of values that are stored for a site that
                    does not share its values */
    READ_AT_ONCE = 16
};

/* Properties of sites that share their values. */
typedef struct kind {
    double linear;
    size_t weights, size;
    double weight[WEIGHTS]; /* weights of the neighbours, ascending */
    size_t count[WEIGHTS];
} kind;

typedef struct maker {
    cs_neighbour_sums *s;
    const cs_neighbour_sums_of *of;
    cs_neighbour_sums_value *value;
    const void *self;
    size_t n, capacity; /* n: number of values; capacity: number that fits */
    size_t kinds;
    kind kind[KINDS];
    struct {
        uint32_t row;
        uint8_t size;
    } place[KINDS];
} maker;

static bool add_weight(kind *k, double weight)
{
    size_t g = 0;
    while (g < k->weights && k->weight[g] < weight)
        g++;
    if (g == k->weights || k->weight[g] != weight) {
        if (k->weights == WEIGHTS)
            return false;
        memmove(k->weight + g + 1, k->weight + g,
                (k->weights - g) * sizeof *k->weight);
        memmove(k->count + g + 1, k->count + g,
                (k->weights - g) * sizeof *k->count);
        k->weight[g] = weight;
        k->count[g] = 0;
        k->weights++;
    }
    k->count[g]++;
    return true;
}

/* Returns the kind of site i; its size is 0 if there are too many sums. */
static kind kind_of(const cs_neighbour_sums_of *of, size_t i)
{
    kind k = {.linear = of->linear[i], .size = 1};
    size_t first = of->start[i], end = of->start[i + 1];
    bool few = end - first < CS_SUMS_MOST;
    for (size_t e = first; few && e < end; e++)
        few = add_weight(&k, of->weight[e]);
    for (size_t g = 0; few && g < k.weights; g++)
        k.size *= k.count[g] + 1;
    if (!few || k.size > CS_SUMS_MOST)
        k.size = 0;
    return k;
}

static bool is_same(const kind *a, const kind *b)
{
    size_t n = a->weights;
    return a->linear == b->linear && n == b->weights &&
           !memcmp(a->weight, b->weight, n * sizeof *a->weight) &&
           !memcmp(a->count, b->count, n * sizeof *a->count);
}

static double sum_of(const kind *k, size_t code)
{
    double sum = 0;
    for (size_t g = 0; g < k->weights; code /= k->count[g++] + 1)
        sum += (double)(code % (k->count[g] + 1)) * k->weight[g];
    return sum;
}

/* Appends the values of a kind and returns their number; returns 0 if `value`
 * returns NAN. */
static size_t append(maker *m, const kind *k)
{
    double least = 0, most = 0, *to = m->s->value + m->n;
    for (size_t g = 0; g < k->weights; g++) {
        double all = k->weight[g] * (double)k->count[g];
        least += fmin(all, 0);
        most += fmax(all, 0);
    }
    for (size_t c = 0; c < k->size; c++) {
        to[c] = m->value(sum_of(k, c), k->linear, least, most, m->self);
        if (isnan(to[c]))
            return 0;
    }
    m->n += k->size;
    return k->size;
}

/* Finds or adds the values of site i. Returns false if out of memory. */
static bool place(maker *m, size_t i, const kind *k)
{
    size_t same = 0;
    while (same < m->kinds && !is_same(&m->kind[same], k))
        same++;
    if (same < m->kinds) {
        m->s->row[i] = m->place[same].row;
        m->s->size[i] = m->place[same].size;
        return true;
    }
    if (m->kinds == KINDS && k->size > ALONE)
        return true;
    if (!CS_GROW(m->s->value, m->n, m->capacity, k->size + READ_AT_ONCE))
        return false;
    m->s->row[i] = (uint32_t)m->n;
    m->s->size[i] = (uint8_t)append(m, k);
    if (m->kinds == KINDS)
        return true;
    m->kind[m->kinds] = *k;
    m->place[m->kinds].row = m->s->row[i];
    m->place[m->kinds++].size = m->s->size[i];
    return true;
}

/* Computes the share that each neighbour of a site adds to the code. */
static void share(const maker *m, size_t i, const kind *k)
{
    for (size_t e = m->of->start[i]; e < m->of->start[i + 1]; e++) {
        size_t step = 1;
        for (size_t g = 0; k->weight[g] != m->of->weight[e]; g++)
            step *= k->count[g] + 1;
        m->s->share[e] = (double)step;
    }
}

cs_status cs_neighbour_sums_make(cs_neighbour_sums *s,
                                 const cs_neighbour_sums_of *of,
                                 cs_neighbour_sums_value *value,
                                 const void *self, cs_error *err)
{
    maker *m = cs_alloc(1, sizeof *m);
    *s = (cs_neighbour_sums){
        .row = cs_alloc(of->dim, sizeof *s->row),
        .size = cs_alloc(of->dim, sizeof *s->size),
        .share = cs_alloc(of->start[of->dim], sizeof *s->share)};
    bool whole = m && s->row && s->size && s->share;
    if (whole)
        *m = (maker){.s = s, .of = of, .value = value, .self = self};
    for (size_t i = 0; whole && i < of->dim; i++) {
        kind k = kind_of(of, i);
        if (!k.size)
            continue;
        whole = place(m, i, &k);
        share(m, i, &k);
    }
    cs_free(m);
    if (whole)
        return CS_OK;
    return cs_fail(err, CS_MEMORY, "out of memory for %zu sites", of->dim);
}

void cs_neighbour_sums_free(cs_neighbour_sums *s)
{
    CS_FREE_ALL(s->row, s->size, s->share, s->value);
    *s = (cs_neighbour_sums){0};
}
