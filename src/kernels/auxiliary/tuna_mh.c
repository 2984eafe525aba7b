/* tuna_mh: a random walk whose accept step uses a Poisson minibatch. The size
 * of the minibatch depends on the length of the move.
 *
 *   y = x + step z,  z ~ N(0, I)
 *   s_i ~ Poisson(lambda c_i / C + phi_i(x, y)),  lambda = chi C^2 M(x, y)^2
 *   log A = prior(y) - prior(x)
 *           + sum_i s_i log [(lambda c_i / C + phi_i(y, x)) /
 *                            (lambda c_i / C + phi_i(x, y))]
 *
 * Zhang, Cooper and De Sa 2020, in the form of Yuan and Wang 2026, Algorithm 6;
 * see tuna.h for the notation and the differences from the paper. A proposal
 * outside the support of the prior is rejected before any row is drawn. */
#include "kernel/step_row.h"
#include "kernels/auxiliary/tuna.h"
#include "kernels/real/walk.h"

/* Returns the scratch size in doubles per lane. Layout: y, then the
 * minibatch. */
static size_t scratch_words(const cs_target *t, const double *values)
{
    (void)values;
    return t->space.dim + cs_tuna_words();
}

static void step(cs_move *m)
{
    double *y = m->scratch;
    cs_tuna t = cs_tuna_open(m, y + m->dim * m->lanes);
    m->info.proposal = y;
    cs_walk_propose(m, y);
    cs_eval_prior(m->eval, y, m->info.logp_proposal, NULL);
    cs_refuse_overflow(m);
    cs_tuna_estimate(&t, y);
    cs_accept(m);
}

static cs_status check(const cs_target *t, const double *values, cs_error *err)
{
    (void)values;
    return cs_row_draws_check("tuna_mh", t, CS_ROW_CHANGE, err);
}

static const cs_param rows[] = {
    [CS_TUNA_STEP] = CS_STEP_ROW(0.1, "standard deviation of the move"),
    CS_TUNA_CHI_ROW,
};

const cs_kernel_type CS_VARIANT(cs_kernel_tuna_mh) = {
    .name = "tuna_mh",
    .title = "TunaMH",
    .ref = "Zhang, Cooper and De Sa 2020; Yuan and Wang 2026, Algorithm 6",
    .help = "A random walk that reads a random subset of the data rows; the "
            "subset is larger for longer moves. Its draws nevertheless follow "
            "the exact posterior given all rows.",
    CS_TUNA_COMMON,
    .params = rows,
    .n_params = CS_TUNA_PARAMS,
    .prepare = cs_tuna_prepare,
    .expected_rows = cs_tuna_expected,
    .acceptance = 0.234, /* the runs in the paper have an acceptance rate of
                          * 0.6 */
    .acceptance_of_one = 0.206,
    .scratch_words = scratch_words,
    .check = check,
    .init = cs_walk_init_prior,
    .step = step,
    .log_q = cs_walk_log_q_all,
};
