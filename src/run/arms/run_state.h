/* A run, as the files of this folder see it: what all of them need, and the parts,
 * each of the type of its owner, whose header says what may be done with it. */
#pragma once

#include "run/arms/arm.h"
#include "run/arms/spec.h"

/* What its spec has told it for good. */
typedef struct cs_given {
    uint64_t warmup;      /* of arms without a tuner, 0: there is none */
    uint64_t most_warmup; /* what tuners were cut to, 0: none was */
    bool strict;          /* see cs_run_spec */
    bool one_start;       /* all chains start at one state */
} cs_given;

/* How a run ends, or does not. */
typedef struct cs_ending {
    double seconds; /* spent advancing */
    bool lifted;    /* the budget is no limit any more, since the step: */
    uint64_t lifted_at;
    char why[200]; /* a rule ended it ... */
    uint64_t why_at;
} cs_ending;

struct cs_run {
    cs_target *target;
    uint64_t seed, steps;
    cs_given given;
    cs_budget budget;
    cs_ending ending;
    uint64_t epoch; /* grows whenever draws are made or taken away */
    cs_arm *arm;    /* [n_arms] [own] */
    size_t n_arms;
    uint64_t n_chains; /* of all arms */
    cs_item *item;     /* [n_items] every block of every arm [own] */
    size_t n_items;
    cs_probe *probe; /* [n_probes] [own] */
    size_t n_probes;
    char *fingerprint;     /* [own] what it is made of */
    cs_share share;        /* what it moves of the whole */
    char *together;        /* [own] why that is all or nothing, or NULL */
    const cs_world *ranks; /* that move it, or NULL [borrowed] */
    size_t workers;        /* threads, the owner's with them */
    cs_pool *pool;         /* [own] */

    /* its parts, which are made with it */
    struct cs_rank_comm *comm;
    struct cs_rounds *rounds;
    struct cs_draw_store *draws;
    struct cs_report_room *reports;
    struct cs_witnesses *witnesses;
    struct cs_timeline *timeline;
    struct cs_remembered *remembered;
    struct cs_marks *marks;
    struct cs_saving *saving;
};
