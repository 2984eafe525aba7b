/* Errors of means, and predictions by means, at the end and after a given
 * amount of work. */
#include "figure/figure.h"

#include "base/memory.h"
#include "figure/distances.h"

#include <math.h>

/* ---- after a given amount of work ---- */

/* Interpolates between two values y and e; `part` is the fraction of the way
 * from y to e. */
typedef double between(double y, double e, double part);

static double on_logarithms(double y, double e, double part)
{
    return exp(log(y) * (1 - part) + log(e) * part);
}

static double on_line(double y, double e, double part)
{
    return y * (1 - part) + e * part;
}

/* Returns the value of a series at the amount of work per chain that the query
 * names. The values of the series are known at the times of the probe `means`;
 * `f_between` interpolates between two of these values, with the work on a
 * logarithmic scale. Returns NAN beyond the last time. */
static double value_after(const cs_facts *f, const cs_figure_of *q,
                          const double *value, size_t n, between *f_between)
{
    size_t r, times;
    const double *time = cs_fact_array(f, q->arm, &r, &times, "means/time");
    double warm_up = cs_fact(f, q->arm, 0, "warm_up");
    double each = cs_facts_step_work(f, q->arm, q->unit);
    double x = NAN, y = NAN;
    for (size_t i = 0; time && i < times && i < n; i++) {
        double now = (time[i] + warm_up) * each;
        if (now >= q->work) {
            if (isnan(x) || now == q->work)
                return now == q->work ? value[i] : (double)NAN;
            return f_between(y, value[i], log(q->work / x) / log(now / x));
        }
        x = now;
        y = value[i];
    }
    return (double)NAN;
}

/* ---- the error of the mean ---- */

/* Returns the errors [n] [own] at all points, measured from the exact means or
 * from the means of another arm. Returns NULL if neither is known. */
static double *errors_of(const cs_facts *f, const cs_figure_of *q, size_t *n)
{
    size_t r;
    const double *mse = cs_fact_array(f, q->arm, &r, n, "means/mse");
    cs_means m, of;
    bool other = q->other != CS_OF_NONE;
    if (other && (!cs_means_find(f, q->arm, &m) ||
                  !cs_means_find(f, q->other, &of) || m.k != of.k))
        return NULL;
    *n = other ? m.n : mse ? *n : 0;
    double *out = *n ? cs_alloc(*n, sizeof *out) : NULL;
    for (size_t i = 0; out && i < *n; i++)
        out[i] = other ? cs_means_error(&m, &of, i) : mse[i];
    return out;
}

static cs_figure find_mse(const cs_facts *f, const cs_figure_of *q)
{
    size_t n;
    cs_figure out = cs_no_figure;
    double *all = errors_of(f, q, &n);
    if (all)
        out.value = all[n - 1];
    cs_free(all);
    return out;
}

static cs_figure find_mse_at(const cs_facts *f, const cs_figure_of *q)
{
    size_t n;
    cs_figure out = cs_no_figure;
    double *all = errors_of(f, q, &n);
    if (all)
        out.value = value_after(f, q, all, n, on_logarithms);
    cs_free(all);
    return out;
}

static cs_figure find_accuracy(const cs_facts *f, const cs_figure_of *q)
{
    size_t r, n;
    cs_figure out = cs_no_figure;
    const double *all = cs_fact_array(f, q->arm, &r, &n, "means/accuracy");
    if (all)
        out.value = all[n - 1];
    return out;
}

static cs_figure find_accuracy_at(const cs_facts *f, const cs_figure_of *q)
{
    size_t r, n;
    cs_figure out = cs_no_figure;
    const double *all = cs_fact_array(f, q->arm, &r, &n, "means/accuracy");
    if (all)
        out.value = value_after(f, q, all, n, on_line);
    return out;
}

static const char no_mean[] = "has no mean, or no mean to compare with";
static const char predicts_nothing[] = "has no predictions of held-out data";

const cs_figure_type cs_figure_mse = {
    .name = "mse",
    .title = "error of the mean",
    .help = "mean square error of a chain's final mean, averaged over "
            "coordinates and chains, in units of the variance; 1 / n for n "
            "independent draws. The error is the distance from the exact mean "
            "or, if the exact mean is not known, from the mean of the arm `of`",
    .probe = "means",
    .merit = CS_MERIT_LESS,
    .flags = CS_FIGURE_FAST | CS_FIGURE_SCALED | CS_FIGURE_STOPS,
    .of = CS_OF_ARM,
    .find = find_mse,
    .missing = no_mean,
};

const cs_figure_type cs_figure_mse_at = {
    .name = "mse_at",
    .title = "error of the mean after work",
    .help = "the figure `mse` for the mean of a chain after a given amount of "
            "its work, including warm-up. Write of = \"1e6 rows\", \"30 "
            "seconds\" (processor time) or \"5000 steps\". With \"1e6 rows "
            "from hmc\" the reference is the mean of the arm hmc",
    .probe = "means",
    .merit = CS_MERIT_LESS,
    .flags = CS_FIGURE_NEEDS | CS_FIGURE_FAST | CS_FIGURE_SCALED,
    .of = CS_OF_BUDGET,
    .find = find_mse_at,
    .missing = no_mean,
};

const cs_figure_type cs_figure_mean_accuracy = {
    .name = "mean_accuracy",
    .title = "accuracy of the mean",
    .help = "accuracy: fraction of the held-out rows whose class is predicted "
            "correctly by the mean of a chain's draws, averaged over chains. "
            "The probe means must record all coordinates",
    .probe = "means",
    .merit = CS_MERIT_MORE,
    .flags = CS_FIGURE_FAST,
    .high = 1,
    .find = find_accuracy,
    .missing = predicts_nothing,
};

const cs_figure_type cs_figure_mean_accuracy_at = {
    .name = "mean_accuracy_at",
    .title = "accuracy of the mean after work",
    .help = "the figure `mean_accuracy` for the mean of a chain after a given "
            "amount of its work, including warm-up. Write of = \"1e6 rows\", "
            "\"30 seconds\" (processor time) or \"5000 steps\"",
    .probe = "means",
    .merit = CS_MERIT_MORE,
    .flags = CS_FIGURE_NEEDS | CS_FIGURE_FAST,
    .of = CS_OF_PLAIN_BUDGET,
    .high = 1,
    .find = find_accuracy_at,
    .missing = predicts_nothing,
};
