/* Checks of a list of temperatures, and what follows from it. */
#include "kernels/tempering/tempered.h"

static cs_status check_rise(const cs_value *v, cs_error *err)
{
    size_t wrong = 0;
    if (v->array[0] == 1)
        for (size_t i = 1; i < v->rows && !wrong; i++)
            wrong = v->array[i] > v->array[i - 1] ? 0 : i;
    if (v->array[0] != 1)
        cs_fail(err, CS_RANGE, "temperatures begin at %g, not at 1",
                v->array[0]);
    else if (wrong)
        cs_fail(err, CS_RANGE, "temperatures must rise: %g is followed by %g",
                v->array[wrong - 1], v->array[wrong]);
    else
        return CS_OK;
    cs_hint(err, "temperatures = { 1, 2, 4, 8 }, say: 1 is the target itself");
    return CS_RANGE;
}

static cs_status check_hottest(const cs_param *row, const cs_value *v,
                               cs_error *err)
{
    double last = v->array[v->rows - 1];
    if (last <= row->max)
        return CS_OK;
    cs_fail(err, CS_RANGE, "temperatures end at %g", last);
    cs_hint(err, "use at most %g", row->max);
    return CS_RANGE;
}

/* What the list says cannot be said otherwise beside it. */
static cs_status follow(const cs_value *given, const char *name, double number,
                        double *value, cs_error *err)
{
    *value = number;
    if (!given->given || given->number == number)
        return CS_OK;
    cs_fail(err, CS_RANGE, "%s = %g, but it follows from temperatures: %g",
            name, given->number, number);
    cs_hint(err, "leave out %s", name);
    return CS_RANGE;
}

cs_status cs_ladder_arrange(const cs_param *rungs, const cs_value *given,
                            const cs_value *temperatures, double *values,
                            cs_error *err)
{
    const cs_value *t = temperatures;
    if (!t->given)
        return CS_OK;
    if ((double)t->rows > rungs->max) {
        cs_fail(err, CS_RANGE, "temperatures holds %zu numbers", t->rows);
        cs_hint(err, "use at most %g", rungs->max);
        return CS_RANGE;
    }
    cs_status s = check_rise(t, err);
    if (!s)
        s = follow(&given[CS_LADDER_RUNGS], "rungs", (double)t->rows,
                   &values[CS_LADDER_RUNGS], err);
    if (!s)
        s = check_hottest(&rungs[CS_LADDER_HOTTEST - CS_LADDER_RUNGS], t, err);
    if (!s)
        s = follow(&given[CS_LADDER_HOTTEST], "hottest", t->array[t->rows - 1],
                   &values[CS_LADDER_HOTTEST], err);
    return s;
}
