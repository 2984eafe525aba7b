/* The transition matrices of algorithm 1 and of the chains to which it is
 * compared (Yuan and Wang 2026, section 4), for a != b:
 *
 *     aux    = sum_k P_a(k) q_k(a, b) sum_w P_ab(w | k) accept(r(k, w)),
 *     within = sum_k P_a(k) q_k(a, b) accept(r(k)),
 *     ideal  = q(a, b) accept(r),  q(a, b) = sum_k P_a(k) q_k(a, b),
 *     gibbs  = sum_k P_a(k) pi(b | k),  pi(b | k) = pi_b P_b(k) / sum_c ...
 *
 * Here r(k) = pi_b P_b(k) q_k(b, a) / [pi_a P_a(k) q_k(a, b)], and r = pi_b
 * q(b, a) / [pi_a q(a, b)]. The entries (a, b) and (b, a) are computed
 * independently, so that detailed balance is a check of the result. */
#include "theory/auxiliary.h"

#include "base/cancellation.h"
#include "base/memory.h"

#include <math.h>
#include <string.h>

double cs_aux_accept(cs_aux_rule rule, double log_r)
{
    if (rule == CS_AUX_BARKER)
        return 1 / (1 + exp(-log_r));
    return log_r < 0 ? exp(log_r) : 1;
}

void cs_aux_chain_free(cs_aux_chain *c)
{
    if (c->destroy)
        c->destroy(c->self);
    *c = (cs_aux_chain){0};
}

void cs_aux_theory_free(cs_aux_theory *t)
{
    for (size_t i = 0; i < CS_AUX_KINDS; i++)
        cs_free(t->P[i]);
    CS_FREE_ALL(t->pi, t->overlap, t->kl, t->kl_mean, t->stationary);
    *t = (cs_aux_theory){0};
}

/* Sums over the values of omega_1, and scratch for one value. */
typedef struct sums {
    const cs_aux_chain *c;
    cs_aux_theory *t;
    double *p, *q;   /* [n] P_a(k) and [n][n] q_k(a, b), for the current value k
                        of omega_1 */
    double *mean_q;  /* [n][n] sum_k P_a(k) q_k(a, b) */
    double *mass;    /* [n] sum over k of P_a(k) */
    double *power;   /* [CS_AUX_POWERS][n] the sums of |P_MHG,k|^t P_a(k) over
                        k */
    double *inner;   /* [n][n] the matrix P_MHG,k of the step given omega_1 =
                        k */
    double *cond;    /* [n] pi(. | k), the distribution of the state given
                        omega_1 = k */
    double accepted; /* acceptance of the chain CS_AUX */
    double accepted_within;
} sums;

static cs_status open_sums(sums *s, const cs_aux_chain *c, cs_aux_theory *t,
                           cs_error *err)
{
    size_t n = c->n, square = n * n;
    *s = (sums){.c = c, .t = t};
    *t = (cs_aux_theory){.n = n, .n1 = c->n1, .inexact = c->inexact};
    bool all = true;
    for (size_t i = 0; i < CS_AUX_KINDS; i++)
        all &= (t->P[i] = cs_alloc(square, sizeof(double))) != NULL;
    double **const of_pairs[] = {&t->overlap, &t->kl,     &t->kl_mean,
                                 &s->q,       &s->mean_q, &s->inner};
    double **const of_states[] = {&t->pi, &t->stationary, &s->p, &s->mass,
                                  &s->cond};
    for (size_t i = 0; i < sizeof of_pairs / sizeof *of_pairs; i++)
        all &= (*of_pairs[i] = cs_alloc(square, sizeof(double))) != NULL;
    for (size_t i = 0; i < sizeof of_states / sizeof *of_states; i++)
        all &= (*of_states[i] = cs_alloc(n, sizeof(double))) != NULL;
    all &= (s->power = cs_alloc(n * CS_AUX_POWERS, sizeof(double))) != NULL;
    if (!all)
        return cs_fail(err, CS_MEMORY,
                       "out of memory for matrices of %zu states", n);
    for (size_t a = 0; a < n; a++)
        if (!(c->pi[a] > 0))
            return cs_fail(err, CS_RANGE,
                           "state %zu has probability %g: remove it", a + 1,
                           c->pi[a]);
    memcpy(t->pi, c->pi, n * sizeof *t->pi);
    for (size_t i = 0; i < square; i++)
        t->overlap[i] = 1;
    t->least = (cs_chain_gap){1, 1};
    return CS_OK;
}

static void close_sums(sums *s)
{
    CS_FREE_ALL(s->p, s->q, s->mean_q, s->mass, s->power, s->inner, s->cond);
}

/* Sets P_aa to one minus the sum of the other entries of row a. */
static void fill_diagonal(double *P, size_t n)
{
    for (size_t a = 0; a < n; a++) {
        double moved = 0;
        for (size_t b = 0; b < n; b++)
            moved += a == b ? 0 : P[a * n + b];
        P[a * n + a] = 1 - moved;
    }
}

/* ---- one value of omega_1 ------------------------------------------------ */

/* Updates the overlap and the divergences of one pair of states. The overlap
 * sum_w min(P_ab, P_ba) is computed as sum_w P_ab min(1, P_ba / P_ab). */
static void add_divergence(const sums *s, size_t k, size_t a, size_t b)
{
    const cs_aux_chain *c = s->c;
    cs_aux_theory *t = s->t;
    size_t at = a * c->n + b, back = b * c->n + a;
    double overlap = c->accept(c->self, k, a, b, CS_AUX_METROPOLIS, 0);
    double kl[2] = {c->kl(c->self, k, a, b), c->kl(c->self, k, b, a)};
    t->overlap[at] = t->overlap[back] = fmin(t->overlap[at], overlap);
    t->kl[at] = fmax(t->kl[at], kl[0]);
    t->kl[back] = fmax(t->kl[back], kl[1]);
    t->kl_mean[at] = t->kl_mean[back] =
        fmax(t->kl_mean[at], (kl[0] + kl[1]) / 2);
}

/* Adds the contribution of the proposals from a to b given omega_1 = k to the
 * matrices and the acceptances. */
static void add_pair(sums *s, size_t k, size_t a, size_t b)
{
    const cs_aux_chain *c = s->c;
    size_t n = c->n;
    double there = s->p[a] * s->q[a * n + b], back = s->p[b] * s->q[b * n + a];
    s->mean_q[a * n + b] += there;
    s->inner[a * n + b] = 0;
    if (!(there > 0))
        return;
    double log_rho =
        back > 0 ? log(c->pi[b] / c->pi[a]) + log(back / there) : -HUGE_VAL;
    double within = cs_aux_accept(c->rule, log_rho), aux = within;
    if (c->accept && a != b)
        aux = c->accept(c->self, k, a, b, c->rule, log_rho);
    s->t->P[CS_AUX][a * n + b] += there * aux;
    s->t->P[CS_WITHIN][a * n + b] += there * within;
    s->accepted += c->pi[a] * there * aux;
    s->accepted_within += c->pi[a] * there * within;
    s->inner[a * n + b] = s->q[a * n + b] * within;
    if (a < b && c->accept && !c->inexact)
        add_divergence(s, k, a, b);
}

/* Computes pi(. | k), and adds its contribution to the matrix of the Gibbs
 * chain. */
static void add_gibbs(sums *s)
{
    size_t n = s->c->n;
    double total = 0;
    for (size_t a = 0; a < n; a++) {
        s->mass[a] += s->p[a];
        total += s->cond[a] = s->c->pi[a] * s->p[a];
    }
    for (size_t a = 0; a < n; a++)
        s->cond[a] = total > 0 ? s->cond[a] / total : 0;
    for (size_t a = 0; a < n; a++)
        for (size_t b = 0; b < n; b++)
            s->t->P[CS_GIBBS][a * n + b] += s->p[a] * s->cond[b];
}

/* For the step given omega_1, restricted to the states with pi(a | k) > 0:
 * computes its spectral gap and the powers of its norm. */
static cs_status add_given(sums *s, cs_error *err)
{
    size_t n = s->c->n, m = 0;
    for (size_t a = 0; a < n; a++) {
        if (!(s->cond[a] > 0))
            continue;
        size_t to = 0;
        for (size_t b = 0; b < n; b++)
            if (s->cond[b] > 0)
                s->inner[m * n + to++] = s->inner[a * n + b];
        m++;
    }
    for (size_t a = 1; a < m; a++) /* moves the rows closer together, because
                                      each row now has m instead of n
                                      elements */
        memmove(s->inner + a * m, s->inner + a * n, m * sizeof *s->inner);
    cs_chain_gap gap = {1, 1};
    if (m > 1) {
        fill_diagonal(s->inner, m);
        cs_status status =
            cs_chain_gaps(s->inner, s->cond, m, &gap, NULL, NULL, err);
        if (status)
            return status;
    }
    s->t->least.right = fmin(s->t->least.right, gap.right);
    s->t->least.absolute = fmin(s->t->least.absolute, gap.absolute);
    double square = pow(1 - gap.absolute, 2), power = 1;
    for (size_t t = 0; t < CS_AUX_POWERS; t++) {
        power *= square;
        for (size_t a = 0; a < n; a++)
            s->power[t * n + a] += power * s->p[a];
    }
    return CS_OK;
}

static cs_status add_value(sums *s, size_t k, bool given, cs_error *err)
{
    const cs_aux_chain *c = s->c;
    size_t n = c->n;
    for (size_t a = 0; a < n; a++)
        s->p[a] = 1;
    if (c->first)
        c->first(c->self, k, s->p);
    c->propose(c->self, k, s->q);
    for (size_t a = 0; a < n; a++) {
        if (cs_cancelled())
            return cs_fail(err, CS_STOPPED,
                           "computing the matrices takes too long");
        for (size_t b = 0; b < n; b++)
            add_pair(s, k, a, b);
    }
    add_gibbs(s);
    return given ? add_given(s, err) : CS_OK;
}

/* ---- all values of omega_1 ----------------------------------------------- */

static void make_ideal(sums *s)
{
    const double *q = s->mean_q, *pi = s->c->pi;
    size_t n = s->c->n;
    double accepted = 0;
    for (size_t a = 0; a < n; a++)
        for (size_t b = 0; b < n; b++) {
            double there = q[a * n + b], back = q[b * n + a];
            double log_r =
                back > 0 ? log(pi[b] / pi[a]) + log(back / there) : -HUGE_VAL;
            double moves =
                there > 0 ? there * cs_aux_accept(s->c->rule, log_r) : 0;
            s->t->P[CS_IDEAL][a * n + b] = moves;
            accepted += pi[a] * moves;
        }
    s->t->acceptance[CS_AUX] = s->accepted;
    s->t->acceptance[CS_WITHIN] = s->accepted_within;
    s->t->acceptance[CS_IDEAL] = accepted;
    s->t->acceptance[CS_GIBBS] = (double)NAN;
}

static void finish_sums(sums *s)
{
    cs_aux_theory *t = s->t;
    size_t n = t->n;
    make_ideal(s);
    for (size_t i = 0; i < CS_AUX_KINDS; i++)
        fill_diagonal(t->P[i], n);
    for (size_t a = 0; a < n; a++)
        t->lost = fmax(t->lost, 1 - s->mass[a]);
    for (size_t k = 0; k < CS_AUX_POWERS; k++)
        for (size_t a = 0; a < n; a++)
            t->alpha[k] = fmax(t->alpha[k], s->power[k * n + a]);
    t->imbalance = cs_chain_imbalance(t->P[CS_AUX], t->pi, n);
}

static cs_status find_gaps(const cs_aux_chain *c, cs_aux_theory *t,
                           cs_error *err)
{
    size_t n = t->n;
    cs_status status = CS_OK;
    for (size_t i = 0; i < CS_AUX_KINDS && !status; i++) {
        t->gap[i] = (cs_chain_gap){(double)NAN, (double)NAN};
        t->time[i] = (double)NAN;
        if (i != CS_AUX || !t->inexact)
            status = cs_chain_gaps(t->P[i], t->pi, n, &t->gap[i], c->f,
                                   &t->time[i], err);
    }
    if (status)
        return status;
    memcpy(t->stationary, t->pi, n * sizeof *t->pi);
    if (t->inexact)
        status = cs_chain_stationary(t->P[CS_AUX], n, t->stationary, err);
    t->bias = 0;
    for (size_t a = 0; a < n; a++)
        t->bias += fabs(t->stationary[a] - t->pi[a]) / 2;
    return status;
}

cs_status cs_aux_theory_make(const cs_aux_chain *c, bool given,
                             cs_aux_theory *out, cs_error *err)
{
    sums s;
    cs_status status = open_sums(&s, c, out, err);
    for (size_t k = 0; k < c->n1 && !status; k++)
        status = add_value(&s, k, given, err);
    if (!status) {
        out->given = given;
        finish_sums(&s);
        status = find_gaps(c, out, err);
    }
    close_sums(&s);
    if (status)
        cs_aux_theory_free(out);
    return status;
}
