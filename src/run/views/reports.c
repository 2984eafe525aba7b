/* Reports of a run's probes on all chains of an arm or on a sample, made
 * directly or from a copy on another thread. */
#include "run/views/reports.h"
#include "base/memory.h"
#include "probe/rows.h"
#include "run/arms/run_state.h"
#include "run/draws/diagnose.h"
#include "run/draws/diagnosed.h"
#include "run/draws/quantities.h"
#include "run/draws/sample.h"
#include "run/draws/size_errors.h"
#include "run/ranks/chain_exchange.h"
#include "run/tuning/learn.h"
#include "run/views/bin_truth.h"
#include "run/views/quantity_copy.h"
#include "run/views/report_scratch.h"

#include <stdio.h>
#include <string.h>

/* Returns the memory of probe p for chain c. */
static cs_lane_memory memory_of(const cs_arm *a, size_t p, size_t c)
{
    const cs_block *b = cs_arm_block(a, c);
    size_t l = cs_arm_lane(a, c);
    return (cs_lane_memory){.word = b->probes.memory[p] + l,
                            .stride = b->lanes,
                            .failed = b->failed[l] != 0};
}

/* Finds the memory of the lanes for a report on all chains or on a sample. */
static size_t find_lanes(const cs_run *r, const cs_arm *a, size_t p,
                         const cs_run_sample *sample, cs_lane_memory *to)
{
    size_t group = cs_kernel_group(&a->kernel), n = 0;
    size_t by = r->probe[p].type->all_chains ? 1 : group;
    for (size_t c = 0; c < a->chains && !sample; c += by)
        to[n++] = memory_of(a, p, c);
    for (size_t i = 0; sample && i < sample->n; i++)
        for (size_t c = 0; c < a->chains; c += by)
            if (c / group % sample->groups == sample->group[i])
                to[n++] = memory_of(a, p, c);
    return n;
}

/* Makes a report while no other thread makes an expensive report: see
 * cs_probe_type. */
static void make_report(cs_run *r, size_t p, const cs_lane_memory *lane,
                        size_t n, const char *prefix, cs_flat *out)
{
    const cs_probe_type *type = r->probe[p].type;
    if (type->costly)
        pthread_mutex_lock(&r->reports->lock);
    type->report(&r->probe[p], lane, n, prefix, out);
    if (type->costly)
        pthread_mutex_unlock(&r->reports->lock);
}

/* Returns the kind of log p that probe p has observed in an arm. */
static cs_logp_kind logp_for(const cs_run *r, const cs_arm *a, size_t p)
{
    return r->probe[p].true_logp ? CS_LOGP_EXACT : cs_block_logp_seen(a->front);
}

/* Writes the kind of log p to a report of log p. */
static void put_logp(const cs_run *r, size_t p, cs_logp_kind kind,
                     const char *prefix, cs_flat *out)
{
    if (kind != CS_LOGP_EXACT && r->probe[p].type->logp)
        cs_flat_text(out, cs_logp_name(kind), "%slogp", prefix);
}

static void report(cs_run *r, cs_arm *a, size_t p, const cs_run_sample *sample,
                   const char *prefix, cs_flat *out)
{
    size_t n = find_lanes(r, a, p, sample, r->reports->lane);
    make_report(r, p, r->reports->lane, n, prefix, out);
    put_logp(r, p, logp_for(r, a, p), prefix, out);
    /* a sample is diagnosed one scalar at a time: see cs_run_diagnosis */
    if (!r->probe[p].type->diagnosed || sample)
        return;
    cs_worst w = cs_diagnose_arm(r, a, prefix, out);
    cs_size_errors_put(r, p, r->reports->lane, n, make_report, w.row, w.error,
                       prefix, out);
}

/* Computes the exact answers of probe p, or a part of them. Returns true if all
 * exact answers of the probe are known. */
static bool settle(cs_run *r, size_t p, bool part)
{
    cs_probe *probe = &r->probe[p];
    if (probe->type->costly)
        pthread_mutex_lock(&r->reports->lock);
    if (part)
        cs_probe_settle_part(probe);
    else
        cs_probe_settle(probe);
    if (probe->type->costly)
        pthread_mutex_unlock(&r->reports->lock);
    return probe->settled;
}

bool cs_run_settle(cs_run *r, size_t most)
{
    size_t left = 0;
    for (size_t p = 0; p < r->n_probes; p++) {
        if (r->probe[p].settled)
            continue;
        if (most > 0)
            settle(r, p, false);
        left += most == 0;
        most -= most > 0;
    }
    for (; most > 0 && !cs_bins_settled(r); most--)
        cs_bins_settle(r);
    while (most > 0 && cs_quantities_settle(&r->reports->wanted, r->target))
        most--;
    return left == 0 && cs_bins_settled(r) &&
           r->reports->wanted.sought == r->reports->wanted.n;
}

bool cs_run_settle_part(cs_run *r)
{
    for (size_t p = 0; p < r->n_probes; p++)
        if (!r->probe[p].settled)
            return settle(r, p, true);
    if (cs_bins_settled(r))
        return cs_quantities_settle(&r->reports->wanted, r->target);
    cs_bins_settle(r);
    return true;
}

void cs_run_report(cs_run *r, cs_flat *out)
{
    cs_run_settle(r, r->n_probes + CS_BINNED);
    for (size_t i = 0; i < r->n_arms; i++)
        for (size_t p = 0; p <= r->n_probes; p++)
            cs_run_glance(r, i, p, out);
}

const cs_probe_type *cs_run_probe(const cs_run *r, size_t i)
{
    return i < r->n_probes ? r->probe[i].type : NULL;
}

static void prefix_of(const cs_run *r, size_t arm, size_t probe,
                      char to[CS_FLAT_KEY])
{
    snprintf(to, CS_FLAT_KEY, "arm/%zu/%s/", arm,
             probe < r->n_probes ? r->probe[probe].type->name : "kernel");
}

bool cs_arm_report(cs_run *r, cs_arm *a, const char *prefix, bool now,
                   cs_flat *out)
{
    const cs_kernel_type *type = a->kernel.type;
    if (!type->report || !a->exchange)
        return false;
    cs_exchange_lay_out(a);
    const cs_exchange m = {.target = a->target,
                           .self = a->kernel.self,
                           .values = a->kernel.values,
                           .chains = a->chains,
                           .step = a->steps,
                           .failed = a->exchange->failed,
                           .lane = a->exchange->lane};
    type->report(&m, prefix, out);
    cs_bins_add_truth(r, a, prefix, out, now);
    return true;
}

void cs_run_glance(cs_run *r, size_t arm, size_t probe, cs_flat *out)
{
    char prefix[CS_FLAT_KEY];
    prefix_of(r, arm, probe, prefix);
    if (probe < r->n_probes)
        report(r, &r->arm[arm], probe, NULL, prefix, out);
    else
        cs_arm_report(r, &r->arm[arm], prefix, false, out);
    if (probe < r->n_probes)
        return;
    snprintf(prefix, sizeof prefix, "arm/%zu/learn/", arm);
    cs_learns_report(r, &r->arm[arm], prefix, out);
}

bool cs_run_report_of(cs_run *r, size_t arm, const char *probe,
                      const cs_run_sample *sample, const char *prefix,
                      cs_flat *out)
{
    if (arm < r->n_arms && strcmp(probe, "learn") == 0)
        return cs_learns_report(r, &r->arm[arm], prefix, out);
    if (arm < r->n_arms && strcmp(probe, "kernel") == 0)
        return cs_arm_report(r, &r->arm[arm], prefix, true, out);
    for (size_t p = 0; arm < r->n_arms && p < r->n_probes; p++) {
        if (strcmp(r->probe[p].type->name, probe) != 0)
            continue;
        settle(r, p, false);
        report(r, &r->arm[arm], p, sample, prefix, out);
        return true;
    }
    return false;
}

bool cs_run_diagnosis(cs_run *r, size_t arm, size_t scalar,
                      const cs_run_sample *sample, bool alike,
                      cs_figures *figures)
{
    size_t bytes =
        4096 + (1 + cs_target_shown(r->target)) * sizeof(cs_row_steps);
    cs_flat f;
    for (size_t p = 0; arm < r->n_arms && p < r->n_probes; p++) {
        if (!r->probe[p].type->diagnosed)
            continue;
        void *scratch = cs_alloc(1, bytes);
        if (!scratch)
            return false;
        cs_flat_begin(&f, scratch, bytes);
        size_t n = find_lanes(r, &r->arm[arm], p, sample, r->reports->lane);
        make_report(r, p, r->reports->lane, n, "", &f);
        bool good = cs_diagnose_one(r, &r->arm[arm], scalar, sample, alike, &f,
                                    figures);
        cs_free(scratch);
        return good;
    }
    return false;
}

cs_logp_kind cs_run_diagnosed_logp(const cs_run *r, size_t arm)
{
    for (size_t p = 0; arm < r->n_arms && p < r->n_probes; p++)
        if (r->probe[p].type->diagnosed)
            return logp_for(r, &r->arm[arm], p);
    return CS_LOGP_EXACT;
}

bool cs_run_report_one(cs_run *r, size_t arm, const char *probe,
                       const char *prefix, cs_flat *out)
{
    return cs_run_report_of(r, arm, probe, NULL, prefix, out);
}

/* ---- from a copy ---- */

static bool hold(void **at, size_t *capacity, size_t n, size_t size)
{
    if (n <= *capacity)
        return true;
    cs_free(*at);
    *at = cs_alloc(n, size);
    *capacity = *at ? n : 0;
    return *at != NULL;
}

static cs_status copy_draws(cs_copy *c, const cs_arm *a, cs_error *err)
{
    if (!c->diagnosed)
        c->diagnosed = cs_alloc(1, sizeof *c->diagnosed);
    if (!c->diagnosed)
        return cs_fail(err, CS_MEMORY, "out of memory for a report");
    cs_diagnosed_end(c->diagnosed);
    if (cs_diagnosed_look(a, NULL, c->diagnosed) &&
        cs_diagnosed_copy(c->diagnosed))
        return CS_OK;
    cs_diagnosed_end(c->diagnosed);
    return cs_fail(err, CS_MEMORY, "out of memory for a report");
}

cs_status cs_copy_take(cs_copy *c, cs_run *r, size_t arm, size_t probe,
                       cs_error *err)
{
    const cs_arm *a = &r->arm[arm];
    c->run = r;
    c->arm = arm;
    c->probe = probe;
    c->step = r->steps;
    c->n = 0;
    if (probe == r->n_probes)
        return cs_copy_take_draws(c, r, arm, err);
    size_t words = r->probe[probe].words, all = 0;
    for (size_t b = 0; b < a->n_blocks; b++)
        all += words * a->block[b]->lanes;
    void *to = c->words, *lane = c->lane;
    bool good = hold(&to, &c->n_words, all, sizeof *c->words) &
                hold(&lane, &c->n_lanes, a->chains, sizeof *c->lane);
    c->words = to;
    c->lane = lane;
    if (!good)
        return cs_fail(err, CS_MEMORY, "out of memory for a report");
    c->logp = logp_for(r, a, probe);
    c->n = find_lanes(r, a, probe, NULL, c->lane);
    double *at = c->words;
    for (size_t b = 0, i = 0; b < a->n_blocks; b++) {
        const double *from = a->block[b]->probes.memory[probe];
        size_t n = words * a->block[b]->lanes;
        memcpy(at, from, n * sizeof *at);
        for (;
             i < c->n && c->lane[i].word >= from && c->lane[i].word < from + n;
             i++)
            c->lane[i].word = at + (c->lane[i].word - from);
        at += n;
    }
    return r->probe[probe].type->diagnosed ? copy_draws(c, a, err) : CS_OK;
}

void cs_copy_report(const cs_copy *c, cs_flat *out)
{
    char prefix[CS_FLAT_KEY];
    if (c->probe == c->run->n_probes) {
        cs_copy_report_draws(c, out);
        return;
    }
    prefix_of(c->run, c->arm, c->probe, prefix);
    make_report(c->run, c->probe, c->lane, c->n, prefix, out);
    put_logp(c->run, c->probe, c->logp, prefix, out);
    if (!c->run->probe[c->probe].type->diagnosed)
        return;
    cs_worst w = cs_diagnose_copy(c->run->target, c->diagnosed, prefix, out);
    cs_size_errors_put(c->run, c->probe, c->lane, c->n, make_report, w.row,
                       w.error, prefix, out);
}

void cs_copy_fini(cs_copy *c)
{
    cs_free(c->words);
    cs_free(c->lane);
    if (c->diagnosed)
        cs_diagnosed_end(c->diagnosed);
    cs_free(c->diagnosed);
    cs_copy_free_wanted(c);
    *c = (cs_copy){.run = NULL};
}
