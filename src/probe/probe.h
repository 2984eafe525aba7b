/* A probe: an observer of chains with fixed memory.
 *
 * It observes after each step, on the worker, and keeps a fixed number of
 * doubles per lane in the block's slab (so that checkpoints and rewinding
 * include it). Its report is made on the session's thread from the memories of
 * all chains of an arm, chain by chain in order, so that it does not depend on
 * blocks or workers. */
#pragma once

#include "base/flat.h"
#include "kernel/kernel.h"
#include "probe/events.h"

typedef struct cs_probe cs_probe;

/* What a probe may read after a step. */
typedef struct cs_step_view {
    const double *x;     /* [dim][lanes] */
    const double *shown; /* [cs_target_shown][lanes]: generated quantities, or
                          * x */
    const double *aux;   /* [aux_rows][lanes] of the kernel's auxiliary
                          * variables;
                          * NULL: none */
    size_t aux_rows;
    const cs_info *info;
    const double *logp; /* [lanes] of the kind logp_kind; NULL for kind none */
    cs_logp_kind logp_kind;
    const bool *failed;
    const bool *left_out;     /* [lanes] not a draw of the target: the chain
                               * has failed, or the weight is 0 */
    const double *log_weight; /* [lanes] relative to the chain's first draw;
                               * NULL: all draws of all lanes so far,
                               * including this one, have equal weights */
    const double *bin; /* [lanes] the bin of the state, from 1, for a kernel
                        * with bins (the column bin__), else NULL */
    const double *rows_drawn, *rows_kept; /* [lanes] rows of data that the
                                           * step drew at random (rows__), and
                                           * kept after thinning (kept__);
                                           * NULL: the kernel does not report
                                           * them */
    const double *multiplier; /* [lanes] of the step's gradient; below 0: it
                               * went uphill (multiplier__); NULL: no kernel
                               * has it */
    const double *divergent;  /* [lanes] 1: the trajectory of the step
                               * diverged (divergent__); NULL: the kernel has
                               * no trajectories */
    const double *energy;     /* [lanes] at the start of the step's
                               * trajectory, including its momentum
                               * (energy__); NULL likewise */
    bool whole;               /* no lane is left out, and log_weight is NULL */
    size_t dim, lanes, live;
    uint64_t step;        /* among the draws, from 1 */
    uint64_t of_schedule; /* the same step as counted by the arm's schedules */
} cs_step_view;

/* Returns the lanes of the vectors that contain chains: reports need no
 * others. */
static inline size_t cs_live_lanes(const cs_step_view *s)
{
    return (s->live + CS_VECTOR - 1) / CS_VECTOR * CS_VECTOR;
}

/* Some steps of a single chain, oldest first. All are draws of equal weight. */
enum { CS_SERIES_ROWS = 16, CS_COURSE_PAD = 16 };
typedef struct cs_probe_series {
    const double *row; /* [n][width] log p of the state (NAN: unknown), its
                        * first coordinates; aligned to vectors */
    size_t n, width;   /* at most CS_SERIES_ROWS; a multiple of CS_COURSE_PAD */
    size_t lanes;      /* lanes of the memory: word w of the chain is at w *
                        * lanes */
    uint64_t step;     /* the first step */
} cs_probe_series;

/* The memory of one chain, for a report: word w is word[w * stride]. */
typedef struct cs_lane_memory {
    const double *word;
    size_t stride;
    bool failed; /* the chain has failed: it was not observed afterwards */
} cs_lane_memory;

typedef struct cs_probe_type {
    const char *name, *title, *help;
    bool all_chains;        /* also reports on chains that do not draw from the
                             * target:
                             * the hot ones of a tempered group */
    const cs_param *params; /* numbers and texts */
    size_t n_params;
    bool logp; /* uses log p: its report states the kind of log p if it is
                  * not exact, cs_logp_name under "logp" */
    bool
        diagnosed; /* its report includes the diagnostics of the diagnosed draws
                  * (run/draws/diagnosed.c) */
    bool weighs;   /* only useful for weighted draws: used if a kernel writes
                  * weights as numbers, or a run names it */
    const char *column; /* or NULL; used only if a kernel's draws have this
                         * column, or a run names it */
    bool asked;  /* takes time or memory at every step: used only if a run
                  * names it */
    bool whole;  /* observing takes time proportional to dim: see
                  * cs_probe_usual */
    bool costly; /* a report takes milliseconds: while a run is watched it is
                  * made on another thread, from a copy of the lanes' memories
                  * (session/state/background_reports.h); never on two threads at once */
    /* REQUIRED. Prepares `self` for a target (may allocate) and sets
     * p->words. CS_UNSUPPORTED: not for this target. */
    cs_status (*create)(cs_probe *p, cs_target *target, cs_error *err);
    void (*destroy)(cs_probe *p); /* OPTIONAL */
    /* OPTIONAL. Reduces the memory for an arm with this many chains: sets
     * p->words again. */
    void (*fit)(cs_probe *p, size_t chains);
    /* OPTIONAL. Computes results that take long and that only reports need,
     * such as exact answers. Earlier reports omit them. */
    void (*settle)(cs_probe *p);
    /* OPTIONAL. Sets initial values of the memory[words][lanes] (else
     * zeros). */
    void (*init)(const cs_probe *p, double *memory, size_t lanes);
    /* REQUIRED. Observes one step in memory[words][lanes]. Hot. */
    void (*observe)(const cs_probe *p, const cs_step_view *s, double *memory);
    /* OPTIONAL. Observes several steps of a single chain, bit for bit like as
     * many calls of `observe`. Hot. */
    void (*observe_series)(const cs_probe *p, const cs_probe_series *c,
                           double *memory);
    /* OPTIONAL. Between steps: the chain of lane `l` receives the state of
     * chain `from` (kernel/kernel.h, exchanges), after step `step`. */
    void (*exchanged)(const cs_probe *p, size_t l, size_t lanes, size_t from,
                      uint64_t step, double *memory);
    /* OPTIONAL. Passes the stored events of a chain after step `since`, in no
     * order, to `sink`: step, kind, a and b. Returns bits of the kinds of which
     * some may no longer be stored; the newest of each always is. */
    unsigned (*events)(const cs_probe *p, const cs_lane_memory *chain,
                       uint64_t since, cs_event_sink *sink, void *self);
    /* OPTIONAL, with `events`: adds the number of events of each kind. */
    void (*count)(const cs_probe *p, const cs_lane_memory *chain,
                  double count[CS_EVENT_KINDS]);
    /* OPTIONAL. Fills x[most][dim] with the first draws of the target in the
     * reference file (x NULL: none). Returns how many were filled; with most =
     * 0 how many there are. */
    size_t (*reference)(const cs_probe *p, size_t most, double *x);
    /* REQUIRED. Reports the observations of n chains to `out` under keys that
     * start with `prefix` ("arm/0/energy/"). */
    void (*report)(const cs_probe *p, const cs_lane_memory *chain, size_t n,
                   const char *prefix, cs_flat *out);
} cs_probe_type;

enum { CS_PROBE_PARAMS = 8 };

struct cs_probe {
    const cs_probe_type *type;
    double values[CS_PROBE_PARAMS];
    const char *text[CS_PROBE_PARAMS]; /* only during create */
    size_t words;                      /* per lane, set by create */
    uint64_t every;                    /* observes one step in `every`, >= 1 */
    size_t first;   /* with observe_series: number of coordinates from the
                     * first, which are not outputs of the target; set by
                     * create */
    bool true_logp; /* gets log p of the target itself, evaluated for it if
                     * the kernel has an estimate or none */
    const cs_target *target; /* [borrowed] */
    bool settled;            /* no results are pending */
    void *self;              /* [own, by the type] */
};

const cs_probe_type *cs_probe_find(const char *name);
const cs_probe_type *cs_probe_at(size_t i);

/* Returns the default of `every`: 1; more for a probe that reads the whole
 * state of over a thousand dimensions, of which a step may move one. */
uint64_t cs_probe_usual(const cs_probe_type *type, const cs_target *target);

/* Creates a probe of `type` for `target`; create may, for example, prepare
 * second derivatives. Destroy with cs_probe_fini. */
cs_status cs_probe_init(cs_probe *p, const cs_probe_type *type,
                        const cs_value *given, size_t n_given,
                        cs_target *target, cs_error *err);
void cs_probe_fini(cs_probe *p);

/* Computes its pending results, if any. On the thread that owns the target,
 * between steps. */
void cs_probe_settle(cs_probe *p);
