/* simulated_tempering: a chain whose temperature is a part of its state and
 * moves up and down a ladder. At the cold end the chain draws from the target.
 *
 *   joint density of (x, k) ~ exp( beta_k log p(x) + w_k ),
 *                             beta_k = hottest^(-k / (rungs - 1))
 *                                   or 1 / temperatures[k]
 *   every `swap_interval` steps propose k' = k - 1 or k + 1, each with
 *   probability 1/2, and accept with probability
 *     min(1, exp( (beta_k' - beta_k) log p(x) + w_k' - w_k ));
 *   a k' beyond the ends of the ladder is rejected
 *
 * Marinari and Parisi, "Simulated tempering: a new Monte Carlo scheme" (1992),
 * Eqs. 5 and 6; Geyer and Thompson, "Annealing Markov chain Monte Carlo with
 * applications to ancestral inference" (1995), section 2. All rungs are visited
 * equally often if w_k = -log of the integral of exp(beta_k log p). The first
 * `learn` steps estimate these weights by stochastic approximation: at exchange
 * t of the chains of an arm
 *   w_k -= gain_t (share of the chains at rung k),  gain_t = t0 / max(t0, t)
 * shifted so that w_0 = 0 (Liang, Liu and Carroll, "Stochastic approximation in
 * Monte Carlo computation", 2007, Eqs. 3 and 4), with t0 = 10 rungs. Then the
 * weights are frozen. With any weights the joint density is as above, and draws
 * at the first rung count from then on. Learning starts from log_weights if
 * they are given; `learn` is then 0 by default. */
#include "kernel/step_trace.h"
#include "kernels/tempering/tempered.h"
#include "simd/simd.h"

enum { RUNGS = CS_LADDER_RUNGS, HOTTEST, SWAP_INTERVAL, LEARN, NUMBERS };

/* Layout of the wrapper's memory: these rows, then TABLES tables with one row
 * per rung, then beta. (Copies of the inner kernel's auxiliary variables follow
 * beta.) */
enum {
    RUNG = CS_STALE + 1,
    WAY, /* 1: the chain has reached the hot end since its last visit to the
            cold end */
    TRIPS,
    ROWS
};
/* Tables with one row per rung. TRIED: number of changes between rungs k and k
 * + 1, in either direction, that were tried. CHANGED: number of these changes
 * that were accepted. */
enum { LOG_WEIGHT, VISITS, TRIED, CHANGED, TABLES };

static size_t entry(size_t rungs, size_t table, size_t rung)
{
    return ROWS + table * rungs + rung;
}

static size_t beta_row(const cs_target *t, const double *values)
{
    (void)t;
    return entry((size_t)values[RUNGS], TABLES, 0);
}

/* Layout of the scratch: two uniforms, then the auxiliary variables of the
 * proposal, of which beta is the first. The inner kernel's variables follow
 * beta, and extend into the space for the inner kernel's memory. */
enum { UNIFORMS = CS_TEMPERED_SCRATCH, PROPOSED = UNIFORMS + 2, SCRATCH };

static size_t memory_words(const cs_target *t, const double *values)
{
    return beta_row(t, values) + 1;
}

static size_t scratch_words(const cs_target *t, const double *values)
{
    (void)t;
    (void)values;
    return SCRATCH;
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

static size_t rungs_of(const cs_move *m)
{
    return (size_t)m->param[RUNGS * m->lanes];
}

static double *table_of(const cs_move *m, size_t table, size_t rung)
{
    return row_of(m, entry(rungs_of(m), table, rung));
}

static double *beta_of(const cs_move *m)
{
    return table_of(m, TABLES, 0);
}

static double beta_at(const cs_move *m, size_t l, size_t rung)
{
    size_t n = m->lanes;
    return cs_tempered_beta(m->self, rung, m->param[RUNGS * n + l],
                            m->param[HOTTEST * n + l]);
}

/* Copies the inner kernel's auxiliary variables to the rows after beta. */
static void copy_aux(const cs_move *m)
{
    const cs_wrapper *a = m->self;
    const cs_target *t = m->eval->target;
    size_t n = m->lanes, bytes = cs_kernel_aux_rows(&a->inner, t) * n * 8;
    memcpy(beta_of(m) + n, m->memory + cs_kernel_aux_first(&a->inner, t) * n,
           bytes);
}

static bool weighs(const cs_wrapper *a)
{
    return a->lists.n[CS_LADDER_LOG_WEIGHTS] > 0;
}

static double given_weight(const cs_wrapper *a, size_t rung)
{
    const double *w = a->lists.of[CS_LADDER_LOG_WEIGHTS];
    return w[rung] - w[0];
}

static void init(cs_move *m)
{
    double *rung = row_of(m, RUNG), *beta = beta_of(m);
    for (size_t l = 0; l < m->lanes; l++) {
        size_t rungs = rungs_of(m);
        if (m->fresh)
            rung[l] = (double)(m->streams.chain[l] % rungs);
        beta[l] = beta_at(m, l, (size_t)rung[l]);
        row_of(m, CS_STALE)[l] = 0;
        for (size_t k = 0; m->fresh && k < rungs && weighs(m->self); k++)
            table_of(m, LOG_WEIGHT, k)[l] = given_weight(m->self, k);
    }
    cs_tempered_init(m, beta);
    copy_aux(m);
}

/* ---- temperature --------------------------------------------------------- */

/* Moves chain l to another rung. */
static void go(const cs_move *m, size_t l, size_t to)
{
    bool last = (double)to + 1 == m->param[RUNGS * m->lanes + l];
    double *away = row_of(m, WAY) + l;
    row_of(m, RUNG)[l] = (double)to;
    beta_of(m)[l] = beta_at(m, l, to);
    row_of(m, CS_STALE)[l] = 1;
    if (last)
        *away = 1;
    if (to > 0)
        return;
    row_of(m, TRIPS)[l] += *away;
    *away = 0;
}

/* Records a change of temperature of the first chain in the step trace.
 * `change` is NaN if the proposed rung is beyond the ends of the ladder. */
static void tell(const cs_move *m, bool down, double change, double weights,
                 double uniform)
{
    double rung = row_of(m, RUNG)[0], to = rung + (down ? -1 : 1);
    double ratio = change * m->info.logp[0] + weights;
    ratio = isnan(change) ? -HUGE_VAL : ratio;
    cs_note_swap(
        cs_step_trace_of(m),
        (cs_swap_note){.chain = (double)m->streams.chain[0],
                       .other = (double)m->streams.chain[0],
                       .rung = rung,
                       .other_rung = to,
                       .temperature = 1 / beta_of(m)[0],
                       .other_temperature = 1 / (beta_of(m)[0] + change),
                       .energy = -m->info.logp[0],
                       .other_energy = -m->info.logp[0],
                       .tempered = change * m->info.logp[0],
                       .rest = weights,
                       .log_ratio = ratio,
                       .chance = exp(fmin(ratio, 0)),
                       .uniform = uniform,
                       .swaps = log(uniform) < ratio});
}

static void try_temperature(const cs_move *m, size_t l, const double *uniform)
{
    size_t n = m->lanes, rung = (size_t)row_of(m, RUNG)[l];
    bool down = uniform[l] < 0.5, reported = l == 0 && cs_step_trace_of(m);
    size_t to = down ? rung - 1 : rung + 1, pair = down ? to : rung;
    if (down ? rung == 0 : (double)to >= m->param[RUNGS * n + l]) {
        if (reported)
            tell(m, down, (double)NAN, (double)NAN, uniform[n + l]);
        return;
    }
    const double *w = table_of(m, LOG_WEIGHT, 0);
    double change = beta_at(m, l, to) - beta_of(m)[l];
    double ratio = change * m->info.logp[l] + w[to * n + l] - w[rung * n + l];
    if (reported)
        tell(m, down, change, w[to * n + l] - w[rung * n + l], uniform[n + l]);
    table_of(m, TRIED, pair)[l] += 1;
    if (!(log(uniform[n + l]) < ratio))
        return;
    table_of(m, CHANGED, pair)[l] += 1;
    go(m, l, to);
}

static void change_temperatures(cs_move *m)
{
    double *uniform = m->scratch + UNIFORMS * m->lanes;
    if (m->streams.step % (uint64_t)m->param[SWAP_INTERVAL * m->lanes])
        return;
    cs_fill_uniform(&m->streams, CS_FOR_SWAP, 2, uniform);
    for (size_t l = 0; l < m->lanes; l++)
        if (!m->failed[l])
            try_temperature(m, l, uniform);
}

/* ---- step ---------------------------------------------------------------- */

/* Fills info.aux_proposal: beta, which the step does not change, then the inner
 * kernel's proposal. */
static void show_proposal(cs_move *m)
{
    const cs_wrapper *a = m->self;
    size_t n = m->lanes;
    double *to = m->scratch + PROPOSED * n;
    if (!m->info.aux_proposal)
        return;
    memcpy(to, beta_of(m), n * sizeof *to);
    memcpy(to + n, m->info.aux_proposal,
           cs_kernel_aux_rows(&a->inner, m->eval->target) * n * sizeof *to);
    m->info.aux_proposal = to;
}

static void step(cs_move *m)
{
    const double *rung = row_of(m, RUNG), *beta = beta_of(m);
    change_temperatures(m);
    cs_tempered_evaluate_again(m, beta);
    cs_tempered_step(m, beta);
    copy_aux(m);
    show_proposal(m);
    for (size_t l = 0; l < m->lanes; l++) {
        bool counts = (double)m->streams.step > m->param[LEARN * m->lanes + l];
        m->info.log_weight[l] = counts && rung[l] == 0 ? 0 : -HUGE_VAL;
        table_of(m, VISITS, (size_t)rung[l])[l] += counts;
    }
}

static uint64_t period(const double *values)
{
    return (uint64_t)values[SWAP_INTERVAL];
}

/* ---- weights ------------------------------------------------------------- */

static double *word_of(const cs_exchange *m, size_t chain, size_t word)
{
    const cs_chain_ref *lane = &m->lane[chain];
    size_t first = cs_wrapper_first(m->self, m->target);
    return lane->memory + (first + word) * lane->stride;
}

static double *entry_of(const cs_exchange *m, size_t chain, size_t table,
                        size_t rung)
{
    return word_of(m, chain, entry((size_t)m->values[RUNGS], table, rung));
}

static void learn(const cs_exchange *m)
{
    size_t rungs = (size_t)m->values[RUNGS];
    double at[CS_LADDER_MOST] = {0}, live = 0, t0 = 10 * (double)rungs;
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
            *entry_of(m, c, LOG_WEIGHT, k) -= gain * (at[k] - at[0]);
}

/* ---- report -------------------------------------------------------------- */

/* Returns the sum of one entry of a table over all chains. */
static double sum_of(const cs_exchange *m, size_t table, size_t rung)
{
    double sum = 0;
    for (size_t c = 0; c < m->chains; c++)
        sum += *entry_of(m, c, table, rung);
    return sum;
}

static double share_of(double part, double whole)
{
    return whole > 0 ? part / whole : (double)NAN;
}

/* Reports these keys: temperature[rungs]; swaps[rungs - 1], the acceptance rate
 * of changes between a rung and the next; log_weight[rungs]; visits[rungs], the
 * shares of visits since the weights were frozen; trips, the number of round
 * trips of all chains; trips_each[chains], the number of round trips of each
 * chain. */
static void report(const cs_exchange *m, const char *prefix, cs_flat *out)
{
    size_t rungs = (size_t)m->values[RUNGS];
    double *hot = cs_flat_array(out, 1, rungs, "%stemperature", prefix);
    double *share =
        rungs > 1 ? cs_flat_array(out, 1, rungs - 1, "%sswaps", prefix) : NULL;
    double *weight = cs_flat_array(out, 1, rungs, "%slog_weight", prefix);
    double *visits = cs_flat_array(out, 1, rungs, "%svisits", prefix), all = 0;
    for (size_t k = 0; k < rungs; k++)
        all += sum_of(m, VISITS, k);
    for (size_t k = 0; hot && weight && visits && k < rungs; k++) {
        hot[k] = 1 / cs_tempered_beta(m->self, k, m->values[RUNGS],
                                      m->values[HOTTEST]);
        weight[k] = *entry_of(m, 0, LOG_WEIGHT, k);
        visits[k] = share_of(sum_of(m, VISITS, k), all);
        if (share && k + 1 < rungs)
            share[k] = share_of(sum_of(m, CHANGED, k), sum_of(m, TRIED, k));
    }
    double *each = cs_flat_array(out, 1, m->chains, "%strips_each", prefix);
    double trips = 0;
    for (size_t c = 0; c < m->chains; c++) {
        trips += *word_of(m, c, TRIPS);
        if (each)
            each[c] = *word_of(m, c, TRIPS);
    }
    cs_flat_number(out, trips, "%strips", prefix);
}

static const cs_aux variables[] = {
    {.name = "beta", .help = "the inverse temperature", .rows = one_row},
    {.name = NULL},
};

static const cs_aux_type aux = {.variable = variables, .first = beta_row};

static const char *const stats[] = {NULL};

#define PAPER "Marinari and Parisi 1992, "

static const cs_param rows[] = {
    CS_LADDER_NUMBERS("temperatures", CS_LADDER_MOST, "number of temperatures",
                      "steps between attempts to change the temperature",
                      PAPER "Eqs. 5 and 6"),
    [LEARN] =
        {.name = "learn",
         .unit = "steps",
         .kind = CS_PARAM_INT,
         .flags = CS_PARAM_SHARED | CS_PARAM_FIXED,
         .max = 1e15,
         .def = 5000,
         .help =
             "step at which the weights of the temperatures are frozen; only "
             "later draws count in estimates. 0: all weights are equal",
         .ref = "Liang, Liu and Carroll 2007, Eqs. 3 and 4"},
    [NUMBERS + CS_LADDER_TEMPERATURES] = CS_LADDER_LIST,
    [NUMBERS + CS_LADDER_LOG_WEIGHTS] =
        {.name = "log_weights",
         CS_FIXED(ARRAY),
         .max = CS_LADDER_MOST,
         .help = "log weight of each temperature (nats) from an earlier run; "
                 "if the list is given, `learn` is 0 by default"},
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
    cs_fail(err, CS_RANGE,
            "log_weights has %zu numbers, but the ladder has %g rungs",
            weights->rows, values[RUNGS]);
    cs_hint(err, "give one log weight per temperature");
    return CS_RANGE;
}

static const cs_exchange_type exchange = {.period = period, .run = learn};

const cs_kernel_type CS_VARIANT(cs_kernel_simulated_tempering) = {
    .name = "simulated_tempering",
    .title = "Simulated tempering",
    .ref = "Marinari and Parisi, Simulated tempering: a new Monte Carlo "
           "scheme, 1992; Geyer and Thompson, Annealing Markov chain Monte "
           "Carlo with applications to ancestral inference, 1995",
    .help = "Wraps any kernel. The temperature of a chain is a part of its "
            "state; weights of the temperatures are learned first and then "
            "frozen. After that, a chain is recorded and counts in estimates "
            "only while its temperature is 1.",
    .spaces = CS_DISCRETE | CS_CONTINUOUS,
    .flags = CS_KERNEL_EXACT | CS_KERNEL_WEIGHS | CS_KERNEL_SELECTS,
    .params = rows,
    .n_params = NUMBERS,
    .n_lists = sizeof rows / sizeof *rows - NUMBERS,
    .arrange = arrange,
    .stats = stats,
    .memory_words = memory_words,
    .scratch_words = scratch_words,
    .init = init,
    .step = step,
    .report = report,
    .aux = &aux,
    .exchange = &exchange,
    .wraps = true,
};
