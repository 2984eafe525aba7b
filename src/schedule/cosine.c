/* cosine: repeats every `period` steps. With t = (k - 1) mod period,
 *
 *   shape floor:   v(k) = max( max/2 (cos(pi t / period) + 1), min )
 *   shape smooth:  v(k) = (max - min)/2 cos(pi t / period) + (max + min)/2
 *   both shapes:   v(k) = min while t >= period - rest
 *
 * "floor" is the schedule of the step size in Pynadath, Bhattacharya, Hariharan
 * and Zhang, "Gradient-based Discrete Sampling with Automatic Cyclical
 * Scheduling", Eq. 7. In the paper, Eq. 7 lacks the factor 1/2 and the brackets
 * around cos + 1, so that the peak would be max + 1, whatever the unit. Each
 * cycle decreases to `min` and remains there. "smooth" is the schedule of the
 * balance in the same paper; its cycle ends just above `min`. A balance must
 * not use "floor", which would reduce a balance to 1/2 half-way through the
 * cycle. With the same `rest`, balance and step size remain at `min` for the
 * same number of steps, as in the paper. */
#include "schedule/schedule.h"
#include "simd/simd.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

enum { MAX, MIN, PERIOD, SHAPE, REST };
enum { FLOOR, SMOOTH };

static double value(const cs_schedule *s, uint64_t position)
{
    double max = s->values[MAX], min = s->values[MIN];
    double wave = cos(pi * (double)position / s->values[PERIOD]);
    if ((double)position >= s->values[PERIOD] - s->values[REST])
        return min;
    if (s->values[SHAPE] == SMOOTH)
        return (max - min) / 2 * wave + (max + min) / 2;
    return fmax(max / 2 * (wave + 1), min);
}

static void fill(const cs_schedule *s, uint64_t first, size_t n, double *out)
{
    uint64_t period = (uint64_t)s->values[PERIOD];
    for (size_t i = 0; i < n; i++)
        out[i] = value(s, (first - 1 + i) % period);
}

static double repeat(const cs_schedule *s)
{
    return s->values[PERIOD];
}

static const char *const shapes[] = {"floor", "smooth", NULL};

static const cs_param rows[] = {
    [MAX] = {.name = "max",
             .flags = CS_PARAM_REQUIRED | CS_SCHEDULE_DRIVES,
             .min = -HUGE_VAL,
             .max = HUGE_VAL,
             .help = "the value at the start of each cycle"},
    [MIN] = {.name = "min",
             .flags = CS_PARAM_REQUIRED | CS_SCHEDULE_DRIVES,
             .min = -HUGE_VAL,
             .max = HUGE_VAL,
             .help = "the value at the end of each cycle"},
    [PERIOD] = {.name = "period",
                .unit = "steps",
                .kind = CS_PARAM_INT,
                CS_PARAM_RANGE(1, 1e15, 20),
                .help = "steps of one cycle"},
    [SHAPE] = {.name = "shape",
               .kind = CS_PARAM_CHOICE,
               .max = 1,
               .choices = shapes,
               .help = "shape of the curve. floor: the value decreases from "
                       "max towards 0, but not below min; smooth: the value "
                       "decreases from max to min"},
    [REST] =
        {.name = "rest",
         .unit = "steps",
         .kind = CS_PARAM_INT,
         .max = 1e15,
         .help =
             "steps at the end of each cycle during which the value is min"},
};

const cs_schedule_type CS_VARIANT(cs_schedule_cosine) = {
    .name = "cosine",
    .title = "Cyclical cosine",
    .ref = "Pynadath et al., Gradient-based Discrete Sampling with Automatic "
           "Cyclical Scheduling, Eq. 7 (corrected)",
    .help = "In each cycle the value decreases along half a cosine from max to "
            "min.",
    CS_PARAM_TABLE(rows),
    .fill = fill,
    .period = repeat,
};
