/* decay: v(k) = max(from factor^n(k), min), where n(k) = 0 while k < start,
 * else 1 + floor((k - start) / every).
 *
 * The value is multiplied by `factor` at step `start` and at every `every`-th
 * step after it. This is the decay by epochs in the code released with the
 * csgld paper. */
#include "schedule/schedule.h"
#include "simd/simd.h"

#include <math.h>

enum { FROM, FACTOR, EVERY, START, MIN };

static void fill(const cs_schedule *s, uint64_t first, size_t n, double *out)
{
    const double *v = s->values;
    for (size_t i = 0; i < n; i++) {
        double past = (double)(first + i) - v[START];
        double times = past < 0 ? 0 : 1 + floor(past / v[EVERY]);
        out[i] = fmax(v[FROM] * pow(v[FACTOR], times), v[MIN]);
    }
}

static const cs_param rows[] = {
    [FROM] = {.name = "from",
              .flags = CS_PARAM_REQUIRED | CS_SCHEDULE_DRIVES,
              .min = 0,
              .max = HUGE_VAL,
              .help = "the value at the first step"},
    [FACTOR] = {.name = "factor",
                .flags = CS_PARAM_REQUIRED,
                .min = 0,
                .max = 1,
                .help = "factor by which the value is multiplied"},
    [EVERY] = {.name = "every",
               .unit = "steps",
               .kind = CS_PARAM_INT,
               CS_PARAM_RANGE(1, 1e15, 1),
               .help = "number of steps from one multiplication to the next"},
    [START] = {.name = "start",
               .unit = "steps",
               .kind = CS_PARAM_INT,
               CS_PARAM_RANGE(1, 1e15, 2),
               .help = "step of the first multiplication"},
    [MIN] = {.name = "min",
             .flags = CS_SCHEDULE_DRIVES,
             .min = 0,
             .max = HUGE_VAL,
             .help = "smallest value"},
};

const cs_schedule_type CS_VARIANT(cs_schedule_decay) = {
    .name = "decay",
    .title = "Geometric decay",
    .help = "The value is multiplied by a factor at regular intervals, from a "
            "given step on.",
    CS_PARAM_TABLE(rows),
    .fill = fill,
};
