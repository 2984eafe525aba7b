/* The journal as text, and a run made again from it.
 *
 *     # chainscope journal 1
 *     STEP ARM value PARAM NUMBER
 *     STEP ARM schedule PARAM TYPE NUMBER ...
 *     STEP ARM kernel TYPE NUMBER ... [; LIST N NUMBER ...] ...
 *         [, PARAM TYPE NUMBER ...] ...
 *     STEP ARM state CHAIN NUMBER ...
 *     STEP run NAME NUMBER
 *     STEP end
 *
 * and lines that begin with #, for the reader: what tuners have found. A change
 * of the run is for the reader too; "0 run warmup STEPS", its warm-up, is what
 * another must be opened with to be the same (cli/run.c).
 * A change takes effect after STEP steps; arms and chains count from 1; the
 * numbers of a type are all of its parameters in their order, with the digits
 * that bring back every bit; a wrapper has a TYPE(TYPE). A function of a script has no text: its TYPE is
 * known to that script only, and replaying it is refused. */
#include "base/memory.h"
#include "base/page.h"
#include "run/internal.h"
#include "run/plans.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORD = 64 };

/* ---- writing ---- */

static void put_numbers(cs_page *p, const double *x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        cs_page_put(p, " %.17g", x[i]);
}

static void put_schedule(cs_page *p, const char *param, const cs_schedule *s)
{
    cs_page_put(p, " %.40s %.40s", param, s->type->name);
    put_numbers(p, s->values, cs_schedule_used(s));
}

static void put_kernel(cs_page *p, const cs_kernel *k, const cs_plan *plan)
{
    const cs_kernel_type *type = k->type;
    cs_page_put(p, " kernel %.63s", type->name);
    put_numbers(p, k->values, type->n_params);
    for (size_t i = 0; i < type->n_lists; i++) {
        size_t n;
        const double *x = cs_kernel_list(k, i, &n);
        if (!x)
            continue;
        cs_page_put(p, " ; %s %zu", type->params[type->n_params + i].name, n);
        put_numbers(p, x, n);
    }
    for (size_t i = 0; i < type->n_params; i++)
        if (plan->driven[i]) {
            cs_page_put(p, " ,");
            put_schedule(p, type->params[i].name, &plan->schedule[i]);
        }
}

static void put_change(cs_page *p, const cs_run *r, size_t i)
{
    const cs_change *c = &r->journal[i];
    const cs_redo *how = &r->redo[i];
    cs_page_put(p, "%llu", (unsigned long long)c->step);
    if (how->kind == CHANGED_RUN) {
        cs_page_put(p, " run %.40s", c->what);
        put_numbers(p, &c->value, 1);
        cs_page_put(p, "\n");
        return;
    }
    cs_page_put(p, " %zu", c->arm + 1);
    if (how->kind == CHANGED_VALUE) {
        cs_page_put(p, " value %.40s", c->what);
        put_numbers(p, &c->value, 1);
    } else if (how->kind == CHANGED_SCHEDULE) {
        cs_page_put(p, " schedule");
        put_schedule(p, c->what, &how->schedule);
    } else if (how->kind == CHANGED_KERNEL) {
        put_kernel(p, &how->kernel, how->plan);
    } else if (how->kind == CHANGED_STATE) {
        cs_page_put(p, " state %zu", how->chain + 1);
        put_numbers(p, how->x, r->target->space.dim);
    } else {
        cs_page_put(p, " script %.40s", c->what);
    }
    cs_page_put(p, "\n");
}

/* The run that is made again tunes itself again: this is to be read. */
static void put_plans(cs_page *p, const cs_run *r)
{
    for (size_t i = 0; i < r->n_arms; i++) {
        cs_arm_view v = cs_run_arm(r, i);
        if (!v.tuning.tuner || !v.tuning.tuner->n_driven || v.tuning.active)
            continue;
        cs_page_put(p, "# arm %s, tuned in %llu steps: ", v.name,
                    (unsigned long long)v.tuning.steps);
        if (!cs_plan_text(&v, p))
            cs_page_put(p, "then changed by a script");
        cs_page_put(p, "\n");
    }
}

cs_status cs_run_journal_text(const cs_run *r, char **text, cs_error *err)
{
    cs_page p = {.text = NULL};
    cs_page_put(&p, "# chainscope journal 1\n");
    if (r->warmup)
        cs_page_put(&p, "0 run warmup %llu\n", (unsigned long long)r->warmup);
    for (size_t i = 0; i < r->n_journal; i++)
        put_change(&p, r, i);
    put_plans(&p, r);
    cs_page_put(&p, "%llu end\n", (unsigned long long)r->steps);
    *text = p.full ? NULL : p.text;
    if (!p.full)
        return CS_OK;
    cs_free(p.text);
    return cs_fail(err, CS_MEMORY, "out of memory for the journal");
}

/* ---- reading ---- */

/* The next word of the line; false at its end. */
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

static bool next_number(const char **at, double *x)
{
    char word[WORD], *end;
    if (!next_word(at, word))
        return false;
    *x = strtod(word, &end);
    return *end == 0;
}

static bool next_count(const char **at, uint64_t *n)
{
    char word[WORD], *end;
    if (!next_word(at, word) || !isdigit((unsigned char)word[0]))
        return false;
    *n = strtoull(word, &end, 10);
    return *end == 0;
}

static bool next_numbers(const char **at, double *x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!next_number(at, &x[i]))
            return false;
    return true;
}

static bool read_schedule(const char **at, cs_schedule *s)
{
    char word[WORD];
    *s = (cs_schedule){.type = NULL};
    if (!next_word(at, word))
        return false;
    s->type = cs_schedule_find(word);
    size_t n = s->type ? s->type->n_params : 0;
    if (!s->type || !next_numbers(at, s->values, n))
        return false;
    size_t used = cs_schedule_used(s); /* a list says how long it is */
    return next_numbers(at, s->values + n, used - n) && cs_schedule_sound(s);
}

/* A registered type, or one that an arm of the run has; not one of a script,
 * of which there may be several under a name. */
static const cs_kernel_type *find_kernel(const cs_run *r, const char *name)
{
    const cs_kernel_type *type = cs_kernel_find(name);
    if (type && (type->flags & CS_KERNEL_WRAPPER))
        return NULL; /* it is nothing by itself */
    for (size_t i = 0; !type && i < r->n_arms; i++) {
        const cs_kernel_type *aux = r->arm[i].kernel.type;
        if (strcmp(aux->name, name) == 0 && !(aux->flags & CS_KERNEL_HIDDEN))
            type = aux;
    }
    return type;
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

static bool read_list(const char **at, const cs_kernel_type *type, cs_lists *l)
{
    char word[WORD];
    uint64_t n;
    if (!next_word(at, word) || !next_count(at, &n) || n > CS_KERNEL_LIST)
        return false;
    int i = cs_param_find(type->params + type->n_params, type->n_lists, word);
    if (i < 0)
        return false;
    l->n[i] = (size_t)n;
    return next_numbers(at, l->x[i], (size_t)n);
}

static cs_status read_wrapper(cs_run *r, const char *name, const char **at,
                              cs_kernel *k, cs_error *err)
{
    const cs_kernel_type *outer, *inner;
    double values[CS_KERNEL_PARAMS];
    cs_lists lists = {.n = {0}};
    if (!cs_kernel_find_wrapper(name, &outer, &inner))
        return CS_OK;
    size_t n = outer->n_params + inner->n_params;
    bool good = n <= CS_KERNEL_PARAMS && next_numbers(at, values, n);
    while (good && is_next(at, ";"))
        good = read_list(at, outer, &lists);
    if (!good)
        return cs_fail(err, CS_INPUT, "no kernel %s with these values", name);
    return cs_run_make_wrapper(r, name, values, &lists, k, err);
}

/* A type or a schedule that is not known came from a script: kind stays. */
static cs_status read_type(cs_run *r, const char **at, cs_kernel *k,
                           cs_error *err)
{
    char word[WORD];
    if (!next_word(at, word))
        return CS_OK;
    k->type = find_kernel(r, word);
    if (!k->type)
        return read_wrapper(r, word, at, k, err);
    if (!next_numbers(at, k->values, k->type->n_params))
        return cs_fail(err, CS_INPUT, "no kernel %s with these values",
                       k->type->name);
    return CS_OK;
}

static cs_status read_kernel(cs_run *r, const char **at, cs_redo *how,
                             cs_error *err)
{
    char word[WORD];
    cs_kernel *k = &how->kernel;
    cs_status s = read_type(r, at, k, err);
    if (s || !k->type)
        return s;
    how->plan = cs_alloc(1, sizeof *how->plan);
    if (!how->plan)
        return cs_fail(err, CS_MEMORY, "out of memory for the kernel");
    how->kind = CHANGED_KERNEL;
    while (next_word(at, word)) {
        int i = -1;
        if (strcmp(word, ",") == 0 && next_word(at, word))
            i = cs_param_find(k->type->params, k->type->n_params, word);
        if (i < 0)
            return cs_fail(err, CS_INPUT, "kernel %s has no parameter %s",
                           k->type->name, word);
        how->plan->driven[i] = true;
        if (read_schedule(at, &how->plan->schedule[i]))
            continue;
        how->kind = CHANGED_BY_SCRIPT;
        return CS_OK;
    }
    return CS_OK;
}

static cs_status read_state(const cs_run *r, const char **at, cs_redo *how,
                            cs_error *err)
{
    uint64_t chain;
    size_t dim = r->target->space.dim;
    if (!next_count(at, &chain) || chain == 0)
        return cs_fail(err, CS_INPUT, "no such chain");
    how->chain = (size_t)chain - 1;
    how->x = cs_alloc(dim, sizeof *how->x);
    if (!how->x)
        return cs_fail(err, CS_MEMORY, "out of memory for the state");
    return next_numbers(at, how->x, dim)
               ? CS_OK
               : cs_fail(err, CS_INPUT, "not %zu coordinates", dim);
}

static cs_status read_what(cs_run *r, const char **at, cs_change *c,
                           cs_redo *how, cs_error *err)
{
    char word[WORD];
    cs_status s = CS_OK;
    next_word(at, word);
    if (strcmp(word, "kernel") == 0) {
        s = read_kernel(r, at, how, err);
        snprintf(c->what, sizeof c->what, "%.47s",
                 how->kernel.type ? how->kernel.type->name : "kernel");
        return s;
    }
    if (strcmp(word, "state") == 0) {
        how->kind = CHANGED_STATE;
        s = read_state(r, at, how, err);
        c->value = (double)how->chain;
        snprintf(c->what, sizeof c->what, "state");
        return s;
    }
    bool value = strcmp(word, "value") == 0;
    bool schedule = strcmp(word, "schedule") == 0;
    how->kind = value ? CHANGED_VALUE
                      : (schedule ? CHANGED_SCHEDULE : CHANGED_BY_SCRIPT);
    bool good = value || schedule || strcmp(word, "script") == 0;
    good = good && next_word(at, word);
    snprintf(c->what, sizeof c->what, "%.47s", word);
    if (good && value)
        good = next_number(at, &c->value);
    if (good && schedule && !read_schedule(at, &how->schedule))
        how->kind = CHANGED_BY_SCRIPT; /* a type that only a script knows */
    return good ? CS_OK : cs_fail(err, CS_INPUT, "no such change");
}

static cs_status read_run(const char **at, cs_change *c, cs_redo *how,
                          cs_error *err)
{
    char word[WORD];
    c->arm = CS_NO_ARM;
    how->kind = CHANGED_RUN;
    if (!next_word(at, word) || !next_number(at, &c->value))
        return cs_fail(err, CS_INPUT, "no such change of the run");
    snprintf(c->what, sizeof c->what, "%.47s", word);
    return CS_OK;
}

/* Reads one line (a change, or with *end the end) and goes to the next. */
cs_status cs_journal_read(cs_run *r, const char **text, cs_change *c,
                          cs_redo *how, bool *end, cs_error *err)
{
    char word[WORD];
    uint64_t arm = 0;
    const char *at = *text;
    *c = (cs_change){.step = 0};
    *how = (cs_redo){.kind = CHANGED_BY_SCRIPT};
    while (*at == '#' || *at == '\n') {
        at += strcspn(at, "\n");
        at += *at == '\n';
    }
    *text = at + strcspn(at, "\n");
    *text += **text == '\n';
    if (!next_count(&at, &c->step))
        return cs_fail(err, CS_INPUT, "a line that begins with no step");
    const char *rest = at;
    next_word(&rest, word);
    *end = strcmp(word, "end") == 0;
    if (*end)
        return CS_OK;
    if (is_next(&at, "run"))
        return read_run(&at, c, how, err);
    if (!next_count(&at, &arm) || arm == 0 || arm > r->n_arms)
        return cs_fail(err, CS_INPUT, "no such arm");
    c->arm = (size_t)arm - 1;
    return read_what(r, &at, c, how, err);
}

/* ---- again ---- */

static cs_status do_change(cs_run *r, const cs_change *c, const cs_redo *how,
                           cs_error *err)
{
    if (how->kind == CHANGED_RUN)
        return CS_OK; /* who replays has a budget of its own */
    if (how->kind == CHANGED_VALUE)
        return cs_run_set(r, c->arm, c->what, c->value, err);
    if (how->kind == CHANGED_SCHEDULE)
        return cs_run_set_schedule(r, c->arm, c->what, &how->schedule, err);
    if (how->kind == CHANGED_KERNEL)
        return cs_run_set_kernel(r, c->arm, &how->kernel, how->plan, err);
    if (how->kind == CHANGED_STATE)
        return cs_run_set_state(r, c->arm, how->chain, how->x, err);
    cs_fail(err, CS_UNSUPPORTED, "%s was set to what a script made", c->what);
    cs_hint(err, "replay it from that script");
    return CS_UNSUPPORTED;
}

static cs_status move_to(cs_run *r, uint64_t step, cs_error *err)
{
    uint64_t done = 0;
    if (step < r->steps)
        return cs_fail(err, CS_INPUT, "the run is at step %llu already",
                       (unsigned long long)r->steps);
    cs_status s = cs_run_advance(r, step - r->steps, &done, err);
    if (s == CS_OK && r->steps < step)
        return cs_fail(err, CS_RANGE, "the run ended at step %llu",
                       (unsigned long long)r->steps);
    return s;
}

cs_status cs_run_replay(cs_run *r, const char *text, cs_error *err)
{
    cs_future_part(r);
    for (bool end = false; !end;) {
        cs_change c;
        cs_redo how;
        cs_status s = cs_journal_read(r, &text, &c, &how, &end, err);
        if (s == CS_OK)
            s = move_to(r, c.step, err);
        if (s == CS_OK && !end)
            s = do_change(r, &c, &how, err);
        cs_free(how.plan);
        cs_free(how.x);
        if (s != CS_OK)
            return s;
    }
    return CS_OK;
}
