/* Defines an arm of a run for the files of this folder. The owners of its
 * tuner, learner, exchanges and draws define their types. */
#pragma once

#include "run/arms/spec.h"

enum { CS_QUANTUM = 512 }; /* maximum steps of a round */

/* A block as a job of a round. */
typedef struct cs_item {
    cs_block *block;
    cs_arm *arm;
    double seconds; /* CPU time of all rounds */
    uint64_t steps; /* total over all rounds */
} cs_item;

/* The chains of an arm by process. */
typedef struct cs_arm_share {
    cs_chains own;        /* moved by this process; whole blocks */
    cs_chains *of_rank;   /* [ranks] the same for each rank; NULL: one process
                           * [own] */
    uint64_t before;      /* number of chains in earlier arms */
    const char *together; /* why all belong to one part, or NULL (share.h) */
} cs_arm_share;

/* The steps of this round. */
typedef struct cs_arm_round {
    size_t steps;
    cs_driven driven;     /* values during the round [own] */
    uint64_t reached;     /* step that the blocks have reached */
    double budget_before; /* spent fraction of the budget at the start */
    double max_step_cost; /* largest fraction of the budget spent by a step */
} cs_arm_round;

/* A step limit (cs_run_limit). */
typedef struct cs_arm_limit {
    bool on, last;
    uint64_t at;
    uint64_t lifted; /* steps when the budget was lifted */
} cs_arm_limit;

/* Its chains on other ranks, as last reported. */
typedef struct cs_arm_elsewhere {
    bool lives; /* at least one lives */
    cs_block_work work;
    double seconds;
} cs_arm_elsewhere;

/* Its work before this run was loaded. */
typedef struct cs_arm_loaded {
    cs_work work, observed; /* of the arm, and of its observers */
    double seconds;         /* CPU time */
    uint64_t slab_words;    /* per chain, as saved */
} cs_arm_loaded;

/* Results that were reported about the arm. */
typedef struct cs_arm_reported {
    bool checked;     /* laws were checked (cs_run_checked) */
    char broken[32];  /* the first law that failed; "": none */
    uint64_t longest; /* draws of its longest chain in files; 0: unknown */
    bool *reported;   /* [chains] whose fault was reported [own] */
} cs_arm_reported;

struct cs_arm {
    char *name;        /* [own] */
    cs_target *target; /* [held] the run's, or a copy of it that learns */
    cs_kernel kernel;
    cs_plan plan;       /* its own, which changes */
    cs_held_plan *held; /* the same as stored in marks; NULL: changed since */
    cs_metric *metric;  /* [held] NULL: the unit metric */
    cs_kernel first;    /* kernel at the start */
    size_t aux;         /* rows of the kernel's auxiliary variables */
    size_t chains;
    cs_block **block; /* [n_blocks] [own] */
    cs_item *item;    /* [n_blocks] those of the run [borrowed] */
    size_t n_blocks;
    size_t *block_of; /* [chains] [own] */
    cs_block *front;  /* first block that is moved here, or of all [borrowed] */

    uint64_t steps;
    uint64_t warmup_steps; /* length of the warm-up, once it is over */
    bool finished;         /* the budget is spent, or no chain lives */
    cs_arm_round round;
    cs_arm_limit limit;
    cs_arm_share share;
    cs_arm_elsewhere elsewhere;
    cs_arm_loaded loaded;
    cs_arm_reported reported;

    struct cs_exchange_scratch *exchange; /* [own] NULL: its chains never
                                        * exchange */
    struct cs_tuning *tuning;             /* [own] NULL: no tuner */
    struct cs_learns *learns;             /* [own] NULL: no learner */
    struct cs_arm_draws *draws;           /* [own] */
    struct cs_diagnosed *diagnosed;       /* [own] */
};

/* advance.c */
/* Returns the CPU time of its blocks in this process since they were created or
 * loaded. */
double cs_arm_seconds(const cs_arm *a);
cs_work cs_arm_work(const cs_arm *a);
cs_work cs_arm_observed(const cs_arm *a); /* see cs_arm_view */
/* Returns the work of the chains that this process moves, since they were
 * created or loaded. */
cs_block_work cs_arm_work_here(const cs_arm *a);
static inline cs_block *cs_arm_block(const cs_arm *a, size_t chain)
{
    return a->block[a->block_of[chain]];
}

static inline size_t cs_arm_lane(const cs_arm *a, size_t chain)
{
    return chain - (size_t)cs_arm_block(a, chain)->chain[0];
}

/* Returns the first chain of block number b. */
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

/* True if it must not advance for now. */
bool cs_arm_waits(const cs_arm *a);

/* True if the arm has spent its budget, or all its chains have failed. */
bool cs_arm_is_finished(const cs_run *r, const cs_arm *a);

/* Returns the spent fraction of the work budget; 1: all. */
double cs_arm_spent(const cs_run *r, const cs_arm *a);

/* Returns the step of the run that an arm has reached. A budget may leave the
 * arms at different steps; beyond it they continue together. */
uint64_t cs_arm_step(const cs_run *r, const cs_arm *a);

/* Checks that `k` can move the arm: its target and its number of chains. */
cs_status cs_arm_fits(const cs_run *r, const cs_arm *a, const cs_kernel *k,
                      cs_error *err);
/* Sets the metric [held] of later steps; NULL: the unit metric. */
void cs_arm_set_metric(cs_arm *a, cs_metric *metric);
/* Separates the arm's plan from stored copies; call before changing the
 * plan. */
void cs_arm_part_plan(cs_arm *a);

/* Makes blocks evaluate their states again if their target has changed. */
void cs_run_follow_target(cs_run *r);
/* Call after `learned` and the chains' memory of it were restored. */
void cs_run_learned(cs_run *r);

/* copy.c */
/* Copies the present state of a chain to a block of its own without observers
 * [cs_block_destroy]; NULL: out of memory. */
cs_block *cs_run_copy(cs_run *r, const cs_arm *a, size_t chain);
