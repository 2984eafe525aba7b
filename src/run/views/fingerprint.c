/* Writes the fingerprint of a run, line by line. A resumed run must have the
 * same fingerprint. The fingerprint omits the settings that may change: the
 * budget, the number of workers, the size of blocks, and the memory for
 * marks. */
#include "run/views/fingerprint.h"
#include "base/hash.h"
#include "base/memory.h"
#include "chain/kernel_text.h"
#include "data/parts.h"
#include "run/arms/learner.h"
#include "run/arms/run_state.h"
#include "run/tuning/tune.h"

#include <stdio.h>
#include <string.h>

enum { NAME = 160, LISTED = 64 };

static void count(cs_page *p, const char *name, uint64_t n)
{
    cs_page_put(p, "%s = %llu\n", name, (unsigned long long)n);
}

static void columns(const cs_target *t, cs_page *p)
{
    char name[NAME], text[NAME];
    uint64_t h = CS_DIGEST;
    size_t n = cs_target_shown(t);
    for (size_t i = 0; i < n; i++) {
        cs_target_coordinate(t, i, text, sizeof text);
        h = cs_digest(h, text, strlen(text) + 1);
        snprintf(name, sizeof name, "column.%zu", i + 1);
        if (i < LISTED)
            cs_parts_text(p, name, text);
    }
    count(p, "columns", n);
    cs_parts_digest(p, "column.names", "digest", h);
}

static void target(const cs_target *t, cs_page *p)
{
    static const char where[] = "target";
    cs_page aux = {0};
    const cs_space *s = &t->space;
    cs_parts_text(&aux, "kind", t->type->name);
    cs_page_put(&aux, "space = %s(%zu)", cs_space_name(s->kind), s->dim);
    if (cs_space_is_discrete(s))
        cs_page_put(&aux, " from %d, %d values", s->low, s->values);
    for (size_t i = 0; i < s->n_parts; i++) {
        const cs_part *part = &s->part[i];
        cs_page_put(&aux, ", %s %s(%zu) from %d, %d values",
                    part->name ? part->name : "part", cs_space_name(part->kind),
                    part->dim, part->low, part->values);
    }
    cs_page_put(&aux, "\n");
    cs_parts_text(&aux, "name", t->name);
    cs_parts_of(p, where, aux.text);
    cs_parts_of(p, where, t->parts.text);
    p->full |= aux.full | t->parts.full;
    aux.used = 0;
    columns(t, &aux);
    cs_parts_of(p, where, aux.text);
    p->full |= aux.full;
    cs_free(aux.text);
}

static void schedule(const char *param, const cs_schedule *s, cs_page *p)
{
    cs_page_put(p, "%s = ", param);
    cs_schedule_put(p, s);
    cs_page_put(p, "\n");
    if (s->type->parts)
        s->type->parts(s, param, p);
}

static void kernel(const cs_kernel *k, const cs_plan *plan, cs_page *p)
{
    const cs_kernel_type *type = k->type;
    cs_parts_text(p, "kernel", type->name);
    for (size_t i = 0; i < type->n_params; i++) {
        cs_value v = {.given = 1, .number = k->values[i]};
        if (plan->driven[i])
            schedule(type->params[i].name, cs_plan_schedule(plan, i), p);
        else
            cs_parts_value(p, &type->params[i], &v);
    }
    for (size_t i = 0; i < type->n_lists; i++) {
        size_t n;
        const double *x = cs_kernel_list(k, i, &n);
        if (x)
            cs_parts_numbers(p, type->params[type->n_params + i].name, x, n, 1);
    }
    if (type->instance && type->instance->parts)
        type->instance->parts(k->self, p);
}

/* Writes the tuner of an arm and its initial value. */
static void tuner(const cs_tuner *g, cs_page *p)
{
    char name[NAME];
    cs_parts_text(p, "tuner", g->type->name);
    for (size_t i = 0; i < g->type->n_params; i++) {
        const cs_param *row = &g->type->params[i];
        snprintf(name, sizeof name, "tuner.%s", row->name);
        if (row->kind == CS_PARAM_TEXT)
            cs_parts_text(p, name, g->parameter);
        else
            cs_parts_number(p, name, g->values[i]);
    }
    for (size_t i = 0; i < g->n_driven; i++) {
        snprintf(name, sizeof name, "tuner.from.%zu", i + 1);
        cs_parts_number(p, name, g->start[i]);
    }
}

static void learner(const cs_learner *how, cs_page *p)
{
    count(p, "learn.steps", how->steps);
    count(p, "learn.updates", how->updates);
    count(p, "learn.cycle", how->cycle);
    count(p, "learn.first", how->first);
    count(p, "learn.retune", how->retune);
    count(p, "learn.by_update", how->by_update);
    how->type->parts(how->self, p);
}

static void arm(const cs_run *r, const cs_arm *a, const cs_arm_spec *spec,
                cs_page *p)
{
    cs_page aux = {0};
    char where[NAME];
    snprintf(where, sizeof where, "arm %s", a->name);
    count(&aux, "chains", a->chains);
    if (spec->stream)
        cs_parts_text(&aux, "stream", spec->stream);
    kernel(&spec->kernel, &spec->plan, &aux);
    if (spec->metric != CS_METRIC_UNIT)
        cs_parts_numbers(&aux, "metric", spec->covariance,
                         cs_metric_words(spec->metric, r->target->space.dim),
                         1);
    if (spec->centre)
        cs_parts_numbers(&aux, "centre", spec->centre, r->target->space.dim, 1);
    if (a->tuning)
        tuner(&a->tuning->tuner, &aux);
    if (a->learns)
        learner(&spec->learner, &aux);
    cs_parts_of(p, where, aux.text);
    p->full |= aux.full;
    cs_free(aux.text);
}

static void probe(const cs_probe *q, cs_page *p)
{
    cs_page aux = {0};
    char where[NAME];
    snprintf(where, sizeof where, "probe %s", q->type->name);
    count(&aux, "every", q->every);
    if (q->true_logp)
        count(&aux, "true_logp", 1);
    for (size_t i = 0; i < q->type->n_params; i++)
        if (q->type->params[i].kind != CS_PARAM_TEXT)
            cs_parts_number(&aux, q->type->params[i].name, q->values[i]);
    cs_parts_of(p, where, aux.text);
    p->full |= aux.full;
    cs_free(aux.text);
}

static void arm_names(const cs_run *r, cs_page *p)
{
    cs_page_put(p, "arms = ");
    for (size_t i = 0; i < r->n_arms; i++)
        cs_page_put(p, "%s%s", i ? ", " : "", r->arm[i].name);
    cs_page_put(p, "\n");
}

/* Writes the names of the probes. Called after the arms are written, because
 * the default probes depend on the arms. */
static void probe_names(const cs_run *r, cs_page *p)
{
    cs_page_put(p, "probes = ");
    for (size_t i = 0; i < r->n_probes; i++)
        cs_page_put(p, "%s%s", i ? ", " : "", r->probe[i].type->name);
    cs_page_put(p, "\n");
}

uint64_t cs_run_identity(const cs_run *r)
{
    const char *text = cs_run_provenance(r);
    return cs_hash_word(cs_digest(CS_DIGEST, text, strlen(text)), r->seed);
}

const char *cs_run_provenance(const cs_run *r)
{
    return r->fingerprint ? r->fingerprint : "";
}

cs_status cs_run_parts(cs_run *r, const cs_run_spec *spec, cs_error *err)
{
    cs_page p = {0};
    count(&p, "seed", r->seed);
    arm_names(r, &p);
    target(r->target, &p);
    for (size_t i = 0; i < r->n_arms; i++)
        arm(r, &r->arm[i], &spec->arms[i], &p);
    if (spec->start)
        cs_parts_numbers(&p, "start", spec->start, spec->n_starts,
                         r->target->space.dim);
    probe_names(r, &p);
    for (size_t i = 0; i < r->n_probes; i++)
        probe(&r->probe[i], &p);
    count(&p, "keep", spec->keep);
    count(&p, "strict", spec->strict);
    cs_parts_of(&p, "script", spec->script);
    r->fingerprint = p.text;
    return p.full ? cs_fail(err, CS_MEMORY, "out of memory for the run")
                  : CS_OK;
}
