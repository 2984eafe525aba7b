/* A probe: an observer of chains with fixed memory.
 *
 * It observes after each step, on the worker, and keeps per lane a fixed
 * number of doubles in the block's slab (so checkpoint and rewind take it
 * along). Its report is made on the session's thread from the memories of all
 * chains of an arm, chain by chain in order, so that it does not depend on
 * blocks or workers. */
#pragma once

#include "base/flat.h"
#include "kernel/kernel.h"
#include "probe/events.h"

typedef struct cs_probe cs_probe;

/* What a probe may look at after a step. */
typedef struct cs_step_view {
    const double *x;     /* [dim][lanes] */
    const double *shown; /* [cs_target_shown][lanes]: x or the outputs */
    const double *aux; /* [aux_rows][lanes] of the kernel's auxiliary variables,
                            NULL: it has none */
    size_t aux_rows;
    const cs_info *info;
    const double *logp; /* [lanes] of the states, as logp_kind says; that of
                             none: NULL */
    cs_logp_kind logp_kind;
    const bool *failed;
    const bool *left_out;     /* [lanes] the state is no draw of the target: the
                             chain has failed, or its weight is 0 */
    const double *log_weight; /* [lanes] less that of the chain's first draw;
                                 NULL: all draws of all lanes so far, this one
                                 too, have counted alike */
    const double *bin; /* [lanes] the bin of the state, from 1, of a kernel that
                          has them (the column bin__), else NULL */
    const double *rows_drawn, *rows_kept; /* [lanes] rows of data that the step
                          drew at random (rows__), and kept of them (kept__);
                          NULL: the kernel does not say */
    const double *multiplier; /* [lanes] of the step's gradient: below 0 it went
                                 uphill (multiplier__); NULL: none has it */
    const double *divergent;  /* [lanes] 1: the trajectory of the step diverged
                                 (divergent__); NULL: the kernel has none */
    const double *energy;     /* [lanes] at the start of the step's trajectory,
                                 its momentum counted (energy__); NULL likewise */
    bool whole;               /* no lane is left out, and log_weight is NULL */
    size_t dim, lanes, live;
    uint64_t step;        /* of the draws, from 1 */
    uint64_t of_schedule; /* the same step as the arm's schedules count */
} cs_step_view;

/* The lanes of the vectors in which there are chains: of the others nobody asks
 * for a report. */
static inline size_t cs_live_lanes(const cs_step_view *s)
{
    return (s->live + CS_VECTOR - 1) / CS_VECTOR * CS_VECTOR;
}

/* Some steps of a chain alone, oldest first. All are draws that count alike. */
enum { CS_COURSE = 16, CS_COURSE_PAD = 16 };
typedef struct cs_course {
    const double *row; /* [n][width] log p of the state (NAN: there is none),
                          its first coordinates; aligned as vectors are */
    size_t n, width;   /* CS_COURSE at most; a multiple of CS_COURSE_PAD */
    size_t lanes;      /* of the memory: word w of the chain is at w * lanes */
    uint64_t step;     /* the first */
} cs_course;

/* The memory of one chain, for a report: word w is word[w * stride]. */
typedef struct cs_lane_memory {
    const double *word;
    size_t stride;
    bool failed; /* the chain has failed: it was not observed since */
} cs_lane_memory;

typedef struct cs_probe_type {
    const char *name, *title, *help;
    bool all_chains; /* also reports on chains that are no draws of the target:
                        the hot ones of a tempered group */
    const cs_param *params; /* numbers and texts */
    size_t n_params;
    bool logp;   /* it looks at log p: its report says what that is where it
                    is not exact, cs_logp_name under "logp" */
    bool judged; /* its report includes the diagnostics of the draws that are
                    kept for them (run/judged.c) */
    bool weighs; /* of weights: only where a kernel writes them as numbers, or
                    a run names it */
    const char *column; /* NULL, or: only where a kernel's draws have it, or a
                           run names it */
    bool asked;  /* takes time or memory at every step: only where a run names
                    it */
    bool whole;  /* observing takes time in proportion to dim: see
                    cs_probe_usual */
    bool costly; /* a report takes milliseconds: while a run is watched it is
                    made on another thread, from a copy of the lanes' memories
                    (session/aside.h); never on two threads at once */
    /* REQUIRED. Prepares `self` for a target (may allocate) and sets
     * p->words. CS_UNSUPPORTED: not for this target. */
    cs_status (*create)(cs_probe *p, cs_target *target, cs_error *err);
    void (*destroy)(cs_probe *p); /* OPTIONAL */
    /* OPTIONAL. Makes do with less memory where an arm has so many chains:
     * sets p->words anew. */
    void (*fit)(cs_probe *p, size_t chains);
    /* OPTIONAL. Works out what takes long and only reports need, the exact
     * answer, say. Reports made before it leave that out. */
    void (*settle)(cs_probe *p);
    /* OPTIONAL. First values of the memory[words][lanes] (else zeros). */
    void (*init)(const cs_probe *p, double *memory, size_t lanes);
    /* REQUIRED. Takes one step into memory[words][lanes]. Hot. */
    void (*observe)(const cs_probe *p, const cs_step_view *s, double *memory);
    /* OPTIONAL. Takes some steps of a chain alone at once, as so many calls of
     * `observe` would, to the last bit. Hot. */
    void (*observe_course)(const cs_probe *p, const cs_course *c,
                           double *memory);
    /* OPTIONAL. Between steps: the chain of lane `l` goes on with the state of
     * chain `from` (kernel/kernel.h, exchanges), after step `step`. */
    void (*exchanged)(const cs_probe *p, size_t l, size_t lanes, size_t from,
                      uint64_t step, double *memory);
    /* OPTIONAL. The events of a chain after step `since` that its memory holds,
     * in no order, to `sink`: step, kind, a and b. Returns bits of the kinds of
     * which some may be held no longer; the newest of each always is. */
    unsigned (*events)(const cs_probe *p, const cs_lane_memory *chain,
                       uint64_t since, cs_event_sink *sink, void *self);
    /* OPTIONAL, with it: adds how many of each kind there have been. */
    void (*count)(const cs_probe *p, const cs_lane_memory *chain,
                  double count[CS_EVENT_KINDS]);
    /* OPTIONAL. Draws of the target from a file that it compares with: x[most]
     * [dim] are filled with the first of them (x NULL: none are). Returns how many
     * were filled; with most = 0 how many there are. */
    size_t (*reference)(const cs_probe *p, size_t most, double *x);
    /* REQUIRED. Puts what was seen by n chains into `out` under keys that
     * start with `prefix` ("arm/0/energy/"). */
    void (*report)(const cs_probe *p, const cs_lane_memory *chain, size_t n,
                   const char *prefix, cs_flat *out);
} cs_probe_type;

enum { CS_PROBE_PARAMS = 8 };

struct cs_probe {
    const cs_probe_type *type;
    double values[CS_PROBE_PARAMS];
    const char *text[CS_PROBE_PARAMS]; /* during create only */
    size_t words;                      /* per lane, set by create */
    uint64_t every;                    /* observe each `every` steps, >= 1 */
    size_t first;   /* with observe_course: of the first so many coordinates,
                     which are not outputs of the target; set by create */
    bool true_logp; /* shown log p of the target itself, evaluated for it where
                       the kernel has an estimate or none */
    const cs_target *target; /* [borrowed] */
    bool settled;            /* nothing is left to settle */
    void *self;              /* [own, by the type] */
};

const cs_probe_type *cs_probe_find(const char *name);
const cs_probe_type *cs_probe_at(size_t i);

/* The default of `every`: 1; of a probe that goes through the whole state, in
 * over a thousand dimensions, a step may move one of which, more. */
uint64_t cs_probe_usual(const cs_probe_type *type, const cs_target *target);

/* Makes a probe of `type` for `target`, in which create may prepare second
 * derivatives, say. Destroy with cs_probe_fini. */
cs_status cs_probe_init(cs_probe *p, const cs_probe_type *type,
                        const cs_value *given, size_t n_given,
                        cs_target *target, cs_error *err);
void cs_probe_fini(cs_probe *p);

/* Settles it, where that was not done yet. On the thread that owns the target,
 * between steps. */
void cs_probe_settle(cs_probe *p);
