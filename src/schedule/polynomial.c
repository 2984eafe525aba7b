/* polynomial: v(k) = scale (offset + max(k - start, 1))^-power, k = 1, 2, ...
 *
 * The step sizes of stochastic gradient Langevin dynamics (Welling and Teh
 * 2011, Eq. 2) and of stochastic approximation. Convergence theorems require
 * that the sum of the step sizes diverges and the sum of their squares
 * converges, which holds for power in (1/2, 1]. */
#include "schedule/schedule.h"
#include "simd/simd.h"

#include <math.h>

enum { SCALE, OFFSET, POWER, START };

static void fill(const cs_schedule *s, uint64_t first, size_t n, double *out)
{
    const double *v = s->values;
    for (size_t i = 0; i < n; i++) {
        double k = fmax((double)(first + i) - v[START], 1);
        out[i] = v[SCALE] * pow(v[OFFSET] + k, -v[POWER]);
    }
}

static const cs_param rows[] = {
    [SCALE] = {.name = "scale",
               .flags = CS_PARAM_REQUIRED,
               .min = -HUGE_VAL,
               .max = HUGE_VAL,
               .help = "a in the formula a (b + n)^-c for step n"},
    [OFFSET] = {.name = "offset",
                .min = 0,
                .max = 1e15,
                .help = "b: offset, about the number of steps during which the "
                        "value hardly decreases"},
    [POWER] =
        {.name = "power",
         CS_PARAM_RANGE(0, 16, 0.55),
         .help = "c: exponent, which determines how fast the value decreases"},
    [START] = {.name = "start",
               .unit = "steps",
               .kind = CS_PARAM_INT,
               .min = 0,
               .max = 1e15,
               .help = "step up to which the value is constant; later steps "
                       "are counted from `start`"},
};

const cs_schedule_type CS_VARIANT(cs_schedule_polynomial) = {
    .name = "polynomial",
    .title = "Polynomial decay",
    .ref = "Welling and Teh 2011, Eq. 2",
    .help = "At step n, counted from `start`, the value is scale (offset + "
            "n)^-power.",
    CS_PARAM_TABLE(rows),
    .fill = fill,
};
