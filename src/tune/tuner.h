/* A tuner: warm-up adaptation that ends in a frozen plan.
 *
 * It runs trials: the kernel moves all chains of an arm for some steps with
 * values chosen by the tuner, which then receives the acceptance. Its next
 * action depends only on the results so far, so that only the results are
 * stored: its memory is rebuilt from them (checkpoint, rewind, resume). It sees
 * neither chains nor target, draws no random numbers and allocates nothing. It
 * may ask the run to gather the chains' states and to make a metric of them
 * (run/tuning/state_moments.h). */
#pragma once

#include "kernel/kernel.h"
#include "kernel/metric.h"
#include "schedule/schedule.h"

enum {
    CS_TUNER_PARAMS = 16,
    CS_TUNER_DRIVEN = 2,
    CS_TUNER_SLOTS = 3,
    CS_TUNER_PAST = 3
};

/* No slot; no trial. */
enum { CS_NO_SLOT = -1 };
#define CS_NO_TRIAL SIZE_MAX
/* A choice in addition to cs_metric_kind: dense or diagonal, depending on the
 * gathered states. */
enum { CS_TUNER_CHOOSES = CS_METRICS };
#define CS_NO_LENGTH SIZE_MAX

typedef struct cs_tuner cs_tuner;

/* The next actions, in this order. */
typedef struct cs_trial {
    int keep;       /* save the present states in this slot */
    int from;       /* set the chains to the states of this slot */
    uint64_t steps; /* steps of every chain, at least 1 */
    double value[CS_TUNER_DRIVEN]; /* values of the adjusted parameters */
    bool unadjusted;               /* use kernel->step_unadjusted */
    bool single;                   /* trajectories of one gradient: length 1 */
    bool gathers; /* a trial of one step, whose states are gathered */
    bool closes;  /* the states gathered so far become the metric */
    bool brings;  /* afterwards, chains far below the others
                     (run/tuning/chain_reach.h) move to the end of a short climb
                     (run/tuning/pathfinder.h), or to the states of the
                     others */
    size_t phase; /* phase of the type that the trial belongs to */
    size_t taken; /* number of the trial that was just chosen as the best of its
                     round, from 0, or CS_NO_TRIAL */
} cs_trial;

typedef enum cs_tuner_metric {
    CS_LEARNS_NO_METRIC,
    CS_LEARNS_DENSE,
    CS_LEARNS_BY_ROW /* metric of the kind that the user chooses */
} cs_tuner_metric;

typedef struct cs_tuner_type {
    const char *name, *title, *ref, *help;
    const cs_param *params; /* numbers; a text: the parameter that is
                               adjusted */
    size_t n_params;
    /* The parameters of the kernel that it adjusts. NULL: the one that the user
     * names; an empty list: none, for any kernel. */
    const char *const *driven; /* ends with NULL */
    const char *const *phases; /* ends with NULL */
    size_t slots;              /* number of slots for states, up to
                                  CS_TUNER_SLOTS */
    size_t memory;             /* bytes */
    bool follows;              /* some trials run without accept step */
    bool tells;                /* a kernel that reports its acceptance
                                  suffices */
    bool single;               /* some trials use one gradient per trajectory */
    bool reaches; /* results and gathered states exclude chains whose log p is
                     far below the others' (run/tuning/chain_reach.h) */
    cs_tuner_metric learns; /* part of the metric that it learns */
    size_t metric;          /* the row that gives the kind of the metric */
    /* Maximum number of steps, and of trials. */
    uint64_t (*steps)(const double *values);
    size_t (*trials)(const double *values);
    /* OPTIONAL. Rejects inconsistent values. */
    cs_status (*check)(const double *values, cs_error *err);
    /* Decides the trial after one whose acceptance was `result`, the mean of
     * min(1, ratio) over chains and steps; NAN for a trial without accept step,
     * and in the first call, where the memory is zero. Returns false at the
     * end; then only keep, from and taken of *trial are still to be executed.
     * Pure. */
    bool (*next)(const cs_tuner *t, void *memory, double result,
                 cs_trial *trial);
    /* OPTIONAL. Called before it starts again: stores the results in `memory`,
     * after its last trial, as finite numbers in t->past. */
    void (*remember)(cs_tuner *t, const void *memory);
    /* The schedules of the adjusted parameters from the end of tuning on. */
    void (*freeze)(const cs_tuner *t, const void *memory, cs_schedule *out);
} cs_tuner_type;

/* A tuner as chosen by a user, bound to a kernel. */
struct cs_tuner {
    const cs_tuner_type *type; /* NULL: none */
    double values[CS_TUNER_PARAMS];
    bool usual;         /* its length is a default: a short run has fewer
                           steps */
    char parameter[32]; /* name given by the user */
    size_t n_driven, param[CS_TUNER_DRIVEN]; /* rows of the adjusted parameters
                                                in the kernel */
    double start[CS_TUNER_DRIVEN];           /* the kernel's own values */
    double past[CS_TUNER_PAST]; /* results of earlier runs, by its type; 0 at
                                first */
    size_t dim;                 /* number of coordinates of the target */
    size_t length; /* the kernel's row for the trajectory length; CS_NO_LENGTH:
                      none */
    cs_metric_kind metric; /* kind of the gathered moments; UNIT: nothing is
                              gathered */
    bool chooses_metric;   /* dense only where justified:
                            run/tuning/state_moments.h */
};

const cs_tuner_type *cs_tuner_find(const char *name);
const cs_tuner_type *cs_tuner_at(size_t i);

/* Creates a tuner of `type` from given values, checked against its rows. */
cs_status cs_tuner_init(cs_tuner *t, const cs_tuner_type *type,
                        const cs_value *given, size_t n_given, cs_error *err);

/* Binds it to a kernel in `dim` coordinates: finds the parameters it adjusts
 * and the metric it learns; rejects a kernel that it cannot tune. */
cs_status cs_tuner_bind(cs_tuner *t, const cs_kernel *kernel, size_t dim,
                        cs_error *err);

/* Returns whether it finds a value or a metric; false for the plain warm-up. */
static inline bool cs_tuner_finds(const cs_tuner *t)
{
    return t->n_driven > 0 || t->metric != CS_METRIC_UNIT;
}
/* Returns whether it finds the kernel's parameter of that row; false for
 * NULL. */
static inline bool cs_tuner_drives(const cs_tuner *t, size_t row)
{
    for (size_t i = 0; t && i < t->n_driven; i++)
        if (t->param[i] == row)
            return true;
    return false;
}
