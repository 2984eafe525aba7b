/* cycle: repeats a list of numbers, v(k) = values[(k - 1) mod n]. Used for the
 * results of tuners, and for schedules without a formula. */
#include "schedule/schedule.h"
#include "simd/simd.h"

enum { VALUES, FIRST };

static void fill(const cs_schedule *s, uint64_t first, size_t n, double *out)
{
    uint64_t period = (uint64_t)s->values[VALUES];
    for (size_t i = 0; i < n; i++)
        out[i] = s->values[FIRST + (first - 1 + i) % period];
}

static double period(const cs_schedule *s)
{
    return s->values[VALUES];
}

static const cs_param rows[] = {
    [VALUES] = {.name = "values",
                .kind = CS_PARAM_ARRAY,
                .flags = CS_PARAM_REQUIRED,
                .help = "list of the values at the steps of a cycle, at most "
                        "128 values. Parameters of kernels also accept the "
                        "list without a schedule: step = { 5, 2, 1 }"},
};

const cs_schedule_type CS_VARIANT(cs_schedule_cycle) = {
    .name = "cycle",
    .title = "Repeating list",
    .ref = "Pynadath et al., Gradient-based Discrete Sampling with Automatic "
           "Cyclical Scheduling, Algorithm 1",
    .help = "Uses one value of a list per step, and starts again after the "
            "last value.",
    CS_PARAM_TABLE(rows),
    .fill = fill,
    .period = period,
};
