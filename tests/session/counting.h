/* A run that only counts steps, and a host that opens this run. They replace
 * the real run of a session. Defines the functions that run/run.h declares.
 * Only one source file of a program may include this file. */
#pragma once

#include "no_files.h"
#include "no_log_lik.h"
#include "no_witnesses.h"
#include "one_rank.h"

#include "base/memory.h"
#include "base/typed.h"
#include "run/arms/arms.h"
#include "run/arms/limits.h"
#include "run/arms/share.h"
#include "run/draws/kept_draws.h"
#include "run/history/changes.h"
#include "run/history/event_list.h"
#include "run/merge_parts.h"
#include "run/preview/step_path.h"
#include "run/preview/step_preview.h"
#include "run/rewind.h"
#include "run/run.h"
#include "run/run_replay.h"
#include "run/save.h"
#include "run/transfer.h"
#include "run/views/fingerprint.h"
#include "run/views/reports.h"
#include "run/views/stopped.h"
#include "run/views/view.h"
#include "session/host/script_host.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- the counting run ---------------------------------------------------- */

struct cs_run {
    uint64_t steps, seed, limit;
    double width;
    bool lifted;
    uint64_t end, branch;
    size_t arms; /* 1, or 2 if the first arm has been cloned */
    char clone[48];
    volatile bool stop;
    cs_change change[8];
    size_t n_changes;
    uint64_t after; /* steps of the first advance after a change; 0: none yet */
};

static const char *const manners[] = {"slow", "quick", NULL};
static const cs_param rows[] = {
    {.name = "width", .kind = CS_PARAM_REAL, .min = 0, .max = 10, .def = 1},
    {.name = "manner", .kind = CS_PARAM_CHOICE, .max = 1, .choices = manners}};
static cs_logp_kind estimate(const cs_target *t, const double *values)
{
    (void)t, (void)values;
    return CS_LOGP_ESTIMATE;
}

static const cs_kernel_type type = {.name = "counter",
                                    .title = "A counter",
                                    .params = rows,
                                    .n_params = 2,
                                    .logp = estimate};
static cs_kernel kernel = {.type = &type, .values = {1}};
static const cs_plan plan;
static const cs_param target_params[] = {
    {.name = "sd", .kind = CS_PARAM_REAL, .min = 0, .max = 1, .def = 1}};
static const cs_target_type target_type = {
    .name = "flat", .params = target_params, .n_params = 1};
static char target_name[] = "flat";
static double target_values[] = {1};
static cs_target target = {.type = &target_type,
                           .name = target_name,
                           .values = target_values,
                           .space = {.kind = CS_CONTINUOUS, .dim = 2}};
static cs_budget budget;

void cs_run_destroy(cs_run *r)
{
    free(r);
}
void cs_run_stop(cs_run *r)
{
    r->stop = true;
}
uint64_t cs_run_steps(const cs_run *r)
{
    return r->steps;
}
const char *cs_run_ended(const cs_run *r)
{
    (void)r;
    return NULL;
}

void cs_run_limit(cs_run *r, size_t arm, uint64_t steps, bool last)
{
    (void)r, (void)arm, (void)steps, (void)last;
}

bool cs_run_waits(const cs_run *r)
{
    (void)r;
    return false;
}

bool cs_run_finished(const cs_run *r)
{
    return !r->lifted && r->steps >= r->limit;
}
bool cs_run_lifted(const cs_run *r)
{
    return r->lifted;
}
void cs_run_lift(cs_run *r)
{
    r->lifted = true;
}
size_t cs_run_arms(const cs_run *r)
{
    return r ? r->arms : 0;
}
uint64_t cs_run_warmup(const cs_run *r)
{
    (void)r;
    return 0;
}

uint64_t cs_run_seed(const cs_run *r)
{
    return r->seed;
}

uint64_t cs_run_identity(const cs_run *r)
{
    (void)r;
    return 7;
}

const char *cs_run_provenance(const cs_run *r)
{
    (void)r;
    return "";
}

double cs_run_seconds(const cs_run *r)
{
    return (double)r->steps * 1e-6;
}
uint64_t cs_run_oldest(const cs_run *r)
{
    return r->steps / 2;
}

cs_target *cs_run_target(const cs_run *r)
{
    (void)r;
    return &target;
}

cs_target *cs_run_arm_target(const cs_run *r, size_t arm)
{
    (void)arm;
    return cs_run_target(r);
}

const cs_budget *cs_run_budget(const cs_run *r)
{
    budget.steps = r->limit;
    return &budget;
}

/* Each step takes about a microsecond. Therefore a call with a large n does not
 * end at once. */
cs_status cs_run_advance(cs_run *r, uint64_t n, uint64_t *done, cs_error *err)
{
    (void)err;
    r->stop = false;
    r->after = r->after ? r->after : n;
    for (*done = 0; *done < n && !r->stop && !cs_run_finished(r); ++*done) {
        r->steps++;
        for (volatile int spin = 0; spin < 300; spin++)
            ;
    }
    return CS_OK;
}

const char *cs_run_arm_name(const cs_run *r, size_t arm)
{
    return arm ? r->clone : "one";
}

cs_arm_view cs_run_arm(const cs_run *r, size_t arm)
{
    kernel.values[0] = r->width;
    return (cs_arm_view){.name = cs_run_arm_name(r, arm),
                         .kernel = &kernel,
                         .plan = &plan,
                         .chains = 3,
                         .own = {0, 3},
                         .moved = {0, 3},
                         .steps = r->steps,
                         .finished = r->steps >= r->limit};
}

cs_chain_view cs_run_chain(cs_run *r, size_t arm, size_t chain)
{
    static double x[2];
    (void)arm;
    x[0] = (double)r->steps;
    x[1] = (double)chain;
    return (cs_chain_view){.x = x, .shown = x, .last.logp = -1.5};
}

cs_chain_view cs_run_decision(const cs_run *r, size_t arm, size_t chain)
{
    (void)r, (void)arm, (void)chain;
    return (cs_chain_view){.last.logp = -1.5};
}

cs_status cs_run_true_logp(cs_run *r, size_t arm, size_t chain, double *logp,
                           cs_error *err)
{
    (void)arm, (void)err;
    *logp = chain == 1 ? (double)NAN : -(double)(r->steps * 10 + chain);
    return CS_OK;
}

bool cs_run_path(cs_run *r, size_t arm, size_t chain, size_t capacity,
                 double *point, size_t *n, double *end)
{
    (void)r, (void)arm, (void)chain, (void)capacity, (void)point, (void)end;
    *n = 0;
    return false;
}

bool cs_run_preview(cs_run *r, size_t arm, size_t chain, cs_step_preview *out)
{
    (void)r, (void)arm, (void)chain;
    *out = (cs_step_preview){.n_others = 0};
    return false;
}

bool cs_run_turns(cs_run *r, size_t arm, size_t chain, size_t coordinate,
                  cs_turns *out)
{
    (void)r, (void)arm, (void)chain, (void)coordinate, (void)out;
    return false;
}

void cs_step_preview_clear(cs_step_preview *c)
{
    (void)c;
}

bool cs_run_noise(const cs_run *r, size_t arm, size_t chain, size_t n,
                  double *gradient, double *injected)
{
    (void)r, (void)arm, (void)chain, (void)n, (void)gradient, (void)injected;
    return false;
}

bool cs_run_chain_stop(const cs_run *r, size_t arm, size_t chain,
                       uint64_t *step, char *why, size_t size)
{
    (void)r, (void)arm, (void)chain, (void)step, (void)why, (void)size;
    return false;
}

cs_lane_view cs_run_lane(const cs_run *r, size_t arm, size_t chain)
{
    (void)r, (void)arm, (void)chain;
    return (cs_lane_view){.stride = 1};
}

static inline double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

bool cs_run_one_place(const cs_run *r)
{
    (void)r;
    return false;
}

bool cs_run_settle_part(cs_run *r)
{
    (void)r;
    return false;
}

bool cs_run_settle(cs_run *r, size_t most)
{
    (void)r, (void)most;
    return true;
}

void cs_run_want(cs_run *r, const char *words)
{
    (void)r, (void)words;
}

uint64_t cs_run_wanted(const cs_run *r)
{
    (void)r;
    return 0;
}

static void linger(double seconds)
{
    for (double until = now() + seconds; now() < until;)
        ;
}

/* A cheap probe and an expensive probe. The kernel reports nothing. */
const cs_probe_type *cs_run_probe(const cs_run *r, size_t i)
{
    static const cs_probe_type fake[] = {{.name = "fake"},
                                         {.name = "heavy", .costly = true},
                                         {.name = "modes"},
                                         {.name = "acceptance"}};
    (void)r;
    return i < 4 ? &fake[i] : NULL;
}

void cs_run_glance(cs_run *r, size_t arm, size_t probe, cs_flat *out)
{
    (void)arm;
    if (probe == 0) {
        cs_flat_number(out, (double)r->steps, "arm/0/fake/steps");
        cs_flat_number(out, (double)r->after, "arm/0/fake/after");
    }
}

cs_status cs_copy_take(cs_copy *c, cs_run *r, size_t arm, size_t probe,
                       cs_error *err)
{
    (void)err;
    c->arm = arm;
    c->probe = probe;
    c->step = r->steps;
    c->n = r->seed == 99;
    return CS_OK;
}

/* With seed 99, a report takes long to compute, and each report is larger than
 * the report before it. */
void cs_copy_report(const cs_copy *c, cs_flat *out)
{
    static unsigned made;
    made += c->n && made < 100;
    linger(c->n ? 0.4 : 0);
    for (unsigned i = 0; c->n && i < 20 * made; i++)
        cs_flat_number(out, i, "arm/0/heavy/%u", i);
    cs_flat_number(out, (double)c->step, "arm/0/heavy/steps");
}

void cs_copy_fini(cs_copy *c)
{
    (void)c;
}

cs_status cs_run_replay(cs_run *r, const char *text, cs_error *err)
{
    (void)r, (void)text;
    return cs_fail(err, CS_UNSUPPORTED, "no journal");
}

bool cs_run_report_one(cs_run *r, size_t arm, const char *probe,
                       const char *prefix, cs_flat *out)
{
    (void)r, (void)arm, (void)probe, (void)prefix, (void)out;
    return false;
}

bool cs_run_fault(cs_run *r, char *text, size_t size)
{
    (void)r, (void)text, (void)size;
    return false;
}

cs_status cs_run_set_state(cs_run *r, size_t arm, size_t chain, const double *x,
                           cs_error *err)
{
    (void)r, (void)arm, (void)chain, (void)x, (void)err;
    return CS_OK;
}

cs_status cs_run_set_text(cs_run *r, size_t arm, const char *param,
                          const char *text, cs_error *err)
{
    double value;
    int k = cs_param_find(rows, 2, param);
    cs_status s = cs_param_read(&rows[k], text, &value, err);
    if (s == CS_OK)
        s = cs_param_check_number(&rows[k], value, err);
    if (s)
        return s;
    r->width = value;
    r->after = 0;
    if (cs_run_end(r) > r->steps) {
        r->branch = cs_run_end(r);
        r->end = 0;
    }
    cs_change *c = &r->change[r->n_changes++ % 8];
    *c = (cs_change){.step = r->steps, .arm = arm, .value = value};
    snprintf(c->what, sizeof c->what, "%s", param);
    return CS_OK;
}

const char *cs_run_note(const cs_run *r)
{
    (void)r;
    return NULL;
}

size_t cs_run_changes(const cs_run *r, const cs_change **changes)
{
    *changes = r->change;
    return r->n_changes < 8 ? r->n_changes : 8;
}

size_t cs_run_journal(const cs_run *r, const cs_change **changes)
{
    *changes = r->change;
    return r->n_changes < 8 ? r->n_changes : 8;
}

uint64_t cs_run_end(const cs_run *r)
{
    return r->end > r->steps ? r->end : r->steps;
}

uint64_t cs_run_branch(const cs_run *r)
{
    return r->branch;
}

cs_status cs_run_travel(cs_run *r, uint64_t step, cs_error *err)
{
    if (step > cs_run_end(r))
        return cs_fail(err, CS_RANGE, "step %d lies ahead", (int)step);
    r->end = cs_run_end(r);
    r->steps = step;
    return CS_OK;
}

cs_status cs_run_rewind(cs_run *r, uint64_t step, cs_error *err)
{
    cs_status s = cs_run_travel(r, step, err);
    r->end = r->steps;
    return s;
}

/* The chains jump in turn, one chain every 1000 steps. Every 7 steps all chains
 * diverge. Only the newest eight divergences are stored. */
enum { JUMPS = 1000, DIVERGES = 7 };

static unsigned put_events_of(const cs_run *r, size_t chain, uint64_t every,
                              cs_event_kind kind, uint64_t since,
                              cs_event_sink *sink, void *self)
{
    uint64_t last = r->steps / every * every, first = 0;
    if (last > 7 * every)
        first = last - 7 * every;
    for (uint64_t at = first; at <= last; at += every) {
        bool mine = kind != CS_EVENT_JUMP || at / every % 3 == chain;
        if (at > since && at > 0 && mine)
            sink(self,
                 &(cs_event){
                     .step = at, .chain = chain, .kind = kind, .a = 2, .b = 1});
    }
    return first > since + every ? 1u << kind : 0;
}

unsigned cs_run_events(const cs_run *r, size_t arm, size_t chain,
                       uint64_t since, cs_event_sink *sink, void *self)
{
    unsigned lost = 0;
    (void)arm;
    for (size_t c = 0; c < 3; c++)
        if (chain == SIZE_MAX || chain == c) {
            lost |=
                put_events_of(r, c, JUMPS, CS_EVENT_JUMP, since, sink, self);
            lost |= put_events_of(r, c, DIVERGES, CS_EVENT_DIVERGENCE, since,
                                  sink, self);
        }
    return lost;
}

void cs_run_count_events(const cs_run *r, double count[CS_EVENT_KINDS])
{
    for (size_t k = 0; k < CS_EVENT_KINDS; k++)
        count[k] = 0;
    count[CS_EVENT_JUMP] = (double)(r->steps / JUMPS);
}

cs_status cs_run_undo(cs_run *r, cs_error *err)
{
    if (!r->branch)
        return cs_fail(err, CS_UNSUPPORTED, "no branch");
    r->end = r->branch;
    return CS_OK;
}

cs_status cs_run_transfer(cs_run *r, cs_run *from, const size_t *source,
                          cs_error *err)
{
    (void)source, (void)err;
    r->steps = from->steps;
    r->width = from->width;
    return CS_OK;
}

cs_status cs_run_transfer_ahead(cs_run *r, const cs_run *from,
                                const size_t *source, cs_error *err)
{
    (void)source, (void)err;
    r->end = from->end;
    return CS_OK;
}

cs_status cs_run_transfer_branch(cs_run *r, const cs_run *from,
                                 const size_t *source, cs_error *err)
{
    (void)r, (void)from, (void)source, (void)err;
    return CS_OK;
}

cs_status cs_run_keep_ahead(cs_run *r, size_t arm, cs_error *err)
{
    (void)arm, (void)err;
    r->end = r->branch;
    return CS_OK;
}

cs_status cs_run_note_change(cs_run *r, const char *what, double value,
                             cs_error *err)
{
    (void)r, (void)what, (void)value, (void)err;
    return CS_OK;
}

uint64_t cs_run_behind(const cs_run *r)
{
    (void)r;
    return 0;
}

cs_status cs_run_save(cs_run *r, unsigned char **bytes, size_t *size,
                      cs_error *err)
{
    (void)err;
    *size = sizeof r->steps;
    *bytes = cs_alloc(1, *size);
    memcpy(*bytes, &r->steps, *size);
    return CS_OK;
}

cs_status cs_run_save_beside(cs_run *r, unsigned char **bytes, size_t *size,
                             cs_error *err)
{
    return cs_run_save(r, bytes, size, err);
}

bool cs_run_lacks(const cs_run *r, size_t arm, size_t chain)
{
    (void)r, (void)arm, (void)chain;
    return false;
}

/* The run is not a part of a distributed run. */
bool cs_run_is_part(const cs_run *r)
{
    (void)r;
    return false;
}

cs_share cs_run_share(const cs_run *r)
{
    (void)r;
    return (cs_share){0};
}

const char *cs_run_together(const cs_run *r)
{
    (void)r;
    return NULL;
}

cs_chains cs_share_of(const cs_run *r, cs_share share, size_t arm)
{
    (void)share;
    return cs_run_arm(r, arm).own;
}

bool cs_share_has_any(const cs_run *r, cs_share share)
{
    (void)r, (void)share;
    return true;
}

void cs_share_words(const cs_run *r, cs_page *p)
{
    (void)r, (void)p;
}

cs_status cs_share_read(cs_share *out, const char *text, cs_error *err)
{
    (void)out, (void)text;
    return cs_fail(err, CS_UNSUPPORTED, "nothing is shared out");
}

cs_status cs_run_saved_share(const cs_run *r, const unsigned char *bytes,
                             size_t size, cs_share *out, cs_error *err)
{
    (void)r, (void)bytes, (void)size, (void)out;
    return cs_fail(err, CS_UNSUPPORTED, "nothing is shared out");
}

cs_status cs_run_merge(cs_run *r, size_t n, cs_part_fetch *fetch, void *self,
                       cs_error *err)
{
    (void)r, (void)n, (void)fetch, (void)self;
    return cs_fail(err, CS_UNSUPPORTED, "nothing is shared out");
}

cs_status cs_run_load(cs_run *r, const unsigned char *bytes, size_t size,
                      cs_error *err)
{
    if (size != sizeof r->steps)
        return cs_fail(err, CS_INPUT, "of another run");
    memcpy(&r->steps, bytes, size);
    return CS_OK;
}

cs_status cs_run_sink(cs_run *r, cs_draw_sink sink, void *self, uint64_t thin,
                      cs_error *err)
{
    (void)r, (void)sink, (void)self, (void)thin, (void)err;
    return CS_OK;
}

void cs_run_sink_warmups(cs_run *r, cs_warmup_sink over)
{
    (void)r, (void)over;
}

size_t cs_run_draws(const cs_run *r, size_t arm, size_t chain, double *out,
                    uint64_t *every)
{
    (void)r, (void)arm, (void)chain, (void)out;
    *every = 1;
    return 0;
}

bool cs_run_loses_weights(const cs_run *r, size_t arm)
{
    (void)r, (void)arm;
    return false;
}

bool cs_run_arm_lives(const cs_run *r, size_t arm)
{
    (void)r, (void)arm;
    return true;
}

bool cs_run_lives(const cs_run *r)
{
    (void)r;
    return true;
}

bool cs_run_chain_fault(const cs_run *r, size_t arm, size_t chain, char *text,
                        size_t size)
{
    (void)r, (void)arm, (void)chain, (void)text, (void)size;
    return false;
}

cs_status cs_run_journal_text(const cs_run *r, char **text, cs_error *err)
{
    (void)r, (void)err;
    *text = cs_copy_text("0 end\n");
    return *text ? CS_OK : CS_MEMORY;
}

size_t cs_run_columns(const cs_run *r, size_t arm, const char *const **name)
{
    static const char *const only[] = {"lp__"};
    (void)r, (void)arm;
    *name = only;
    return 1;
}

size_t cs_run_aux(const cs_run *r, size_t arm)
{
    (void)r, (void)arm;
    return 0;
}

void cs_run_aux_name(const cs_run *r, size_t arm, size_t i, char *text,
                     size_t size)
{
    (void)r, (void)arm, (void)i, (void)text, (void)size;
}

/* ---- a host that opens the counting run ---------------------------------- */

static volatile sig_atomic_t interrupted;

static cs_status host_open(void *self, const char *path, const char *const *set,
                           size_t n_set, cs_opened *out, cs_error *err)
{
    (void)self;
    if (strcmp(path, "missing.lua") == 0)
        return cs_fail(err, CS_IO, "%s cannot be read", path);
    memset(out, 0, sizeof *out);
    out->run = calloc(1, sizeof *out->run);
    out->run->width = 1;
    out->run->arms = 1;
    out->run->limit = 1000000000000;
    for (size_t i = 0; i < n_set; i++) {
        if (sscanf(set[i], "arms#1=clone %47s one", out->run->clone) == 1)
            out->run->arms = 2;
        sscanf(set[i], "seed=%lu", (unsigned long *)&out->run->seed);
        sscanf(set[i], "steps=%lu", (unsigned long *)&out->run->limit);
        sscanf(set[i], "one.width=%lf", &out->run->width);
    }
    out->speed = strcmp(path, "slow.lua") == 0 ? 200 : 0;
    strcpy(out->title, "Counting");
    snprintf(out->file, sizeof out->file, "%s", path);
    strcpy(out->panel[0], "trace");
    strcpy(out->panel[1], "energy");
    out->n_panels = 2;
    return CS_OK;
}

static cs_status host_eval(void *self, const char *code, cs_host_print *print,
                           void *to, cs_error *err)
{
    (void)self;
    if (strcmp(code, "crash") == 0)
        raise(SIGSEGV);
    while (strcmp(code, "for ever") == 0 && !interrupted)
        ;
    while (strcmp(code, "deaf") == 0)
        ;
    if (interrupted)
        return cs_fail(err, CS_SCRIPT, "interrupted");
    for (int i = strcmp(code, "flood") == 0 ? 30000 : 1; i > 0; i--) {
        print(to, "[", 1);
        print(to, code, strlen(code));
        print(to, "]", 1);
    }
    return CS_OK;
}

static void host_complete(void *self, const char *line, cs_flat *out)
{
    (void)self;
    cs_flat_text(out, line, "0");
    cs_flat_text(out, "second", "1");
}

static cs_status host_gallery(void *self, size_t from, size_t count,
                              unsigned how, cs_flat *out, cs_error *err)
{
    (void)how;
    (void)from, (void)count;
    (void)self, (void)err;
    cs_flat_text(out, "a.lua", "0/file");
    return CS_OK;
}

static void host_interrupt(void *self)
{
    (void)self;
    interrupted = 1;
}
