/* The exchange algorithm on a grid. For a single draw P_ab = p_b, and
 *
 *     r = pi_b q(b, a) p_a(w) / [pi_a q(a, b) p_b(w)].
 *
 * For K draws let m(w) = sum_j p_a(w_j) / p_b(w_j) / K and p(w) = prod_j
 * p(w_j). For a < b
 *
 *     heads: P_ab(w) = p_b(w),       P_ba(w) = p_b(w) m(w),
 *     tails: P_ab(w) = p_a(w) m'(w), P_ba(w) = p_a(w),
 *
 * where m' is m with a and b exchanged. For a > b heads and tails are
 * exchanged. Without this exchange, heads in a move would be tails in the
 * reverse move; with it, both moves have the same value of the coin. */
#include "theory/exchange_grid.h"

#include "base/memory.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_sf_gamma.h>
#include <math.h>
#include <string.h>

/* ---- the lattice --------------------------------------------------------- */

static double spin(size_t state, size_t i)
{
    return state >> i & 1 ? 1 : -1;
}

static double sum_of_state(const cs_lattice *l, size_t state)
{
    double sum = 0;
    for (size_t r = 0; r < l->rows; r++)
        for (size_t c = 0; c < l->cols; c++) {
            size_t i = r * l->cols + c;
            if (c + 1 < l->cols)
                sum += spin(state, i) * spin(state, i + 1);
            if (r + 1 < l->rows)
                sum += spin(state, i) * spin(state, i + l->cols);
        }
    return sum;
}

static size_t state_of(const cs_lattice *l, const double *spins)
{
    size_t state = 0;
    for (size_t i = 0; i < l->rows * l->cols; i++)
        state |= (size_t)(spins[i] > 0) << i;
    return state;
}

double cs_lattice_sum(const cs_lattice *l, const double *spins)
{
    return sum_of_state(l, state_of(l, spins));
}

static size_t value_at(const cs_lattice *l, double sum)
{
    size_t k = 0;
    while (k < l->values && l->value[k] != sum)
        k++;
    return k;
}

cs_status cs_lattice_make(size_t rows, size_t cols, cs_lattice *out,
                          cs_error *err)
{
    size_t sites = rows * cols;
    *out = (cs_lattice){.rows = rows, .cols = cols};
    if (sites < 2 || sites > CS_LATTICE_SITES)
        return cs_fail(err, CS_RANGE,
                       "a lattice of %zu sites cannot be enumerated: use "
                       "between 2 and %d sites",
                       sites, CS_LATTICE_SITES);
    for (size_t state = 0; state < (size_t)1 << sites; state++) {
        double sum = sum_of_state(out, state);
        size_t k = value_at(out, sum);
        if (k == out->values)
            out->value[out->values++] = sum;
        out->count[k]++;
    }
    return CS_OK;
}

void cs_lattice_law(const cs_lattice *l, double coupling, double *p)
{
    double top = -HUGE_VAL, total = 0;
    for (size_t k = 0; k < l->values; k++)
        top = fmax(top, p[k] = coupling * l->value[k] + log(l->count[k]));
    for (size_t k = 0; k < l->values; k++)
        total += p[k] = exp(p[k] - top);
    for (size_t k = 0; k < l->values; k++)
        p[k] /= total;
}

/* Applies a Gibbs update of site i to the distribution p[states]; sum[states]
 * is T. */
static void resample(size_t states, const double *sum, double coupling,
                     size_t i, double *p)
{
    size_t bit = (size_t)1 << i;
    for (size_t state = 0; state < states; state++) {
        if (state & bit)
            continue;
        double both = p[state] + p[state | bit];
        double change = sum[state | bit] - sum[state];
        double up = 1 / (1 + exp(-coupling * change));
        p[state | bit] = both * up;
        p[state] = both * (1 - up);
    }
}

cs_status cs_lattice_law_after(const cs_lattice *l, double coupling,
                               const double *spins, size_t sweeps, double *p,
                               cs_error *err)
{
    size_t sites = l->rows * l->cols, states = (size_t)1 << sites;
    double *all = cs_alloc(2 * states, sizeof *all), *sum;
    if (!all)
        return cs_fail(err, CS_MEMORY, "out of memory for %zu states", states);
    sum = all + states;
    for (size_t state = 0; state < states; state++)
        sum[state] = sum_of_state(l, state);
    all[state_of(l, spins)] = 1;
    for (size_t n = 0; n < sweeps; n++)
        for (size_t i = 0; i < 2 * sites; i++)
            resample(states, sum, coupling, i < sites ? i : 2 * sites - 1 - i,
                     all);
    memset(p, 0, l->values * sizeof *p);
    for (size_t state = 0; state < states; state++)
        p[value_at(l, sum[state])] += all[state];
    cs_free(all);
    return CS_OK;
}

/* ---- the chain ----------------------------------------------------------- */

typedef struct exchange {
    size_t n, values, draws;
    double gap, step;
    double *x, *pi;      /* [n] couplings, and stationary probabilities [own] */
    double *law, *drawn; /* [n][values] law: p_theta; drawn: distribution of the
                            draws [own] */
} exchange;

static void destroy(void *self)
{
    exchange *e = self;
    if (!e)
        return;
    CS_FREE_ALL(e->x, e->pi, e->law, e->drawn, e);
}

static void propose(const void *self, size_t k, double *q)
{
    const exchange *e = self;
    (void)k;
    for (size_t a = 0; a < e->n; a++)
        for (size_t b = 0; b < e->n; b++)
            q[a * e->n + b] =
                e->gap * gsl_ran_gaussian_pdf(e->x[b] - e->x[a], e->step);
}

/* Sums over the outcomes of K draws, enumerated as multisets. */
typedef struct multiset {
    const double *drawn;     /* [values] probabilities of the outcomes of one
                                draw */
    const double *num, *den; /* [values] numerators and denominators: m is the
                                mean of num / den over the draws */
    size_t values, draws;
    bool weighted; /* true: each multiset is weighted by m */
    double sign;   /* sign of log m in log_r */
    double log_rho;
    cs_aux_rule rule;
    bool divergence; /* true: adds -sign log m instead of accept(r) */
} multiset;

static double at_leaf(const multiset *s, double weight, double sum)
{
    double m = sum / (double)s->draws, log_m = log(m);
    if (!(m > 0))
        return s->divergence && !s->weighted ? HUGE_VAL : 0;
    weight *= s->weighted ? m : 1;
    return weight *
           (s->divergence
                ? -s->sign * log_m
                : cs_aux_accept(s->rule, s->log_rho + s->sign * log_m));
}

/* Adds up the multisets with `left` more draws, whose values all have index w
 * or a larger index. `weight` is the probability of the draws so far, and `sum`
 * is the sum of the ratios of these draws. */
static double add_values(const multiset *s, size_t w, size_t left,
                         double weight, double sum)
{
    if (left == 0)
        return at_leaf(s, weight, sum);
    if (w == s->values)
        return 0;
    double total = 0, p = 1;
    double ratio = s->den[w] > 0 ? s->num[w] / s->den[w] : 0;
    for (size_t c = 0; c <= left && p > 0; c++, p *= s->drawn[w])
        total += add_values(s, w + 1, left - c,
                            weight * p / gsl_sf_fact((unsigned)c),
                            sum + (double)c * ratio);
    return total;
}

static double sum_draws(const multiset *s)
{
    return add_values(s, 0, s->draws, gsl_sf_fact((unsigned)s->draws), 0);
}

static bool is_heads(size_t k, size_t a, size_t b)
{
    return (a < b) == (k == 0);
}

/* Returns the sum for a move from a to b when the coin shows side k. */
static multiset balanced(const exchange *e, size_t k, size_t a, size_t b)
{
    const double *p = e->law + a * e->values, *q = e->law + b * e->values;
    multiset s = {.values = e->values, .draws = e->draws};
    bool heads = e->draws == 1 || is_heads(k, a, b);
    s.drawn = s.den = heads ? q : p;
    s.num = heads ? p : q;
    s.weighted = !heads;
    s.sign = heads ? 1 : -1;
    return s;
}

static double accept_balanced(const void *self, size_t k, size_t a, size_t b,
                              cs_aux_rule rule, double log_rho)
{
    multiset s = balanced(self, k, a, b);
    s.rule = rule;
    s.log_rho = log_rho;
    return log_rho > -HUGE_VAL ? sum_draws(&s) : 0;
}

static double kl_balanced(const void *self, size_t k, size_t a, size_t b)
{
    multiset s = balanced(self, k, a, b);
    s.divergence = true;
    return fmax(sum_draws(&s), 0);
}

/* Computes the acceptance if r contains the mean of K ratios. The draws are
 * from row b of e->drawn, which is p_theta' or an approximation of p_theta'. */
static double accept_inexact(const void *self, size_t k, size_t a, size_t b,
                             cs_aux_rule rule, double log_rho)
{
    const exchange *e = self;
    const multiset s = {.drawn = e->drawn + b * e->values,
                        .num = e->law + a * e->values,
                        .den = e->law + b * e->values,
                        .values = e->values,
                        .draws = e->draws,
                        .sign = 1,
                        .log_rho = log_rho,
                        .rule = rule};
    (void)k;
    return log_rho > -HUGE_VAL ? sum_draws(&s) : 0;
}

/* Sets p[a] to the probability of a side of the coin, which is 1/2 for every
 * state a. */
static void toss(const void *self, size_t k, double *p)
{
    const exchange *e = self;
    (void)k;
    for (size_t a = 0; a < e->n; a++)
        p[a] = 0.5;
}

/* Computes pi from log f(x) / Z = log p(T(x)) - log count; the number of
 * states, count, is the same for all couplings. */
static void make_pi(exchange *e, const cs_lattice *l,
                    const cs_exchange_setting *s)
{
    size_t at = value_at(l, cs_lattice_sum(l, s->spins));
    double top = -HUGE_VAL, total = 0;
    for (size_t a = 0; a < e->n; a++) {
        e->pi[a] =
            log(e->law[a * e->values + at]) + (s->prior ? s->prior[a] : 0);
        top = fmax(top, e->pi[a]);
    }
    for (size_t a = 0; a < e->n; a++)
        total += e->pi[a] = exp(e->pi[a] - top);
    for (size_t a = 0; a < e->n; a++)
        e->pi[a] /= total;
}

static cs_status fill(exchange *e, const cs_lattice *l,
                      const cs_exchange_setting *s, cs_error *err)
{
    cs_status status = CS_OK;
    for (size_t a = 0; a < e->n && !status; a++) {
        double *drawn = e->drawn + a * e->values;
        e->x[a] = s->low + (double)a * s->gap;
        cs_lattice_law(l, e->x[a], e->law + a * e->values);
        memcpy(drawn, e->law + a * e->values, e->values * sizeof *drawn);
        if (s->how == CS_EXCHANGE_SWEEPS)
            status = cs_lattice_law_after(l, e->x[a], s->spins, s->sweeps,
                                          drawn, err);
    }
    if (!status)
        make_pi(e, l, s);
    return status;
}

static exchange *create(const cs_lattice *l, const cs_exchange_setting *s)
{
    exchange *e = cs_alloc(1, sizeof *e);
    if (!e)
        return NULL;
    *e = (exchange){.n = s->n,
                    .values = l->values,
                    .draws = s->how == CS_EXCHANGE_SWEEPS ? 1 : s->draws,
                    .gap = s->gap,
                    .step = s->step,
                    .x = cs_alloc(s->n, sizeof *e->x),
                    .pi = cs_alloc(s->n, sizeof *e->pi),
                    .law = cs_alloc(s->n * l->values, sizeof *e->law),
                    .drawn = cs_alloc(s->n * l->values, sizeof *e->drawn)};
    if (e->x && e->pi && e->law && e->drawn)
        return e;
    destroy(e);
    return NULL;
}

cs_status cs_exchange_chain(const cs_lattice *l, const cs_exchange_setting *s,
                            cs_aux_chain *out, cs_error *err)
{
    exchange *e = create(l, s);
    if (!e)
        return cs_fail(err, CS_MEMORY, "out of memory for a grid of %zu points",
                       s->n);
    bool exact = s->how == CS_EXCHANGE_BALANCED || e->draws == 1;
    exact &= s->how != CS_EXCHANGE_SWEEPS;
    *out = (cs_aux_chain){.n = e->n,
                          .n1 = exact && e->draws > 1 ? 2 : 1,
                          .pi = e->pi,
                          .f = e->x,
                          .rule = s->rule,
                          .inexact = !exact,
                          .self = e,
                          .first = exact && e->draws > 1 ? toss : NULL,
                          .propose = propose,
                          .accept = exact ? accept_balanced : accept_inexact,
                          .kl = kl_balanced,
                          .destroy = destroy};
    cs_status status = fill(e, l, s, err);
    if (status)
        cs_aux_chain_free(out);
    return status;
}

const double *cs_exchange_laws(const cs_aux_chain *c, size_t *values)
{
    const exchange *e = c->self;
    *values = e->values;
    return e->law;
}
