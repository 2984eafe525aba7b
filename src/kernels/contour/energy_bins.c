/* Reports the bins of all chains of an arm. */
#include "kernels/contour/energy_bins.h"

#include "base/memory.h"

#include <assert.h>

/* ---- lists --------------------------------------------------------------- */

static cs_status follow_borders(const cs_value *given, const cs_value *border,
                                double *values, cs_error *err)
{
    enum { FIRST, WIDTH, BINS };
    size_t n = border->rows;
    const double *at = border->array;
    cs_status s = cs_list_rises(
        border, "give increasing numbers, for example borders = { 0, 0.5, 2 }",
        err);
    if (!s)
        s = cs_list_follows(&given[FIRST], border->name, at[0], &values[FIRST],
                            err);
    if (!s && n > 1)
        s = cs_list_follows(&given[WIDTH], border->name,
                            (at[n - 1] - at[0]) / (double)(n - 1),
                            &values[WIDTH], err);
    return s ? s
             : cs_list_follows(&given[BINS], border->name, (double)n + 1,
                               &values[BINS], err);
}

cs_status cs_bins_check_list(const cs_value *list, double bins, cs_error *err)
{
    if (!list->given || (double)list->rows == bins)
        return CS_OK;
    cs_fail(err, CS_RANGE, "%s has %zu numbers, but there are %g bins",
            list->name, list->rows, bins);
    cs_hint(err, "give one number per bin");
    return CS_RANGE;
}

cs_status cs_bins_arrange(const cs_value *given, size_t first, size_t numbers,
                          double *values, cs_error *err)
{
    const cs_value *border = &given[numbers + CS_BIN_BORDERS];
    const cs_value *weight = &given[numbers + CS_BIN_LOG_WEIGHTS];
    double *bins = &values[first + 2];
    cs_status s = border->given ? follow_borders(&given[first], border,
                                                 &values[first], err)
                                : CS_OK;
    if (s || !weight->given)
        return s;
    if (!border->given && !given[first + 2].given && weight->rows > 1)
        *bins = (double)weight->rows;
    return cs_bins_check_list(weight, *bins, err);
}

void cs_bins_weigh(const double *log_weight, size_t n, double least,
                   double *theta, size_t stride)
{
    assert(theta && n && stride);
    double top = -HUGE_VAL, sum = 0;
    for (size_t i = 0; log_weight && i < n; i++)
        top = fmax(top, log_weight[i]);
    for (size_t i = 0; log_weight && i < n; i++)
        sum += exp(log_weight[i] - top);
    for (size_t i = 0; i < n; i++)
        theta[i * stride] = log_weight
                                ? fmax(exp(log_weight[i] - top) / sum, least)
                                : 1 / (double)n;
}

/* ---- report -------------------------------------------------------------- */

/* Returns the number of live chains. */
static double live_of(const cs_exchange *m)
{
    double n = 0;
    for (size_t c = 0; c < m->chains; c++)
        n += !m->failed[c];
    return n;
}

static void tell_borders(const cs_bins *b, const char *prefix, cs_flat *out)
{
    double *low = cs_flat_array(out, 1, b->n, "%sbin_low", prefix);
    double *high = cs_flat_array(out, 1, b->n, "%sbin_high", prefix);
    for (size_t i = 0; low && high && i < b->n; i++) {
        low[i] = cs_bin_low(*b, i);
        high[i] = cs_bin_low(*b, i + 1);
    }
}

/* Writes the log weights of chain c to row[n], normalised such that the weights
 * sum to 1. */
static void log_weights(const cs_bins_reported *t, const cs_exchange *m,
                        size_t c, double *row)
{
    double top = -HUGE_VAL, sum = 0;
    for (size_t i = 0; i < t->bins.n; i++) {
        row[i] = t->log_weight(m, c, i);
        top = fmax(top, row[i]);
    }
    for (size_t i = 0; i < t->bins.n; i++)
        sum += exp(row[i] - top);
    for (size_t i = 0; i < t->bins.n; i++)
        row[i] -= top + log(sum);
}

/* Sums the weights of all chains, and computes the standard deviation of their
 * logarithms over chains. scratch[2 * bins] holds the weights of one chain and
 * the means so far. */
static void sum_weights(const cs_bins_reported *t, const cs_exchange *m,
                        double *scratch, double *weight, double *spread)
{
    size_t n = t->bins.n;
    double live = live_of(m), seen = 0, *mean = scratch + n;
    for (size_t i = 0; i < n; i++)
        weight[i] = spread[i] = mean[i] = 0;
    for (size_t c = 0; c < m->chains; c++) {
        if (m->failed[c])
            continue;
        seen++;
        log_weights(t, m, c, scratch);
        for (size_t i = 0; i < n; i++) {
            double off = scratch[i] - mean[i];
            weight[i] += exp(scratch[i]);
            mean[i] += off / seen;
            spread[i] += off * (scratch[i] - mean[i]);
        }
    }
    for (size_t i = 0; i < n; i++) {
        weight[i] = live > 0 ? weight[i] / live : (double)NAN;
        spread[i] = live > 1 ? sqrt(spread[i] / (live - 1)) : (double)NAN;
    }
}

static void tell_weights(const cs_bins_reported *t, const cs_exchange *m,
                         const char *prefix, cs_flat *out)
{
    size_t n = t->bins.n;
    double *weight = cs_flat_array(out, 1, n, "%sbin_weight", prefix);
    double *spread = cs_flat_array(out, 1, n, "%sbin_spread", prefix);
    double *scratch = cs_alloc(2 * n, sizeof *scratch);
    if (weight && spread && scratch)
        sum_weights(t, m, scratch, weight, spread);
    else
        for (size_t i = 0; weight && spread && i < n; i++)
            weight[i] = spread[i] = (double)NAN;
    cs_free(scratch);
}

/* Reports one value per bin, averaged over the chains. */
static void tell_means(const cs_bins_reported *t, const cs_exchange *m,
                       cs_bin_number *of, const char *name, const char *prefix,
                       cs_flat *out)
{
    double live = live_of(m);
    double *mean = cs_flat_array(out, 1, t->bins.n, "%s%s", prefix, name);
    for (size_t i = 0; mean && i < t->bins.n; i++) {
        mean[i] = 0;
        for (size_t c = 0; c < m->chains; c++)
            mean[i] += m->failed[c] ? 0 : of(m, c, i);
        mean[i] = live > 0 ? mean[i] / live : (double)NAN;
    }
}

static void tell_visits(const cs_bins_reported *t, const cs_exchange *m,
                        const char *prefix, cs_flat *out)
{
    double *share = cs_flat_array(out, 1, t->bins.n, "%sbin_visits", prefix);
    double all = 0;
    for (size_t i = 0; share && i < t->bins.n; i++) {
        share[i] = 0;
        for (size_t c = 0; c < m->chains; c++)
            share[i] += t->visits(m, c, i);
        all += share[i];
    }
    for (size_t i = 0; share && all > 0 && i < t->bins.n; i++)
        share[i] /= all;
}

void cs_bins_report(const cs_bins_reported *reported, const cs_exchange *m,
                    const char *prefix, cs_flat *out)
{
    assert(m->target && prefix && out);
    tell_borders(&reported->bins, prefix, out);
    tell_weights(reported, m, prefix, out);
    if (reported->multiplier)
        tell_means(reported, m, reported->multiplier, "bin_multiplier", prefix,
                   out);
    tell_visits(reported, m, prefix, out);
    tell_means(reported, m, reported->learning, "bin_learning", prefix, out);
}
