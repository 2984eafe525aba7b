#include "target/space.h"

#include <assert.h>
#include <math.h>

const char *cs_space_name(cs_space_kind kind)
{
    switch (kind) {
    case CS_BINARY:
        return "binary";
    case CS_CATEGORICAL:
        return "categorical";
    case CS_ORDINAL:
        return "ordinal";
    case CS_CONTINUOUS:
        return "real";
    case CS_MIXED:
        return "mixed";
    }
    return "unknown";
}

/* Returns whether the range fits the kind of a part. */
static bool is_range(cs_space_kind kind, int low, int values)
{
    if (kind == CS_CONTINUOUS)
        return true;
    if (kind == CS_BINARY)
        return low == 0 && values == 2;
    return (kind == CS_CATEGORICAL || kind == CS_ORDINAL) && values >= 1;
}

bool cs_space_is_valid(const cs_space *s)
{
    if (!s || !s->dim)
        return false;
    if (s->kind != CS_MIXED)
        return !s->n_parts && is_range(s->kind, s->low, s->values);
    size_t next = 0;
    for (size_t i = 0; i < s->n_parts; i++) {
        const cs_part *p = &s->part[i];
        if (p->first != next || !p->dim ||
            !is_range(p->kind, p->low, p->values))
            return false;
        next += p->dim;
    }
    return next == s->dim && !s->values;
}

/* ---- parts --------------------------------------------------------------- */

cs_part cs_space_part(const cs_space *s, size_t coordinate)
{
    assert(cs_space_is_valid(s) && coordinate < s->dim);
    if (s->kind != CS_MIXED)
        return (cs_part){
            .kind = s->kind, .dim = s->dim, .low = s->low, .values = s->values};
    size_t low = 0, high = s->n_parts - 1; /* the part is between the two */
    while (low < high) {
        size_t middle = (low + high + 1) / 2;
        if (s->part[middle].first <= coordinate)
            low = middle;
        else
            high = middle - 1;
    }
    return s->part[low];
}

bool cs_space_is_whole(const cs_space *s, size_t coordinate)
{
    return cs_space_part(s, coordinate).kind != CS_CONTINUOUS;
}

/* Returns part number i; a space of one kind has one part. */
static cs_part part_at(const cs_space *s, size_t i)
{
    return s->kind == CS_MIXED ? s->part[i] : cs_space_part(s, 0);
}

static size_t count_parts(const cs_space *s)
{
    return s->kind == CS_MIXED ? s->n_parts : 1;
}

size_t cs_space_sites(const cs_space *s)
{
    size_t n = 0;
    for (size_t i = 0; i < count_parts(s); i++)
        n += part_at(s, i).kind != CS_CONTINUOUS ? part_at(s, i).dim : 0;
    return n;
}

bool cs_space_is_countable(const cs_space *s)
{
    return cs_space_sites(s) == s->dim;
}

int cs_space_most_values(const cs_space *s)
{
    int most = 0;
    for (size_t i = 0; i < count_parts(s); i++)
        if (part_at(s, i).kind != CS_CONTINUOUS && part_at(s, i).values > most)
            most = part_at(s, i).values;
    return most;
}

/* ---- states -------------------------------------------------------------- */

static bool part_contains(const cs_part *p, const double *x, size_t stride)
{
    double high = p->low + p->values - 1;
    for (size_t i = p->first; i < p->first + p->dim; i++) {
        double value = x[i * stride];
        if (!isfinite(value))
            return false;
        if (p->kind == CS_CONTINUOUS)
            continue;
        if (value < p->low || value > high || value != floor(value))
            return false;
    }
    return true;
}

bool cs_space_contains(const cs_space *space, const double *x, size_t stride)
{
    assert(cs_space_is_valid(space) && x && stride >= 1);
    for (size_t i = 0; i < count_parts(space); i++) {
        cs_part p = part_at(space, i);
        if (!part_contains(&p, x, stride))
            return false;
    }
    return true;
}

void cs_space_start(const cs_space *space, const double *uniform, double *x)
{
    assert(cs_space_is_valid(space) && uniform && x);
    for (size_t k = 0; k < count_parts(space); k++) {
        cs_part p = part_at(space, k);
        for (size_t i = p.first; i < p.first + p.dim; i++)
            x[i] = p.kind == CS_CONTINUOUS
                       ? 4 * uniform[i] - 2
                       : p.low + floor(uniform[i] * p.values);
    }
}

double cs_space_states(const cs_space *space)
{
    assert(cs_space_is_valid(space));
    if (!cs_space_is_countable(space))
        return HUGE_VAL;
    double states = 1;
    for (size_t k = 0; k < count_parts(space); k++)
        for (size_t i = 0; i < part_at(space, k).dim && states <= 1e300; i++)
            states *= part_at(space, k).values;
    return states <= 1e300 ? states : HUGE_VAL;
}

void cs_space_state(const cs_space *space, size_t index, double *x)
{
    assert((double)index < cs_space_states(space));
    for (size_t k = count_parts(space); k-- > 0;) {
        cs_part p = part_at(space, k);
        size_t values = (size_t)p.values;
        for (size_t i = p.dim; i-- > 0; index /= values)
            x[p.first + i] = p.low + (double)(index % values);
    }
}

size_t cs_space_index(const cs_space *space, const double *x, size_t stride)
{
    assert(cs_space_is_countable(space) && cs_space_contains(space, x, stride));
    size_t index = 0;
    for (size_t k = 0; k < count_parts(space); k++) {
        cs_part p = part_at(space, k);
        for (size_t i = p.first; i < p.first + p.dim; i++)
            index = index * (size_t)p.values + (size_t)(x[i * stride] - p.low);
    }
    return index;
}

static bool is_same_part(const cs_part *a, const cs_part *b)
{
    return a->kind == b->kind && a->dim == b->dim && a->low == b->low &&
           a->values == b->values;
}

bool cs_space_is_same(const cs_space *a, const cs_space *b)
{
    if (a->kind != b->kind || a->dim != b->dim ||
        count_parts(a) != count_parts(b))
        return false;
    for (size_t i = 0; i < count_parts(a); i++) {
        cs_part p = part_at(a, i), q = part_at(b, i);
        if (!is_same_part(&p, &q))
            return false;
    }
    return true;
}
