/* Publishes snapshots: the data that the screen reads, with the keys of
 * session/client/snapshot.h. */
#include "session/publish/publish.h"

#include "base/clock.h"
#include "base/count.h"
#include "base/hash.h"
#include "base/memory.h"
#include "io/lesson.h"
#include "kernel/member_metrics.h"
#include "run/arms/arms.h"
#include "run/arms/limits.h"
#include "run/history/changes.h"
#include "run/history/event_list.h"
#include "run/history/script_memory.h"
#include "run/preview/step_path.h"
#include "run/summary/arm_failures.h"
#include "run/summary/rows_drawn.h"
#include "run/summary/witnesses.h"
#include "run/tuning/tuning_view.h"
#include "run/views/fingerprint.h"
#include "run/views/reports.h"
#include "run/views/stopped.h"
#include "run/views/view.h"
#include "session/client/shell_words.h"
#include "session/client/snapshot_rows.h"
#include "session/state/opened.h"
#include "session/state/session_state.h"
#include "targets/real/mixture.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    NAMES = 64,
    MOST_NAMES = 256,
    EVENTS = 256,
    SETS = 1 << 15,
    TRIALS = 600
};

static const char *state_name(const cs_session *s)
{
    if (!s->open.run)
        return "empty";
    if (s->move.running)
        return "running";
    if (s->move.waits)
        return "waiting";
    if (s->move.failed)
        return "failed";
    if (!cs_run_finished(s->open.run))
        return "paused";
    return cs_run_lives(s->open.run) ? "done" : "failed";
}

/* Returns the share of the budget that an arm has used. If there is no budget,
 * returns NAN. */
static double share(const cs_run *r, const cs_arm_view *arm)
{
    const cs_budget *b = cs_run_budget(r);
    const double limit[] = {(double)b->steps, (double)b->gradients,
                            (double)b->log_densities, (double)b->data_terms,
                            b->seconds};
    const double used[] = {(double)arm->steps, (double)arm->work.gradients,
                           (double)arm->work.log_densities,
                           (double)arm->work.data_terms, cs_run_seconds(r)};
    double most = NAN;
    for (size_t i = 0; i < sizeof limit / sizeof *limit; i++)
        if (limit[i] > 0)
            most = fmax(most, fmin(used[i] / limit[i], 1));
    return most;
}

static double progress(const cs_run *r)
{
    double least = NAN, most = NAN;
    for (size_t i = 0; i < cs_run_arms(r); i++) {
        cs_arm_view arm = cs_run_arm(r, i);
        double part = share(r, &arm);
        most = fmax(most, part);
        if (cs_run_arm_lives(r, i))
            least = fmin(least, arm.finished && !isnan(part) ? 1 : part);
    }
    return cs_run_lives(r) ? least : most;
}

/* Returns the progress of the slowest tuner, 0 to 1. */
static double tuned(const cs_run *r)
{
    double least = 1;
    for (size_t i = 0; i < cs_run_arms(r); i++) {
        cs_arm_view arm = cs_run_arm(r, i);
        if (arm.own.end)
            least = fmin(least, arm.tuning.part);
    }
    return least;
}

static double measure_rate(cs_session *s)
{
    double now = cs_clock(), steps = 0;
    for (size_t i = 0; i < cs_run_arms(s->open.run); i++) {
        cs_arm_view arm = cs_run_arm(s->open.run, i);
        steps += (double)arm.steps * (double)(arm.own.end - arm.own.first);
    }
    double passed = now - s->show.rate_time;
    if (!s->move.running)
        return 0;
    if (s->show.rate_time == 0 || steps < s->show.rate_steps) {
        s->show.rate_time = now;
        s->show.rate_steps = steps;
    } else if (passed >= 1 || (s->show.rate == 0 && passed > 0.05)) {
        s->show.rate = (steps - s->show.rate_steps) / passed;
        s->show.rate_time = now;
        s->show.rate_steps = steps;
    }
    return s->show.rate;
}

/* Returns a number that changes when the journal or the run changes. */
static double sign_of_journal(const cs_session *s)
{
    const cs_change *change;
    size_t n = cs_run_journal(s->open.run, &change);
    uint64_t h = cs_hash_word(n, cs_run_seed(s->open.run));
    h = cs_hash_word(h, cs_inputs_mark(s->open.inputs));
    h = cs_digest(h, s->open.file, strlen(s->open.file));
    for (size_t i = 0; i < s->sets.n; i++)
        h = cs_digest(h, s->sets.set[i], strlen(s->sets.set[i]));
    if (s->course.lines.text) /* the journal has the answers of a lesson */
        h = cs_digest(h, s->course.lines.text, s->course.lines.used);
    for (size_t i = 0; i < n; i++) {
        h = cs_hash_word(h, change[i].step);
        h = cs_hash_word(h, change[i].arm);
        h = cs_digest(h, change[i].what, strlen(change[i].what));
        h = cs_digest(h, &change[i].value, sizeof change[i].value);
    }
    h = cs_hash_word(h, cs_run_remembered_sign(s->open.run));
    h = cs_digest(h, s->course.lines.text, s->course.lines.used);
    return (double)(h >> 11);
}

/* Publishes the options with which the run was opened, so that the front can
 * open similar runs. */
static void put_opened(const cs_session *s, cs_flat *f)
{
    char words[SETS] = "";
    size_t at = 0;
    bool fits = true;
    uint64_t h = cs_digest(0, s->open.file, strlen(s->open.file));
    if (s->open.scenario)
        h = cs_digest(h, s->open.scenario, strlen(s->open.scenario));
    for (size_t i = 0; i < s->sets.n; i++) {
        if (strncmp(s->sets.set[i], "seed=", 5) != 0)
            h = cs_digest(h, s->sets.set[i], strlen(s->sets.set[i]) + 1);
        if (at && at + 1 < sizeof words)
            words[at++] = ' ';
        fits = fits &&
               cs_words_quote(s->sets.set[i], words + at, sizeof words - at);
        at += fits ? strlen(words + at) : 0;
    }
    if (fits)
        cs_flat_text(f, words, "run/sets");
    cs_flat_number(f, (double)(h >> 11), "run/opened");
}

/* Puts the progress, and the seconds left: at the speed so far, or at the speed
 * that was asked for if it is lower. */
static void put_progress(const cs_session *s, cs_flat *f)
{
    const cs_run *r = s->open.run;
    double done = cs_run_lifted(r) ? (double)NAN : progress(r);
    double left = (1 - done) / done, seconds = left * cs_run_seconds(r);
    double steps = left * (double)cs_run_steps(r);
    if (s->move.speed > 0)
        seconds = fmax(seconds, steps / s->move.speed);
    cs_flat_number(f, done, "run/progress");
    cs_flat_number(f, tuned(r), "run/tuned");
    cs_flat_number(f, done > 0 ? seconds : (double)NAN, "run/eta");
}

/* Returns the step after which every arm has finished its warm-up. */
static double draws_from(const cs_run *r)
{
    uint64_t from = 0;
    for (size_t i = 0; i < cs_run_arms(r); i++)
        if (cs_run_arm(r, i).warmup_steps > from)
            from = cs_run_arm(r, i).warmup_steps;
    return (double)from;
}

static void put_panels(const cs_session *s, cs_flat *f)
{
    char panels[CS_OPENED_PANELS * (CS_OPENED_PANEL + 1) + 1] = "";
    size_t at = 0;
    for (size_t i = 0; i < s->open.n_panels; i++)
        at += (size_t)snprintf(panels + at, sizeof panels - at, "%s%s",
                               i ? " " : "", s->open.panel[i]);
    cs_flat_text(f, panels, "run/panels");
}

static void put_run(cs_session *s, cs_flat *f)
{
    cs_run *r = s->open.run;
    const cs_target *t = cs_run_target(r);
    cs_flat_text(f, s->open.title, "run/title");
    cs_flat_text(f, s->open.shows, "run/shows");
    cs_flat_text(f, s->open.source, "run/source");
    cs_flat_text(f, s->open.file, "run/file");
    cs_flat_text(f, s->open.watch ? s->open.file : "", "run/watched");
    cs_flat_number(f, cs_opened_differs(&s->open), "run/differs");
    put_opened(s, f);
    char lesson[CS_LESSON_BYTES] = "";
    if (s->open.scenario)
        cs_lesson_of(s->open.scenario, lesson, sizeof lesson);
    cs_flat_text(f, lesson, "run/lesson");
    cs_flat_text(f, t->name, "run/target");
    char doubt[256] = "";
    if (t->type->outside.unsteady)
        t->type->outside.unsteady(t, doubt, sizeof doubt);
    cs_flat_text(f, doubt, "run/unsteady");
    cs_flat_text(f, cs_space_name(t->space.kind), "run/space");
    cs_flat_number(f, (double)cs_run_steps(r), "run/steps");
    cs_flat_number(f, cs_run_settle(r, 0), "run/settled");
    cs_flat_number(f,
                   cs_own_is_current(&s->own, s->open.run) &&
                       cs_background_reports_is_current(s->reports, r,
                                                        cs_session_reports, s),
                   "run/reported");
    cs_flat_number(f, (double)cs_run_seed(r), "run/seed");
    char name[24] = "";
    if (!s->open.watch)
        snprintf(name, sizeof name, "%016llx",
                 (unsigned long long)cs_run_identity(r));
    cs_flat_text(f, name, "run/name");
    cs_flat_number(f, (double)t->space.dim, "run/dim");
    cs_flat_number(f, cs_run_seconds(r), "run/seconds");
    cs_flat_number(f, measure_rate(s), "run/rate");
    cs_flat_number(f, (double)cs_session_oldest(s), "run/oldest");
    cs_flat_number(f, (double)cs_session_end(s), "run/end");
    cs_flat_number(f, sign_of_journal(s), "run/journal");
    cs_flat_number(f, (double)s->back.changes, "run/changes");
    put_progress(s, f);
    cs_flat_number(f, draws_from(r), "run/draws_from");
    cs_flat_number(f, (double)cs_run_arms(r), "run/arms");
    put_panels(s, f);
}

/* Publishes the hills of a landscape, if the command `hill` can edit the
 * landscape. */
static void put_hills(const cs_target *t, cs_flat *f)
{
    const cs_mixture *m = cs_mixture_of(t);
    if (!m || t->space.dim != 2)
        return;
    cs_row_hill *row = CS_FLAT_ROWS(f, cs_row_hill, m->n, CS_KEY_HILLS);
    for (size_t k = 0; row && k < m->n; k++)
        row[k] = (cs_row_hill){m->means[2 * k], m->means[2 * k + 1], m->sd[k],
                               m->weight[k]};
}

static void put_target(const cs_target *t, cs_flat *f)
{
    char names[MOST_NAMES * 32] = "";
    bool named = t->outputs.n || t->type->coordinate;
    size_t at = 0, most = named ? MOST_NAMES : NAMES;
    for (size_t i = 0; i < cs_target_shown(t) && i < most; i++) {
        char name[32];
        cs_target_coordinate(t, i, name, sizeof name);
        at += (size_t)snprintf(names + at, sizeof names - at, "%s%s",
                               i ? " " : "", name);
    }
    cs_flat_text(f, names, "coordinates");
    cs_session_put_shown(t, f);
    put_hills(t, f);
    const cs_exact *e = &t->exact;
    if (e->n_modes && e->modes) {
        double *modes =
            cs_flat_array(f, e->n_modes, t->space.dim, "target/modes");
        if (modes)
            memcpy(modes, e->modes, e->n_modes * t->space.dim * sizeof *modes);
    }
}

/* Adds the standard deviations of a metric to the range self[2]. */
static void add_range(void *self, const char *path, const cs_metric *g)
{
    double *range = self;
    (void)path;
    for (size_t k = 0; g && k < g->dim; k++) {
        range[0] = fmin(range[0], g->sd[k]);
        range[1] = fmax(range[1], g->sd[k]);
    }
}

/* Publishes the metric, or those of the members, that a tuner has estimated so
 * far. */
static void put_metric(const cs_arm_view *arm, size_t i, cs_flat *f)
{
    double range[2] = {HUGE_VAL, -HUGE_VAL};
    cs_page p = {0};
    cs_metric_put_kind(arm->kernel, arm->metric, &p);
    cs_flat_text(f, p.text && !p.full ? p.text : "", "arm/%zu/metric", i);
    cs_free(p.text);
    if (arm->kernel->type->composes)
        cs_composed_show_metrics(arm->kernel, arm->metric, add_range, range);
    else
        add_range(range, "", arm->metric);
    double *to = cs_flat_array(f, 1, 2, "arm/%zu/metric/sd", i);
    for (size_t k = 0; to && k < 2; k++)
        to[k] = range[0] > range[1] ? 1 : range[k];
}

/* Publishes the tuner and its newest trials. */
static void put_tuner(const cs_arm_view *arm, size_t i, cs_flat *f)
{
    const cs_tuning_view *g = &arm->tuning;
    if (!g->tuner || !cs_tuner_finds(g->tuner))
        return;
    const cs_tuner *t = g->tuner;
    int target =
        cs_param_find(t->type->params, t->type->n_params, "acceptance");
    cs_flat_text(f, t->type->name, "arm/%zu/tuner", i);
    cs_flat_number(f, g->active, "arm/%zu/tuner/active", i);
    cs_flat_number(f, g->part, "arm/%zu/tuner/part", i);
    cs_flat_number(f, (double)g->steps, "arm/%zu/tuner/steps", i);
    cs_flat_number(f, target < 0 ? (double)NAN : t->values[target],
                   "arm/%zu/tuner/target", i);
    cs_flat_number(f, (double)t->n_driven, "arm/%zu/tuner/driven", i);
    for (size_t k = 0; k < t->n_driven; k++)
        cs_flat_number(f, (double)t->param[k], "arm/%zu/tuner/param/%zu", i, k);
    for (size_t k = 0; t->type->phases[k]; k++)
        cs_flat_text(f, t->type->phases[k], "arm/%zu/tuner/phase/%zu", i, k);
    if (t->n_parts)
        put_metric(arm, i, f);
    size_t n = g->n_trials < TRIALS ? g->n_trials : TRIALS;
    const cs_trial_view *row = g->trial + (g->n_trials - n);
    cs_row_trial *to = CS_FLAT_ROWS(f, cs_row_trial, n, CS_KEY_TRIALS, i);
    for (size_t k = 0; to && k < n; k++, row++) {
        to[k] = (cs_row_trial){.phase = (double)row->phase,
                               .acceptance = row->acceptance,
                               .taken = row->taken};
        _Static_assert(sizeof to->value == sizeof row->value,
                       "CS_ROW_DRIVEN is CS_TUNER_DRIVEN");
        memcpy(to[k].value, row->value, sizeof row->value);
    }
}

/* Formats a list of numbers: "9 numbers: 0, 0.5, 1 ...". */
static void spell_list(const double *x, size_t n, char *text, size_t size)
{
    enum { SHOWN = 3 };
    size_t used = (size_t)snprintf(text, size, "%zu numbers:", n);
    for (size_t i = 0; i < n && i < SHOWN; i++)
        used += (size_t)snprintf(text + used, size - used, "%s %.6g",
                                 i ? "," : "", x[i]);
    snprintf(text + used, size - used, "%s", n > SHOWN ? " ..." : "");
}

/* Publishes the lists of numbers that are values of the kernel's parameters. */
static void put_lists(const cs_kernel *k, size_t arm, cs_flat *f)
{
    const cs_kernel_type *type = k->type;
    for (size_t i = 0, given = 0, n; i < type->n_lists; i++) {
        char text[128];
        const double *x = cs_kernel_list(k, i, &n);
        if (!x)
            continue;
        spell_list(x, n, text, sizeof text);
        cs_flat_text(f, type->params[type->n_params + i].name,
                     "arm/%zu/list/%zu/name", arm, given);
        cs_flat_text(f, text, "arm/%zu/list/%zu/text", arm, given++);
    }
}

static void put_arm(const cs_session *s, size_t i,
                    const cs_arm_failures *trouble, cs_flat *f)
{
    cs_run *r = s->open.run;
    cs_arm_view arm = cs_run_arm(r, i);
    const cs_kernel_type *type = arm.kernel->type;
    cs_flat_text(f, arm.name, "arm/%zu/name", i);
    cs_flat_text(f, type->name, "arm/%zu/kernel", i);
    cs_flat_text(f, type->title, "arm/%zu/title", i);
    cs_flat_text(f, cs_logp_name(arm.logp), "arm/%zu/logp", i);
    char loose[512] = "";
    cs_run_loose_bounds(r, i, loose, sizeof loose);
    cs_flat_text(f, loose, "arm/%zu/loose", i);
    const struct {
        const char *key;
        double value;
    } numbers[] = {
        {"exact", cs_kernel_is_exact(arm.kernel, cs_run_target(r))},
        {"chains", (double)arm.chains},
        {"group", (double)cs_kernel_group(arm.kernel)},
        {"steps", (double)arm.steps},
        {"warm_up", (double)arm.warmup_steps},
        {"tuned", arm.tuning.part},
        {"seconds", s->open.watch ? 0 : arm.seconds},
        {"expected_rows", cs_run_expected_rows(r, i)},
        {"finished", arm.finished},
        {"failed", (double)trouble->stopped},
        {"divergent", trouble->divergent},
        {"not_finite", trouble->not_finite},
        {"log_densities", (double)arm.work.log_densities},
        {"gradients", (double)arm.work.gradients},
        {"site_differences", (double)arm.work.site_differences},
        {"data_terms", (double)arm.work.data_terms},
        {"simulations", (double)arm.work.simulations},
        {"site_updates", (double)arm.work.site_updates},
        {"observed_log_densities", (double)arm.observed.log_densities},
        {"observed_data_terms", (double)arm.observed.data_terms},
        {"evaluations", cs_work_evaluations(&arm.work, cs_run_target(r))},
        {"passes", cs_work_passes(&arm.work, cs_run_target(r), arm.chains)},
    };
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        cs_flat_number(f, numbers[k].value, "arm/%zu/%s", i, numbers[k].key);
    cs_session_put_params(r, i, f);
    cs_flat_text(f, cs_checked_mark(&s->checked, arm.name), "arm/%zu/broken",
                 i);
    char held[128];
    cs_session_held(s, i, held, sizeof held);
    cs_flat_text(f, held, "arm/%zu/held", i);
    put_lists(arm.kernel, i, f);
    put_tuner(&arm, i, f);
}

/* Publishes all arms. Space for the sums over arms is reserved first, so that
 * the sums are published even if the snapshot has no room for all arms. */
static void put_arms(const cs_session *s, cs_flat *f)
{
    double *chains = cs_flat_array(f, 1, 1, "run/chains");
    double *failed = cs_flat_array(f, 1, 1, "run/failed");
    double *lost = cs_flat_array(f, 1, 1, "run/lost");
    for (size_t i = 0; i < cs_run_arms(s->open.run); i++) {
        const cs_arm_failures trouble = cs_arm_failures_of(s->open.run, i);
        put_arm(s, i, &trouble, f);
        if (!chains || !failed || !lost)
            continue;
        const cs_warn_files files = cs_run_files(s->open.run, i);
        *lost += (double)(files.left_out + files.damaged);
        *chains += (double)trouble.chains;
        *failed += (double)trouble.stopped;
    }
}

/* Publishes the auxiliary variables of the kernel, for example theta_a. */
static void put_aux(const cs_run *r, const cs_arm_view *arm,
                    const cs_chain_view *c, cs_flat *f)
{
    char names[128] = "";
    size_t used = 0, k = 0;
    const cs_target *t = cs_run_target(r);
    cs_aux_rows aux;
    for (; used + 64 < sizeof names && cs_kernel_aux(arm->kernel, t, k, &aux);
         k++) {
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%.60s",
                                 k ? " " : "", aux.variable->name);
        double *to = cs_flat_array(f, 1, aux.rows, "look/own/%zu", k);
        if (to)
            cs_kernel_aux_show(&aux, t, c->aux, c->aux_stride, to);
        to = c->aux_proposal
                 ? cs_flat_array(f, 1, aux.rows, "look/own/%zu/proposal", k)
                 : NULL;
        if (to)
            cs_kernel_aux_show(&aux, t, c->aux_proposal, c->aux_stride, to);
    }
    if (k)
        cs_flat_text(f, names, "look/own");
}

/* Publishes the noise in a step of the selected chain. Publishes nothing if the
 * target displays other quantities than the coordinates in which chains
 * move. */
static void put_noise(cs_session *s, cs_flat *f)
{
    enum { MOST = 32 };
    const cs_run *r = s->open.run;
    const cs_target *t = cs_run_target(r);
    size_t n = t->space.dim < MOST ? t->space.dim : MOST;
    double gradient[MOST * MOST], injected[MOST];
    if (t->outputs.n ||
        !cs_run_noise(r, s->look.arm, s->look.chain, n, gradient, injected))
        return;
    double *to = cs_flat_array(f, n, n, "look/noise/gradient");
    if (to)
        memcpy(to, gradient, n * n * sizeof *to);
    to = cs_flat_array(f, 1, n, "look/noise/injected");
    if (to)
        memcpy(to, injected, n * sizeof *to);
}

/* Publishes the path of the next step while the run is paused, for a kernel
 * that evaluates several points along a path. */
static void put_path(cs_session *s, size_t shown, cs_flat *f)
{
    enum { MOST = 256, WIDE = 64 };
    cs_arm_view arm = cs_run_arm(s->open.run, s->look.arm);
    const cs_kernel_type *type = arm.kernel->type;
    size_t n, capacity = MOST;
    if (s->move.running || !cs_session_is_quick(s) || shown > WIDE ||
        cs_run_finished(s->open.run) ||
        !cs_space_is_real(&cs_run_target(s->open.run)->space))
        return;
    double *point = cs_alloc((capacity + 1) * shown, sizeof *point);
    if (point &&
        cs_run_path(s->open.run, s->look.arm, s->look.chain, capacity, point,
                    &n, point + capacity * shown) &&
        n > 1) {
        size_t kept = n < capacity ? n : capacity;
        double *to = cs_flat_array(f, kept, shown, "look/path");
        if (to)
            memcpy(to, point, kept * shown * sizeof *to);
        to = cs_flat_array(f, 1, shown, "look/path/end");
        if (to)
            memcpy(to, point + capacity * shown, shown * sizeof *to);
        cs_flat_number(f, (double)n, "look/path/points");
        cs_flat_number(f, (type->flags & CS_KERNEL_ACCEPT_STAT) != 0,
                       "look/path/doubles");
    }
    cs_free(point);
}

/* Publishes the trajectory of the last step, for a kernel that draws a point
 * from a trajectory. */
static void put_tree(cs_session *s, cs_flat *f)
{
    static const char *const column[] = {"treedepth__", "n_leapfrog__",
                                         "divergent__"};
    const cs_run *r = s->open.run;
    const cs_kernel_type *type = cs_run_arm(r, s->look.arm).kernel->type;
    cs_lane_view at = cs_run_lane(r, s->look.arm, s->look.chain);
    if (!(type->flags & CS_KERNEL_ACCEPT_STAT) || !at.stat)
        return;
    double *to = cs_flat_array(f, 1, 4, "look/tree");
    for (size_t k = 0; to && k < 3; k++)
        for (size_t i = 0; type->stats && type->stats[i]; i++)
            if (strcmp(type->stats[i], column[k]) == 0)
                to[k] = at.stat[i * at.stride];
    if (to)
        to[3] = at.accept_stat;
}

/* Returns true if the decision is empty because the chain has made no step
 * since it was transferred to this run. */
static bool is_blank(const cs_decision *d)
{
    return d->accepted == 0 && d->log_uniform == 0 && d->failed_at == 0;
}

/* Publishes the last step of every chain of the arm, if at least one chain has
 * made a step. */
static void put_steps(cs_session *s, size_t chains, cs_flat *f)
{
    bool any = false;
    for (size_t i = 0; i < chains && !any; i++) {
        cs_decision last = cs_run_decision(s->open.run, s->look.arm, i).last;
        any = !is_blank(&last);
    }
    cs_decision *step =
        any ? CS_FLAT_ROWS(f, cs_decision, chains, CS_KEY_STEPS) : NULL;
    for (size_t i = 0; step && i < chains; i++)
        step[i] = cs_run_decision(s->open.run, s->look.arm, i).last;
}

static void put_look(cs_session *s, cs_flat *f)
{
    cs_row_look *at = CS_FLAT_ROWS(f, cs_row_look, 1, CS_KEY_LOOK);
    if (at)
        *at = (cs_row_look){(double)s->look.arm, (double)s->look.chain,
                            (double)s->look.coordinate};
    size_t dim = cs_target_shown(cs_run_target(s->open.run));
    cs_chain_view c = cs_run_chain(s->open.run, s->look.arm, s->look.chain);
    double *x = cs_flat_array(f, 1, dim, "look/x");
    if (x && c.shown)
        memcpy(x, c.shown, dim * sizeof *x);
    x = c.shown_proposal ? cs_flat_array(f, 1, dim, "look/proposal") : NULL;
    if (x)
        memcpy(x, c.shown_proposal, dim * sizeof *x);
    char fault[512] = "";
    cs_run_chain_fault(s->open.run, s->look.arm, s->look.chain, fault,
                       sizeof fault);
    cs_flat_text(f, fault, "look/fault");
    cs_arm_view arm = cs_run_arm(s->open.run, s->look.arm);
    put_aux(s->open.run, &arm, &c, f);
    cs_session_put_truth(s, &c, f);
    put_noise(s, f);
    put_path(s, dim, f);
    cs_session_put_preview(s, f);
    cs_session_put_turns(s, f);
    put_tree(s, f);
    cs_session_put_ratios(s, f);
    cs_session_put_data(s, f);
    cs_decision *step = CS_FLAT_ROWS(f, cs_decision, 1, CS_KEY_STEP);
    if (step)
        *step = c.last;
    put_steps(s, arm.chains, f);
}

/* Publishes the events that the timeline shows. */
static void put_moments(cs_session *s, cs_flat *f)
{
    const cs_history *m = &s->breaks.history;
    double count[CS_EVENT_KINDS];
    cs_history_follow(&s->breaks.history, s->open.run, cs_session_end(s));
    cs_row_moment *to = CS_FLAT_ROWS(f, cs_row_moment, m->n, CS_KEY_MOMENTS);
    for (size_t i = 0; to && i < m->n; i++)
        to[i] = (cs_row_moment){
            .step = (double)m->at[i].step,
            .kind = m->at[i].kind,
            .arm = m->at[i].arm == CS_EVERY ? -1 : (double)m->at[i].arm};
    cs_run_count_events(s->open.run, count);
    double *of = cs_flat_array(f, 1, CS_EVENT_KINDS, "moment/counts");
    if (of)
        memcpy(of, count, sizeof count);
    cs_flat_number(f, (double)s->breaks.shown, "look/chosen");
    cs_flat_number(f, (double)s->breaks.holds, "run/held");
    cs_flat_number(f, (double)s->breaks.n, "run/breaks");
}

static void put_events(const cs_run *r, cs_flat *f)
{
    const cs_change *change;
    size_t n = cs_run_journal(r, &change);
    size_t kept = n < EVENTS ? n : EVENTS;
    if (!kept)
        return;
    cs_row_event *to = CS_FLAT_ROWS(f, cs_row_event, kept, CS_KEY_EVENTS);
    for (size_t i = 0; to && i < kept; i++)
        to[i] = (cs_row_event){(double)change[n - kept + i].step,
                               (double)change[n - kept + i].arm};
    const cs_change *last = &change[n - 1];
    char text[160], value[40];
    snprintf(value, sizeof value, "%.6g", last->value);
    if (last->arm == CS_NO_ARM) {
        snprintf(text, sizeof text, "step %s: run.%s = %s",
                 cs_count((double)last->step).text, last->what, value);
        cs_flat_text(f, text, "event/text");
        return;
    }
    cs_arm_view arm = cs_run_arm(r, last->arm);
    const cs_kernel_type *type = arm.kernel->type;
    int row = cs_param_find(type->params, type->n_params, last->what);
    if (row >= 0)
        cs_param_text(&type->params[row], last->value, value, sizeof value);
    snprintf(text, sizeof text, "step %s: %s.%s = %s",
             cs_count((double)last->step).text, arm.name, last->what, value);
    cs_flat_text(f, text, "event/text");
}

/* Publishes the reports of arm i that visible panels read. Costly reports are
 * taken from session/state/background_reports.h. */
static void put_reports(cs_session *s, size_t i, cs_flat *f)
{
    cs_run *r = s->open.run;
    const cs_probe_type *type;
    size_t p = 0;
    for (; (type = cs_run_probe(r, p)); p++) {
        if (!cs_session_reports(s, type->name))
            continue;
        if (type->costly)
            cs_background_reports_put(s->reports, r, i, p, f);
        else
            cs_run_glance(r, i, p, f);
    }
    /* p is now the number of probes, so this writes the kernel's report */
    cs_run_glance(r, i, p, f);
    if (cs_session_reports(s, CS_DRAWS_REPORT))
        cs_background_reports_put(s->reports, r, i, p, f);
}

/* Publishes "disagrees with `NAME`" for each arm that differs from another arm.
 * For the run, publishes the first pair of arms that differ. An arm that has
 * broken a law is not used as a reference. Differences from an exact answer are
 * published elsewhere. */
static void put_disagreements(const cs_session *s, const cs_witnesses *w,
                              cs_flat *f)
{
    const cs_run *r = s->open.run;
    bool reported = false;
    for (size_t i = 0; i < w->n; i++) {
        const cs_disagreement *d = &w->found[i];
        char text[200];
        if (!cs_witnesses_accuse(d) || d->b == CS_EXACT_ANSWER ||
            *cs_checked_mark(&s->checked, cs_run_arm_name(r, d->a)) ||
            *cs_checked_mark(&s->checked, cs_run_arm_name(r, d->b)))
            continue;
        for (int k = 0; k < 2; k++) {
            snprintf(text, sizeof text, "disagrees with `%s`",
                     cs_run_arm_name(r, k ? d->a : d->b));
            cs_flat_text(f, text, "arm/%zu/apart", k ? d->b : d->a);
        }
        snprintf(text, sizeof text,
                 "%s differs between `%s` and `%s` by %.3g standard errors",
                 d->what, cs_run_arm_name(r, d->a), cs_run_arm_name(r, d->b),
                 d->apart);
        if (!reported)
            cs_flat_text(f, text, "run/apart");
        reported = true;
    }
}

/* Compares the arms if their reports will not change soon. While the run is
 * paused, the report of each arm arrives separately, and comparing all arms
 * after each report would delay the next picture. */
static const cs_witnesses *compare(const cs_session *s, const cs_flat *reported)
{
    cs_run *r = s->open.run;
    bool follow = !s->move.running && !cs_background_reports_is_current(
                                          s->reports, r, cs_session_reports, s);
    return follow ? cs_witnesses_last(r) : cs_witnesses_look(r, reported);
}

/* Publishes reports and warnings of all arms. The warnings of an arm are found
 * from this arm's part of the table only. A search through the reports of all
 * arms would take most of the time of a snapshot if there are a hundred
 * arms. */
static void put_reports_and_words(cs_session *s, cs_flat *f)
{
    size_t n = cs_run_arms(s->open.run);
    cs_flat *reported = cs_alloc(n, sizeof *reported);
    for (size_t i = 0; i < n; i++) {
        size_t from = f->used;
        put_reports(s, i, f);
        if (reported)
            reported[i] =
                (cs_flat){.base = f->base + from, .used = f->used - from};
    }
    if (reported && cs_run_steps(s->open.run) > 0)
        put_disagreements(s, compare(s, reported), f);
    for (size_t i = 0; reported && i < n; i++)
        cs_session_put_warnings(s, i, &reported[i], f);
    cs_free(reported);
}

void cs_session_publish(cs_session *s)
{
    assert(!s->open.run || s->look.arm < cs_run_arms(s->open.run));
    cs_flat f;
    cs_snapshot_begin(&s->front.end, &f);
    cs_flat_text(&f, state_name(s), "run/state");
    cs_flat_number(&f,
                   s->move.calling / fmax(cs_clock() - s->move.speed_from, 0.1),
                   "run/calling");
    cs_flat_number(&f,
                   s->move.slow_until ? CS_SLOW
                   : s->move.pace > 0 ? s->move.pace
                                      : s->move.speed,
                   "run/speed");
    cs_flat_number(&f, s->move.slow_until > 0, "run/slow");
    if (s->open.run)
        cs_flat_number(&f, cs_session_turns(s), "run/turns");
    cs_flat_number(&f, s->show.overfull, "run/overfull");
    cs_flat_text(&f, s->reported.newest, "run/message");
    cs_flat_number(&f, (double)s->reported.n, "run/messages");
    cs_flat_number(&f, (double)s->reported.opening, "run/opening");
    cs_flat_text(&f, s->record ? cs_record_folder(s->record) : "",
                 "run/folder");
    for (uint64_t i = 0; i < CS_SAID && i < s->reported.n; i++)
        cs_flat_text(&f, s->reported.said[i], "run/said/%d", (int)i);
    double *at = cs_flat_array(&f, 1, CS_SAID, "run/said_at");
    if (at)
        memcpy(at, s->reported.said_at, sizeof s->reported.said_at);
    if (s->open.run) {
        put_run(s, &f);
        put_target(cs_run_target(s->open.run), &f);
        put_arms(s, &f);
        put_look(s, &f);
        cs_session_put_pictures(s, &f);
        cs_session_put_line(s, &f);
        cs_own_put(&s->own, &f);
        put_events(s->open.run, &f);
        put_moments(s, &f);
        put_reports_and_words(s, &f);
        cs_session_cover(s, &f);
        cs_session_put_course(s, &f);
    }
    s->show.overfull = f.full;
    cs_snapshot_publish(&s->front.end, &f);
}
