/* The definition of a run, for the files of src/run. It contains the state that
 * several files need, and pointers to the parts of a run, which are defined in
 * headers of their own. */
#pragma once

#include "run/arms/arm.h"
#include "run/arms/spec.h"

/* Constants from the spec. */
typedef struct cs_given {
    uint64_t warmup;     /* warm-up of arms without a tuner; 0: none */
    uint64_t max_warmup; /* maximum warm-up of tuners; 0: no limit */
    bool strict;         /* a chain stops at its first NaN proposal */
    bool one_start;      /* all chains start at one state */
} cs_given;

/* How a run ends. */
typedef struct cs_ending {
    double seconds; /* wall time spent advancing */
    bool lifted;    /* true: the budget was lifted at step lifted_at */
    uint64_t lifted_at;
    char why[200]; /* reason for an early end, at step why_at */
    uint64_t why_at;
} cs_ending;

struct cs_run {
    cs_target *target;
    uint64_t seed, steps;
    cs_given given;
    cs_budget budget;
    cs_ending ending;
    uint64_t epoch; /* increases when draws are made or removed */
    cs_arm *arm;    /* [n_arms] [own] */
    size_t n_arms;
    uint64_t n_chains; /* number of chains of all arms */
    cs_item *item;     /* [n_items] all blocks of all arms [own] */
    size_t n_items;
    cs_probe *probe; /* [n_probes] [own] */
    size_t n_probes;
    char *fingerprint; /* [own] identifies target, arms and seed */
    cs_share share;    /* the part of the run that this process moves */
    char *together;    /* [own] reason why the run cannot be divided, or NULL */
    const cs_world *ranks; /* ranks that move the chains, or NULL [borrowed] */
    size_t workers;        /* number of threads, including the owner's */
    cs_pool *pool;         /* [own] */

    /* Parts of the run, created with it [own]. */
    struct cs_rank_comm *comm;
    struct cs_rounds *rounds;
    struct cs_draw_store *draws;
    struct cs_report_scratch *reports;
    struct cs_witnesses *witnesses;
    struct cs_timeline *timeline;
    struct cs_remembered *remembered;
    struct cs_marks *marks;
    struct cs_saving *saving;
};
