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

bool cs_weights_of_chains(const double *log_w, size_t chains, size_t n,
                          double *w)
{
    for (size_t c = 0; c < chains; c++, log_w += n, w += n) {
        double sum = 0;
        if (!cs_weights_of(log_w, n, w))
            return false;
        for (size_t i = 0; i < n; i++)
            sum += w[i];
        for (size_t i = 0; i < n; i++)
            w[i] *= (double)n / sum;
    }
    return true;
}

bool cs_weights_alike(const double *log_w, size_t chains, size_t n)
{
    for (size_t c = 0; c < chains; c++, log_w += n) {
        double first = -HUGE_VAL;
        for (size_t i = 0; i < n; i++) {
            if (log_w[i] == -HUGE_VAL)
                continue;
            if (first == -HUGE_VAL)
                first = log_w[i];
            if (log_w[i] != first)
                return false;
        }
    }
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
        if (w[i] > 0) /* an infinite x with weight 0 must not give NaN */
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

bool cs_weighted_sort(const double *x, const double *w, size_t n,
                      cs_weighted_order *o)
{
    cs_sort_place *order = cs_alloc(n, sizeof *order);
    double sum = 0;
    *o = (cs_weighted_order){.x = cs_alloc(2 * n, sizeof *o->x)};
    for (size_t i = 0; order && i < n; i++)
        if (w[i] > 0)
            order[o->n++] = (cs_sort_place){x[i], i};
    if (order)
        cs_sort_places(order, o->n);
    bool good = o->x && o->n && !isnan(order[o->n - 1].value);
    o->below = o->x + o->n;
    for (size_t k = 0; good && k < o->n; k++) {
        o->x[k] = order[k].value;
        o->below[k] = sum += w[order[k].at];
    }
    cs_free(order);
    if (!good)
        cs_free(o->x);
    return good;
}

double cs_weighted_quantile_of(const cs_weighted_order *o, double p)
{
    assert(p >= 0 && p <= 1);
    double want = p * o->below[o->n - 1];
    size_t low = 0, high = o->n - 1; /* finds the first index whose below[] is
                                      * at least `want` */
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (o->below[middle] < want)
            low = middle + 1;
        else
            high = middle;
    }
    return o->x[low];
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
    while (k < m) /* shares may sum to slightly less than 1 */
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
