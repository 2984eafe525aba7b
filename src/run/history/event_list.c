#include "run/history/event_list.h"

#include "run/arms/run_state.h"
#include "run/history/changes.h"
#include "run/history/run_timeline.h"

/* ---- steps of arms and of the run ---- */

/* Returns the step of the run for a step of an arm. If a budget ended the arms
 * at different steps and was then lifted, they continue together; see
 * cs_arm_step in run/arms/limits.c. */
static uint64_t run_step(const cs_run *r, const cs_arm *a, uint64_t step)
{
    return r->ending.lifted && step > a->limit.lifted
               ? r->ending.lifted_at + (step - a->limit.lifted)
               : step;
}

static uint64_t arm_step(const cs_run *r, const cs_arm *a, uint64_t step)
{
    if (!r->ending.lifted || step <= a->limit.lifted)
        return step;
    return step > r->ending.lifted_at
               ? a->limit.lifted + (step - r->ending.lifted_at)
               : a->limit.lifted;
}

/* ---- events of a chain ---- */

/* Arguments for passing the events of a probe to the sink. */
typedef struct passing {
    const cs_run *run;
    const cs_arm *arm;
    size_t chain;
    cs_event_sink *sink;
    void *self;
} passing;

static void pass_on(void *self, const cs_event *e)
{
    const passing *p = self;
    cs_event to = *e;
    to.step = run_step(p->run, p->arm, e->step + p->arm->warmup_steps);
    to.arm = (size_t)(p->arm - p->run->arm);
    to.chain = p->chain;
    p->sink(p->self, &to);
}

static void stop_of(const passing *p, uint64_t since)
{
    const cs_arm *a = p->arm;
    double failed = cs_arm_block(a, p->chain)->failed[cs_arm_lane(a, p->chain)];
    uint64_t at = run_step(p->run, a, (uint64_t)failed);
    if (failed != 0 && at > since)
        p->sink(p->self, &(cs_event){.step = at,
                                     .arm = (size_t)(a - p->run->arm),
                                     .chain = p->chain,
                                     .kind = CS_EVENT_STOP});
}

static cs_lane_memory memory_of(const cs_arm *a, size_t probe, size_t chain)
{
    const cs_block *b = cs_arm_block(a, chain);
    size_t lane = cs_arm_lane(a, chain);
    return (cs_lane_memory){.word = b->probes.memory[probe] + lane,
                            .stride = b->lanes,
                            .failed = b->failed[lane] != 0};
}

static unsigned of_chain(passing *p, uint64_t since)
{
    const cs_arm *a = p->arm;
    uint64_t after = arm_step(p->run, a, since);
    unsigned lost = 0;
    after = after > a->warmup_steps ? after - a->warmup_steps : 0;
    for (size_t i = 0; i < p->run->n_probes; i++) {
        const cs_probe *probe = &p->run->probe[i];
        const cs_lane_memory m = memory_of(a, i, p->chain);
        if (probe->type->events)
            lost |= probe->type->events(probe, &m, after, pass_on, p);
    }
    stop_of(p, since);
    return lost;
}

static void changes(const cs_run *r, size_t arm, uint64_t since,
                    cs_event_sink *sink, void *self)
{
    for (size_t i = 0; i < r->timeline->n_all; i++) {
        const cs_change *c = &r->timeline->journal[i];
        if (c->step > since && (arm == CS_EVERY || arm == c->arm))
            sink(self, &(cs_event){.step = c->step,
                                   .arm = c->arm,
                                   .chain = CS_EVERY,
                                   .kind = CS_EVENT_CHANGE,
                                   .a = (double)i});
    }
}

unsigned cs_run_events(const cs_run *r, size_t arm, size_t chain,
                       uint64_t since, cs_event_sink *sink, void *self)
{
    unsigned lost = 0;
    for (size_t i = 0; i < r->n_arms; i++) {
        passing p = {.run = r, .arm = &r->arm[i], .sink = sink, .self = self};
        if (arm != CS_EVERY && arm != i)
            continue;
        for (p.chain = 0; p.chain < p.arm->chains; p.chain++)
            if (chain == CS_EVERY || chain == p.chain)
                lost |= of_chain(&p, since);
    }
    if (chain == CS_EVERY)
        changes(r, arm, since, sink, self);
    return lost;
}

void cs_run_count_events(const cs_run *r, double count[CS_EVENT_KINDS])
{
    for (size_t k = 0; k < CS_EVENT_KINDS; k++)
        count[k] = 0;
    count[CS_EVENT_CHANGE] = (double)r->timeline->n_all;
    for (size_t i = 0; i < r->n_arms; i++)
        for (size_t c = 0; c < r->arm[i].chains; c++) {
            const cs_arm *a = &r->arm[i];
            count[CS_EVENT_STOP] +=
                cs_arm_block(a, c)->failed[cs_arm_lane(a, c)] != 0;
            for (size_t p = 0; p < r->n_probes; p++) {
                const cs_lane_memory m = memory_of(a, p, c);
                if (r->probe[p].type->count)
                    r->probe[p].type->count(&r->probe[p], &m, count);
            }
        }
}
