/* Specification of a run: target, arms, seed and budget. */
#pragma once

#include "chain/block.h"
#include "run/arms/learner.h"
#include "run/arms/share.h"
#include "run/arms/world.h"
#include "tune/tuner.h"

typedef struct cs_run cs_run;
typedef struct cs_arm cs_arm;

/* Used instead of the number of an arm, and means "no arm". In a change it
 * means that the change is made to the run (for example to its budget or its
 * workers). */
#define CS_NO_ARM SIZE_MAX

typedef struct cs_arm_spec {
    const char *name; /* [copied] */
    /* how the kernel was chosen, one line per member, or NULL [copied] */
    const char *chosen;
    /* name of the arm's own random numbers: the seed of its chains is the
     * run's seed, exclusive or the digest of this name. NULL: the run's seed,
     * so that all such arms have the same random numbers [borrowed] */
    const char *stream;
    cs_kernel kernel;
    cs_plan plan;
    cs_tuner tuner; /* type NULL: no tuner */
    /* UNIT: no metric, or a metric that the tuner learns */
    cs_metric_kind metric;
    /* covariance of the metric [cs_metric_words] [borrowed] */
    const double *covariance;
    const double *centre; /* centre of the metric [dim], or NULL [borrowed] */
    size_t chains;        /* 0: the run's number of chains */
    cs_learner learner;   /* type NULL: no learning [held] */
} cs_arm_spec;

/* Limits for each arm: the number of steps of each chain, and the work of all
 * chains together. An arm finishes at the first step that reaches a limit, or
 * when its last chain fails; the other arms continue. Zero: no limit. */
typedef struct cs_budget {
    uint64_t steps, gradients, log_densities, data_terms;
    double seconds; /* wall time of the whole run */
} cs_budget;

typedef struct cs_probe_spec {
    const cs_probe_type *type;
    cs_value given[CS_PROBE_PARAMS];
    size_t n_given;
    uint64_t every; /* number of steps between observations; 0: the default
                       (cs_probe_usual) */
    bool true_logp; /* the probe needs log p of the target itself */
} cs_probe_spec;

typedef struct cs_run_spec {
    cs_target *target; /* [held] */
    const cs_arm_spec *arms;
    size_t n_arms;
    size_t chains; /* chains per arm; 4 by default */
    uint64_t seed;
    uint64_t warmup; /* warm-up steps of arms without a tuner; 0: none */
    /* maximum number of steps of a tuner whose own spec gives no maximum; 0:
     * the default */
    uint64_t max_warmup;
    cs_budget budget;
    const cs_probe_spec *probes;
    size_t n_probes;
    /* [n_starts][dim] starts, one row per chain, or NULL; if there are fewer
     * rows than chains, the rows are used in turn. NAN: the coordinate is that
     * of the target's start for the chain */
    const double *start;
    size_t n_starts;
    size_t workers; /* number of threads; 0: one per processor */
    /* chains per block; 0: automatic; results do not depend on it */
    size_t block_lanes;
    /* draws kept per chain; 0: 4096. When the memory is full, every second draw
     * is removed */
    size_t keep;
    uint64_t rewind_bytes; /* bytes for stored past states; 0: 64 MiB */
    /* true: a chain stops at its first proposal with a NaN; false: proposals
     * with a NaN are rejected and counted (cs_tally) */
    bool strict;
    cs_share share;        /* {0}: the whole run */
    const cs_world *ranks; /* ranks that move the chains, or NULL [borrowed] */
    /* reason why the run cannot be divided, or NULL [copied] */
    const char *together;
    /* additional fingerprint, which a saved run and the run that loads it must
     * have in common (data/parts.h), or NULL [copied] */
    const char *script;
} cs_run_spec;
