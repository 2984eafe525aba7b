/* The definition of an arm, for the files of src/run. The tuner, learner,
 * exchanges and draws of an arm have their own types, which are defined in
 * other headers. */
#pragma once

#include "run/arms/spec.h"
#include "warn/arm_facts.h"

enum { CS_QUANTUM = 512 }; /* maximum steps of a round */

/* a block; each round has one job per block */
typedef struct cs_item {
    cs_block *block;
    cs_arm *arm;
    double seconds; /* CPU time in all rounds */
    uint64_t steps; /* number of steps in all rounds */
} cs_item;

/* The distribution of an arm's chains over processes. */
typedef struct cs_arm_share {
    cs_chains own; /* chains moved by this process, which form whole blocks */
    /* [ranks] chains moved by each rank [own]; NULL: there is only one
     * process */
    cs_chains *of_rank;
    uint64_t before; /* number of chains in the arms before this one */
    /* reason why all chains of the arm must belong to one part, or NULL (see
     * share.h) */
    const char *together;
} cs_arm_share;

/* The progress of an arm in this round. */
typedef struct cs_arm_round {
    size_t steps;
    cs_driven driven; /* parameter values at the steps of the round [own] */
    uint64_t reached; /* step reached by the blocks */
    /* fraction of the budget that was spent before the round */
    double budget_before;
    double max_step_cost; /* largest fraction of the budget spent per step */
} cs_arm_round;

/* A limit on the steps of an arm (see cs_run_limit). */
typedef struct cs_arm_limit {
    bool on, last;
    bool fixed; /* no room for more draws: a larger limit is ignored */
    uint64_t at;
    uint64_t lifted; /* number of steps when the budget was lifted */
} cs_arm_limit;

/* The chains of the arm on other ranks, as these ranks reported them last. */
typedef struct cs_arm_elsewhere {
    bool lives; /* at least one living chain is on another rank */
    cs_block_work work;
    double seconds;
} cs_arm_elsewhere;

/* If this run was loaded from a file: the work of the arm when the run was
 * saved. */
typedef struct cs_arm_loaded {
    cs_work work, observed; /* work: work of the arm; observed: work for probes
                               and users */
    double seconds;         /* CPU time */
    uint64_t slab_words;    /* number of saved words per chain */
} cs_arm_loaded;

/* Results of checks, and facts about files, that the caller reports. */
typedef struct cs_arm_reported {
    bool checked;    /* laws were checked (see cs_run_set_checked) */
    char broken[32]; /* name of the first broken law; "": none */
    cs_warn_files files;
    bool *reported; /* [chains] chains whose fault was reported [own] */
} cs_arm_reported;

struct cs_arm {
    char *name;        /* [own] */
    char *chosen;      /* how the kernel was chosen; NULL: it was given [own] */
    cs_target *target; /* [held] the run's target, or the learner's copy */
    cs_kernel kernel;
    cs_plan plan; /* present plan, which may change */
    /* stored copy of `plan` for marks [held]; NULL: `plan` has changed since
     * the copy was made */
    cs_held_plan *held;
    cs_metric *metric; /* [held] NULL: the unit metric */
    cs_kernel first;   /* kernel at the start of the run */
    /* number of rows in which auxiliary variables of the first kernel are
     * recorded */
    size_t aux;
    size_t chains;
    uint64_t seed;    /* the seed of the chains, see cs_arm_spec.stream */
    cs_block **block; /* [n_blocks] [own] */
    cs_item *item;    /* [n_blocks] elements of the run's array [borrowed] */
    size_t n_blocks;
    size_t *block_of; /* [chains] block of each chain [own] */
    /* first block that this process moves; if the process moves none, the first
     * block of the arm [borrowed] */
    cs_block *front;

    uint64_t steps;
    uint64_t warmup_steps; /* length of the warm-up, after it has ended */
    bool finished;         /* the budget is spent, or all chains have failed */
    cs_arm_round round;
    cs_arm_limit limit;
    cs_arm_share share;
    cs_arm_elsewhere elsewhere;
    cs_arm_loaded loaded;
    cs_arm_reported reported;

    /* [own]; NULL: the arm's chains never exchange states */
    struct cs_exchange_scratch *exchange;
    struct cs_tuning *tuning;       /* [own]; NULL: no tuner */
    struct cs_learns *learns;       /* [own]; NULL: no learner */
    struct cs_arm_draws *draws;     /* [own] */
    struct cs_diagnosed *diagnosed; /* [own] */
};

/* Defined in arm.c. */
/* Returns the CPU time that this process has spent on the arm's blocks since
 * they were created or loaded. */
double cs_arm_seconds(const cs_arm *a);
cs_work cs_arm_work(const cs_arm *a);
/* Returns the evaluations for probes and users (cs_arm_view.observed). */
cs_work cs_arm_observed(const cs_arm *a);
/* Returns the work of the chains that this process moves, since these chains
 * were created or loaded. */
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

/* Defined in limits.c. */
/* Returns true if the arm must not advance now. */
bool cs_arm_waits(const cs_arm *a);

/* Returns true if the arm has spent its budget, or if all its chains have
 * failed. */
bool cs_arm_is_finished(const cs_run *r, const cs_arm *a);

/* Returns the fraction of the work budget that is spent. If the budget has
 * several limits, returns the largest fraction over these limits. A value of 1
 * or more means that the budget is spent. */
double cs_arm_spent(const cs_run *r, const cs_arm *a);

/* Returns the step of the run that an arm has reached. A budget may end the
 * arms at different steps. When the budget is lifted, all arms continue
 * together. */
uint64_t cs_arm_step(const cs_run *r, const cs_arm *a);

/* Defined in arm.c. */
/* Checks that kernel `k` can move the arm, given its target and its number of
 * chains. */
cs_status cs_arm_fits(const cs_run *r, const cs_arm *a, const cs_kernel *k,
                      cs_error *err);
/* Sets the metric [held] for later steps; NULL: the unit metric. */
void cs_arm_set_metric(cs_arm *a, cs_metric *metric);
/* Ends the sharing of the arm's plan between the arm and its marks. Call it
 * before changing the plan. */
void cs_arm_part_plan(cs_arm *a);

/* Makes the blocks evaluate their states again if the target of the blocks has
 * changed. */
void cs_run_follow_target(cs_run *r);
/* Marks the states of all chains as evaluated with the target's present learned
 * values. Call it after the states and the learned values were restored. */
void cs_run_learned(cs_run *r);

/* Defined in chain_copy.c. */
/* Copies the present state of a chain to a new block without observers [own:
 * cs_block_destroy]; NULL: out of memory. */
cs_block *cs_run_copy(cs_run *r, const cs_arm *a, size_t chain);
