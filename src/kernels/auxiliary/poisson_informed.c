/* poisson_mala, poisson_barker: proposals along the gradient of a Poisson
 * minibatch. The accept step uses the same minibatch.
 *
 *   s_i ~ Poisson(Lambda M_i / L + phi_i(x))
 *   g(x) = grad [log p(x) + log P_x(s)]
 *   poisson_mala    y = x + step^2 / 2 g(x) + step z,  z ~ N(0, I)
 *   poisson_barker  y_j = x_j + b_j step z_j,  b_j = 1 with probability
 *                   1 / (1 + exp(-step z_j g_j(x))), else -1
 *   log A = prior(y) - prior(x)
 *           + sum_i s_i log [(Lambda M_i / L + phi_i(y)) /
 *                            (Lambda M_i / L + phi_i(x))]
 *           + log q_s(x|y) - log q_s(y|x)
 *
 * Yuan and Wang 2026, Algorithm 2 with g(t) = sqrt(t) and t / (1 + t), and
 * appendix D; see poisson.h for the notation and the differences from the
 * paper. The step size is defined as in the text of the paper; the authors'
 * released programs propose with standard deviation sqrt(2) step. */
#include "kernel/step_row.h"
#include "kernel/step_trace.h"
#include "kernels/auxiliary/poisson_slope.h"
#include "kernels/real/barker_move.h"
#include "kernels/real/langevin_move.h"

/* Returns the scratch size in doubles per lane. Layout: y, the gradients at x
 * and at y, then the minibatch. The uniforms of the signs share the rows of the
 * gradient at y. */
static size_t scratch_words(const cs_target *t, const double *values)
{
    (void)values;
    return 3 * t->space.dim + cs_poisson_slope_words(t);
}

static void init(cs_move *m)
{
    cs_eval_prior(m->eval, m->x, m->info.logp, NULL);
}

/* The functions of one of the two proposals. */
typedef struct form {
    void (*propose)(cs_move *m, const double *g, double *scratch, double *y);
    cs_vd (*log_q)(const cs_move *m, size_t l, const double *from,
                   const double *to, const double *g);
} form;

static void step_of(cs_move *m, const form *f)
{
    size_t n = m->dim * m->lanes;
    double *y = m->scratch, *g = y + n, *g_there = g + n;
    cs_poisson_slope s;
    m->info.proposal = y;
    cs_eval_prior(m->eval, m->x, m->info.logp, g);
    cs_poisson_slope_open(&s, m, g_there + n);
    cs_poisson_slope_draw(&s, m, g);
    f->propose(m, g, g_there, y);
    cs_eval_prior(m->eval, y, m->info.logp_proposal, g_there);
    cs_refuse_overflow(m);
    cs_poisson_slope_compare(&s, m, y, g_there);
    for (size_t l = 0; l < m->lanes; l += CS_VECTOR) {
        cs_vd back = f->log_q(m, l, y, m->x, g_there);
        cs_vi inside = cs_load(m->info.logp_proposal + l) > -CS_VM_INF;
        cs_store(m->info.log_q_back + l, cs_vselect(inside, back, cs_vset(0)));
    }
    cs_accept(m);
}

/* ---- poisson_mala -------------------------------------------------------- */

static void propose_mala(cs_move *m, const double *g, double *scratch,
                         double *y)
{
    (void)scratch;
    cs_fill_normal(&m->streams, CS_FOR_PROPOSAL, m->dim, y);
    for (size_t l = 0; l < m->lanes; l += CS_VECTOR)
        cs_drift_propose(m, cs_span_of(m), l, m->x, g, y);
}

static cs_vd log_q_mala(const cs_move *m, size_t l, const double *from,
                        const double *to, const double *g)
{
    return cs_drift_log_q(m, cs_span_of(m), l, from, to, g);
}

static const form mala = {propose_mala, log_q_mala};

static void step_mala(cs_move *m)
{
    step_of(m, &mala);
}

/* ---- poisson_barker ------------------------------------------------------ */

static void propose_barker(cs_move *m, const double *g, double *scratch,
                           double *y)
{
    cs_fill_single_normal(&m->streams, CS_FOR_PROPOSAL, m->dim, y);
    cs_fill_uniform(&m->streams, CS_FOR_LENGTH, m->dim, scratch);
    for (size_t l = 0; l < m->lanes; l += CS_VECTOR)
        cs_barker_propose(m, cs_span_of(m), l, m->x, g, scratch, y);
    if (cs_step_trace_of(m) && cs_step_trace_of(m)->slope) {
        for (size_t d = 0; d < m->dim; d++)
            cs_step_trace_of(m)->slope[d] = g[d * m->lanes];
        cs_step_trace_of(m)->has_slope = true;
    }
}

static cs_vd log_q_barker(const cs_move *m, size_t l, const double *from,
                          const double *to, const double *g)
{
    return cs_barker_skew(cs_span_of(m), l, from, to, g);
}

static const form barker = {propose_barker, log_q_barker};

static void step_barker(cs_move *m)
{
    step_of(m, &barker);
}

/* ---- tables of the kernels ----------------------------------------------- */

static cs_status check_mala(const cs_target *t, const double *values,
                            cs_error *err)
{
    (void)values;
    return cs_row_draws_check("poisson_mala", t, CS_ROW_RANGE, err);
}

static cs_status check_barker(const cs_target *t, const double *values,
                              cs_error *err)
{
    (void)values;
    return cs_row_draws_check("poisson_barker", t, CS_ROW_RANGE, err);
}

static const cs_param mala_rows[] = {
    [CS_POISSON_STEP] = CS_STEP_ROW(
        0.1, "standard deviation of the noise; the drift is step^2 / 2 times "
             "the minibatch gradient. (For the same step, the paper's programs "
             "use noise with standard deviation sqrt(2) step)"),
    CS_POISSON_LAMBDA_ROW,
};

static const cs_param barker_rows[] = {
    [CS_POISSON_STEP] =
        CS_STEP_ROW(0.1, "standard deviation of the noise; the sign of the "
                         "noise is chosen by the minibatch gradient"),
    CS_POISSON_LAMBDA_ROW,
};

const cs_kernel_type CS_VARIANT(cs_kernel_poisson_mala) = {
    .name = "poisson_mala",
    .title = "Poisson-MALA",
    .ref = "Yuan and Wang 2026, Algorithm 2 with g(t) = sqrt(t)",
    .help = "Draws a Poisson minibatch of the data rows, proposes a Langevin "
            "step along the gradient of this minibatch, and accepts or rejects "
            "the proposal with the same minibatch. Draws are exact, although "
            "each step reads only some of the rows.",
    CS_POISSON_COMMON,
    .params = mala_rows,
    .n_params = CS_POISSON_PARAMS,
    .scratch_words = scratch_words,
    .check = check_mala,
    .init = init,
    .step = step_mala,
};

const cs_kernel_type CS_VARIANT(cs_kernel_poisson_barker) = {
    .name = "poisson_barker",
    .title = "Poisson-Barker",
    .ref = "Yuan and Wang 2026, Algorithm 2 with g(t) = t / (1 + t)",
    .help = "Draws a Poisson minibatch of the data rows, and proposes a move "
            "by Gaussian noise. The gradient of this minibatch makes uphill "
            "moves more likely than downhill moves. The same minibatch decides "
            "whether the proposal is accepted; draws are exact, although each "
            "step reads only some of the rows.",
    CS_POISSON_COMMON,
    .params = barker_rows,
    .n_params = CS_POISSON_PARAMS,
    .acceptance =
        0.4, /* the acceptance rate that barker (a kernel that uses all rows)
                aims at */
    .scratch_words = scratch_words,
    .check = check_barker,
    .init = init,
    .step = step_barker,
};
