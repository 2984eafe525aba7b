#include "support/laws.h"

#include "base/memory.h"
#include "support/entropic.h"
#include "support/leapfrog.h"
#include "support/small_make.h"
#include "support/support.h"

#include <string.h>

enum { CHAINS = LAW_CHAINS, STEPS = 5000, MOST = 32 * 32 };

/* Returns the index of lane l's state in the list of states, or p->n if the
 * list does not contain it. */
static size_t index_at(const points *p, const double *x, size_t lanes, size_t l)
{
    double state[SMALL_DIM];
    for (size_t i = 0; i < p->dim; i++)
        state[i] = x[i * lanes + l];
    return cs_space_contains(&p->target->space, state, 1)
               ? cs_space_index(&p->target->space, state, 1)
               : p->n;
}

/* Returns the smallest chi-square p-value of a row, times the number of
 * rows. */
static double rows_p(const double *count, const double *P, size_t n)
{
    double least = 1;
    for (size_t a = 0; a < n; a++)
        least = fmin(least, cs_check_cells_p(count + a * n, P + a * n, n));
    return least * (double)n;
}

/* A test has two rounds: after a quarter of the steps, and after all steps. The
 * first round accepts a kernel if it shows no evidence of a fault. Only the
 * second round may reject a kernel. The early end costs some power. A fault
 * that all steps would detect with probability 1/2 has a mean deviation of 5.2
 * sigma. In the first round its mean deviation is 2.6 sigma, and it is accepted
 * with a probability of about 7 %. */
static const double no_trace = 0.25, refuted = 1e-7;

static bool is_first_look(size_t steps)
{
    return steps == STEPS / 4;
}

/* Counts the moves from[l] -> to[l]; returns false if a lane left the space. */
static bool count_moves(const points *p, const double *x, size_t lanes,
                        const size_t *from, size_t *to, double *count)
{
    bool inside = true;
    for (size_t l = 0; l < CHAINS; l++) {
        size_t at = index_at(p, x, lanes, l);
        if (at < p->n)
            count[from[l] * p->n + at]++;
        inside &= at < p->n;
        to[l] = at;
    }
    return inside;
}

static double turns_p(double count[][MOST], double P[][MOST], size_t turns,
                      size_t n)
{
    double least = 1;
    for (size_t t = 0; t < turns; t++)
        least = fmin(least, rows_p(count[t], P[t], n));
    return least;
}

/* Returns true if the frequencies of real steps along trajectories agree with
 * the transition matrix, which is computed independently. The test is one
 * chi-square test per row with p > 1e-7 / rows. */
static bool frequencies(const setting *s, const points *p)
{
    bool systematic =
        strcmp(s->formula, "gibbs") == 0 && s->kernel.values[0] == 1;
    bool holds = true, passes = false;
    size_t turns = systematic ? p->dim : 1, from[CHAINS];
    static double P[SMALL_DIM][MOST], count[SMALL_DIM][MOST];
    memset(count, 0, sizeof count);
    for (size_t t = 0; t < turns; t++)
        if (!matrix_of(s->formula, p, s->kernel.values, t, P[t]))
            return false;
    /* P is the transition matrix of a step before which theta_a is drawn
     * again. */
    bool refreshed = is_entropic(s->formula);
    cs_block *b = open_block(s, p->target, 11, CHAINS, p->x);
    for (size_t l = 0; l < CHAINS; l++)
        from[l] = index_at(p, b->move.x, b->lanes, l);
    for (size_t k = 0; k < STEPS && holds && !passes; k++) {
        if (refreshed)
            cs_block_refresh(b);
        one_step(s, b);
        holds =
            count_moves(p, b->move.x, b->lanes, from, from, count[k % turns]);
        passes =
            is_first_look(k + 1) && turns_p(count, P, turns, p->n) > no_trace;
    }
    cs_block_destroy(b);
    return holds && (passes || turns_p(count, P, turns, p->n) >= refuted);
}

static void spread(const points *p, size_t s, size_t lanes, double *x)
{
    for (size_t i = 0; i < p->dim; i++)
        for (size_t l = 0; l < lanes; l++)
            x[i * lanes + l] = p->x[s * p->dim + i];
}

/* Computes q[n][n] from log_q. */
static void aux_proposal(const setting *s, const points *p, double *q)
{
    cs_block *fresh = open_block(s, p->target, 0, 1, p->x);
    size_t lanes = fresh->lanes,
           aux = cs_kernel_aux_rows(fresh->kernel, p->target),
           rows = p->dim + aux;
    const double *at = fresh->move.memory +
                       cs_kernel_aux_first(fresh->kernel, p->target) * lanes;
    double *from = cs_alloc((2 * rows + 1) * lanes, sizeof(double));
    double *to = from + rows * lanes, *out = to + rows * lanes;
    memcpy(from + p->dim * lanes, at, aux * lanes * sizeof *at);
    memcpy(to + p->dim * lanes, at, aux * lanes * sizeof *at);
    for (size_t a = 0; a < p->n; a++)
        for (size_t b = 0; b < p->n; b++) {
            spread(p, a, lanes, from);
            spread(p, b, lanes, to);
            s->kernel.type->log_q(&fresh->move, from, to, out);
            q[a * p->n + b] = exp(out[0]);
        }
    cs_free(from);
    cs_block_destroy(fresh);
}

/* Divides each row by its sum, because a walk may propose values outside the
 * range. */
static void give_inside(double *q, size_t n)
{
    for (size_t a = 0; a < n; a++) {
        double inside = 0;
        for (size_t c = 0; c < n; c++)
            inside += q[a * n + c];
        for (size_t c = 0; c < n; c++)
            q[a * n + c] /= inside;
    }
}

/* Returns true if proposals have the frequencies given by the kernel's log_q,
 * and if exp(log_q) sums to 1. */
static bool proposals(const setting *s, const points *p)
{
    static double q[MOST], count[MOST];
    size_t from[CHAINS], to[CHAINS], n = p->n;
    bool passes = false;
    memset(count, 0, sizeof count);
    aux_proposal(s, p, q);
    if (p->target->space.kind != CS_ORDINAL && row_error(q, n) > 1e-12)
        return false;
    give_inside(q, n);
    cs_block *b = open_block(s, p->target, 12, CHAINS, p->x);
    for (size_t k = 0; k < STEPS && !passes; k++) {
        for (size_t l = 0; l < CHAINS; l++)
            from[l] = index_at(p, b->move.x, b->lanes, l);
        one_step(s, b);
        count_moves(p, b->move.info.proposal, b->lanes, from, to, count);
        passes = is_first_look(k + 1) && rows_p(count, q, n) > no_trace;
    }
    cs_block_destroy(b);
    return passes || rows_p(count, q, n) >= refuted;
}

/* ---- matrices ------------------------------------------------------------ */

/* Compares two facts: whether the matrix of the formula preserves the target,
 * and whether the kernel is declared exact. Returns true if they agree. */
static bool matrix(const setting *s, const points *p)
{
    static double P[MOST];
    if (!matrix_of(s->formula, p, s->kernel.values, 0, P))
        return false;
    bool exact = s->kernel.type->flags & CS_KERNEL_EXACT;
    bool good = row_error(P, p->n) < 1e-12;
    /* These matrices are averages over random draws of theta_a. */
    bool averaged = exact && is_entropic(s->formula);
    good &=
        exact == (invariance_error(p, P) < (averaged ? ENTROPIC_ERROR : 1e-12));
    if (s->kernel.type->flags & CS_KERNEL_REVERSIBLE)
        good &= balance_error(p, P) < (averaged ? ENTROPIC_ERROR : 1e-14);
    return good;
}

/* Returns true if the stationary distribution of a biased kernel approaches the
 * target as the kernel's step (parameter 0) shrinks. The total variation
 * distance must decrease with each halving of the step from 2 to 1/8, to below
 * 0.02. (With smaller steps the chain hardly moves, and iteration does not find
 * its stationary distribution.) */
static bool bias(const setting *s, const points *p)
{
    static double P[MOST];
    double bent[32], last = 2, value[CS_KERNEL_PARAMS];
    memcpy(value, s->kernel.values, sizeof value);
    for (value[0] = 2; value[0] > 0.1; value[0] *= 0.5) {
        if (!matrix_of(s->formula, p, value, 0, P))
            return false;
        double tv = 0;
        stationary(P, p->n, bent);
        for (size_t a = 0; a < p->n; a++)
            tv += 0.5 * fabs(bent[a] - p->pi[a]);
        if (tv >= last)
            return false;
        last = tv;
    }
    return last < 0.02;
}

/* ---- the list ------------------------------------------------------------ */

/* Returns false for wrappers. A wrapper has one matrix per temperature, and a
 * block does not show its whole state. Wrappers are tested in
 * test_tempering.c. */
static bool by_itself(const cs_kernel_type *type)
{
    return !type->wraps;
}

static bool discrete(const cs_kernel_type *type)
{
    return type->spaces & CS_DISCRETE && by_itself(type);
}

static bool on_states(const setting *s, const points *p)
{
    return p->n > 0 && by_itself(s->kernel.type);
}

bool law_proposes_in_order(const setting *s)
{
    return (strcmp(s->formula, "gwg") == 0 && s->kernel.values[2] > 1) ||
           (strcmp(s->formula, "path_auxiliary") == 0 &&
            s->kernel.values[0] > 1);
}

static bool discrete_log_q(const cs_kernel_type *type)
{
    return type->log_q && !is_entropic(type->name) && discrete(type);
}

static bool on_states_log_q(const setting *s, const points *p)
{
    return discrete_log_q(s->kernel.type) && !law_proposes_in_order(s) &&
           p->n > 0;
}

/* Returns true for a biased kernel. Returns false if the bias exists only while
 * weights are learned. */
static bool biased(const cs_kernel_type *type)
{
    return type->spaces & CS_DISCRETE && !(type->flags & CS_KERNEL_EXACT) &&
           !wanders(type);
}

/* Returns true if only the step (parameter 0) differs from its default. */
static bool biased_on_states(const setting *s, const points *p)
{
    for (size_t k = 1; k < s->kernel.type->n_params; k++)
        if (s->kernel.values[k] != s->kernel.type->params[k].def)
            return false;
    return biased(s->kernel.type) && p->n > 0;
}

/* Returns true for a kernel with an accept step but without a proposal density.
 * Such a kernel must be a leapfrog, or the author of the kernel must add a law.
 * (For proposals that depend on a minibatch the law is in test_poisson.c.) */
static bool proposes_in_secret(const cs_kernel_type *type)
{
    return (type->flags & CS_KERNEL_ACCEPTS) &&
           !(type->flags & CS_KERNEL_ESTIMATES) && !type->log_q &&
           by_itself(type);
}

static bool on_the_plane(const setting *s, const points *p)
{
    return p->n == 0 && proposes_in_secret(s->kernel.type);
}

bool owed_by_all(const cs_kernel_type *type)
{
    (void)type;
    return true;
}

const kernel_law step_laws[] = {
    {"matrix", discrete, on_states, matrix},
    {"bias", biased, biased_on_states, bias},
    {"frequencies", discrete, on_states, frequencies},
    {"proposals", discrete_log_q, on_states_log_q, proposals},
    {"leapfrog", proposes_in_secret, on_the_plane, is_leapfrog},
    {NULL, NULL, NULL, NULL}};
