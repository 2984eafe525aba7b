/* linear: v(k) = from + (to - from) min((k - 1) / steps, 1), k = 1, 2, ... The
 * value is `from` at the first step, and `to` from step `steps` + 1 on. */
#include "schedule/schedule.h"
#include "simd/simd.h"

#include <math.h>

enum { FROM, TO, STEPS };

static void fill(const cs_schedule *s, uint64_t first, size_t n, double *out)
{
    double from = s->values[FROM], to = s->values[TO];
    for (size_t i = 0; i < n; i++) {
        double part = (double)(first - 1 + i) / s->values[STEPS];
        out[i] = part < 1 ? from + (to - from) * part : to;
    }
}

static const cs_param rows[] = {
    [FROM] = {.name = "from",
              .flags = CS_PARAM_REQUIRED | CS_SCHEDULE_DRIVES,
              .min = -HUGE_VAL,
              .max = HUGE_VAL,
              .help = "the value at the first step"},
    [TO] = {.name = "to",
            .flags = CS_PARAM_REQUIRED | CS_SCHEDULE_DRIVES,
            .min = -HUGE_VAL,
            .max = HUGE_VAL,
            .help = "the value from step 1 + steps on"},
    [STEPS] = {.name = "steps",
               .unit = "steps",
               .kind = CS_PARAM_INT,
               CS_PARAM_RANGE(1, 1e15, 1000),
               .help = "number of steps from one value to the other"},
};

const cs_schedule_type CS_VARIANT(cs_schedule_linear) = {
    .name = "linear",
    .title = "Linear ramp",
    .help = "The value changes linearly from one value to another, then "
            "remains constant.",
    CS_PARAM_TABLE(rows),
    .fill = fill,
};
