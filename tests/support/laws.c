#include "support/laws.h"

#include "base/memory.h"
#include "support/support.h"

#include <gsl/gsl_cdf.h>
#include <string.h>

enum { CHAINS = 40, STEPS = 5000, RECORDED = 200, MOST = 32 * 32 };

cs_block *open_block(const setting *s, cs_target *target, uint64_t seed,
                     size_t live, const double *x)
{
    cs_kernel kernel = {.type = s->type};
    const double *start[CHAINS];
    cs_block *b = NULL;
    assert_true(live <= CHAINS);
    for (size_t k = 0; k < s->type->n_params; k++)
        kernel.values[k] = s->value[k];
    for (size_t l = 0; l < live; l++)
        start[l] = x;
    assert_int_equal(
        cs_block_create(&b, target, &kernel, seed, 0, live, NULL, 0, NULL),
        CS_OK);
    assert_int_equal(cs_block_start(b, start, NULL), CS_OK);
    return b;
}

void one_step(const setting *s, cs_block *b)
{
    assert_int_equal(cs_block_run(b, s->value, 1, NULL), 1);
}

static size_t index_at(const points *p, const double *x, size_t lanes, size_t l)
{
    double state[8];
    for (size_t i = 0; i < p->dim; i++)
        state[i] = x[i * lanes + l];
    return cs_space_index(&p->target->space, state);
}

/* The p-value of one row of counts; cells that are expected less than 10
 * times are put together; 0 if the impossible happened. */
static double row_p_value(const double *count, const double *P, size_t n)
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
        if (row_p_value(count + a * n, P + a * n, n) < 1e-7 / (double)n)
            return false;
    return true;
}

bool law_frequencies(const setting *s, const points *p)
{
    bool systematic = strcmp(s->formula, "gibbs") == 0 && s->value[0] == 1;
    size_t turns = systematic ? p->dim : 1, n = p->n, from[CHAINS];
    static double P[4][MOST], count[4][MOST];
    memset(count, 0, sizeof count);
    for (size_t t = 0; t < turns; t++)
        if (!matrix_of(s->formula, p, s->value, t, P[t]))
            return false;
    cs_block *b = open_block(s, p->target, 11, CHAINS, p->x);
    for (size_t k = 0; k < STEPS; k++) {
        for (size_t l = 0; l < CHAINS; l++)
            from[l] = index_at(p, b->move.x, b->lanes, l);
        one_step(s, b);
        for (size_t l = 0; l < CHAINS; l++)
            count[k % turns]
                 [from[l] * n + index_at(p, b->move.x, b->lanes, l)]++;
    }
    cs_block_destroy(b);
    bool holds = true;
    for (size_t t = 0; t < turns; t++)
        holds &= rows_agree(count[t], P[t], n);
    return holds;
}

/* log q(to | from) of every lane by a block of its own. */
static void fresh_log_q(cs_block *fresh, const double *from, const double *to,
                        double *out)
{
    fresh->kernel.type->log_q(&fresh->move, from, to, out);
}

static void spread(const points *p, size_t s, size_t lanes, double *x)
{
    for (size_t i = 0; i < p->dim; i++)
        for (size_t l = 0; l < lanes; l++)
            x[i * lanes + l] = p->x[s * p->dim + i];
}

/* q[n][n] from log_q. */
static void own_proposal(const setting *s, const points *p, double *q)
{
    cs_block *fresh = open_block(s, p->target, 0, 1, p->x);
    size_t lanes = fresh->lanes;
    double *from = cs_alloc(3 * (p->dim + 1) * lanes, sizeof(double));
    double *to = from + p->dim * lanes, *out = to + p->dim * lanes;
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

bool law_proposals(const setting *s, const points *p)
{
    static double q[MOST], count[MOST];
    size_t from[CHAINS], n = p->n;
    const cs_space *space = &p->target->space;
    memset(count, 0, sizeof count);
    own_proposal(s, p, q);
    if (space->kind != CS_ORDINAL && row_error(q, n) > 1e-12)
        return false;
    cs_block *b = open_block(s, p->target, 12, CHAINS, p->x);
    for (size_t k = 0; k < STEPS; k++) {
        for (size_t l = 0; l < CHAINS; l++)
            from[l] = index_at(p, b->move.x, b->lanes, l);
        one_step(s, b);
        for (size_t l = 0; l < CHAINS; l++)
            if (cs_space_contains(space, b->move.info.proposal + l, b->lanes))
                count[from[l] * n +
                      index_at(p, b->move.info.proposal, b->lanes, l)]++;
    }
    cs_block_destroy(b);
    for (size_t a = 0; a < n; a++) { /* a walk may propose to leave the range */
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

/* One step of every lane against the state before (x, u). */
static bool recorded(cs_block *b, cs_block *fresh, const double *x,
                     double *work)
{
    const cs_info *i = &b->move.info;
    size_t lanes = b->lanes, dim = b->move.dim;
    double *u = work, *v = u + lanes, *there = v + lanes, *back = there + lanes;
    double *now = back + lanes;
    cs_eval_log_density(&fresh->eval, CS_NEXT, x, u);
    cs_eval_log_density(&fresh->eval, CS_NEXT, i->proposal, v);
    cs_eval_log_density(&fresh->eval, CS_NEXT, b->move.x, now);
    fresh_log_q(fresh, x, i->proposal, there);
    fresh_log_q(fresh, i->proposal, x, back);
    bool good = true;
    for (size_t l = 0; l < b->live; l++) {
        bool inside = cs_space_contains(b->move.space, i->proposal + l, lanes);
        double change = inside ? v[l] - u[l] : -HUGE_VAL;
        bool accept = i->log_u[l] < i->log_ratio[l], moved = false;
        good &= near(i->u_change[l], change) && near(i->u[l], now[l]);
        good &=
            near(i->log_q_back[l] - i->log_q_forward[l], back[l] - there[l]);
        good &= near(i->log_ratio[l], change + back[l] - there[l]);
        good &= i->log_u[l] < 0 && accept == i->accepted[l];
        for (size_t at = l; at < dim * lanes; at += lanes) {
            good &= b->move.x[at] == (accept ? i->proposal[at] : x[at]);
            moved |= b->move.x[at] != x[at];
        }
        good &= moved == i->moved[l];
    }
    return good;
}

bool law_record(const setting *s, cs_target *target, const double *start)
{
    cs_block *b = open_block(s, target, 13, CHAINS, start);
    cs_block *fresh = open_block(s, target, 0, CHAINS, start);
    size_t size = b->move.dim * b->lanes;
    double *x = cs_alloc(size + 5 * b->lanes, sizeof(double));
    bool good = true;
    for (size_t k = 0; k < RECORDED && good; k++) {
        memcpy(x, b->move.x, size * sizeof *x);
        one_step(s, b);
        good = recorded(b, fresh, x, x + size);
    }
    cs_free(x);
    cs_block_destroy(b);
    cs_block_destroy(fresh);
    return good;
}
