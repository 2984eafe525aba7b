/* Reports that depend on the order of the draws: autocorrelation, ranks per
 * chain, running mean. Only the mean uses the weights. */
#include "base/memory.h"
#include "run/draws/chosen.h"
#include "run/draws/quantities.h"
#include "run/draws/quantity_rows.h"
#include "stat/ranks.h"
#include "stat/running.h"
#include "stat/series.h"

#include <math.h>
#include <string.h>

static size_t shown_of(size_t chains)
{
    return chains < CS_QUANTITY_CHAINS ? chains : CS_QUANTITY_CHAINS;
}

/* ---- autocorrelation ---- */

enum { MOST_LAGS = 4096, POINTS = 200, LEAST_LAGS = 20 };

/* Writes the autocorrelation of each chain: its autocovariances divided by its
 * variance. */
static bool put_chains(const cs_quantity_draws *q, size_t lags, size_t by)
{
    const cs_chosen *g = q->chosen;
    size_t shown = shown_of(g->n), points = (lags + by - 1) / by;
    double *scratch = cs_alloc(lags, sizeof *scratch);
    double *to = scratch
                     ? cs_flat_array(q->out, shown, points, "%srho", q->prefix)
                     : NULL;
    bool good = scratch != NULL;
    for (size_t c = 0; to && good && c < shown; c++) {
        const double *x = q->x[0] + c * g->draws;
        good = cs_autocovariance(x, g->draws, 1, lags, scratch, NULL) == CS_OK;
        for (size_t i = 0; good && i < points; i++)
            to[c * points + i] = scratch[i * by] / scratch[0];
    }
    cs_free(scratch);
    return good;
}

bool cs_report_autocorrelation(const cs_quantity_draws *q)
{
    const cs_chosen *g = q->chosen;
    size_t capacity = g->draws / 2 < MOST_LAGS ? g->draws / 2 : MOST_LAGS;
    cs_draws d = {q->x[0], g->draws, g->n};
    cs_lags all = {.rho = cs_alloc(capacity, sizeof *all.rho),
                   .capacity = capacity};
    if (!all.rho)
        return false;
    const char *why;
    double size = cs_ess_lags(d, &all, &why);
    double every = (double)g->view->every;
    if (isnan(size)) {
        cs_flat_text(q->out, why, "%sundefined", q->prefix);
        cs_free(all.rho);
        return true;
    }
    size_t lags = 2 * all.cut > LEAST_LAGS ? 2 * all.cut : LEAST_LAGS;
    lags = lags < capacity ? lags : capacity;
    size_t by = (lags + POINTS - 1) / POINTS, points = (lags + by - 1) / by;
    double *lag = cs_flat_array(q->out, 1, points, "%slag", q->prefix);
    double *mean = cs_flat_array(q->out, 1, points, "%smean", q->prefix);
    for (size_t i = 0; lag && mean && i < points; i++) {
        lag[i] = every * (double)(i * by);
        mean[i] = all.rho[i * by];
    }
    cs_free(all.rho);
    cs_row_lags *row =
        CS_FLAT_ROWS(q->out, cs_row_lags, 1, "%sfigures", q->prefix);
    if (row)
        *row = (cs_row_lags){size, all.time * every, (double)all.cut * every,
                             every};
    return put_chains(q, lags, by);
}

/* ---- ranks ---- */

enum { BARS = 20 };
static const double level = 0.95;

bool cs_report_ranks(const cs_quantity_draws *q)
{
    const cs_chosen *g = q->chosen;
    /* if there is a single chain, compares its two halves, since the ranks of a
     * single chain are always uniform */
    bool halves = g->n == 1;
    cs_draws d = {q->x[0], halves ? g->draws / 2 : g->draws, halves ? 2 : g->n};
    const char *why;
    double size = cs_ess_bulk(d, &why), rhat = cs_rhat(d, NULL);
    /* the error bars use the smaller of bulk and tail ESS; fmin ignores NAN */
    double tail = cs_ess_tail(d, NULL);
    if (isnan(size)) {
        cs_flat_text(q->out, why, "%sundefined", q->prefix);
        return true;
    }
    double *count = cs_alloc(d.chains * BARS, sizeof *count);
    cs_rank_bar bar[BARS];
    cs_rank_band band[BARS];
    if (!count || cs_rank_counts(d, BARS, count, bar, NULL) != CS_OK) {
        cs_free(count);
        return false;
    }
    double draws = (double)d.n, all = draws * (double)d.chains;
    size = fmin(fmin(size, tail), all);
    cs_rank_bands(size, d.chains, bar, BARS, level, band);
    size_t shown = shown_of(d.chains);
    double *to = cs_flat_array(q->out, shown, BARS, "%scounts", q->prefix);
    if (to)
        memcpy(to, count, shown * BARS * sizeof *to);
    cs_free(count);
    to = cs_flat_array(q->out, 2, BARS, "%sband", q->prefix);
    for (size_t b = 0; to && b < BARS; b++) {
        to[b] = draws * band[b].low;
        to[BARS + b] = draws * band[b].high;
    }
    cs_row_ranks *row =
        CS_FLAT_ROWS(q->out, cs_row_ranks, 1, "%sfigures", q->prefix);
    if (row)
        *row = (cs_row_ranks){.level = level,
                              .size = size,
                              .rhat = rhat,
                              .draws = draws,
                              .halves = halves};
    return true;
}

/* ---- running mean ---- */

enum { TIMES = 64 };

bool cs_report_running(const cs_quantity_draws *q)
{
    const cs_chosen *g = q->chosen;
    cs_draws d = {q->x[0], g->draws, g->n};
    cs_running r;
    size_t times = g->draws < TIMES ? g->draws : TIMES, shown = shown_of(g->n);
    if (!cs_running_means(d, g->w, times, &r))
        return false;
    double *time = cs_flat_array(q->out, 1, times, "%stime", q->prefix);
    double *mean = cs_flat_array(q->out, 2, times, "%smean", q->prefix);
    double *chain = cs_flat_array(q->out, shown, times, "%schain", q->prefix);
    cs_row_running *row =
        CS_FLAT_ROWS(q->out, cs_row_running, 1, "%sfigures", q->prefix);
    double every = (double)g->view->every, first = (double)g->view->missing;
    if (time && mean && chain && row) {
        for (size_t t = 0; t < times; t++)
            time[t] = every * (first + (double)((t + 1) * (g->draws / times)));
        memcpy(mean, r.mean, times * sizeof *mean);
        memcpy(mean + times, r.error, times * sizeof *mean);
        memcpy(chain, r.chain, shown * times * sizeof *chain);
        *row = (cs_row_running){r.mean[times - 1], r.error[times - 1],
                                q->truth ? q->truth->mean : (double)NAN};
    }
    cs_free(r.mean);
    return true;
}

/* ---- time series --------------------------------------------------------- */

enum { PARTS = 256 };

/* Finds the minimum and maximum of draws begin .. end - 1 of a chain. */
static void envelope(const double *x, size_t begin, size_t end, double *low,
                     double *high)
{
    *low = *high = (double)NAN;
    for (size_t i = begin; i < end; i++) {
        *low = fmin(*low, x[i]); /* fmin and fmax ignore NAN */
        *high = fmax(*high, x[i]);
    }
}

bool cs_report_series(const cs_quantity_draws *q)
{
    const cs_chosen *g = q->chosen;
    double every = (double)g->view->every, missing = (double)g->view->missing;
    double first = ceil((double)q->from / every) - 1 - missing;
    double last = floor((double)q->to / every) - missing;
    double most = (double)g->draws;
    size_t begin = (size_t)fmin(fmax(first, 0), most);
    size_t end = (size_t)fmin(fmax(last, 0), most);
    size_t n = end > begin ? end - begin : 0, shown = shown_of(g->n);
    size_t parts = n < PARTS ? n : PARTS;
    double *time = cs_flat_array(q->out, 1, parts, "%stime", q->prefix);
    double *low = cs_flat_array(q->out, shown, parts, "%slow", q->prefix);
    double *high = cs_flat_array(q->out, shown, parts, "%shigh", q->prefix);
    double *drawn = cs_flat_array(q->out, shown, parts, "%sdrawn", q->prefix);
    for (size_t i = 0; time && low && high && drawn && i < parts; i++) {
        size_t from = begin + i * n / parts, to = begin + (i + 1) * n / parts;
        time[i] = every * (missing + (double)to);
        /* one draw from each part, at an irregular position, so that a period
         * in the draws is not hidden */
        size_t at = from + i * 40503 % (to - from);
        for (size_t c = 0; c < shown; c++) {
            envelope(q->x[0] + c * g->draws, from, to, low + c * parts + i,
                     high + c * parts + i);
            drawn[c * parts + i] = q->x[0][c * g->draws + at];
        }
    }
    return true;
}
