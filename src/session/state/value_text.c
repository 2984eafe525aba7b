#include "session/state/value_text.h"

#include "base/decimal.h"
#include "chain/kernel_text.h"
#include "run/views/view.h"

#include <stdio.h>

/* Writes a value as a user would type it: a choice by its name, or a number
 * with enough digits to reproduce it. */
void cs_put_number(const cs_param *row, double value, char *text, size_t size)
{
    char digits[CS_DECIMAL];
    bool named = row->kind == CS_PARAM_CHOICE && row->choices && value >= 0;
    size_t k = 0, n = cs_decimal_put(value, digits);
    while (named && k < (size_t)value && row->choices[k])
        k++;
    if (named && row->choices[k])
        snprintf(text, size, "%s", row->choices[k]);
    else
        snprintf(text, size, "%.*s", (int)n, digits);
}

void cs_put_value(const cs_run *r, size_t arm, const cs_param *row, cs_page *p)
{
    char value[64];
    const cs_arm_view v = cs_run_arm(r, arm);
    size_t k = (size_t)(row - v.kernel->type->params);
    if (k >= v.kernel->type->n_params)
        return; /* the value is a list, which no command changes */
    const cs_schedule *schedule = cs_plan_schedule(v.plan, k);
    cs_put_number(row, v.kernel->values[k], value, sizeof value);
    if (!v.plan->driven[k])
        cs_page_put(p, "%s", value);
    else if (cs_schedule_has_text(schedule))
        cs_schedule_put(p, schedule);
}
