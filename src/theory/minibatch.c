/* Minibatch kernels on a grid:
 *
 *     poisson: s_i ~ Poisson(lambda M_i / L + phi_i(x)), given x;
 *     tuna:    s_i ~ Poisson(lambda c_i / C + phi_i(x, y)),
 *              phi_i(x, y) = [U_i(y) - U_i(x)] / 2 + c_i |x - y| / 2,
 *              lambda = chi (C |x - y|)^2,  U_i = -term_i.
 *
 * In PoissonMH and TunaMH, s is omega_2, and there is no omega_1. Poisson-MALA
 * and Poisson-Barker first draw s as omega_1, which is also omega_2, and
 * propose with the gradient
 *
 *     g = prior' + sum_i s_i phi_i' / (lambda M_i / L + phi_i).
 *
 * For Tuna-SGLD, omega_1 is a set of K rows. */
#include "theory/minibatch.h"

#include "base/memory.h"

#include <gsl/gsl_math.h>
#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

/* Maximum number of additions, and maximum number of values of omega_1. */
static const double terms_most = 1e9;
enum { VALUES_MOST = 200000 };

typedef struct minibatch {
    size_t n, rows, batch;
    double gap, step, size, chi;
    cs_poisson_proposal proposal;
    double c[CS_COUNT_ROWS]; /* M_i for the Poisson kernels, or c_i for the tuna
                                kernels */
    double *pi, *x;          /* [n] stationary probabilities and points of the
                                grid [own] */
    double *rate;            /* [n][rows] mean counts of the Poisson kernels
                                [own] */
    double *slope;           /* [rows][n] derivatives of the terms [own], or
                                NULL */
    double *prior_slope;     /* [n] derivative of the log prior [own] */
    double *term;            /* [rows][n] terms of the rows [own] */
    size_t low[CS_COUNT_ROWS], count[CS_COUNT_ROWS]; /* low: smallest value of
                                                        each count in omega_1;
                                                        count: number of
                                                        values */
    unsigned set[1 << CS_COUNT_ROWS];                /* tuna kernels: the
                                                        possible minibatches,
                                                        one bit per row */
    double *g; /* [n] gradient that guides the proposals [own] */
} minibatch;

static void destroy(void *self)
{
    minibatch *m = self;
    if (!m)
        return;
    CS_FREE_ALL(m->pi, m->x, m->rate, m->slope, m->prior_slope, m->term, m->g,
                m);
}

static double *copy(const double *from, size_t n)
{
    double *out = cs_alloc(n, sizeof *out);
    if (out && from)
        memcpy(out, from, n * sizeof *out);
    return out;
}

/* Computes pi from the terms, after subtracting the largest log probability. */
static void make_pi(minibatch *m, const cs_tall_grid *g)
{
    double top = -HUGE_VAL, total = 0;
    for (size_t a = 0; a < m->n; a++) {
        m->pi[a] = g->prior ? g->prior[a] : 0;
        for (size_t i = 0; i < m->rows; i++)
            m->pi[a] += g->term[i * m->n + a];
        top = fmax(top, m->pi[a]);
        m->x[a] = g->low + (double)a * g->gap;
    }
    for (size_t a = 0; a < m->n; a++)
        total += m->pi[a] = exp(m->pi[a] - top);
    for (size_t a = 0; a < m->n; a++)
        m->pi[a] /= total;
}

static minibatch *create(const cs_tall_grid *g, double step, cs_error *err)
{
    size_t all = g->n * g->rows;
    minibatch *m = cs_alloc(1, sizeof *m);
    if (m) {
        m->n = g->n;
        m->rows = g->rows;
        m->gap = g->gap;
        m->step = step;
        m->pi = copy(NULL, g->n);
        m->x = copy(NULL, g->n);
        m->g = copy(NULL, g->n);
        m->rate = copy(NULL, all);
        m->slope = copy(g->slope, all);
        m->prior_slope = copy(g->prior_slope, g->n);
        m->term = copy(g->term, all);
    }
    if (!m || !m->pi || !m->x || !m->g || !m->rate || !m->slope ||
        !m->prior_slope || !m->term) {
        destroy(m);
        cs_fail(err, CS_MEMORY, "out of memory for a grid of %zu points", g->n);
        return NULL;
    }
    make_pi(m, g);
    return m;
}

static cs_status check_grid(const cs_tall_grid *g, const char *name,
                            double step, bool slopes, cs_error *err)
{
    if (step < g->gap) {
        cs_fail(
            err, CS_RANGE,
            "%s: a step of %g is smaller than the spacing of the points, %g",
            name, step, g->gap);
        cs_hint(err, "use more points, or a longer step");
        return CS_RANGE;
    }
    if (slopes && !g->slope) {
        cs_fail(err, CS_INPUT, "%s needs gradients, and none are given", name);
        cs_hint(err,
                "give `slopes`: the derivative of each term at each point");
        return CS_INPUT;
    }
    return CS_OK;
}

static cs_aux_chain chain_of(minibatch *m, cs_aux_rule rule)
{
    return (cs_aux_chain){.n = m->n,
                          .n1 = 1,
                          .pi = m->pi,
                          .f = m->x,
                          .rule = rule,
                          .self = m,
                          .destroy = destroy};
}

double cs_minibatch_size(const cs_aux_chain *c)
{
    const minibatch *m = c->self;
    double far = m->chi > 0 ? m->gap * (double)(m->n - 1) : 1;
    return m->size * far;
}

/* ---- proposals ----------------------------------------------------------- */

/* Returns the density of a proposal at distance `move`. For Barker's proposal
 * it is 2 phi(z) / (1 + exp(-z step g)) / step. */
static double density(const minibatch *m, double move, double g)
{
    double half = m->step * m->step / 2;
    if (m->proposal == CS_POISSON_BARKER)
        return gsl_ran_gaussian_pdf(move, m->step) * 2 / (1 + exp(-move * g));
    return gsl_ran_gaussian_pdf(move - half * g, m->step);
}

/* Fills q[n][n] with the proposals along g[n]. */
static void fill_proposals(const minibatch *m, double *q)
{
    for (size_t a = 0; a < m->n; a++)
        for (size_t b = 0; b < m->n; b++)
            q[a * m->n + b] = m->gap * density(m, m->x[b] - m->x[a], m->g[a]);
}

static void propose_walk(const void *self, size_t k, double *q)
{
    const minibatch *m = self;
    (void)k;
    memset(m->g, 0, m->n * sizeof *m->g);
    fill_proposals(m, q);
}

/* ---- the Poisson kernels ------------------------------------------------- */

/* Returns the count of row i in the value of omega_1 with index k. */
static size_t count_of(const minibatch *m, size_t k, size_t i)
{
    for (size_t j = 0; j < i; j++)
        k /= m->count[j];
    return m->low[i] + k % m->count[i];
}

static void poisson_first(const void *self, size_t k, double *p)
{
    const minibatch *m = self;
    for (size_t i = 0; i < m->rows; i++) {
        unsigned s = (unsigned)count_of(m, k, i);
        for (size_t a = 0; a < m->n; a++)
            p[a] *= gsl_ran_poisson_pdf(s, m->rate[a * m->rows + i]);
    }
}

static void poisson_propose(const void *self, size_t k, double *q)
{
    const minibatch *m = self;
    memcpy(m->g, m->prior_slope, m->n * sizeof *m->g);
    for (size_t i = 0; i < m->rows; i++) {
        double s = (double)count_of(m, k, i);
        for (size_t a = 0; a < m->n; a++)
            m->g[a] += s * m->slope[i * m->n + a] / m->rate[a * m->rows + i];
    }
    fill_proposals(m, q);
}

static double poisson_accept(const void *self, size_t k, size_t a, size_t b,
                             cs_aux_rule rule, double log_rho)
{
    const minibatch *m = self;
    (void)k;
    return cs_counts_accept(m->rate + a * m->rows, m->rate + b * m->rows,
                            m->rows, rule, log_rho);
}

static double poisson_kl(const void *self, size_t k, size_t a, size_t b)
{
    const minibatch *m = self;
    (void)k;
    return cs_counts_kl(m->rate + a * m->rows, m->rate + b * m->rows, m->rows);
}

static void range_of(const minibatch *m, size_t i, double *low, double *high)
{
    *low = HUGE_VAL;
    *high = -HUGE_VAL;
    for (size_t a = 0; a < m->n; a++) {
        *low = fmin(*low, m->term[i * m->n + a]);
        *high = fmax(*high, m->term[i * m->n + a]);
    }
}

/* Computes M_i and the mean counts. The paper's lambda is s->lambda L^2. */
static cs_status make_rates(minibatch *m, const cs_poisson_setting *s,
                            cs_error *err)
{
    double low[CS_COUNT_ROWS];
    for (size_t i = 0; i < m->rows; i++) {
        double least, most;
        range_of(m, i, &least, &most);
        low[i] = s->low ? s->low[i] : least;
        m->c[i] = s->width ? s->width[i] : most - low[i];
        m->size += m->c[i];
        double rounding = 1e-12 * (most - least);
        if (!(m->c[i] > 0) || least < low[i] - rounding ||
            most > low[i] + m->c[i] + rounding) {
            cs_fail(err, CS_RANGE,
                    "term %zu ranges from %g to %g, outside its bounds %g and "
                    "%g, or is constant",
                    i + 1, least, most, low[i], low[i] + m->c[i]);
            cs_hint(
                err,
                "give bounds that contain the term, and a term that varies");
            return CS_RANGE;
        }
    }
    double lambda = s->lambda * m->size * m->size;
    for (size_t a = 0; a < m->n; a++)
        for (size_t i = 0; i < m->rows; i++)
            m->rate[a * m->rows + i] = lambda * m->c[i] / m->size +
                                       fmax(m->term[i * m->n + a] - low[i], 0);
    return CS_OK;
}

/* Enumerates the values of omega_1: all combinations of counts that are likely
 * at one or more points of the grid. */
static cs_status enumerate(minibatch *m, size_t *values, cs_error *err)
{
    double product = 1;
    for (size_t i = 0; i < m->rows; i++) {
        size_t end = 0;
        m->low[i] = SIZE_MAX;
        for (size_t a = 0; a < m->n; a++) {
            size_t low, n;
            cs_counts_window(m->rate[a * m->rows + i], &low, &n);
            m->low[i] = low < m->low[i] ? low : m->low[i];
            end = low + n > end ? low + n : end;
        }
        m->count[i] = end - m->low[i];
        product *= (double)m->count[i];
    }
    *values = (size_t)fmin(product, VALUES_MOST);
    if (product <= VALUES_MOST)
        return CS_OK;
    cs_fail(err, CS_RANGE, "the counts have %.3g values in total, more than %d",
            product, VALUES_MOST);
    cs_hint(err, "use fewer rows, or a smaller lambda");
    return CS_RANGE;
}

/* Checks the total number of terms over all pairs of points. */
static cs_status check_terms(const minibatch *m, const cs_aux_chain *c,
                             void (*rates)(const minibatch *m, size_t a,
                                           size_t b, double *rate),
                             cs_error *err)
{
    double there[CS_COUNT_ROWS], back[CS_COUNT_ROWS], terms = 0;
    for (size_t a = 0; a < m->n; a++)
        for (size_t b = 0; b < a; b++) {
            rates(m, a, b, there);
            rates(m, b, a, back);
            terms += 2 * (double)c->n1 *
                     cs_counts_terms(there, back, m->rows, c->rule);
        }
    if (terms <= terms_most)
        return CS_OK;
    cs_fail(err, CS_RANGE,
            terms < HUGE_VAL ? "sums over the counts have %.2g terms, too many"
                             : "a row has too many counts (%.2g terms)",
            terms);
    cs_hint(err, "use fewer rows or points, or a smaller lambda or chi");
    return CS_RANGE;
}

static void poisson_rates(const minibatch *m, size_t a, size_t b, double *rate)
{
    (void)b;
    memcpy(rate, m->rate + a * m->rows, m->rows * sizeof *rate);
}

static cs_status poisson_of(minibatch *m, const cs_poisson_setting *s,
                            cs_aux_chain *out, cs_error *err)
{
    cs_status status = make_rates(m, s, err);
    m->proposal = s->proposal;
    *out = chain_of(m, s->rule);
    out->propose = propose_walk;
    if (status)
        return status;
    if (s->proposal != CS_POISSON_MH) {
        out->first = poisson_first;
        out->propose = poisson_propose;
        return enumerate(m, &out->n1, err);
    }
    out->accept = poisson_accept;
    out->kl = poisson_kl;
    return check_terms(m, out, poisson_rates, err);
}

cs_status cs_poisson_chain(const cs_tall_grid *g, const cs_poisson_setting *s,
                           cs_aux_chain *out, cs_error *err)
{
    static const char *const names[] = {"poisson_mh", "poisson_mala",
                                        "poisson_barker"};
    cs_status status = check_grid(g, names[s->proposal], s->step,
                                  s->proposal != CS_POISSON_MH, err);
    if (status)
        return status;
    minibatch *m = create(g, s->step, err);
    if (!m)
        return CS_MEMORY;
    status = poisson_of(m, s, out, err);
    if (status)
        cs_aux_chain_free(out);
    return status;
}

/* ---- tuna ---------------------------------------------------------------- */

static void tuna_rates(const minibatch *m, size_t a, size_t b, double *rate)
{
    double far = fabs(m->x[b] - m->x[a]);
    double lambda = m->chi * pow(m->size * far, 2);
    for (size_t i = 0; i < m->rows; i++) {
        const double *t = m->term + i * m->n;
        rate[i] =
            lambda * m->c[i] / m->size + (t[a] - t[b]) / 2 + m->c[i] / 2 * far;
    }
}

static double tuna_accept(const void *self, size_t k, size_t a, size_t b,
                          cs_aux_rule rule, double log_rho)
{
    const minibatch *m = self;
    double there[CS_COUNT_ROWS], back[CS_COUNT_ROWS];
    (void)k;
    tuna_rates(m, a, b, there);
    tuna_rates(m, b, a, back);
    return cs_counts_accept(there, back, m->rows, rule, log_rho);
}

static double tuna_kl(const void *self, size_t k, size_t a, size_t b)
{
    const minibatch *m = self;
    double there[CS_COUNT_ROWS], back[CS_COUNT_ROWS];
    (void)k;
    tuna_rates(m, a, b, there);
    tuna_rates(m, b, a, back);
    return cs_counts_kl(there, back, m->rows);
}

/* Sets p[n] to the probability of the set with index k. All sets of K rows have
 * the same probability at all states. */
static void tuna_first(const void *self, size_t k, double *p)
{
    const minibatch *m = self;
    size_t sets = 0;
    (void)k;
    for (unsigned rows = 0; rows < 1u << m->rows; rows++)
        sets += (size_t)__builtin_popcount(rows) == m->batch;
    for (size_t a = 0; a < m->n; a++)
        p[a] = 1 / (double)sets;
}

static void tuna_propose(const void *self, size_t k, double *q)
{
    const minibatch *m = self;
    double scale = (double)m->rows / (double)m->batch;
    memcpy(m->g, m->prior_slope, m->n * sizeof *m->g);
    for (size_t i = 0; i < m->rows; i++)
        for (size_t a = 0; a < m->n && (m->set[k] >> i & 1); a++)
            m->g[a] += scale * m->slope[i * m->n + a];
    fill_proposals(m, q);
}

/* Computes c_i from the difference quotients between neighbouring points. The
 * quotient between two distant points is a mean of these quotients, so
 * neighbouring points suffice. */
static cs_status make_lipschitz(minibatch *m, const double *given,
                                cs_error *err)
{
    for (size_t i = 0; i < m->rows; i++) {
        double least = 0;
        for (size_t a = 0; a + 1 < m->n; a++)
            least = fmax(
                least, fabs(m->term[i * m->n + a + 1] - m->term[i * m->n + a]) /
                           m->gap);
        m->c[i] = given ? given[i] : least;
        m->size += m->c[i];
        if (!(m->c[i] > 0) || m->c[i] < least * (1 - 1e-12)) {
            cs_fail(
                err, CS_RANGE,
                "term %zu changes by %g over a distance of 1; its bound is %g",
                i + 1, least, m->c[i]);
            cs_hint(err, "give a positive bound, at least the change itself");
            return CS_RANGE;
        }
    }
    return CS_OK;
}

static cs_status tuna_of(minibatch *m, const cs_tuna_setting *s,
                         cs_aux_chain *out, cs_error *err)
{
    cs_status status = make_lipschitz(m, s->lipschitz, err);
    m->chi = s->chi;
    m->batch = s->batch;
    m->proposal = CS_POISSON_MALA; /* with g = 0 this proposal is a random
                                      walk */
    *out = chain_of(m, s->rule);
    if (status)
        return status;
    out->propose = propose_walk;
    out->accept = tuna_accept;
    out->kl = tuna_kl;
    if (m->batch > 0) {
        out->n1 = 0;
        for (unsigned rows = 0; rows < 1u << m->rows; rows++)
            if ((size_t)__builtin_popcount(rows) == m->batch)
                m->set[out->n1++] = rows;
        out->first = tuna_first;
        out->propose = tuna_propose;
    }
    return check_terms(m, out, tuna_rates, err);
}

cs_status cs_tuna_chain(const cs_tall_grid *g, const cs_tuna_setting *s,
                        cs_aux_chain *out, cs_error *err)
{
    cs_status status = check_grid(g, s->batch ? "tuna_sgld" : "tuna_mh",
                                  s->step, s->batch > 0, err);
    if (!status && s->batch > g->rows) {
        cs_fail(err, CS_RANGE, "a batch has %zu rows, but the data have %zu",
                s->batch, g->rows);
        status = CS_RANGE;
    }
    if (status)
        return status;
    minibatch *m = create(g, s->step, err);
    if (!m)
        return CS_MEMORY;
    status = tuna_of(m, s, out, err);
    if (status)
        cs_aux_chain_free(out);
    return status;
}
