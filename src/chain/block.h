/* The block: the chains that one worker moves together.
 *
 * Everything that a later step depends on is in the slab, rows of one double a
 * lane, [word][lane]; copying it is checkpoint, rewind and resume, bit for
 * bit:
 *
 *     x                [dim]         the states
 *     log p            [1]           of the states
 *     failed           [1]           the step at which the chain failed, 0: none
 *     fault            [rows]        why, and the first coordinates of where
 *     tally            [rows]        counters (chain/tally.h)
 *     cache            [words]       what the target keeps of a state
 *     probes           [words each]
 *     kernel's memory  [words]       last: another kernel moves nothing else
 *
 * Data that one step uses is in the scratch: the rows of cs_info, frozen
 * states, generated quantities, the evaluator's and the kernel's own. Lanes
 * are independent: a chain computes the same in any block, on any worker. */
#pragma once

#include "chain/plan.h"
#include "kernel/metric.h"
#include "probe/probe.h"

#include <math.h>

/* Counters of one chain, kept in the slab as doubles. */
typedef struct cs_tally {
    double steps, accepted, moved;
    double not_finite;   /* steps at which log p, a gradient or a ratio was NaN:
                          such a proposal is refused */
    double divergent;    /* steps whose trajectory gained over 1000 nats of
                          energy, or was not finite: divergent__ */
    double marking;      /* draws of a kernel with the stat learning__ */
    double learning;     /* ... and those where it is 1: from a bin whose weight
                          is still being learned */
    double rolling;      /* acceptance, exponential window of 256 steps */
    double trajectories; /* draws of a kernel with the stat energy__ */
    double deep;         /* ... whose trajectory was cut off at its largest
                            depth: treedepth__ */
    double acceptance;   /* ... sum of accept_stat__ */
    double energy_squares,
        energy_jumps; /* ... sums of squares of energy__ about
                            its mean, and of its changes from draw to draw */
} cs_tally;

/* Columns of a draw before its coordinates, at most: lp__ (log p),
 * accept_stat__, stepsize__, log_weight__, the kernel's stats. */
enum { CS_LEAD = 4 + CS_KERNEL_STATS };

/* Buffers of draws: per live lane a row of `lead` columns, the generated
 * quantities of x, and `aux` values of auxiliary variables, each `every` steps
 * (0: never). When the rows are full: with `thin`, every second one is dropped
 * and `every` doubles; without, no more are taken. */
typedef struct cs_recorder {
    uint64_t every;
    size_t lanes;      /* number of live lanes; 0: all */
    size_t room, used; /* rows */
    size_t valid;      /* with `thin`: rows of this course of the run, those
                          beyond the present too (it went back) */
    double *row;       /* [live][room][lead + shown + aux] [borrowed] */
    bool thin;
    size_t *count; /* [live] rows of each lane, or NULL [borrowed]. Where there
                      are weights (CS_KERNEL_WEIGHS), draws of weight 0 are left
                      out; with NULL such a row, and one of a lane that has
                      failed, is no draw: see cs_is_draw */
    size_t lead;
    const char *const *name;       /* [lead] [borrowed] */
    const double *column[CS_LEAD]; /* [lanes] each; NULL: this kernel has no
                                      such column, NAN is written */
    const cs_kernel_type *type;    /* whose auxiliary variables they are */
    size_t aux;                    /* how many rows of them */
    const double *aux_row;         /* [aux][lanes]; NULL: another kernel, NAN */
    size_t most;    /* of what is shown, the first so many; 0: all */
    bool warmup;    /* the states of a warm-up too */
    bool true_logp; /* lp__ is the target's own, for a probe that asks for it,
                       whose `every` divides this one */
} cs_recorder;

/* First column of a row that is not a draw of the target: above log p of any
 * draw. NAN there is a draw whose kernel has no log p. */
#define CS_NO_DRAW HUGE_VAL
static inline bool cs_is_draw(const double *row)
{
    return row[0] != CS_NO_DRAW;
}

/* What the recorders of a run are for: draws that are kept, that are written to
 * a sink, from which convergence is judged. */
enum { CS_KEPT, CS_WRITTEN, CS_JUDGED, CS_RECORDERS };

/* name[CS_LEAD] = the leading columns of a kernel's draws [borrowed from its
 * type]; returns how many. lp__ is always first. */
size_t cs_lead_names(const cs_kernel_type *type, const char **name);

/* Whether a kernel's draws have log_weight__: its log weights are numbers. A
 * kernel without weights that takes the place of such a one writes 0 there. */
bool cs_draws_weigh(const cs_kernel_type *type);

/* Why a chain failed. */
typedef enum cs_fault {
    CS_FAULT_NONE,
    CS_FAULT_DENSITY,  /* NaN at the proposal */
    CS_FAULT_GRADIENT, /* not finite at the proposal */
    CS_FAULT_INFINITE, /* log p = HUGE_VAL at the proposal */
    CS_FAULT_RATIO,    /* the kernel's own part of the ratio is NaN */
    CS_FAULT_STATE,    /* NaN at the state itself, or in its differences */
    CS_FAULT_ENDLESS,  /* log p = HUGE_VAL there */
    CS_FAULT_KERNEL    /* what the kernel says: cs_reason */
} cs_fault;

/* Rows of a fault: which, the kernel's reason, coordinates of what failed. */
enum {
    CS_FAULT_REASON = 1,
    CS_FAULT_POINT = CS_FAULT_REASON + 4,
    CS_FAULT_SHOWN = 8,
    CS_FAULT_ROWS = CS_FAULT_POINT + CS_FAULT_SHOWN
};

/* What the evaluators of a block have done: its chains' own, and what others had
 * evaluated beside it. */
typedef struct cs_block_work {
    cs_work own, observed;
} cs_block_work;

typedef struct cs_ratios cs_ratios;

/* The statistics of a kernel that counters and probes read after each step:
 * [lanes] each, in the kernel's info; NULL: the kernel has no such column. */
typedef struct cs_block_stats {
    const double *learning;               /* learning__ */
    const double *divergent;              /* divergent__ */
    const double *energy, *depth;         /* energy__, treedepth__ */
    const double *most_depth;             /* the parameter that limits depth */
    const double *bin, *multiplier;       /* bin__, multiplier__ */
    const double *rows_drawn, *rows_kept; /* rows__, kept__ */
} cs_block_stats;

/* The observers of a block's steps, and the steps of a single chain that some of
 * them are still to see; none between two runs. */
typedef struct cs_block_probes {
    cs_probe *item;  /* [n] [borrowed] */
    double **memory; /* [n] in the slab [own: the list] */
    size_t n;
    uint64_t later; /* bit i: probe i takes several steps at once */
    double *
        series; /* [CS_SERIES_ROWS][series_width] as in cs_probe_series [own] */
    size_t series_width, series_n;
} cs_block_probes;

/* Log weights of the draws. */
typedef struct cs_block_weights {
    double *log;       /* [lanes] less that of the chain's first draw; in the
                          scratch */
    bool are_numbers;  /* not CS_KERNEL_SELECTS */
    bool were_numbers; /* ... of the previous kernel, and they differed */
} cs_block_weights;

/* Capacity of a block's memory, in words per lane. */
typedef struct cs_block_room {
    size_t slab, scratch, spare_words;
    double *spare; /* [spare_words][lanes + 1] for cs_block_place [own] */
} cs_block_room;

typedef struct cs_block {
    cs_target *target;       /* [held] */
    const cs_kernel *kernel; /* [borrowed] the arm's, which outlives it */
    size_t lanes, live;
    uint64_t *chain;       /* [lanes] global chain numbers */
    uint64_t step;         /* steps done */
    uint64_t warmup_steps; /* of them, those of the warm-up: probes and draws
                              count from there on */
    uint64_t cycle_from;   /* of them, those before the first by which the
                              schedules count: of a tuner, they begin with the
                              draws */
    bool in_warmup;        /* a tuner is at work: nobody observes, but for a
                              recorder that asks for it */
    bool unadjusted;       /* ... and the kernel goes without accept step */
    uint64_t generation;   /* of the target, when log p was evaluated */
    cs_eval eval;
    cs_move move;
    cs_logp_kind logp_kind; /* what move.info.logp is */
    cs_eval observer;       /* evaluates for probes and users, not for the
                               kernel: its work is counted apart */
    double *true_logp;      /* [1][lanes], then the observer's memory; NULL: not
                               reserved [own] */
    cs_ratios *ratios;      /* true ones beside the kernel's, while somebody
                               asks for them (chain/ratios.h), else NULL [own] */
    cs_block_weights weights;
    double *param; /* [n_params][lanes] what the kernel sees: its values, or
                      those of the step [own] */

    size_t slab_words; /* a lane */
    double *slab;      /* [slab_words][lanes] [own] */
    double *scratch;   /* [own] */
    cs_block_room room;

    /* in the slab */
    double *failed;    /* [lanes]; move.failed follows it */
    double *fault;     /* [CS_FAULT_ROWS][lanes] */
    double *tally;     /* [CS_TALLY_ROWS][lanes] */
    const double *aux; /* [aux_rows][lanes] the kernel's auxiliary variables;
                              NULL: it has none */
    size_t aux_rows;

    /* in the scratch */
    double *frozen;      /* [dim + 1][lanes] x and log p of failed lanes */
    double *accept_stat; /* [lanes] min(1, ratio), made for draws only, or
                                what a kernel tells */
    double *shown;       /* [shown][lanes] of the last step: the target's
                                outputs, or x in the slab */
    cs_block_stats stat;

    cs_reason *why;  /* [lanes] of the step under way [own] */
    bool *flags;     /* [4][lanes] accepted, moved, failed, left out [own] */
    bool *left_out;  /* [lanes] of them: failed, or no draw of the target */
    cs_ahead *ahead; /* random numbers of a lone chain, drawn ahead [own] */
    cs_block_probes probes;
    cs_recorder recorder[CS_RECORDERS]; /* by cs_block_recorder */
} cs_block;

/* Makes a block for chains first .. first+live-1 of the streams of `seed`,
 * not yet started. `probes` [borrowed] must outlive it. */
cs_status cs_block_create(cs_block **out, cs_target *target,
                          const cs_kernel *kernel, uint64_t seed,
                          uint64_t first, size_t live, cs_probe *probes,
                          size_t n_probes, cs_error *err);
void cs_block_destroy(cs_block *b);

/* Why the kernel gave lane l up, where the fault is CS_FAULT_KERNEL. */
cs_reason cs_block_reason(const cs_block *b, size_t l);

/* The doubles that each of its lanes will take. */
size_t cs_block_lane_words(cs_target *target, const cs_kernel *kernel,
                           cs_probe *probes, size_t n_probes);

/* Puts lane l at x[dim] (or, x NULL, at the target's start for its chain).
 * A start outside the support is an error that names the chain. */
cs_status cs_block_start(cs_block *b, const double *const *x, cs_error *err);

/* Its two halves: the states and their log p, then what the kernel makes of
 * them. A twin [NULL: none] is a block of the same chains of another arm,
 * given the same x, that has been seated and has not started: its results are
 * copied where possible. A start of finite log p whose gradient is not finite
 * is an error where it was given, else others are tried. */
cs_status cs_block_seat(cs_block *b, const double *const *x,
                        const cs_block *twin, cs_error *err);
cs_status cs_block_begin(cs_block *b, bool given, cs_error *err);

/* n steps, with the values that `driven` (NULL: none) has for parameters; the
 * others keep theirs. Probes observe each step. Reads *stop (NULL allowed)
 * between steps, and ends with the step after which no chain lives (a dead
 * block makes one step a call); returns the steps done. Allocates nothing,
 * takes no lock. */
size_t cs_block_run(cs_block *b, const cs_driven *driven, size_t n,
                    const _Atomic bool *stop);

/* Memory for cs_block_true_logp; cs_block_create takes it where a probe asks
 * for it. */
cs_status cs_block_reserve_observer(cs_block *b, cs_error *err);

/* log p [lanes] of the states: what the kernel has if that is exact; else it
 * is evaluated by the observer, whose memory must have been reserved. The
 * second evaluates and counts one lane. */
const double *cs_block_true_logp(cs_block *b);
double cs_block_true_logp_of(cs_block *b, size_t lane);

/* What log p of its draws so far was: an estimate, where some of them were;
 * before the first, what the kernel has. */
cs_logp_kind cs_block_logp_seen(const cs_block *b);

/* After x, the target's values or the kernel's parameters were changed from
 * outside: recomputes log p, caches and the kernel's memory. */
void cs_block_refresh(cs_block *b);

/* The same when the target has changed since; chains that failed stay so. */
void cs_block_follow_target(cs_block *b);

/* Makes room for `kernel`, so that setting it cannot run out of memory. */
cs_status cs_block_reserve(cs_block *b, const cs_kernel *kernel, cs_error *err);

/* Replaces the kernel [borrowed] by a compatible one, possibly of another
 * type: states and streams continue. */
cs_status cs_block_set_kernel(cs_block *b, const cs_kernel *kernel,
                              cs_error *err);

/* Numbers of words of a lane in the slab: of its probes, and before them. The
 * kernel's memory follows. */
size_t cs_block_probe_words(const cs_block *b);
size_t cs_block_head_words(const cs_block *b);

/* The slab of one lane as words[slab_words], out and in. */
void cs_block_save_lane(const cs_block *b, size_t lane, double *words);
void cs_block_load_lane(cs_block *b, size_t lane, const double *words);

/* The whole slab, words[slab_words * lanes], out and in: the quick way where
 * the block stays the same. Set `step` beside it. */
void cs_block_save(const cs_block *b, double *words);
void cs_block_load(cs_block *b, const double *words);
/* After the slab was written by other means. */
void cs_block_loaded(cs_block *b);

/* The metric [borrowed] of the steps to come; NULL: the unit one. */
void cs_block_set_metric(cs_block *b, const cs_metric *metric);

/* Fills the parameters with the kernel's values as they are now. */
void cs_block_set_values(cs_block *b);

/* Finds the columns of all recorders again, after the block's arrays have
 * moved. */
void cs_block_wire_recorders(cs_block *b);

/* Sets recorder number i; its `column` is found from its names. */
void cs_block_recorder(cs_block *b, size_t i, cs_recorder recorder);

/* Drops the draws beyond the block's step, after it went back. */
void cs_block_trim(cs_block *b);

/* After it cs_block_place cannot run out of memory, whichever kernel is set of
 * those that have been reserved. */
cs_status cs_block_reserve_place(cs_block *b, cs_error *err);

/* Puts one lane at x[dim], the others untouched; fails, and changes nothing,
 * outside the support. Counts as work of that chain only. */
cs_status cs_block_place(cs_block *b, size_t lane, const double *x,
                         cs_error *err);

/* The same by a tuner, noted for run/tuning/chain_starts.h; false: it stays. */
bool cs_block_bring(cs_block *b, size_t lane, const double *x);

/* Whether any chain has not failed. */
bool cs_block_lives(const cs_block *b);

/* Notes the chains that have just failed, as of step `now`, and why; true when
 * a lane has failed, now or before. */
bool cs_block_note_failed(cs_block *b, double now);

/* Brings `shown` up to date. */
void cs_block_show(cs_block *b);

/* x[dim] of a lane, gathered. */
void cs_block_state(const cs_block *b, size_t lane, double *x);
