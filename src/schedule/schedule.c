#include "schedule/schedule.h"

#include <assert.h>

cs_status cs_schedule_init(cs_schedule *s, const cs_schedule_type *type,
                           const cs_value *given, size_t n_given, cs_error *err)
{
    assert(type->n_params <= CS_SCHEDULE_VALUES);
    cs_value values[CS_SCHEDULE_VALUES];
    cs_status status = cs_params_resolve(
        type->name, type->params, type->n_params, given, n_given, values, err);
    if (status)
        return status;
    *s = (cs_schedule){.type = type};
    for (size_t i = 0; i < type->n_params; i++)
        s->values[i] = values[i].number;
    return CS_OK;
}

cs_schedule cs_schedule_constant(double value)
{
    return (cs_schedule){.type = cs_schedule_find("constant"),
                         .values = {value}};
}
