/* The block: the chains that one worker moves together.
 *
 * The slab holds all data that later steps depend on, in rows of one double per
 * lane, [word][lane]. Copying the slab is enough for checkpoint, rewind and
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
 * independent: a chain computes the same in any block, on any worker. */
#pragma once

#include "chain/plan.h"
#include "kernel/metric.h"
#include "probe/probe.h"

#include <math.h>

/* Counters of one chain, kept in the slab as doubles. */
typedef struct cs_tally {
    double steps, accepted, moved;
    double not_finite;   /* steps at which log p, a gradient or a ratio was NaN:
                            such a proposal is rejected */
    double divergent;    /* steps whose trajectory gained over 1000 nats of
                            energy or was not finite: divergent__ */
    double marking;      /* draws of a kernel with the stat learning__ */
    double learning;     /* draws with learning__ = 1: the weight of their bin
                            is still being learned */
    double rolling;      /* acceptance rate in an exponential window of 256
                            steps */
    double trajectories; /* draws of a kernel with the stat energy__ */
    double deep;         /* draws whose trajectory was cut off at its maximum
                            depth: treedepth__ */
    double acceptance;   /* sum of accept_stat__ over the draws with energy__ */
    double energy_squares,
        energy_jumps; /* sums of squares of energy__ about its mean, and of its
                         changes from draw to draw */
} cs_tally;

/* Maximum number of columns of a draw before its coordinates: lp__ (log p),
 * accept_stat__, stepsize__, log_weight__, the kernel's stats. */
enum { CS_LEAD = 4 + CS_KERNEL_STATS };

/* A buffer of draws. Every `every` steps (0: never) it takes one row per live
 * lane: `lead` columns, the generated quantities of x, and `aux` values of
 * auxiliary variables. When the buffer is full: with `thin`, every second row
 * is dropped and `every` is doubled; otherwise no more rows are taken. */
typedef struct cs_recorder {
    uint64_t every;
    size_t lanes;          /* number of live lanes; 0: all */
    size_t capacity, used; /* capacity and number of rows */
    size_t valid; /* with `thin`: number of rows of this branch of the run,
                          including rows beyond the current step after a
                          rewind */
    double *row;  /* [live][room][lead + shown + aux] the rows
                          [borrowed] */
    bool thin;
    size_t *count; /* [live] number of rows of each lane, or NULL [borrowed].
                      With a count, draws of weight 0 (CS_KERNEL_WEIGHS) are
                      left out. With NULL they are marked, like those of failed
                      lanes, as rows that are not draws: see cs_is_draw */
    size_t lead;
    const char *const *name;       /* [lead] names of the columns [borrowed] */
    const double *column[CS_LEAD]; /* [lanes] each; NULL: this kernel lacks the
                                      column, NAN is written */
    const cs_kernel_type *type;    /* the kernel type of the auxiliary
                                      variables */
    size_t aux;                    /* number of auxiliary rows */
    const double *aux_row;         /* [aux][lanes]; NULL: the kernel has another
                                      type, NAN is written */
    size_t most;    /* number of generated quantities that are recorded, from
                       the first; 0: all */
    bool warmup;    /* also record the states of a warm-up */
    bool true_logp; /* lp__ is the target's own log p, for a probe that requires
                       it and whose `every` divides that of the recorder */
} cs_recorder;

/* First column of a row that is not a draw from the target; greater than log p
 * of any draw. (NAN marks a draw of a kernel without log p.) */
#define CS_NO_DRAW HUGE_VAL
static inline bool cs_is_draw(const double *row)
{
    return row[0] != CS_NO_DRAW;
}

/* Purposes of a run's recorders: draws that are kept, draws that are written to
 * a sink, draws from which convergence is diagnosed. */
enum { CS_KEPT, CS_WRITTEN, CS_JUDGED, CS_RECORDERS };

/* Fills name[CS_LEAD] with the leading columns of a kernel's draws [borrowed
 * from its type]. Returns their number. lp__ is always first. */
size_t cs_lead_names(const cs_kernel_type *type, const char **name);

/* Returns whether a kernel's draws have a column log_weight__ (its log weights
 * are numbers). A kernel without weights that replaces such a kernel writes 0
 * there. */
bool cs_draws_weigh(const cs_kernel_type *type);

/* The reasons why a chain failed. */
typedef enum cs_fault {
    CS_FAULT_NONE,
    CS_FAULT_DENSITY,  /* log p is NaN at the proposal */
    CS_FAULT_GRADIENT, /* the gradient is not finite at the proposal */
    CS_FAULT_INFINITE, /* log p = HUGE_VAL at the proposal */
    CS_FAULT_RATIO,    /* the kernel's part of the ratio is NaN */
    CS_FAULT_STATE,    /* log p is NaN at the state, or in its differences */
    CS_FAULT_ENDLESS,  /* log p = HUGE_VAL at the state */
    CS_FAULT_KERNEL    /* reason given by the kernel: cs_reason */
} cs_fault;

/* Rows of a fault: a cs_fault, the kernel's reason, the first coordinates of
 * the point that failed. */
enum {
    CS_FAULT_REASON = 1,
    CS_FAULT_POINT = CS_FAULT_REASON + 4,
    CS_FAULT_SHOWN = 8,
    CS_FAULT_ROWS = CS_FAULT_POINT + CS_FAULT_SHOWN
};

/* Work of the evaluators of a block: for its chains, and for observers. */
typedef struct cs_block_work {
    cs_work own, observed;
} cs_block_work;

typedef struct cs_ratios cs_ratios;

/* The statistics of a kernel that counters and probes read after each step:
 * [lanes] each, in the kernel's info; NULL: the kernel has no such column. */
typedef struct cs_block_stats {
    const double *learning;               /* column learning__ */
    const double *divergent;              /* column divergent__ */
    const double *energy, *depth;         /* columns energy__ and treedepth__ */
    const double *max_depth;              /* the parameter that limits depth */
    const double *bin, *multiplier;       /* columns bin__ and multiplier__ */
    const double *rows_drawn, *rows_kept; /* columns rows__ and kept__ */
} cs_block_stats;

/* The probes that observe a block's steps, and the steps of a single chain that
 * are stored for some of them. Between two runs no steps are stored. */
typedef struct cs_block_probes {
    cs_probe *item;  /* [n] probes [borrowed] */
    double **memory; /* [n] their memory in the slab [own: the list] */
    size_t n;
    uint64_t later; /* bit i: probe i reads several stored steps at once */
    double *
        series; /* [CS_SERIES_ROWS][series_width] stored steps, as in cs_probe_series
                       [own] */
    size_t series_width, series_n;
} cs_block_probes;

/* Log weights of the draws. */
typedef struct cs_block_weights {
    double *log;       /* [lanes] log weight minus that of the chain's first
                          draw; in the scratch */
    bool are_numbers;  /* true if the kernel weighs its draws without
                          CS_KERNEL_SELECTS */
    bool were_numbers; /* true if a previous kernel's weights were numbers and
                          differed */
} cs_block_weights;

/* Capacity of a block's memory, in doubles per lane. */
typedef struct cs_block_capacity {
    size_t slab, scratch, spare_words;
    double *spare; /* [spare_words][lanes + 1] used by cs_block_place [own] */
} cs_block_capacity;

typedef struct cs_block {
    cs_target *target;       /* the target [held] */
    const cs_kernel *kernel; /* the arm's kernel, which outlives the block
                                [borrowed] */
    size_t lanes, live;
    uint64_t *chain;       /* [lanes] global chain numbers */
    uint64_t step;         /* number of steps done */
    uint64_t warmup_steps; /* steps that belong to the warm-up; probes and draws
                              count from its end */
    uint64_t cycle_from;   /* steps before the one that schedules count as the
                              first; after a tuner, schedules start with the
                              draws */
    bool in_warmup;        /* a tuner is running: steps are not observed, except
                              by recorders with `warmup` */
    bool unadjusted;       /* during a tuner's steps: the kernel skips its
                              accept step */
    uint64_t generation;   /* generation of the target at the last evaluation of
                              log p */
    cs_eval eval;
    cs_move move;
    cs_logp_kind logp_kind; /* meaning of move.info.logp */
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
    double *scratch;   /* the scratch [own] */
    cs_block_capacity capacity;

    /* Pointers into the slab. */
    double *failed;    /* [lanes] step of the failure; move.failed is derived
                          from it */
    double *fault;     /* [CS_FAULT_ROWS][lanes] faults of failed chains */
    double *tally;     /* [CS_TALLY_ROWS][lanes] counters */
    const double *aux; /* [aux_rows][lanes] the kernel's auxiliary variables, or
                          NULL */
    size_t aux_rows;

    /* Pointers into the scratch. */
    double *frozen;      /* [dim + 1][lanes] x and log p of failed lanes */
    double *accept_stat; /* [lanes] min(1, ratio), computed for draws only, or
                            the kernel's own value */
    double *shown;       /* [shown][lanes] generated quantities of the last
                            step: the target's outputs, or x in the slab */
    cs_block_stats stat;

    cs_reason *why;  /* [lanes] reasons of failures in the current step [own] */
    bool *flags;     /* [4][lanes] flags: accepted, moved, failed, left out
                        [own] */
    bool *left_out;  /* [lanes] one of the flags: failed, or not a draw from the
                        target */
    cs_ahead *ahead; /* random numbers of a single chain, drawn in advance
                        [own] */
    cs_block_probes probes;
    cs_recorder recorder[CS_RECORDERS]; /* set by cs_block_recorder */
} cs_block;

/* Creates a block for the chains first .. first+live-1 of the streams of
 * `seed`. It is not started. `probes` [borrowed] must outlive it. */
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

/* Puts every lane l at x[l][dim] or, if x is NULL, at the target's start for
 * its chain. A start outside the support is an error that names the chain. */
cs_status cs_block_start(cs_block *b, const double *const *x, cs_error *err);

/* The two parts of cs_block_start. cs_block_seat sets the states and their log
 * p; cs_block_begin initialises the kernel. A twin [may be NULL] is a block
 * with the same chains in another arm and the same x, seated but not begun: its
 * results are copied where possible. If a start has finite log p but its
 * gradient is not finite, a given start is an error and random starts are drawn
 * again. */
cs_status cs_block_seat(cs_block *b, const double *const *x,
                        const cs_block *twin, cs_error *err);
cs_status cs_block_begin(cs_block *b, bool given, cs_error *err);

/* Makes n steps. `driven` (may be NULL) holds the values of scheduled
 * parameters; the others are unchanged. Probes observe each step. Reads *stop
 * (NULL allowed) between steps. Ends after the step at which the last live
 * chain fails (if all chains have failed before, each call makes one step).
 * Returns the number of steps done. Allocates nothing and takes no lock. */
size_t cs_block_run(cs_block *b, const cs_driven *driven, size_t n,
                    const _Atomic bool *stop);

/* Allocates the memory for cs_block_true_logp. cs_block_create does this if a
 * probe needs it. */
cs_status cs_block_reserve_observer(cs_block *b, cs_error *err);

/* Return log p of the states: [lanes], or for one lane. They return the
 * kernel's log p if that is exact. Otherwise the observer evaluates log p, and
 * its memory must be reserved. The second function evaluates and counts one
 * lane only. */
const double *cs_block_true_logp(cs_block *b);
double cs_block_true_logp_of(cs_block *b, size_t lane);

/* Returns the meaning of log p in the draws so far: an estimate if some of them
 * had an estimate; before the first draw, the meaning for the current
 * kernel. */
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

/* Return the sizes, in doubles per lane, of the probes and of the data before
 * them in the slab. The kernel's memory follows the probes. */
size_t cs_block_probe_words(const cs_block *b);
size_t cs_block_head_words(const cs_block *b);

/* Copy the slab of one lane to words[slab_words], and back. */
void cs_block_save_lane(const cs_block *b, size_t lane, double *words);
void cs_block_load_lane(cs_block *b, size_t lane, const double *words);

/* Copy the whole slab to words[slab_words * lanes], and back. This is fast, but
 * the block must keep its layout. `step` is not included. */
void cs_block_save(const cs_block *b, double *words);
void cs_block_load(cs_block *b, const double *words);
/* Updates derived data after the slab was written by other means. */
void cs_block_loaded(cs_block *b);

/* Sets the metric [borrowed] of the following steps; NULL: the unit metric. */
void cs_block_set_metric(cs_block *b, const cs_metric *metric);

/* Sets the parameters of all lanes to the current values of the kernel. */
void cs_block_set_values(cs_block *b);

/* Finds the columns of all recorders again after the block's arrays have
 * moved. */
void cs_block_wire_recorders(cs_block *b);

/* Sets recorder number i. Its `column` pointers are found from its names. */
void cs_block_recorder(cs_block *b, size_t i, cs_recorder recorder);

/* Drops the draws after the block's current step, after a rewind. */
void cs_block_trim(cs_block *b);

/* Reserves memory such that cs_block_place cannot run out of memory with any of
 * the kernels that have been reserved. */
cs_status cs_block_reserve_place(cs_block *b, cs_error *err);

/* Puts one lane at x[dim]; the other lanes are unchanged. Outside the support
 * it fails and changes nothing. Counts as work of that chain only. */
cs_status cs_block_place(cs_block *b, size_t lane, const double *x,
                         cs_error *err);

/* Puts one lane at x[dim] for a tuner, and marks the chain for
 * run/tuning/chain_starts.h. Returns false if the lane was not moved. */
bool cs_block_bring(cs_block *b, size_t lane, const double *x);

/* Returns whether any chain has not failed. */
bool cs_block_lives(const cs_block *b);

/* Records the chains that have just failed, as of step `now`, with their
 * reasons. Returns true if any lane has failed, now or before. */
bool cs_block_note_failed(cs_block *b, double now);

/* Updates `shown`, the generated quantities. */
void cs_block_show(cs_block *b);

/* Copies the state of one lane to x[dim]. */
void cs_block_state(const cs_block *b, size_t lane, double *x);
