/* warmup: runs a number of steps that are not recorded as draws. Changes no
 * parameter. One trial. */
#include "tune/tuner.h"

enum { STEPS };

typedef struct memory {
    double trials; /* number of trials so far */
} memory;

static size_t trials(const double *values)
{
    (void)values;
    return 1;
}

static uint64_t steps(const double *values)
{
    return (uint64_t)values[STEPS];
}

static bool next(const cs_tuner *t, void *of, const double *result,
                 cs_trial *trial)
{
    memory *m = of;
    (void)result;
    *trial = (cs_trial){.keep = CS_NO_SLOT,
                        .from = CS_NO_SLOT,
                        .steps = steps(t->values),
                        .taken = CS_NO_TRIAL};
    return m->trials++ < 1;
}

static void freeze(const cs_tuner *t, const void *of, cs_schedule *out)
{
    (void)t, (void)of, (void)out;
}

static const char *const phases[] = {"warm-up", NULL};
static const char *const nothing[] = {NULL};

static const cs_param rows[] = {
    [STEPS] = {.name = "steps",
               .unit = "steps",
               .kind = CS_PARAM_INT,
               CS_PARAM_RANGE(1, 1e12, 1000),
               .help = "length of the warm-up, per chain"},
};

const cs_tuner_type cs_tuner_warmup = {
    .name = "warmup",
    .title = "Warm-up without tuning",
    .ref = "",
    .help =
        "Runs steps before the draws start, so that the first states, which "
        "depend on the initial state, are discarded. Does not change any "
        "parameter. The field `warmup` of a scenario gives this tuner to every "
        "arm without a tuner.",
    CS_PARAM_TABLE(rows),
    .driven = nothing,
    .phases = phases,
    .memory = sizeof(memory),
    .steps = steps,
    .trials = trials,
    .next = next,
    .freeze = freeze,
};
