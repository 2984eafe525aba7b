#include "stat/weighted.h"

#include "base/memory.h"
#include "stat/sort.h"

#include <assert.h>
#include <math.h>

bool cs_weights_of(const double *log_w, size_t n, double *w)
{
    double most = -HUGE_VAL;
    for (size_t i = 0; i < n; i++) {
        if (isnan(log_w[i]) || log_w[i] == HUGE_VAL)
            return false;
        most = fmax(most, log_w[i]);
    }
    if (most == -HUGE_VAL)
        return false;
    for (size_t i = 0; i < n; i++)
        w[i] = exp(log_w[i] - most);
    return true;
}

static double sum_of(const double *w, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += w[i];
    return sum;
}

double cs_weighted_mean(const double *x, const double *w, size_t n)
{
    double sum = sum_of(w, n), product = 0;
    for (size_t i = 0; i < n; i++)
        if (w[i] > 0) /* an infinite x of no weight is no NaN */
            product += w[i] / sum * x[i];
    return sum > 0 ? product : (double)NAN;
}

double cs_weighted_variance(const double *x, const double *w, size_t n)
{
    double sum = sum_of(w, n), mean = cs_weighted_mean(x, w, n);
    double squares = 0, spread = 0;
    for (size_t i = 0; i < n; i++) {
        if (!(w[i] > 0))
            continue;
        double share = w[i] / sum, off = x[i] - mean;
        squares += share * share;
        spread += share * off * off;
    }
    return sum > 0 && squares < 1 ? spread / (1 - squares) : (double)NAN;
}

double cs_weighted_quantile(const double *x, const double *w, size_t n,
                            double p)
{
    assert(p >= 0 && p <= 1);
    double sum = sum_of(w, n), value = NAN, below = 0;
    size_t heavy = 0;
    cs_sort_place *order = sum > 0 ? cs_alloc(n, sizeof *order) : NULL;
    if (!order)
        return NAN;
    for (size_t i = 0; i < n; i++)
        if (w[i] > 0)
            order[heavy++] = (cs_sort_place){x[i], i};
    cs_sort_places(order, heavy);
    if (isnan(order[heavy - 1].value))
        heavy = 0;
    for (size_t k = 0; k < heavy && (k == 0 || below < p * sum); k++) {
        value = order[k].value;
        below += w[order[k].at];
    }
    cs_free(order);
    return value;
}

double cs_weighted_mcse(const double *x, const double *w, size_t chains,
                        size_t n, size_t batches)
{
    double sum = sum_of(w, chains * n);
    double ratio = cs_weighted_mean(x, w, chains * n), squares = 0;
    size_t size = batches ? n / batches : 0;
    if (!(sum > 0) || size == 0 || batches < 2)
        return NAN;
    for (size_t c = 0; c < chains; c++)
        for (size_t b = 0; b < batches; b++) {
            size_t end = b + 1 < batches ? (b + 1) * size : n;
            double off = 0;
            for (size_t i = c * n + b * size; i < c * n + end; i++)
                off += w[i] > 0 ? w[i] / sum * (x[i] - ratio) : 0;
            squares += off * off;
        }
    double all = (double)(chains * batches);
    return sqrt(squares * all / (all - 1));
}

bool cs_resample_systematic(const double *w, size_t n, double uniform, size_t m,
                            size_t *from)
{
    assert(uniform >= 0 && uniform < 1);
    double sum = sum_of(w, n), below = 0;
    size_t k = 0, last = 0;
    if (!(sum > 0) || isinf(sum))
        return false;
    for (size_t i = 0; i < n; i++) {
        if (!(w[i] > 0))
            continue;
        last = i;
        below += w[i] / sum * (double)m;
        while (k < m && (double)k + uniform < below)
            from[k++] = i;
    }
    while (k < m) /* the shares sum to a little less than one */
        from[k++] = last;
    return true;
}

double cs_weight_size(const double *w, size_t n)
{
    double sum = 0, squares = 0, top = 0;
    for (size_t i = 0; i < n; i++)
        top = fmax(top, w[i]);
    for (size_t i = 0; i < n && top > 0; i++) {
        sum += w[i] / top;
        squares += w[i] / top * (w[i] / top);
    }
    return squares > 0 ? sum * sum / squares : (double)NAN;
}
