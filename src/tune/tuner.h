/* A tuner: warm-up adaptation that ends in a frozen plan.
 *
 * It makes trials: the kernel moves all chains of an arm for some steps with
 * values that the tuner chose, and the tuner is told the acceptance. What it
 * does next follows from the results so far and from nothing else, so they are
 * all that must be kept: its memory is made again from them (checkpoint,
 * rewind, resume). It sees neither chains nor target, draws no random number,
 * allocates nothing. It may have the run gather the chains' states, and make a
 * metric of them (run/moments.h). */
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
/* A choice beside cs_metric_kind: dense or diagonal, as the states gathered say. */
enum { CS_TUNER_CHOOSES = CS_METRICS };
#define CS_NO_LENGTH SIZE_MAX

typedef struct cs_tuner cs_tuner;

/* What to do next, in this order. */
typedef struct cs_trial {
    int keep;       /* remember the present states in this slot */
    int from;       /* put the chains at the states of this slot */
    uint64_t steps; /* of every chain, at least 1 */
    double value[CS_TUNER_DRIVEN]; /* of the driven parameters */
    bool unadjusted;               /* by kernel->step_unadjusted */
    bool single;  /* trajectories of one gradient: the kernel's length is 1 */
    bool gathers; /* of one step, whose states are gathered; */
    bool closes;  /* ... those gathered so far become the metric */
    bool brings;  /* after it, chains far below the others (run/reach.h) go to
                     where a short climb leads (run/pathfinder.h), or to where
                     those are */
    size_t phase; /* which of the type's phases it is of */
    size_t taken; /* number of the trial that was just taken as the best of its
                     round, from 0, or CS_NO_TRIAL */
} cs_trial;

typedef enum cs_tuner_metric {
    CS_LEARNS_NO_METRIC,
    CS_LEARNS_DENSE,
    CS_LEARNS_BY_ROW /* of the kind that the user chooses */
} cs_tuner_metric;

typedef struct cs_tuner_type {
    const char *name, *title, *ref, *help;
    const cs_param *params; /* numbers; a text: which parameter is driven */
    size_t n_params;
    /* The parameters of the kernel that it drives, NULL: the one that the user
     * names; an empty list: none, and any kernel will do. */
    const char *const *driven; /* ends with NULL */
    const char *const *phases; /* ends with NULL */
    size_t slots;              /* for states, up to CS_TUNER_SLOTS */
    size_t memory;             /* bytes */
    bool follows;              /* trials without accept step are among its */
    bool tells;                /* a kernel that tells its acceptance will do */
    bool single;               /* trials of one gradient are among its */
    bool reaches; /* results, and what is gathered, are of chains whose log p is
                     within reach of the others' (run/reach.h) */
    cs_tuner_metric learns; /* of the kernel's metric */
    size_t metric;          /* the row that says its kind */
    /* Steps, and trials, that it makes at most. */
    uint64_t (*steps)(const double *values);
    size_t (*trials)(const double *values);
    /* OPTIONAL. Refuses values that do not go together. */
    cs_status (*check)(const double *values, cs_error *err);
    /* What comes after a trial whose acceptance was `result`, the mean of
     * min(1, ratio) over chains and steps; NAN of one without accept step, and
     * at first, where the memory is zero. False when all is found: then
     * keep, from and taken of *trial are still to be done. Pure. */
    bool (*next)(const cs_tuner *t, void *memory, double result,
                 cs_trial *trial);
    /* OPTIONAL. Before it begins again: keeps in t->past, as finite numbers, what
     * `memory`, whose last trial was heard, has found. */
    void (*remember)(cs_tuner *t, const void *memory);
    /* The schedules of the driven parameters, from that end on. */
    void (*freeze)(const cs_tuner *t, const void *memory, cs_schedule *out);
} cs_tuner_type;

/* A tuner as chosen by a user, bound to a kernel. */
struct cs_tuner {
    const cs_tuner_type *type; /* NULL: none */
    double values[CS_TUNER_PARAMS];
    bool usual;         /* nobody has said its steps: a short run has fewer */
    char parameter[32]; /* named by the user */
    size_t n_driven, param[CS_TUNER_DRIVEN]; /* rows of the kernel */
    double start[CS_TUNER_DRIVEN];           /* the kernel's own values */
    double
        past[CS_TUNER_PAST]; /* of the times before, its type's; 0 at first */
    size_t dim;              /* coordinates of its target */
    size_t length; /* the kernel's row of that meaning; CS_NO_LENGTH: none */
    cs_metric_kind metric; /* of what is gathered; UNIT: nothing */
    bool chooses_metric; /* a dense one only where that is due: run/moments.h */
};

const cs_tuner_type *cs_tuner_find(const char *name);
const cs_tuner_type *cs_tuner_at(size_t i);

/* A tuner of `type` from given values, checked against its rows. */
cs_status cs_tuner_init(cs_tuner *t, const cs_tuner_type *type,
                        const cs_value *given, size_t n_given, cs_error *err);

/* Finds what it drives, and learns, in `dim` coordinates; refuses a kernel that
 * it cannot tune. */
cs_status cs_tuner_bind(cs_tuner *t, const cs_kernel *kernel, size_t dim,
                        cs_error *err);

/* Whether it finds anything: a value or a metric; not of the mere warm-up. */
static inline bool cs_tuner_finds(const cs_tuner *t)
{
    return t->n_driven > 0 || t->metric != CS_METRIC_UNIT;
}
/* Whether it finds the kernel's parameter of that row; NULL finds none. */
static inline bool cs_tuner_drives(const cs_tuner *t, size_t row)
{
    for (size_t i = 0; t && i < t->n_driven; i++)
        if (t->param[i] == row)
            return true;
    return false;
}
