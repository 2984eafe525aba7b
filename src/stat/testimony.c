#include "stat/testimony.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

double cs_testimony_apart(const cs_testimony *a, const cs_testimony *b)
{
    double error = hypot(a->error, b->error);
    return error > 0 ? fabs(a->at - b->at) / error : (double)NAN;
}

static double freedom_of(const cs_testimony *a)
{
    return fmax(3, a->size / 10);
}

double cs_testimony_max(const cs_testimony *a, const cs_testimony *b,
                        double chance)
{
    double e = a->error * a->error, f = b->error * b->error;
    double freedom =
        (e + f) * (e + f) / (e * e / freedom_of(a) + f * f / freedom_of(b));
    return isfinite(freedom) ? gsl_cdf_tdist_Qinv(chance / 2, freedom)
                             : gsl_cdf_ugaussian_Qinv(chance / 2);
}

/* ---- estimates from draws ---- */

/* Functions of a draw; their means are estimated. SQUARE: squared distance from
 * the mean. SHARE: for each quantile q, 1 if the draw is at most q, else 0. */
enum { SQUARE, SHARE, FUNCTIONS = SHARE + CS_WITNESSED_QUANTILES };

typedef struct sums {
    double weight, fourth; /* fourth: sum of the fourth powers of distances */
    double value[FUNCTIONS];
} sums;

/* Sums over all batches. For each batch, W is the sum of its weights, and S is
 * the weighted sum of a function over its draws. */
typedef struct batches {
    size_t n;                /* number of batches */
    double weight, squares;  /* sums of the weights W and of W^2 */
    double value[FUNCTIONS]; /* sums of S^2 for the batch sums S */
    double cross[FUNCTIONS]; /* sums of S W */
} batches;

static double weight_of(const cs_testimony_draws *d, size_t i)
{
    return d->w ? d->w[i] : 1;
}

static double mean_of(const cs_testimony_draws *d)
{
    double sum = 0, all = 0;
    for (size_t i = 0; i < d->chains * d->n; i++) {
        sum += weight_of(d, i) * d->x[i];
        all += weight_of(d, i);
    }
    return sum / all;
}

/* Returns the sums over the draws [from, to), all functions in one pass. */
static sums sum_up(const cs_testimony_draws *d, size_t from, size_t to,
                   double mean, const double *q)
{
    sums s = {.weight = 0};
    for (size_t i = from; i < to; i++) {
        double w = weight_of(d, i), off = d->x[i] - mean, square = off * off;
        s.weight += w;
        s.value[SQUARE] += w * square;
        s.fourth += w * square * square;
        for (size_t k = 0; k < CS_WITNESSED_QUANTILES; k++)
            s.value[SHARE + k] += d->x[i] <= q[k] ? w : 0;
    }
    return s;
}

static void add(sums *to, const sums *s)
{
    to->weight += s->weight;
    to->fourth += s->fourth;
    for (size_t k = 0; k < FUNCTIONS; k++)
        to->value[k] += s->value[k];
}

static void add_batch(batches *b, const sums *s)
{
    b->n++;
    b->weight += s->weight;
    b->squares += s->weight * s->weight;
    for (size_t k = 0; k < FUNCTIONS; k++) {
        b->value[k] += s->value[k] * s->value[k];
        b->cross[k] += s->value[k] * s->weight;
    }
}

/* Computes the sums over all draws, and over at least 32 batches of equal
 * length. Draws at the end of a chain that do not fill a batch are included
 * only in the sums over all draws. */
static sums sum_batches(const cs_testimony_draws *d, const double *q,
                        batches *b)
{
    enum { LEAST = 32 };
    size_t each = d->chains < LEAST / 8 ? (LEAST - 1) / d->chains + 1 : 8;
    size_t n = d->n / each;
    double mean = mean_of(d);
    sums all = {.weight = 0};
    for (size_t c = 0; c < d->chains; c++) {
        size_t from = c * d->n;
        for (size_t i = 0; n && i < each; i++, from += n) {
            sums s = sum_up(d, from, from + n, mean, q);
            add_batch(b, &s);
            add(&all, &s);
        }
        sums rest = sum_up(d, from, (c + 1) * d->n, mean, q);
        add(&all, &rest);
    }
    return all;
}

/* Returns the standard error of the mean of function k, computed from batches;
 * NAN if there are no batches. (cs_weighted_error uses single draws as
 * batches.) */
static double batch_error(const batches *b, size_t k, double mean)
{
    double n = (double)b->n;
    double squares =
        b->value[k] - 2 * mean * b->cross[k] + mean * mean * b->squares;
    return b->n ? sqrt(fmax(0, squares) * n / (n - 1)) / b->weight
                : (double)NAN;
}

static const cs_testimony silent = {(double)NAN, (double)NAN, 0};

static cs_testimony share_of(const sums *all, const batches *b, size_t k,
                             double n)
{
    double p = all->value[k] / all->weight;
    /* if the share is 0 or 1 in the draws, it may still differ in the
     * distribution */
    double inside = fmin(fmax(p, 1 / (n + 2)), 1 - 1 / (n + 2));
    double error = sqrt(inside * (1 - inside) / n);
    return (cs_testimony){p, fmax(error, batch_error(b, k, p)), n};
}

static void moments(const sums *all, const batches *b, double n,
                    cs_testimony *out)
{
    double variance = all->value[SQUARE] / all->weight;
    double fourth = all->fourth / all->weight;
    double spread = fmax(0, fourth - variance * variance);
    double error = fmax(sqrt(spread / n), batch_error(b, SQUARE, variance));
    double kurtosis = fourth / (variance * variance);
    out[CS_WITNESSED_SD] =
        (cs_testimony){log(variance) / 2, error / (2 * variance), n};
    if (!(kurtosis < n / 100))
        out[CS_WITNESSED_SD] = silent;
    if (!(kurtosis < n / 20))
        out[CS_WITNESSED_MEAN] = silent;
}

void cs_testify(const cs_testimony_draws *d, const double *q, cs_testimony *out)
{
    batches b = {.n = 0};
    sums all = sum_batches(d, q, &b);
    double n = fmin(d->ess, d->tail);
    moments(&all, &b, n, out);
    for (size_t i = 0; i < CS_WITNESSED_QUANTILES; i++)
        out[CS_WITNESSED_LOW + i] = share_of(&all, &b, SHARE + i, n);
}
