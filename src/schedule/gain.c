/* gain: v(k) = min(scale / (k^power + offset), max), k = 1, 2, ...
 *
 * The gain of stochastic approximation, A / (k^a + B), as in Benveniste,
 * Metivier and Priouret (1990) and in the csgld paper: 1 / (k^0.6 + 100) in
 * section 4, 1 / (k^0.75 + 100) and min(0.003, 10 / (k^0.8 + 100)) in appendix
 * D.3, and 10 / (k^0.75 + 1000) in D.4. It differs from A (B + k)^-a, the form
 * of the schedule `polynomial`; for equal A, a and B the two differ by a factor
 * of up to B^(1 - a). */
#include "schedule/schedule.h"
#include "simd/simd.h"

#include <math.h>

enum { SCALE, POWER, OFFSET, MAX };

static void fill(const cs_schedule *s, uint64_t first, size_t n, double *out)
{
    const double *v = s->values;
    for (size_t i = 0; i < n; i++) {
        double k = pow((double)(first + i), v[POWER]);
        out[i] = fmin(v[SCALE] / (k + v[OFFSET]), v[MAX]);
    }
}

static const cs_param rows[] = {
    [SCALE] = {.name = "scale",
               .flags = CS_PARAM_REQUIRED,
               .min = 0,
               .max = HUGE_VAL,
               .help = "A in the formula A / (n^a + B) for step n"},
    [POWER] =
        {.name = "power",
         CS_PARAM_RANGE(0, 16, 0.75),
         .help =
             "a: exponent, which determines how fast the value decreases; "
             "convergence theorems require a value above 1/2 and at most 1"},
    [OFFSET] = {.name = "offset",
                .min = 0,
                .max = 1e15,
                .help = "B: offset in the denominator; the value hardly "
                        "decreases while n^a is below B"},
    [MAX] = {.name = "max",
             .flags = CS_SCHEDULE_DRIVES,
             CS_PARAM_RANGE(0, HUGE_VAL, HUGE_VAL),
             .help = "largest value"},
};

const cs_schedule_type CS_VARIANT(cs_schedule_gain) = {
    .name = "gain",
    .title = "Gain of stochastic approximation",
    .ref = "Deng, Lin and Liang 2020, section 4; Benveniste et al. 1990",
    .help =
        "At step n the value is scale / (n^power + offset), but at most max.",
    CS_PARAM_TABLE(rows),
    .fill = fill,
};
