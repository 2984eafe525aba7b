/* stretch: an ensemble of chains, each of which moves along the line through
 * itself and a partner. The method is invariant under affine maps of the
 * target.
 *
 *   y = c + z (x - c),  c: the partner,  z on [1/a, a], density ~ 1 / sqrt z
 *   accept with probability min(1, z^(d-1) p(y) / p(x))
 *
 * Goodman and Weare, "Ensemble samplers with affine invariance" (2010), section
 * 2, Eqs. 7 to 10; in halves as in Foreman-Mackey, Hogg, Lang and Goodman,
 * "emcee: the MCMC hammer" (2013), section 2.3: in each step the chains of one
 * parity move, with partners from the other parity, which rest; in the next
 * step the roles are exchanged. This leaves the product of the targets of all
 * chains invariant; it would not be invariant if partners moved at the same
 * time. z = (1 + (a - 1) u)^2 / a with u uniform.
 *
 * Between steps, each chain that moves next receives a copy of the state of a
 * partner, drawn uniformly from the other half. Before the first step no
 * exchange has taken place, so a standard normal point serves as the partner;
 * any point that is independent of the chain is valid. A resting chain has no
 * proposal: its y is NaN, and is rejected as a point of probability 0. */
#include "kernel/accept.h"

#include <math.h>
#include <string.h>

enum { STRETCH };

/* TURN: a row of the memory, which is 1 if the chain moves in this step, else
 * 0. The row follows the state of the partner (an unrecorded auxiliary
 * variable). Layout of the scratch: y; z and log z; two rows of masks. */
enum { TURN, OWN_WORDS };

static size_t partner_rows(const cs_target *t, const double *values)
{
    (void)values;
    return t->space.dim;
}

static size_t memory_words(const cs_target *t, const double *values)
{
    (void)values;
    return t->space.dim + OWN_WORDS;
}

static size_t scratch_words(const cs_target *t, const double *values)
{
    (void)values;
    return t->space.dim + 3;
}

static void init(cs_move *m)
{
    double *turn = m->memory + (m->dim + TURN) * m->lanes;
    for (size_t l = 0; l < m->lanes; l += CS_VECTOR)
        cs_store(m->info.log_q_forward + l, cs_vset(0));
    if (!m->fresh)
        return;
    cs_fill_normal(&m->streams, CS_FOR_AUXILIARY, m->dim, m->memory);
    for (size_t l = 0; l < m->lanes; l++)
        turn[l] = 1;
}

/* ---- step ---------------------------------------------------------------- */

/* Computes z[lanes] and log z[lanes] from uniforms. */
static void stretch(const cs_move *m, double *z, double *log_z)
{
    const double *scale = cs_move_param(m, STRETCH);
    cs_fill_uniform(&m->streams, CS_FOR_PROPOSAL, 1, z);
    for (size_t l = 0; l < m->lanes; l += CS_VECTOR) {
        cs_vd a = cs_load(scale + l), root = 1.0 + (a - 1.0) * cs_load(z + l);
        cs_store(z + l, root * root / a);
        cs_store(log_z + l, cs_vlog(root * root / a));
    }
}

/* Sets y to the proposal in lanes that move, and to x in others. */
static void propose(const cs_move *m, const bool *moves, const double *z,
                    double *y)
{
    for (size_t l = 0; l < m->lanes; l += CS_VECTOR) {
        cs_vi mask = cs_load_bool(moves + l);
        cs_vd by = cs_load(z + l);
        for (size_t at = l; at < m->dim * m->lanes; at += m->lanes) {
            cs_vd x = cs_load(m->x + at), c = cs_load(m->memory + at);
            cs_store(y + at, cs_vselect(mask, c + by * (x - c), x));
        }
    }
}

/* Evaluates y in the lanes that move. In the other lanes, sets y to NaN. */
static void evaluate(cs_move *m, const bool *moves, bool *rest, double *y)
{
    const bool *failed = m->eval->failed;
    for (size_t l = 0; l < m->lanes; l++)
        rest[l] = !moves[l];
    m->eval->failed = rest;
    cs_eval_ask(m->eval, moves);
    cs_eval_log_density(m->eval, CS_NEXT, y, m->info.logp_proposal);
    cs_eval_ask(m->eval, NULL);
    m->eval->failed = failed;
    for (size_t l = 0; l < m->lanes; l += CS_VECTOR) {
        cs_vi mask = cs_load_bool(rest + l);
        for (size_t at = l; at < m->dim * m->lanes; at += m->lanes)
            cs_store(y + at,
                     cs_vselect(mask, cs_vset(CS_VM_NAN), cs_load(y + at)));
    }
}

static void step(cs_move *m)
{
    size_t n = m->lanes;
    double *y = m->scratch, *z = y + m->dim * n, *log_z = z + n;
    bool *moves = (bool *)(void *)(log_z + n), *rest = moves + n;
    const double *turn = m->memory + (m->dim + TURN) * n;
    double power = (double)m->dim - 1;
    m->info.proposal = y;
    for (size_t l = 0; l < n; l++)
        moves[l] = turn[l] != 0 && !m->failed[l];
    stretch(m, z, log_z);
    propose(m, moves, z, y);
    evaluate(m, moves, rest, y);
    for (size_t l = 0; l < n; l += CS_VECTOR) {
        cs_vi mask = cs_load_bool(moves + l);
        cs_vd none = cs_vset(0), back = power * cs_load(log_z + l);
        cs_store(m->info.log_q_forward + l, none);
        cs_store(m->info.log_q_back + l, cs_vselect(mask, back, none));
        cs_store(m->info.stat + l, cs_vselect(mask, cs_load(z + l), none));
    }
    cs_refuse_overflow(m);
    cs_accept(m);
}

/* Computes log q as a density on the ray from c, where the volume element is
 * r^(d-1) dr. With r = |x - c| and r' = |y - c|: q(y | x) r'^(d-1) = g(r' / r)
 * / r. */
static void log_q(cs_move *m, const double *from, const double *to, double *out)
{
    size_t size = m->dim * m->lanes;
    for (size_t l = 0; l < m->lanes; l++) {
        double r = 0, there = 0, a = cs_move_param(m, STRETCH)[l];
        for (size_t at = l; at < size; at += m->lanes) {
            double c = from[size + at];
            r = hypot(r, from[at] - c);
            there = hypot(there, to[at] - c);
        }
        double log_g = -0.5 * log(there / r) - log(2 * (sqrt(a) - sqrt(1 / a)));
        out[l] = log_g - log(r) - ((double)m->dim - 1) * log(there);
    }
}

/* ---- exchanges ----------------------------------------------------------- */

static uint64_t period(const double *values)
{
    (void)values;
    return 1;
}

static void hand_over(const cs_exchange *m, size_t from, size_t to, size_t dim)
{
    const cs_chain_ref *a = &m->lane[from], *b = &m->lane[to];
    for (size_t d = 0; d < dim; d++)
        b->memory[d * b->stride] = a->x[d * a->stride];
}

/* Prepares step m->step + 1, in which one parity of chains moves. A failed
 * chain keeps its state, and may be a partner like any resting chain. */
static void exchange(const cs_exchange *m)
{
    size_t dim = m->target->space.dim;
    for (size_t c = 0; c < m->chains; c++) {
        size_t other = 1 - c % 2, n = (m->chains + 1 - other) / 2;
        bool moves = (c + m->step) % 2 == 0 && n > 0;
        m->lane[c].memory[(dim + TURN) * m->lane[c].stride] = moves;
        if (!moves)
            continue;
        size_t k = (size_t)(m->uniform[c] * (double)n);
        hand_over(m, 2 * (k < n ? k : n - 1) + other, c, dim);
    }
}

/* Returns the smallest number of chains. With fewer than dim + 1 chains, all
 * states would remain in one hyperplane. */
static size_t least(const cs_target *t)
{
    return t->space.dim + 1 < 2 ? 2 : t->space.dim + 1;
}

/* ---- table of the kernel ------------------------------------------------- */

static const cs_aux variables[] = {
    {.name = "partner",
     .help = "the partner: the chain that defines the line of the next move",
     .rows = partner_rows,
     .unrecorded = true},
    {.name = NULL}};

static const cs_aux_type aux = {.variable = variables};

static const cs_exchange_type exchanges = {
    .period = period, .run = exchange, .least = least};

static const char *const stats[] = {"stretch__", NULL};

static const cs_param rows[] = {
    [STRETCH] = {.name = "stretch",
                 .flags = CS_PARAM_LOG,
                 CS_PARAM_RANGE(1.001, 1e6, 2),
                 .help = "a: a move multiplies the distance to the partner "
                         "chain by a factor between 1/a and a",
                 .ref = "Goodman and Weare 2010, Eq. 9"},
};

const cs_kernel_type CS_VARIANT(cs_kernel_stretch) = {
    .name = "stretch",
    .title = "Affine-invariant ensemble",
    .ref = "Goodman and Weare, Ensemble samplers with affine invariance, 2010; "
           "Foreman-Mackey et al., emcee: the MCMC hammer, 2013",
    .help = "Each chain of the arm moves along the line through itself and "
            "another chain; its efficiency therefore does not depend on the "
            "scales and correlations of the target. In each step only half of "
            "the chains move, and the other half count as rejections; use an "
            "even number of chains, more than twice the number of coordinates. "
            "The chains are not independent, although R-hat and effective "
            "sample sizes assume independent chains.",
    .spaces = CS_CONTINUOUS,
    .flags = CS_KERNEL_EXACT | CS_KERNEL_ACCEPTS | CS_KERNEL_ENSEMBLE,
    CS_PARAM_TABLE(rows),
    .stats = stats,
    .memory_words = memory_words,
    .scratch_words = scratch_words,
    .init = init,
    .step = step,
    .log_q = log_q,
    .acceptance = 0.25, /* low, because chains rest in half of the steps */
    .aux = &aux,
    .exchange = &exchanges,
};
