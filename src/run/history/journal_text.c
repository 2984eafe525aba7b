/* Writes the journal as text, and repeats a run from it. The lines have the
 * forms
 *
 * # chainscope journal 3
 * STEP ARM value PARAM NUMBER
 * STEP ARM schedule PARAM SCHEDULE
 * STEP ARM kernel KERNEL
 * STEP ARM metric KIND { NUMBER, ... } [{ NUMBER, ... }, its centre]
 * STEP ARM state CHAIN { NUMBER, ... }
 * STEP ARM script NAME
 * STEP run NAME NUMBER
 * STEP kept HEAD TAIL TEXT
 * STEP end
 *
 * Lines that begin with # are comments for the reader. They contain results of
 * tuners, or "# ahead STEP". The latter means that the run had gone back from
 * that step; changes after the present step are omitted. Numbers, schedules and
 * kernels are written as in chain/kernel_text.h. A change takes effect after
 * STEP steps; arms and chains are numbered from 1. If an object contains a
 * function of a script, only its name is written, and the journal cannot be
 * replayed. Changes of the run itself ("run" lines) are not repeated, with
 * three exceptions. "STEP run beyond_budget STEP" is repeated. "0 run warmup
 * STEPS" (the warm-up) and "0 run most_warmup STEPS" (the limit of tuners) are
 * settings with which the new run must be opened (cli/run.c). "kept" lines are
 * described in run/history/kept_text.h. */
#include "base/memory.h"
#include "base/page.h"
#include "run/arms/run_state.h"
#include "run/history/change.h"
#include "run/history/changes.h"
#include "run/history/kept_text.h"
#include "run/history/run_timeline.h"
#include "run/views/view.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORD = sizeof((cs_change *)0)->what };

static const char title[] = "# chainscope journal ", version[] = "3\n";

/* ---- writing ---- */

static void put_arm_change(cs_page *p, const cs_run *r, const cs_change *c,
                           const cs_redo *how)
{
    if (how->kind == CHANGED_STATE) {
        cs_page_put(p, "state %zu ", how->chain + 1);
        cs_numbers_put(p, how->x, r->target->space.dim);
    } else if (how->kind == CHANGED_METRIC) {
        cs_metric_kind kind = cs_metric_kind_of(how->metric);
        cs_page_put(p, "metric %s ", cs_metric_names[kind]);
        cs_numbers_put(p, how->metric ? how->metric->covariance : NULL,
                       cs_metric_words(kind, r->target->space.dim));
        if (how->metric && how->metric->centre) {
            cs_page_put(p, " ");
            cs_numbers_put(p, how->metric->centre, how->metric->dim);
        }
    } else if (how->kind == CHANGED_VALUE) {
        cs_page_put(p, "value %s ", c->what);
        cs_number_put(p, c->value);
    } else if (how->kind == CHANGED_SCHEDULE &&
               cs_schedule_has_text(&how->schedule)) {
        cs_page_put(p, "schedule %s ", c->what);
        cs_schedule_put(p, &how->schedule);
    } else if (how->kind == CHANGED_KERNEL &&
               cs_kernel_has_text(&how->kernel, how->plan->plan)) {
        cs_page_put(p, "kernel ");
        cs_kernel_put(p, &how->kernel, how->plan->plan);
    } else {
        cs_page_put(p, "script %s", c->what);
    }
}

/* Writes a change as a change of arm number `arm`. */
static void put_change(cs_page *p, const cs_run *r, size_t arm,
                       const cs_change *c, const cs_redo *how)
{
    cs_page_put(p, "%llu ", (unsigned long long)c->step);
    if (how->kind == CHANGED_RUN) {
        cs_page_put(p, "run %s ", c->what);
        cs_number_put(p, c->value);
    } else {
        cs_page_put(p, "%zu ", arm + 1);
        put_arm_change(p, r, c, how);
    }
    cs_page_put(p, "\n");
}

/* Writes the plans that tuners have found. They are only information for the
 * reader, since a repeated run runs its tuners again. */
static void put_plans(cs_page *p, const cs_run *r)
{
    for (size_t i = 0; i < r->n_arms; i++) {
        cs_arm_view v = cs_run_arm(r, i);
        if (!v.tuning.tuner || !cs_tuner_finds(v.tuning.tuner) ||
            v.tuning.active)
            continue;
        cs_page_put(p, "# arm %s, tuned in %llu steps: ", v.name,
                    (unsigned long long)v.tuning.steps);
        if (cs_kernel_has_text(v.kernel, v.plan))
            cs_kernel_put(p, v.kernel, v.plan);
        else
            cs_page_put(p, "then changed by a script");
        cs_page_put(p, "\n");
    }
}

/* Returns true if a change is a setting of the warm-up. put_all writes these
 * settings at the start of the journal. A run that was loaded from a journal
 * has them as changes. */
static bool is_warmup(const cs_change *c, const cs_redo *how)
{
    return how->kind == CHANGED_RUN && (strcmp(c->what, "warmup") == 0 ||
                                        strcmp(c->what, "most_warmup") == 0);
}

/* Writes the journal. Kept values precede the changes of the same step.
 * Therefore new lines are only appended, never inserted between lines that were
 * written earlier. If `kept` is NULL, kept values are omitted. */
static cs_status put_all(const cs_run *r, cs_kept_text *kept, char **text,
                         cs_error *err)
{
    cs_timeline *t = r->timeline;
    cs_page p = {.text = NULL};
    cs_page_put(&p, "%s%s", title, version);
    if (r->given.warmup)
        cs_page_put(&p, "0 run warmup %llu\n",
                    (unsigned long long)r->given.warmup);
    if (r->given.max_warmup)
        cs_page_put(&p, "0 run most_warmup %llu\n",
                    (unsigned long long)r->given.max_warmup);
    for (size_t i = 0; i < t->n; i++) {
        if (is_warmup(&t->journal[i], &t->redo[i]))
            continue;
        if (kept)
            cs_kept_put(kept, r, t->journal[i].step, &p);
        put_change(&p, r, t->journal[i].arm, &t->journal[i], &t->redo[i]);
    }
    if (kept)
        cs_kept_put(kept, r, r->steps, &p);
    put_plans(&p, r);
    if (cs_run_end(r) > r->steps)
        cs_page_put(&p, CS_JOURNAL_AHEAD "%llu\n",
                    (unsigned long long)cs_run_end(r));
    cs_page_put(&p, "%llu end\n", (unsigned long long)r->steps);
    *text = p.full ? NULL : p.text;
    if (!p.full)
        return CS_OK;
    cs_free(p.text);
    return cs_fail(err, CS_MEMORY, "out of memory for the journal");
}

cs_status cs_run_changes_text(const cs_run *r, char **text, cs_error *err)
{
    return put_all(r, NULL, text, err);
}

cs_status cs_run_journal_text(const cs_run *r, char **text, cs_error *err)
{
    cs_kept_text kept = {.next = 0};
    cs_status status = put_all(r, &kept, text, err);
    cs_kept_done(&kept);
    return status;
}

/* ---- reading ---- */

/* Reads the next word of the line. Returns false at the end of the line. */
static bool next_word(const char **at, char word[WORD])
{
    size_t n = 0;
    while (**at == ' ' || **at == '\t' || **at == '\r')
        ++*at;
    while (**at && !isspace((unsigned char)**at)) {
        if (n + 1 < WORD)
            word[n++] = **at;
        ++*at;
    }
    word[n] = 0;
    return n > 0;
}

static bool next_count(const char **at, uint64_t *n)
{
    char word[WORD], *end;
    if (!next_word(at, word) || !isdigit((unsigned char)word[0]))
        return false;
    *n = strtoull(word, &end, 10);
    return *end == 0;
}

static bool is_next(const char **at, const char *want)
{
    char word[WORD];
    const char *after = *at;
    if (!next_word(&after, word) || strcmp(word, want) != 0)
        return false;
    *at = after;
    return true;
}

static cs_status read_value(cs_run *r, const char **at, cs_change *c,
                            cs_redo *how, cs_error *err)
{
    (void)r;
    how->kind = CHANGED_VALUE;
    return next_word(at, c->what) && cs_number_read(at, &c->value)
               ? CS_OK
               : cs_fail(err, CS_INPUT, "unknown kind of change");
}

static cs_status read_schedule(cs_run *r, const char **at, cs_change *c,
                               cs_redo *how, cs_error *err)
{
    (void)r;
    how->kind = CHANGED_SCHEDULE;
    next_word(at, c->what);
    return cs_schedule_read(at, &how->schedule, err);
}

/* Reads a kernel. If the line names the type of the arm's present kernel, this
 * type is used, even if it is not registered. Types that are defined in a
 * script are an exception, since a script may contain several types with the
 * same name. */
static cs_status read_kernel(cs_run *r, const char **at, cs_change *c,
                             cs_redo *how, cs_error *err)
{
    const cs_kernel *now = &r->arm[c->arm].kernel;
    if (!(now->type->flags & CS_KERNEL_HIDDEN))
        how->kernel = *now;
    cs_plan plan = {.driven = {false}};
    cs_status s =
        cs_kernel_read(at, &r->timeline->restored, &how->kernel, &plan, err);
    if (s != CS_OK)
        return s;
    how->plan = cs_plan_held(&plan);
    if (!how->plan)
        return cs_fail(err, CS_MEMORY, "out of memory for the kernel");
    how->kind = CHANGED_KERNEL;
    snprintf(c->what, sizeof c->what, "%s", how->kernel.type->name);
    return CS_OK;
}

static cs_status read_state(cs_run *r, const char **at, cs_change *c,
                            cs_redo *how, cs_error *err)
{
    uint64_t chain;
    size_t n, dim = r->target->space.dim;
    if (!next_count(at, &chain) || chain == 0)
        return cs_fail(err, CS_INPUT, "the chain does not exist");
    snprintf(c->what, sizeof c->what, "state");
    how->kind = CHANGED_STATE;
    how->chain = (size_t)chain - 1;
    c->value = (double)how->chain;
    how->x = cs_alloc(dim, sizeof *how->x);
    if (!how->x)
        return cs_fail(err, CS_MEMORY, "out of memory for the state");
    cs_status s = cs_numbers_read(at, how->x, dim, &n, err);
    return s || n == dim
               ? s
               : cs_fail(err, CS_INPUT, "expected %zu coordinates", dim);
}

/* Reads the centre, a second list, if the line has one. */
static cs_status read_centre(const char **at, double *x, cs_metric *metric,
                             size_t dim, cs_error *err)
{
    size_t n = 0;
    const char *after = *at;
    char word[WORD];
    if (!next_word(&after, word))
        return CS_OK;
    cs_status s = cs_numbers_read(at, x, dim, &n, err);
    if (s == CS_OK && (n != dim || !metric))
        s = cs_fail(err, CS_INPUT, "expected %zu numbers for the centre", dim);
    return s ? s : cs_metric_set_centre(metric, x, err);
}

static cs_status read_metric(cs_run *r, const char **at, cs_change *c,
                             cs_redo *how, cs_error *err)
{
    size_t n = 0, kind = 0, dim = r->target->space.dim;
    next_word(at, c->what);
    while (kind < CS_METRICS && strcmp(c->what, cs_metric_names[kind]) != 0)
        kind++;
    if (kind == CS_METRICS)
        return cs_fail(err, CS_INPUT, "unknown metric");
    how->kind = CHANGED_METRIC;
    size_t capacity = cs_metric_words((cs_metric_kind)kind, dim);
    double *x = cs_alloc(capacity + dim, sizeof *x);
    if (!x)
        return cs_fail(err, CS_MEMORY, "out of memory for a metric");
    cs_status s = cs_numbers_read(at, x, capacity, &n, err);
    if (s == CS_OK && n != capacity)
        s = cs_fail(err, CS_INPUT, "expected %zu numbers for the metric",
                    capacity);
    if (s == CS_OK)
        s = cs_metric_make(&how->metric, (cs_metric_kind)kind, dim, x, err);
    if (s == CS_OK)
        s = read_centre(at, x, how->metric, dim, err);
    cs_free(x);
    return s;
}

static cs_status read_script(cs_run *r, const char **at, cs_change *c,
                             cs_redo *how, cs_error *err)
{
    (void)r;
    how->kind = CHANGED_BY_SCRIPT;
    return next_word(at, c->what)
               ? CS_OK
               : cs_fail(err, CS_INPUT, "unknown kind of change");
}

static cs_status read_what(cs_run *r, const char **at, cs_change *c,
                           cs_redo *how, cs_error *err)
{
    static const struct {
        const char *word;
        cs_status (*read)(cs_run *r, const char **at, cs_change *c,
                          cs_redo *how, cs_error *err);
    } kind[] = {{"value", read_value},   {"schedule", read_schedule},
                {"kernel", read_kernel}, {"state", read_state},
                {"metric", read_metric}, {"script", read_script}};
    for (size_t i = 0; i < sizeof kind / sizeof *kind; i++)
        if (is_next(at, kind[i].word))
            return kind[i].read(r, at, c, how, err);
    return cs_fail(err, CS_INPUT, "unknown kind of change");
}

static cs_status read_run(const char **at, cs_change *c, cs_redo *how,
                          cs_error *err)
{
    c->arm = CS_NO_ARM;
    how->kind = CHANGED_RUN;
    return next_word(at, c->what) && cs_number_read(at, &c->value)
               ? CS_OK
               : cs_fail(err, CS_INPUT, "unknown change of the run");
}

static void skip_comments(const char **text)
{
    while (**text == '#' || **text == '\n') {
        *text += strcspn(*text, "\n");
        *text += **text == '\n';
    }
}

/* Reads one line and moves to the next. The line is a change, or the end: *end
 * is set. */
cs_status cs_journal_read(cs_run *r, const char **text, cs_change *c,
                          cs_redo *how, bool *end, cs_error *err)
{
    char word[WORD];
    uint64_t arm = 0;
    *c = (cs_change){.step = 0};
    *how = (cs_redo){.kind = CHANGED_BY_SCRIPT};
    skip_comments(text);
    const char *at = *text;
    *text = at + strcspn(at, "\n");
    *text += **text == '\n';
    if (!next_count(&at, &c->step))
        return cs_fail(err, CS_INPUT, "the line does not start with a step");
    const char *rest = at;
    next_word(&rest, word);
    *end = strcmp(word, "end") == 0;
    if (*end)
        return CS_OK;
    if (is_next(&at, "run"))
        return read_run(&at, c, how, err);
    if (!next_count(&at, &arm) || arm == 0 || arm > r->n_arms)
        return cs_fail(err, CS_INPUT, "unknown arm");
    c->arm = (size_t)arm - 1;
    cs_status s = read_what(r, &at, c, how, err);
    if (s == CS_OK && next_word(&at, word))
        return cs_fail(err, CS_INPUT, "unexpected '%s' after a change", word);
    return s;
}

bool cs_journal_kept(const char **text, uint64_t *step, const char **line)
{
    skip_comments(text);
    const char *at = *text;
    if (!next_count(&at, step) || !is_next(&at, "kept"))
        return false;
    *text += strcspn(*text, "\n");
    *text += **text == '\n';
    *line = at;
    return true;
}

cs_status cs_journal_check(const char *text, cs_error *err)
{
    size_t n = strlen(title);
    if (strncmp(text, title, n) == 0 &&
        strncmp(text + n, version, strlen(version)) != 0) {
        cs_fail(err, CS_INPUT,
                "the journal was written by another version of chainscope");
        cs_hint(err, "replay the journal with that version");
        return CS_INPUT;
    }
    return CS_OK;
}

/* Writes a change as text and reads it in run r. */
cs_status cs_journal_again(cs_run *r, size_t arm, const cs_change *c,
                           const cs_redo *how, cs_change *to, cs_redo *made,
                           cs_error *err)
{
    cs_page p = {.text = NULL};
    bool end;
    *made = (cs_redo){.kind = CHANGED_BY_SCRIPT};
    put_change(&p, r, arm, c, how);
    const char *line = p.text;
    cs_status s = p.full
                      ? cs_fail(err, CS_MEMORY, "out of memory for the journal")
                      : cs_journal_read(r, &line, to, made, &end, err);
    cs_free(p.text);
    return s;
}

cs_status cs_journal_copy_of(cs_run *r, size_t arm, const cs_change *c,
                             const cs_redo *how, cs_error *err)
{
    cs_timeline *t = r->timeline;
    cs_change to;
    cs_redo made = {.kind = CHANGED_BY_SCRIPT};
    cs_status s = cs_change_room(t, t->n_all + 1, err);
    if (s == CS_OK)
        s = cs_journal_again(r, arm, c, how, &to, &made, err);
    if (s != CS_OK) {
        cs_redo_clear(&made);
        return s;
    }
    t->journal[t->n_all] = to;
    t->redo[t->n_all++] = made;
    return CS_OK;
}
