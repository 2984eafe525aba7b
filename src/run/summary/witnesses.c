#include "run/summary/witnesses.h"

#include "base/memory.h"
#include "run/arms/arms.h"
#include "run/arms/limits.h"
#include "run/arms/run_state.h"
#include "run/draws/chosen.h"
#include "run/draws/diagnosed.h"
#include "run/draws/kept_draws.h"
#include "run/draws/reference_draws.h"
#include "run/views/report_view.h"
#include "run/views/view.h"
#include "stat/moments.h"
#include "stat/testimony.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Maximum numbers of arms, scalars and modes. For the first IN_FULL scalars
 * every figure is compared. For each other scalar, the other figures are
 * compared only if the means of the scalar disagree. */
enum { MOST_ARMS = 64, MOST_SCALARS = 4096, IN_FULL = 65, MOST_MODES = 64 };
/* LEAST: minimum number of jumps between modes, and also minimum ESS. SAMPLE:
 * number of draws from each source with which quantiles are found. */
enum { LEAST = 100, SAMPLE = 128 };
enum { TOGETHER = 8 };            /* scalars that are copied at once */
static const double agree = 1.05; /* largest R-hat of chains that agree */
/* probability that a correct run has at least one false disagreement */
static const double false_alarms = 1e-4;

static const char *const figure_name[CS_WITNESSED] = {"mean", "sd", "5%", "50%",
                                                      "95%"};

/* The estimates of an arm, or exact answers. */
typedef struct source {
    size_t arm;
    bool biased;
    /* [scalars] estimates of the figures [own] */
    cs_testimony (*of)[CS_WITNESSED];
    cs_testimony mode[MOST_MODES];
    cs_diagnosed_view view;
    cs_chosen chosen;
    const cs_figures *row; /* [rows] [borrowed from the report] */
    size_t rows;
    cs_report_view report;
    /* [TOGETHER][all] copied draws of the scalars that are compared at the same
     * time, at most TOGETHER; the draws of each scalar are stored as
     * [chosen.n][chosen.draws] [own] */
    double *x;
    size_t all;
} source;

typedef struct hearing {
    cs_run *run;
    source *of; /* [n] [own]; the last source is the exact answer */
    size_t n, scalars, modes;
} hearing;

/* ---- arms and exact answers ---------------------------------------------- */

static bool is_hot(const cs_kernel *kernel)
{
    const cs_kernel_type *type = kernel->type;
    int i = cs_param_find(type->params, type->n_params, "temperature");
    return i >= 0 && kernel->values[i] != 1;
}

static void leave(source *w)
{
    cs_diagnosed_end(&w->view);
    cs_report_view_close(&w->report);
    CS_FREE_ALL(w->chosen.w, w->of, w->x);
}

/* Adds an arm that has draws and a report on them; returns false if the arm has
 * no draws or no such report. */
static bool call(cs_run *r, size_t arm, const cs_flat *reported, source *w)
{
    const cs_arm *a = &r->arm[arm];
    cs_flat_entry e;
    *w = (source){.arm = arm,
                  .biased = !cs_kernel_is_exact(&a->kernel, r->target) ||
                            is_hot(&a->kernel)};
    if (!a->diagnosed->rows || cs_run_loses_weights(r, arm) ||
        !cs_diagnosed_look(a, NULL, &w->view))
        return false;
    w->chosen = cs_choose(r->target, &w->view);
    cs_chosen_weigh(&w->chosen);
    w->report = cs_report_view_open(r, arm, "diagnostics", reported);
    bool there = cs_report_view_find(&w->report, "table", &e) && e.data;
    w->row = there ? CS_ENTRY_ROWS(e, cs_figures) : NULL;
    w->rows = w->row ? e.rows : 0;
    size_t scalars = cs_chosen_scalars(&w->view);
    w->rows = w->rows < scalars ? w->rows : scalars;
    if (w->rows > MOST_SCALARS)
        w->rows = MOST_SCALARS;
    w->all = w->chosen.n * w->chosen.draws;
    w->x = cs_alloc(TOGETHER * w->all + 1, sizeof *w->x);
    if (w->row && w->x && w->chosen.draws >= 8 && !w->chosen.why)
        return true;
    leave(w);
    return false;
}

/* ---- estimates ----------------------------------------------------------- */

/* Returns the ESS of a row, or 0 if its chains disagree. */
static double size_of(const cs_figures *row)
{
    bool apart = row->rhat > agree;
    double size = fmin(row->ess, row->bulk); /* fmin ignores NAN */
    return apart || !(row->sd > 0) || !(size >= LEAST) ? 0 : size;
}

static bool speaks(const source *w, size_t k)
{
    bool logp = k > 0 || w->view.logp == CS_LOGP_EXACT;
    return w->row && k < w->rows && logp && size_of(&w->row[k]) > 0;
}

/* Finds the quantiles of scalar k from the draws of all sources together, with
 * an equal number of draws from each source. `place`: position of scalar k
 * among the copied scalars. */
static void find_places(const hearing *h, size_t k, size_t place,
                        double q[CS_WITNESSED_QUANTILES])
{
    static const double at[CS_WITNESSED_QUANTILES] = {0.05, 0.5, 0.95};
    double some[MOST_ARMS * SAMPLE];
    size_t n = 0;
    for (size_t i = 0; i < h->n; i++) {
        const source *w = &h->of[i];
        for (size_t j = 0; j < SAMPLE && speaks(w, k); j++)
            some[n++] = w->x[place * w->all + j * w->all / SAMPLE];
    }
    cs_sort(some, n);
    for (size_t i = 0; n && i < CS_WITNESSED_QUANTILES; i++)
        q[i] = cs_quantile_of(some, n, at[i]);
}

static void hear_arm(source *w, size_t k, size_t place,
                     const double q[CS_WITNESSED_QUANTILES])
{
    const cs_figures *row = &w->row[k];
    double size = size_of(row);
    double tail = isnan(row->tail) ? size : row->tail;
    const cs_testimony_draws d = {
        w->x + place * w->all, w->chosen.w, w->chosen.n,
        w->chosen.draws,       size,        tail};
    if (!(tail >= LEAST))
        return;
    w->of[k][CS_WITNESSED_MEAN] = (cs_testimony){row->mean, row->mcse, size};
    cs_testify(&d, q, w->of[k]);
}

/* Computes the estimates for log p or a coordinate from reference draws. */
static void hear_draws(const cs_reference_draws *d, size_t dim, size_t k,
                       const double q[CS_WITNESSED_QUANTILES],
                       cs_testimony *out)
{
    size_t n = k ? d->n : d->n_logp;
    double size = (double)n, mean = 0, squares = 0;
    double *x = n >= LEAST && k <= dim ? cs_alloc(n, sizeof *x) : NULL;
    for (size_t i = 0; x && i < n; i++) {
        x[i] = k ? d->x[i * dim + k - 1] : d->logp[i];
        mean += x[i] / size;
    }
    for (size_t i = 0; x && i < n; i++)
        squares += (x[i] - mean) * (x[i] - mean);
    if (x && squares > 0) {
        const cs_testimony_draws all = {x, NULL, 1, n, size, size};
        out[CS_WITNESSED_MEAN] =
            (cs_testimony){mean, sqrt(squares) / size, size};
        cs_testify(&all, q, out);
    }
    cs_free(x);
}

/* Computes the exact values for coordinate k - 1. */
static void hear_exact(const cs_target *t, size_t k,
                       const double q[CS_WITNESSED_QUANTILES],
                       cs_testimony *out)
{
    const cs_exact *exact = &t->exact;
    if (k == 0 || t->outputs.n || k > t->space.dim)
        return;
    if (exact->mean)
        out[CS_WITNESSED_MEAN] =
            (cs_testimony){exact->mean[k - 1], 0, HUGE_VAL};
    if (exact->variance)
        out[CS_WITNESSED_SD] =
            (cs_testimony){log(exact->variance[k - 1]) / 2, 0, HUGE_VAL};
    for (size_t i = 0; t->type->exact.marginal && i < CS_WITNESSED_QUANTILES;
         i++)
        out[CS_WITNESSED_LOW + i] = (cs_testimony){
            t->type->exact.marginal(t, k - 1, q[i]), 0, HUGE_VAL};
}

/* Returns true if two estimates differ significantly at the level `chance`,
 * which is at most 1e-4. Returns false at once if the difference is below three
 * standard errors. Therefore the quantile need not be computed for most
 * pairs. */
static bool are_apart(const cs_testimony *x, const cs_testimony *y,
                      double chance, double *far)
{
    *far = cs_testimony_apart(x, y);
    return *far > 3 && *far > cs_testimony_max(x, y, chance);
}

/* Computes each arm's mean of a scalar. Returns true if the means of at least
 * two sources differ significantly at the level `chance`. If `chance` is NAN,
 * always returns false. */
static bool means_differ(hearing *h, size_t k, double chance)
{
    const double q[CS_WITNESSED_QUANTILES] = {0};
    bool differ = false;
    double far;
    for (size_t i = 0; i + 1 < h->n; i++) {
        const cs_figures *row = speaks(&h->of[i], k) ? &h->of[i].row[k] : NULL;
        if (row)
            h->of[i].of[k][CS_WITNESSED_MEAN] =
                (cs_testimony){row->mean, row->mcse, size_of(row)};
    }
    hear_exact(h->run->target, k, q, h->of[h->n - 1].of[k]);
    for (size_t a = 0; a + 1 < h->n; a++)
        for (size_t b = a + 1; b < h->n; b++) {
            const cs_testimony *x = &h->of[a].of[k][CS_WITNESSED_MEAN];
            const cs_testimony *y = &h->of[b].of[k][CS_WITNESSED_MEAN];
            differ |= are_apart(x, y, chance, &far);
        }
    return differ;
}

static void hear_scalar(hearing *h, size_t k, size_t place)
{
    double q[CS_WITNESSED_QUANTILES] = {0};
    source *exact = &h->of[h->n - 1];
    find_places(h, k, place, q);
    for (size_t i = 0; i + 1 < h->n; i++)
        if (speaks(&h->of[i], k))
            hear_arm(&h->of[i], k, place, q);
    hear_draws(&h->run->witnesses->reference, h->run->target->space.dim, k, q,
               exact->of[k]);
    hear_exact(h->run->target, k, q, exact->of[k]);
}

/* Compares the n scalars that start with scalar k; n is at most TOGETHER. */
static void hear_scalars(hearing *h, size_t k, size_t n)
{
    assert(n <= TOGETHER);
    for (size_t i = 0; i + 1 < h->n; i++) {
        source *w = &h->of[i];
        size_t left = w->rows > k ? w->rows - k : 0;
        cs_chosen_copy_some(&w->chosen, k, left < n ? left : n, w->x);
    }
    for (size_t place = 0; place < n; place++)
        hear_scalar(h, k + place, place);
}

/* Returns the number of independent changes of mode. Jumps between neighbours
 * go back and forth, so their number is limited by the effective draws of the
 * coordinates. Returns 0 if these are not known, or if chains disagree. */
static double independent_changes(const source *w, double jumps)
{
    double n = w->row ? jumps : 0;
    for (size_t k = 1; w->row && k < w->rows; k++)
        if (w->row[k].sd > 0)
            n = fmin(n, size_of(&w->row[k]));
    return n;
}

/* Computes the shares of the modes that chains enter and leave. Two errors are
 * combined. The first follows from the number of jumps: for a chain with two
 * states that makes J jumps in total, the estimate of the share p of a state
 * has the variance 4 p^2 (1 - p)^2 / J, which is at most p (1 - p) / J. The
 * other error is the spread between chains. */
static void hear_modes(hearing *h, source *w, const cs_flat *reported)
{
    cs_flat_entry e, j;
    cs_report_view l = cs_report_view_open(h->run, w->arm, "modes", reported);
    bool there = cs_report_view_find(&l, "visits", &e) && e.data &&
                 cs_report_view_find(&l, "jumps", &j) && j.data &&
                 e.cols == h->modes && !w->chosen.w;
    double changes = 0, all = 0, chains = there ? (double)e.rows : 0;
    for (size_t c = 0; there && c < e.rows; c++) {
        changes += j.data[c];
        for (size_t m = 0; m < e.cols; m++)
            all += e.data[c * e.cols + m];
    }
    changes = independent_changes(w, changes);
    for (size_t m = 0; there && m < e.cols && changes >= LEAST; m++) {
        double visits = 0, squares = 0;
        for (size_t c = 0; c < e.rows; c++)
            visits += e.data[c * e.cols + m];
        double p = visits / all;
        for (size_t c = 0; c < e.rows; c++) {
            double sum = 0;
            for (size_t k = 0; k < e.cols; k++)
                sum += e.data[c * e.cols + k];
            double off = e.data[c * e.cols + m] - p * sum;
            squares += off * off;
        }
        double spread = sqrt(squares * chains / fmax(1, chains - 1)) / all;
        double inside = fmax(p * (1 - p), 1 / changes);
        w->mode[m] =
            (cs_testimony){p, fmax(spread, sqrt(inside / changes)), changes};
    }
    cs_report_view_close(&l);
}

static void hear_exact_modes(const cs_target *t, source *w)
{
    const cs_exact *exact = &t->exact;
    for (size_t m = 0; exact->mode_weight && exact->shares &&
                       m < exact->n_modes && m < MOST_MODES;
         m++)
        w->mode[m] = (cs_testimony){exact->mode_weight[m], 0, HUGE_VAL};
}

/* ---- disagreements ------------------------------------------------------- */

static const cs_testimony silent = {(double)NAN, (double)NAN, 0};

/* Counts the figures of the scalars and of the modes. */
static size_t count_figures(const hearing *h)
{
    return h->scalars * CS_WITNESSED + h->modes;
}

static const cs_testimony *testimony(const hearing *h, const source *w,
                                     size_t i)
{
    size_t scalars = h->scalars * CS_WITNESSED;
    const cs_testimony *t = i < scalars
                                ? &w->of[i / CS_WITNESSED][i % CS_WITNESSED]
                                : &w->mode[i - scalars];
    return isfinite(t->at) && t->error >= 0 && isfinite(t->error) ? t : &silent;
}

static double apart(const hearing *h, size_t a, size_t b, size_t i)
{
    return cs_testimony_apart(testimony(h, &h->of[a], i),
                              testimony(h, &h->of[b], i));
}

/* Returns true if a and b are compared. A biased arm is not compared with exact
 * values. */
static bool is_pair(const hearing *h, size_t a, size_t b)
{
    return b + 1 < h->n || !h->of[a].biased;
}

static size_t count_comparisons(const hearing *h)
{
    size_t n = 0;
    for (size_t a = 0; a + 1 < h->n; a++)
        for (size_t b = a + 1; b < h->n; b++)
            for (size_t i = 0; is_pair(h, a, b) && i < count_figures(h); i++)
                n += isnan(apart(h, a, b, i)) ? 0 : 1;
    return n;
}

static void name_scalar(const cs_run *r, size_t k, char *name, size_t size)
{
    if (k)
        cs_target_coordinate(r->target, k - 1, name, size);
    else
        snprintf(name, size, "lp__");
}

static void name_it(const hearing *h, size_t i, cs_disagreement *d)
{
    size_t scalars = h->scalars * CS_WITNESSED;
    if (i >= scalars) {
        d->figure = "share";
        snprintf(d->quantity, sizeof d->quantity, "mode %zu", i - scalars + 1);
        snprintf(d->what, sizeof d->what, "the share of %s", d->quantity);
        return;
    }
    d->figure = figure_name[i % CS_WITNESSED];
    name_scalar(h->run, i / CS_WITNESSED, d->quantity, sizeof d->quantity);
    if (i % CS_WITNESSED == CS_WITNESSED_MEAN)
        snprintf(d->what, sizeof d->what, "%s", d->quantity);
    else
        snprintf(d->what, sizeof d->what, "the %s%s of %s", d->figure,
                 i % CS_WITNESSED == CS_WITNESSED_SD ? "" : " quantile",
                 d->quantity);
}

/* Returns true if figure i must be reported instead of the figure `before`. A
 * mean is preferred to other figures, and a larger difference to a smaller
 * one. */
static bool is_worse(size_t i, double much, size_t before, double least,
                     size_t scalars)
{
    bool mean = i < scalars && i % CS_WITNESSED == CS_WITNESSED_MEAN;
    bool was = before < scalars && before % CS_WITNESSED == CS_WITNESSED_MEAN;
    return least == 0 || (mean == was ? much > least : mean);
}

static bool compare(const hearing *h, size_t a, size_t b, double chance,
                    cs_disagreement *d)
{
    size_t scalars = h->scalars * CS_WITNESSED, worst = 0;
    double most = 0;
    *d = (cs_disagreement){.a = h->of[a].arm, .b = h->of[b].arm};
    d->biased[0] = h->of[a].biased;
    d->biased[1] = h->of[b].biased;
    for (size_t i = 0; i < count_figures(h); i++) {
        const cs_testimony *x = testimony(h, &h->of[a], i);
        const cs_testimony *y = testimony(h, &h->of[b], i);
        double far;
        if (!are_apart(x, y, chance, &far))
            continue;
        d->figures++;
        if (!is_worse(i, far, worst, most, scalars))
            continue;
        worst = i;
        most = far;
    }
    d->apart = most;
    if (d->figures)
        name_it(h, worst, d);
    return d->figures > 0;
}

static void compare_all(const hearing *h, cs_witnesses *out)
{
    double chance = false_alarms / fmax(1, (double)count_comparisons(h));
    cs_free(out->found);
    out->n = 0;
    out->found = cs_alloc(h->n * h->n / 2 + 1, sizeof *out->found);
    for (size_t a = 0; out->found && a + 1 < h->n; a++)
        for (size_t b = a + 1; b < h->n; b++)
            if (is_pair(h, a, b) &&
                compare(h, a, b, chance, &out->found[out->n]))
                out->n++;
}

/* ---- comparison ---------------------------------------------------------- */

static bool gather(hearing *h, const cs_flat *reported)
{
    cs_run *r = h->run;
    h->of = cs_alloc(MOST_ARMS + 1, sizeof *h->of);
    for (size_t i = 0; h->of && i < r->n_arms && h->n < MOST_ARMS; i++)
        if (call(r, i, reported ? &reported[i] : NULL, &h->of[h->n]))
            h->n++;
    if (!h->of || h->n == 0)
        return false;
    h->of[h->n++] = (source){.arm = CS_EXACT_ANSWER};
    for (size_t i = 0; i < h->n; i++)
        h->scalars = h->of[i].rows > h->scalars ? h->of[i].rows : h->scalars;
    size_t modes = r->target->exact.n_modes;
    h->modes = modes > 1 && modes <= MOST_MODES ? modes : 0;
    bool good = true;
    for (size_t i = 0; i < h->n; i++) {
        h->of[i].of = cs_alloc(h->scalars, sizeof *h->of[i].of);
        good &= h->of[i].of != NULL;
        for (size_t k = 0; good && k < h->scalars; k++)
            for (size_t j = 0; j < CS_WITNESSED; j++)
                h->of[i].of[k][j] = silent;
        for (size_t m = 0; m < MOST_MODES; m++)
            h->of[i].mode[m] = silent;
    }
    return good;
}

/* Returns true if there is at least one pair to compare: several arms, or exact
 * answers. */
static bool has_pairs(const hearing *h)
{
    const cs_target *t = h->run->target;
    return h->n > 2 || h->modes || h->run->witnesses->reference.n ||
           t->exact.mean || t->exact.variance || t->type->exact.marginal;
}

static void hear_all(hearing *h, const cs_flat *reported)
{
    cs_reference_draws_find(&h->run->witnesses->reference, h->run);
    if (!has_pairs(h))
        return;
    double chance = false_alarms / (double)(h->scalars + 1);
    size_t full = h->scalars < IN_FULL ? h->scalars : IN_FULL;
    for (size_t k = 0; k < full; k += TOGETHER)
        hear_scalars(h, k, full - k < TOGETHER ? full - k : TOGETHER);
    for (size_t k = full; k < h->scalars; k++)
        if (means_differ(h, k, chance))
            hear_scalars(h, k, 1);
    for (size_t i = 0; h->modes && i + 1 < h->n; i++)
        hear_modes(h, &h->of[i], reported ? &reported[h->of[i].arm] : NULL);
    if (h->modes)
        hear_exact_modes(h->run->target, &h->of[h->n - 1]);
}

/* Returns a number that depends on the reports and changes with them. */
static double sum_of(const cs_run *r, const cs_flat *reported)
{
    double sum = 0;
    for (size_t i = 0; reported && i < r->n_arms && i < MOST_ARMS; i++) {
        cs_flat_entry e;
        if (!cs_flat_find(reported[i].base, reported[i].used, &e,
                          "arm/%zu/diagnostics/table", i))
            continue;
        const cs_figures *row = CS_ENTRY_ROWS(e, cs_figures);
        for (size_t k = 0; row && k < e.rows && k < 2; k++)
            sum += isfinite(row[k].ess) ? row[k].ess + row[k].mean : 0;
    }
    return sum;
}

/* Returns true if the comparison must be repeated. In a run in progress, a
 * report arrives later than the step that it describes. Therefore reports can
 * change while the run is paused. */
static bool is_due(const cs_run *r, const cs_flat *reported, double sum)
{
    const cs_witnesses *w = r->witnesses;
    bool rests = r->steps == w->steps || cs_run_finished(r);
    if (!reported || !w->looked)
        return !w->looked || w->reported || w->epoch != r->epoch;
    return (rests && sum != w->sum) || r->steps < w->steps ||
           r->steps >= w->steps + w->steps / 4 + 1;
}

const cs_witnesses *cs_witnesses_last(const cs_run *run)
{
    return run->witnesses;
}

const cs_witnesses *cs_witnesses_look(cs_run *run, const cs_flat *reported)
{
    cs_witnesses *w = run->witnesses;
    hearing h = {.run = run};
    double sum = sum_of(run, reported);
    if (cs_run_learns(run) || !is_due(run, reported, sum))
        return w;
    if (gather(&h, reported)) {
        hear_all(&h, reported);
        compare_all(&h, w);
        w->epoch = run->epoch;
        w->steps = run->steps;
        w->sum = sum;
        w->reported = reported != NULL;
        w->looked = true;
    }
    for (size_t i = 0; i < h.n; i++)
        leave(&h.of[i]);
    cs_free(h.of);
    return w;
}

bool cs_witnesses_off(const cs_run *run, size_t arm)
{
    const cs_witnesses *w = run->witnesses;
    bool off = false;
    for (size_t i = 0; i < w->n; i++)
        off |= w->found[i].a == arm && w->found[i].b == CS_EXACT_ANSWER;
    return off;
}

void cs_witnesses_free(cs_witnesses *w)
{
    cs_free(w->found);
    cs_reference_draws_free(&w->reference);
    *w = (cs_witnesses){.n = 0};
}

/* ---- text ---------------------------------------------------------------- */

bool cs_witnesses_accuse(const cs_disagreement *d)
{
    return !d->biased[0] && !d->biased[1];
}

void cs_witnesses_say(const cs_run *run, const cs_disagreement *d, cs_page *p)
{
    const char *a = cs_run_arm_name(run, d->a);
    if (d->b == CS_EXACT_ANSWER)
        cs_page_put(p, "%s differs from the %s", d->what,
                    run->witnesses->reference.of_file ? "reference draws"
                                                      : "exact answer");
    else
        cs_page_put(p, "%s differs between %s and %s", d->what, a,
                    cs_run_arm_name(run, d->b));
    cs_page_put(p, " by %.3g standard errors", d->apart);
}

/* Writes which of the two sources samples another law, and why this is
 * expected. */
static void put_bias(const cs_run *run, const cs_disagreement *d, cs_page *p)
{
    cs_arm_view v = cs_run_arm(run, d->biased[0] ? d->a : d->b);
    if (d->biased[0] && d->biased[1])
        cs_page_put(p, ": neither samples the target exactly\n");
    else if (is_hot(v.kernel))
        cs_page_put(p, ": %s samples at its own temperature\n", v.name);
    else
        cs_page_put(p, ": %s is not exact, and this is its bias\n", v.name);
}

void cs_witnesses_words(const cs_run *run, size_t arm, bool exact,
                        cs_page *wrong, cs_page *apart, cs_page *biased)
{
    enum { MOST = 4 };
    const cs_witnesses *w = run->witnesses;
    size_t n = 0;
    cs_page *further = biased; /* page for the number of further lines */
    for (size_t i = 0; i < w->n; i++) {
        const cs_disagreement *d = &w->found[i];
        bool accuses = cs_witnesses_accuse(d);
        bool mine = d->a == arm || d->b == arm;
        mine &= exact || d->b != CS_EXACT_ANSWER;
        bool own =
            (d->a == arm && d->biased[0]) || (d->b == arm && d->biased[1]);
        if (!mine || !(accuses || own) || ++n > MOST)
            continue;
        cs_page *p = !accuses                  ? biased
                     : d->b == CS_EXACT_ANSWER ? wrong
                                               : apart;
        further = accuses && further != wrong ? p : further;
        cs_witnesses_say(run, d, p);
        if (!accuses)
            put_bias(run, d, p);
        else if (d->b == CS_EXACT_ANSWER)
            cs_page_put(
                p,
                ": its draws are wrong, or it missed a part of the target\n");
        else
            cs_page_put(p, ": at least one is wrong\n");
    }
    if (n > MOST)
        cs_page_put(further, "%s disagrees in %zu more comparisons\n",
                    cs_run_arm_name(run, arm), n - MOST);
}

void cs_witnesses_json(const cs_run *run, cs_page *p)
{
    const cs_witnesses *w = run->witnesses;
    cs_page_put(p, "[");
    for (size_t i = 0; i < w->n; i++) {
        const cs_disagreement *d = &w->found[i];
        cs_page_put(p, "%s\n    {\"figure\": \"%s\", \"of\": ", i ? "," : "",
                    d->figure);
        cs_page_quoted(p, d->quantity);
        cs_page_put(p, ", \"arms\": [");
        cs_page_quoted(p, cs_run_arm_name(run, d->a));
        if (d->b != CS_EXACT_ANSWER) {
            cs_page_put(p, ", ");
            cs_page_quoted(p, cs_run_arm_name(run, d->b));
        }
        cs_page_put(p, "], \"exact_answer\": %s, \"standard_errors\": ",
                    d->b == CS_EXACT_ANSWER ? "true" : "false");
        cs_page_number(p, d->apart);
        cs_page_put(p, ", \"figures\": %zu, \"wrong\": %s}", d->figures,
                    cs_witnesses_accuse(d) ? "true" : "false");
    }
    cs_page_put(p, "]");
}
