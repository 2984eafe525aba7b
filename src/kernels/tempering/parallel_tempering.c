/* parallel_tempering: chains at increasing temperatures, all moved by the same
 * kernel, that swap their states. The coldest chain draws from the target, and
 * crosses valleys by means of swaps.
 *
 *   rung r of a ladder follows pi^beta_r, beta_r = hottest^(-r / (rungs - 1))
 *   or 1 / temperatures[r]
 *   rungs r and r + 1 swap states with probability
 *     min(1, exp( (beta_r - beta_r+1) (log p(x_r+1) - log p(x_r)) ))
 *
 * Geyer, "Markov chain Monte Carlo maximum likelihood" (1991); Hukushima and
 * Nemoto, "Exchange Monte Carlo method and application to spin glass
 * simulations" (1996), Eqs. 5 and 6. Every `swap_interval` steps either the
 * even or the odd pairs of rungs try to swap, in turn (Okabe, Kawata, Okamoto
 * and Mikami 2001). Syed, Bouchard-Cote, Deligiannidis and Doucet,
 * "Non-reversible parallel tempering" (2022), section 3, show that alternating
 * is better than a random choice of pairs.
 *
 * Chain c of an arm is rung c mod rungs. The inner kernel receives beta log p
 * from the evaluator. After a chain has received another state, its next step
 * starts with the inner kernel's init, which counts as work of that chain.
 * States are swapped, not temperatures: a chain keeps its temperature, its
 * random stream and what its kernel has learned about moving at that
 * temperature. Only rung 0 draws from the target; the other rungs have weight
 * 0. */
#include "kernels/tempering/rungs.h"
#include "kernels/tempering/tempered.h"
#include "simd/simd.h"

enum { RUNGS = CS_LADDER_RUNGS, HOTTEST, SWAP_INTERVAL, NUMBERS };

/* Rows of the wrapper's memory after CS_STALE: the rows of a rung (rungs.h). */
enum {
    RUNG = CS_STALE + 1,
    BETA = RUNG + CS_RUNG_BETA,
    REPLICA = RUNG + CS_RUNG_REPLICA,
    WORDS = RUNG + CS_RUNG_WORDS
};

static size_t memory_words(const cs_target *t, const double *values)
{
    (void)t;
    (void)values;
    return WORDS;
}

static size_t scratch_words(const cs_target *t, const double *values)
{
    (void)t;
    (void)values;
    return CS_TEMPERED_SCRATCH;
}

static void log_q(cs_move *m, const double *from, const double *to, double *out)
{
    const cs_wrapper *a = m->self;
    cs_move inner = cs_wrapper_inner(m);
    m->eval->power = cs_tempered_row(m, BETA);
    a->inner.type->log_q(&inner, from, to, out);
    m->eval->power = NULL;
}

/* ---- rungs --------------------------------------------------------------- */

static size_t rungs_of(const double *values)
{
    return (size_t)values[RUNGS];
}

static size_t rung_of(const cs_move *m, size_t l)
{
    return (size_t)m->streams.chain[l] % (size_t)m->param[RUNGS * m->lanes];
}

static void init(cs_move *m)
{
    size_t n = m->lanes;
    double *beta = cs_tempered_row(m, BETA);
    for (size_t l = 0; l < n; l++) {
        size_t rung = rung_of(m, l);
        beta[l] = cs_tempered_beta(m->self, rung, m->param[RUNGS * n + l],
                                   m->param[HOTTEST * n + l]);
        cs_tempered_row(m, CS_STALE)[l] = 0;
        if (m->fresh)
            cs_rung_begin(cs_tempered_row(m, RUNG) + l, n, rung,
                          m->streams.chain[l]);
    }
    cs_tempered_init(m, beta);
}

static void step(cs_move *m)
{
    size_t n = m->lanes;
    const double *beta = cs_tempered_row(m, BETA),
                 *replica = cs_tempered_row(m, REPLICA);
    cs_tempered_evaluate_again(m, beta);
    cs_tempered_step(m, beta);
    for (size_t l = 0; l < n; l++) {
        m->info.log_weight[l] = rung_of(m, l) == 0 ? 0 : -HUGE_VAL;
        m->info.stat[l] = beta[l];
        m->info.stat[n + l] = replica[l] + 1;
    }
}

static uint64_t period(const double *values)
{
    return (uint64_t)values[SWAP_INTERVAL];
}

/* ---- exchange ------------------------------------------------------------ */

/* Swaps states. A chain that receives another state must evaluate this state at
 * its own temperature. */
static void exchange(const cs_exchange *m)
{
    size_t stale = cs_wrapper_first(m->self, m->target) + CS_STALE;
    cs_rungs_exchange(m, cs_parallel_first(m), rungs_of(m->values),
                      period(m->values), cs_parallel_trial);
    for (size_t c = 0; c < m->chains; c++)
        if (m->from[c] != c)
            *cs_rung_word(m, stale, c, 0) = 1;
}

static void report(const cs_exchange *m, const char *prefix, cs_flat *out)
{
    cs_rungs_report(m, cs_parallel_first(m), rungs_of(m->values), prefix, out);
}

static const char *const stats[] = {"beta__", "replica__", NULL};

#define PAPER "Hukushima and Nemoto 1996, "

static const cs_param rows[] = {
    CS_LADDER_NUMBERS(
        "chains", CS_LADDER_MOST,
        "number of temperatures, each with its own chain",
        "steps between swap attempts of neighbouring temperatures",
        PAPER "section 2 and Eq. 6"),
    [NUMBERS + CS_LADDER_TEMPERATURES] = CS_LADDER_LIST,
};

static cs_status arrange(const cs_value *given, double *values, cs_error *err)
{
    return cs_ladder_arrange(&rows[RUNGS], given,
                             &given[NUMBERS + CS_LADDER_TEMPERATURES], values,
                             err);
}

static const cs_exchange_type exchanges = {
    .period = period, .run = exchange, .group = rungs_of};

const cs_kernel_type CS_VARIANT(cs_kernel_parallel_tempering) = {
    .name = "parallel_tempering",
    .title = "Parallel tempering",
    .ref = "Hukushima and Nemoto, Exchange Monte Carlo method and application "
           "to spin glass simulations, 1996; Syed et al., Non-reversible "
           "parallel tempering, 2022",
    .help = "Wraps any kernel. Each chain of the arm becomes a ladder: several "
            "chains at increasing temperatures, which swap their states. Only "
            "the chain at temperature 1 is recorded and counts in estimates, "
            "but the work of all chains of the ladder is counted.",
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
    .log_q = log_q,
    .report = report,
    .exchange = &exchanges,
    .wraps = true,
};
