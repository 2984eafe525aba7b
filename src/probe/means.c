/* The running mean: the mean of a chain's draws so far, for each of the first
 * coordinates, at up to 64 times that are thinned as the run grows. The running
 * mean shows the error of the mean as a function of time. Let m_ck(t) be the
 * mean of coordinate k in chain c, and let r_k and s_k be the exact mean and
 * standard deviation (or those of another arm). Then
 *
 *   mse(t) = mean over k and c of (m_ck(t) - r_k)^2 / s_k^2,
 *
 * which is 1 / n for n independent draws. mse(t) is the sum of two terms:
 * `spread`, the variance between the chains' means, and the squared error of
 * the average of these means. A comparison with another arm needs only these
 * two terms.
 *
 * Draws count by their weights, and chains count equally.
 *
 * If the target is a classifier with held-out rows, and all coordinates are
 * observed, the report includes the fraction of these rows whose class a
 * chain's running mean predicts correctly, as in Yuan and Wang, "Markov Chain
 * Monte Carlo without Evaluating the Target: an Auxiliary Variable Approach"
 * (ICML 2026), section 5.3, figure 3. */
#include "probe/predicted.h"
#include "probe/time_bins.h"
#include "probe/weigh.h"

#include <math.h>

enum { COORDINATES, TIMES = 64, MOST = 64 };

static size_t count(const cs_probe *p)
{
    size_t dim = cs_target_shown(p->target);
    size_t most = (size_t)p->values[COORDINATES];
    return dim < most ? dim : most;
}

/* Memory of a lane: the weights and the number of observations. Then for each
 * coordinate the sum, the sum of squares, and the mean at each time. */
enum { SEEN = CS_WEIGH_ROWS, SUMS };

static size_t squares_row(const cs_probe *p)
{
    return SUMS + count(p);
}

static size_t series_row(const cs_probe *p)
{
    return SUMS + 2 * count(p);
}

static cs_status create(cs_probe *p, cs_target *target, cs_error *err)
{
    (void)err;
    p->words = series_row(p) + count(p) * TIMES;
    if (!target->outputs.n && count(p) == target->space.dim)
        p->self = cs_predicted_make(target);
    return CS_OK;
}

static void destroy(cs_probe *p)
{
    cs_predicted_free(p->self);
}

/* ---- observing ---- */

static void take(const cs_step_view *s, size_t l, size_t k, double *memory)
{
    size_t n = s->lanes;
    double *sum = memory + SUMS * n + l;
    cs_weighed now =
        cs_weigh_lanes(s, l, ~cs_load_bool(s->left_out + l), memory);
    cs_weigh_rescale(&now, sum, 2 * k, n);
    for (size_t d = 0; d < k; d++, sum += n) {
        cs_vd x = cs_load(s->shown + d * n + l);
        cs_vd part = cs_vselect(now.w > 0, now.w * x, cs_vset(0));
        double *square = sum + k * n;
        cs_store(sum, cs_load(sum) + part);
        cs_store(square,
                 cs_load(square) + cs_vselect(now.w > 0, part * x, cs_vset(0)));
    }
}

static void mark_time(const cs_probe *p, double *memory, size_t lanes,
                      size_t live, size_t at)
{
    size_t k = count(p);
    double *series = memory + (series_row(p) + at) * lanes;
    for (size_t l = 0; l < live; l++) {
        cs_lane_memory lane = {memory + l, lanes, false};
        double sum = cs_chain_weight_of(&lane, 0).sum;
        for (size_t d = 0; d < k; d++)
            series[d * TIMES * lanes + l] =
                memory[(SUMS + d) * lanes + l] / sum;
    }
}

static void observe(const cs_probe *p, const cs_step_view *s, double *memory)
{
    size_t n = s->lanes, k = count(p);
    bool fold;
    uint64_t seen = cs_bins_seen(p, s->step);
    size_t bin = cs_bins_at_of(seen, TIMES, &fold);
    for (size_t d = 0; fold && d < k; d++)
        cs_bins_fold_of(memory + (series_row(p) + d * TIMES) * n, TIMES, n,
                        CS_MERGE_LAST, 0);
    for (size_t l = 0; l < n; l++)
        memory[SEEN * n + l] = (double)seen;
    for (size_t l = 0; l < s->live; l += CS_VECTOR)
        take(s, l, k, memory);
    if (seen % cs_bins_width_of(seen, TIMES) == 0)
        mark_time(p, memory, n, s->live, bin);
}

/* ---- reporting ---- */

/* Returns the mean of word `at` over the chains with draws, and computes the
 * mean squared deviation from that mean. */
static double mean_of(const cs_lane_memory *chain, size_t n, size_t at,
                      double *spread)
{
    double seen = 0, mean = 0, square = 0;
    for (size_t c = 0; c < n; c++) {
        double x = cs_bin_word(&chain[c], at), off = x - mean;
        if (!(cs_bin_word(&chain[c], 0) > 0) || isnan(x))
            continue;
        seen++;
        mean += off / seen;
        square += off * (x - mean);
    }
    *spread = seen > 0 ? square / seen : (double)NAN;
    return seen > 0 ? mean : (double)NAN;
}

/* Returns the standard deviation of coordinate d over all draws. */
static double sd_of(const cs_probe *p, const cs_lane_memory *chain, size_t n,
                    size_t d)
{
    double draws = 0, sum = 0, square = 0;
    for (size_t c = 0; c < n; c++) {
        cs_chain_weight w = cs_chain_weight_of(&chain[c], 0);
        if (!(w.sum > 0))
            continue;
        draws += w.draws;
        sum += w.unit * cs_bin_word(&chain[c], SUMS + d);
        square += w.unit * cs_bin_word(&chain[c], squares_row(p) + d);
    }
    double mean = sum / draws;
    return sqrt(fmax(square / draws - mean * mean, 0));
}

/* Returns the mean squared error against the exact mean, at time i. */
static double error_of(const cs_exact *exact, size_t k, const double *mean,
                       const double *spread)
{
    double sum = 0;
    for (size_t d = 0; d < k; d++) {
        double off = mean[d] - exact->mean[d];
        sum += (spread[d] + off * off) / exact->variance[d];
    }
    return sum / (double)k;
}

/* Returns the fraction of held-out rows whose class the running means at time i
 * predict correctly, averaged over the chains with draws. */
static double accuracy_of(const cs_probe *p, const cs_lane_memory *chain,
                          size_t n, size_t i)
{
    double x[MOST], seen = 0, sum = 0;
    for (size_t c = 0; c < n; c++) {
        for (size_t d = 0; d < count(p); d++)
            x[d] = cs_bin_word(&chain[c], series_row(p) + d * TIMES + i);
        double accuracy = cs_bin_word(&chain[c], 0) > 0
                              ? cs_predicted_accuracy(p->self, x)
                              : (double)NAN;
        if (isnan(accuracy))
            continue;
        seen++;
        sum += accuracy;
    }
    return seen > 0 ? sum / seen : (double)NAN;
}

/* Returns the standard error of the mean squared error at time i, estimated
 * from the variation between chains; NAN for fewer than 4 chains. */
static double error_of_error(const cs_probe *p, const cs_lane_memory *chain,
                             size_t n, size_t i)
{
    enum { LEAST = 4 };
    const cs_exact *exact = &p->target->exact;
    double sum = 0, squares = 0, seen = 0;
    for (size_t c = 0; c < n; c++) {
        double mse = 0;
        for (size_t d = 0; d < count(p); d++) {
            double off = cs_bin_word(&chain[c], series_row(p) + d * TIMES + i) -
                         exact->mean[d];
            mse += off * off / exact->variance[d] / (double)count(p);
        }
        if (!(cs_bin_word(&chain[c], 0) > 0))
            continue;
        double delta = mse - sum;
        sum += delta / ++seen;
        squares += delta * (mse - sum);
    }
    return seen >= LEAST ? sqrt(squares / (seen - 1) / seen) : (double)NAN;
}

static void report(const cs_probe *p, const cs_lane_memory *chain, size_t n,
                   const char *prefix, cs_flat *out)
{
    const cs_exact *exact = &p->target->exact;
    size_t k = count(p);
    uint64_t seen = n ? (uint64_t)cs_bin_word(&chain[0], SEEN) : 0;
    uint64_t width = cs_bins_width_of(seen, TIMES);
    size_t used = (size_t)(seen / width);
    if (used == 0)
        return;
    double *time = cs_flat_array(out, 1, used, "%stime", prefix);
    double *mean = cs_flat_array(out, used, k, "%smean", prefix);
    double *spread = cs_flat_array(out, used, k, "%sspread", prefix);
    double *sd = cs_flat_array(out, 1, k, "%ssd", prefix);
    bool known = exact->mean && exact->variance;
    double *mse = known ? cs_flat_array(out, 1, used, "%smse", prefix) : NULL;
    double *error =
        known ? cs_flat_array(out, 1, used, "%serror", prefix) : NULL;
    double *accuracy =
        p->self ? cs_flat_array(out, 1, used, "%saccuracy", prefix) : NULL;
    if (!time || !mean || !spread || !sd)
        return;
    for (size_t d = 0; d < k; d++)
        sd[d] = sd_of(p, chain, n, d);
    for (size_t i = 0; i < used; i++) {
        time[i] = (double)((i + 1) * width * p->every);
        for (size_t d = 0; d < k; d++)
            mean[i * k + d] = mean_of(chain, n, series_row(p) + d * TIMES + i,
                                      &spread[i * k + d]);
        if (mse)
            mse[i] = error_of(exact, k, mean + i * k, spread + i * k);
        if (error)
            error[i] = error_of_error(p, chain, n, i);
        if (accuracy)
            accuracy[i] = accuracy_of(p, chain, n, i);
    }
}

static const cs_param params[] = {
    [COORDINATES] = CS_COORDINATES_ROW(
        MOST, 16,
        "number of recorded coordinates, starting with the first; each of them "
        "takes time at every step"),
};

const cs_probe_type CS_VARIANT(cs_probe_means) = {
    .name = "means",
    .title = "Running mean",
    .help = "running mean of each chain: the error of the mean against steps, "
            "evaluated data rows and seconds, and the accuracy of the mean on "
            "held-out data",
    CS_PARAM_TABLE(params),
    .asked = true,
    .costly = true, /* a report is costly if it computes predictions */
    .create = create,
    .destroy = destroy,
    .observe = observe,
    .report = report,
};
