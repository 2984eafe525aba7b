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

/* A function of the draws. Power 0: 1 if x <= to, else 0; power 1: x; power 2:
 * (x - to)^2. */
typedef struct function {
    double to;
    int power; /* 0: the share up to `to` */
} function;

static double value_of(const function *f, double x)
{
    double off = x - f->to;
    return f->power == 2 ? off * off : f->power == 1 ? x : off <= 0;
}

static double weight_of(const cs_testimony_draws *d, size_t i)
{
    return d->w ? d->w[i] : 1;
}

static double mean_of(const cs_testimony_draws *d, const function *f)
{
    double sum = 0, all = 0;
    for (size_t i = 0; i < d->chains * d->n; i++) {
        sum += weight_of(d, i) * value_of(f, d->x[i]);
        all += weight_of(d, i);
    }
    return sum / all;
}

/* Returns the standard error of the mean from batches; cs_weighted_error uses
 * single draws as batches. */
static double batch_error(const cs_testimony_draws *d, const function *f,
                          double mean)
{
    enum { LEAST = 32 };
    size_t each = d->chains < LEAST / 8 ? (LEAST - 1) / d->chains + 1 : 8;
    size_t batches = each * d->chains, n = d->n / each;
    double squares = 0, all = 0;
    if (n == 0)
        return (double)NAN;
    for (size_t b = 0; b < batches; b++) {
        size_t from = b / each * d->n + b % each * n;
        double sum = 0;
        for (size_t i = from; i < from + n; i++) {
            sum += weight_of(d, i) * (value_of(f, d->x[i]) - mean);
            all += weight_of(d, i);
        }
        squares += sum * sum;
    }
    double count = (double)batches;
    return sqrt(squares * count / (count - 1)) / all;
}

static cs_testimony share_up_to(const cs_testimony_draws *d, double to)
{
    const function f = {to, 0};
    double p = mean_of(d, &f), n = fmin(d->ess, d->tail);
    /* if the share is 0 or 1 in the draws, it may still differ in the
     * distribution */
    double inside = fmin(fmax(p, 1 / (n + 2)), 1 - 1 / (n + 2));
    double error = sqrt(inside * (1 - inside) / n);
    return (cs_testimony){p, fmax(error, batch_error(d, &f, p)), n};
}

static const cs_testimony silent = {(double)NAN, (double)NAN, 0};

static void moments(const cs_testimony_draws *d, cs_testimony *out)
{
    const function centre = {0, 1};
    const function f = {mean_of(d, &centre), 2};
    double variance = mean_of(d, &f), fourth = 0, all = 0;
    double n = fmin(d->ess, d->tail);
    for (size_t i = 0; i < d->chains * d->n; i++) {
        double square = value_of(&f, d->x[i]);
        fourth += weight_of(d, i) * square * square;
        all += weight_of(d, i);
    }
    double spread = fmax(0, fourth / all - variance * variance);
    double error = fmax(sqrt(spread / n), batch_error(d, &f, variance));
    double kurtosis = fourth / all / (variance * variance);
    out[CS_WITNESSED_SD] =
        (cs_testimony){log(variance) / 2, error / (2 * variance), n};
    if (!(kurtosis < n / 100))
        out[CS_WITNESSED_SD] = silent;
    if (!(kurtosis < n / 20))
        out[CS_WITNESSED_MEAN] = silent;
}

void cs_testify(const cs_testimony_draws *d, const double *q, cs_testimony *out)
{
    moments(d, out);
    for (int i = 0; i < CS_WITNESSED_QUANTILES; i++)
        out[CS_WITNESSED_LOW + i] = share_up_to(d, q[i]);
}
