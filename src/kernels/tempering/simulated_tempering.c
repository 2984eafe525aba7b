/* simulated_tempering: one chain whose temperature is part of its state, and
 * goes up and down a ladder; at the cold end it draws from the target.
 *
 *   joint law of (x, k):  exp( beta_k log p(x) + w_k ),
 *                         beta_k = hottest^(-k / (rungs - 1))
 *                               or 1 / temperatures[k]
 *   every `period` steps k' = k - 1 or k + 1, each with probability 1/2, is
 *   taken with probability min(1, exp( (beta_k' - beta_k) log p(x) + w_k' - w_k ));
 *   what is beyond an end of the ladder is refused
 *
 * Marinari and Parisi, "Simulated tempering: a new Monte Carlo scheme" (1992),
 * Eqs. 5 and 6; Geyer and Thompson, "Annealing Markov chain Monte Carlo with
 * applications to ancestral inference" (1995), section 2. All rungs are visited
 * alike when w_k = -log of the integral of exp(beta_k log p); that is learned in
 * the first `learn` steps by stochastic approximation: at each exchange t of the
 * chains of an arm
 *   w_k -= gain_t (share of the chains at rung k),  gain_t = t0 / max(t0, t)
 * less what makes w_0 zero (Liang, Liu and Carroll, "Stochastic approximation
 * in Monte Carlo computation", 2007, Eqs. 3 and 4), with t0 = 10 rungs. Then
 * the weights are frozen, and whatever they are the law is as above: a draw
 * counts from there on, where its rung is the first. Weights that are given are
 * where that begins; and where it ends, unless it is told to learn. */
#include "kernels/tempering/tempered.h"
#include "simd/simd.h"

enum { RUNGS = CS_LADDER_RUNGS, HOTTEST, PERIOD, LEARN, NUMBERS };
enum { MOST_RUNGS = 32 };

/* Memory behind that of the inner kernel, and behind it a copy of the inner
 * kernel's auxiliary variables: what is shown as own lies together. */
enum {
    RUNG = CS_STALE + 1,
    WAY, /* it has been at the hot end since it was at the cold one */
    TRIPS,
    LOG_WEIGHT,
    VISITS = LOG_WEIGHT + MOST_RUNGS,
    TRIED = VISITS + MOST_RUNGS, /* pair k, k + 1 */
    CHANGED = TRIED + MOST_RUNGS,
    BETA = CHANGED + MOST_RUNGS,
    WORDS
};

/* Scratch: two uniforms; before the room for the inner kernel's memory, of
 * which the beginning is then used, the beta of the proposal. */
enum { UNIFORMS = CS_TEMPERED_SCRATCH, PROPOSED = UNIFORMS + 2, SCRATCH };

static size_t memory_words(const cs_target *t)
{
    (void)t;
    return WORDS;
}

static size_t scratch_words(const cs_target *t)
{
    (void)t;
    return SCRATCH;
}

static size_t aux_first(const cs_target *t)
{
    (void)t;
    return BETA;
}

static size_t one_row(const cs_target *t, const double *values)
{
    (void)t;
    (void)values;
    return 1;
}

static double *row_of(const cs_move *m, size_t row)
{
    return cs_tempered_row(m, row);
}

static double beta_at(const cs_move *m, size_t l, size_t rung)
{
    size_t n = m->lanes;
    return cs_tempered_beta(m->self, rung, m->param[RUNGS * n + l],
                            m->param[HOTTEST * n + l]);
}

/* The inner kernel's auxiliary variables, shown behind beta. */
static void copy_aux(const cs_move *m)
{
    const cs_wrapper *a = m->self;
    const cs_target *t = m->eval->target;
    size_t n = m->lanes, bytes = cs_kernel_aux_rows(&a->inner, t) * n * 8;
    memcpy(row_of(m, BETA + 1),
           m->memory + cs_kernel_aux_first(&a->inner, t) * n, bytes);
}

static bool weighs(const cs_wrapper *a)
{
    return a->n_list[CS_LADDER_LOG_WEIGHTS] > 0;
}

static double given_weight(const cs_wrapper *a, size_t rung)
{
    const double *w = a->list[CS_LADDER_LOG_WEIGHTS];
    return w[rung] - w[0];
}

static void init(cs_move *m)
{
    double *rung = row_of(m, RUNG), *beta = row_of(m, BETA);
    for (size_t l = 0; l < m->lanes; l++) {
        size_t rungs = (size_t)m->param[RUNGS * m->lanes];
        if (m->fresh)
            rung[l] = (double)(m->streams.chain[l] % rungs);
        beta[l] = beta_at(m, l, (size_t)rung[l]);
        row_of(m, CS_STALE)[l] = 0;
        for (size_t k = 0; m->fresh && k < rungs && weighs(m->self); k++)
            row_of(m, LOG_WEIGHT + k)[l] = given_weight(m->self, k);
    }
    cs_tempered_init(m, beta);
    copy_aux(m);
}

/* ---- the temperature ------------------------------------------------------ */

/* Chain l goes to another rung. */
static void go(const cs_move *m, size_t l, size_t to)
{
    bool last = (double)to + 1 == m->param[RUNGS * m->lanes + l];
    double *away = row_of(m, WAY) + l;
    row_of(m, RUNG)[l] = (double)to;
    row_of(m, BETA)[l] = beta_at(m, l, to);
    row_of(m, CS_STALE)[l] = 1;
    if (last)
        *away = 1;
    if (to > 0)
        return;
    row_of(m, TRIPS)[l] += *away;
    *away = 0;
}

static void try_temperature(const cs_move *m, size_t l, const double *uniform)
{
    size_t n = m->lanes, rung = (size_t)row_of(m, RUNG)[l];
    bool down = uniform[l] < 0.5;
    size_t to = down ? rung - 1 : rung + 1, pair = down ? to : rung;
    if (down ? rung == 0 : (double)to >= m->param[RUNGS * n + l])
        return;
    const double *w = row_of(m, LOG_WEIGHT);
    double change = beta_at(m, l, to) - row_of(m, BETA)[l];
    double ratio = change * m->info.logp[l] + w[to * n + l] - w[rung * n + l];
    row_of(m, TRIED + pair)[l] += 1;
    if (!(log(uniform[n + l]) < ratio))
        return;
    row_of(m, CHANGED + pair)[l] += 1;
    go(m, l, to);
}

static void change_temperatures(cs_move *m)
{
    double *uniform = m->scratch + UNIFORMS * m->lanes;
    if (m->streams.step % (uint64_t)m->param[PERIOD * m->lanes])
        return;
    cs_fill_uniform(&m->streams, CS_FOR_SWAP, 2, uniform);
    for (size_t l = 0; l < m->lanes; l++)
        if (!m->failed[l])
            try_temperature(m, l, uniform);
}

/* ---- the step ------------------------------------------------------------ */

/* The proposal for auxiliary variables of the inner kernel, behind that of beta,
 * which is beta itself. */
static void show_proposal(cs_move *m)
{
    const cs_wrapper *a = m->self;
    size_t n = m->lanes;
    double *to = m->scratch + PROPOSED * n;
    if (!m->info.aux_proposal)
        return;
    memcpy(to, row_of(m, BETA), n * sizeof *to);
    memcpy(to + n, m->info.aux_proposal,
           cs_kernel_aux_rows(&a->inner, m->eval->target) * n * sizeof *to);
    m->info.aux_proposal = to;
}

static void step(cs_move *m)
{
    const double *rung = row_of(m, RUNG), *beta = row_of(m, BETA);
    change_temperatures(m);
    cs_tempered_evaluate_again(m, beta);
    cs_tempered_step(m, beta);
    copy_aux(m);
    show_proposal(m);
    for (size_t l = 0; l < m->lanes; l++) {
        bool counts = (double)m->streams.step > m->param[LEARN * m->lanes + l];
        m->info.weight[l] = counts && rung[l] == 0;
        row_of(m, VISITS + (size_t)rung[l])[l] += counts;
    }
}

static uint64_t period(const double *values)
{
    return (uint64_t)values[PERIOD];
}

/* ---- weights --------------------------------------------------------------- */

static double *word_of(const cs_exchange *m, size_t chain, size_t word)
{
    const cs_chain_ref *lane = &m->lane[chain];
    size_t first = cs_wrapper_first(m->self, m->target);
    return lane->memory + (first + word) * lane->stride;
}

static void learn(const cs_exchange *m)
{
    size_t rungs = (size_t)m->values[RUNGS];
    double at[MOST_RUNGS] = {0}, live = 0, t0 = 10 * (double)rungs;
    double t = (double)(m->step / period(m->values));
    if ((double)m->step > m->values[LEARN])
        return;
    for (size_t c = 0; c < m->chains; c++) {
        at[(size_t)*word_of(m, c, RUNG)] += !m->failed[c];
        live += !m->failed[c];
    }
    double gain = live > 0 ? t0 / fmax(t0, t) / live : 0;
    for (size_t c = 0; c < m->chains; c++)
        for (size_t k = 0; k < rungs; k++)
            *word_of(m, c, LOG_WEIGHT + k) -= gain * (at[k] - at[0]);
}

/* ---- the report ------------------------------------------------------------ */

static double sum_of(const cs_exchange *m, size_t word)
{
    double sum = 0;
    for (size_t c = 0; c < m->chains; c++)
        sum += *word_of(m, c, word);
    return sum;
}

static double share_of(double part, double whole)
{
    return whole > 0 ? part / whole : (double)NAN;
}

/* temperature[rungs]; swaps[rungs - 1], the share that was done of the tried
 * changes from a rung to the next or back; log_weight[rungs]; visits[rungs],
 * shares since the weights are frozen; trips, of all chains together, and
 * trips_each[chains]. */
static void report(const cs_exchange *m, const char *prefix, cs_flat *out)
{
    size_t rungs = (size_t)m->values[RUNGS];
    double *hot = cs_flat_array(out, 1, rungs, "%stemperature", prefix);
    double *share =
        rungs > 1 ? cs_flat_array(out, 1, rungs - 1, "%sswaps", prefix) : NULL;
    double *weight = cs_flat_array(out, 1, rungs, "%slog_weight", prefix);
    double *visits = cs_flat_array(out, 1, rungs, "%svisits", prefix), all = 0;
    for (size_t k = 0; k < rungs; k++)
        all += sum_of(m, VISITS + k);
    for (size_t k = 0; hot && weight && visits && k < rungs; k++) {
        hot[k] = 1 / cs_tempered_beta(m->self, k, m->values[RUNGS],
                                      m->values[HOTTEST]);
        weight[k] = *word_of(m, 0, LOG_WEIGHT + k);
        visits[k] = share_of(sum_of(m, VISITS + k), all);
        if (share && k + 1 < rungs)
            share[k] = share_of(sum_of(m, CHANGED + k), sum_of(m, TRIED + k));
    }
    double *each = cs_flat_array(out, 1, m->chains, "%strips_each", prefix);
    for (size_t c = 0; each && c < m->chains; c++)
        each[c] = *word_of(m, c, TRIPS);
    cs_flat_number(out, sum_of(m, TRIPS), "%strips", prefix);
}

static const cs_aux aux[] = {
    {.name = "beta", .help = "the inverse temperature", .rows = one_row},
    {.name = NULL},
};

static const char *const stats[] = {NULL};

#define PAPER "Marinari and Parisi 1992, "

static const cs_param rows[] = {
    CS_LADDER_NUMBERS("temperatures", MOST_RUNGS, "number of temperatures",
                      "steps between attempts to change the temperature",
                      PAPER "Eqs. 5 and 6"),
    [LEARN] = {.name = "learn",
               .unit = "steps",
               .kind = CS_PARAM_INT,
               .flags = CS_PARAM_SHARED | CS_PARAM_FIXED,
               .max = 1e15,
               .def = 5000,
               .help =
                   "the step at which the weights of the temperatures freeze: "
                   "draws count from there. 0: all weights are equal",
               .ref = "Liang, Liu and Carroll 2007, Eqs. 3 and 4"},
    [NUMBERS + CS_LADDER_TEMPERATURES] = CS_LADDER_LIST,
    [NUMBERS + CS_LADDER_LOG_WEIGHTS] =
        {.name = "log_weights",
         .kind = CS_PARAM_ARRAY,
         .flags = CS_PARAM_FIXED,
         .help = "log weight of each temperature (nats) from an earlier run; "
                 "learn then defaults to 0"},
};

static cs_status arrange(const cs_value *given, double *values, cs_error *err)
{
    const cs_value *weights = &given[NUMBERS + CS_LADDER_LOG_WEIGHTS];
    cs_status s = cs_ladder_arrange(&rows[RUNGS], given,
                                    &given[NUMBERS + CS_LADDER_TEMPERATURES],
                                    values, err);
    if (s || !weights->given)
        return s;
    if (!given[LEARN].given)
        values[LEARN] = 0;
    if ((double)weights->rows == values[RUNGS])
        return CS_OK;
    cs_fail(err, CS_RANGE, "log_weights holds %zu numbers, the ladder %g rungs",
            weights->rows, values[RUNGS]);
    cs_hint(err, "give one for each temperature");
    return CS_RANGE;
}

const cs_kernel_type CS_VARIANT(cs_kernel_simulated_tempering) = {
    .name = "simulated_tempering",
    .title = "Simulated tempering",
    .ref = "Marinari and Parisi, Simulated tempering: a new Monte Carlo "
           "scheme, 1992; Geyer and Thompson, Annealing Markov chain Monte "
           "Carlo with applications to ancestral inference, 1995",
    .help = "Wraps any kernel: the temperature of a chain is part of its "
            "state, with weights that are learned first. A chain is recorded "
            "and counts in estimates only while its temperature is 1, from the "
            "step at which the weights freeze.",
    .spaces = CS_DISCRETE | CS_CONTINUOUS,
    .flags = CS_KERNEL_EXACT | CS_KERNEL_WRAPPER | CS_KERNEL_WEIGHS,
    .params = rows,
    .n_params = NUMBERS,
    .n_lists = sizeof rows / sizeof *rows - NUMBERS,
    .arrange = arrange,
    .stats = stats,
    .aux = aux,
    .aux_first = aux_first,
    .memory_words = memory_words,
    .scratch_words = scratch_words,
    .init = init,
    .step = step,
    .period = period,
    .exchange = learn,
    .report = report,
};
