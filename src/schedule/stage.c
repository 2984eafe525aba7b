/* stage: v(k) = 0 while t < begin, else 1, where t = ((k - 1) mod period) /
 * period.
 *
 * The two stages of a cycle. In cyclical stochastic gradient MCMC (Zhang, Li,
 * Zhang, Chen and Wilson 2020) the first part of each cycle explores and the
 * rest samples. `stage` drives a parameter that selects the draws that count;
 * the step size is then driven by a cosine schedule of the same period. */
#include "schedule/schedule.h"
#include "simd/simd.h"

enum { PERIOD, BEGIN };

static void fill(const cs_schedule *s, uint64_t first, size_t n, double *out)
{
    double period = s->values[PERIOD], begin = s->values[BEGIN] * period;
    for (size_t i = 0; i < n; i++)
        out[i] = (double)((first - 1 + i) % (uint64_t)period) < begin ? 0 : 1;
}

static double repeat(const cs_schedule *s)
{
    return s->values[PERIOD];
}

static const cs_param rows[] = {
    [PERIOD] = {.name = "period",
                .flags = CS_PARAM_REQUIRED,
                .unit = "steps",
                .kind = CS_PARAM_INT,
                CS_PARAM_RANGE(1, 1e15, 1000),
                .help = "steps of a cycle"},
    [BEGIN] = {.name = "begin",
               .max = 1,
               .def = 0.5,
               .help =
                   "fraction of each cycle after which the value becomes 1"},
};

const cs_schedule_type CS_VARIANT(cs_schedule_stage) = {
    .name = "stage",
    .title = "Stage of a cycle",
    .ref = "Zhang, Li, Zhang, Chen and Wilson 2020, section 3",
    .help = "The value is 0 in the first part of each cycle and 1 in the "
            "second part.",
    CS_PARAM_TABLE(rows),
    .fill = fill,
    .period = repeat,
};
