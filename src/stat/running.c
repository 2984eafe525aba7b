#include "stat/running.h"

#include "base/memory.h"
#include "stat/moments.h"
#include "stat/weighted.h"

#include <math.h>
#include <string.h>

/* Arrays [chains][times]: the means and the weights of the batches, and scratch
 * copies of both for the batches up to a time. */
typedef struct batches {
    double *mean, *weight, *x, *w;
    size_t chains, times;
} batches;

static void cut(cs_draws d, const double *w, batches *b)
{
    size_t width = d.n / b->times;
    for (size_t i = 0; i < d.chains * b->times; i++) {
        size_t from = i / b->times * d.n + i % b->times * width;
        double sum = 0, weight = 0;
        for (size_t k = from; k < from + width; k++) {
            double one = w ? w[k] : 1;
            sum += one * d.x[k];
            weight += one;
        }
        b->mean[i] = weight > 0 ? sum / weight : 0;
        b->weight[i] = weight;
    }
}

/* Returns the mean of the batches up to time t over some of the chains. */
static double mean_until(const batches *b, size_t first, size_t chains,
                         size_t t)
{
    double sum = 0, weight = 0;
    for (size_t c = first; c < first + chains; c++)
        for (size_t k = 0; k <= t; k++) {
            sum += b->weight[c * b->times + k] * b->mean[c * b->times + k];
            weight += b->weight[c * b->times + k];
        }
    return weight > 0 ? sum / weight : (double)NAN;
}

/* Returns the error at time t; the weights must have mean 1. */
static double error_until(const batches *b, size_t t)
{
    enum { LEAST = 8 };
    size_t n = t + 1, all = n * b->chains;
    for (size_t c = 0; c < b->chains; c++) {
        memcpy(b->x + c * n, b->mean + c * b->times, n * sizeof *b->x);
        memcpy(b->w + c * n, b->weight + c * b->times, n * sizeof *b->w);
    }
    double mean = cs_mean(b->w, all);
    for (size_t i = 0; i < all; i++)
        b->w[i] /= mean;
    return n < LEAST ? (double)NAN
                     : cs_weighted_error((cs_draws){b->x, n, b->chains}, b->w);
}

bool cs_running_means(cs_draws d, const double *w, size_t times,
                      cs_running *out)
{
    size_t all = d.chains * times;
    if (times == 0 || d.n < times)
        return false;
    double *scratch = cs_alloc(4 * all, sizeof *scratch);
    *out = (cs_running){.times = times,
                        .mean = cs_alloc(2 * times + all, sizeof(double))};
    if (!scratch || !out->mean) {
        cs_free(scratch);
        cs_free(out->mean);
        return false;
    }
    out->error = out->mean + times;
    out->chain = out->error + times;
    batches b = {scratch,           scratch + all, scratch + 2 * all,
                 scratch + 3 * all, d.chains,      times};
    cut(d, w, &b);
    for (size_t t = 0; t < times; t++) {
        out->mean[t] = mean_until(&b, 0, d.chains, t);
        out->error[t] = error_until(&b, t);
        for (size_t c = 0; c < d.chains; c++)
            out->chain[c * times + t] = mean_until(&b, c, 1, t);
    }
    cs_free(scratch);
    return true;
}
