/* poisson_mh: a random walk whose accept step uses a Poisson minibatch.
 *
 *   y = x + step z,  z ~ N(0, I)
 *   s_i ~ Poisson(Lambda M_i / L + phi_i(x))
 *   log A = prior(y) - prior(x)
 *           + sum_i s_i log [(Lambda M_i / L + phi_i(y)) /
 *                            (Lambda M_i / L + phi_i(x))]
 *
 * Zhang and De Sa, "Poisson-minibatching for Gibbs sampling with convergence
 * rate guarantees" (2019), in the form of Yuan and Wang 2026, Algorithm 5; see
 * poisson.h for the notation and the differences from the paper. The minibatch
 * is drawn after the proposal and depends only on x, so it is the same for the
 * reverse move. A proposal outside the support of the prior is rejected before
 * any row is drawn. */
#include "kernel/step_row.h"
#include "kernel/step_trace.h"
#include "kernels/auxiliary/poisson.h"
#include "kernels/real/walk.h"

/* Returns the scratch size in doubles per lane. Layout: y, the terms of a
 * piece, then the draws and the kept draws. */
static size_t scratch_words(const cs_target *t, const double *values)
{
    (void)values;
    return t->space.dim + CS_PIECE + cs_row_draws_words() + cs_kept_words();
}

/* Computes log_aux of all lanes, piece by piece. */
static void estimate(cs_move *m, cs_row_draws *d, const double *y, double *term,
                     cs_kept *kept)
{
    double ratio = cs_poisson_ratio(m, d);
    while (cs_row_draws_next(d)) {
        cs_batch drawn = cs_row_draws_batch(d);
        cs_eval_terms(m->eval, m->x, &drawn, term);
        cs_thinning thin = cs_thin_begin(m, d, ratio, kept);
        cs_thin_terms(&thin, term);
        if (cs_step_trace_of(m))
            cs_poisson_tell(&thin, term);
        cs_poisson_note_kept(m, kept);
        cs_batch left = cs_kept_batch(kept);
        cs_eval_terms(m->eval, y, &left, term);
        cs_weighing w = {m, kept, ratio};
        cs_weigh_terms(&w, term);
        if (cs_step_trace_of(m))
            cs_poisson_tell_kept(&w, term);
    }
    cs_poisson_pad(m);
}

static void step(cs_move *m)
{
    double *y = m->scratch, *term = y + m->dim * m->lanes;
    double *scratch = term + CS_PIECE * m->lanes;
    cs_kept kept = cs_kept_open(m, scratch + cs_row_draws_words() * m->lanes);
    m->info.proposal = y;
    cs_walk_propose(m, y);
    cs_eval_prior(m->eval, y, m->info.logp_proposal, NULL);
    cs_refuse_overflow(m);
    cs_row_draws d = cs_poisson_open(m, scratch);
    for (size_t l = 0; l < m->live; l++)
        if (m->info.logp_proposal[l] > -HUGE_VAL)
            cs_poisson_count_lane(m, &d, l);
    estimate(m, &d, y, term, &kept);
    cs_accept(m);
}

static cs_status check(const cs_target *t, const double *values, cs_error *err)
{
    (void)values;
    return cs_row_draws_check("poisson_mh", t, CS_ROW_RANGE, err);
}

static const cs_param rows[] = {
    [CS_POISSON_STEP] = CS_STEP_ROW(0.1, "standard deviation of the move"),
    CS_POISSON_LAMBDA_ROW,
};

const cs_kernel_type CS_VARIANT(cs_kernel_poisson_mh) = {
    .name = "poisson_mh",
    .title = "PoissonMH",
    .ref = "Zhang and De Sa 2019; Yuan and Wang 2026, Algorithm 5",
    .help = "A random walk that reads a random (Poisson) number of data rows "
            "per step. Its draws nevertheless follow the exact posterior given "
            "all rows.",
    CS_POISSON_COMMON,
    .params = rows,
    .n_params = CS_POISSON_PARAMS,
    .acceptance = 0.234,
    .acceptance_of_one = 0.206,
    .scratch_words = scratch_words,
    .check = check,
    .init = cs_walk_init_prior,
    .step = step,
    .log_q = cs_walk_log_q_all,
};
