/* window_adaptation: the warm-up of Stan, for all chains of an arm together.
 *
 *   log e(t+1) = mu - sqrt(t) / gamma h(t),
 *   h(t) = (1 - 1 / (t + t0)) h(t-1) + (target - a(t)) / (t + t0),
 *   log mean(t) = t^-kappa log e(t+1) + (1 - t^-kappa) log mean(t-1),
 *
 * with gamma = 0.05, t0 = 10, kappa = 0.75. This is dual averaging of the step
 * size e, where a(t) is the mean acceptance of step t. It restarts with every
 * new metric, with mu = log(10 e), from the step size e at which trajectories
 * of one gradient have the target acceptance; e is found by doubling or
 * halving. Metrics are covariances of the states in windows of 25, 50, 100 ...
 * steps, between a buffer of 75 steps at the start and one of 50 at the end.
 * With fewer than 150 steps the buffers take 15 % and 10 %; with fewer than 20
 * there is no window.
 *
 * Hoffman and Gelman, "The No-U-Turn Sampler" (2014), algorithm 5, for the step
 * size; the Stan reference manual, "Automatic parameter tuning", for the
 * windows. Differences from Stan: all chains share one step size and one
 * metric. Every window contains the states of all chains, except chains whose
 * log p is far below that of the other chains. Such chains climb or are moved
 * to the others before the first window and after each window
 * (run/tuning/chain_reach.h). If the user does not choose the kind of the
 * metric, it is dense only where this is worthwhile. A metric from a small
 * number of states is regularised towards the previous metric
 * (run/tuning/state_moments.h). The search for the first step size moves the
 * chains.
 *
 * For a kernel made of members each member has dual averaging and a metric of
 * its own coordinates, in common windows. A member that makes no step of a trial
 * (of a mixture) does not use it. */
#include "tune/tuner.h"

#include <math.h>

enum { STEPS, ACCEPTANCE, METRIC, START_BUFFER, END_BUFFER, WINDOW, PARAMETER };
enum { SEARCH, WARM, WINDOWS, FINAL };
enum { MOST_SEARCH = 60 };

static const double gamma_ = 0.05, t0 = 10, kappa = 0.75;

/* The adaptation of one step size. */
typedef struct step_size {
    double search;    /* number, from 1, of the present trial of the
                         search; 0: the search has ended */
    double direction; /* search: 1 larger, -1 smaller, 0 undecided */
    double log_step, mu, h, mean, t; /* state of the dual averaging */
} step_size;

typedef struct memory {
    double made;               /* number of trials so far, each of one step */
    double window_end, window; /* last step of the window, and length of the
                                  window */
    step_size size[CS_TUNER_DRIVEN];
} memory;

/* Number of steps before the first window, in the first window, and after the
 * last window. */
typedef struct buffers {
    double first, window, last;
} buffers;

static buffers buffers_of(const double *v)
{
    double n = v[STEPS];
    buffers b = {v[START_BUFFER], v[WINDOW], v[END_BUFFER]};
    if (n < 20)
        return (buffers){n, 0, 0};
    if (b.first + b.window + b.last > n) {
        b.first = floor(0.15 * n);
        b.last = floor(0.1 * n);
        b.window = n - b.first - b.last;
    }
    return b;
}

static size_t trials(const double *v)
{
    return (size_t)v[STEPS];
}

static uint64_t steps(const double *v)
{
    return (uint64_t)v[STEPS];
}

static bool has_windows(const cs_tuner *t)
{
    return t->n_parts > 0 && buffers_of(t->values).window > 0;
}

/* Sets the end of the next window, which begins after step m->made. The next
 * window is twice as long as the present window. If no further window of twice
 * its length would fit after it, the next window takes all remaining steps. */
static void next_window(const cs_tuner *t, memory *m)
{
    buffers b = buffers_of(t->values);
    double last = t->values[STEPS] - b.last - 1;
    if (m->window_end >= last) {
        m->window_end = -1;
        return;
    }
    m->window *= 2;
    double end = m->window_end + m->window;
    m->window_end = end != last && end + 2 * m->window > last ? last : end;
}

/* ---- step sizes ---------------------------------------------------------- */

static void begin_search(step_size *m)
{
    m->search = 1;
    m->direction = 0;
}

static void begin_averaging(step_size *m)
{
    m->search = 0;
    m->mu = log(10) + m->log_step;
    m->h = m->t = 0;
    m->mean = m->log_step;
}

/* Uses the result of a trial in which each trajectory has one gradient. The
 * search ends once the acceptance has crossed the target. */
static void hear_search(step_size *m, double target, double result)
{
    double way = result > target ? 1 : -1;
    if (m->direction == 0)
        m->direction = way;
    if (isnan(result) || way != m->direction || m->search >= MOST_SEARCH) {
        begin_averaging(m);
        return;
    }
    m->log_step += m->direction * log(2);
    m->search++;
}

static void hear(step_size *m, double target, double result)
{
    if (m->search > 0) {
        hear_search(m, target, result);
        return;
    }
    result = isnan(result) ? 0 : result;
    m->t++;
    double part = 1 / (m->t + t0), share = pow(m->t, -kappa);
    m->h = (1 - part) * m->h + part * (target - result);
    m->log_step = m->mu - sqrt(m->t) / gamma_ * m->h;
    m->mean = share * m->log_step + (1 - share) * m->mean;
}

/* ---- trials -------------------------------------------------------------- */

static void begin(const cs_tuner *t, memory *m)
{
    buffers b = buffers_of(t->values);
    m->window = b.window;
    m->window_end = has_windows(t) ? b.first + b.window - 1 : -1;
    for (size_t i = 0; i < cs_tuner_results(t); i++) {
        m->size[i].log_step = log(t->start[i]);
        begin_search(&m->size[i]);
    }
}

/* Uses the results of a trial. A member without a step has none. */
static void hear_all(const cs_tuner *t, memory *m, const double *result)
{
    for (size_t i = 0; i < cs_tuner_results(t); i++)
        if (!t->composed || !isnan(result[i]))
            hear(&m->size[i], t->aim[i] > 0 ? t->aim[i] : t->values[ACCEPTANCE],
                 result[i]);
}

/* Begins a search for each step size whose kernel has a new metric. */
static void search_again(const cs_tuner *t, memory *m)
{
    for (size_t p = 0; p < t->n_parts; p++)
        if (t->part[p].driven != CS_NO_ROW)
            begin_search(&m->size[t->part[p].driven]);
}

/* Returns the bits of the step sizes that are searched. */
static unsigned searched(const cs_tuner *t, const memory *m)
{
    unsigned bits = 0;
    for (size_t i = 0; i < cs_tuner_results(t); i++)
        bits |= (unsigned)(m->size[i].search > 0) << i;
    return bits;
}

static size_t phase(const cs_tuner *t, const memory *m)
{
    buffers b = buffers_of(t->values);
    if (searched(t, m))
        return SEARCH;
    if (!has_windows(t) || m->made < b.first)
        return WARM;
    return m->made < t->values[STEPS] - b.last ? WINDOWS : FINAL;
}

static bool next(const cs_tuner *t, void *of, const double *result,
                 cs_trial *trial)
{
    memory *m = of;
    if (m->made == 0)
        begin(t, m);
    else
        hear_all(t, m, result);
    if (m->made > 0 && m->made - 1 == m->window_end) {
        next_window(t, m);
        search_again(t, m);
    }
    buffers b = buffers_of(t->values);
    bool gathers = has_windows(t) && m->made >= b.first && m->window_end >= 0;
    bool closes = gathers && m->made == m->window_end;
    *trial = (cs_trial){.keep = CS_NO_SLOT,
                        .from = CS_NO_SLOT,
                        .steps = 1,
                        .single = searched(t, m),
                        .gathers = gathers,
                        .closes = closes,
                        .brings = closes || m->made == b.first - 1,
                        .phase = phase(t, m),
                        .taken = CS_NO_TRIAL};
    for (size_t i = 0; i < cs_tuner_results(t); i++)
        trial->value[i] = exp(m->size[i].log_step);
    return m->made++ < t->values[STEPS];
}

static void freeze(const cs_tuner *t, const void *of, cs_schedule *out)
{
    const memory *m = of;
    for (size_t i = 0; i < cs_tuner_results(t); i++) {
        const step_size *s = &m->size[i];
        bool averages = s->search == 0 && s->t > 0; /* true: s->mean was updated
                                                       with the current metric */
        out[i] = cs_schedule_constant(exp(averages ? s->mean : s->log_step));
    }
}

static const char *const phases[] = {[SEARCH] = "first step",
                                     [WARM] = "start",
                                     [WINDOWS] = "window",
                                     [FINAL] = "end",
                                     NULL};

static const char *const metrics[] = {
    [CS_METRIC_UNIT] = "unit",
    [CS_METRIC_DIAGONAL] = "diagonal",
    [CS_METRIC_DENSE] = "dense",
    [CS_TUNER_CHOOSES] = "auto",
    NULL,
};

static const cs_param rows[] = {
    [STEPS] = {.name = "steps",
               .unit = "steps",
               .kind = CS_PARAM_INT,
               CS_PARAM_RANGE(1, 1e6, 1000),
               .help = "length of the warm-up, per chain"},
    [ACCEPTANCE] = {.name = "acceptance",
                    .max = 0.99,
                    .help =
                        "target mean acceptance; 0: the default of the kernel "
                        "(nuts and hmc 0.8; random walk from 0.44 in one "
                        "dimension to 0.234 in many dimensions; others 0.574)",
                    .ref = "Hoffman and Gelman 2014"},
    [METRIC] =
        {.name = "metric",
         .kind = CS_PARAM_CHOICE,
         .max = CS_TUNER_CHOOSES,
         .def = CS_TUNER_CHOOSES,
         .choices = metrics,
         .help =
             "metric that is learned: none, the variances, or the full "
             "covariance. auto learns the variances if there are more than 100 "
             "coordinates. For up to 100 coordinates, it learns the full "
             "covariance if the correlations in a window are too large to be "
             "noise (the ratio of the eigenvalues exceeds twice the square of "
             "the ratio expected from noise), or if more than a tenth of the "
             "trajectories in the window reached the maximum depth; otherwise "
             "it learns the variances"},
    [START_BUFFER] = {.name = "start_buffer",
                      .unit = "steps",
                      .kind = CS_PARAM_INT,
                      .max = 1e6,
                      .def = 75,
                      .help = "steps before the first window"},
    [END_BUFFER] = {.name = "end_buffer",
                    .unit = "steps",
                    .kind = CS_PARAM_INT,
                    .max = 1e6,
                    .def = 50,
                    .help = "steps after the last window, in which only the "
                            "step size is adapted"},
    [WINDOW] = {.name = "window",
                .unit = "steps",
                .kind = CS_PARAM_INT,
                CS_PARAM_RANGE(1, 1e6, 25),
                .help = "length of the first window; each window is twice as "
                        "long as the window before"},
    [PARAMETER] = {.name = "parameter",
                   .kind = CS_PARAM_TEXT,
                   .help = "kernel parameter that is tuned"},
};

const cs_tuner_type cs_tuner_window_adaptation = {
    .name = "window_adaptation",
    .title = "Step and metric, as Stan adapts them",
    .ref = "Hoffman and Gelman, The No-U-Turn Sampler, 2014, algorithm 5; the "
           "Stan reference manual, Automatic parameter tuning",
    .help = "Finds the step size by dual averaging and, for kernels with a "
            "metric, the metric from the states of all chains in windows of "
            "doubling length. Chains whose log p is far below that of the "
            "others are not used for either of them, and are moved to the "
            "states of the others. The draws use the final step size and "
            "metric.",
    CS_PARAM_TABLE(rows),
    .phases = phases,
    .memory = sizeof(memory),
    .by_member = true,
    .tells = true,
    .single = true,
    .reaches = true,
    .metric = METRIC,
    .learns = CS_LEARNS_BY_ROW,
    .steps = steps,
    .trials = trials,
    .next = next,
    .freeze = freeze,
};
