/* The accept step that all Metropolis-Hastings kernels share. The functions are
 * inline, so that they are compiled with each kernel for each instruction
 * set. */
#pragma once

#include "kernel/lanes.h"

#include <assert.h>
#include <math.h>

/* The packed states of a single chain: the current state and the proposal, each
 * [dim] padded to whole vectors. If the chain moves, the proposal replaces the
 * current state. */
typedef struct cs_packed_proposal {
    double *x;
    const double *y;
} cs_packed_proposal;

/* Moves one vector of lanes to the proposal where `mask` is set. Returns the
 * bits in which state and proposal differ. */
static inline cs_vi cs_commit_rows(const cs_move *m, size_t l, cs_vi mask)
{
    cs_vi differ = mask & 0;
    double *now = m->x;
    const double *next = m->info.proposal;
    for (size_t at = l, by = m->lanes, end = m->dim * by; at < end; at += by) {
        cs_vd x = cs_load(now + at), y = cs_load(next + at);
        differ |= (cs_vi)x ^ (cs_vi)y;
        cs_store(now + at, cs_vselect(mask, y, x));
    }
    return differ;
}

/* Moves the packed state of a single chain to the proposal if `mask` is set
 * (`mask` is equal in all lanes). The function has no branch: at an acceptance
 * rate of 1/2 a quarter of the branches would be mispredicted, each at the cost
 * of about one step. */
static inline cs_vi cs_commit_packed(cs_move *m, const cs_packed_proposal *c,
                                     cs_vi mask)
{
    cs_vi differ = mask & 0;
    for (size_t at = 0, dim = m->dim; at < dim; at += CS_VECTOR) {
        cs_vd x = cs_load(c->x + at), y = cs_load(c->y + at);
        differ |= (cs_vi)x ^ (cs_vi)y;
        cs_store(c->x + at, cs_vselect(mask, y, x));
    }
    m->packed_x = m->multi_step ? c->x : NULL;
    if (!m->multi_step)
        cs_unpack_rows(m, c->x, m->x);
    return (mask & 0) | -(int64_t)(cs_bytes_of(differ != 0) != 0);
}

/* Moves one vector of lanes to the proposal where `mask` is set. */
static inline void cs_commit(cs_move *m, const cs_packed_proposal *c, size_t l,
                             cs_vi mask)
{
    cs_info *i = &m->info;
    cs_vi differ =
        c ? cs_commit_packed(m, c, mask) : cs_commit_rows(m, l, mask);
    cs_vi moved = mask & (differ != 0);
    cs_store(i->logp + l, cs_vselect(mask, cs_load(i->logp_proposal + l),
                                     cs_load(i->logp + l)));
    cs_store_bool(i->accepted + l, mask);
    cs_store_bool(i->moved + l, moved);
}

/* Fills info.log_uniform, with which the log ratio is compared. */
static inline void cs_draw_log_uniform(cs_move *m)
{
    const double *ahead =
        cs_ahead_numbers(&m->streams, CS_FOR_ACCEPT, CS_LOG_UNIFORMS, 1);
    if (ahead)
        for (size_t l = 0; l < m->lanes; l += CS_VECTOR)
            cs_store(m->info.log_uniform + l, cs_vset(*ahead));
    else
        cs_fill_log_uniform(&m->streams, CS_FOR_ACCEPT, 1, m->info.log_uniform);
}

/* Runs the accept step of every lane.
 *
 * In: info.proposal = y, logp_proposal, log_q_forward, log_q_back.
 *
 * Out: logp_change, log_ratio, log_uniform, accepted, moved, logp; the state
 * and the evaluator's cache NOW are updated.
 *
 * If the ratio is NaN, for example because log p(y) is NaN, the proposal is
 * rejected and the step loop counts it (chain/step.c). A proposal with log p =
 * HUGE_VAL marks the chain as failed, because no distribution has such a point.
 * From log p = -HUGE_VAL any better state is accepted. With
 * CS_KERNEL_ESTIMATES, logp and logp_proposal are log priors only, and log_aux
 * is added to the ratio. `c`: the packed states of a single chain, else
 * NULL. */
static inline void cs_accept_packed(cs_move *m, const cs_packed_proposal *c)
{
    assert(m->info.proposal && m->lanes % CS_VECTOR == 0);
    assert(!c || (m->live == 1 && c->x && c->y && c->x != c->y));
    cs_info *i = &m->info;
    size_t lanes = c ? CS_VECTOR : m->lanes; /* for a single chain, the other
                                                lanes are not read */
    cs_draw_log_uniform(m);
    for (size_t l = 0; l < lanes; l += CS_VECTOR) {
        cs_vd proposed = cs_load(i->logp_proposal + l);
        cs_vd change = proposed - cs_load(i->logp + l);
        cs_vd ratio =
            change + cs_load(i->log_q_back + l) - cs_load(i->log_q_forward + l);
        if (i->log_aux)
            ratio += cs_load(i->log_aux + l);
        cs_vi failed = cs_load_bool(m->failed + l) | (proposed == CS_VM_INF);
        cs_store(i->logp_change + l, change);
        cs_store(i->log_ratio + l, ratio);
        cs_store_bool(m->failed + l, failed);
        cs_commit(m, c, l, (cs_load(i->log_uniform + l) < ratio) & ~failed);
    }
    if (cs_eval_follows(m->eval))
        cs_eval_accept(m->eval, i->accepted);
}

static inline void cs_accept(cs_move *m)
{
    cs_accept_packed(m, NULL);
}

/* Ends a step without an accept step: every lane moves to its proposal. A lane
 * stays if log p(y) is -HUGE_VAL (outside the support) or NaN (counted as a
 * rejection), and fails if log p(y) is HUGE_VAL. In: info.proposal,
 * logp_proposal. */
static inline void cs_accept_all(cs_move *m)
{
    assert(m->info.proposal && m->lanes % CS_VECTOR == 0);
    cs_info *i = &m->info;
    for (size_t l = 0; l < m->lanes; l += CS_VECTOR) {
        cs_vd proposed = cs_load(i->logp_proposal + l);
        cs_vi failed = cs_load_bool(m->failed + l) | (proposed == CS_VM_INF);
        cs_vi refused = proposed != proposed;
        cs_store(i->logp_change + l, proposed - cs_load(i->logp + l));
        cs_store(i->log_ratio + l, cs_vselect(refused, proposed, cs_vset(0)));
        cs_store(i->log_q_forward + l, cs_vset(0));
        cs_store(i->log_q_back + l, cs_vset(0));
        cs_store(i->log_uniform + l, cs_vset(0));
        cs_store_bool(m->failed + l, failed);
        cs_commit(m, NULL, l, (proposed > -CS_VM_INF) & ~failed);
    }
    if (cs_eval_follows(m->eval))
        cs_eval_accept(m->eval, i->accepted);
    for (size_t l = 0; l < m->lanes; l++)
        i->accepted[l] = !isnan(i->logp_proposal[l]);
}

/* Ends a step in which the kernel wrote x itself, without a proposal. In:
 * info.moved. Evaluates log p of the new states. A lane fails if its log p is
 * NaN or HUGE_VAL, because its old state is lost. */
static inline void cs_finish_moved(cs_move *m)
{
    assert(m->lanes % CS_VECTOR == 0);
    cs_info *i = &m->info;
    i->proposal = NULL;
    cs_eval_log_density(m->eval, CS_NOW, m->x, i->logp_proposal);
    for (size_t l = 0; l < m->lanes; l += CS_VECTOR) {
        cs_vd now = cs_load(i->logp_proposal + l), was = cs_load(i->logp + l);
        cs_vi moved = cs_load_bool(i->moved + l);
        cs_store(i->logp_change + l, cs_vselect(moved, now - was, cs_vset(0)));
        cs_store(i->logp + l, now);
        cs_store(i->log_ratio + l, cs_vset(0));
        cs_store(i->log_q_forward + l, cs_vset(0));
        cs_store(i->log_q_back + l, cs_vset(0));
        cs_store(i->log_uniform + l, cs_vset(0));
        cs_store_bool(m->failed + l,
                      cs_load_bool(m->failed + l) | ~(now < CS_VM_INF));
        cs_store_bool(i->accepted + l, ~(moved & 0));
    }
}

/* Ends a step that resampled some sites, in the vector of lanes that begins at
 * lane l: fills info and adds `change` to log p. If `change` is NaN, no value
 * could be drawn, and the chain stays. If `change` is HUGE_VAL, the chain stays
 * and fails. `odd` marks lanes in which some value had log p = NaN, which
 * counts as a rejection. Returns the lanes that stay; the caller restores their
 * sites. */
static inline cs_vi cs_finish_resampled(cs_move *m, size_t l, cs_vi moved,
                                        cs_vd change, cs_vi odd)
{
    assert(l % CS_VECTOR == 0 && l < m->lanes);
    cs_info *i = &m->info;
    cs_vi failed = cs_load_bool(m->failed + l) | (change == CS_VM_INF);
    cs_vi stays = failed | (change != change);
    cs_vd taken = cs_vselect(moved & ~stays, change, cs_vset(0));
    cs_store(i->logp_change + l, taken);
    cs_store(i->logp + l, cs_load(i->logp + l) + taken);
    cs_store(i->logp_proposal + l, cs_load(i->logp + l));
    cs_store(i->log_ratio + l, cs_vselect(odd | (change != change),
                                          cs_vset(CS_VM_NAN), cs_vset(0)));
    cs_store(i->log_q_forward + l, cs_vset(0));
    cs_store(i->log_q_back + l, cs_vset(0));
    cs_store(i->log_uniform + l, cs_vset(0));
    cs_store_bool(i->accepted + l, ~(moved & 0));
    cs_store_bool(i->moved + l, moved & ~stays);
    cs_store_bool(m->failed + l, failed);
    return stays;
}

/* Evaluates log p again every 1024 steps, so that rounding errors do not add
 * up. Called by kernels that update log p by differences. */
static inline void cs_finish_resampled_anew(cs_move *m)
{
    if (m->streams.step % 1024 == 0)
        cs_eval_log_density(m->eval, CS_NOW, m->x, m->info.logp);
}

/* Where the proposal is not finite, sets logp_proposal = -HUGE_VAL. Such a step
 * has overflowed. It is rejected, and is not counted as an error of the
 * target. */
static inline void cs_refuse_overflow(cs_move *m)
{
    for (size_t l = 0; l < m->lanes; l += CS_VECTOR) {
        cs_vi over =
            cs_vnot_finite(m->info.proposal, l, m->lanes, m->dim * m->lanes);
        double *logp = m->info.logp_proposal + l;
        cs_store(logp, cs_vselect(over, cs_vset(-CS_VM_INF), cs_load(logp)));
    }
}

/* If the packed proposal y is not finite, sets logp_proposal = -HUGE_VAL,
 * because the step has overflowed. */
static inline void cs_refuse_overflow_packed(cs_move *m, const double *y)
{
    cs_vi over = cs_vnot_finite(y, 0, CS_VECTOR, cs_pad_lanes(m->dim));
    if (cs_bytes_of(over))
        cs_store_all(m->info.logp_proposal, -CS_VM_INF);
}
