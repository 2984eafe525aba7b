/* Views of a run between steps: its arms, and the states of their chains. */
#include "run/views/view.h"
#include "chain/tally.h"
#include "run/arms/run_state.h"
#include "run/arms/share.h"
#include "run/tuning/learn.h"
#include "run/tuning/tune.h"
#include "run/views/report_scratch.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

cs_arm_view cs_run_arm(const cs_run *r, size_t arm)
{
    if (arm >= r->n_arms)
        return (cs_arm_view){.name = NULL};
    const cs_arm *a = &r->arm[arm];
    double seconds =
        a->loaded.seconds + a->elsewhere.seconds + cs_arm_seconds(a);
    return (cs_arm_view){.name = a->name,
                         .chosen = a->chosen,
                         .kernel = &a->kernel,
                         .plan = &a->plan,
                         .metric = a->metric,
                         .chains = a->chains,
                         .own = cs_share_of(r, r->share, arm),
                         .moved = a->share.own,
                         .group = cs_kernel_group(&a->first),
                         .steps = a->steps,
                         .work = cs_arm_work(a),
                         .observed = cs_arm_observed(a),
                         .logp = cs_block_logp_seen(a->front),
                         .seconds = seconds,
                         .finished = a->finished,
                         .warmup_steps = a->warmup_steps,
                         .learner = cs_learns_look(a),
                         .tuning = cs_tuning_look(a)};
}

/* Copies rows of a lane, which are one block width apart, to contiguous
 * memory. */
static const double *gather(const cs_block *b, const double *from, size_t rows,
                            double *to)
{
    for (size_t d = 0; d < rows; d++)
        to[d] = from[d * b->lanes];
    return to;
}

/* Computes the generated quantities of the chain's state and of its
 * proposal. */
static void show(cs_block *b, size_t l, double *scratch, cs_chain_view *v)
{
    size_t n = b->target->outputs.n;
    v->shown = v->x;
    v->shown_proposal = v->proposal;
    if (!n)
        return;
    if (v->proposal && !v->failed) {
        cs_eval_outputs(&b->eval, &b->move.streams, b->move.info.proposal,
                        b->shown);
        gather(b, b->shown + l, n, scratch);
        v->shown_proposal = scratch;
    } else
        v->shown_proposal = NULL;
    cs_block_show(b);
    v->shown = gather(b, b->shown + l, n, scratch + n);
}

/* Returns true if the proposal of the step that failed was stored. Proposals
 * that a failed chain makes later are meaningless. */
static bool is_proposal_kept(const cs_block *b, size_t l)
{
    return b->move.dim <= CS_FAULT_SHOWN && b->fault[l] >= CS_FAULT_DENSITY &&
           b->fault[l] < CS_FAULT_STATE;
}

cs_lane_view cs_run_lane(const cs_run *r, size_t arm, size_t chain)
{
    if (arm >= r->n_arms || chain >= r->arm[arm].chains)
        return (cs_lane_view){.x = NULL};
    const cs_arm *a = &r->arm[arm];
    const cs_block *b = cs_arm_block(a, chain);
    const cs_info *i = &b->move.info;
    size_t l = cs_arm_lane(a, chain), n = b->lanes;
    bool stepped = b->step > 0 && i->proposal, failed = b->failed[l] != 0;
    cs_lane_view v = {.x = b->move.x + l, .aux_rows = b->aux_rows, .stride = n};
    if (failed && is_proposal_kept(b, l))
        v.proposal = b->fault + CS_FAULT_POINT * n + l;
    else if (stepped && !failed)
        v.proposal = i->proposal + l;
    if (b->aux)
        v.aux = b->aux + l;
    if (b->step > 0 && !failed) {
        v.stat = i->stat + l;
        v.accept_stat = b->accept_stat[l];
    }
    if (stepped && !failed && i->aux_proposal)
        v.aux_proposal = i->aux_proposal + l;
    return v;
}

/* Returns the last decision of lane l. `failed_at` is the step at which the
 * lane failed, or 0. */
cs_decision cs_decision_of(const cs_block *b, size_t l, double failed_at)
{
    const cs_info *i = &b->move.info;
    const double nan = (double)NAN;
    const double logp = b->logp_kind == CS_LOGP_NONE ? nan : i->logp[l];
    if (failed_at != 0)
        return (cs_decision){.logp = logp,
                             .logp_proposal = nan,
                             .logp_change = nan,
                             .log_q_forward = nan,
                             .log_q_back = nan,
                             .log_ratio = nan,
                             .log_uniform = nan,
                             .log_aux = i->log_aux ? nan : 0,
                             .estimates = i->log_aux != NULL,
                             .failed_at = failed_at};
    return (cs_decision){.logp = logp,
                         .logp_proposal = i->logp_proposal[l],
                         .logp_change = i->logp_change[l],
                         .log_q_forward = i->log_q_forward[l],
                         .log_q_back = i->log_q_back[l],
                         .log_ratio = i->log_ratio[l],
                         .log_uniform = i->log_uniform[l],
                         .log_aux = i->log_aux ? i->log_aux[l] : 0,
                         .estimates = i->log_aux != NULL,
                         .accepted = i->accepted[l],
                         .moved = i->moved[l]};
}

cs_chain_view cs_run_decision(const cs_run *r, size_t arm, size_t chain)
{
    if (arm >= r->n_arms || chain >= r->arm[arm].chains)
        return (cs_chain_view){.x = NULL};
    const cs_arm *a = &r->arm[arm];
    const cs_block *b = cs_arm_block(a, chain);
    size_t l = cs_arm_lane(a, chain);
    return (cs_chain_view){.last = cs_decision_of(b, l, (double)b->failed[l]),
                           .failed = b->failed[l] != 0,
                           .tally = cs_tally_of(b->tally + l, b->lanes)};
}

cs_chain_view cs_run_chain(cs_run *r, size_t arm, size_t chain)
{
    cs_chain_view view = cs_run_decision(r, arm, chain);
    cs_lane_view at = cs_run_lane(r, arm, chain);
    if (!at.x)
        return view;
    const cs_arm *a = &r->arm[arm];
    cs_block *b = cs_arm_block(a, chain);
    size_t dim = b->move.dim;
    double *scratch = r->reports->state;
    view.x = gather(b, at.x, dim, scratch);
    if (at.proposal)
        view.proposal = gather(b, at.proposal, dim, scratch + dim);
    view.aux = at.aux;
    view.aux_proposal = at.aux_proposal;
    view.aux_rows = at.aux_rows;
    view.aux_stride = at.stride;
    show(b, cs_arm_lane(a, chain), scratch + 2 * dim, &view);
    return view;
}

bool cs_run_noise(const cs_run *r, size_t arm, size_t chain, size_t n,
                  double *gradient, double *injected)
{
    const cs_arm *a = &r->arm[arm];
    const cs_block *b = cs_arm_block(a, chain);
    const cs_kernel_type *type = b->kernel->type;
    size_t l = cs_arm_lane(a, chain);
    double values[CS_KERNEL_PARAMS];
    if (!type->noise || b->failed[l] != 0 || b->step == 0)
        return false;
    for (size_t k = 0; k < type->n_params; k++)
        values[k] = b->param[k * b->lanes + l];
    const cs_noise at = {.target = b->target,
                         .values = values,
                         .chain = chain,
                         .x = b->move.x + l,
                         .memory = b->move.memory + l,
                         .stride = b->lanes,
                         .n = n,
                         .metric = a->metric,
                         .gradient = gradient,
                         .injected = injected};
    return type->noise(&at);
}

cs_status cs_run_true_logp(cs_run *r, size_t arm, size_t chain, double *logp,
                           cs_error *err)
{
    const cs_arm *a = &r->arm[arm];
    cs_block *b = cs_arm_block(a, chain);
    cs_status s = cs_target_check_density(r->target, err);
    if (s == CS_OK)
        s = cs_block_reserve_observer(b, err);
    if (s == CS_OK)
        *logp = cs_block_true_logp_of(b, cs_arm_lane(a, chain));
    return s;
}
