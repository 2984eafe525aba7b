/* exchange: for a model p(data | x) = f(x, data) / Z(x) whose Z is unknown.
 *
 *   y = x + step z,  z ~ N(0, I)
 *   w ~ p(. | y), an exact draw
 *   log A = prior(y) + log f(y, data) - prior(x) - log f(x, data)
 *           + log f(x, w) - log f(y, w)
 *
 * Murray, Ghahramani and MacKay, "MCMC for doubly-intractable distributions"
 * (2006); Yuan and Wang 2026, Algorithm 4. The last line of this formula
 * estimates log Z(x) - log Z(y) from one draw. The step is still exact, because
 * w is drawn from p(. | y) in the forward move and from p(. | x) in the reverse
 * move.
 *
 * `bridges` J > 0 inserts J intermediate states (Murray et al. 2006, section
 * 5): x_0 = y, x_1, ..., x_{J+1} = x on a straight line. w_0 ~ p(. | y), and
 * w_j is w_{j-1} after a reversible sweep that leaves p(. | x_j) invariant. The
 * last line of the formula becomes the sum over j = 0 ... J of log f(x_{j+1},
 * w_j) - log f(x_j, w_j).
 *
 * `simulations` K > 1 averages the factors exp S_k of K draws (Andrieu,
 * Yildirim, Doucet and Chopin, "Metropolis-Hastings with averaged acceptance
 * ratios", 2020). A mean of ratios gives an exact step only if the reverse move
 * uses the same draws, so the kernel tosses a coin. On heads all K draws come
 * from y, and the factor is the mean of exp S_k. On tails one draw k*, chosen
 * at random, comes from y and the others come from x. The factor is then 1 /
 * (mean of the factors of the reverse move), where the factor of k* is exp -S_k
 * and the factor of each other draw is exp S_k. Heads in the forward move are
 * tails in the reverse move.
 *
 * `inner` n > 0 replaces the exact draw by n sweeps that start from the
 * observed data (Liang, "A double Metropolis-Hastings sampler for spatial
 * models with intractable normalizing constants", 2010). The result is biased
 * for every step size; the bias decreases as n grows. */
#include "kernel/accept.h"
#include "kernel/step_row.h"
#include "kernels/real/walk.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { STEP, SIMULATIONS, BRIDGES, INNER, N_PARAMS };

/* Columns of a draw. Columns 1 and 2: log f of the observed data at the state
 * and at the proposal. Columns 3 and 4: log f of the last simulated data set at
 * the state and at the proposal. Column 5: the largest number of passes over
 * the data that an exact draw needed (coupling from the past). Column 6: the
 * number of data values drawn. If the proposal is impossible, columns 3 to 6
 * are 0. */
enum {
    DATA_STATE,
    DATA_PROPOSAL,
    SIMULATED_STATE,
    SIMULATED_PROPOSAL,
    PAST,
    UPDATES,
    COLUMNS
};
static const char *const stats[] = {"data_at_state__",
                                    "data_at_proposal__",
                                    "simulated_at_state__",
                                    "simulated_at_proposal__",
                                    "past__",
                                    "site_updates__",
                                    NULL};

enum { UNSETTLED = 1, BROKEN }; /* reasons why a chain failed */

/* Work space of a step. Arrays have [lanes] elements unless noted. */
typedef struct room {
    double *y;              /* [dim] the proposal */
    double *from, *to, *at; /* [dim] from, to: ends of a bridge; at: one state
                             * on the bridge */
    double *path;           /* sum S_k of the log factors of one simulation */
    double *sum, *top;      /* sum * exp(top) is the sum of the exp(term) added
                               so far */
    double *f, *f_next;     /* log f at the two ends of one segment of a
                               bridge */
    double *coin, *which;   /* coin: uniforms for the coin; which: uniforms for
                             * the choice of k* */
    double *updates, *past, *left;
    bool *idle;   /* lanes that need no simulation */
    double *work; /* work space of the target */
} room;

enum { ROWS_OF_ONE = 13 }; /* number of [lanes] rows from `path` to `idle` */

static size_t memory_words(const cs_target *t, const double *values)
{
    (void)values;
    return t->n_data;
}

static size_t scratch_words(const cs_target *t, const double *values)
{
    (void)values;
    return 4 * t->space.dim + ROWS_OF_ONE + t->simulate_words;
}

static room room_of(const cs_move *m)
{
    size_t n = m->lanes, d = m->dim * n;
    double *one = m->scratch + 4 * d;
    return (room){.y = m->scratch,
                  .from = m->scratch + d,
                  .to = m->scratch + 2 * d,
                  .at = m->scratch + 3 * d,
                  .path = one,
                  .sum = one + n,
                  .top = one + 2 * n,
                  .f = one + 3 * n,
                  .f_next = one + 4 * n,
                  .coin = one + 5 * n,
                  .which = one + 6 * n,
                  .updates = one + 7 * n,
                  .past = one + 8 * n,
                  .left = one + 9 * n,
                  .idle = (bool *)(void *)(one + 10 * n),
                  .work = one + ROWS_OF_ONE * n};
}

static double *stat_of(const cs_move *m, size_t column)
{
    return m->info.stat + column * m->lanes;
}

static size_t whole(const cs_move *m, size_t param)
{
    return (size_t)cs_move_param(m, param)[0];
}

static bool is_heads(const room *r, size_t l)
{
    return r->coin[l] < 0.5;
}

/* Returns whether simulation k of lane l starts at the proposal; otherwise it
 * starts at the state. */
static bool begins_there(const cs_move *m, const room *r, size_t k, size_t l)
{
    size_t n = whole(m, SIMULATIONS);
    return is_heads(r, l) || (size_t)(r->which[l] * (double)n) == k;
}

/* ---- one simulation ------------------------------------------------------ */

/* Sets both ends of the bridge of simulation k. */
static void place_ends(const cs_move *m, const room *r, size_t k)
{
    for (size_t l = 0; l < m->lanes; l++) {
        bool there = begins_there(m, r, k, l);
        for (size_t at = l; at < m->dim * m->lanes; at += m->lanes) {
            r->from[at] = there ? r->y[at] : m->x[at];
            r->to[at] = there ? m->x[at] : r->y[at];
        }
    }
}

/* Returns state j of the J + 2 states of the bridge; states 0 and J + 1 are
 * exactly the ends of the bridge. */
static const double *pier(const cs_move *m, const room *r, size_t j)
{
    size_t last = whole(m, BRIDGES) + 1;
    double part = (double)j / (double)last;
    if (j == 0 || j == last)
        return j ? r->to : r->from;
    for (size_t i = 0; i < m->dim * m->lanes; i++)
        r->at[i] = (1 - part) * r->from[i] + part * r->to[i];
    return r->at;
}

/* Adds the counts of a simulation to the columns of the draw. A chain whose
 * exact draw failed is marked as failed. */
static void note(cs_move *m, const room *r)
{
    for (size_t l = 0; l < m->live; l++) {
        if (r->idle[l])
            continue;
        stat_of(m, UPDATES)[l] += r->updates[l];
        stat_of(m, PAST)[l] = fmax(stat_of(m, PAST)[l], r->past[l]);
        if (r->left[l] == 0)
            continue;
        m->failed[l] = r->idle[l] = true;
        m->why[l] =
            (cs_reason){UNSETTLED, r->past[l], r->left[l], r->updates[l]};
    }
}

/* Marks as failed each chain whose log factor could not be evaluated. */
static void note_broken(cs_move *m, const room *r)
{
    for (size_t l = 0; l < m->live; l++) {
        if (r->idle[l] ||
            !(cs_is_broken(r->f[l]) || cs_is_broken(r->f_next[l])))
            continue;
        m->failed[l] = r->idle[l] = true;
        m->why[l] = (cs_reason){.code = BROKEN};
    }
}

/* Describes one draw or sweep for segment `part` of simulation k. Each draw or
 * sweep has its own random numbers. */
static cs_simulation simulation(const cs_move *m, const room *r, size_t k,
                                size_t part)
{
    size_t parts = whole(m, BRIDGES) + 1;
    return (cs_simulation){.streams = &m->streams,
                           .first = (k * parts + part) * CS_SIMULATION_ROWS,
                           .sweeps = part ? 1 : whole(m, INNER),
                           .data = m->memory,
                           .updates = r->updates,
                           .past = r->past,
                           .left = r->left};
}

/* Copies the observed data over the simulated data. */
static void put_observed(cs_move *m)
{
    const cs_target *t = m->eval->target;
    for (size_t i = 0; i < t->n_data; i++)
        for (size_t l = 0; l < m->lanes; l++)
            m->memory[i * m->lanes + l] = t->data[i];
}

/* Simulates data at the state x: by an exact draw, or by sweeps that start from
 * the observed data. */
static void begin(cs_move *m, const room *r, size_t k, const double *x)
{
    cs_simulation s = simulation(m, r, k, 0);
    if (s.sweeps == 0) {
        cs_eval_simulate(m->eval, x, r->idle, r->work, &s);
    } else {
        put_observed(m);
        cs_eval_sweep(m->eval, x, r->idle, r->work, &s);
    }
    note(m, r);
}

/* Computes path = S_k of simulation k, along the bridge from one end to the
 * other. */
static void walk_bridge(cs_move *m, const room *r, size_t k)
{
    size_t piers = whole(m, BRIDGES) + 1;
    place_ends(m, r, k);
    begin(m, r, k, r->from);
    memset(r->path, 0, m->lanes * sizeof *r->path);
    for (size_t j = 0; j < piers; j++) {
        const double *here = pier(m, r, j);
        if (j > 0) {
            cs_simulation s = simulation(m, r, k, j);
            cs_eval_sweep(m->eval, here, r->idle, r->work, &s);
            note(m, r);
        }
        cs_eval_log_factor(m->eval, here, m->memory, r->f);
        cs_eval_log_factor(m->eval, pier(m, r, j + 1), m->memory, r->f_next);
        note_broken(m, r);
        for (size_t l = 0; l < m->lanes; l++)
            r->path[l] += r->f_next[l] - r->f[l];
    }
}

/* ---- all simulations of a step ------------------------------------------- */

/* Adds exp(term) to sum * exp(top) without overflow. */
static void add(const room *r, size_t l, double term)
{
    double top = fmax(r->top[l], term);
    if (top == -HUGE_VAL)
        return;
    r->sum[l] = r->sum[l] * exp(r->top[l] - top) + exp(term - top);
    r->top[l] = top;
}

/* Draws the coins and clears the sums of this step. Lanes whose proposal is
 * impossible are marked idle. */
static void open_step(cs_move *m, const room *r)
{
    cs_fill_uniform(&m->streams, CS_FOR_LENGTH, 2, r->coin);
    for (size_t l = 0; l < m->lanes; l++) {
        double prior = m->info.logp_proposal[l];
        if (whole(m, SIMULATIONS) == 1)
            r->coin[l] = 0;
        r->idle[l] = m->failed[l] || !(prior > -HUGE_VAL) || prior == HUGE_VAL;
        r->sum[l] = 0;
        r->top[l] = -HUGE_VAL;
        for (size_t k = 0; k < COLUMNS; k++)
            stat_of(m, k)[l] = 0;
    }
}

/* Writes log f of the current data to two columns: at the state and at the
 * proposal. */
static void show_factors(cs_move *m, const room *r, size_t column)
{
    cs_eval_log_factor(m->eval, m->x, m->memory, stat_of(m, column));
    cs_eval_log_factor(m->eval, r->y, m->memory, stat_of(m, column + 1));
}

static void estimate(cs_move *m, const room *r)
{
    size_t n = whole(m, SIMULATIONS);
    open_step(m, r);
    put_observed(m);
    show_factors(m, r, DATA_STATE);
    for (size_t k = 0; k < n; k++) {
        walk_bridge(m, r, k);
        for (size_t l = 0; l < m->lanes; l++)
            add(r, l,
                is_heads(r, l) || !begins_there(m, r, k, l) ? r->path[l]
                                                            : -r->path[l]);
    }
    show_factors(m, r, SIMULATED_STATE);
    for (size_t l = 0; l < m->lanes; l++) {
        double mean = r->top[l] + log(r->sum[l] / (double)n);
        bool asked = l < m->live && !r->idle[l];
        m->info.log_aux[l] = !asked ? 0 : is_heads(r, l) ? mean : -mean;
    }
    for (size_t l = m->live; l < m->lanes; l++)
        m->info.log_aux[l] = m->info.log_aux[m->live - 1];
}

static void step(cs_move *m)
{
    room r = room_of(m);
    m->info.proposal = r.y;
    cs_walk_propose(m, r.y);
    cs_eval_prior(m->eval, r.y, m->info.logp_proposal, NULL);
    cs_refuse_overflow(m);
    estimate(m, &r);
    cs_accept(m);
}

/* ---- table of the kernel ------------------------------------------------- */

static cs_status refuse(const cs_target *t, const char *what, const char *hint,
                        cs_error *err)
{
    cs_fail(err, CS_UNSUPPORTED, "kernel exchange needs %s; target %s %s", what,
            t->name,
            t->type->factor.log_factor ? "cannot provide them" : "is not one");
    cs_hint(err, "%s", hint);
    return CS_UNSUPPORTED;
}

static cs_status check(const cs_target *t, const double *values, cs_error *err)
{
    const cs_target_type *type = t->type;
    bool sweeps = values[INNER] > 0 || values[BRIDGES] > 0;
    if (!type->factor.log_factor)
        return refuse(t, "a data model with unknown normalising constant",
                      "use for example ising_parameter", err);
    if (values[INNER] == 0 && !type->factor.simulate)
        return refuse(t, "exact draws of its data",
                      "set inner = 20, which uses sweeps instead and is biased",
                      err);
    if (sweeps && !type->factor.sweep)
        return refuse(t, "sweeps over its data",
                      "set inner = 0 and bridges = 0, which need no sweeps",
                      err);
    return CS_OK;
}

static bool is_exact(const cs_target *t, const double *values)
{
    (void)t;
    return values[INNER] == 0;
}

static cs_logp_kind logp(const cs_target *t, const double *values)
{
    (void)t;
    (void)values;
    return CS_LOGP_NONE;
}

static void explain(const cs_reason *why, char *text, size_t size)
{
    if (why->code == BROKEN || isnan(why->value)) {
        snprintf(text, size, "the %s raised an error",
                 why->code == BROKEN ? "log factor" : "simulation");
        return;
    }
    snprintf(text, size,
             "coupling from the past did not end: %.9g values undetermined "
             "after %.9g passes and %.9g updates",
             why->value, why->row, why->bound);
}

static size_t data_rows(const cs_target *t, const double *values)
{
    return memory_words(t, values);
}

static const cs_aux variables[] = {
    {.name = "simulated",
     .help = "the auxiliary variable of the step: the data simulated last",
     .rows = data_rows,
     .unrecorded = true},
    {.name = NULL}};
static const cs_aux_type aux = {.variable = variables};

#define WHOLE .kind = CS_PARAM_INT, .flags = CS_PARAM_FIXED | CS_PARAM_SHARED

static const cs_param rows[] = {
    [STEP] = CS_STEP_ROW(0.1, "standard deviation of the move"),
    [SIMULATIONS] =
        {.name = "simulations",
         WHOLE,
         CS_PARAM_RANGE(1, 1024, 1),
         .help = "number of data sets simulated per step, whose factors are "
                 "averaged; the draws are exact for any number",
         .ref = "Andrieu, Yildirim, Doucet and Chopin 2020"},
    [BRIDGES] = {.name = "bridges",
                 WHOLE,
                 CS_PARAM_RANGE(0, 1000, 0),
                 .help =
                     "number of intermediate states between the proposal and "
                     "the current state, each with one sweep over the data",
                 .ref = "Murray, Ghahramani and MacKay 2006, section 5"},
    [INNER] = {.name = "inner",
               WHOLE,
               CS_PARAM_RANGE(0, 1e6, 0),
               .help = "number of sweeps that simulate data, starting at the "
                       "observed data (biased); 0: data are simulated exactly",
               .ref = "Liang 2010"},
};

const cs_kernel_type CS_VARIANT(cs_kernel_exchange) = {
    .name = "exchange",
    .title = "Exchange",
    .ref = "Murray, Ghahramani and MacKay 2006; Yuan and Wang 2026, "
           "Algorithm 4",
    .help =
        "A random walk for models whose normalising constant is unknown and "
        "depends on the parameters. Each step simulates data at the proposed "
        "parameters, and the constant then cancels in the acceptance ratio.",
    .spaces = CS_CONTINUOUS,
    .flags = CS_KERNEL_EXACT | CS_KERNEL_REVERSIBLE | CS_KERNEL_ACCEPTS |
             CS_KERNEL_ESTIMATES | CS_KERNEL_PARTS | CS_KERNEL_SIMULATES,
    .params = rows,
    .n_params = N_PARAMS,
    .stats = stats,
    .memory_words = memory_words,
    .scratch_words = scratch_words,
    .check = check,
    .is_exact = is_exact,
    .logp = logp,
    .explain = explain,
    .acceptance = 0.234,
    .acceptance_of_one = 0.206,
    .aux = &aux,
    .init = cs_walk_init_prior,
    .step = step,
    .log_q = cs_walk_log_q_all,
};
