/* acs: finds the cyclical schedule of step and balance.
 *
 *   step:    alpha_k = max( alpha_max/2 (cos(pi k / s) + 1), alpha_min ),
 *            k = 0 .. s - 1; the last is always alpha_min
 *   balance: beta_max at k = 0, beta_min where alpha_k = alpha_min, and
 *            otherwise the value with the largest acceptance
 *
 * Pynadath, Bhattacharya, Hariharan and Zhang, "Gradient-based Discrete
 * Sampling with Automatic Cyclical Scheduling", Eq. 7, Algorithms 2 (complete
 * tuning), 3 (burn-in), 4 (both ends) and 5 (balance). If alpha_max is below
 * alpha_min, the cycle reduces to (alpha_min, beta_min).
 *
 * Variant "paper" corrects these misprints of the paper: Eq. 7 lacks the factor
 * 1/2 and the brackets around cos + 1; the ceiling of the step is 5 (appendix
 * A.1), not 60; Algorithm 4 writes alpha for alpha_bound; Algorithm 5 draws up
 * to beta_max instead of beta_ceil, and returns s + 1 values. The budget B =
 * 200 is for both ends together, as in the released program.
 *
 * In the paper, Algorithm 4 also continues to shrink the step if even the
 * ceiling is accepted more often than the target. The largest step may then
 * fall below the smallest, and no cycle is left. (This happened for six of
 * eight seeds on a Boltzmann machine with 12 x 6 units.) The stated aim of
 * Algorithm 4 is "the largest step that achieves the target". Variant "paper"
 * therefore ends with the first round in which a step achieves the target or
 * misses it by less than 0.01. It takes the largest such step of that round.
 * Variant "printed" continues to the end of its budget.
 *
 * Variant "released" follows the authors' program: no second burn-in; rounds of
 * 4 for the smallest step; rounds of 2 for the largest step, which start from
 * the states where the rounds for the smallest step ended, take the larger
 * acceptance, and end as soon as the acceptance exceeds target - 0.01; balances
 * are searched from the smallest step upwards, within 1/4 above the last
 * balance, and are evenly spaced up to beta_max once the acceptance at a
 * balance is 0.9.
 *
 * With cycle = peak (appendix B.2, for learning): alpha_max and beta_max at k =
 * 0, and alpha_min and beta_min elsewhere. No balances are searched, and chains
 * continue from their states after the search for alpha_max. In the paper the
 * search for an end replaces the steps of one iteration, chosen by i mod s;
 * here both searches form one warm-up. With floor = running (appendix D.4),
 * each new search for alpha_min starts one standard deviation below the mean of
 * the earlier results. */
#include "tune/tuner.h"

#include <math.h>
#include <string.h>

enum {
    VARIANT,
    ACCEPTANCE,
    PERIOD,
    BALANCE_MAX,
    BALANCE_MIN,
    STEP_MAX,
    STEP_MIN,
    TRIALS,
    TRIAL_STEPS,
    RATE,
    PROPOSALS,
    RESOLUTION,
    BURN_IN,
    SETTLE,
    CYCLE,
    FLOOR,
    ROWS
};
enum { COSINE, PEAK };
enum { FIXED, RUNNING }; /* choices of the parameter `floor` */
/* Entries of t->past: statistics of the earlier results for alpha_min. */
enum { TIMES, MEAN, SQUARES };
/* PAPER, PRINTED, RELEASED: values of the parameter `variant`. HOME, ONE, TWO:
 * indices of the slots for states. */
enum { PAPER, PRINTED, RELEASED, HOME = 0, ONE, TWO };
/* Phases of the tuning, in order. */
enum { BURN, SECOND, LOW, HIGH, BALANCE, DONE };

static const double pi = 3.14159265358979323846, enough = 0.9, slack = 0.01,
                    least_step = 1e-6;

typedef struct memory {
    size_t made, phase;
    size_t spent; /* number of trials in this phase */
    /* The current round tries n candidates between `first` and `last`; `at` is
     * the index of the present candidate. */
    size_t at, n;
    double first, last, best, best_value;
    size_t best_trial;
    int base, spare; /* slots of saved states. base: the states where the
                        trials of the round start; spare: the states after the
                        best trial of the round so far */
    /* The search for one end of the cycle. bound: the current value. rate: the
     * acceptance at this value. top: the largest acceptance so far. top_value:
     * the value at which the acceptance was largest. */
    double bound, rate, top, top_value;
    double ends[2]; /* results: alpha_min and alpha_max */
    /* State of the search for balances. */
    size_t position, rest; /* rest: first position whose step is alpha_min */
    double alpha[CS_SCHEDULE_LIST], beta[CS_SCHEDULE_LIST];
} memory;

static bool is_released(const cs_tuner *t)
{
    return t->values[VARIANT] == RELEASED;
}

/* ---- rounds ---- */

static void begin_round(memory *m, double first, double last, size_t n)
{
    m->at = 0;
    m->n = n;
    m->first = first;
    m->last = last;
    m->best = (double)NAN;
}

static double candidate(const memory *m)
{
    if (m->at + 1 == m->n)
        return m->last;
    return m->first + (m->last - m->first) * (double)m->at / (double)(m->n - 1);
}

/* Returns true if an acceptance reaches the target of the search for the
 * largest step. */
static bool achieves(const cs_tuner *t, double acceptance)
{
    return acceptance > t->values[ACCEPTANCE] - slack;
}

/* Returns true if this acceptance is better than the best acceptance of the
 * round so far. */
static bool is_better(const cs_tuner *t, const memory *m, double result)
{
    double target = t->values[ACCEPTANCE];
    if (isnan(m->best))
        return true;
    if (m->phase == HIGH && t->values[VARIANT] == PAPER &&
        (achieves(t, result) || achieves(t, m->best)))
        return achieves(t, result); /* later candidates are larger, so they are
                                       better */
    bool nearest = m->phase == LOW || (m->phase == HIGH && !is_released(t));
    return nearest ? fabs(result - target) < fabs(m->best - target)
                   : result > m->best;
}

/* Ends a round. The next round starts from the states after the best trial of
 * this round. */
static void end_round(memory *m, cs_trial *trial)
{
    trial->taken = m->best_trial;
    m->base = m->spare;
    m->spare = m->base == ONE ? TWO : ONE;
}

/* ---- both ends of the cycle ---------------------------------------------- */

/* Returns the number of candidates per round in the search for this end of the
 * cycle. */
static size_t proposals(const double *values, size_t phase)
{
    size_t released = phase == LOW ? 4 : 2;
    return values[VARIANT] == RELEASED ? released : (size_t)values[PROPOSALS];
}

static void search(const cs_tuner *t, memory *m)
{
    double far = t->values[RATE] * fabs(m->rate - t->values[ACCEPTANCE]);
    size_t n = proposals(t->values, m->phase);
    double other = m->bound * (m->phase == LOW ? 1 + far : 1 - far);
    bool down = m->phase == LOW && is_released(t);
    if (m->phase == LOW && !down)
        begin_round(m, m->bound, other, n);
    else
        begin_round(m, other, m->bound, n);
}

/* Returns the smallest step size that is tried. */
static double least(const cs_tuner *t)
{
    const double *past = t->past;
    if (t->values[FLOOR] != RUNNING || !(past[TIMES] >= 1))
        return t->values[STEP_MIN];
    double below = past[MEAN] - sqrt(fmax(past[SQUARES], 0) / past[TIMES]);
    return fmin(fmax(below, least_step), t->values[STEP_MAX]);
}

static void begin_search(const cs_tuner *t, memory *m, size_t phase)
{
    bool goes_on = phase == HIGH && is_released(t);
    m->phase = phase;
    m->bound = phase == LOW ? least(t) : t->values[STEP_MAX];
    m->rate = m->top = 0;
    m->top_value = m->bound;
    m->spent = 0;
    if (!goes_on) {
        m->base = HOME;
        m->spare = ONE;
    }
    search(t, m);
}

/* ---- balances ------------------------------------------------------------ */

static void fill_steps(const cs_tuner *t, memory *m)
{
    size_t period = (size_t)t->values[PERIOD];
    double low = m->ends[0], high = m->ends[1];
    m->rest = period - 1;
    for (size_t k = period; k-- > 0;) {
        double a = high / 2 * (cos(pi * (double)k / (double)period) + 1);
        m->alpha[k] = fmax(a, low);
        if (a < low)
            m->rest = k;
    }
    for (size_t k = 0; k < period; k++)
        m->beta[k] = t->values[k < m->rest ? BALANCE_MAX : BALANCE_MIN];
    for (size_t k = m->rest; k < period; k++)
        m->alpha[k] = low;
}

/* Starts the round that searches for the balance at position m->position of the
 * cycle. */
static void weigh(const cs_tuner *t, memory *m)
{
    double low = t->values[BALANCE_MIN], high = t->values[BALANCE_MAX];
    size_t n = (size_t)t->values[RESOLUTION];
    if (!is_released(t))
        begin_round(m, low, m->beta[m->position - 1], n);
    else if (m->position + 1 == m->rest)
        begin_round(m, low, fmin(low + 0.1, high), 3);
    else
        begin_round(m, m->beta[m->position + 1],
                    fmin(m->beta[m->position + 1] + 0.25, high), n);
}

static void fill_peak(const cs_tuner *t, memory *m)
{
    for (size_t k = 0; k < (size_t)t->values[PERIOD]; k++) {
        bool peak = k == 0 && m->ends[1] > m->ends[0];
        m->alpha[k] = m->ends[peak];
        m->beta[k] = t->values[peak ? BALANCE_MAX : BALANCE_MIN];
    }
    m->phase = DONE;
}

static void begin_balances(const cs_tuner *t, memory *m)
{
    if (t->values[CYCLE] == PEAK) {
        fill_peak(t, m);
        return;
    }
    fill_steps(t, m);
    m->base = HOME;
    m->spare = ONE;
    m->position = is_released(t) ? m->rest - 1 : 1;
    bool any = is_released(t) ? m->rest > 0 : m->rest > 1;
    m->phase = any ? BALANCE : DONE;
    if (any)
        weigh(t, m);
}

static void next_position(const cs_tuner *t, memory *m)
{
    size_t k = m->position;
    m->beta[k] = m->best_value;
    if (is_released(t) && m->best >= enough) {
        double from = m->best_value, way = t->values[BALANCE_MAX] - from;
        for (size_t i = 0; i < k; i++)
            m->beta[k - 1 - i] =
                k == 1 ? from : from + way * (double)i / (double)(k - 1);
        m->phase = DONE;
        return;
    }
    bool last = is_released(t) ? k == 0 : k + 1 == m->rest;
    m->position = is_released(t) ? k - 1 : k + 1;
    if (last)
        m->phase = DONE;
    else
        weigh(t, m);
}

/* ---- choice of the next trial -------------------------------------------- */

/* Continues, after a round, the search for one end of the cycle. */
static void go_on(const cs_tuner *t, memory *m)
{
    bool high = m->phase == HIGH;
    m->bound = m->best_value;
    m->rate = m->best;
    if (m->best > m->top) {
        m->top = m->best;
        m->top_value = m->best_value;
    }
    bool found = high && t->values[VARIANT] != PRINTED && achieves(t, m->best);
    if (!found && (double)m->spent < t->values[TRIALS] / 2) {
        search(t, m);
        return;
    }
    m->ends[high] = high && is_released(t) ? m->top_value : m->bound;
    if (high)
        begin_balances(t, m);
    else
        begin_search(t, m, HIGH);
}

/* Returns the number of steps of the second burn-in, which consists of complete
 * cycles. */
static size_t second(const double *values)
{
    size_t period = (size_t)values[PERIOD];
    size_t whole = (size_t)values[SETTLE] / period * period;
    return values[VARIANT] == RELEASED ? 0 : whole;
}

/* Continues with the burn-ins, of which m->spent trials are done. After the
 * burn-ins, starts the search for the smallest step. */
static void begin(const cs_tuner *t, memory *m, cs_trial *trial)
{
    size_t first = t->values[BURN_IN] > 0;
    m->phase = m->spent < first ? BURN : SECOND;
    if (m->spent < first + second(t->values))
        return;
    trial->keep = HOME;
    begin_search(t, m, LOW);
}

static void hear(const cs_tuner *t, memory *m, double result, cs_trial *trial)
{
    m->spent++;
    if (m->phase < LOW) {
        begin(t, m, trial);
        return;
    }
    result = isnan(result) ? 0 : result;
    if (is_better(t, m, result)) {
        m->best = result;
        m->best_value = candidate(m);
        m->best_trial = m->made - 1;
        trial->keep = m->spare;
    }
    if (++m->at < m->n)
        return;
    end_round(m, trial);
    if (m->phase == BALANCE)
        next_position(t, m);
    else
        go_on(t, m);
}

/* Sets the step and the balance for the second burn-in, from the untuned cycle.
 * In this cycle the balance and the step follow one cosine. */
static void untuned(const cs_tuner *t, const memory *m, double *value)
{
    const double *v = t->values;
    size_t at = m->spent - (v[BURN_IN] > 0);
    double wave = cos(pi * (double)(at % (size_t)v[PERIOD]) / v[PERIOD]);
    double low = v[BALANCE_MIN], high = v[BALANCE_MAX];
    value[0] = fmax(v[STEP_MAX] / 2 * (wave + 1), v[STEP_MIN]);
    value[1] = (high - low) / 2 * wave + (high + low) / 2;
}

static void give(const cs_tuner *t, const memory *m, cs_trial *trial)
{
    const double *v = t->values;
    trial->phase = m->phase;
    trial->steps = m->phase == BURN     ? (uint64_t)v[BURN_IN]
                   : m->phase == SECOND ? 1
                                        : (uint64_t)v[TRIAL_STEPS];
    trial->unadjusted = m->phase == BURN;
    trial->from = m->phase < LOW ? CS_NO_SLOT : m->base;
    if (m->phase == SECOND) {
        untuned(t, m, trial->value);
        return;
    }
    bool high = m->phase == BURN || m->phase == HIGH;
    trial->value[0] = m->phase == BURN      ? v[STEP_MAX]
                      : m->phase == BALANCE ? m->alpha[m->position]
                                            : candidate(m);
    trial->value[1] = m->phase == BALANCE ? candidate(m)
                                          : v[high ? BALANCE_MAX : BALANCE_MIN];
}

static bool next(const cs_tuner *t, void *of, const double *result,
                 cs_trial *trial)
{
    memory *m = of;
    *trial = (cs_trial){
        .keep = CS_NO_SLOT, .from = CS_NO_SLOT, .taken = CS_NO_TRIAL};
    if (m->made == 0)
        begin(t, m, trial);
    else
        hear(t, m, result[0], trial);
    m->made++;
    if (m->phase == DONE) {
        trial->from = m->base;
        return false;
    }
    give(t, m, trial);
    return true;
}

static void freeze(const cs_tuner *t, const void *of, cs_schedule *out)
{
    const memory *m = of;
    size_t period = (size_t)t->values[PERIOD];
    out[0] = cs_schedule_cycle(m->alpha, period);
    out[1] = cs_schedule_cycle(m->beta, period);
}

/* Stores the results for alpha_min: their number, their mean, and the sum of
 * squared deviations from the mean. */
static void remember(cs_tuner *t, const void *of)
{
    const memory *m = of;
    double *past = t->past, off = m->ends[0] - past[MEAN];
    if (t->values[FLOOR] != RUNNING || m->phase != DONE)
        return;
    past[TIMES] += 1;
    past[MEAN] += off / past[TIMES];
    past[SQUARES] += off * (m->ends[0] - past[MEAN]);
}

/* ---- length of the warm-up ----------------------------------------------- */

static size_t tests(const double *values)
{
    double half = values[TRIALS] / 2;
    size_t period = (size_t)values[PERIOD], all = 0;
    for (size_t phase = LOW; phase <= HIGH; phase++) {
        double n = (double)proposals(values, phase);
        all += (size_t)(ceil(half / n) * n);
    }
    return all + period * (size_t)values[RESOLUTION];
}

static uint64_t steps(const double *values)
{
    return (uint64_t)values[BURN_IN] + second(values) +
           tests(values) * (uint64_t)values[TRIAL_STEPS];
}

static size_t trials(const double *values)
{
    return 1 + second(values) + tests(values);
}

static cs_status check(const double *values, cs_error *err)
{
    if (values[BALANCE_MIN] > values[BALANCE_MAX])
        return cs_fail(err, CS_RANGE, "balance_min = %g is above balance_max",
                       values[BALANCE_MIN]);
    if (values[STEP_MIN] > values[STEP_MAX])
        return cs_fail(err, CS_RANGE, "step_min = %g is above step_max",
                       values[STEP_MIN]);
    return CS_OK;
}

static const char *const driven[] = {"step", "balance", NULL};
static const char *const variants[] = {"paper", "printed", "released", NULL};
static const char *const cycles[] = {"cosine", "peak", NULL};
static const char *const floors[] = {"fixed", "running", NULL};
static const char *const phases[] = {"burn-in",       "second burn-in",
                                     "smallest step", "largest step",
                                     "balance",       NULL};

static const cs_param rows[ROWS] = {
    [VARIANT] =
        {.name = "variant",
         .kind = CS_PARAM_CHOICE,
         .max = 2,
         .choices = variants,
         .help =
             "version of the method. paper: Algorithms 2 to 5 with "
             "corrections; printed: the search for the largest step exactly as "
             "stated in the paper; released: as in the authors' program"},
    [ACCEPTANCE] =
        {.name = "acceptance",
         CS_PARAM_RANGE(0.01, 0.99, 0.5),
         .help = "rho*: target acceptance rate at both ends of the cycle",
         .ref = "Eq. 9"},
    [PERIOD] = {.name = "period",
                .unit = "steps",
                .kind = CS_PARAM_INT,
                CS_PARAM_RANGE(2, CS_SCHEDULE_LIST, 20),
                .help = "s: steps per cycle; 8 or 20 in the paper"},
    [BALANCE_MAX] = {.name = "balance_max",
                     .max = 1,
                     .def = 0.95,
                     .help = "the balance at the largest step"},
    [BALANCE_MIN] = {.name = "balance_min",
                     .max = 1,
                     .def = 0.5,
                     .help = "the balance at the smallest step"},
    [STEP_MAX] = {.name = "step_max",
                  .flags = CS_PARAM_LOG,
                  CS_PARAM_RANGE(1e-6, 1e12, 5),
                  .help =
                      "alpha_ceil: start of the search for the largest step"},
    [STEP_MIN] = {.name = "step_min",
                  .flags = CS_PARAM_LOG,
                  CS_PARAM_RANGE(1e-6, 1e12, 0.05),
                  .help =
                      "alpha_floor: start of the search for the smallest step"},
    [TRIALS] = {.name = "trials",
                .unit = "trials",
                .kind = CS_PARAM_INT,
                CS_PARAM_RANGE(2, 1e6, 200),
                .help = "B: number of trials, half for each end of the cycle"},
    [TRIAL_STEPS] = {.name = "trial_steps",
                     .unit = "steps",
                     .kind = CS_PARAM_INT,
                     CS_PARAM_RANGE(1, 1e6, 1),
                     .help = "steps per trial; with more steps or more chains "
                             "the acceptance rate is measured more precisely"},
    [RATE] = {.name = "rate",
              .max = 1,
              .def = 0.5,
              .help = "zeta: relative width of the next search range",
              .ref = "appendix A"},
    [PROPOSALS] = {.name = "proposals",
                   .kind = CS_PARAM_INT,
                   CS_PARAM_RANGE(2, 100, 5),
                   .help = "t of Algorithm 4: step sizes tried per round"},
    [RESOLUTION] = {.name = "resolution",
                    .kind = CS_PARAM_INT,
                    CS_PARAM_RANGE(2, 100, 10),
                    .help = "t of Algorithm 5: balances tried per step size"},
    [BURN_IN] = {.name = "burn_in",
                 .unit = "steps",
                 .kind = CS_PARAM_INT,
                 .max = 1e6,
                 .def = 50,
                 .help = "l: number of steps at the start of the warm-up, "
                         "which are made without an accept step"},
    [SETTLE] = {.name = "settle",
                .unit = "steps",
                .kind = CS_PARAM_INT,
                .max = 1e6,
                .def = 50,
                .help =
                    "l_MH: number of steps with an accept step, made after the "
                    "`burn_in` steps and before the search; rounded down to "
                    "complete cycles, which are not yet tuned"},
    [CYCLE] = {.name = "cycle",
               .kind = CS_PARAM_CHOICE,
               .max = PEAK,
               .choices = cycles,
               .help =
                   "shape of the cycle. cosine: half a cosine from the largest "
                   "to the smallest step; peak: the largest step at the first "
                   "position and the smallest step at all other positions",
               .ref = "appendix B.2"},
    [FLOOR] = {.name = "floor",
               .kind = CS_PARAM_CHOICE,
               .max = RUNNING,
               .choices = floors,
               .help =
                   "start of the search for the smallest step when an arm that "
                   "learns is tuned again. fixed: `step_min`; running: one "
                   "standard deviation below the mean of the earlier results",
               .ref = "appendix D.4"},
};

const cs_tuner_type cs_tuner_acs = {
    .name = "acs",
    .title = "Automatic cyclical schedule",
    .ref = "Pynadath et al., Gradient-based Discrete Sampling with Automatic "
           "Cyclical Scheduling, Algorithms 2 to 5",
    .help = "Finds the smallest and the largest step size at which the given "
            "share of proposals is accepted. Then finds a balance for every "
            "step size of a cycle from the largest to the smallest. The result "
            "is a cyclical schedule of step size and balance.",
    .params = rows,
    .n_params = ROWS,
    .driven = driven,
    .phases = phases,
    .slots = 3,
    .memory = sizeof(memory),
    .follows = true,
    .steps = steps,
    .trials = trials,
    .check = check,
    .next = next,
    .remember = remember,
    .freeze = freeze,
};
