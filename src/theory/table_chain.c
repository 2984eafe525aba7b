#include "theory/table_chain.h"

#include "base/memory.h"

#include <math.h>

typedef struct tables {
    cs_chain_tables t;
    double *pi, *f; /* [n] stationary probabilities; [n] function f [own] */
} tables;

static void destroy(void *self)
{
    tables *s = self;
    if (!s)
        return;
    CS_FREE_ALL(s->pi, s->f, s);
}

static void first(const void *self, size_t k, double *p)
{
    const cs_chain_tables *t = &((const tables *)self)->t;
    for (size_t a = 0; a < t->n; a++)
        p[a] = t->first[a * t->n1 + k];
}

static void propose(const void *self, size_t k, double *q)
{
    const cs_chain_tables *t = &((const tables *)self)->t;
    for (size_t i = 0; i < t->n * t->n; i++)
        q[i] = t->propose[k * t->n * t->n + i];
}

static size_t row_at(const cs_chain_tables *t, size_t k, size_t a, size_t b)
{
    return ((k * t->n + a) * t->n + b) * t->n2;
}

static double accept(const void *self, size_t k, size_t a, size_t b,
                     cs_aux_rule rule, double log_rho)
{
    const cs_chain_tables *t = &((const tables *)self)->t;
    const double *there = t->second + row_at(t, k, a, b),
                 *back = t->second + row_at(t, k, b, a);
    const double *drawn = t->drawn ? t->drawn + row_at(t, k, a, b) : there;
    double sum = 0;
    for (size_t w = 0; w < t->n2 && log_rho > -HUGE_VAL; w++)
        if (drawn[w] > 0 && back[w] > 0)
            sum += drawn[w] *
                   cs_aux_accept(rule, log_rho + log(back[w] / there[w]));
    return sum;
}

static double kl(const void *self, size_t k, size_t a, size_t b)
{
    const cs_chain_tables *t = &((const tables *)self)->t;
    const double *there = t->second + row_at(t, k, a, b),
                 *back = t->second + row_at(t, k, b, a);
    double sum = 0;
    for (size_t w = 0; w < t->n2; w++)
        if (there[w] > 0)
            sum += there[w] * log(there[w] / back[w]);
    return fmax(sum, 0);
}

/* ---- checks -------------------------------------------------------------- */

typedef struct rows {
    const char *name;
    const double *p; /* the table; NULL: there is no such table */
    size_t rows, cols;
    bool whole; /* true: each row sums to 1; false: to at most 1 */
} rows;

/* Checks a row of a table: its entries and their sum. */
static cs_status check_row(const rows *r, size_t row, size_t n, cs_error *err)
{
    const double *p = r->p + row * r->cols;
    double sum = 0;
    for (size_t i = 0; i < r->cols; i++) {
        if (!(p[i] >= 0 && p[i] <= 1 + 1e-9))
            return cs_fail(err, CS_RANGE,
                           "%s: entry %zu of row %zu is %g, not a probability",
                           r->name, i + 1, row + 1, p[i]);
        sum += p[i];
    }
    if (sum <= 1 + 1e-9 && (!r->whole || sum >= 1 - 1e-9))
        return CS_OK;
    cs_fail(err, CS_RANGE, "%s: row %zu sums to %.12g", r->name, row + 1, sum);
    cs_hint(err,
            r->whole ? "make each row sum to 1; the row number counts all "
                       "combinations of the %zu states and other indices"
                     : "make the proposals from each of the %zu states sum to "
                       "at most 1",
            n);
    return CS_RANGE;
}

static cs_status check(const cs_chain_tables *t, cs_error *err)
{
    size_t pairs = t->n1 * t->n * t->n;
    const rows all[] = {{"first", t->first, t->n, t->n1, true},
                        {"propose", t->propose, t->n1 * t->n, t->n, false},
                        {"second", t->second, pairs, t->n2, true},
                        {"drawn", t->drawn, pairs, t->n2, true}};
    cs_status status = CS_OK;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        for (size_t r = 0; all[i].p && r < all[i].rows && !status; r++)
            status = check_row(&all[i], r, t->n, err);
    return status;
}

static cs_status make_pi(tables *s, cs_error *err)
{
    double top = -HUGE_VAL, total = 0;
    for (size_t a = 0; a < s->t.n; a++)
        top = fmax(top, s->t.logp[a]);
    for (size_t a = 0; a < s->t.n; a++) {
        s->f[a] = s->t.f ? s->t.f[a] : (double)a + 1;
        s->pi[a] = exp(s->t.logp[a] - top);
        if (!(s->pi[a] > 0))
            return cs_fail(
                err, CS_RANGE,
                "logp: state %zu has log density %g, too far below %g", a + 1,
                s->t.logp[a], top);
        total += s->pi[a];
    }
    for (size_t a = 0; a < s->t.n; a++)
        s->pi[a] /= total;
    return CS_OK;
}

cs_status cs_table_chain(const cs_chain_tables *t, cs_aux_chain *out,
                         cs_error *err)
{
    cs_status status = check(t, err);
    if (status)
        return status;
    tables *s = cs_alloc(1, sizeof *s);
    if (s)
        *s = (tables){*t, cs_alloc(t->n, sizeof(double)),
                      cs_alloc(t->n, sizeof(double))};
    if (!s || !s->pi || !s->f) {
        destroy(s);
        return cs_fail(err, CS_MEMORY, "out of memory for %zu states", t->n);
    }
    *out = (cs_aux_chain){.n = t->n,
                          .n1 = t->n1,
                          .pi = s->pi,
                          .f = s->f,
                          .rule = t->rule,
                          .inexact = t->drawn != NULL,
                          .self = s,
                          .first = t->first ? first : NULL,
                          .propose = propose,
                          .accept = t->second ? accept : NULL,
                          .kl = t->second ? kl : NULL,
                          .destroy = destroy};
    status = make_pi(s, err);
    if (status)
        cs_aux_chain_free(out);
    return status;
}
