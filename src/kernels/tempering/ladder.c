/* Checks a list of temperatures and derives values from it. */
#include "kernels/tempering/tempered.h"

static cs_status check_rise(const cs_value *v, cs_error *err)
{
    static const char example[] = "give for example temperatures = { 1, 2, 4, "
                                  "8 }; 1 is the target itself";
    if (v->array[0] == 1)
        return cs_list_rises(v, example, err);
    cs_fail(err, CS_RANGE,
            "the first entry of `temperatures` must be 1, not %g", v->array[0]);
    cs_hint(err, "%s", example);
    return CS_RANGE;
}

static cs_status check_hottest(const cs_param *row, const cs_value *v,
                               cs_error *err)
{
    double last = v->array[v->rows - 1];
    if (last <= row->max)
        return CS_OK;
    cs_fail(err, CS_RANGE, "the last entry of `temperatures` is %g", last);
    cs_hint(err, "use at most %g", row->max);
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
        cs_fail(err, CS_RANGE, "`temperatures` has %zu numbers", t->rows);
        cs_hint(err, "use at most %g", rungs->max);
        return CS_RANGE;
    }
    cs_status s = check_rise(t, err);
    if (!s)
        s = cs_list_follows(&given[CS_LADDER_RUNGS], t->name, (double)t->rows,
                            &values[CS_LADDER_RUNGS], err);
    if (!s)
        s = check_hottest(&rungs[CS_LADDER_HOTTEST - CS_LADDER_RUNGS], t, err);
    if (!s)
        s = cs_list_follows(&given[CS_LADDER_HOTTEST], t->name,
                            t->array[t->rows - 1], &values[CS_LADDER_HOTTEST],
                            err);
    return s;
}
