/* The block: the chains that one worker moves together.
 *
 * The slab holds all data on which later steps depend, in rows of one double
 * per lane, [word][lane]. Copying the slab is enough for checkpoint, rewind and
 * resume, bit for bit:
 *
 *     x                [dim]         states
 *     log p            [1]           log p of the states
 *     failed           [1]           step at which the chain failed, 0: live
 *     fault            [rows]        reason and first coordinates of the point
 *     tally            [rows]        counters (chain/tally.h)
 *     cache            [words]       the target's cache of the state
 *     probes           [words each]
 *     kernel's memory  [words]       last, so a new kernel moves no other data
 *
 * The scratch holds data of a single step: the rows of cs_info, frozen states,
 * generated quantities, scratch of the evaluator and of the kernel. Lanes are
 * independent: a chain computes the same results in any block, on any
 * worker. */
#pragma once

#include "chain/plan.h"
#include "kernel/metric.h"
#include "probe/probe.h"

#include <math.h>

/* Counters of one chain, kept in the slab as doubles. */
typedef struct cs_tally {
    double steps, accepted, moved;
    double not_finite;   /* number of steps at which log p, a gradient or a
                            ratio was NaN: such proposals are rejected */
    double divergent;    /* number of steps with divergent__ = 1: the trajectory
                            gained more than 1000 nats of energy or was not
                            finite */
    double marking;      /* number of draws by a kernel that has the stat
                            learning__ */
    double learning;     /* number of draws with learning__ = 1: the weight of
                            the draw's bin was still being learned */
    double rolling;      /* acceptance rate in an exponential window of 256
                            steps */
    double trajectories; /* number of draws by a kernel that has the stat
                            energy__ */
    double deep;         /* number of draws with treedepth__ at its maximum:
                            their trajectories were cut off */
    double acceptance;   /* sum of accept_stat__ over the draws with energy__ */
    double energy_squares,
        energy_jumps; /* energy_squares: sum of squared deviations of energy__
                         from its mean; energy_jumps: sum of squared changes of
                         energy__ from draw to draw */
} cs_tally;

/* Maximum number of columns of a draw before the coordinates: lp__ (log p),
 * accept_stat__, stepsize__, log_weight__, the kernel's stats. */
enum { CS_LEAD = 4 + CS_KERNEL_STATS };

/* A buffer of draws. Every `every` steps (0: never) the buffer takes one row
 * per live lane: `lead` columns, the generated quantities of x, and `aux`
 * values of auxiliary variables. When the buffer is full: with `thin`, every
 * second row is dropped and `every` is doubled; otherwise no more rows are
 * taken. */
typedef struct cs_recorder {
    uint64_t every;
    size_t lanes;          /* number of lanes that are recorded, counted from
                            * the first; 0: all live lanes */
    size_t capacity, used; /* capacity and number of rows */
    size_t gone;  /* rows that are no longer in `row`: the first row there
                            * is number `gone`, and `capacity` counts from it */
    size_t valid; /* with `thin`: number of rows of this branch of the run.
                     After a rewind, this number includes rows beyond the
                     current step */
    double *row;  /* [live][capacity][lead + shown + aux] the rows
                          [borrowed] */
    bool bytes;   /* `shown` quantities are stored as signed bytes
                          (chain/narrow_row.h); only without `count` */
    bool thin;
    size_t *count; /* [live] number of rows of each lane, or NULL [borrowed].
                      With a count, draws of weight 0 (CS_KERNEL_WEIGHS) are
                      left out. Without a count, the rows of draws of weight 0
                      and of failed lanes are marked as rows that are not draws:
                      see cs_is_draw */
    size_t lead;
    const char *const *name;       /* [lead] names of the columns [borrowed] */
    const double *column[CS_LEAD]; /* [lanes] values of each column. If a
                                      pointer is NULL, this kernel lacks the
                                      column, and NAN is written */
    const cs_kernel_type *type;    /* the kernel type that has the auxiliary
                                      variables */
    size_t aux;                    /* number of auxiliary rows */
    const double *aux_row;         /* [aux][lanes] auxiliary variables. If NULL,
                                      the kernel has another type, and NAN is
                                      written */
    size_t most;    /* number of generated quantities that are recorded, counted
                       from the first; 0: all */
    bool warmup;    /* true: the states of a warm-up are recorded as well */
    bool true_logp; /* true: lp__ is the target's own log p, evaluated if the
                       kernel does not have it */
} cs_recorder;

/* Value of the first column in a row that is not a draw from the target. The
 * value is greater than log p of any draw. (NAN marks a draw of a kernel
 * without log p.) */
#define CS_NO_DRAW HUGE_VAL
static inline bool cs_is_draw(const double *row)
{
    return row[0] != CS_NO_DRAW;
}

/* Purposes of a run's recorders: draws that are kept, draws that are written to
 * a sink, draws from which convergence is diagnosed. */
enum { CS_KEPT, CS_WRITTEN, CS_DIAGNOSED, CS_RECORDERS };

/* Fills name[CS_LEAD] with the leading columns of a kernel's draws [borrowed
 * from its type]. Returns the number of columns. The first column is always
 * lp__. */
size_t cs_lead_names(const cs_kernel_type *type, const char **name);

/* Returns whether a kernel's draws have a column log_weight__. They have this
 * column if a log weight can be any number, and not only 0 or -HUGE_VAL. If a
 * kernel without weights replaces a kernel with this column, the new kernel
 * writes 0 in the column. */
bool cs_draws_weigh(const cs_kernel_type *type);

/* The reasons why a chain failed. */
typedef enum cs_fault {
    CS_FAULT_NONE,
    CS_FAULT_DENSITY,  /* log p is NaN at the proposal */
    CS_FAULT_GRADIENT, /* the gradient is not finite at the proposal */
    CS_FAULT_INFINITE, /* log p = HUGE_VAL at the proposal */
    CS_FAULT_RATIO,    /* the kernel's part of the ratio is NaN */
    CS_FAULT_STATE,   /* log p at the state, or a difference of log p, is NaN */
    CS_FAULT_ENDLESS, /* log p = HUGE_VAL at the state */
    CS_FAULT_KERNEL   /* reason given by the kernel, as a cs_reason */
} cs_fault;

/* Rows of a fault: a cs_fault, the reason given by the kernel, and the first
 * coordinates of the point at which the chain failed. */
enum {
    CS_FAULT_REASON = 1,
    CS_FAULT_POINT = CS_FAULT_REASON + 4,
    CS_FAULT_SHOWN = 8,
    CS_FAULT_ROWS = CS_FAULT_POINT + CS_FAULT_SHOWN
};

/* Work of the two evaluators of a block: the one that moves the chains, and the
 * one that serves observers. */
typedef struct cs_block_work {
    cs_work own, observed;
} cs_block_work;

typedef struct cs_ratios cs_ratios;

/* The columns that counters and probes read after each step: [lanes] each, in
 * the kernel's info. If a pointer is NULL, the kernel has no such column. */
typedef struct cs_block_stats {
    const double *learning;               /* the column learning__ of the
                                             draws */
    const double *divergent;              /* the column divergent__ of the
                                             draws */
    const double *energy, *depth;         /* the columns energy__ and
                                             treedepth__ */
    const double *max_depth;              /* the parameter that limits the depth
                                             of trajectories */
    const double *bin, *multiplier;       /* the columns bin__ and
                                             multiplier__ */
    const double *rows_drawn, *rows_kept; /* the columns rows__ and kept__ */
} cs_block_stats;

/* The probes that observe a block's steps, and the steps of a single chain that
 * are stored for some of these probes. Between two calls of cs_block_run no
 * steps are stored. */
typedef struct cs_block_probes {
    cs_probe *item;  /* [n] the probes, in order [borrowed] */
    double **memory; /* [n] memory of each probe in the slab [own: the list] */
    size_t n;
    uint64_t later; /* bit i is set if probe i reads several stored steps at
                       once */
    double *
        series; /* [CS_SERIES_ROWS][series_width] stored steps, in the layout of
                   cs_probe_series [own] */
    size_t series_width, series_n;
} cs_block_probes;

/* Log weights of the draws. */
typedef struct cs_block_weights {
    double *log;       /* [lanes] log weight minus the log weight of the chain's
                          first draw; stored in the scratch */
    bool are_numbers;  /* true if the kernel weighs its draws without
                          CS_KERNEL_SELECTS */
    bool were_numbers; /* true: the weights of a previous kernel were numbers,
                          and differed between draws */
} cs_block_weights;

/* Capacity of a block's memory, in doubles per lane. */
typedef struct cs_block_capacity {
    size_t slab, scratch, params, ahead, spare_words;
    double *spare; /* [spare_words][lanes + 1] memory for cs_block_place
                      [own] */
} cs_block_capacity;

typedef struct cs_block {
    cs_target *target;       /* the target [held] */
    const cs_kernel *kernel; /* the arm's kernel, which outlives the block
                                [borrowed] */
    size_t lanes, live;
    uint64_t *chain;       /* [lanes] global chain numbers */
    uint64_t step;         /* number of steps done */
    uint64_t warmup_steps; /* number of warm-up steps. Probes and draws count
                              steps from the end of the warm-up */
    uint64_t cycle_from;   /* number of steps before the step that schedules
                              count as the first; after a tuner, schedules start
                              with the draws */
    bool in_warmup;        /* a tuner is running: steps are not observed, except
                              by recorders with `warmup` */
    bool unadjusted;       /* true during a tuner's unadjusted steps, in which
                              the kernel skips its accept step */
    uint64_t generation;   /* generation of the target at the last evaluation of
                              log p */
    cs_eval eval;
    cs_move move;
    cs_logp_kind logp_kind; /* whether move.info.logp is exact, an estimate or
                               absent */
    cs_eval observer;       /* evaluates for probes and users, not for the
                               kernel; its work is counted separately */
    double *true_logp;      /* [1][lanes] log p, then the observer's memory;
                               NULL: not reserved [own] */
    cs_ratios *ratios;      /* true acceptance ratios next to the kernel's
                               estimates, computed on request (chain/ratios.h);
                               else NULL [own] */
    cs_block_weights weights;
    double *param; /* [n_params][lanes] parameters of the current step, read by
                      the kernel [own] */

    size_t slab_words; /* doubles per lane in the slab */
    double *slab;      /* [slab_words][lanes] the slab [own] */
    double *scratch;   /* data of a single step; its parts are listed at the top
                          of this file [own] */
    cs_block_capacity capacity;

    /* Pointers to the parts of the slab. */
    double *failed;    /* [lanes] step of the failure; move.failed is derived
                          from it */
    double *fault;     /* [CS_FAULT_ROWS][lanes] faults of failed chains */
    double *tally;     /* [CS_TALLY_ROWS][lanes] counters */
    const double *aux; /* [aux_rows][lanes] the kernel's auxiliary variables, or
                          NULL */
    size_t aux_rows;

    /* Pointers to the parts of the scratch. */
    double *frozen;      /* [dim + 1][lanes] x and log p of failed lanes */
    double *accept_stat; /* [lanes] min(1, ratio), computed for draws only, or
                            the value that the kernel sets */
    double *shown;       /* [shown][lanes] generated quantities of the last
                            step: the target's outputs, or x in the slab */
    cs_block_stats stat;

    cs_reason *why;  /* [lanes] reasons of failures in the current step [own] */
    bool *flags;     /* [4][lanes] flags: accepted, moved, failed, left out
                        [own] */
    bool *left_out;  /* [lanes] one of the flags; true: the chain has failed, or
                        its state is not a draw from the target */
    cs_ahead *ahead; /* [capacity.ahead] random numbers of a single chain, drawn
                        in advance (cs_kernel_count_ahead) [own] */
    cs_block_probes probes;
    cs_recorder recorder[CS_RECORDERS]; /* recorders of draws; set by
                                           cs_block_recorder */
} cs_block;

/* Creates a block for the chains first .. first+live-1 of the streams of
 * `seed`. The block is not started. `probes` [borrowed] must outlive the
 * block. */
cs_status cs_block_create(cs_block **out, cs_target *target,
                          const cs_kernel *kernel, uint64_t seed,
                          uint64_t first, size_t live, cs_probe *probes,
                          size_t n_probes, cs_error *err);
void cs_block_destroy(cs_block *b);

/* Returns the kernel's reason for the failure of lane l; valid if the fault is
 * CS_FAULT_KERNEL. */
cs_reason cs_block_reason(const cs_block *b, size_t l);

/* Returns the number of doubles that each lane of a block needs. */
size_t cs_block_lane_words(cs_target *target, const cs_kernel *kernel,
                           cs_probe *probes, size_t n_probes);

/* Puts every lane l at x[l][dim]. Coordinates that are NAN or, if x is NULL,
 * all coordinates are those of the target's start for its chain. A start outside
 * the support is an error that names the chain. */
cs_status cs_block_start(cs_block *b, const double *const *x, cs_error *err);

/* The two parts of cs_block_start: cs_block_seat sets the states and evaluates
 * log p; cs_block_begin initialises the kernel. `twin` [may be NULL] is a block
 * of another arm with equal chains and equal x, for which only cs_block_seat
 * was called; its results are copied where possible. If log p is finite at a
 * start but the gradient is not, a start given in x is an error, and random
 * coordinates are drawn again. */
cs_status cs_block_seat(cs_block *b, const double *const *x,
                        const cs_block *twin, cs_error *err);
cs_status cs_block_begin(cs_block *b, const double *const *x, cs_error *err);

/* Makes n steps. `driven` (may be NULL) holds the values of scheduled
 * parameters; other parameters are unchanged. Probes observe each step. Reads
 * *stop (NULL allowed) between steps. Ends after the step at which the last
 * live chain fails (if all chains have failed before, each call makes one
 * step). Returns the number of steps done. Allocates nothing and takes no
 * lock. */
size_t cs_block_run(cs_block *b, const cs_driven *driven, size_t n,
                    const _Atomic bool *stop);

/* Allocates the memory that cs_block_true_logp needs. If a probe needs log p of
 * the target, cs_block_create has already done this. */
cs_status cs_block_reserve_observer(cs_block *b, cs_error *err);

/* Return log p of the states: [lanes], or for one lane. If the kernel's log p
 * is exact, this is the result. Otherwise the observer evaluates log p; its
 * memory must have been reserved. cs_block_true_logp_of evaluates only one
 * lane, and counts only the work of that lane. */
const double *cs_block_true_logp(cs_block *b);
double cs_block_true_logp_of(cs_block *b, size_t lane);

/* Returns the meaning of log p in the draws so far. If log p was an estimate in
 * some of the draws, the result is an estimate. Before the first draw, the
 * result is the meaning for the current kernel. */
cs_logp_kind cs_block_logp_seen(const cs_block *b);

/* Recomputes log p, caches and the kernel's memory after x, the target's values
 * or the kernel's parameters were changed from outside. */
void cs_block_refresh(cs_block *b);

/* Recomputes log p, caches and the kernel's memory if the target has changed
 * since the last evaluation. Chains that failed remain failed. */
void cs_block_follow_target(cs_block *b);

/* Reserves memory for `kernel`, so that cs_block_set_kernel cannot run out of
 * memory. */
cs_status cs_block_reserve(cs_block *b, const cs_kernel *kernel, cs_error *err);

/* Replaces the kernel by `kernel` [borrowed], a compatible kernel, possibly of
 * another type. States and streams continue. */
cs_status cs_block_set_kernel(cs_block *b, const cs_kernel *kernel,
                              cs_error *err);

/* Return sizes in doubles per lane. cs_block_probe_words: memory of the probes
 * in the slab. cs_block_head_words: data before the memory of the probes. The
 * kernel's memory follows the memory of the probes. */
size_t cs_block_probe_words(const cs_block *b);
size_t cs_block_head_words(const cs_block *b);

/* Copy the slab of one lane to words[slab_words], and back. */
void cs_block_save_lane(const cs_block *b, size_t lane, double *words);
void cs_block_load_lane(cs_block *b, size_t lane, const double *words);

/* Copy the whole slab to words[slab_words * lanes], and back. This is fast, but
 * the block must keep its layout. `step` is not included. */
void cs_block_save(const cs_block *b, double *words);
void cs_block_load(cs_block *b, const double *words);
/* Updates derived data after the slab was written by code outside the block. */
void cs_block_loaded(cs_block *b);

/* Sets the metric [borrowed] of the following steps; NULL: the unit metric. */
void cs_block_set_metric(cs_block *b, const cs_metric *metric);

/* Sets the parameters of all lanes to the current values of the kernel. */
void cs_block_set_values(cs_block *b);

/* Finds the columns of all recorders again after the block's arrays have
 * moved. */
void cs_block_wire_recorders(cs_block *b);

/* Sets recorder number i. The `column` pointers are found from the names of the
 * columns. */
void cs_block_recorder(cs_block *b, size_t i, cs_recorder recorder);

/* Drops the draws after the block's current step, after a rewind. */
void cs_block_trim(cs_block *b);

/* Reserves memory for cs_block_place. After this call cs_block_place cannot run
 * out of memory with any kernel for which cs_block_reserve was called. */
cs_status cs_block_reserve_place(cs_block *b, cs_error *err);

/* Puts one lane at x[dim]; the other lanes are unchanged. If x is outside the
 * support, the function fails and changes nothing. The work counts for that
 * chain only. */
cs_status cs_block_place(cs_block *b, size_t lane, const double *x,
                         cs_error *err);

/* Moves one lane to x[dim] for a tuner, and marks the chain as moved (see
 * run/tuning/chain_starts.h). Returns false if the lane was not moved. */
bool cs_block_bring(cs_block *b, size_t lane, const double *x);

/* Returns whether at least one chain has not failed. */
bool cs_block_lives(const cs_block *b);

/* Records the chains that have newly failed, with their reasons and with the
 * step of the failure, `now`. Returns true if any lane has failed, now or
 * before. */
bool cs_block_note_failed(cs_block *b, double now);

/* Updates `shown`, the generated quantities of the states. */
void cs_block_show(cs_block *b);

/* Copies the state of one lane to x[dim]. */
void cs_block_state(const cs_block *b, size_t lane, double *x);
