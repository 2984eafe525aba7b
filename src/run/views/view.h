/* Views of an arm and its chains between steps. */
#pragma once

#include "kernel/decision.h"
#include "run/arms/learner.h"
#include "run/arms/share.h"
#include "run/arms/spec.h"
#include "run/tuning/tuning_view.h"

typedef struct cs_arm_view {
    const char *name;
    const char *chosen; /* how the kernel was chosen; NULL: it was given */
    const cs_kernel *kernel;
    const cs_plan *plan;
    const cs_metric *metric; /* NULL: the unit metric */
    size_t chains;
    cs_chains own;   /* chains in this run's share */
    cs_chains moved; /* chains in the share that this rank moves */
    /* number of chains that move together, at the start of the run; only the
     * first of these chains draws from the target and is recorded */
    size_t group;
    uint64_t steps;
    cs_work work; /* total over all chains */
    /* evaluations for probes and users (log p if the kernel does not have
     * it); restored like `work` when the run goes back */
    cs_work observed;
    /* kind of log p in the draws so far; before the first draw, the kind that
     * the kernel computes */
    cs_logp_kind logp;
    double seconds; /* CPU time of the arm's blocks */
    bool finished;
    uint64_t warmup_steps; /* length of the warm-up; 0 while it continues */
    cs_tuning_view tuning;
    cs_learner_view learner;
} cs_arm_view;
cs_arm_view cs_run_arm(const cs_run *r, size_t arm);
/* Returns how many steps a chain makes before the schedule of the kernel's
 * parameter k starts to count. The number is 0, except for a schedule found by
 * the arm's tuner, which starts after the warm-up. */
uint64_t cs_arm_view_from(const cs_arm_view *arm, size_t k);
/* Returns the value of the kernel's parameter k at step `step` of the chain,
 * counted from 1. While the tuner is running, returns the value that the tuner
 * is trying. Called on the run's thread. */
double cs_arm_view_value(const cs_arm_view *arm, size_t k, uint64_t step);

/* The last step of one chain. Pointers are [borrowed] until the next call that
 * moves the run; x and proposal are copies, [dim]. If the chain has failed, its
 * last step is the step at which it failed, and the numbers of this step are
 * NAN. */
typedef struct cs_chain_view {
    const double *x;
    /* NULL if the kernel proposes nothing or the chain has made no step */
    const double *proposal;
    const double *shown; /* generated quantities of x, or x itself */
    const double *shown_proposal;
    /* auxiliary variables: element i is at [i * aux_stride] */
    const double *aux;
    /* auxiliary variables of the proposal; NULL: none */
    const double *aux_proposal;
    size_t aux_rows, aux_stride;
    cs_decision last; /* decision of the last step */
    bool failed;
    cs_tally tally;
} cs_chain_view;
cs_chain_view cs_run_chain(cs_run *r, size_t arm, size_t chain);

/* Returns only the last decision of a chain: no state is copied, and x,
 * proposal and quantities are NULL. */
cs_chain_view cs_run_decision(const cs_run *r, size_t arm, size_t chain);

/* Pointers to the state of a chain and the auxiliary variables of its kernel.
 * Coordinate d is at [d * stride]. The pointers are [borrowed] as in
 * cs_chain_view. */
typedef struct cs_lane_view {
    const double *x, *proposal, *aux, *aux_proposal; /* NULL as in
                                                      * cs_chain_view */
    const double *stat; /* columns of the last step (cs_info); NULL: none */
    /* mean acceptance of the step, for kernels with CS_KERNEL_ACCEPT_STAT */
    double accept_stat;
    size_t aux_rows, stride;
} cs_lane_view;
cs_lane_view cs_run_lane(const cs_run *r, size_t arm, size_t chain);

/* Computes the noise of the next step in the first n coordinates:
 * gradient[n][n] is the covariance that the noise of the gradient causes, and
 * injected[n] are the variances of the noise that the kernel adds. Returns
 * false if the kernel uses no noisy gradient or if the chain has stopped.
 * Changes no chain. */
bool cs_run_noise(const cs_run *r, size_t arm, size_t chain, size_t n,
                  double *gradient, double *injected);

/* Computes log p of a chain's state under the target. If the kernel's value is
 * exact, returns this value; otherwise evaluates log p for this chain and
 * counts the evaluation in `observed`. Changes no chain. */
cs_status cs_run_true_logp(cs_run *r, size_t arm, size_t chain, double *logp,
                           cs_error *err);

/* Defined in view.c. */
/* Returns the last decision of a lane. `failed_at` is the step at which the
 * lane failed; 0: the lane has not failed. */
cs_decision cs_decision_of(const cs_block *b, size_t l, double failed_at);
