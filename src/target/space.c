#include "target/space.h"

#include "base/contract.h"

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
    }
    return "unknown";
}

CS_CONTRACT bool is_space(const cs_space *s)
{
    return s && s->dim >= 1 &&
           (s->kind == CS_CONTINUOUS ||
            (s->values >= 1 &&
             (s->kind == CS_BINARY || s->kind == CS_CATEGORICAL ||
              s->kind == CS_ORDINAL)));
}

bool cs_space_contains(const cs_space *space, const double *x, size_t stride)
{
    assert(is_space(space) && x && stride >= 1);
    double high = space->low + space->values - 1;
    for (size_t i = 0; i < space->dim; i++) {
        double value = x[i * stride];
        if (!isfinite(value))
            return false;
        if (space->kind == CS_CONTINUOUS)
            continue;
        if (value < space->low || value > high || value != floor(value))
            return false;
    }
    return true;
}

void cs_space_start(const cs_space *space, const double *uniform, double *x)
{
    assert(is_space(space) && uniform && x);
    for (size_t i = 0; i < space->dim; i++)
        x[i] = space->kind == CS_CONTINUOUS
                   ? 4 * uniform[i] - 2
                   : space->low + floor(uniform[i] * space->values);
}

double cs_space_states(const cs_space *space)
{
    assert(is_space(space));
    if (space->kind == CS_CONTINUOUS)
        return HUGE_VAL;
    double states = 1;
    for (size_t i = 0; i < space->dim && states <= 1e300; i++)
        states *= space->values;
    return states <= 1e300 ? states : HUGE_VAL;
}

void cs_space_state(const cs_space *space, size_t index, double *x)
{
    assert(space->kind & CS_DISCRETE && (double)index < cs_space_states(space));
    size_t values = (size_t)space->values;
    for (size_t i = space->dim; i-- > 0; index /= values)
        x[i] = space->low + (double)(index % values);
}

size_t cs_space_index(const cs_space *space, const double *x)
{
    assert(space->kind & CS_DISCRETE && cs_space_contains(space, x, 1));
    size_t index = 0;
    for (size_t i = 0; i < space->dim; i++)
        index = index * (size_t)space->values + (size_t)(x[i] - space->low);
    return index;
}
