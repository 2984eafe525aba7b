/* An arm and its chains between two quanta. */
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
    const cs_metric *metric; /* NULL: the unit one */
    size_t chains;
    cs_chains own;   /* those of this run: its share ... */
    cs_chains moved; /* ... and of these, those that this rank moves */
    size_t group;    /* so many belong together, as the arm began: the first of
                     them draws from the target and is recorded */
    uint64_t steps;
    cs_work work;      /* summed over chains */
    cs_work observed;  /* what probes and users had evaluated beside it: log p
                         where the kernel does not have it. It goes back with
                         the steps, as `work` does */
    cs_logp_kind logp; /* what log p of its draws so far is; before the first,
                          of the kernel */
    double seconds;    /* CPU spent in its blocks */
    bool finished;
    uint64_t warmup_steps; /* of the warm-up, 0 while it lasts */
    cs_tuning_view tuning;
    cs_learner_view learner;
} cs_arm_view;
cs_arm_view cs_run_arm(const cs_run *r, size_t arm);
/* How many steps of the chain are before the first by which the schedule of the
 * kernel's parameter k counts: 0, but for a schedule that the arm's tuner has
 * found, which counts from the end of the warm-up. */
uint64_t cs_arm_view_from(const cs_arm_view *arm, size_t k);
/* What parameter k of the kernel is at step `step` of the chain, from 1: of an arm
 * whose tuner is at work on it, the value of the trial. On the run's thread. */
double cs_arm_view_value(const cs_arm_view *arm, size_t k, uint64_t step);

/* Everything about one chain's last step. Pointers [borrowed] until the next
 * call that moves the run; x and proposal are gathered copies, [dim]. The last
 * step of a chain that failed is the one at which it did: its parts are NAN. */
typedef struct cs_chain_view {
    const double *x;
    const double *proposal; /* NULL: the kernel has none, or no step yet */
    const double *shown;    /* the target's outputs of both, or themselves */
    const double *shown_proposal;
    const double *aux;          /* auxiliary variables of the kernel, row i */
    const double *aux_proposal; /* at [i * aux_stride]; NULL likewise */
    size_t aux_rows, aux_stride;
    cs_decision last; /* of its last step */
    bool failed;
    cs_tally tally;
} cs_chain_view;
cs_chain_view cs_run_chain(cs_run *r, size_t arm, size_t chain);

/* The same of its last decision alone: no state is gathered, x, proposal and
 * what is shown are NULL. */
cs_chain_view cs_run_decision(const cs_run *r, size_t arm, size_t chain);

/* Where a chain's state and the kernel's auxiliary variables are, coordinate d
 * at [d * stride]; [borrowed] like those of cs_chain_view. */
typedef struct cs_lane_view {
    const double *x, *proposal, *aux, *aux_proposal; /* NULL as there */
    const double *stat; /* columns of the last step (cs_info), NULL: none */
    double accept_stat; /* with CS_KERNEL_ACCEPT_STAT, its mean acceptance */
    size_t aux_rows, stride;
} cs_lane_view;
cs_lane_view cs_run_lane(const cs_run *r, size_t arm, size_t chain);

/* Where noise carries the chain in its next step, of the first n coordinates:
 * covariance by the noise of its gradient, gradient[n][n], and variances of the
 * noise that its kernel adds, injected[n]. False where the kernel follows no
 * noisy gradient, or the chain has stopped. It changes no chain. */
bool cs_run_noise(const cs_run *r, size_t arm, size_t chain, size_t n,
                  double *gradient, double *injected);

/* log p of the state where a chain stands, by the target: the kernel's, where
 * that is exact; else it is evaluated, for that chain alone, and counted in
 * `observed`. It changes no chain. */
cs_status cs_run_true_logp(cs_run *r, size_t arm, size_t chain, double *logp,
                           cs_error *err);

/* view.c */
/* The last decision of a lane, which failed at that step (0: it lives). */
cs_decision cs_decision_of(const cs_block *b, size_t l, double failed_at);
