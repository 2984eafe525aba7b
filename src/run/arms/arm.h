/* An arm of a run, as the files of this folder see it. Its tuner, learner, exchanges
 * and draws are of types of their owners. */
#pragma once

#include "run/arms/spec.h"

enum { CS_QUANTUM = 512 }; /* steps of a round, at most */

/* A block as a job of a round. */
typedef struct cs_item {
    cs_block *block;
    cs_arm *arm;
    double seconds; /* CPU time of all rounds */
    uint64_t steps; /* of all rounds */
} cs_item;

/* Whose its chains are. */
typedef struct cs_arm_share {
    cs_chains own; /* that this run moves; whole blocks */
    cs_chains
        *of_rank;    /* [ranks] likewise of each; NULL: of one process [own] */
    uint64_t before; /* chains of the arms before it */
    const char *together; /* why all go to one part, or NULL (share.h) */
} cs_arm_share;

/* The steps of this round. */
typedef struct cs_arm_round {
    size_t steps;
    cs_driven driven;     /* values over them [own] */
    uint64_t reached;     /* step to which the blocks have come */
    double budget_before; /* share of the budget spent before */
    double max_step_cost; /* most of the budget that a step has cost: a share */
} cs_arm_round;

/* See cs_run_limit: to this step, and no farther. */
typedef struct cs_arm_limit {
    bool on, last;
    uint64_t at;
    uint64_t lifted; /* steps when the budget was lifted */
} cs_arm_limit;

/* Of its chains on other ranks, as last heard. */
typedef struct cs_arm_elsewhere {
    bool lives; /* one of them */
    cs_block_work work;
    double seconds;
} cs_arm_elsewhere;

/* What it had done when this run was loaded. */
typedef struct cs_arm_loaded {
    cs_work work, observed; /* its own, and that of its observers */
    double seconds;         /* CPU time */
    uint64_t slab_words;    /* per chain, as saved */
} cs_arm_loaded;

/* What others have told of it, or were told. */
typedef struct cs_arm_told {
    bool checked;     /* laws of :check have judged it (cs_run_checked), */
    char broken[32];  /* and this one was broken, "": none */
    uint64_t longest; /* draws of its longest chain in files; 0: not known */
    bool *reported;   /* [chains] whose fault was reported [own] */
} cs_arm_told;

struct cs_arm {
    char *name;        /* [own] */
    cs_target *target; /* [held] the run's, or a copy of it that learns */
    cs_kernel kernel;
    cs_plan plan;       /* its own, which changes ... */
    cs_held_plan *held; /* ... and, held, the same of marks; NULL: changed */
    cs_metric *metric;  /* [held] NULL: the unit one */
    cs_kernel first;    /* the kernel that the arm began with */
    size_t aux;         /* rows of its auxiliary variables */
    size_t chains;
    cs_block **block; /* [n_blocks] [own] */
    cs_item *item;    /* [n_blocks] those of the run [borrowed] */
    size_t n_blocks;
    size_t *block_of; /* [chains] [own] */
    cs_block *front;  /* the first that is moved here, or of all [borrowed] */

    uint64_t steps;
    uint64_t warmup_steps; /* of the warm-up that is over */
    bool finished;         /* it has spent the budget, or no chain lives */
    cs_arm_round round;
    cs_arm_limit limit;
    cs_arm_share share;
    cs_arm_elsewhere elsewhere;
    cs_arm_loaded loaded;
    cs_arm_told told;

    struct cs_exchange_room *exchange; /* [own] NULL: its chains never meet */
    struct cs_tuning *tuning;          /* [own] NULL: it has no tuner */
    struct cs_learns *learns;          /* [own] NULL: it has no learner */
    struct cs_arm_draws *draws;        /* [own] */
    struct cs_judged *judged;          /* [own] */
};

/* advance.c */
/* CPU time of its blocks in this process, since they were created or loaded. */
double cs_arm_seconds(const cs_arm *a);
cs_work cs_arm_work(const cs_arm *a);
cs_work cs_arm_observed(const cs_arm *a); /* see cs_arm_view */
/* Of its chains that are moved here, since they were created or loaded. */
cs_block_work cs_arm_work_here(const cs_arm *a);
static inline cs_block *cs_arm_block(const cs_arm *a, size_t chain)
{
    return a->block[a->block_of[chain]];
}

static inline size_t cs_arm_lane(const cs_arm *a, size_t chain)
{
    return chain - (size_t)cs_arm_block(a, chain)->chain[0];
}

/* The first chain of block number b. */
static inline size_t cs_arm_first(const cs_arm *a, size_t b)
{
    return (size_t)a->block[b]->chain[0];
}

static inline bool cs_arm_owns(const cs_arm *a, size_t chain)
{
    return chain >= a->share.own.first && chain < a->share.own.end;
}

static inline bool cs_arm_moves(const cs_arm *a, const cs_block *b)
{
    return cs_arm_owns(a, (size_t)b->chain[0]);
}

static inline size_t cs_arm_chains_here(const cs_arm *a)
{
    return a->share.own.end - a->share.own.first;
}

/* Whether it may go no farther for now. */
bool cs_arm_waits(const cs_arm *a);

/* Whether what the arm has done so far spends the budget, or all its chains
 * have failed. */
bool cs_arm_is_finished(const cs_run *r, const cs_arm *a);

/* The share of the work budget that it has spent: 1 = all. */
double cs_arm_spent(const cs_run *r, const cs_arm *a);

/* The step of the run at which an arm is: beyond a budget that left the arms at
 * different steps they go on together. */
uint64_t cs_arm_step(const cs_run *r, const cs_arm *a);

/* Whether `k` can move the arm: its target, as many chains as it has. */
cs_status cs_arm_fits(const cs_run *r, const cs_arm *a, const cs_kernel *k,
                      cs_error *err);
/* The metric [held] of its steps to come; NULL: the unit one. */
void cs_arm_set_metric(cs_arm *a, cs_metric *metric);
/* Before the arm's plan is changed: what is held is of the past. */
void cs_arm_part_plan(cs_arm *a);

/* Blocks whose target has changed evaluate their states anew. */
void cs_run_follow_target(cs_run *r);
/* `learned` was put back with the chains' own memory of it. */
void cs_run_learned(cs_run *r);

/* copy.c */
/* The chain as it stands, in a block of its own [cs_block_destroy], which nobody
 * observes; NULL: out of memory. */
cs_block *cs_run_copy(cs_run *r, const cs_arm *a, size_t chain);
