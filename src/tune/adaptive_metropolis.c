/* adaptive_metropolis: a random walk whose metric is the covariance of its own
 * past states, frozen before the draws.
 *
 *   y = x + 2.38 / sqrt(d) L z,  z ~ N(0, I),  L L' = S,
 *
 * where S is the covariance of the states of all chains of the arm in the last
 * window. Windows double in length, and the last window ends with the warm-up.
 * Before the first metric the walk uses the kernel's own step. A kernel without
 * a step size, such as independence, receives only the metric and its centre.
 *
 * Haario, Saksman and Tamminen, "An adaptive Metropolis algorithm" (2001); the
 * factor: Gelman, Roberts and Gilks (1996). Differences from the paper: there
 * the covariance is that of the complete past of one chain, and keeps changing.
 * Here the transient from the start is discarded and the learned covariance is
 * frozen, so the draws form a Markov chain. */
#include "tune/tuner.h"

#include <math.h>

enum { STEPS, WINDOW };
enum { SEARCH, ADAPT };

typedef struct memory {
    double made;   /* number of trials so far, one step each */
    double end;    /* last step of the window */
    double length; /* length of the window in steps */
    double closed; /* number of finished windows */
} memory;

static size_t trials(const double *v)
{
    return (size_t)v[STEPS];
}

static uint64_t steps(const double *v)
{
    return (uint64_t)v[STEPS];
}

/* Starts a window of the given length. If no further window of twice that
 * length would fit after it, the window takes all remaining steps instead. */
static void begin_window(const cs_tuner *t, memory *m)
{
    double last = t->values[STEPS] - 1;
    m->end = m->made + m->length - 1;
    if (m->end + 2 * m->length > last)
        m->end = last;
}

static double step_of(const cs_tuner *t, const memory *m)
{
    return m->closed > 0 ? 2.38 / sqrt((double)t->dim) : t->start[0];
}

static bool next(const cs_tuner *t, void *of, const double *result,
                 cs_trial *trial)
{
    memory *m = of;
    (void)result;
    if (m->made == 0) {
        m->length = t->values[WINDOW];
        begin_window(t, m);
    } else if (m->made - 1 == m->end) {
        m->length *= 2;
        m->closed++;
        begin_window(t, m);
    }
    *trial = (cs_trial){.keep = CS_NO_SLOT,
                        .from = CS_NO_SLOT,
                        .steps = 1,
                        .value = {step_of(t, m)},
                        .gathers = true,
                        .closes = m->made == m->end,
                        .phase = m->closed > 0 ? ADAPT : SEARCH,
                        .taken = CS_NO_TRIAL};
    return m->made++ < t->values[STEPS];
}

static void freeze(const cs_tuner *t, const void *of, cs_schedule *out)
{
    out[0] = cs_schedule_constant(step_of(t, of));
}

static const char *const phases[] = {
    [SEARCH] = "own step", [ADAPT] = "window", NULL};
static const char *const driven[] = {"step", NULL};

static const cs_param rows[] = {
    [STEPS] = {.name = "steps",
               .unit = "steps",
               .kind = CS_PARAM_INT,
               CS_PARAM_RANGE(2, 1e6, 2000),
               .help = "length of the warm-up, per chain"},
    [WINDOW] = {.name = "window",
                .unit = "steps",
                .kind = CS_PARAM_INT,
                CS_PARAM_RANGE(2, 1e6, 100),
                .help = "length of the first window; each window is twice as "
                        "long as the window before"},
};

const cs_tuner_type cs_tuner_adaptive_metropolis = {
    .name = "adaptive_metropolis",
    .title = "Adaptive Metropolis",
    .ref = "Haario, Saksman and Tamminen, An adaptive Metropolis algorithm, "
           "2001",
    .help =
        "Sets the covariance of a random walk's proposals to the covariance of "
        "the past states, in windows of doubling length, and its step size to "
        "2.38 / sqrt(d) in d dimensions. After the warm-up, the last "
        "covariance is used for all draws. The kernel independence, which has "
        "no step size, proposes around the mean of the past states.",
    CS_PARAM_TABLE(rows),
    .driven = driven,
    .phases = phases,
    .memory = sizeof(memory),
    .learns = CS_LEARNS_DENSE,
    .steps = steps,
    .trials = trials,
    .next = next,
    .freeze = freeze,
};
