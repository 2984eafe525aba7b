#include "stat/multivariate_size.h"

#include "base/memory.h"
#include "stat/cholesky.h"

#include <gsl/gsl_sf_psi.h>
#include <math.h>
#include <string.h>

struct cs_multivariate {
    size_t d, n;
    size_t batch, batches; /* draws per batch, batches per chain */
    size_t means, rows;    /* rows added to the means and to the products */
    size_t ended;          /* number of batches that are complete */
    double *mean;          /* [d] over all rows, a sum until it is used */
    double *in_batches;    /* [d] the same over the rows that are in batches */
    double *now;           /* [d] sum of the present batch, about `mean` */
    double *draws; /* [d][d] lower triangle: sum of products about `mean` */
    double *sums;  /* [d][d] the same for the means of the batches */
    double memory[];
};

bool cs_batches_are_short(double n, double chains, double least)
{
    return n * chains / least > floor(sqrt(n));
}

cs_batch_errors cs_batch_errors_of(double n, double chains, double p)
{
    double length = floor(sqrt(n)), v = chains * floor(n / length) - 1;
    cs_batch_errors out = {0, 0};
    if (!(v >= p) || !(p >= 1))
        return (cs_batch_errors){(double)NAN, (double)NAN};
    for (double i = 1; i <= p; i++) {
        out.error += gsl_sf_psi_1((v - i + 1) / 2);
        out.excess += log(v / 2) - gsl_sf_psi((v - i + 1) / 2);
    }
    out.error = sqrt(out.error) / p;
    out.excess /= p;
    return out;
}

cs_multivariate *cs_multivariate_new(size_t d, size_t n)
{
    cs_multivariate *m =
        cs_alloc(1, sizeof *m + (3 * d + 2 * d * d) * sizeof(double));
    if (!m)
        return NULL;
    m->d = d;
    m->n = n;
    m->batch = (size_t)sqrt((double)n);
    m->batches = m->batch ? n / m->batch : 0;
    m->mean = m->memory;
    m->in_batches = m->mean + d;
    m->now = m->in_batches + d;
    m->draws = m->now + d;
    m->sums = m->draws + d * d;
    return m;
}

void cs_multivariate_free(cs_multivariate *m)
{
    cs_free(m);
}

void cs_multivariate_mean(cs_multivariate *m, const double *row)
{
    bool used = m->means % m->n < m->batch * m->batches;
    for (size_t i = 0; i < m->d; i++) {
        m->mean[i] += row[i];
        m->in_batches[i] += used ? row[i] : 0;
    }
    m->means++;
}

/* Adds v v' to the lower triangle of to[d][d]. */
static void add_products(size_t d, const double *v, double *to)
{
    for (size_t i = 0; i < d; i++)
        for (size_t j = 0; j <= i; j++)
            to[i * d + j] += v[i] * v[j];
}

/* Replaces the sums by means before the first product. */
static void begin_products(cs_multivariate *m)
{
    size_t chains = m->means / m->n;
    double batched = (double)(chains * m->batch * m->batches);
    for (size_t i = 0; i < m->d; i++) {
        m->mean[i] /= (double)m->means;
        m->in_batches[i] /= batched;
    }
}

void cs_multivariate_add(cs_multivariate *m, const double *row)
{
    double off[CS_MULTIVARIATE_MOST] = {0};
    size_t d = m->d, at = m->rows % m->n;
    if (m->rows++ == 0)
        begin_products(m);
    for (size_t i = 0; i < d; i++)
        off[i] = row[i] - m->mean[i];
    add_products(d, off, m->draws);
    if (at >= m->batch * m->batches)
        return;
    for (size_t i = 0; i < d; i++)
        m->now[i] += row[i] - m->in_batches[i];
    if ((at + 1) % m->batch)
        return;
    for (size_t i = 0; i < d; i++)
        off[i] = m->now[i] / (double)m->batch;
    add_products(d, off, m->sums);
    memset(m->now, 0, d * sizeof *m->now);
    m->ended++;
}

/* Factors the correlations of the draws without the quantities that are
 * constants or linear combinations of those before them. Sets kept[] to the
 * others and returns their number; *log_det becomes the logarithm of the
 * determinant of their correlations. Needs l[d][d]. */
static size_t factor(const cs_multivariate *m, double *l, size_t *kept,
                     double *log_det)
{
    const double least = 1e-10; /* share of the variance that is not explained;
                                   rounding leaves about 1e-14 */
    size_t d = m->d, p = 0;
    *log_det = 0;
    for (size_t i = 0; i < d; i++) {
        double all = m->draws[i * d + i], rest = 1, *row = l + p * d;
        for (size_t j = 0; j < p && all > 0; j++) {
            double at = m->draws[i * d + kept[j]] /
                        sqrt(all * m->draws[kept[j] * d + kept[j]]);
            for (size_t k = 0; k < j; k++)
                at -= row[k] * l[j * d + k];
            row[j] = at / l[j * d + j];
            rest -= row[j] * row[j];
        }
        if (!(all > 0) || !(rest > least))
            continue;
        row[p] = sqrt(rest);
        *log_det += log(rest);
        kept[p++] = i;
    }
    return p;
}

/* Returns the logarithm of the determinant of the batch means of the kept
 * quantities, in units of the draws' standard deviations; NAN: not positive
 * definite. Needs a[p][p]. */
static double batch_log_det(const cs_multivariate *m, const size_t *kept,
                            size_t p, double *a)
{
    size_t d = m->d;
    double log_det = 0;
    double scale =
        (double)m->batch * (double)(m->rows - 1) / (double)(m->ended - 1);
    for (size_t i = 0; i < p; i++)
        for (size_t j = 0; j <= i; j++)
            a[i * p + j] = scale * m->sums[kept[i] * d + kept[j]] /
                           sqrt(m->draws[kept[i] * d + kept[i]] *
                                m->draws[kept[j] * d + kept[j]]);
    if (!cs_cholesky(a, p))
        return (double)NAN;
    for (size_t i = 0; i < p; i++)
        log_det += 2 * log(a[i * p + i]);
    return log_det;
}

static const char *unusable(const cs_multivariate *m)
{
    for (size_t i = 0; i < m->d; i++)
        if (!isfinite(m->draws[i * m->d + i]))
            return "a draw is not finite";
    return m->rows == 0   ? "there are no draws"
           : m->batch < 2 ? "too few draws in a chain"
                          : NULL;
}

double cs_multivariate_size(const cs_multivariate *m, size_t *used,
                            const char **reason)
{
    const char *why = unusable(m);
    size_t kept[CS_MULTIVARIATE_MOST], p = 0;
    double *scratch = cs_alloc(m->d * m->d, sizeof *scratch);
    double value = (double)NAN, draws, batches;
    if (!scratch)
        why = "out of memory";
    if (!why)
        p = factor(m, scratch, kept, &draws);
    if (!why && p == 0)
        why = "all draws are equal";
    if (!why && m->ended <= p)
        why = "too few draws: batch means need more batches than quantities";
    if (!why) {
        batches = batch_log_det(m, kept, p, scratch);
        value = (double)m->rows * exp((draws - batches) / (double)p);
        if (isnan(value))
            why = "the means of batches are linearly dependent";
    }
    cs_free(scratch);
    if (used)
        *used = p;
    if (reason)
        *reason = why;
    return value;
}
