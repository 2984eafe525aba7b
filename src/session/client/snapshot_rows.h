/* Data that are sent to the front as arrays of doubles. Each array has a key
 * and a struct for its rows; both sides include this file. CS_FLAT_ROWS writes
 * the rows, CS_SHOT_ROWS reads them. The rows of probes are in probe/rows.h,
 * the decision of a step in kernel/decision.h, the diagnostics of a quantity in
 * stat/diagnostics.h. */
#pragma once

#include "base/param.h"
#include "kernel/decision.h"
#include "probe/rows.h"
#include "stat/diagnostics.h"

#include <stdbool.h>

/* Keys for arm i, and the type of the rows stored under each. */
#define CS_KEY_PARAM "arm/%zu/param/%zu"                /* cs_row_param */
#define CS_KEY_SCHEDULE "arm/%zu/schedule/%zu"          /* cs_row_schedule */
#define CS_KEY_PLAN_VALUES "arm/%zu/schedule/%zu/value" /* doubles */
#define CS_KEY_VALUES "arm/%zu/schedule/%zu/values"     /* doubles */
#define CS_KEY_TRIALS "arm/%zu/tuner/trials"            /* cs_row_trial */
#define CS_KEY_ACCEPTANCE "arm/%zu/acceptance/chains"   /* cs_row_acceptance */
#define CS_KEY_FIGURES "arm/%zu/diagnostics/table"      /* cs_figures */
#define CS_KEY_HILLS "target/hills"                     /* cs_row_hill */
#define CS_KEY_PLANE_VIEW "arm/%zu/plane/view"          /* cs_row_view */
#define CS_KEY_PLANE_MOVES "arm/%zu/plane/moves"        /* cs_row_move */
#define CS_KEY_MMD "arm/%zu/mmd/value"                  /* cs_row_mmd */
#define CS_KEY_WEIGHTS "arm/%zu/weights/all"            /* cs_row_weights */
#define CS_KEY_ROWS_DRAWN "arm/%zu/rows/drawn"          /* cs_row_rows */
#define CS_KEY_ROWS_KEPT "arm/%zu/rows/kept"            /* cs_row_rows */
#define CS_KEY_MARGINAL "arm/%zu/draws/%zu/figures"     /* cs_row_marginal */
#define CS_KEY_LAGS "arm/%zu/draws/%zu/figures"         /* cs_row_lags */
#define CS_KEY_RANKS "arm/%zu/draws/%zu/figures"        /* cs_row_ranks */
#define CS_KEY_RUNNING "arm/%zu/draws/%zu/figures"      /* cs_row_running */
#define CS_KEY_SHOWN "target/shown"                     /* cs_row_shown */
#define CS_KEY_PICTURE "picture/shape"                  /* cs_row_picture */
#define CS_KEY_PICTURED "arm/%zu/picture/about"         /* cs_row_pictured */
#define CS_KEY_AUX_RANGE "look/picture/own_range"       /* cs_row_range */
#define CS_KEY_LOOK "look/at"                           /* cs_row_look */
#define CS_KEY_STEP "look/step"                         /* cs_decision */
#define CS_KEY_RATIOS "look/ratios"                     /* cs_ratio */
#define CS_KEY_DATA "data/shape"                        /* cs_row_picture */
#define CS_KEY_FACTORS "look/simulated/factors"         /* cs_row_factors */
#define CS_KEY_COUPLING "look/coupling/at"              /* cs_row_coupling */
#define CS_KEY_STEPS "look/steps"                       /* cs_decision */
#define CS_KEY_EVENTS "event/all"                       /* cs_row_event */
#define CS_KEY_MOMENTS "moment/all"                     /* cs_row_moment */

/* A displayed quantity of a target whose parameters have names. */
typedef struct cs_row_shown {
    double kind; /* a cs_space_kind, not CS_MIXED; a generated quantity is
                           CS_CONTINUOUS */
    double low, values; /* as in cs_part; 0 for a real number */
    double coordinate;  /* coordinate of the state with this name; -1: generated
                           quantity */
    double first, n;    /* index of the first displayed quantity of the same
                           parameter, and their number; n is 1 for a generated
                           quantity */
} cs_row_shown;

/* A parameter of a kernel, of a schedule or of the target. */
typedef struct cs_row_param {
    double value, min, max, def;
    double kind;   /* a cs_param_kind */
    double flags;  /* bits CS_PARAM_LOG, CS_PARAM_FIXED ... */
    double driven; /* 1: driven by a schedule or the tuner */
    double idle;   /* 1: the parameter has no effect in this space */
    /* if this is a field of a schedule: number, from 1, of the row of the
     * parameter that the schedule drives; otherwise 0 */
    double of;
} cs_row_param;

/* Makes the row of a parameter. `space` is the kind of space of the run's
 * target. */
static inline cs_row_param cs_row_of_param(const cs_param *p, double value,
                                           bool driven, unsigned space)
{
    return (cs_row_param){.value = value,
                          .min = p->min,
                          .max = p->max,
                          .def = p->def,
                          .kind = p->kind,
                          .flags = p->flags,
                          .driven = driven,
                          .idle = p->spaces && !(p->spaces & space)};
}

/* The next values of a driven parameter. They are the values of a whole period;
 * for an aperiodic schedule, the values of the next steps. The values under
 * CS_KEY_PLAN_VALUES belong to evenly spaced steps. */
typedef struct cs_row_schedule {
    double first, last; /* steps of the first and of the last value */
    double period;      /* length in steps; 0: aperiodic */
    /* number of steps that the chain makes before the schedule starts to
     * count */
    double from;
} cs_row_schedule;

/* Maximum number of parameters that a tuner drives. */
enum { CS_ROW_DRIVEN = 8 };

/* A trial of a tuner; the last one is in progress while the tuner is active. */
typedef struct cs_row_trial {
    double phase;
    double acceptance;           /* acceptance rate of the trial; NAN: not known
                                  * yet */
    double taken;                /* 1 if this is the best trial of the round */
    double value[CS_ROW_DRIVEN]; /* values of the driven parameters */
} cs_row_trial;

/* Properties shared by all pictures of states. */
typedef struct cs_row_picture {
    double kind; /* a cs_picture_kind */
    double rows, cols;
    double n;         /* number of coordinates per picture; for a tour, number
                       * of cities */
    double values;    /* number of distinct values; 0: a grey scale */
    double low, high; /* lowest and highest value of the scale */
    double classes;   /* 1 if the values are classes without an order */
    double layers;
    double first; /* first coordinate; -1: the picture does not show the
                   * coordinates in their order */
} cs_row_picture;

/* A chain whose state is displayed as a picture. */
typedef struct cs_row_pictured {
    double logp, failed;
} cs_row_pictured;

/* The lowest and highest value of a scale. */
typedef struct cs_row_range {
    double low, high;
} cs_row_range;

/* Log f of the data, in nats, at the state before a step and at the proposal of
 * the step. The members data_at_* are for the observed data, and the members
 * at_* for the data that were simulated last. `past` is the length of the
 * history used by an exact draw of the data, in passes over the data. `updates`
 * is the number of data values drawn. */
typedef struct cs_row_factors {
    double data_at_state, data_at_proposal, at_state, at_proposal, past,
        updates;
} cs_row_factors;

/* The coupling from the past that produced the data simulated last. `past` is
 * the number of passes over the data from the start to time 0; `when` is the
 * point at which look/coupling/open was recorded. */
typedef struct cs_row_coupling {
    double past, points, when;
} cs_row_coupling;

/* A hill of a landscape in the plane: position of the top, standard deviation,
 * share of the mass. */
typedef struct cs_row_hill {
    double x, y, sd, share;
} cs_row_hill;

/* The user's selection of an arm, a chain and a coordinate; indices from 0. */
typedef struct cs_row_look {
    double arm, chain, coordinate;
} cs_row_look;

/* A change recorded in the journal. */
typedef struct cs_row_event {
    double step, arm;
} cs_row_event;

/* An event found by a probe (`kind` is a cs_event_kind), or a stop of the run
 * at a breakpoint (`kind` is CS_EVENT_KINDS). */
typedef struct cs_row_moment {
    double step, kind, arm; /* arm -1 means all arms */
} cs_row_moment;
