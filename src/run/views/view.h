/* Views of an arm and its chains between two quanta. */
#pragma once

#include "kernel/decision.h"
#include "run/arms/learner.h"
#include "run/arms/share.h"
#include "run/arms/spec.h"
#include "run/tuning/tuning_view.h"

typedef struct cs_arm_view {
    const char *name;
    const cs_kernel *kernel;
    const cs_plan *plan;
    const cs_metric *metric; /* NULL: the unit metric */
    size_t chains;
    cs_chains own;   /* those in this run's share */
    cs_chains moved; /* of these, those that this rank moves */
    size_t group;    /* chains that belong together, at the start: the first
                      * of them draws from the target and is recorded */
    uint64_t steps;
    cs_work work;      /* summed over chains */
    cs_work observed;  /* evaluated for probes and users: log p if the kernel
                        * does not have it. Rewound with the steps, like
                        * `work` */
    cs_logp_kind logp; /* kind of log p of its draws so far; before the first,
                        * of the kernel */
    double seconds;    /* CPU spent in its blocks */
    bool finished;
    uint64_t warmup_steps; /* length of the warm-up; 0 while it lasts */
    cs_tuning_view tuning;
    cs_learner_view learner;
} cs_arm_view;
cs_arm_view cs_run_arm(const cs_run *r, size_t arm);
/* Returns the number of steps of the chain before the first by which the
 * schedule of the kernel's parameter k counts: 0, except for a schedule found
 * by the arm's tuner, which counts from the end of the warm-up. */
uint64_t cs_arm_view_from(const cs_arm_view *arm, size_t k);
/* Returns the value of the kernel's parameter k at step `step` of the chain,
 * from 1; while the tuner drives it, the value of the trial. On the run's
 * thread. */
double cs_arm_view_value(const cs_arm_view *arm, size_t k, uint64_t step);

/* The last step of one chain. Pointers [borrowed] until the next call that
 * moves the run; x and proposal are gathered copies, [dim]. The last step of a
 * failed chain is the one at which it failed: its parts are NAN. */
typedef struct cs_chain_view {
    const double *x;
    const double *proposal; /* NULL: the kernel has none, or no step yet */
    const double *shown;    /* generated quantities of both, or the states
                             * themselves */
    const double *shown_proposal;
    const double *aux;          /* auxiliary variables of the kernel, row i */
    const double *aux_proposal; /* at [i * aux_stride]; NULL likewise */
    size_t aux_rows, aux_stride;
    cs_decision last; /* of its last step */
    bool failed;
    cs_tally tally;
} cs_chain_view;
cs_chain_view cs_run_chain(cs_run *r, size_t arm, size_t chain);

/* Returns only its last decision: no state is gathered, and x, proposal and
 * quantities are NULL. */
cs_chain_view cs_run_decision(const cs_run *r, size_t arm, size_t chain);

/* Places of a chain's state and of the kernel's auxiliary variables, coordinate
 * d at [d * stride]; [borrowed] like those of cs_chain_view. */
typedef struct cs_lane_view {
    const double *x, *proposal, *aux, *aux_proposal; /* NULL as in
                                                      * cs_chain_view */
    const double *stat; /* columns of the last step (cs_info); NULL: none */
    double accept_stat; /* with CS_KERNEL_ACCEPT_STAT, its mean acceptance */
    size_t aux_rows, stride;
} cs_lane_view;
cs_lane_view cs_run_lane(const cs_run *r, size_t arm, size_t chain);

/* Computes the noise of the next step for the first n coordinates: covariance
 * from the noise of its gradient, gradient[n][n], and variances of the noise
 * that the kernel adds, injected[n]. False: the kernel uses no noisy gradient,
 * or the chain has stopped. Changes no chain. */
bool cs_run_noise(const cs_run *r, size_t arm, size_t chain, size_t n,
                  double *gradient, double *injected);

/* Returns log p of a chain's state under the target: the kernel's if exact;
 * else it is evaluated for that chain only and counted in `observed`. Changes
 * no chain. */
cs_status cs_run_true_logp(cs_run *r, size_t arm, size_t chain, double *logp,
                           cs_error *err);

/* view.c */
/* Returns the last decision of a lane, which failed at that step (0: it
 * lives). */
cs_decision cs_decision_of(const cs_block *b, size_t l, double failed_at);
