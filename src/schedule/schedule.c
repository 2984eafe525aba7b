#include "schedule/schedule.h"

#include <assert.h>
#include <math.h>
#include <string.h>

const cs_param *cs_schedule_list(const cs_schedule_type *type)
{
    size_t n = type->n_params;
    bool has = n && type->params[n - 1].kind == CS_PARAM_ARRAY;
    return has ? &type->params[n - 1] : NULL;
}

static bool is_length(double n)
{
    return n >= 1 && n <= CS_SCHEDULE_LIST && n == floor(n);
}

size_t cs_schedule_used(const cs_schedule *s)
{
    size_t n = s->type->n_params;
    bool list = cs_schedule_list(s->type) && is_length(s->values[n - 1]);
    return list ? n + (size_t)s->values[n - 1] : n;
}

bool cs_schedule_sound(const cs_schedule *s)
{
    const cs_schedule_type *type = s->type;
    size_t plain = type->n_params - (cs_schedule_list(type) != NULL);
    for (size_t i = 0; i < plain; i++)
        if (cs_param_check_number(&type->params[i], s->values[i], NULL))
            return false;
    if (plain == type->n_params)
        return true;
    if (!is_length(s->values[plain]))
        return false;
    for (size_t i = type->n_params; i < cs_schedule_used(s); i++)
        if (!isfinite(s->values[i]))
            return false;
    return true;
}

static cs_status take_list(cs_schedule *s, const cs_value *list, cs_error *err)
{
    size_t n = list->rows * list->cols;
    double *to = s->values + s->type->n_params;
    if (!is_length((double)n))
        return cs_fail(err, CS_RANGE,
                       "%s of %s: expected 1 to %d numbers, not %zu",
                       list->name, s->type->name, CS_SCHEDULE_LIST, n);
    to[-1] = (double)n;
    memcpy(to, list->array, n * sizeof *to);
    for (size_t i = 0; i < n; i++)
        if (!isfinite(to[i]))
            return cs_fail(err, CS_RANGE, "%s of %s: number %zu is not finite",
                           list->name, s->type->name, i + 1);
    return CS_OK;
}

cs_status cs_schedule_init(cs_schedule *s, const cs_schedule_type *type,
                           const cs_value *given, size_t n_given, cs_error *err)
{
    assert(type->n_params <= CS_SCHEDULE_ROWS);
    cs_value values[CS_SCHEDULE_ROWS];
    cs_status status = cs_params_resolve(
        type->name, type->params, type->n_params, given, n_given, values, err);
    if (status)
        return status;
    *s = (cs_schedule){.type = type};
    for (size_t i = 0; i < type->n_params; i++)
        s->values[i] = values[i].number;
    const cs_param *list = cs_schedule_list(type);
    return list ? take_list(s, &values[list - type->params], err) : CS_OK;
}

cs_schedule cs_schedule_cycle(const double *value, size_t n)
{
    cs_schedule s = {.type = cs_schedule_find("cycle"), .values = {(double)n}};
    memcpy(s.values + 1, value, n * sizeof *value);
    return s;
}

cs_schedule cs_schedule_constant(double value)
{
    return (cs_schedule){.type = cs_schedule_find("constant"),
                         .values = {value}};
}
