/* Probes: observers of chains that use a fixed amount of memory.
 *
 * A probe observes after each step, on the worker thread. It keeps a fixed
 * number of doubles per lane in the block's slab, so that checkpoints and
 * rewinding include them. The session's thread creates the report from the
 * memories of all chains of an arm, in the order of the chains. The report
 * therefore does not depend on the number of blocks or workers. */
#pragma once

#include "base/flat.h"
#include "kernel/kernel.h"
#include "probe/events.h"

typedef struct cs_probe cs_probe;

/* Data that a probe may read after a step. */
typedef struct cs_step_view {
    const double *x;     /* [dim][lanes] states after the step */
    const double *shown; /* [cs_target_shown][lanes] generated quantities; x
                            itself if the target has none */
    const double *aux;   /* [aux_rows][lanes] auxiliary variables of the kernel;
                          * NULL: none */
    size_t aux_rows;
    const cs_info *info;
    const double *logp; /* [lanes] log p as described by logp_kind; NULL if the
                           kernel has no log p */
    cs_logp_kind logp_kind;
    const bool *failed;
    const bool *left_out;     /* [lanes] true if the state is not a draw of the
                               * target: the chain has failed, or the weight is
                               * 0 */
    const double *log_weight; /* [lanes] log weight relative to the chain's
                               * first draw; NULL: all draws of all lanes so
                               * far, including this one, have equal weights */
    const double *bin; /* [lanes] bin of the state, from 1, for a kernel with
                        * bins (column bin__); otherwise NULL */
    const double *rows_drawn, *rows_kept; /* [lanes] rows_drawn: number of rows
                                           * of data that the step drew at
                                           * random (rows__); rows_kept: number
                                           * of rows kept after thinning
                                           * (kept__); NULL: the kernel does not
                                           * report them */
    const double *multiplier; /* [lanes] multiplier of the step's gradient;
                               * negative: the step went uphill (multiplier__);
                               * NULL: the kernel has none */
    const double *divergent;  /* [lanes] 1: the trajectory of the step diverged
                               * (divergent__); NULL: the kernel has no
                               * trajectories */
    const double *energy;     /* [lanes] energy at the start of the step's
                               * trajectory, including the momentum (energy__);
                               * NULL: the kernel has no trajectories */
    bool whole;               /* true: no lane is left out, and log_weight is
                                 NULL */
    size_t dim, lanes, live;
    uint64_t step;        /* number of the step among the draws, from 1 */
    uint64_t of_schedule; /* number of this step in the arm's schedules */
} cs_step_view;

/* Returns the number of lanes that reports read: the number of chains, rounded
 * up to whole vectors. */
static inline size_t cs_live_lanes(const cs_step_view *s)
{
    return (s->live + CS_VECTOR - 1) / CS_VECTOR * CS_VECTOR;
}

/* Consecutive steps of a single chain, oldest first. All steps are draws of
 * equal weight. */
enum { CS_SERIES_ROWS = 16, CS_SERIES_PAD = 16 };
typedef struct cs_probe_series {
    const double *row; /* [n][width] log p of each state (NAN: unknown), then
                        * its first coordinates; aligned to vectors */
    size_t n, width;   /* n: number of steps, at most CS_SERIES_ROWS; width: a
                          multiple of CS_SERIES_PAD */
    size_t lanes;      /* number of lanes of the memory: word w of the chain is
                          at w * lanes */
    uint64_t step;     /* number of the first step */
} cs_probe_series;

/* Memory of one chain, for a report. Word w is word[w * stride]. */
typedef struct cs_lane_memory {
    const double *word;
    size_t stride;
    bool failed; /* true: the chain has failed and was not observed
                    afterwards */
} cs_lane_memory;

typedef struct cs_probe_type {
    const char *name, *title, *help;
    bool all_chains;        /* true: the report also includes chains that do not
                               sample from the target, such as the hot chains of
                               a tempered group */
    const cs_param *params; /* numeric parameters and parameters that are
                               strings */
    size_t n_params;
    bool logp; /* true: the probe uses log p; if log p is not exact, the report
                  names its kind (cs_logp_name) under "logp" */
    bool diagnosed; /* true: the report includes the diagnostics of the
                       diagnosed draws (run/draws/diagnosed.c) */
    bool weighs;    /* true: the probe is useful only for weighted draws. The
                       probe is active if a kernel writes numeric weights or if
                       a run names the probe */
    const char *column; /* column that a kernel's draws must have. The probe is
                           active if the draws have this column or if a run
                           names the probe. NULL: no column is needed */
    bool asked;  /* true: the probe is active only if a run names it, because
                    each step costs time or memory */
    bool whole;  /* true: observing takes time proportional to dim; see
                    cs_probe_usual */
    bool costly; /* true: a report takes milliseconds. While a run is displayed,
                  * another thread creates the report from a copy of the lanes'
                  * memories (session/state/background_reports.h); no two
                  * threads create it at the same time */
    /* REQUIRED. Prepares `self` for a target (may allocate) and sets p->words.
     * Returns CS_UNSUPPORTED if the probe does not support the target. */
    cs_status (*create)(cs_probe *p, cs_target *target, cs_error *err);
    void (*destroy)(cs_probe *p); /* OPTIONAL. Frees `self` and its contents. */
    /* OPTIONAL. Reduces the memory for an arm with this many chains, and sets
     * p->words again. */
    void (*fit)(cs_probe *p, size_t chains);
    /* OPTIONAL. Computes slow results that only reports need, such as exact
     * values. Reports omit these results until they are computed. */
    void (*settle)(cs_probe *p);
    /* OPTIONAL, with `settle`. Continues the work of `settle` for some
     * milliseconds; returns true when this work is finished. */
    bool (*settle_part)(cs_probe *p);
    /* OPTIONAL. Sets the initial values of memory[words][lanes]. If `init` is
     * NULL, the initial values are zeros. */
    void (*init)(const cs_probe *p, double *memory, size_t lanes);
    /* REQUIRED. Updates memory[words][lanes] after one step.
     * Performance-critical. */
    void (*observe)(const cs_probe *p, const cs_step_view *s, double *memory);
    /* OPTIONAL. Observes several steps of a single chain. The result equals
     * that of one call of `observe` per step, bit for bit.
     * Performance-critical. */
    void (*observe_series)(const cs_probe *p, const cs_probe_series *c,
                           double *memory);
    /* OPTIONAL. Called between steps, after step `step`, when the chain of lane
     * `l` receives the state of chain `from` in an exchange
     * (kernel/kernel.h). */
    void (*exchanged)(const cs_probe *p, size_t l, size_t lanes, size_t from,
                      uint64_t step, double *memory);
    /* OPTIONAL. Passes the stored events of a chain after step `since` to
     * `sink`, in no particular order, each with step, kind, a and b. Returns a
     * bit mask of the kinds for which some events may have been overwritten.
     * The newest event of each kind is always stored. */
    unsigned (*events)(const cs_probe *p, const cs_lane_memory *chain,
                       uint64_t since, cs_event_sink *sink, void *self);
    /* OPTIONAL, with `events`. Adds the number of a chain's events of each kind
     * to count[]. */
    void (*count)(const cs_probe *p, const cs_lane_memory *chain,
                  double count[CS_EVENT_KINDS]);
    /* OPTIONAL. Copies the first draws of the reference file into x[most][dim]
     * and returns their number. If most is 0 (x may then be NULL), returns the
     * number of draws that the file has. */
    size_t (*reference)(const cs_probe *p, size_t most, double *x);
    /* REQUIRED. Writes the report on n chains to `out`, under keys that start
     * with `prefix` ("arm/0/energy/"). */
    void (*report)(const cs_probe *p, const cs_lane_memory *chain, size_t n,
                   const char *prefix, cs_flat *out);
} cs_probe_type;

enum { CS_PROBE_PARAMS = 8 };

struct cs_probe {
    const cs_probe_type *type;
    double values[CS_PROBE_PARAMS];
    const char *text[CS_PROBE_PARAMS]; /* parameters that are strings; valid
                                          only during `create` */
    size_t words;                      /* size of the memory in doubles per
                                          lane; set by `create` */
    uint64_t every;                    /* the probe observes one step in
                                          `every`; at least 1 */
    size_t first;   /* number of coordinates, counted from the first, that
                       observe_series reads (coordinates of the state, not
                       generated quantities); set by `create` */
    bool true_logp; /* true: the probe needs log p of the target itself. If the
                       kernel has no log p, or only an estimate of it, log p is
                       evaluated for the probe */
    const cs_target *target; /* the target of the arm [borrowed] */
    bool settled;            /* true: no slow results are pending */
    void *self;              /* data of the probe [own, by the type] */
};

const cs_probe_type *cs_probe_find(const char *name);
const cs_probe_type *cs_probe_at(size_t i);

/* Returns the default of `every`. The default is 1, except for a probe that
 * reads the whole state if the state has more than 1024 dimensions: the default
 * is then larger, because a step may change only one coordinate. */
uint64_t cs_probe_usual(const cs_probe_type *type, const cs_target *target);

/* Creates a probe of `type` for `target`. This may take a long time, for
 * example to prepare second derivatives. Destroy with cs_probe_fini. */
cs_status cs_probe_init(cs_probe *p, const cs_probe_type *type,
                        const cs_value *given, size_t n_given,
                        cs_target *target, cs_error *err);
void cs_probe_fini(cs_probe *p);

/* Computes pending slow results, if there are any. Call between steps, on the
 * thread that owns the target. */
void cs_probe_settle(cs_probe *p);
/* Continues to compute pending slow results for some milliseconds. If the type
 * cannot pause, computes all pending results. Returns true when none is
 * pending. */
bool cs_probe_settle_part(cs_probe *p);
