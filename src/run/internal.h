/* A run and its arms, as the files of this folder see them; nobody else
 * includes this. What each of them does for the others is in its own header. */
#pragma once

#include "run/bins.h"
#include "run/exchange.h"
#include "run/judged.h"
#include "run/learn.h"
#include "run/quantities.h"
#include "run/ranks.h"
#include "run/remembered.h"
#include "run/rewind.h"
#include "run/share.h"
#include "run/tune.h"
#include "run/witnesses.h"
#include "run/workers.h"

#include <pthread.h>
#include <stdatomic.h>

enum { QUANTUM = 512 }; /* steps of a round, at most */

/* A block as a job of a round. */
typedef struct cs_item {
    cs_block *block;
    cs_arm *arm;
    double seconds; /* CPU time of all rounds */
    uint64_t steps; /* of all rounds */
} cs_item;

struct cs_arm {
    char *name;        /* [own] */
    cs_target *target; /* [held] the run's, or a copy of it that learns */
    cs_learns *learns; /* [own] NULL: it has no learner */
    cs_kernel kernel;
    cs_plan plan;         /* its own, which changes ... */
    cs_held_plan *held;   /* ... and, held, the same of marks; NULL: changed */
    cs_metric *metric;    /* [held] NULL: the unit one */
    cs_kernel first;      /* the kernel that the arm began with */
    bool checked;         /* laws of :check have judged it (cs_run_checked) */
    size_t aux;           /* rows of its auxiliary variables */
    size_t chains, lanes; /* of a block, at most */
    uint64_t before;      /* chains of the arms before it */
    cs_block **block;     /* [n_blocks] [own] */
    cs_item *item;        /* [n_blocks] those of the run [borrowed] */
    size_t n_blocks;
    size_t *block_of; /* [chains] [own] */
    cs_chains own;    /* chains that this run moves; whole blocks */
    cs_chains
        *of_rank;     /* [ranks] likewise of each; NULL: of one process [own] */
    uint64_t reached; /* step to which the blocks of this round have come */
    bool lives_elsewhere;    /* a chain of another rank lives */
    cs_block_work elsewhere; /* what other ranks have done, as last heard */
    double seconds_elsewhere;
    cs_block *front;      /* the first of those, or of all [borrowed] */
    const char *together; /* why all go to one part, or NULL (share.h) */
    bool *reported;       /* [chains] whose fault was reported [own] */

    uint64_t steps;
    uint64_t lifted;       /* steps when the budget was lifted */
    uint64_t warmup_steps; /* steps of the warm-up that is over */
    bool finished;         /* it has spent the budget, or no chain lives */
    bool limited, last;    /* see cs_run_limit: to this step, and no farther */
    uint64_t limit;
    uint64_t longest; /* draws of its longest chain in files; 0: not known */

    size_t round_steps;   /* of this round */
    cs_driven driven;     /* over the steps of this round [own: its values] */
    double budget_before; /* share of the budget spent before this round */
    double max_step_cost; /* most of the budget that a step has cost: a share */

    cs_tuning *tuning;          /* [own] NULL: it has no tuner */
    cs_exchange_room *exchange; /* [own] NULL: its chains never meet */
    cs_judged judged;
    double *kept;         /* [chains][room][lead + shown + aux] [own] */
    double *written;      /* [chains][sink_room][lead + dim + aux] [own] */
    size_t *written_rows; /* [chains] of draws that have weights [own] */
    bool warmup_told;     /* the sink knows that the warm-up is over */
    const char *lead_name[CS_LEAD];
    size_t lead; /* columns before x of a written draw */

    cs_work work_loaded;     /* what it had done when this run was loaded */
    cs_work observed_loaded; /* the same of its observers */
    double seconds_loaded;   /* the same of CPU time */
    uint64_t slab_words;     /* per chain, as saved */
};

enum { CS_MET = 3 }; /* words that ranks tell of an arm */

/* Where ranks meet (ranks.c). */
typedef struct cs_rank_comm {
    size_t *n;                   /* [2][ranks] [own] */
    double *words;               /* [ranks][n_arms][CS_MET] [own] */
    double sent[CS_WORDS_KINDS]; /* received by all together */
    uint64_t epoch; /* of the run when the first had all chains ... */
    bool whole;     /* ... with their judged draws */
} cs_rank_comm;

struct cs_run {
    cs_target *target;
    uint64_t seed, steps;
    uint64_t warmup;       /* of arms without a tuner, 0: there is none */
    uint64_t most_warmup;  /* what tuners were cut to, 0: none was */
    bool strict;           /* see cs_run_spec */
    bool one_start;        /* all chains start at one state */
    char *parts;           /* [own] what it is made of (parts.c) */
    cs_share share;        /* what it moves of the whole */
    char *together;        /* [own] why that is all or nothing, or NULL */
    const cs_world *ranks; /* that move it, or NULL [borrowed] */
    cs_rank_comm comm;
    double received[CS_WORDS_KINDS]; /* by this rank */
    cs_budget budget;
    bool lifted; /* the budget is no limit any more, since the step: */
    uint64_t lifted_at;
    char ended[200]; /* why a rule ended it ... */
    uint64_t ended_at;
    cs_arm *arm; /* [n_arms] [own] */
    size_t n_arms;
    uint64_t n_chains; /* of all arms */
    uint64_t epoch;    /* grows whenever draws are made or taken away */

    /* a round */
    size_t workers; /* threads, the owner's with them */
    cs_pool *pool;
    cs_item *item; /* [n_items] every block of every arm */
    size_t n_items;
    size_t *pool_item, n_pool; /* items of this round for the workers ... */
    size_t *main_item, n_main; /* ... and for the owner's thread alone */
    uint64_t quantum;
    double seconds; /* spent advancing */
    atomic_bool stop;
    const atomic_bool *stop_flag; /* &stop, or NULL: it is not looked at */
    const cs_arm *stuck;          /* its schedules have no value, or NULL */

    /* reports */
    cs_probe *probe;
    size_t n_probes;
    cs_lane_memory *report_lane; /* [most chains of an arm] */
    pthread_mutex_t reporting;   /* held by a costly report */
    cs_binned binned[CS_BINNED];
    bool bins_looked; /* for kernels with bins */
    cs_quantities wanted;
    cs_witnesses witnesses;
    double *state; /* [2 * dim + 2 * shown] for views */

    /* changes and the past */
    cs_change *journal;
    cs_redo *redo;
    size_t n_journal, journal_room; /* [0 .. n_journal) lie behind ... */
    size_t n_all;                   /* ... and [n_journal .. n_all) ahead */
    uint64_t end;                   /* the farthest step there was */
    cs_branch branch;
    cs_remembered remembered;
    cs_restored *restored;  /* wrappers that a text brought in [own] */
    cs_mark mark[CS_MARKS]; /* ascending; [0 .. n_marks) */
    size_t n_marks;
    bool begun; /* moved or changed: marks are kept from there on */
    uint64_t mark_bytes, mark_limit;
    double mark_cost, since_mark; /* seconds */

    /* draws and checkpoints */
    bool touched; /* cs_draws_touch */
    cs_draw_sink sink;
    void *sink_self;
    uint64_t sink_thin;
    cs_warmup_sink warmup_sink; /* NULL: it wants no warm-ups */
    size_t sink_room;           /* draws of a chain between two flushes */
    size_t keep;
    bool beside_files;  /* it is being saved beside its files */
    double *lane_words; /* one chain on its way in or out */
};

/* advance.c */
/* CPU time of its blocks in this process, since they were created or loaded. */
double cs_arm_seconds(const cs_arm *a);
cs_work cs_arm_work(const cs_arm *a);
cs_work cs_arm_observed(const cs_arm *a); /* see cs_arm_view */
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
    return chain >= a->own.first && chain < a->own.end;
}
static inline bool cs_arm_moves(const cs_arm *a, const cs_block *b)
{
    return cs_arm_owns(a, (size_t)b->chain[0]);
}

/* Moves every arm on to `goal`, or until *r->stop_flag. */
void cs_run_rounds(cs_run *r, uint64_t goal);

/* Whether it may go no farther for now. */
static inline bool cs_arm_waits(const cs_arm *a)
{
    return a->limited && a->steps >= a->limit;
}

/* Whether what the arm has done so far spends the budget, or all its chains
 * have failed. */
bool cs_arm_is_finished(const cs_run *r, const cs_arm *a);

/* The step of the run at which an arm is: beyond a budget that left the arms at
 * different steps they go on together. */
uint64_t cs_arm_step(const cs_run *r, const cs_arm *a);

/* copy.c */
/* The chain as it stands, in a block of its own [cs_block_destroy], which nobody
 * observes; NULL: out of memory. */
cs_block *cs_run_copy(cs_run *r, const cs_arm *a, size_t chain);

/* view.c */
/* The last decision of a lane, which failed at that step (0: it lives). */
cs_decision cs_decision_of(const cs_block *b, size_t l, double failed_at);

/* save.c */
/* Makes an arm what one of another run is, by saving and loading it; `anew`: the
 * target is another, the caller refreshes its blocks. On failure it stays as it
 * was. */
cs_status cs_arm_take_over(cs_run *r, cs_arm *a, cs_run *from, cs_arm *old,
                           bool anew, cs_error *err);

/* parts.c */
cs_status cs_run_parts(cs_run *r, const cs_run_spec *spec, cs_error *err);

/* budget.c */
/* Refuses a budget that some arm would never spend. */
cs_status cs_budget_check(cs_run *r, cs_error *err);
