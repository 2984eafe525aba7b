/* acceptance: finds a value of one parameter at which a given share of
 * proposals is accepted.
 *
 *   log v(t+1) = log v(t) + gain t^(-2/3) (a(t) - target)
 *                           / (target (1 - target)),          t = 1 .. n,
 *
 * where a(t) is the mean acceptance of trial t at the value v(t). The result is
 * the geometric mean of v(n/2 + 2) .. v(n + 1). Robbins and Monro, "A
 * Stochastic Approximation Method" (1951), on the log scale, as in Andrieu and
 * Thoms, "A tutorial on adaptive MCMC" (2008), Algorithm 4; the averaging is
 * that of Polyak and Juditsky (1992). The divisor target (1 - target) is not in
 * these papers. It has the effect that targets near 0 or 1 are reached as fast
 * as other targets. The tuner assumes that acceptance decreases as the
 * parameter grows. In each trial the chains continue from their current
 * states.
 *
 * For a kernel made of members the parameter of each member is tuned to the
 * acceptance of that member. A trial in which a member makes no step does not
 * count for it. */
#include "tune/tuner.h"

#include <math.h>

enum { ACCEPTANCE, PARAMETER, STEPS, TRIAL_STEPS, GAIN };

typedef struct memory {
    double trials;                 /* number of trials so far */
    double value[CS_TUNER_DRIVEN]; /* logs of the parameters */
    double sum[CS_TUNER_DRIVEN]; /* sums of `value` over the second half of the
                                      trials */
    double heard[CS_TUNER_DRIVEN]; /* numbers of results */
} memory;

static size_t trials(const double *values)
{
    double n = floor(values[STEPS] / values[TRIAL_STEPS]);
    return n > 1 ? (size_t)n : 1;
}

static uint64_t steps(const double *values)
{
    return (uint64_t)((double)trials(values) * values[TRIAL_STEPS]);
}

/* Uses the acceptance at value i. A trial without a result counts for a kernel
 * without members, which made its steps. */
static void hear(const cs_tuner *t, memory *m, size_t i, double result)
{
    double target = t->aim[i] > 0 ? t->aim[i] : t->values[ACCEPTANCE];
    bool known = !isnan(result);
    m->heard[i] += known || !t->composed;
    if (known)
        m->value[i] += t->values[GAIN] * pow(m->heard[i], -2.0 / 3) *
                       (result - target) / (target * (1 - target));
}

static bool next(const cs_tuner *t, void *of, const double *result,
                 cs_trial *trial)
{
    memory *m = of;
    size_t n = trials(t->values), count = cs_tuner_results(t);
    size_t made = (size_t)m->trials;
    for (size_t i = 0; !made && i < count; i++)
        m->value[i] = log(t->start[i]);
    for (size_t i = 0; made && i < count; i++)
        hear(t, m, i, result[i]);
    for (size_t i = 0; made > n / 2 && i < count; i++)
        m->sum[i] += m->value[i];
    m->trials++;
    *trial = (cs_trial){.keep = CS_NO_SLOT,
                        .from = CS_NO_SLOT,
                        .steps = (uint64_t)t->values[TRIAL_STEPS],
                        .phase = made > n / 2,
                        .taken = CS_NO_TRIAL};
    for (size_t i = 0; i < count; i++)
        trial->value[i] = exp(m->value[i]);
    return made < n;
}

static void freeze(const cs_tuner *t, const void *of, cs_schedule *out)
{
    const memory *m = of;
    size_t n = trials(t->values);
    for (size_t i = 0; i < cs_tuner_results(t); i++)
        out[i] = cs_schedule_constant(exp(m->sum[i] / (double)(n - n / 2)));
}

static const char *const phases[] = {"search", "average", NULL};

static const cs_param rows[] = {
    [ACCEPTANCE] = {.name = "acceptance",
                    .max = 0.99,
                    .help =
                        "target mean acceptance; 0: the default of the kernel "
                        "(hmc 0.8; random walk from 0.44 in one dimension to "
                        "0.234 in many dimensions; others 0.574)",
                    .ref = "Roberts and Rosenthal 2001"},
    [PARAMETER] = {.name = "parameter",
                   .kind = CS_PARAM_TEXT,
                   .help = "kernel parameter that is tuned; for a cycle or a "
                           "mixture, of each member that has it"},
    [STEPS] = {.name = "steps",
               .unit = "steps",
               .kind = CS_PARAM_INT,
               CS_PARAM_RANGE(1, 1e7, 500),
               .help = "length of the warm-up, per chain"},
    [TRIAL_STEPS] = {.name = "trial_steps",
                     .unit = "steps",
                     .kind = CS_PARAM_INT,
                     CS_PARAM_RANGE(1, 1e6, 5),
                     .help = "steps per trial; each trial measures the "
                             "acceptance rate for one value of the parameter"},
    [GAIN] = {.name = "gain",
              .flags = CS_PARAM_LOG,
              CS_PARAM_RANGE(0.01, 100, 1),
              .help = "size of the changes of log(parameter) after the trials"},
};

const cs_tuner_type cs_tuner_acceptance = {
    .name = "acceptance",
    .title = "To a target acceptance",
    .ref = "Andrieu and Thoms, A tutorial on adaptive MCMC, 2008, Algorithm 4",
    .help = "Adjusts one parameter, by default the step size, until the target "
            "share of proposals is accepted. The search starts at the kernel's "
            "value. The result is the mean of the values in the second half of "
            "the warm-up.",
    CS_PARAM_TABLE(rows),
    .phases = phases,
    .by_member = true,
    .memory = sizeof(memory),
    .steps = steps,
    .trials = trials,
    .next = next,
    .freeze = freeze,
};
