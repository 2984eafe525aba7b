/* A tuner: warm-up adaptation that ends in a frozen plan.
 *
 * A tuner runs trials: the kernel moves all chains of an arm for some steps,
 * with values chosen by the tuner; then the tuner receives the acceptance. Its
 * next action depends only on the results so far. Only the results are stored;
 * checkpoint, rewind and resume rebuild its memory from them. A tuner has no
 * access to chains or target, draws no random numbers and allocates nothing. It
 * may request that the run gathers the chains' states and computes a metric
 * from them (run/tuning/state_moments.h). */
#pragma once

#include "kernel/kernel.h"
#include "kernel/metric.h"
#include "schedule/schedule.h"

enum {
    CS_TUNER_PARAMS = 16,
    CS_TUNER_DRIVEN = 8, /* maximum number of tuned parameters; tuners that
                            are not `by_member` have at most two */
    CS_TUNER_PARTS = CS_TUNER_DRIVEN, /* maximum number of learned metrics */
    CS_TUNER_SLOTS = 3,
    CS_TUNER_PAST = 3
};

/* Special values in cs_trial. CS_NO_SLOT: no slot is used. CS_NO_TRIAL: no
 * trial was selected. */
enum { CS_NO_SLOT = -1 };
#define CS_NO_TRIAL SIZE_MAX
/* A choice in addition to those of cs_metric_kind: the metric is dense or
 * diagonal, depending on the gathered states. */
enum { CS_TUNER_CHOOSES = CS_METRICS };
#define CS_NO_ROW SIZE_MAX /* no such row, stat or parameter */

typedef struct cs_tuner cs_tuner;

/* The actions that a tuner requests, in this order. */
typedef struct cs_trial {
    int keep;       /* number of the slot in which the current states are
                       saved */
    int from;       /* number of the slot that supplies the chains' states */
    uint64_t steps; /* number of steps that every chain makes, at least 1 */
    double value[CS_TUNER_DRIVEN]; /* values of the tuned parameters */
    bool unadjusted;               /* true: steps are made by
                                      kernel->step_unadjusted */
    unsigned single; /* bit i is 1: trajectories of the kernel (of the member)
                        with tuned parameter i have one gradient (length 1) */
    bool gathers;    /* true: the trial has one step, and its states are
                     gathered */
    bool closes; /* true: the metrics are computed from the states gathered so
                     far */
    /* true: after the trial, chains whose log p is far below that of the other
     * chains (run/tuning/chain_reach.h) are moved. Such a chain is moved to the
     * end of a short climb (run/tuning/pathfinder.h) or to the state of another
     * chain */
    bool brings;
    size_t phase; /* index of the phase to which the trial belongs, among the
                     type's phases */
    size_t taken; /* number (from 0) of the trial that was just selected as the
                     best of its round, or CS_NO_TRIAL */
} cs_trial;

typedef enum cs_tuner_metric {
    CS_LEARNS_NO_METRIC,
    CS_LEARNS_DENSE,
    CS_LEARNS_BY_ROW /* the kind of metric that the user chooses */
} cs_tuner_metric;

typedef struct cs_tuner_type {
    const char *name, *title, *ref, *help;
    const cs_param *params; /* rows with numbers; a row with a string gives the
                               name of the tuned parameter */
    size_t n_params;
    /* Names of the kernel's parameters that are tuned. NULL: the user names the
     * parameter. Empty list: no parameter is tuned, so any kernel will do. */
    const char *const *driven; /* ends with NULL */
    const char *const *phases; /* names of the phases; ends with NULL */
    size_t slots;              /* number of slots for states, at most
                                  CS_TUNER_SLOTS */
    size_t memory;             /* size of the tuner's memory in bytes */
    bool follows;              /* true: some trials run without an accept
                                  step */
    bool by_member; /* true: for a kernel made of members, tunes a parameter of
                       each member that has it, and learns the metric of each
                       member that uses one */
    bool tells;     /* true: the kernel needs only to report its
                                  acceptance */
    bool single;    /* true: some trials use one gradient per
                                  trajectory */
    bool reaches;   /* true: chains whose log p is far below that of the other
                     chains (run/tuning/chain_reach.h) are left out of the
                     results and of the gathered states */
    cs_tuner_metric learns; /* metric that the tuner learns */
    size_t metric;          /* index of the row that gives the kind of the
                               metric */
    /* Return the maximum number of steps, and the maximum number of trials. */
    uint64_t (*steps)(const double *values);
    size_t (*trials)(const double *values);
    /* OPTIONAL. Rejects values of the parameters that are inconsistent with
     * each other. */
    cs_status (*check)(const double *values, cs_error *err);
    /* Chooses the next trial. result[0] is the acceptance of the previous
     * trial, the mean of min(1, ratio) over chains and steps. It is NAN for a
     * trial without an accept step, and in the first call, in which the memory
     * is zero. For a kernel made of members result[i] is the acceptance of the
     * member of tuned parameter i; NAN: it made no step in the trial. Returns
     * false at the end of tuning; only the members keep, from and taken of
     * *trial then have an effect. The function is pure. */
    bool (*next)(const cs_tuner *t, void *memory, const double *result,
                 cs_trial *trial);
    /* OPTIONAL. Called after the last trial, before the tuner starts again.
     * Copies the results from `memory` to t->past, as finite numbers. */
    void (*remember)(cs_tuner *t, const void *memory);
    /* Creates the schedules that the tuned parameters follow after the end of
     * tuning. */
    void (*freeze)(const cs_tuner *t, const void *memory, cs_schedule *out);
} cs_tuner_type;

/* A metric that a tuner learns: that of the kernel, or that of a member of it. */
typedef struct cs_tuner_part {
    size_t leaf; /* number of the member (cs_composed_metric); 0 for a kernel
                    without members */
    const uint32_t *coordinate; /* [dim] its coordinates; NULL: all of them
                                   [borrowed from the kernel] */
    size_t dim;
    cs_metric_kind kind;
    bool chooses;  /* true: a dense metric is used only if the states justify it
                     (see run/tuning/state_moments.h) */
    size_t driven; /* index of its tuned parameter, or CS_NO_ROW */
    size_t depth, max_depth; /* the kernel's stat with the depth of its
                                trajectories, and the row with its maximum;
                                CS_NO_ROW: it has none */
} cs_tuner_part;

/* A tuner as a user chose it, bound to a kernel. */
struct cs_tuner {
    const cs_tuner_type *type; /* NULL: there is no tuner */
    double values[CS_TUNER_PARAMS];
    bool usual;         /* true: the length is the default; a short run uses
                           fewer steps */
    char parameter[32]; /* name of the tuned parameter, given by the user */
    size_t n_driven, param[CS_TUNER_DRIVEN]; /* number of tuned parameters;
                                                their rows in the kernel */
    double aim[CS_TUNER_DRIVEN];   /* target acceptance of the member of each
                                    tuned parameter; 0: values decide */
    double start[CS_TUNER_DRIVEN]; /* the kernel's own values of the
                                                tuned parameters */
    double past[CS_TUNER_PAST]; /* results of earlier runs, stored by the type;
                                   initially 0 */
    size_t dim;                 /* number of coordinates of the target */
    bool composed;              /* true: the kernel is made of members */
    size_t length[CS_TUNER_DRIVEN];     /* the kernel's row for the trajectory
                                       length of each tuned parameter, or
                                       CS_NO_ROW */
    cs_tuner_part part[CS_TUNER_PARTS]; /* [n_parts] the learned metrics; 0: no
                                           states are gathered */
    size_t n_parts;
};

/* Returns the number of results of a trial: one per tuned parameter of a kernel
 * made of members, otherwise 1. */
static inline size_t cs_tuner_results(const cs_tuner *t)
{
    return t->composed && t->n_driven ? t->n_driven : 1;
}

const cs_tuner_type *cs_tuner_find(const char *name);
const cs_tuner_type *cs_tuner_at(size_t i);

/* Creates a tuner of `type` from given values, which are checked against its
 * rows. */
cs_status cs_tuner_init(cs_tuner *t, const cs_tuner_type *type,
                        const cs_value *given, size_t n_given, cs_error *err);

/* Binds a tuner to a kernel in `dim` coordinates: finds the parameters and the
 * metric that it tunes. Rejects a kernel that it cannot tune. */
cs_status cs_tuner_bind(cs_tuner *t, const cs_kernel *kernel, size_t dim,
                        cs_error *err);

/* Returns true if the tuner finds a value or a metric, and false for a plain
 * warm-up. */
static inline bool cs_tuner_finds(const cs_tuner *t)
{
    return t->n_driven > 0 || t->n_parts > 0;
}
/* Returns true if the tuner sets the parameter in row `row` of the kernel;
 * returns false if t is NULL. */
static inline bool cs_tuner_drives(const cs_tuner *t, size_t row)
{
    for (size_t i = 0; t && i < t->n_driven; i++)
        if (t->param[i] == row)
            return true;
    return false;
}
