#include "stat/model_comparison.h"

#include <assert.h>
#include <math.h>

double cs_error_of_sum(const double *x, const double *y, size_t n)
{
    double mean = 0, square = 0, size = (double)n;
    for (size_t i = 0; i < n; i++)
        mean += (x[i] - y[i]) / size;
    for (size_t i = 0; i < n; i++) {
        double off = x[i] - y[i] - mean;
        square += off * off;
    }
    return n > 1 ? sqrt(size * square / (size - 1)) : (double)NAN;
}

/* Sets the standard errors, for sums that are complete. */
static void set_errors(cs_loo_sum *s, const cs_loo *point, size_t n)
{
    double elpd = 0, p = 0, waic = 0, size = (double)n;
    for (size_t i = 0; i < n; i++) {
        double off_elpd = point[i].elpd - s->elpd / size;
        double off_p = point[i].lpd - point[i].elpd - s->p / size;
        double off_waic = point[i].waic - s->waic / size;
        elpd += off_elpd * off_elpd;
        p += off_p * off_p;
        waic += off_waic * off_waic;
    }
    double factor = n > 1 ? size / (size - 1) : (double)NAN;
    s->elpd_error = sqrt(factor * elpd);
    s->p_error = sqrt(factor * p);
    s->waic_error = sqrt(factor * waic);
}

cs_loo_sum cs_loo_total(const cs_loo *point, size_t n)
{
    cs_loo_sum s = {.worst = (double)NAN};
    for (size_t i = 0; i < n; i++) {
        s.elpd += point[i].elpd;
        s.p += point[i].lpd - point[i].elpd;
        s.waic += point[i].waic;
        s.p_waic += point[i].lpd - point[i].waic;
        s.bad += point[i].k > point[i].reliable;
        s.reliable = fmax(s.reliable, point[i].reliable);
        s.worst = fmax(s.worst, point[i].k);
    }
    set_errors(&s, point, n);
    return s;
}

/* Orders the models by insertion. */
static void order(cs_model_rank *rank, size_t models)
{
    for (size_t i = 1; i < models; i++) {
        cs_model_rank one = rank[i];
        size_t at = i;
        for (; at && rank[at - 1].elpd < one.elpd; at--)
            rank[at] = rank[at - 1];
        rank[at] = one;
    }
}

bool cs_models_rank(const double *elpd, size_t models, size_t n,
                    cs_model_rank *out)
{
    double weight[CS_STACKED];
    assert(models >= 1 && models <= CS_STACKED);
    if (!cs_stacking(elpd, models, n, weight))
        return false;
    for (size_t k = 0; k < models; k++) {
        out[k] = (cs_model_rank){.model = k, .weight = weight[k]};
        for (size_t i = 0; i < n; i++)
            out[k].elpd += elpd[k * n + i];
    }
    order(out, models);
    const double *best = elpd + out[0].model * n;
    for (size_t k = 1; k < models; k++) {
        const double *one = elpd + out[k].model * n;
        for (size_t i = 0; i < n; i++)
            out[k].difference += one[i] - best[i];
        out[k].error = cs_error_of_sum(one, best, n);
    }
    return true;
}
