#include "run/summary/arm_figures.h"

#include "base/memory.h"
#include "probe/rows.h"
#include "run/arms/arms.h"
#include "run/draws/recorded.h"
#include "run/summary/arm_failures.h"
#include "run/views/report_view.h"
#include "run/views/reports.h"
#include "run/views/view.h"
#include "stat/worst.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { REPORT = 1 << 16, NAME = CS_FIGURE_NAME };

static const cs_figure_column columns[] = {
    {&cs_figure_mean, 0, true},         {&cs_figure_sd, 0, true},
    {&cs_figure_mcse, 0, true},         {&cs_figure_rhat, 3, true},
    {&cs_figure_ess, 0, true},          {&cs_figure_ess_bulk, 0, true},
    {&cs_figure_ess_tail, 0, true},     {&cs_figure_median, 0, false},
    {&cs_figure_mad, 0, false},         {&cs_figure_mcse_sd, 0, false},
    {&cs_figure_mcse_median, 0, false}, {&cs_figure_mcse_mad, 0, false},
    {&cs_figure_ess_sd, 0, false},      {&cs_figure_ess_median, 0, false},
};
enum { COLUMNS = sizeof columns / sizeof *columns };

/* For weighted draws: without R-hat, bulk and tail ESS. */
static const cs_figure_column weighted_columns[] = {
    {&cs_figure_mean, 0, true},        {&cs_figure_sd, 0, true},
    {&cs_figure_mcse, 0, true},        {&cs_figure_ess, 0, true},
    {&cs_figure_median, 0, false},     {&cs_figure_mad, 0, false},
    {&cs_figure_mcse_sd, 0, false},    {&cs_figure_mcse_median, 0, false},
    {&cs_figure_mcse_mad, 0, false},   {&cs_figure_ess_sd, 0, false},
    {&cs_figure_ess_median, 0, false},
};
enum { UNRANKED = sizeof weighted_columns / sizeof *weighted_columns };

static double number_of(const cs_flat *f, const char *key)
{
    cs_flat_entry e;
    bool there = cs_flat_find(f->base, f->used, &e, "%s", key) && e.data;
    return there ? e.data[0] : (double)NAN;
}

static const char *text_of(const cs_flat *f, const char *key)
{
    cs_flat_entry e;
    bool there = cs_flat_find(f->base, f->used, &e, "%s", key) && e.text;
    return there ? e.text : "";
}

static void read_quantiles(const cs_flat *f, cs_arm_figures *d)
{
    cs_flat_entry p, q;
    if (!cs_flat_find(f->base, f->used, &p, "probabilities") || !p.data ||
        p.cols > CS_QUANTILES_MOST ||
        !cs_flat_find(f->base, f->used, &q, "quantiles") || q.rows != d->rows ||
        q.cols != p.cols * CS_QUANTILE_WORDS)
        return;
    d->probabilities.n = p.cols;
    memcpy(d->probabilities.p, p.data, p.cols * sizeof *p.data);
    d->quantiles = (const cs_quantile_figures *)(const void *)q.data;
}

void cs_quantile_name(double p, char *out)
{
    snprintf(out, CS_QUANTILE_NAME, "%.6g%%", 100 * p);
}

cs_quantile_figures cs_arm_figures_quantile(const cs_arm_figures *d, size_t i,
                                            size_t j)
{
    const double x = (double)NAN;
    return d->quantiles && j < d->probabilities.n
               ? d->quantiles[i * d->probabilities.n + j]
               : (cs_quantile_figures){x, x, x};
}

cs_arm_figures cs_arm_figures_read(cs_run *run, size_t arm)
{
    size_t scalars = 1 + cs_target_shown(cs_run_target(run));
    size_t quantiles = CS_QUANTILES_MOST * sizeof(cs_quantile_figures);
    size_t bytes = REPORT + scalars * (sizeof(cs_figures) + quantiles + NAME);
    cs_arm_figures d = {.memory = cs_alloc(1, bytes),
                        .reason = "out of memory",
                        .kish = NAN,
                        .joint = {.size = NAN, .error = NAN}};
    cs_flat f;
    cs_flat_entry e;
    d.words = d.reason;
    d.logp = cs_run_arm(run, arm).logp;
    if (!d.memory)
        return d;
    cs_flat_begin(&f, d.memory, bytes);
    if (!cs_run_report_one(run, arm, "diagnostics", "", &f)) {
        d.words = d.reason = "the run has no probe diagnostics";
        return d;
    }
    d.reason = text_of(&f, "reason");
    d.words = text_of(&f, "words");
    d.logp = CS_LOGP_EXACT;
    for (cs_logp_kind k = CS_LOGP_ESTIMATE; k <= CS_LOGP_NONE; k++)
        if (strcmp(text_of(&f, "logp"), cs_logp_name(k)) == 0)
            d.logp = k;
    d.kept = number_of(&f, "n");
    d.every = number_of(&f, "every");
    d.whole = number_of(&f, "whole");
    d.missing = number_of(&f, "missing");
    d.known = number_of(&f, "known");
    d.diagnosed = number_of(&f, "diagnosed");
    d.of = number_of(&f, "of");
    d.chains = number_of(&f, "chains");
    d.of_chains = number_of(&f, "of_chains");
    if (cs_flat_find(f.base, f.used, &e, "table"))
        d.table = CS_ENTRY_ROWS(e, cs_figures);
    d.rows = d.table ? e.rows : 0;
    d.kish = number_of(&f, "kish");
    d.joint.why = text_of(&f, "multivariate_reason");
    if (cs_flat_find(f.base, f.used, &e, "multivariate") &&
        e.cols == CS_JOINT_WORDS)
        d.joint = (cs_joint_size){e.data[0], e.data[1], e.data[2], d.joint.why};
    read_quantiles(&f, &d);
    return d;
}

void cs_arm_figures_free(cs_arm_figures *d)
{
    cs_free(d->memory);
    *d = (cs_arm_figures){0};
}

const cs_figure_column *cs_figure_columns(bool weighted, size_t *n)
{
    *n = weighted ? UNRANKED : COLUMNS;
    return weighted ? weighted_columns : columns;
}

double cs_figure_value(const cs_arm_figures *d, size_t row,
                       const cs_figure_column *c)
{
    return cs_figures_value(&d->table[row], (cs_figures_column)c->type->column);
}

size_t cs_arm_figures_first(const cs_arm_figures *d)
{
    return d->logp == CS_LOGP_NONE;
}

void cs_arm_figures_name(const cs_run *run, size_t row, char *out)
{
    if (row)
        cs_target_coordinate(cs_run_target(run), row - 1, out, NAME);
    else
        snprintf(out, NAME, "lp__");
}

/* Returns true if row a is worse than row b. Compares R-hat first, then bulk
 * ESS. A constant is never worse. */
static bool is_worse(const cs_arm_figures *d, size_t a, size_t b)
{
    const cs_figures *x = &d->table[a], *y = &d->table[b];
    if (cs_arm_figures_weighted(d) && !isnan(x->ess) && !isnan(y->ess))
        return x->ess < y->ess;
    if (isnan(x->rhat) || isnan(y->rhat))
        return isnan(y->rhat) && !isnan(x->rhat);
    bool apart = fmax(x->rhat, y->rhat) > CS_RHAT_MOST;
    return apart ? x->rhat > y->rhat : x->bulk < y->bulk;
}

/* Returns true if the list contains the name; "z" includes z.1. */
static bool is_listed(const char *name, const char *list)
{
    for (size_t n; list && *list; list += n + (list[n] == ',')) {
        n = strcspn(list, ",");
        if (n == 1 && *list == '*')
            return true;
        if (n && strncmp(name, list, n) == 0 && (!name[n] || name[n] == '.'))
            return true;
    }
    return false;
}

/* Marks the scalars as shown, since models usually have a few interesting
 * scalars and, in addition, long vectors. */
static size_t mark_scalars(const cs_run *run, size_t rows, bool *shown)
{
    size_t n = 0;
    char name[NAME];
    for (size_t i = 1; i < rows && n < CS_FIGURES_SCALARS; i++) {
        cs_arm_figures_name(run, i, name);
        shown[i] = !strchr(name, '.');
        n += shown[i];
    }
    return n;
}

size_t cs_arm_figures_choose(const cs_run *run, const cs_arm_figures *d,
                             const char *also, bool *shown)
{
    size_t scalars = 0;
    char name[NAME];
    for (size_t i = 0; i < d->rows; i++)
        shown[i] = d->rows <= CS_FIGURES_ALL || i == 0;
    if (d->rows > CS_FIGURES_ALL)
        scalars = mark_scalars(run, d->rows, shown);
    for (size_t n = 0; d->rows > CS_FIGURES_ALL && n < CS_FIGURES_WORST; n++) {
        size_t worst = 0;
        for (size_t i = 1; i < d->rows; i++)
            if (!shown[i] && (!worst || is_worse(d, i, worst)))
                worst = i;
        shown[worst] = true;
    }
    for (size_t i = 1; also && i < d->rows; i++) {
        cs_arm_figures_name(run, i, name);
        shown[i] |= is_listed(name, also);
    }
    return scalars;
}

double cs_arm_accepted(cs_run *run, size_t arm)
{
    double steps = 0, yes = 0;
    size_t chains = cs_run_arm(run, arm).chains;
    for (size_t c = 0; c < chains; c++) {
        cs_chain_view v = cs_run_decision(run, arm, c);
        steps += v.tally.steps;
        yes += v.tally.accepted;
    }
    return steps > 0 ? yes / steps : (double)NAN;
}

/* Returns the mean acceptance reported by a probe. If the run has no such
 * probe, returns NAN. */
static double reported_acceptance(cs_run *run, size_t arm)
{
    double steps = 0, sum = 0;
    cs_flat_entry e;
    cs_report_view l = cs_report_view_open(run, arm, "acceptance", NULL);
    if (cs_report_view_find(&l, "chains", &e) &&
        e.cols == sizeof(cs_row_acceptance) / sizeof(double)) {
        const cs_row_acceptance *row = (const cs_row_acceptance *)e.data;
        for (size_t c = 0; c < e.rows; c++) {
            if (!(row[c].steps > 0))
                continue;
            steps += row[c].steps;
            sum += row[c].steps * row[c].accepted;
        }
    }
    cs_report_view_close(&l);
    return steps > 0 ? sum / steps : (double)NAN;
}

double cs_arm_acceptance(cs_run *run, size_t arm, bool *tells)
{
    cs_arm_view v = cs_run_arm(run, arm);
    *tells = v.kernel->type->flags & CS_KERNEL_ACCEPT_STAT;
    if (!*tells)
        return cs_run_is_recorded(run) ? (double)NAN
                                       : cs_arm_accepted(run, arm);
    double share = cs_arm_failures_of(run, arm).acceptance;
    return isnan(share) ? reported_acceptance(run, arm) : share;
}
