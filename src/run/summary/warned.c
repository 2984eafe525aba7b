#include "run/summary/warned.h"

#include "base/memory.h"
#include "run/arms/arms.h"
#include "run/draws/kept_draws.h"
#include "run/draws/recorded.h"
#include "run/summary/arm_failures.h"
#include "run/summary/find_evidence.h"
#include "run/summary/off_law.h"
#include "run/summary/rows_drawn.h"
#include "run/summary/witnesses.h"
#include "run/views/report_view.h"
#include "run/views/stopped.h"
#include "run/views/view.h"

#include <math.h>
#include <string.h>

/* Facts about an arm, and the memory that they borrow. */
typedef struct gathered {
    cs_warn_facts f;
    cs_report_view modes, ladder;
    cs_page stops, differs, apart, biased;
    char why[256], rows[512];
} gathered;

/* ---- chains -------------------------------------------------------------- */

static void put_stops(const cs_run *run, size_t arm, size_t chains,
                      size_t stopped, cs_page *p)
{
    enum { NAMED = 8, WHY = 256 };
    char why[WHY];
    uint64_t step;
    size_t said = 0;
    for (size_t c = 0; c < chains && said < NAMED; c++)
        if (cs_run_chain_stop(run, arm, c, &step, why, sizeof why)) {
            cs_page_put(p, "  chain %zu at step %llu: %s\n", c + 1,
                        (unsigned long long)step, why);
            said++;
        }
    if (said < stopped)
        cs_page_put(p, "  and %zu more\n", stopped - said);
}

/* Finds chains that have made at least a hundred steps and have accepted no
 * proposal. */
static void find_stuck(const cs_run *run, size_t arm, size_t chains,
                       cs_warn_counts *c)
{
    for (size_t i = chains; i-- > 0;) {
        cs_chain_view v = cs_run_decision(run, arm, i);
        if (v.failed || v.tally.accepted > 0 || v.tally.steps < 100)
            continue;
        c->stuck++;
        c->stuck_first = i + 1;
        c->stuck_steps = v.tally.steps;
    }
}

static void gather_counts(const cs_run *run, size_t arm, gathered *g)
{
    cs_warn_counts *c = &g->f.counts;
    cs_arm_failures t = cs_arm_failures_of(run, arm);
    *c = (cs_warn_counts){.steps = t.steps,
                          .divergent = t.divergent,
                          .not_finite = t.not_finite,
                          .trajectories = t.trajectories,
                          .deep = t.deep,
                          .ebfmi = t.ebfmi,
                          .stopped = t.stopped};
    for (size_t i = 0; i < t.chains; i++) {
        cs_tally of = cs_run_decision(run, arm, i).tally;
        c->accepted += of.accepted;
        c->marking += of.marking;
        c->learning += of.learning;
    }
    find_stuck(run, arm, t.chains, c);
    if (t.stopped)
        put_stops(run, arm, t.chains, t.stopped, &g->stops);
    c->stops = g->stops.text;
    const cs_target *target = cs_run_target(run);
    if (t.not_finite > 0 && target->type->outside.why &&
        target->type->outside.why(target, g->why, sizeof g->why))
        c->why_refused = g->why;
}

/* ---- reports ------------------------------------------------------------- */

static void gather_modes(cs_run *run, size_t arm, const cs_flat *reported,
                         gathered *g)
{
    cs_flat_entry e;
    cs_warn_modes *m = &g->f.modes;
    g->modes = cs_report_view_open(run, arm, "modes", reported);
    if (!cs_report_view_find(&g->modes, "visits", &e) || !e.data)
        return;
    *m = (cs_warn_modes){.visits = e.data, .n = e.cols, .chains = e.rows};
    if (cs_report_view_find(&g->modes, "weight", &e) && e.cols == m->n)
        m->weight = e.data;
}

static void gather_ladder(cs_run *run, size_t arm, const cs_flat *reported,
                          gathered *g)
{
    cs_flat_entry hot, swaps, trips;
    g->ladder = cs_report_view_open(run, arm, "kernel", reported);
    if (cs_report_view_find(&g->ladder, "temperature", &hot) && hot.data &&
        cs_report_view_find(&g->ladder, "swaps", &swaps) && swaps.data &&
        cs_report_view_find(&g->ladder, "trips", &trips) && trips.data)
        g->f.ladder = (cs_warn_ladder){.temperature = hot.data,
                                       .swaps = swaps.data,
                                       .n = swaps.cols,
                                       .trips = trips.data[0]};
}

/* Adds the warnings from the draws, and finds the worst figures. */
static void gather_draws(cs_run *run, size_t arm, const cs_flat *reported,
                         cs_warn_facts *f, cs_warnings *w)
{
    cs_report_view l = cs_report_view_open(run, arm, "diagnostics", reported);
    cs_flat_entry table, lines, names;
    bool there = cs_report_view_find(&l, "table", &table);
    const cs_figures *row = there ? CS_ENTRY_ROWS(table, cs_figures) : NULL;
    if (cs_report_view_find(&l, "words", &lines) && lines.text &&
        cs_report_view_find(&l, "warned", &names) && names.text)
        cs_warnings_read(w, lines.text, names.text);
    else if (!reported)
        cs_warnings_read(w, "the run has no probe diagnostics\n", "undefined");
    f->worst = (cs_warn_worst){.rhat = 1, .size = (double)NAN};
    for (size_t k = 0; row && k < table.rows; k++) {
        double size = isnan(row[k].bulk) ? row[k].ess : row[k].bulk;
        f->worst.size = fmin(f->worst.size, size);
        f->worst.rhat = fmax(f->worst.rhat, row[k].rhat);
    }
    cs_report_view_close(&l);
}

/* ---- the kernel ---------------------------------------------------------- */

/* Returns the value of the parameter `step`; NAN if the kernel has none or if a
 * schedule drives it. */
static double step_of(const cs_arm_view *v)
{
    const cs_kernel_type *type = v->kernel->type;
    int step = cs_param_find(type->params, type->n_params, "step");
    return step >= 0 && !v->plan->driven[step] ? v->kernel->values[step]
                                               : (double)NAN;
}

/* Returns true if the kernel is written in a script and has not been
 * checked. */
static bool is_unchecked(const cs_run *run, size_t arm, const cs_kernel *kernel)
{
    const unsigned own = CS_KERNEL_MAIN_THREAD | CS_KERNEL_HIDDEN;
    return (kernel->type->flags & own) == own && !cs_run_is_recorded(run) &&
           !cs_run_checked(run, arm);
}

/* Returns the step at which an adaptive kernel stops adapting; 0: it does not
 * adapt. */
static double adapts_until(const cs_kernel *kernel)
{
    const cs_kernel_type *type = kernel->type;
    int adapt = cs_param_find(type->params, type->n_params, "adapt");
    return adapt < 0 ? 0 : kernel->values[adapt];
}

static void gather(cs_run *run, size_t arm, const cs_flat *reported,
                   gathered *g, cs_warnings *w)
{
    const cs_arm_view v = cs_run_arm(run, arm);
    const cs_target *target = cs_run_target(run);
    cs_warn_facts *f = &g->f;
    *f = (cs_warn_facts){
        .arm = v.name,
        .kernel = v.kernel,
        .exact = cs_kernel_is_exact(v.kernel, target),
        .ended = !reported,
        .finished = v.finished,
        .warming = v.tuning.active,
        .tuned = v.tuning.tuner && cs_tuner_finds(v.tuning.tuner),
        .one_place = cs_run_one_place(run),
        .unchecked = is_unchecked(run, arm, v.kernel),
        .broken = cs_run_broken(run, arm),
        .adapts = adapts_until(v.kernel),
        .warmup = v.warmup_steps,
        .loses_weights = cs_run_loses_weights(run, arm),
        .chains = v.chains,
        .group = v.group,
        .dim = target->space.dim,
        .steps = v.steps,
        .files = cs_run_files(run, arm),
        .budget = cs_run_budget(run)->steps,
        .step = step_of(&v),
        .best = cs_kernel_acceptance(v.kernel->type, target->space.dim),
        .heat = 1,
    };
    if (cs_kernel_heat(v.kernel) != 1 && cs_has_law(run, arm, reported))
        f->heat = cs_kernel_heat(v.kernel);
    gather_counts(run, arm, g);
    gather_modes(run, arm, reported, g);
    gather_ladder(run, arm, reported, g);
    gather_draws(run, arm, reported, f, w);
    f->n_distances =
        cs_off_law(run, arm, reported, f->distance, CS_WARN_DISTANCES);
    /* exact means are compared only if no distance to an exact law was found to
     * be too large, because such a distance is stronger evidence */
    cs_witnesses_words(run, arm, f->n_distances == 0, &g->differs, &g->apart,
                       &g->biased);
    f->differs = g->differs.text;
    f->apart = g->apart.text;
    f->biased = g->biased.text;
    if (cs_run_loose_bounds(run, arm, g->rows, sizeof g->rows))
        f->rows = g->rows;
    if (f->ended)
        cs_find_evidence(run, arm, f);
}

static void release(gathered *g)
{
    cs_report_view_close(&g->modes);
    cs_report_view_close(&g->ladder);
    CS_FREE_ALL(g->stops.text, g->differs.text, g->apart.text, g->biased.text);
}

cs_warnings cs_arm_warnings(cs_run *run, size_t arm, const cs_flat *reported)
{
    cs_warnings w = {0};
    gathered g = {0};
    if (reported && cs_run_arm(run, arm).steps == 0) {
        g.f.broken = cs_run_broken(run, arm);
        cs_warnings_find_kind(&w, "check", &g.f);
        return w;
    }
    gather(run, arm, reported, &g, &w);
    cs_warnings_find(&w, &g.f);
    cs_warnings_settle(&w);
    release(&g);
    return w;
}

void cs_arm_words(cs_run *run, size_t arm, const cs_flat *reported, cs_page *p)
{
    cs_warnings w = cs_arm_warnings(run, arm, reported);
    cs_warnings_put(&w, p, NULL);
    cs_warnings_free(&w);
}

bool cs_arm_is_off(cs_run *run, size_t arm, const cs_flat *reported)
{
    cs_warn_distance some;
    return cs_witnesses_off(run, arm) ||
           cs_off_law(run, arm, reported, &some, 1) > 0;
}
