/* Mean and standard deviation of the first coordinates, over draws that count
 * by their weights. Each chain uses Welford's update (for weighted draws: West,
 * "Updating mean and variance estimates", 1979). Chains are pooled by Chan,
 * Golub and LeVeque, "Algorithms for computing the sample variance", Eq. 2.1.
 * The divisor n - 1 becomes sum w - sum w^2 / sum w for weighted draws. */
#include "base/memory.h"
#include "probe/time_bins.h"
#include "probe/weigh.h"

#include <math.h>
#include <string.h>

enum { COORDINATES, MOST = 1 << 20 };

static size_t count(const cs_probe *p)
{
    size_t dim = cs_target_shown(p->target);
    size_t most = (size_t)p->values[COORDINATES];
    return dim < most ? dim : most;
}

/* Memory of a lane: the weights, then the mean and the sum of squares of each
 * coordinate. */
enum { MEAN = CS_WEIGH_ROWS, SQUARE };

static cs_status create(cs_probe *p, cs_target *target, cs_error *err)
{
    (void)target;
    (void)err;
    p->words = MEAN + 2 * count(p);
    p->first = count(p);
    return CS_OK;
}

/* Factors for a draw of weight w; `was` is the sum of the weights of the
 * earlier draws. share: factor of the draw's deviation in the update of the
 * mean. rest: factor of the squared deviation in the update of the sum of
 * squares. */
typedef struct worth {
    cs_vd was, w, share, rest;
} worth;

static worth worth_of(cs_vd was, cs_vd w)
{
    cs_vd sum = was + w;
    cs_vd share = w / cs_vselect(sum > 0, sum, cs_vset(1));
    return (worth){was, w, share, was * share};
}

/* Updates eight lanes. Let d be the deviation of x from the old mean. For
 * unweighted draws, adds d / n to the mean and d^2 (n - 1) / n to the sum of
 * squares. For a draw of weight w, the factors of d and d^2 are w / S and w R /
 * S, where R is the sum of the weights before this draw and S = R + w. */
static void take(const worth *w, size_t most, size_t n, const double *x,
                 double *mean)
{
    for (size_t d = 0; d < most; d++, mean += 2 * n, x += n) {
        cs_vd old = cs_load(mean), delta = cs_load(x) - old;
        cs_vd square = cs_load(mean + n);
        cs_store(mean, cs_vfma(w->share, delta, old));
        cs_store(mean + n, cs_vfma(w->rest * delta, delta, square));
    }
}

/* Updates all lanes for weighted draws. Only the sums of squares are rescaled;
 * the means need no scale. */
static __attribute__((noinline)) void
observe_weighed(const cs_step_view *s, size_t most, double *memory)
{
    size_t n = s->lanes;
    for (size_t l = 0; l < n; l += CS_VECTOR) {
        double *mean = memory + MEAN * n + l;
        cs_weighed now =
            cs_weigh_lanes(s, l, ~cs_load_bool(s->left_out + l), memory);
        for (size_t d = 0; now.rises && d < most; d++)
            cs_weigh_rescale(&now, mean + (2 * d + 1) * n, 1, n);
        worth w = worth_of(now.before, now.w);
        take(&w, most, n, s->shown + l, mean);
    }
}

/* Updates all lanes except failed ones. Successive groups of eight lanes
 * usually have the same number of draws, so the result of the division is
 * reused. */
static void observe(const cs_probe *p, const cs_step_view *s, double *memory)
{
    size_t n = s->lanes, most = count(p);
    worth w = worth_of(cs_vset(0), cs_vset(0));
    if (s->log_weight) {
        observe_weighed(s, most, memory);
        return;
    }
    for (size_t l = 0; l < n; l += CS_VECTOR) {
        cs_vi failed = cs_load_bool(s->left_out + l);
        cs_vd live = cs_vselect(failed, cs_vset(0), cs_vset(1));
        cs_vd was = cs_load(memory + l);
        if (cs_vbits((was != w.was) | (live != w.w)))
            w = worth_of(was, live);
        cs_store(memory + l, was + live);
        take(&w, most, n, s->shown + l, memory + MEAN * n + l);
    }
}

/* Adds the steps of a series to the moments of up to one vector of coordinates
 * of a single chain, starting at coordinate `from`. */
static void take_series(const cs_probe_series *c, size_t from, size_t most,
                        double *memory)
{
    _Alignas(CS_ALIGN) double mean[CS_VECTOR] = {0}, square[CS_VECTOR] = {0},
                              x[CS_VECTOR] = {0};
    size_t n = c->lanes,
           left = most - from < CS_VECTOR ? most - from : CS_VECTOR;
    double *at = memory + (MEAN + 2 * from) * n;
    for (size_t k = 0; k < left; k++) {
        mean[k] = at[2 * k * n];
        square[k] = at[(2 * k + 1) * n];
    }
    cs_vd m = cs_load(mean), q = cs_load(square);
    for (size_t j = 0; j < c->n; j++) {
        worth w = worth_of(cs_vset(memory[0] + (double)j), cs_vset(1));
        memcpy(x, c->row + j * c->width + 1 + from, left * sizeof *x);
        cs_vd delta = cs_load(x) - m;
        m = cs_vfma(w.share, delta, m);
        q = cs_vfma(w.rest * delta, delta, q);
    }
    cs_store(mean, m);
    cs_store(square, q);
    for (size_t k = 0; k < left; k++) {
        at[2 * k * n] = mean[k];
        at[(2 * k + 1) * n] = square[k];
    }
}

static void observe_series(const cs_probe *p, const cs_probe_series *c,
                           double *memory)
{
    size_t most = count(p);
    for (size_t d = 0; d < most; d += CS_VECTOR)
        take_series(c, d, most, memory);
    memory[0] += (double)c->n;
}

/* Results of pooled chains: the mean, the standard deviation, and the standard
 * error of the mean from the variation between the chains' means. */
typedef struct pooled {
    double mean, sd, mcse;
} pooled;

static pooled pool(const cs_lane_memory *chain, size_t n,
                   const cs_pooled_weight *all, size_t d)
{
    double total = 0, mean = 0, square = 0, spread = 0, live = 0;
    for (size_t c = 0; c < n; c++) {
        double k = cs_bin_word(&chain[c], CS_WEIGH_DRAWS);
        if (k == 0)
            continue;
        double delta = cs_bin_word(&chain[c], MEAN + 2 * d) - mean;
        square += cs_bin_word(&chain[c], SQUARE + 2 * d) *
                      cs_chain_weight_of(&chain[c], 0).unit +
                  delta * delta * total * k / (total + k);
        total += k;
        mean += delta * k / total;
        live++;
    }
    for (size_t c = 0; c < n; c++) {
        double delta = cs_bin_word(&chain[c], MEAN + 2 * d) - mean;
        spread += cs_bin_word(&chain[c], 0) > 0 ? delta * delta : 0;
    }
    double free = cs_pooled_freedom(all);
    return (pooled){.mean = total > 0 ? mean : (double)NAN,
                    .sd = free > 0 ? sqrt(square / free) : (double)NAN,
                    .mcse = live > 1 ? sqrt(spread / (live - 1) / live)
                                     : (double)NAN};
}

/* Reports the distance of the moments from the exact ones, as root mean squares
 * over the coordinates. For n independent draws the root mean square of (mean -
 * exact) / exact sd is 1 / sqrt(n). The root mean square of log(sd / exact sd)
 * is 1 / sqrt(2 n) if the draws are Gaussian. */
static void report_error(const cs_exact *exact, const double *mean,
                         const double *sd, size_t k, double n,
                         const char *prefix, cs_flat *out)
{
    double *to = cs_flat_array(out, 1, 4, "%serror", prefix);
    double first = 0, second = 0;
    for (size_t d = 0; to && d < k; d++) {
        double s = sqrt(exact->variance[d]);
        double off = (mean[d] - exact->mean[d]) / s, ratio = log(sd[d] / s);
        first += off * off / (double)k;
        second += ratio * ratio / (double)k;
    }
    if (!to)
        return;
    to[0] = sqrt(first);
    to[1] = 1 / sqrt(n);
    to[2] = sqrt(second);
    to[3] = 1 / sqrt(2 * n);
}

static void report(const cs_probe *p, const cs_lane_memory *chain, size_t n,
                   const char *prefix, cs_flat *out)
{
    const cs_exact *exact = &p->target->exact;
    size_t k = count(p);
    double *mean = cs_flat_array(out, 1, k, "%smean", prefix);
    double *sd = cs_flat_array(out, 1, k, "%ssd", prefix);
    double *mcse = cs_flat_array(out, 1, k, "%smcse", prefix);
    cs_pooled_weight all = cs_pool_weights(chain, n, 0);
    for (size_t d = 0; mean && sd && mcse && d < k; d++) {
        pooled r = pool(chain, n, &all, d);
        mean[d] = r.mean;
        sd[d] = r.sd;
        mcse[d] = r.mcse;
    }
    double *to =
        exact->mean ? cs_flat_array(out, 1, k, "%sexact_mean", prefix) : NULL;
    for (size_t d = 0; to && d < k; d++)
        to[d] = exact->mean[d];
    to =
        exact->variance ? cs_flat_array(out, 1, k, "%sexact_sd", prefix) : NULL;
    for (size_t d = 0; to && d < k; d++)
        to[d] = sqrt(exact->variance[d]);
    if (exact->mean && exact->variance && mean && sd)
        report_error(exact, mean, sd, k, all.size, prefix, out);
}

static const cs_param params[] = {
    [COORDINATES] = CS_COORDINATES_ROW(
        MOST, 64,
        "number of recorded coordinates, starting with the first; each of them "
        "takes time at every step"),
};

const cs_probe_type CS_VARIANT(cs_probe_moments) = {
    .name = "moments",
    .title = "Moments",
    .help = "mean and standard deviation of each coordinate, compared with the "
            "exact values",
    CS_PARAM_TABLE(params),
    .create = create,
    .observe = observe,
    .observe_series = observe_series,
    .report = report,
};
