#include "run/summary/summary.h"

#include "base/memory.h"
#include "kernel/member_metrics.h"
#include "run/arms/arms.h"
#include "run/arms/limits.h"
#include "run/draws/recorded.h"
#include "run/history/changes.h"
#include "run/summary/arm_failures.h"
#include "run/summary/arm_figures.h"
#include "run/summary/bin_text.h"
#include "run/summary/known.h"
#include "run/summary/learned_figures.h"
#include "run/summary/logp.h"
#include "run/summary/member_text.h"
#include "run/summary/rows_drawn.h"
#include "run/summary/warned.h"
#include "run/summary/witnesses.h"
#include "run/tuning/chain_starts.h"
#include "run/tuning/tuning_view.h"
#include "run/views/fingerprint.h"
#include "run/views/reports.h"
#include "run/views/view.h"
#include "stat/worst.h"
#include "target/enumeration.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NAME = CS_FIGURE_NAME };

/* Returns false for the probe "modes" if the target has a single mode, which
 * cannot be missed. */
bool cs_summary_reads(const cs_target *t, const char *probe)
{
    static const char *const names[] = {"diagnostics", "distance", "modes",
                                        "rows"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(probe, names[i]) == 0)
            return strcmp(probe, "modes") != 0 || t->exact.n_modes > 1;
    return false;
}

static void text_of_figures(cs_run *run, size_t arm, const cs_arm_figures *d,
                            const bool *printed, cs_page *p)
{
    cs_summary_head head;
    cs_summary_columns(cs_arm_figures_weighted(d), &d->probabilities, "",
                       &head);
    cs_cells t = cs_cells_begin(head.column, head.n);
    t.gap = 1;
    t.right = true;
    cs_summary_rows(run, arm, d, printed, &t);
    cs_cells_put(&t, NULL, p);
    cs_cells_fini(&t);
}

/* Reports the number of kept draws. If not every draw is kept, some columns are
 * computed from the kept draws only. */
static void text_of_kept(const cs_arm_figures *d, cs_page *p)
{
    const char *what = cs_arm_figures_weighted(d)
                           ? "quantiles use"
                           : "quantiles, rhat, ess_bulk and ess_tail use";
    cs_page_put(p, "  %s %.0f kept draws per chain, one per %.0f\n  steps",
                d->known > 0 ? what : "all figures use", d->kept, d->every);
    if (d->missing > 0)
        cs_page_put(p, " (the first %.0f are lost)", d->missing);
    if (d->known > 0)
        cs_page_put(p, "; mean, sd, mcse and ess use all steps");
    cs_page_put(p, "\n");
}

/* Reports the ESS of the weights (Kish); the column ess also includes the
 * correlation of draws. */
static void text_of_kish(const cs_arm_figures *d, cs_page *p)
{
    cs_page_put(p,
                "  weighted: %.0f draws per chain; ESS of all weights (Kish) "
                "%.0f\n",
                d->kept, d->kish);
}

/* Returns the standard error of the logarithm of the multivariate ESS: the larger
 * of that over chains, which is too small for chains that do not move, and that
 * of the batches. */
static double error_of_joint(const cs_arm_figures *d)
{
    return fmax(d->joint.error,
                cs_batch_errors_of(d->kept, d->chains, d->joint.used).error);
}

/* Reports what makes the multivariate ESS wrong, or larger than the number of
 * draws. `error` is that of its logarithm. */
static void text_of_joint_doubt(const cs_arm_figures *d, double error,
                                cs_page *p)
{
    double excess =
        cs_batch_errors_of(d->kept, d->chains, d->joint.used).excess;
    double least = cs_figures_extreme(d->table, d->rows, CS_COLUMN_ESS, false);
    double draws = d->kept * d->chains;
    double over = log(d->joint.size / draws) - fmax(excess, 0);
    if (cs_batches_are_short(d->kept, d->chains, least))
        cs_page_put(
            p, " (too large: the autocorrelation is longer than its batches)");
    else if (excess > error)
        cs_page_put(p,
                    " (about %.0f %% too large: few draws for %.0f quantities)",
                    100 * expm1(excess), d->joint.used);
    else if (over > 2 * error)
        cs_page_put(p, " (above the %.0f draws: they are antithetic)", draws);
    else if (d->joint.size > draws)
        cs_page_put(p, " (above the %.0f draws, but within its error)", draws);
}

/* Reports the multivariate ESS of at least two quantities, or that there are too
 * many quantities for it. */
static void text_of_joint(const cs_arm_figures *d, cs_page *p)
{
    const cs_joint_size *j = &d->joint;
    if (j->size > 0 && j->used > 1) {
        double error = error_of_joint(d);
        cs_page_put(p, "  multivariate ESS, of %.0f quantities together: %.4g",
                    j->used, j->size);
        if (!isnan(error))
            cs_page_put(p, " +- %.2g", j->size * error);
        text_of_joint_doubt(d, error, p);
        cs_page_put(p, "\n");
    } else if (d->of > CS_MULTIVARIATE_MOST + 1)
        cs_page_put(p,
                    "  no multivariate ESS: it is computed for at most %d "
                    "quantities\n",
                    CS_MULTIVARIATE_MOST);
}

/* Reports which rows are shown. */
static void text_of_choice(const cs_arm_figures *d, size_t scalars,
                           const char *also, cs_page *p)
{
    if (d->rows <= CS_FIGURES_ALL || (also && strcmp(also, "*") == 0))
        return;
    cs_page_put(p, "  the ");
    if (scalars)
        cs_page_put(p, "%zu scalar%s and the ", scalars,
                    scalars == 1 ? "" : "s");
    cs_page_put(p, "%d worst of %.0f quantities (--show NAME, --all)\n",
                CS_FIGURES_WORST, d->diagnosed);
}

/* Reports the draws from which the figures were computed. */
static void text_of_draws(const cs_arm_figures *d, cs_page *p)
{
    if (d->diagnosed < d->of)
        cs_page_put(p,
                    "  the first %.0f of %.0f quantities; more do not fit in "
                    "memory\n",
                    d->diagnosed, d->of);
    if (d->chains < d->of_chains)
        cs_page_put(p, "  the first %.0f of %.0f chains\n", d->chains,
                    d->of_chains);
    if (d->whole && d->every > 1)
        cs_page_put(p,
                    "  all %.0f written draws per chain are used, one per "
                    "%.0f steps\n",
                    d->kept, d->every);
    if (!d->whole && d->kept > 0)
        text_of_kept(d, p);
}

static void text_of_words(const char *words, cs_page *p)
{
    while (*words) {
        size_t n = strcspn(words, "\n");
        cs_page_put(p, "  %.*s\n", (int)n, words);
        words += n + (words[n] == '\n');
    }
}

static void text_of_found(cs_run *run, size_t arm, const char *also, cs_page *p)
{
    size_t scalars = 0;
    cs_arm_figures d = cs_arm_figures_read(run, arm);
    bool *printed = cs_alloc(d.rows, sizeof *printed);
    if (!(d.kept > 0))
        d.rows = 0; /* there are no draws to show */
    if (printed)
        scalars = cs_arm_figures_choose(run, &d, also, printed);
    if (d.rows && printed) {
        text_of_choice(&d, scalars, also, p);
        text_of_draws(&d, p);
        if (cs_arm_figures_weighted(&d))
            text_of_kish(&d, p);
        text_of_figures(run, arm, &d, printed, p);
        if (!cs_arm_figures_weighted(&d))
            text_of_joint(&d, p);
    }
    cs_arm_view v = cs_run_arm(run, arm);
    cs_logp_text(&v, d.logp, p);
    cs_page more = {0};
    cs_arm_words(run, arm, NULL, &more);
    text_of_words(more.text ? more.text : "", p);
    cs_free(more.text);
    cs_known_text(run, arm, p);
    cs_free(printed);
    cs_arm_figures_free(&d);
}

/* The temperature ladder of a tempered kernel. */
typedef struct ladder {
    double memory[2048];
    cs_flat_entry hot, swaps;
    double trips;
} ladder;

static bool look_at_ladder(cs_run *run, size_t arm, ladder *l)
{
    cs_flat_entry e;
    cs_flat f;
    cs_flat_begin(&f, l->memory, sizeof l->memory);
    if (!cs_run_report_one(run, arm, "kernel", "", &f))
        return false;
    l->trips = cs_flat_find(f.base, f.used, &e, "trips") && e.data
                   ? e.data[0]
                   : (double)NAN;
    return cs_flat_find(f.base, f.used, &l->hot, "temperature") &&
           cs_flat_find(f.base, f.used, &l->swaps, "swaps");
}

static void text_of_ladder(cs_run *run, size_t arm, cs_page *p)
{
    ladder l;
    if (!look_at_ladder(run, arm, &l))
        return;
    cs_page_put(p, "  temperature 1");
    for (size_t k = 0; k < l.swaps.cols; k++)
        cs_page_put(p, " <%.2f> %.3g", l.swaps.data[k], l.hot.data[k + 1]);
    cs_page_put(p,
                ", in brackets the accepted share of changes; %.0f round "
                "trips to the hot end\n",
                l.trips);
}

static void json_of_ladder(cs_run *run, size_t arm, cs_page *p)
{
    ladder l;
    if (!look_at_ladder(run, arm, &l))
        return;
    cs_page_put(p, ", \"temperatures\": [1");
    for (size_t k = 0; k < l.swaps.cols; k++)
        cs_page_put(p, ", %.10g", l.hot.data[k + 1]);
    cs_page_put(p, "], \"swaps\": [");
    for (size_t k = 0; k < l.swaps.cols; k++) {
        cs_page_put(p, "%s", k ? ", " : "");
        cs_page_number(p, l.swaps.data[k]);
    }
    cs_page_put(p, "], \"trips\": ");
    cs_page_number(p, l.trips);
}

/* If a tuner has found schedules, reports the step from which these schedules
 * count their steps. */
static void put_restart(const cs_arm_view *v, cs_page *p)
{
    const cs_tuner *t = v->tuning.tuner;
    uint64_t from = 0;
    for (size_t i = 0; i < t->n_driven; i++)
        from |= cs_arm_view_from(v, t->param[i]);
    if (from)
        cs_page_put(p, ", by schedules that start at step %llu",
                    (unsigned long long)from + 1);
}

/* Reports the first and the last value that a tuner has found, or the length of
 * a warm-up without a tuner. `warmup` is true if the warm-up is a field of the
 * scenario. */
static void text_of_plan(const cs_arm_view *v, bool warmup, cs_page *p)
{
    const cs_tuning_view *g = &v->tuning;
    if (!g->tuner)
        return;
    if (!cs_tuner_finds(g->tuner)) {
        cs_page_put(p, "  warm-up: %llu steps per chain%s are not draws%s\n",
                    (unsigned long long)g->steps, g->active ? " so far" : "",
                    warmup ? "; `warmup = 0` keeps them" : "");
        return;
    }
    cs_page_put(p, "  %s by %s in %llu steps%s",
                g->active ? "still being tuned" : "tuned", g->tuner->type->name,
                (unsigned long long)g->steps,
                g->cut ? " (limited to half of the run)" : "");
    for (size_t i = 0; i < g->tuner->n_driven && !g->active; i++) {
        size_t k = g->tuner->param[i];
        const cs_schedule *s = cs_plan_schedule(v->plan, k);
        const char *name = v->kernel->type->params[k].name;
        cs_page_put(p, "%s %s ", i ? "," : ":", name);
        if (!v->plan->driven[k])
            cs_page_put(p, "%.4g", v->kernel->values[k]);
        else if (s->type->period && s->type->period(s) < 1e9) {
            double ends[2];
            s->type->fill(s, 1, 1, &ends[0]);
            s->type->fill(s, (uint64_t)s->type->period(s), 1, &ends[1]);
            cs_page_put(p, "%.4g to %.4g", ends[0], ends[1]);
        } else
            cs_page_put(p, "by a schedule");
    }
    put_restart(v, p);
    if (g->tuner->n_parts && !g->active) {
        cs_page_put(p, "%s ", g->tuner->n_driven ? "," : ":");
        cs_metric_put_kind(v->kernel, v->metric, p);
        cs_page_put(p, " metric");
    }
    cs_page_put(p, "\n");
}

/* Reports the work of an arm. The mean per step shows whether data terms come
 * from batches or from complete evaluations. */
static void text_of_work(const cs_run *run, const cs_arm_view *v, cs_page *p)
{
    double terms = (double)v->work.data_terms;
    double steps = (double)v->steps * (double)v->chains;
    if (cs_run_is_recorded(run)) {
        cs_page_put(p, "read from files: the cost is unknown\n");
        return;
    }
    cs_page_put(p, "%llu log densities, %llu gradients",
                (unsigned long long)v->work.log_densities,
                (unsigned long long)v->work.gradients);
    if (terms > 0)
        cs_page_put(p, ", %.0f data terms", terms);
    if (terms > 0 && steps > 0)
        cs_page_put(p, " (%.4g per step, %.4g passes per chain)", terms / steps,
                    cs_work_passes(&v->work, cs_run_target(run), v->chains));
    cs_page_put(p, "\n");
    if (v->work.site_updates > 0)
        cs_page_put(
            p, "  %llu data sets simulated; %llu data values drawn for them\n",
            (unsigned long long)v->work.simulations,
            (unsigned long long)v->work.site_updates);
}

static void text_of_arm(cs_run *run, size_t arm, const char *also, cs_page *p)
{
    cs_arm_view v = cs_run_arm(run, arm);
    char share[16] = "-";
    bool tells;
    double part = cs_arm_acceptance(run, arm, &tells);
    if (!isnan(part))
        snprintf(share, sizeof share, "%.3f", part);
    cs_page_put(p, "%s (%s): %zu chains, %llu steps, ", v.name,
                v.kernel->type->name, v.chains, (unsigned long long)v.steps);
    if (tells || !cs_run_is_recorded(run)) /* files without accept_stat__ do not
                                            * have the decisions */
        cs_page_put(p, "%s %s, ", tells ? "mean acceptance" : "accepted",
                    share);
    text_of_work(run, &v, p);
    text_of_words(v.chosen ? v.chosen : "", p);
    text_of_ladder(run, arm, p);
    cs_member_text(run, arm, p);
    cs_bins_text(run, arm, p);
    cs_rows_drawn_text(run, arm, p);
    text_of_plan(&v, cs_run_warmup(run) > 0, p);
    cs_starts_words(run, arm, p);
    cs_learned_text(run, arm, p);
    text_of_found(run, arm, also, p);
}

void cs_summary_text(cs_run *run, const char *also, cs_page *p)
{
    cs_witnesses_look(run, NULL);
    cs_page_put(p, "%llu steps, seed %llu\n",
                (unsigned long long)cs_run_steps(run),
                (unsigned long long)cs_run_seed(run));
    const char *note = cs_run_ended(run);
    if (note)
        cs_page_put(p, "stopped before its budget: %s\n", note);
    note = cs_run_note(run);
    if (note)
        cs_page_put(p, "target %s: %s\n", cs_run_target(run)->name, note);
    note = cs_enumeration_note(cs_run_target(run));
    if (note)
        cs_page_put(p, "target %s: %s\n", cs_run_target(run)->name, note);
    for (size_t i = 0; i < cs_run_arms(run); i++)
        text_of_arm(run, i, also, p);
}

static void json_of_words(const char *words, cs_page *p)
{
    char line[512];
    for (size_t i = 0; *words; i++) {
        words += strspn(words, " ");
        size_t n = strcspn(words, "\n");
        snprintf(line, sizeof line, "%.*s", (int)n, words);
        cs_page_put(p, "%s", i ? ", " : "");
        cs_page_quoted(p, line);
        words += n + (words[n] == '\n');
    }
}

/* Writes the warnings as lines, and again with their names and severities. */
static void json_of_warnings(cs_run *run, size_t arm, cs_page *p)
{
    cs_page lines = {0};
    cs_warnings w = cs_arm_warnings(run, arm, NULL);
    cs_warnings_put(&w, &lines, NULL);
    cs_page_put(p, ", \"warnings\": [");
    json_of_words(lines.text ? lines.text : "", p);
    cs_page_put(p, "], \"warned\": ");
    cs_warnings_json(&w, p);
    p->full |= w.full || lines.full;
    cs_free(lines.text);
    cs_warnings_free(&w);
}

static void json_of_quantiles(const cs_arm_figures *d, size_t row, cs_page *p)
{
    char name[CS_QUANTILE_NAME];
    for (size_t j = 0; j < d->probabilities.n; j++) {
        cs_quantile_figures q = cs_arm_figures_quantile(d, row, j);
        cs_quantile_name(d->probabilities.p[j], name);
        cs_page_put(p, ", \"%s\": ", name);
        cs_page_number(p, q.at);
        cs_page_put(p, ", \"%s_mcse\": ", name);
        cs_page_number(p, q.mcse);
        cs_page_put(p, ", \"%s_ess\": ", name);
        cs_page_number(p, q.ess);
    }
}

static void json_of_found(cs_run *run, size_t arm, cs_page *p)
{
    cs_arm_figures d = cs_arm_figures_read(run, arm);
    char name[NAME];
    size_t n;
    const cs_figure_column *c = cs_figure_columns(false, &n);
    cs_page_put(p, ", \"reason\": ");
    cs_page_quoted(p, d.reason);
    cs_page_put(p, ", \"draws_kept\": ");
    cs_page_number(p, d.kept);
    cs_page_put(p, ", \"draws_every\": ");
    cs_page_number(p, d.every);
    cs_page_put(p, ", \"draws_missing\": ");
    cs_page_number(p, d.missing);
    cs_page_put(p, ", \"draws_whole\": %s", d.whole > 0 ? "true" : "false");
    if (cs_arm_figures_weighted(&d)) {
        cs_page_put(p, ", \"kish\": ");
        cs_page_number(p, d.kish);
    }
    cs_page_put(p, ", \"ess_multivariate\": ");
    cs_page_number(p, d.joint.size);
    cs_page_put(p, ", \"ess_multivariate_error\": ");
    cs_page_number(p, d.joint.size * error_of_joint(&d));
    if (d.known > 0)
        cs_page_put(p,
                    ", \"of_all_steps\": {\"figures\": [\"mean\", \"sd\", "
                    "\"mcse\", \"ess\"], \"variables\": %.0f}",
                    d.known);
    json_of_warnings(run, arm, p);
    cs_known_json(run, arm, p);
    cs_arm_view v = cs_run_arm(run, arm);
    cs_logp_json(&v, d.logp, p);
    cs_page_put(p, ", \"variables\": {");
    for (size_t i = cs_arm_figures_first(&d); i < d.rows; i++) {
        cs_arm_figures_name(run, i, name);
        cs_page_put(p, "%s\n      ", i > cs_arm_figures_first(&d) ? "," : "");
        cs_page_quoted(p, name);
        for (size_t j = 0; j < n; j++) {
            cs_page_put(p, "%s\"%s\": ", j ? ", " : ": {", c[j].type->name);
            cs_page_number(p, cs_figure_value(&d, i, &c[j]));
        }
        json_of_quantiles(&d, i, p);
        cs_page_put(p, "}");
    }
    cs_page_put(p, "}");
    cs_arm_figures_free(&d);
}

static void json_of_arm(cs_run *run, size_t arm, cs_page *p)
{
    cs_arm_view v = cs_run_arm(run, arm);
    cs_page_put(p, "%s\n    {\"arm\": ", arm ? "," : "");
    cs_page_quoted(p, v.name);
    cs_page_put(p, ", \"kernel\": ");
    cs_page_quoted(p, v.kernel->type->name);
    if (v.chosen) {
        cs_page_put(p, ", \"chosen\": [");
        json_of_words(v.chosen, p);
        cs_page_put(p, "]");
    }
    cs_page_put(
        p,
        ", \"chains\": %zu, \"steps\": %llu, \"log_densities\": %llu, "
        "\"gradients\": %llu, \"site_differences\": %llu, \"data_terms\": "
        "%llu, \"simulations\": %llu, \"site_updates\": %llu, \"passes\": ",
        v.chains, (unsigned long long)v.steps,
        (unsigned long long)v.work.log_densities,
        (unsigned long long)v.work.gradients,
        (unsigned long long)v.work.site_differences,
        (unsigned long long)v.work.data_terms,
        (unsigned long long)v.work.simulations,
        (unsigned long long)v.work.site_updates);
    cs_page_number(p, cs_work_passes(&v.work, cs_run_target(run), v.chains));
    cs_page_put(p, ", \"accepted\": ");
    cs_page_number(p, cs_arm_accepted(run, arm));
    json_of_ladder(run, arm, p);
    cs_member_json(run, arm, p);
    double learning = cs_learning_share(run, arm);
    if (!isnan(learning)) {
        cs_page_put(p, ", \"learning\": ");
        cs_page_number(p, learning);
    }
    cs_learned_json(run, arm, p);
    cs_bins_json(run, arm, p);
    cs_rows_drawn_json(run, arm, p);
    cs_page_put(p, ", \"warm_up\": %llu", (unsigned long long)v.tuning.steps);
    cs_arm_failures_json(run, arm, p);
    json_of_found(run, arm, p);
    cs_page_put(p, "}");
}

static void json_of_claim(const cs_flat *f, size_t i, cs_page *p)
{
    static const char *const texts[] = {"arm",   "figure", "bound", "verdict",
                                        "paper", "note",   "by",    "reason",
                                        "off",   "setting"};
    static const char *const numbers[] = {"exact", "error", "freedom",
                                          "measured"};
    cs_flat_entry e;
    cs_page_put(p, "%s\n    {", i ? "," : "");
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        if (!cs_flat_find(f->base, f->used, &e, "claim/%zu/%s", i, texts[k]))
            continue;
        cs_page_put(p, "%s\"%s\": ", k ? ", " : "", texts[k]);
        cs_page_quoted(p, e.text ? e.text : "");
    }
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
        if (!cs_flat_find(f->base, f->used, &e, "claim/%zu/%s", i, numbers[k]))
            continue;
        cs_page_put(p, ", \"%s\": ", numbers[k]);
        cs_page_number(p, e.data ? e.data[0] : (double)NAN);
    }
    cs_page_put(p, "}");
}

static void json_of_claims(const cs_flat *f, cs_page *p)
{
    cs_flat_entry e;
    if (!cs_flat_find(f->base, f->used, &e, "claims/judged") || !e.text)
        return;
    cs_page_put(p, ",\n  \"claims_judged\": ");
    cs_page_quoted(p, e.text);
    cs_page_put(p, ",\n  \"claims\": [");
    for (size_t i = 0; cs_flat_find(f->base, f->used, &e, "claim/%zu/arm", i);
         i++)
        json_of_claim(f, i, p);
    cs_page_put(p, "\n  ]");
}

/* Writes each accepted line of `text` as a JSON string. */
static void json_of_lines(const char *name, const char *text,
                          bool (*takes)(const char *line), cs_page *p)
{
    char line[1024];
    bool some = false;
    cs_page_put(p, ",\n  \"%s\": [", name);
    for (const char *at = text; *at;
         at += strcspn(at, "\n"), at += *at == '\n') {
        snprintf(line, sizeof line, "%.*s", (int)strcspn(at, "\n"), at);
        if (takes && !takes(line))
            continue;
        cs_page_put(p, some ? ", " : "");
        cs_page_quoted(p, line);
        some = true;
    }
    cs_page_put(p, "]");
}

/* Returns true if a line has the form "STEP ARM ..." and changes chains.
 * Returns false if the line makes another change, for example of the number of
 * workers. */
static bool is_of_chains(const char *line)
{
    const char *rest = line + strspn(line, "0123456789");
    bool target = strncmp(rest, " run target.", 12) == 0;
    return rest > line && *rest == ' ' && strcmp(rest, " end") != 0 &&
           (target || strncmp(rest, " run ", 5) != 0);
}

/* Writes the data needed to compare two runs. */
static void json_of_making(cs_run *run, cs_page *p)
{
    char *journal = NULL;
    json_of_lines("made_of", cs_run_provenance(run), NULL, p);
    if (cs_run_changes_text(run, &journal, NULL) == CS_OK)
        json_of_lines("changes", journal, is_of_chains, p);
    cs_free(journal);
}

void cs_summary_json(cs_run *run, const cs_flat *claims, cs_page *p)
{
    cs_witnesses_look(run, NULL);
    cs_page_put(p, "{\n  \"version\": \"%s\",\n  \"target\": ", CS_VERSION);
    cs_page_quoted(p, cs_run_target(run)->name);
    cs_page_put(p, ",\n  \"seed\": %llu", (unsigned long long)cs_run_seed(run));
    cs_page_put(p, ",\n  \"run\": \"%016llx\"",
                (unsigned long long)cs_run_identity(run));
    if (cs_run_ended(run)) {
        cs_page_put(p, ",\n  \"stopped\": ");
        cs_page_quoted(p, cs_run_ended(run));
    }
    cs_page_put(p, ",\n  \"arms\": [");
    for (size_t i = 0; i < cs_run_arms(run); i++)
        json_of_arm(run, i, p);
    cs_page_put(p, "\n  ],\n  \"disagreements\": ");
    cs_witnesses_json(run, p);
    json_of_making(run, p);
    if (claims)
        json_of_claims(claims, p);
    cs_page_put(p, "\n}\n");
}
