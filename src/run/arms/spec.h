/* Specification of a run: target, arms, seed and budget. */
#pragma once

#include "chain/block.h"
#include "run/arms/learner.h"
#include "run/arms/share.h"
#include "run/arms/world.h"
#include "tune/tuner.h"

typedef struct cs_run cs_run;
typedef struct cs_arm cs_arm;

/* Instead of the number of an arm: no arm, or for a change the run itself (its
 * budget, its workers). */
#define CS_NO_ARM SIZE_MAX

typedef struct cs_arm_spec {
    const char *name; /* [copied] */
    cs_kernel kernel;
    cs_plan plan;
    cs_tuner tuner;           /* no type: no tuner */
    cs_metric_kind metric;    /* UNIT: none, or the one that its tuner learns */
    const double *covariance; /* of the metric: cs_metric_words [borrowed] */
    const double *centre;     /* of the metric: [dim], or NULL: none
                               * [borrowed] */
    size_t chains;            /* 0: the run's */
    cs_learner learner;       /* no type: its target does not learn [held] */
} cs_arm_spec;

/* Limits per arm: steps of every chain, work summed over its chains. An arm
 * finishes at the first step that reaches a limit, or at which its last chain
 * fails; the other arms continue. Zero: no limit. */
typedef struct cs_budget {
    uint64_t steps, gradients, log_densities, data_terms;
    double seconds; /* of the whole run, wall time */
} cs_budget;

typedef struct cs_probe_spec {
    const cs_probe_type *type;
    cs_value given[CS_PROBE_PARAMS];
    size_t n_given;
    uint64_t every; /* 0: the default (cs_probe_usual) */
    bool true_logp; /* see cs_probe */
} cs_probe_spec;

typedef struct cs_run_spec {
    cs_target *target; /* [held] */
    const cs_arm_spec *arms;
    size_t n_arms;
    size_t chains; /* per arm, default 4 */
    uint64_t seed;
    uint64_t warmup;      /* steps of arms without a tuner before their draws
                           * begin; 0: none */
    uint64_t most_warmup; /* maximum steps of a tuner whose spec gives none;
                           * 0:
                           * the default number */
    cs_budget budget;
    const cs_probe_spec *probes;
    size_t n_probes;
    const double *start; /* [n_starts][dim] row per chain (reused in turn when
                            fewer than chains), or NULL */
    size_t n_starts;
    size_t workers;        /* 0: one per processor */
    size_t block_lanes;    /* 0: automatic; results do not depend on it */
    size_t keep;           /* draws kept per chain; 0: 4096, thinned by doubling
                           when full */
    uint64_t rewind_bytes; /* memory for stored past states; 0: 64 MiB */
    bool strict;           /* a chain stops at the first NaN proposal;
                            * otherwise
                            * NaN proposals are rejected and counted
                            * (cs_tally) */
    cs_share share;        /* {0}: the whole run */
    const cs_world *ranks; /* the ranks that move it, or NULL [borrowed] */
    const char *together;  /* why it cannot be shared out, or NULL [copied] */
    const char *script;    /* further parts of the fingerprint that a saved
                            * run must share with the one that loads it
                            * (base/parts.h), or NULL [copied] */
} cs_run_spec;
