/* What the files of a run share; nobody else includes this. */
#ifndef CS_RUN_INTERNAL_H
#define CS_RUN_INTERNAL_H

#include "base/pack.h"
#include "chain/kernel_text.h"
#include "run/run.h"
#include "stat/diagnostics.h"

#include <pthread.h>
#include <stdatomic.h>

/* ---- workers.c: a pool of threads that share out numbered jobs ---- */

typedef struct cs_pool cs_pool;

/* `workers` in all; the caller is one of them. */
cs_status cs_pool_create(cs_pool **out, size_t workers, cs_error *err);
void cs_pool_destroy(cs_pool *pool);

/* job(self, i) for all i < n; returns when all are done. */
void cs_pool_run(cs_pool *pool, void (*job)(void *self, size_t i), void *self,
                 size_t n);

/* ---- the parts of a run ---- */

enum { QUANTUM = 512 }; /* steps between two looks around, at most */

typedef struct cs_item {
    cs_block *block;
    struct cs_arm *arm;
    double seconds; /* CPU, all told */
} cs_item;

/* Memory of an arm whose chains meet, all [own]. */
typedef struct cs_exchange_room {
    double *logp, *uniform; /* [chains] */
    bool *failed;           /* [chains] */
    size_t *from;           /* [chains] */
    cs_chain_ref *lane;     /* [chains] */
    double *state;          /* [chains][words that go with a state] */
    size_t words;           /* of state */
} cs_exchange_room;

/* The tuner of an arm, all told (tune.c). What it does next follows from the
 * results of its trials: `memory` and `trial` are made again from them. */
typedef struct cs_tuning {
    cs_tuner tuner;
    bool active;
    size_t n;           /* results */
    uint64_t done;      /* steps of the trial under way */
    cs_trial_view *row; /* [room] the trials, the one under way too [own] */
    double *read;       /* [room] results on their way in [own] */
    size_t room;
    cs_trial trial;     /* under way */
    void *memory, *try; /* the type's [own] */
    double *state;      /* [slots][chains][words] remembered [own] */
    size_t words;       /* of the state of a chain */
} cs_tuning;

/* The draws that are judged (judged.c), and what was found of them when last
 * looked at (diagnose.c). */
typedef struct cs_judged {
    double *rows; /* [chains][room][1 + coordinates] log p, what is shown; what
                     is no draw has NAN for log p [own] */
    size_t room, most; /* rows now, and at most */
    size_t coordinates;
    uint64_t written;    /* all draws each so many steps are to be kept: those
                            that are written; 0: as many as is usual */
    bool in_files;       /* the files begin where the rows do */
    cs_diagnosis *found; /* [1 + coordinates] [own] */
    char *words;         /* what is wrong with them, NULL: nothing [own] */
    uint64_t epoch;      /* of the run when they were found, 0: not */
} cs_judged;

/* What is looked at of them: rows of some chains, or a copy of such. */
typedef struct cs_judged_chain {
    const double *row; /* [rows][width] */
    size_t number;     /* from 1 */
    size_t draws;      /* rows that are draws of the target */
    bool failed;
} cs_judged_chain;

typedef struct cs_judged_view {
    cs_judged_chain *chain; /* [n] [own] */
    double *copy;           /* [own] NULL: the rows are the run's */
    size_t n, rows, width, room;
    uint64_t every, missing; /* rows that were not kept, from the first */
    bool whole;   /* no step is missing, or none that was to be written */
    bool weighed; /* some rows may be no draws */
} cs_judged_view;

typedef struct cs_arm {
    char *name; /* [own] */
    cs_kernel kernel;
    cs_plan plan;
    size_t chains, lanes; /* chain c: block c / lanes, lane c % lanes */
    cs_block **block;     /* [n_blocks] [own] */
    size_t n_blocks;
    uint64_t steps;
    uint64_t lifted;       /* steps when the budget was lifted */
    uint64_t warmup_steps; /* steps of the warm-up that is over */
    cs_tuning *tuning;     /* [own] NULL: it has no tuner */
    bool finished;
    cs_work base; /* work done before this run was loaded */
    double
        max_step_cost; /* share of the budget that one step has cost at most */
    double spent;      /* share of the budget before this round */
    size_t now;        /* steps of this round */
    uint64_t slab_words;  /* per chain, as saved */
    cs_driven driven;     /* over the steps of this round [own: its values] */
    double *kept;         /* [chains][room][1 + dim + own] [own] */
    double *written;      /* [chains][QUANTUM][lead + dim + own] [own] */
    size_t *written_rows; /* [chains] of draws that have weights [own] */
    cs_kernel first; /* the kernel that the arm began with, for its columns */
    size_t aux;      /* rows of its auxiliary variables */
    const char *lead_name[CS_LEAD];
    size_t lead;
    cs_judged judged;
    cs_exchange_room *exchange; /* [own] NULL: never */
    bool *told;                 /* [chains] whose fault was reported [own] */
} cs_arm;

typedef enum cs_change_kind {
    CHANGED_VALUE,
    CHANGED_SCHEDULE,
    CHANGED_KERNEL,
    CHANGED_STATE,
    CHANGED_RUN,      /* its budget, its workers: by what loaded it */
    CHANGED_BY_SCRIPT /* loaded; what it was only a script knows */
} cs_change_kind;

/* What replay needs beside the cs_change of the same number. */
typedef struct cs_redo {
    cs_change_kind kind;
    size_t param, chain;
    cs_schedule schedule;
    cs_kernel kernel;
    cs_plan *plan; /* [own] of a kernel */
    double *x;     /* [own] of a state */
} cs_redo;

/* The past at one step. */
typedef struct cs_arm_mark {
    cs_kernel kernel;
    cs_plan plan;
    uint64_t steps, warmup_steps;
    bool finished;
    cs_work base;
    bool tuning; /* and how far */
    size_t trials;
    uint64_t trial_steps;
} cs_arm_mark;

typedef struct cs_mark {
    uint64_t step;
    size_t journal;
    cs_arm_mark *arm; /* [n_arms] [own] */
    cs_work *work;    /* [n_items] [own] */
    cs_pack pack;     /* every slab, one after the other, then what the
                         target has learned and what tuners at work have
                         remembered [own] */
} cs_mark;

enum { CS_MARKS = 128 };

/* What lay ahead of a run that had gone back, when something was changed: the
 * changes alone, for they and the step make it again. */
typedef struct cs_branch {
    bool there;
    uint64_t from, end;
    cs_change *journal; /* [n] [own] */
    cs_redo *redo;      /* [n] [own], with what they own */
    size_t n;
} cs_branch;

struct cs_run {
    cs_target *target;
    uint64_t seed, steps;
    uint64_t warmup; /* of arms without a tuner, 0: there is none */
    bool strict;
    char *parts;    /* [own] what it is made of (parts.c) */
    size_t workers; /* threads, the owner's with them */
    cs_budget budget;
    bool lifted; /* the budget is no limit any more, since the step: */
    uint64_t lifted_at;
    cs_arm *arm;
    size_t n_arms;
    cs_item *item; /* every block of every arm */
    size_t n_items;
    size_t *pooled, n_pooled; /* items of this round: for the workers ... */
    size_t *mine, n_mine;     /* ... and for the owner alone */
    cs_probe *probe;
    size_t n_probes;
    cs_lane_memory *look;      /* [most chains of an arm] for reports */
    pthread_mutex_t reporting; /* held by a costly report */
    double *state;             /* [2 * dim + 2 * shown] for views */
    cs_pool *pool;
    double *lane_words; /* one chain on its way in or out */
    atomic_bool stop;
    const atomic_bool *stop_flag; /* &stop, or NULL: run on */
    const cs_arm *stuck;          /* its schedules have no value, or NULL */
    double seconds;
    uint64_t quantum;
    bool one_place; /* all chains start at one state */
    uint64_t epoch; /* grows whenever draws are made or taken away */

    cs_change *journal;
    cs_redo *redo;
    size_t n_journal, journal_room; /* [0 .. n_journal) lie behind ... */
    size_t n_all;                   /* ... and [n_journal .. n_all) ahead */
    uint64_t end;                   /* the farthest step there was */
    cs_branch branch;
    cs_restored *restored; /* wrappers that a text brought in [own] */

    cs_mark mark[CS_MARKS]; /* ascending; [0 .. n_marks) */
    size_t n_marks;
    uint64_t mark_bytes, mark_limit;
    double mark_cost, since_mark;

    cs_draw_sink sink;
    void *sink_self;
    uint64_t sink_thin;
    size_t keep;
    bool beside; /* it is being saved beside its files */
};

cs_work cs_arm_work(const cs_arm *a);
static inline cs_block *cs_arm_block(const cs_arm *a, size_t chain)
{
    return a->block[chain / a->lanes];
}

/* Moves every arm on to `goal`, heeding r->obey. */
void cs_run_rounds(cs_run *r, uint64_t goal);

/* Whether what the arm has done so far spends the budget, or all its chains
 * have failed. */
bool cs_arm_is_finished(const cs_run *r, const cs_arm *a);

/* parts.c */
cs_status cs_run_parts(cs_run *r, const cs_run_spec *spec, cs_error *err);

/* budget.c */
/* Refuses a budget that some arm would never spend. */
cs_status cs_budget_check(cs_run *r, cs_error *err);

/* draws.c */
double cs_draws_words(const cs_run *r, const cs_arm *a); /* a chain's */
cs_status cs_draws_create(cs_run *r, cs_arm *a, cs_error *err);
void cs_draws_flush(cs_run *r);

/* judged.c */
double cs_judged_words(const cs_run *r, const cs_arm *a); /* a chain's */
cs_status cs_judged_create(cs_run *r, cs_arm *a, cs_error *err);
void cs_judged_make_room(cs_arm *a); /* for the coming steps */
/* Makes room for so many rows of each chain; false: there cannot be. */
bool cs_judged_fits(const cs_run *r, cs_arm *a, uint64_t rows);
/* So many rows there are now. */
void cs_judged_place(cs_arm *a, uint64_t every, size_t used);
/* Rows of each chain, and the steps between them. */
size_t cs_judged_rows(const cs_arm *a, uint64_t *every);
/* Whether all rows that are draws stand in the files, as the first of them. */
bool cs_judged_in_files(const cs_arm *a);
void cs_judged_free(cs_arm *a);
/* Of a sample of the chains, NULL: of all; false: no memory, or there are none.
 * End it with cs_judged_end. */
bool cs_judged_look(const cs_arm *a, const cs_run_sample *sample,
                    cs_judged_view *v);
/* Makes the rows a copy, for another thread: of as many, evenly chosen, as a
 * chain has where there is no file. */
bool cs_judged_copy(cs_judged_view *v);
void cs_judged_end(cs_judged_view *v);

/* diagnose.c: the rest of the report of a probe that is `judged`, behind what
 * it has reported itself. Of an arm as of now, or of a copy. */
void cs_diagnose_arm(cs_run *r, cs_arm *a, const char *prefix, cs_flat *out);
bool cs_diagnose_one(cs_run *r, const cs_arm *a, size_t scalar,
                     const cs_run_sample *sample, const cs_flat *all,
                     cs_figures *figures);
void cs_diagnose_copy(const cs_target *t, cs_judged_view *v, const char *prefix,
                      cs_flat *out);

/* rewind.c */
void cs_marks_take(cs_run *r); /* keeps the present, if there is memory */
bool cs_marks_due(const cs_run *r);
cs_arm_mark cs_arm_mark_of(const cs_arm *a);
void cs_marks_forget(cs_run *r); /* all */
/* What lies ahead becomes the branch: something is changed here. */
void cs_future_part(cs_run *r);
void cs_branch_free(cs_run *r);

/* exchange.c */
cs_status cs_exchange_reserve(cs_arm *a, const cs_target *t, const cs_kernel *k,
                              cs_error *err);
void cs_exchange_free(cs_arm *a);
uint64_t cs_exchange_period(const cs_arm *a); /* steps, 0: never */
void cs_arm_exchange(cs_run *r, cs_arm *a);
/* What its kernel has to say; false: nothing. */
bool cs_arm_report(cs_run *r, cs_arm *a, const char *prefix, cs_flat *out);
/* Copies what moves with the state of a lane, then rows of the kernel's memory
 * until `words` are full, out to state[words] or in. */
void cs_lane_state(cs_block *b, size_t lane, size_t words, double *state,
                   bool in);

/* tune.c */
cs_status cs_tuning_create(cs_run *r, cs_arm *a, const cs_tuner *tuner,
                           uint64_t warmup, cs_error *err);
void cs_tuning_begin(cs_arm *a); /* its chains have started */
void cs_tuning_free(cs_arm *a);
cs_tuning_view cs_tuning_look(const cs_arm *a);
double cs_tuning_words(const cs_run *r, const cs_arm *a); /* a chain's */
/* The values of driven parameters at n steps of the arm from `first` on, what
 * its tuner tries with them; how many there are, see cs_plan_fill. */
size_t cs_arm_fill(cs_arm *a, uint64_t first, size_t n);
uint64_t cs_tuning_left(const cs_arm *a); /* steps of the trial */
void cs_tuning_settle(cs_arm *a, uint64_t made);
/* Before the first step a value of what is tuned is where the tuner starts;
 * false: it is not tuned, or too late. */
bool cs_tuning_start(cs_arm *a, size_t param, double value);
/* A change to what is tuned, or to the kernel (param of no row), ends it. */
void cs_tuning_change(cs_arm *a, size_t param);
/* Puts the tuner where it was at the mark. False: it cannot have been there.
 * With `results` instead of its own ones it only looks. */
bool cs_tuning_place(cs_arm *a, const cs_arm_mark *m, const double *results);
/* The words that a tuner at work remembers; those of one chain. */
size_t cs_tuning_held(const cs_arm *a);
double *cs_tuning_slot(const cs_arm *a, size_t slot, size_t chain);
/* Blocks whose target has changed evaluate their states anew. */
void cs_run_follow_target(cs_run *r);
/* `learned` was put back with the chains' own memory of it. */
void cs_run_learned(cs_run *r);

/* journal.c */
cs_status cs_journal_read(cs_run *r, const char **text, cs_change *c,
                          cs_redo *how, bool *end, cs_error *err);

/* change.c */
cs_status cs_change_replay(cs_run *r, size_t i, cs_error *err);
cs_status cs_change_room(cs_run *r, size_t n, cs_error *err);
void cs_change_forget(cs_run *r, size_t from);
cs_status cs_arm_reserve(cs_arm *a, const cs_kernel *k, cs_error *err);
/* Whether `k` can move the arm: its target, as many chains as it has. */
cs_status cs_arm_fits(const cs_run *r, const cs_arm *a, const cs_kernel *k,
                      cs_error *err);
void cs_arm_set_kernel(cs_arm *a, const cs_kernel *k, const cs_plan *plan);

#endif
