#include "support/laws.h"

#include "base/memory.h"
#include "support/entropic.h"
#include "support/leapfrog.h"
#include "support/small_make.h"
#include "support/support.h"

#include <gsl/gsl_cdf.h>
#include <string.h>

enum { CHAINS = LAW_CHAINS, STEPS = 5000, RECORDED = 200, MOST = 32 * 32 };

/* The state of lane l; p->n where it is none. */
static size_t index_at(const points *p, const double *x, size_t lanes, size_t l)
{
    double state[SMALL_DIM];
    for (size_t i = 0; i < p->dim; i++)
        state[i] = x[i * lanes + l];
    return cs_space_contains(&p->target->space, state, 1)
               ? cs_space_index(&p->target->space, state)
               : p->n;
}

double counts_p_value(const double *count, const double *P, size_t n)
{
    double total = 0, chi = 0, rare = 0, rare_count = 0;
    int cells = 0;
    for (size_t b = 0; b < n; b++)
        total += count[b];
    for (size_t b = 0; b < n; b++) {
        double want = total * P[b];
        if (P[b] < 1e-300 && count[b] > 0)
            return 0;
        if (want < 10) {
            rare += want;
            rare_count += count[b];
            continue;
        }
        chi += (count[b] - want) * (count[b] - want) / want;
        cells++;
    }
    if (rare > 2) {
        chi += (rare_count - rare) * (rare_count - rare) / rare;
        cells++;
    }
    return cells > 1 ? gsl_cdf_chisq_Q(chi, cells - 1) : 1;
}

static bool rows_agree(const double *count, const double *P, size_t n)
{
    for (size_t a = 0; a < n; a++)
        if (counts_p_value(count + a * n, P + a * n, n) < 1e-7 / (double)n)
            return false;
    return true;
}

/* Counts from[l] -> where lane l is; false outside the space. */
static bool count_moves(const points *p, const double *x, size_t lanes,
                        const size_t *from, double *count)
{
    bool inside = true;
    for (size_t l = 0; l < CHAINS; l++) {
        size_t to = index_at(p, x, lanes, l);
        if (to < p->n)
            count[from[l] * p->n + to]++;
        inside &= to < p->n;
    }
    return inside;
}

/* What the real step does from each state, along trajectories, has the
 * frequencies of the independent matrix: chi-square a row, p > 1e-7 / rows. */
static bool frequencies(const setting *s, const points *p)
{
    bool systematic = strcmp(s->formula, "gibbs") == 0 && s->value[0] == 1;
    bool holds = true;
    size_t turns = systematic ? p->dim : 1, from[CHAINS];
    static double P[SMALL_DIM][MOST], count[SMALL_DIM][MOST];
    memset(count, 0, sizeof count);
    for (size_t t = 0; t < turns; t++)
        if (!matrix_of(s->formula, p, s->value, t, P[t]))
            return false;
    cs_block *b = open_block(s, p->target, 11, CHAINS, p->x);
    for (size_t k = 0; k < STEPS && holds; k++) {
        for (size_t l = 0; l < CHAINS; l++)
            from[l] = index_at(p, b->move.x, b->lanes, l);
        if (is_entropic(
                s->formula)) /* the formula is that of a fresh draw of it */
            cs_block_refresh(b);
        one_step(s, b);
        holds = count_moves(p, b->move.x, b->lanes, from, count[k % turns]);
    }
    cs_block_destroy(b);
    for (size_t t = 0; t < turns && holds; t++)
        holds = rows_agree(count[t], P[t], p->n);
    return holds;
}

/* log q(to | from) of every lane by a block of its own. Both are points with
 * the auxiliary variables of the kernel behind x: [dim + own][lanes]. */
static void fresh_log_q(cs_block *fresh, const double *from, const double *to,
                        double *out)
{
    fresh->kernel.type->log_q(&fresh->move, from, to, out);
}

static size_t aux_rows(const cs_block *b)
{
    return cs_kernel_aux_rows(&b->kernel, b->target);
}

/* The kernel's auxiliary variables as they are, behind x of a point. */
static void put_aux(const cs_block *b, const double *from, double *point)
{
    size_t n = b->lanes, first = cs_kernel_aux_first(&b->kernel, b->target);
    if (!from)
        from = b->move.memory + first * n;
    memcpy(point + b->move.dim * n, from, aux_rows(b) * n * sizeof *point);
}

static void spread(const points *p, size_t s, size_t lanes, double *x)
{
    for (size_t i = 0; i < p->dim; i++)
        for (size_t l = 0; l < lanes; l++)
            x[i * lanes + l] = p->x[s * p->dim + i];
}

/* q[n][n] from log_q. */
static void aux_proposal(const setting *s, const points *p, double *q)
{
    cs_block *fresh = open_block(s, p->target, 0, 1, p->x);
    size_t lanes = fresh->lanes, rows = p->dim + aux_rows(fresh);
    double *from = cs_alloc((2 * rows + 1) * lanes, sizeof(double));
    double *to = from + rows * lanes, *out = to + rows * lanes;
    put_aux(fresh, NULL, from);
    put_aux(fresh, NULL, to);
    for (size_t a = 0; a < p->n; a++)
        for (size_t b = 0; b < p->n; b++) {
            spread(p, a, lanes, from);
            spread(p, b, lanes, to);
            fresh_log_q(fresh, from, to, out);
            q[a * p->n + b] = exp(out[0]);
        }
    cs_free(from);
    cs_block_destroy(fresh);
}

/* Proposals are drawn from the kernel's own log_q, which sums to 1 (a walk
 * may propose to leave its range). */
static bool proposals(const setting *s, const points *p)
{
    static double q[MOST], count[MOST];
    size_t from[CHAINS], n = p->n;
    memset(count, 0, sizeof count);
    aux_proposal(s, p, q);
    if (p->target->space.kind != CS_ORDINAL && row_error(q, n) > 1e-12)
        return false;
    cs_block *b = open_block(s, p->target, 12, CHAINS, p->x);
    for (size_t k = 0; k < STEPS; k++) {
        for (size_t l = 0; l < CHAINS; l++)
            from[l] = index_at(p, b->move.x, b->lanes, l);
        one_step(s, b);
        count_moves(p, b->move.info.proposal, b->lanes, from, count);
    }
    cs_block_destroy(b);
    for (size_t a = 0; a < n; a++) {
        double inside = 0;
        for (size_t c = 0; c < n; c++)
            inside += q[a * n + c];
        for (size_t c = 0; c < n; c++)
            q[a * n + c] /= inside;
    }
    return rows_agree(count, q, n);
}

/* ---- the record ---------------------------------------------------------- */

static bool near(double got, double want)
{
    return got == want || fabs(got - want) <= 1e-10 * (1 + fabs(want));
}

/* The inverse temperature of a lane: the first stat of a tempered kernel, or
 * its first auxiliary variable. */
static double power_of(const cs_block *b, size_t l)
{
    const cs_kernel_type *type = b->kernel.type;
    if (!(type->flags & CS_KERNEL_WRAPPER))
        return 1;
    if (!type->aux)
        return b->move.info.stat[l];
    size_t first = cs_kernel_aux_first(&b->kernel, b->target);
    return b->move.memory[first * b->lanes + l];
}

/* One step of every lane against the point before (x, u). */
static bool recorded(cs_block *b, cs_block *fresh, const double *x, double *y,
                     double *work)
{
    const cs_info *i = &b->move.info;
    size_t lanes = b->lanes, dim = b->move.dim;
    double *logp = work, *v = logp + lanes, *there = v + lanes,
           *back = there + lanes;
    double *now = back + lanes;
    memcpy(y, i->proposal, dim * lanes * sizeof *y);
    put_aux(b, i->aux_proposal ? i->aux_proposal : x + dim * lanes, y);
    cs_eval_log_density(&fresh->eval, CS_NEXT, x, logp);
    cs_eval_log_density(&fresh->eval, CS_NEXT, y, v);
    cs_eval_log_density(&fresh->eval, CS_NEXT, b->move.x, now);
    fresh_log_q(fresh, x, y, there);
    fresh_log_q(fresh, y, x, back);
    bool good = true;
    for (size_t l = 0; l < b->live; l++) {
        bool inside = cs_space_contains(b->move.space, y + l, lanes);
        double change = inside ? power_of(b, l) * (v[l] - logp[l]) : -HUGE_VAL;
        bool accept = i->log_uniform[l] < i->log_ratio[l], moved = false;
        good &= near(i->logp_change[l], change) && near(i->logp[l], now[l]);
        good &=
            near(i->log_q_back[l] - i->log_q_forward[l], back[l] - there[l]);
        good &= near(i->log_ratio[l], change + back[l] - there[l]);
        good &= i->log_uniform[l] < 0 && accept == i->accepted[l];
        for (size_t at = l; at < dim * lanes; at += lanes) {
            good &= b->move.x[at] == (accept ? y[at] : x[at]);
            moved |= b->move.x[at] != x[at];
        }
        good &= moved == i->moved[l];
    }
    return good;
}

static bool record(const setting *s, const points *p)
{
    cs_block *b = open_block(s, p->target, 13, CHAINS, p->x);
    cs_block *fresh = open_block(s, p->target, 0, CHAINS, p->x);
    size_t states = b->move.dim * b->lanes, size = states;
    size += aux_rows(b) * b->lanes;
    double *x = cs_alloc(2 * size + 5 * b->lanes, sizeof(double));
    bool good = true;
    for (size_t k = 0; k < RECORDED && good; k++) {
        memcpy(x, b->move.x, states * sizeof *x);
        put_aux(b, NULL, x);
        one_step(s, b);
        good = recorded(b, fresh, x, x + size, x + 2 * size);
    }
    cs_free(x);
    cs_block_destroy(b);
    cs_block_destroy(fresh);
    return good;
}

/* ---- the decision -------------------------------------------------------- */

/* Lane l, whose state was x of log density u: the record fits the move. */
static bool decided(const cs_block *b, size_t l, const double *x, double logp)
{
    const cs_info *i = &b->move.info;
    bool moved = false, taken = true;
    for (size_t at = l; at < b->move.dim * b->lanes; at += b->lanes) {
        moved |= b->move.x[at] != x[at];
        taken &= !i->proposal || b->move.x[at] == i->proposal[at];
    }
    double now = i->logp[l];
    if (moved != i->moved[l] || (moved && !taken))
        return false;
    if (!(b->kernel.type->flags & CS_KERNEL_ACCEPTS))
        return i->accepted[l] && i->log_ratio[l] == 0;
    double ratio = i->logp_change[l] + i->log_q_back[l] - i->log_q_forward[l];
    bool accept = i->log_uniform[l] < i->log_ratio[l];
    return accept == i->accepted[l] && near(i->log_ratio[l], ratio) &&
           near(i->logp_change[l],
                power_of(b, l) * (i->logp_proposal[l] - logp)) &&
           (accept ? taken && now == i->logp_proposal[l]
                   : !moved && now == logp);
}

/* What a step says of itself is what it did, and log p is that of the formula. */
static bool decision(const setting *s, const points *p)
{
    cs_block *b = open_block(s, p->target, 15, CHAINS, p->x);
    size_t size = b->move.dim * b->lanes;
    double *x = cs_alloc(size + b->lanes, sizeof(double)), *logp = x + size;
    double state[SMALL_DIM], g[SMALL_DIM];
    bool good = true;
    for (size_t k = 0; k < RECORDED && good; k++) {
        memcpy(x, b->move.x, size * sizeof *x);
        memcpy(logp, b->move.info.logp, b->lanes * sizeof *logp);
        one_step(s, b);
        for (size_t l = 0; l < CHAINS; l++) {
            cs_block_state(b, l, state);
            good &= decided(b, l, x, logp[l]) &&
                    near(b->move.info.logp[l], small_log_density(p, state, g));
        }
    }
    cs_free(x);
    cs_block_destroy(b);
    return good;
}

/* ---- matrices ------------------------------------------------------------ */

/* Whether every state is reached from every other in 64 steps. */
static bool irreducible(const double *P, size_t n)
{
    static double now[MOST], next[MOST];
    memcpy(now, P, n * n * sizeof *P);
    for (int k = 0; k < 6; k++) {
        for (size_t a = 0; a < n * n; a++)
            next[a] = now[a];
        for (size_t a = 0; a < n; a++)
            for (size_t b = 0; b < n; b++)
                for (size_t c = 0; c < n; c++)
                    next[a * n + b] += now[a * n + c] * now[c * n + b];
        memcpy(now, next, n * n * sizeof *now);
    }
    for (size_t a = 0; a < n * n; a++)
        if (now[a] <= 0)
            return false;
    return true;
}

/* The formula has the target as its stationary law, where the kernel says
 * so; a kernel without an accept step has not. */
static bool matrix(const setting *s, const points *p)
{
    static double P[MOST];
    if (!matrix_of(s->formula, p, s->value, 0, P))
        return false;
    bool exact = s->type->flags & CS_KERNEL_EXACT;
    bool turns = strcmp(s->formula, "gibbs") == 0 && s->value[0] == 1;
    bool parity = strcmp(s->formula, "random_walk") == 0 && s->value[2] > 1;
    bool good = row_error(P, p->n) < 1e-12;
    bool averaged =
        exact && is_entropic(s->formula); /* over draws of a variable */
    good &=
        exact == (invariance_error(p, P) < (averaged ? ENTROPIC_ERROR : 1e-12));
    if (s->type->flags & CS_KERNEL_REVERSIBLE)
        good &= balance_error(p, P) < (averaged ? ENTROPIC_ERROR : 1e-14);
    return good && (turns || parity || irreducible(P, p->n));
}

/* A biased kernel comes to the target as its step (parameter 0) shrinks: the
 * total variation falls from 2 to 1/8 with each halving, to under 0.02 (below
 * that the chain hardly moves, and its law is not found by iteration). */
static bool bias(const setting *s, const points *p)
{
    static double P[MOST];
    double law[32], last = 2, value[CS_KERNEL_PARAMS];
    memcpy(value, s->value, sizeof value);
    for (value[0] = 2; value[0] > 0.1; value[0] *= 0.5) {
        if (!matrix_of(s->formula, p, value, 0, P))
            return false;
        double tv = 0;
        stationary(P, p->n, law);
        for (size_t a = 0; a < p->n; a++)
            tv += 0.5 * fabs(law[a] - p->pi[a]);
        if (tv >= last)
            return false;
        last = tv;
    }
    return last < 0.02;
}

/* ---- the list ------------------------------------------------------------ */

/* What wraps another kernel has a matrix for each temperature, and more
 * to it than a block can show: tests of its own (test_tempering.c). */
static bool by_itself(const cs_kernel_type *type)
{
    return !(type->flags & CS_KERNEL_WRAPPER);
}

static bool discrete(const cs_kernel_type *type)
{
    return type->spaces & CS_DISCRETE && by_itself(type);
}

static bool on_states(const setting *s, const points *p)
{
    return p->n > 0 && by_itself(s->type);
}

static bool has_record(const cs_kernel_type *type)
{
    return type->log_q && (type->flags & CS_KERNEL_ACCEPTS);
}

/* Several draws whose order is scored: no density of the set alone. */
static bool proposes_in_order(const setting *s)
{
    return strcmp(s->formula, "gwg") == 0 && s->value[2] > 1;
}

static bool with_record(const setting *s, const points *p)
{
    (void)p;
    return has_record(s->type) && !proposes_in_order(s);
}

static bool discrete_log_q(const cs_kernel_type *type)
{
    return type->log_q && !is_entropic(type->name) && discrete(type);
}

static bool on_states_log_q(const setting *s, const points *p)
{
    return discrete_log_q(s->type) && !proposes_in_order(s) && p->n > 0;
}

static bool biased(const cs_kernel_type *type)
{
    return !(type->flags & CS_KERNEL_EXACT);
}

/* Only the step may differ from its default. */
static bool biased_on_states(const setting *s, const points *p)
{
    for (size_t k = 1; k < s->type->n_params; k++)
        if (s->value[k] != s->type->params[k].def)
            return false;
    return biased(s->type) && p->n > 0;
}

/* An accept step but no density of the proposal: it must be a leapfrog, or
 * its author must add a law. */
static bool proposes_in_secret(const cs_kernel_type *type)
{
    return (type->flags & CS_KERNEL_ACCEPTS) && !type->log_q && by_itself(type);
}

static bool on_the_plane(const setting *s, const points *p)
{
    return p->n == 0 && proposes_in_secret(s->type);
}

bool owed_by_all(const cs_kernel_type *type)
{
    (void)type;
    return true;
}

bool applies_everywhere(const setting *s, const points *p)
{
    (void)s;
    (void)p;
    return true;
}

const kernel_law step_laws[] = {
    {"matrix", discrete, on_states, matrix},
    {"bias", biased, biased_on_states, bias},
    {"frequencies", discrete, on_states, frequencies},
    {"proposals", discrete_log_q, on_states_log_q, proposals},
    {"record", has_record, with_record, record},
    {"decision", owed_by_all, applies_everywhere, decision},
    {"leapfrog", proposes_in_secret, on_the_plane, is_leapfrog},
    {NULL, NULL, NULL, NULL}};
