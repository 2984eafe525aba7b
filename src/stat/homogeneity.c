#include "stat/homogeneity.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { B = CS_HOMOGENEITY_BATCHES, V = CS_HOMOGENEITY_VALUES, LEAST = 4 };

typedef struct table {
    size_t values, chains, length; /* length: draws per batch */
    double all[V];                 /* number of draws of each value */
    double within[V]
                 [V];  /* sums of products of the deviations of the batch counts
                            from the mean of their chain */
    double between[V]; /* sums of squares of the deviations of chain counts */
} table;

/* Counts the draws of each value. Returns false if a draw has none of these
 * values. Counts are integers, so the difference of equal counts is exactly
 * 0. */
static bool count(const double *x, size_t n, double low, size_t values,
                  double *each)
{
    memset(each, 0, V * sizeof *each);
    for (size_t k = 0; k < n; k++) {
        double v = x[k] - low;
        if (!(v >= 0 && v < (double)values) || v != floor(v))
            return false;
        each[(size_t)v] += 1;
    }
    return true;
}

/* Adds a chain, whose batches are its last B * length draws. */
static bool add_chain(table *t, const double *x, double low)
{
    double of[B][V], sum[V];
    if (!count(x, B * t->length, low, t->values, sum))
        return false;
    for (size_t b = 0; b < B; b++)
        count(x + b * t->length, t->length, low, t->values, of[b]);
    for (size_t b = 0; b < B; b++)
        for (size_t v = 0; v < t->values; v++)
            for (size_t w = 0; w < t->values; w++)
                t->within[v][w] +=
                    (of[b][v] - sum[v] / B) * (of[b][w] - sum[w] / B);
    for (size_t v = 0; v < t->values; v++)
        t->all[v] += sum[v];
    return true;
}

static bool fill(table *t, cs_draws d, double low)
{
    double sum[V];
    size_t first = d.n - B * t->length;
    for (size_t c = 0; c < d.chains; c++)
        if (!add_chain(t, d.x + c * d.n + first, low))
            return false;
    for (size_t c = 0; c < d.chains; c++) {
        count(d.x + c * d.n + first, B * t->length, low, t->values, sum);
        for (size_t v = 0; v < t->values; v++) {
            double apart = sum[v] - t->all[v] / (double)d.chains;
            t->between[v] += apart * apart;
        }
    }
    return true;
}

/* Returns (tr S)^2 / tr S^2, with tr S^2 corrected for the bias of an S of
 * `freedom` degrees of freedom. */
static double dimensions(const table *t, double trace, double freedom,
                         double seen)
{
    double square = 0;
    for (size_t v = 0; v < t->values; v++)
        for (size_t w = 0; w < t->values && t->all[v] > 0; w++)
            if (t->all[w] > 0)
                square +=
                    t->within[v][w] * t->within[v][w] / (t->all[v] * t->all[w]);
    square = (square - trace * trace / freedom) * freedom * freedom /
             ((freedom - 1) * (freedom + 2));
    double f = square > 0 ? trace * trace / square : seen - 1;
    return seen > 2 ? fmin(fmax(f, 1), seen - 1) : 1;
}

cs_homogeneity cs_homogeneity_of(cs_draws d, double low, size_t values)
{
    cs_homogeneity h = {(double)NAN, (double)NAN, (double)NAN, (double)NAN};
    table t = {.values = values, .chains = d.chains, .length = d.n / B};
    if (values > V || t.length < LEAST || d.chains == 0 || !fill(&t, d, low))
        return h;
    double trace = 0, between = 0, seen = 0;
    for (size_t v = 0; v < values; v++) {
        if (!(t.all[v] > 0))
            continue;
        seen++;
        trace += t.within[v][v] / t.all[v];
        between += t.between[v] / t.all[v];
    }
    h.values = seen;
    if (seen < 2 || d.chains < 2)
        return h;
    double chains = (double)d.chains, freedom = chains * (B - 1);
    double f = dimensions(&t, trace, freedom, seen);
    double ratio = between / B / (chains - 1) / (trace / freedom);
    /* true if the shares of the values are equal in all batches of all
     * chains */
    bool equal = trace <= 0 && between <= 0;
    h.freedom = (chains - 1) * f;
    h.chi2 = trace > 0 ? ratio * h.freedom : equal ? 0 : HUGE_VAL;
    h.p = trace > 0 ? gsl_cdf_fdist_Q(ratio, h.freedom, freedom * f) : equal;
    return h;
}
