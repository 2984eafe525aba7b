/* constant: v(k) = value, the same value at every step. */
#include "schedule/schedule.h"
#include "simd/simd.h"

#include <math.h>

static void fill(const cs_schedule *s, uint64_t first, size_t n, double *out)
{
    (void)first;
    for (size_t i = 0; i < n; i++)
        out[i] = s->values[0];
}

static double period(const cs_schedule *s)
{
    (void)s;
    return 1;
}

static const cs_param rows[] = {
    {.name = "value",
     .flags = CS_PARAM_REQUIRED | CS_SCHEDULE_DRIVES,
     .min = -HUGE_VAL,
     .max = HUGE_VAL,
     .help = "the value at every step"},
};

const cs_schedule_type CS_VARIANT(cs_schedule_constant) = {
    .name = "constant",
    .title = "Constant",
    .help = "The same value at every step.",
    CS_PARAM_TABLE(rows),
    .fill = fill,
    .period = period,
};
