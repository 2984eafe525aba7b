/* Tests probes with weighted draws. Estimates are weighted sums over the draws.
 * The estimates depend neither on a constant added to a chain's log weights nor
 * on blocks. Equal weights give the same result as no weights. */
#include "support/watch.h"
#include "support/weighed.h"

#include "probe/weigh.h"
#include "stat/diagnostics.h"
#include "stat/distance.h"
#include "target/enumeration.h"

#include <stdio.h>
#include <string.h>

/* Returns a scalar of a draw: 0 is the energy, k is coordinate k. */
static double scalar(size_t c, size_t i, size_t k)
{
    return k ? drawn[c][i].x[k - 1] : -drawn[c][i].logp;
}

/* Computes the mean and the standard deviation of a scalar over the chains
 * from..to - 1. The divisor of the variance is sum w - sum w^2 / sum w. */
static void moments_of(const weights *w, size_t k, size_t from, size_t to,
                       double *mean, double *sd)
{
    long double sum = 0, x = 0, squares = 0, off = 0;
    for (size_t c = from; c < to; c++)
        for (size_t i = 0; i < w->steps; i++) {
            sum += w->weight[c][i];
            squares += w->weight[c][i] * w->weight[c][i];
            x += w->weight[c][i] * scalar(c, i, k);
        }
    for (size_t c = from; c < to; c++)
        for (size_t i = 0; i < w->steps; i++)
            off += w->weight[c][i] * powl(scalar(c, i, k) - x / sum, 2);
    long double divisor = sum - squares / sum;
    *mean = (double)(x / sum);
    *sd = divisor > 1e-9L ? (double)sqrtl(off / divisor) : (double)NAN;
}

/* Returns true if two standard deviations agree. If one draw outweighs all
 * others, the standard deviation is undefined, and any value is accepted. */
static bool agree(double got, double want, double absolute)
{
    if (isnan(want) || isnan(got))
        return isnan(want) || fabs(want) < 1e-6;
    return fabs(got - want) <= absolute + 1e-8 * fabs(want);
}

/* ---- each probe from its draws ------------------------------------------- */

static bool check_moments(const report *r, const weights *w, cs_target *t)
{
    bool good = true;
    double mean, sd, off = 0, each[CHAINS];
    for (size_t d = 0; d < t->space.dim; d++) {
        double spread = 0;
        moments_of(w, d + 1, 0, CHAINS, &mean, &sd);
        good &= agree(number(r, "mean", d), mean, 1e-9);
        good &= agree(number(r, "sd", d), sd, 1e-6);
        for (size_t c = 0; c < CHAINS; c++) {
            moments_of(w, d + 1, c, c + 1, &each[c], &sd);
            spread += pow(each[c] - mean, 2);
        }
        spread = sqrt(spread / (CHAINS - 1) / CHAINS);
        good &= agree(number(r, "mcse", d), spread, 1e-9);
        off += pow((mean - t->exact.mean[d]), 2) / t->exact.variance[d];
    }
    off = sqrt(off / (double)t->space.dim);
    return good && agree(number(r, "error", 0), off, 1e-9) &&
           agree(number(r, "error", 1), 1 / sqrt(w->size), 1e-9);
}

/* Returns the error of a ratio R = S / W, from the sums of S - R W in bins of
 * draws. The bin width starts at 1 and doubles when 256 bins are full; the last
 * bin holds the remaining draws. */
static double ratio_error(const weights *w, size_t k, double mean)
{
    enum { BINS = 256 };
    double off[CHAINS * BINS] = {0}, least = HUGE_VAL, most = 0, width = 1;
    for (size_t c = 0; c < CHAINS; c++) {
        least = fmin(least, w->n[c]);
        most = fmax(most, w->n[c]);
    }
    while (width * BINS < most)
        width *= 2;
    size_t bins = (size_t)(least / width);
    for (size_t c = 0; c < CHAINS; c++) {
        size_t seen = 0;
        for (size_t i = 0; i < w->steps; i++) {
            if (!(drawn[c][i].there > 0))
                continue;
            size_t b = (size_t)((double)seen++ / width);
            off[c * bins + (b < bins ? b : bins - 1)] +=
                w->weight[c][i] * (scalar(c, i, k) - mean);
        }
    }
    for (size_t i = 0; i < CHAINS * bins; i++)
        off[i] *= (double)(CHAINS * bins) / w->all;
    return cs_mcse_mean((cs_draws){off, bins, CHAINS}, NULL);
}

static bool check_diagnostics(const report *r, const weights *w, cs_target *t)
{
    bool good = true;
    for (size_t k = 0; k <= t->space.dim; k++) {
        double mean, sd;
        moments_of(w, k, 0, CHAINS, &mean, &sd);
        double mcse = ratio_error(w, k, mean),
               got = number(r, "all", 4 * k + 2);
        good &= agree(number(r, "all", 4 * k), mean, 1e-9);
        good &= agree(number(r, "all", 4 * k + 1), sd, 1e-6);
        good &= isnan(mcse) || agree(got, mcse, 1e-6 * (1 + mcse)) ||
                agree(got, sd / sqrt(w->all * log10(w->all)), 1e-6);
        good &= isnan(mcse) ||
                agree(number(r, "all", 4 * k + 3), pow(sd / got, 2), 1e-3);
    }
    return good;
}

static bool check_energy(const report *r, const weights *w, cs_target *t)
{
    (void)t;
    cs_flat_entry counts = find(r, "counts"), edges = find(r, "edges");
    bool good = counts.rows == CHAINS;
    for (size_t c = 0; c < CHAINS; c++) {
        double mean, sd, sum[512] = {0};
        moments_of(w, 0, c, c + 1, &mean, &sd);
        good &= agree(number(r, "moments", 2 * c), mean, 1e-9);
        good &= agree(number(r, "moments", 2 * c + 1), sd, 1e-6);
        for (size_t i = 0; i < w->steps; i++)
            for (size_t b = 0; b < counts.cols; b++)
                if (scalar(c, i, 0) >= edges.data[b] &&
                    scalar(c, i, 0) < edges.data[b + 1])
                    sum[b] += w->weight[c][i];
        for (size_t b = 0; b < counts.cols; b++)
            good &= agree(counts.data[c * counts.cols + b], sum[b], 1e-6);
    }
    return good;
}

static bool check_plane(const report *r, const weights *w, cs_target *t)
{
    (void)t;
    static double sum[64 * 48];
    cs_flat_entry counts = find(r, "counts");
    const double *view = find(r, "view").data;
    size_t wide = counts.cols, high = counts.rows;
    double out = 0, inside = 0;
    memset(sum, 0, sizeof sum);
    for (size_t c = 0; c < CHAINS; c++)
        for (size_t i = 0; i < w->steps; i++) {
            const double *x = drawn[c][i].x;
            double a = (x[0] - view[0]) * (double)wide / (view[1] - view[0]);
            double b = (view[3] - x[1]) * (double)high / (view[3] - view[2]);
            if (a >= 0 && a < (double)wide && b >= 0 && b < (double)high)
                sum[(size_t)b * wide + (size_t)a] += w->weight[c][i];
            else
                out += w->weight[c][i];
        }
    bool good = agree(number(r, "outside", 0), out, 1e-6);
    for (size_t i = 0; i < wide * high; i++) {
        good &= agree(counts.data[i], sum[i], 1e-6);
        inside += sum[i];
    }
    const double *truth = find(r, "truth").data;
    double tv = cs_total_variation(sum, truth, wide * high);
    double least =
        cs_total_variation_floor(truth, wide * high, inside * w->size / w->all);
    return good && agree(number(r, "tv", 0), tv, 1e-9) &&
           agree(number(r, "tv", 1), least, 1e-9);
}

static size_t nearest(const cs_target *t, const double *x)
{
    double least = HUGE_VAL;
    size_t best = 0, dim = t->space.dim;
    for (size_t m = 0; m < t->exact.n_modes; m++) {
        double square = 0;
        for (size_t d = 0; d < dim; d++)
            square += pow(x[d] - t->exact.modes[m * dim + d], 2);
        best = square < least ? m : best;
        least = fmin(least, square);
    }
    double r = t->exact.mode_radius;
    return r > 0 && least > r * r ? t->exact.n_modes : best;
}

static bool check_modes(const report *r, const weights *w, cs_target *t)
{
    static double late[CHAINS * MOST_STEPS];
    size_t k = t->exact.n_modes, bins = find(r, "shares").cols;
    const double *time = find(r, "time").data;
    double mass[64 * CHAINS] = {0}, visits[64 * CHAINS] = {0}, total = 0;
    bool good = k < 64;
    memset(late, 0, sizeof late);
    for (size_t c = 0; c < CHAINS; c++)
        for (size_t i = 0; i < w->steps; i++) {
            size_t m = nearest(t, drawn[c][i].x);
            if (!(drawn[c][i].there > 0) || m == k)
                continue;
            mass[c * k + m] += w->weight[c][i];
            visits[c * k + m]++;
            if (bins < 2 || (double)(i + 1) > time[bins - 2]) {
                late[m] += w->weight[c][i];
                total += w->weight[c][i];
            }
        }
    for (size_t i = 0; i < CHAINS * k; i++) {
        good &= number(r, "visits", i) == visits[i];
        good &= agree(number(r, "mass", i), mass[i], 1e-6);
    }
    for (size_t m = 0; m < k && total > 1e-9; m++)
        good &= agree(number(r, "shares", m * bins + bins - 1), late[m] / total,
                      1e-6);
    return good;
}

static bool check_distance(const report *r, const weights *w, cs_target *t)
{
    const double *p = cs_enumeration_of(t)->p;
    double share[16] = {0}, alone[CHAINS][16] = {{0}}, tv = 0, each = 0;
    for (size_t c = 0; c < CHAINS; c++)
        for (size_t i = 0; i < w->steps; i++) {
            const double *x = drawn[c][i].x;
            size_t s = (size_t)(8 * x[0] + 4 * x[1] + 2 * x[2] + x[3]);
            share[s] += w->weight[c][i] / w->all;
            alone[c][s] += w->weight[c][i] / w->n[c];
        }
    for (size_t s = 0; s < 16; s++) {
        tv += fabs(share[s] - p[s]) / 2;
        for (size_t c = 0; c < CHAINS; c++)
            each += fabs(alone[c][s] - p[s]) / 2 / CHAINS;
    }
    size_t used = find(r, "curve").cols;
    double got = number(r, "curve", used - 1);

    return agree(number(r, "values", 0), tv, 1e-6) &&
           agree(number(r, "draws", 0), w->all, 0) && agree(got, each, 1e-6) &&
           agree(number(r, "floor", 2), 15 / w->size, 1e-9);
}

static double alike(const double *a, const double *b, size_t dim)
{
    double differ = 0;
    for (size_t d = 0; d < dim; d++)
        differ += a[d] != b[d];
    return exp(-differ / (double)dim);
}

/* Returns true if the MMD at each step weights the chains by the weights of
 * their draws at that step. */
static bool check_mmd(const report *r, const weights *w, cs_target *t)
{
    enum { M = 500 };
    size_t dim = t->space.dim;
    static double y[M * MOST_DIM];
    double yy = 0;
    bool good = cs_enumeration_draws(t, M, y);
    for (size_t i = 0; i < M; i++)
        for (size_t j = 0; j < M; j++)
            yy += alike(y + i * dim, y + j * dim, dim) / M / M;
    for (size_t at = 0; at < w->steps; at++) {
        double sum = 0, xx = 0, xy = 0;
        for (size_t a = 0; a < CHAINS; a++)
            sum += w->weight[a][at];
        for (size_t a = 0; a < CHAINS; a++) {
            const double *x = drawn[a][at].x;
            double v = w->weight[a][at] / sum;
            for (size_t b = 0; b < CHAINS; b++)
                xx +=
                    v * w->weight[b][at] / sum * alike(x, drawn[b][at].x, dim);
            for (size_t j = 0; j < M; j++)
                xy += v * alike(x, y + j * dim, dim) / M;
        }
        double got = exp(number(r, "curve", at)), want = xx + yy - 2 * xy;
        /* if all weights underflow, the result is NaN */
        good &= (isnan(got) && !(sum > 1e-300)) || agree(got, want, 1e-9);
    }
    return good;
}

/* Computes the mean and the mean square of the eigenvalues at a state, with the
 * tested probe itself. */
static void spectrum_at(watch *one, const double *x, double *mean,
                        double *square)
{
    double all[WATCH_CHAINS * MOST_DIM];
    size_t dim = one->target->space.dim;
    for (size_t c = 0; c < WATCH_CHAINS; c++)
        memcpy(all + c * dim, x, dim * sizeof *x);
    memset(one->memory, 0,
           one->probe.words * WATCH_LANES * sizeof *one->memory);
    if (one->probe.type->init)
        one->probe.type->init(&one->probe, one->memory, WATCH_LANES);
    one->step = 0;
    watch_step(one, all, NULL);
    watch_report(one);
    *mean = entry(one, "eigenvalues", 0);
    *square = pow(entry(one, "eigenvalues", 1), 2) + *mean * *mean;
}

static bool check_curvature(const report *r, const weights *w, cs_target *t)
{
    static watch one;
    double sum = 0, square = 0, mean, squared, all = 0;
    watch_open(&one, "curvature", t->type->name, NULL, 0);
    for (size_t c = 0; c < CHAINS; c++)
        for (size_t i = 0; i < w->steps; i++) {
            if (!(drawn[c][i].there > 0))
                continue;
            spectrum_at(&one, drawn[c][i].x, &mean, &squared);
            all += w->weight[c][i];
            sum += w->weight[c][i] * mean;
            square += w->weight[c][i] * squared;
        }
    watch_close(&one);
    mean = sum / all;
    return agree(number(r, "eigenvalues", 0), mean, 1e-7) &&
           agree(pow(number(r, "eigenvalues", 1), 2),
                 square / all - mean * mean, 1e-7 * (1 + square / all)) &&
           agree(number(r, "eigenvalues", 3), all * (double)t->space.dim, 1e-6);
}

/* Returns true if the mean cost of each chain and the sd of the cost agree with
 * the report. The displayed value of a draw is the cost of its tour. */
static bool check_tours(const report *r, const weights *w, cs_target *t)
{
    (void)t;
    size_t cols = find(r, "chains").cols;
    bool good = true;
    for (size_t c = 0; c < CHAINS; c++) {
        double mean = 0, square = 0, seen = number(r, "chains", c * cols + 8);
        for (size_t i = 0; i < w->steps; i++) {
            double cost = drawn[c][i].shown, v = w->weight[c][i] / w->n[c];
            mean += v * cost;
            square += v * cost * cost;
        }
        double sd = sqrt(fmax(square - mean * mean, 0));
        good &= seen == w->n[c];
        good &= agree(number(r, "chains", c * cols + 6), mean, 1e-8);
        good &= agree(number(r, "chains", c * cols + 7), sd,
                      1e-5 * (1 + fabs(mean)));
    }
    return good;
}

static double place_of(const weights *w, size_t c, size_t i)
{
    return log10(w->weight[c][i]);
}

/* For draws at a border between bins, the histogram may be off by one bin. */
static bool check_spread(const report *r, const weights *w)
{
    cs_flat_entry edges = find(r, "edges");
    double below = 0, width = edges.data[1] - edges.data[0], share = 0;
    bool good = true;
    for (size_t b = 0; b + 1 < edges.cols; b++) {
        double least = 0, most = 0, edge = edges.data[b + 1];
        below += number(r, "counts", b);
        share += number(r, "shares", b);
        for (size_t c = 0; c < CHAINS; c++)
            for (size_t i = 0; i < w->steps; i++) {
                least +=
                    w->weight[c][i] > 0 && place_of(w, c, i) < edge - width;
                most +=
                    drawn[c][i].there > 0 && place_of(w, c, i) < edge + width;
            }
        good &= below >= least && below <= most;
    }
    return good && below == w->all && agree(share, 1, 1e-9);
}

static bool check_weights(const report *r, const weights *w, cs_target *t)
{
    (void)t;
    double top = 0, out = 0;
    bool good = true;
    for (size_t c = 0; c < CHAINS; c++) {
        double squares = 0, largest = 0;
        for (size_t i = 0; i < w->steps; i++) {
            squares += w->weight[c][i] * w->weight[c][i];
            largest = fmax(largest, w->weight[c][i]);
        }
        top = fmax(top, largest / w->all);
        out += (double)w->steps - w->n[c];
        good &= number(r, "chains", 4 * c) == w->n[c];
        good &= number(r, "chains", 4 * c + 1) == (double)w->steps - w->n[c];
        good &= agree(number(r, "chains", 4 * c + 2),
                      w->n[c] * w->n[c] / squares, 1e-9);
        good &= agree(number(r, "chains", 4 * c + 3), largest / w->n[c], 1e-9);
    }
    return good && number(r, "all", 0) == w->all &&
           number(r, "all", 1) == out &&
           agree(number(r, "all", 2), w->size, 1e-9) &&
           agree(number(r, "all", 3), top, 1e-9) && check_spread(r, w);
}

/* ---- a probe with known faults ------------------------------------------- */

typedef enum fault { SOUND, NO_RESCALE, ONE_LANE, BY_TOTALS } fault;
static fault planted;

enum { TOTAL = CS_WEIGH_ROWS, MODEL_WORDS };

static cs_status model_create(cs_probe *p, cs_target *t, cs_error *err)
{
    (void)t, (void)err;
    p->words = MODEL_WORDS;
    return CS_OK;
}

static void model_observe(const cs_probe *p, const cs_step_view *s,
                          double *memory)
{
    (void)p;
    size_t n = s->lanes;
    for (size_t l = 0; l < n; l += CS_VECTOR) {
        double *total = memory + TOTAL * n + l;
        cs_weighed w =
            cs_weigh_lanes(s, l, ~cs_load_bool(s->left_out + l), memory);
        if (planted != NO_RESCALE)
            cs_weigh_rescale(&w, total, 1, n);
        for (size_t k = 0; k < CS_VECTOR; k++)
            if (!s->left_out[l + k])
                total[k] +=
                    (planted == ONE_LANE ? w.w[0] : w.w[k]) * s->x[l + k];
    }
}

static void model_report(const cs_probe *p, const cs_lane_memory *chain,
                         size_t n, const char *prefix, cs_flat *out)
{
    (void)p;
    double sum = 0, all = 0;
    for (size_t c = 0; c < n; c++) {
        cs_chain_weight w = cs_chain_weight_of(&chain[c], 0);
        double total = chain[c].word[TOTAL * chain[c].stride];
        double unit = w.unit;
        if (planted == BY_TOTALS) /* fault: weights relative to the first
                                   * draw */
            unit = exp(chain[c].word[CS_WEIGH_MOST * chain[c].stride] / 1e4);
        sum += total * unit;
        all += w.sum * unit;
    }
    cs_flat_number(out, sum / all, "%smean", prefix);
}

static const cs_probe_type model = {.name = "model",
                                    .create = model_create,
                                    .observe = model_observe,
                                    .report = model_report};

static bool check_model(const report *r, const weights *w, cs_target *t)
{
    (void)t;
    double mean, sd;
    moments_of(w, 1, 0, CHAINS, &mean, &sd);
    return agree(number(r, "mean", 0), mean, 1e-9);
}

/* ---- the laws ------------------------------------------------------------ */

static const struct subject {
    const char *probe, *target;
    size_t steps, every;
    bool (*check)(const report *r, const weights *w, cs_target *t);
} subjects[] = {
    {"moments", "gaussian", 700, 1, check_moments},
    {"moments", "gaussian", 700, 5, check_moments},
    {"diagnostics", "gaussian", 700, 1, check_diagnostics},
    {"diagnostics", "gaussian", 700, 5, check_diagnostics},
    {"diagnostics", "nine_modes", 200, 1, check_diagnostics},
    {"energy", "gaussian", 300, 1, check_energy},
    {"energy", "gaussian", 300, 5, check_energy},
    {"plane", "nine_modes", 300, 1, check_plane},
    {"modes", "nine_modes", 300, 1, check_modes},
    {"distance", "bernoulli4", 256, 1, check_distance},
    {"mmd", "bernoulli4", 60, 1, check_mmd},
    {"curvature", "bernoulli4", 60, 1, check_curvature},
    {"curvature", "nine_modes", 60, 1, check_curvature},
    {"tours", "tsp", 300, 1, check_tours},
    {"weights", "gaussian", 500, 1, check_weights},
};
enum { SUBJECTS = sizeof subjects / sizeof *subjects };

static report seen[2];

static bool is_sum_of_draws(cs_target *t, const cs_probe_type *probe,
                            const struct subject *what, pattern p)
{
    const size_t lanes[] = {1, 3, 8};
    bool good = true;
    for (size_t k = 0; k < 3; k++) {
        make_report(&seen[0], t, probe,
                    (series){p, 0, true, what->every, false, false}, lanes[k],
                    what->steps);
        good &= what->check(&seen[0], weigh_draws(what->steps), t);
    }
    return good;
}

/* Returns true if reports depend neither on constants added to the log weights
 * nor on blocks. */
static bool constants_do_not_matter(cs_target *t, const cs_probe_type *probe,
                                    size_t steps, pattern p)
{
    const double constant[] = {-1e6, 3.75, 1e6};
    const size_t lanes[] = {1, 3, 8};
    bool good = true;
    series k = {.pattern = p, .weighs = true, .every = 1, .unrecorded = true};
    make_report(&seen[0], t, probe, k, 32, steps);
    for (size_t i = 0; i < 3; i++) {
        k.constant = constant[i];
        make_report(&seen[1], t, probe, k, lanes[i], steps);
        good &= same_bytes(&seen[0], &seen[1]);
    }
    return good;
}

static bool alike_is_none(cs_target *t, const cs_probe_type *probe,
                          size_t steps)
{
    series k = {.pattern = ALIKE, .every = 1, .unrecorded = true};
    k.weighs = true;
    k.constant = 5;
    make_report(&seen[0], t, probe, k, 3, steps);
    k.weighs = false;
    k.constant = 0;
    make_report(&seen[1], t, probe, k, 8, steps);
    return same_bytes(&seen[0], &seen[1]);
}

static void estimates_are_sums_over_draws(void **state)
{
    (void)state;
    for (size_t i = 0; i < SUBJECTS; i++) {
        const struct subject *what = &subjects[i];
        cs_target *t = target_of(what->target);
        for (pattern p = RANDOM_1; p < PATTERNS; p++)
            if (!is_sum_of_draws(t, cs_probe_find(what->probe), what, p))
                fail_msg("probe %s on %s, weights %d: not the weighted sum "
                         "over draws",
                         what->probe, what->target, (int)p);
        cs_target_release(t);
    }
}

/* The kernel is replaced by a kernel without weights. From then on, each draw
 * of a chain has the weight of the chain's first draw. It is included in the
 * same sums as the earlier draws. */
static void another_kernel_goes_on(void **state)
{
    (void)state;
    for (size_t i = 0; i < SUBJECTS; i++) {
        const struct subject *what = &subjects[i];
        if (strcmp(what->target, "gaussian") != 0 || what->every > 1)
            continue;
        cs_target *t = target_of(what->target);
        make_report(&seen[0], t, cs_probe_find(what->probe),
                    (series){OF_EACH, 0, true, 1, true, false}, 3, what->steps);
        if (!what->check(&seen[0], weigh_draws(what->steps), t))
            fail_msg("probe %s: not the sum over the draws of two kernels",
                     what->probe);
        cs_target_release(t);
    }
}

static bool can_watch(cs_target *t, const cs_probe_type *probe)
{
    cs_probe p;
    bool can = cs_probe_init(&p, probe, NULL, 0, t, NULL) == CS_OK;
    if (can)
        cs_probe_fini(&p);
    return can && t->space.dim <= MOST_DIM;
}

static void units_and_blocks_do_not_matter(void **state)
{
    enum { STEPS = 300 };
    static const pattern some[] = {RISING, RANDOM_1E6, OF_EACH};
    const cs_probe_type *probe;
    (void)state;
    for (size_t j = 0; cs_target_at(j); j++) {
        cs_target *t;
        if (cs_target_create(cs_target_at(j), NULL, 0, &t, NULL) != CS_OK)
            continue;
        for (size_t i = 0; (probe = cs_probe_at(i)); i++) {
            if (!can_watch(t, probe))
                continue;
            for (size_t k = 0; k < 3; k++)
                if (!constants_do_not_matter(t, probe, STEPS, some[k]))
                    fail_msg("probe %s on %s, weights %d: depends on blocks or "
                             "on a chain's constant",
                             probe->name, t->name, (int)some[k]);
            if (!alike_is_none(t, probe, STEPS))
                fail_msg("probe %s on %s: equal weights change the report",
                         probe->name, t->name);
        }
        cs_target_release(t);
    }
}

/* Each planted fault changes the estimates, or is detected by adding constants
 * to the log weights. */
static void faults_are_found(void **state)
{
    const struct subject what = {"model", "gaussian", 300, 1, check_model};
    cs_target *t = target_of("gaussian");
    (void)state;
    for (planted = SOUND; planted <= BY_TOTALS; planted++) {
        bool good = true;
        for (pattern p = RANDOM_1; p < PATTERNS; p++)
            good &= is_sum_of_draws(t, &model, &what, p) &&
                    constants_do_not_matter(t, &model, what.steps, p);
        if (good != (planted == SOUND))
            fail_msg("fault %d of the model probe: %s", (int)planted,
                     good ? "is not detected" : "reported without a fault");
    }
    planted = SOUND;
    cs_target_release(t);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(estimates_are_sums_over_draws),
    cmocka_unit_test(another_kernel_goes_on),
    cmocka_unit_test(units_and_blocks_do_not_matter),
    cmocka_unit_test(faults_are_found),
};
TESTS(test_probe_weights)
