/* tuna_sgld: moves along the gradient of a minibatch of rows, as in stochastic
 * gradient Langevin dynamics; a second, Poisson minibatch accepts or rejects
 * the proposal.
 *
 *   B: K of the N rows, every set equally likely
 *   g_B(x) = N / K sum_B grad term_i(x);
 *            with gradient_length > 0 the sum is scaled to that length
 *   y = x + step^2 / 2 [grad prior(x) + g_B(x)] + step z,  z ~ N(0, I)
 *   s_i ~ Poisson(lambda c_i / C + phi_i(x, y)),  lambda = chi C^2 M(x, y)^2
 *   log A = prior(y) - prior(x)
 *           + sum_i s_i log [(lambda c_i / C + phi_i(y, x)) /
 *                            (lambda c_i / C + phi_i(x, y))]
 *           + log q_B(x|y) - log q_B(y|x)
 *
 * Yuan and Wang 2026, Algorithm 3; see tuna.h for the notation and the
 * differences from the paper. The reverse move uses the same B, which does not
 * depend on the state, so the step is reversible for each B. The paper does not
 * mention that its released programs scale every sum to the length 2. */
#include "kernel/step_row.h"
#include "kernel/step_trace.h"
#include "kernels/auxiliary/tuna.h"
#include "kernels/real/batch.h"
#include "kernels/real/langevin_move.h"

enum { BATCH = CS_TUNA_PARAMS, GRADIENT_LENGTH, PARAMS };

/* First random number of the stream CS_FOR_DATA that is used for drawing B. The
 * second minibatch uses the numbers from 0 on, but never reaches this
 * number. */
#define FIRST_MINIBATCH ((size_t)1 << 40)

/* Returns K, the number of rows in the first minibatch. */
static size_t rows_of(const cs_target *t, double batch)
{
    return batch < (double)t->n_rows ? (size_t)batch : t->n_rows;
}

/* The first minibatch and its gradient. */
typedef struct guide {
    cs_move *m;
    size_t n; /* K, the number of rows per lane */
    cs_batch batch;
    uint32_t *row;   /* [live n] indices of the rows, lane after lane */
    size_t *first;   /* [live + 1] index of each lane's first row */
    double *part;    /* [dim][lanes] sum of the gradients of the rows */
    double *term;    /* [live n] terms of the rows */
    double *scratch; /* [cs_batch_words][lanes] work space */
} guide;

/* Returns the size of a guide in doubles per lane. Layout of the scratch: y,
 * the gradients at x and at y, the guide, then the second minibatch. */
static size_t guide_words(const cs_target *t, size_t n)
{
    return t->space.dim + n + cs_batch_words(n);
}

static size_t scratch_words(const cs_target *t, const double *values)
{
    return 3 * t->space.dim + guide_words(t, rows_of(t, values[BATCH])) +
           cs_tuna_words();
}

static guide open_guide(cs_move *m, double *at)
{
    size_t n = rows_of(m->eval->target, cs_move_param(m, BATCH)[0]);
    guide g = {.m = m, .n = n, .part = at};
    g.term = g.part + m->dim * m->lanes;
    g.scratch = g.term + n * m->lanes;
    return g;
}

static void draw_batch(guide *g)
{
    cs_move far = *g->m;
    far.streams.skip = FIRST_MINIBATCH;
    g->batch =
        cs_batch_draw(&far, CS_BATCH_WITHOUT_REPLACEMENT, g->n, g->scratch);
    g->row = (uint32_t *)(void *)g->scratch;
    g->first = (size_t *)(void *)(g->scratch + (g->n / 2 + 1) * far.lanes);
    cs_eval_fetch(g->m->eval, g->batch.row, g->batch.first[g->m->live]);
    for (size_t l = 0; l < g->m->live; l++)
        g->m->info.stat[CS_TUNA_DRAWN * g->m->lanes + l] = (double)g->n;
}

/* Drops the batch's rows in lanes whose proposal is outside the support of the
 * prior. */
static void leave_out_refused(guide *g)
{
    size_t used = 0;
    for (size_t l = 0; l < g->m->live; l++) {
        g->first[l] = used;
        if (!(g->m->info.logp_proposal[l] > -HUGE_VAL))
            continue;
        memmove(g->row + used, g->row + l * g->n, g->n * sizeof *g->row);
        used += g->n;
    }
    g->first[g->m->live] = used;
}

/* Returns, for eight lanes, the factor by which the sum of gradients is
 * multiplied. */
static cs_vd scale_of(const guide *g, size_t l)
{
    const cs_move *m = g->m;
    cs_vd each = cs_vset((double)m->eval->target->n_rows / (double)g->n);
    cs_vd length = cs_load(cs_move_param(m, GRADIENT_LENGTH) + l), square;
    CS_SPAN_SUM(square, cs_span_of(m), l,
                cs_load(g->part + at) * cs_load(g->part + at));
    cs_vi scaled = cs_vless(cs_vset(0), length) & cs_vless(cs_vset(0), square);
    return each * cs_vselect(scaled, length / cs_vsqrt(square), cs_vset(1));
}

/* Records the rows of the first chain's batch in the step trace. Also records
 * the terms of these rows: at the state if `here` is true, else at the
 * proposal. */
static void tell(const guide *g, bool here)
{
    cs_step_trace *to = cs_step_trace_of(g->m);
    for (size_t i = 0; i < g->batch.first[1]; i++) {
        if (here)
            cs_note_row(to, (cs_row_note){.row = g->batch.row[i],
                                          .use = CS_ROW_GUIDES,
                                          .bound = (double)NAN,
                                          .here = g->term[i],
                                          .there = (double)NAN,
                                          .chance = (double)NAN,
                                          .part = (double)NAN});
        else if (i < to->row_capacity)
            to->row[i].there = g->term[i];
    }
}

/* Converts the gradient of the prior at x, which is in to[dim][lanes], to the
 * gradient that guides proposals. The result is 0 outside the support of the
 * prior, where log p is -infinity. */
static void add_gradient(guide *g, const double *x, const double *logp,
                         double *to)
{
    const cs_move *m = g->m;
    cs_eval_slope(m->eval, x, &g->batch, g->term, g->part);
    if (cs_step_trace_of(m))
        tell(g, x == m->x);
    for (size_t at = 0; at < m->dim * m->lanes; at += m->lanes)
        for (size_t l = m->live; l < m->lanes; l++)
            g->part[at + l] = g->part[at + m->live - 1];
    for (size_t l = 0; l < m->lanes; l += CS_VECTOR) {
        cs_vd scale = scale_of(g, l);
        cs_vi inside = cs_vless(cs_vset(-CS_VM_INF), cs_load(logp + l));
        for (size_t at = l; at < m->dim * m->lanes; at += m->lanes)
            cs_store(to + at, cs_vselect(inside,
                                         cs_load(to + at) +
                                             scale * cs_load(g->part + at),
                                         cs_vset(0)));
    }
}

static void init(cs_move *m)
{
    cs_eval_prior(m->eval, m->x, m->info.logp, NULL);
}

static void propose(cs_move *m, const double *g, double *y)
{
    cs_fill_normal(&m->streams, CS_FOR_PROPOSAL, m->dim, y);
    for (size_t l = 0; l < m->lanes; l += CS_VECTOR)
        cs_drift_propose(m, cs_span_of(m), l, m->x, g, y);
}

static void step(cs_move *m)
{
    size_t n = m->dim * m->lanes;
    double *y = m->scratch, *here = y + n, *there = here + n;
    guide g = open_guide(m, there + n);
    cs_tuna t = cs_tuna_open(m, g.scratch + cs_batch_words(g.n) * m->lanes);
    m->info.proposal = y;
    draw_batch(&g);
    cs_eval_prior(m->eval, m->x, m->info.logp, here);
    add_gradient(&g, m->x, m->info.logp, here);
    propose(m, here, y);
    cs_eval_prior(m->eval, y, m->info.logp_proposal, there);
    cs_refuse_overflow(m);
    leave_out_refused(&g);
    add_gradient(&g, y, m->info.logp_proposal, there);
    for (size_t l = 0; l < m->lanes; l += CS_VECTOR)
        cs_store(m->info.log_q_back + l,
                 cs_drift_log_q(m, cs_span_of(m), l, y, m->x, there));
    cs_tuna_estimate(&t, y);
    cs_accept(m);
}

static cs_status check(const cs_target *t, const double *values, cs_error *err)
{
    (void)values;
    return cs_row_draws_check("tuna_sgld", t, CS_ROW_CHANGE, err);
}

/* Checks only the target's bounds, because the length of a gradient step is not
 * known in advance. */
static cs_status prepare(cs_target *t, const double *values, cs_error *err)
{
    (void)values;
    return cs_row_bounds_make(t, CS_ROW_CHANGE, err);
}

static const cs_param rows[] = {
    [CS_TUNA_STEP] =
        CS_STEP_ROW(0.1, "standard deviation of the noise; the drift is "
                         "step^2 / 2 times the estimated gradient"),
    CS_TUNA_CHI_ROW,
    [BATCH] = {.name = "batch",
               .unit = "rows",
               .kind = CS_PARAM_INT,
               .flags = CS_PARAM_LOG | CS_PARAM_SHARED | CS_PARAM_FIXED,
               CS_PARAM_RANGE(1, 1e9, 20),
               .help =
                   "number of data rows used to estimate the gradient, drawn "
                   "without replacement; all rows if the data have fewer",
               .ref = "Yuan and Wang 2026, Algorithm 3 (K)"},
    [GRADIENT_LENGTH] =
        {.name = "gradient_length",
         .flags = CS_PARAM_LOG,
         .max = 1e100,
         .help =
             "length to which the summed gradient of the batch rows is scaled "
             "up or down; 0: no scaling. (The paper's programs use 2)"},
};

const cs_kernel_type CS_VARIANT(cs_kernel_tuna_sgld) = {
    .name = "tuna_sgld",
    .title = "Tuna-SGLD",
    .ref = "Yuan and Wang 2026, Algorithm 3",
    .help = "An exact form of stochastic gradient Langevin dynamics. Each step "
            "moves along a gradient computed from some data rows, with added "
            "noise; other data rows decide whether the move is accepted.",
    CS_TUNA_COMMON,
    .params = rows,
    .n_params = PARAMS,
    .scratch_words = scratch_words,
    .check = check,
    .prepare = prepare,
    .init = init,
    .step = step,
};
