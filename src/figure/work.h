/* The unit in which work is counted, one for the whole screen: what horizontal
 * axes and the figures "for so much work" are of. */
#pragma once

#include "figure/shot.h"

typedef enum cs_unit {
    CS_UNIT_USUAL, /* steps along axes, evaluations in figures */
    CS_UNIT_STEPS,
    CS_UNIT_GRADIENTS,
    CS_UNIT_DENSITIES,
    CS_UNIT_EVALUATIONS, /* of the whole log density: see cs_work_evaluations */
    CS_UNIT_TERMS,
    CS_UNIT_SECONDS,
    CS_UNITS
} cs_unit;

typedef struct cs_unit_row {
    const char *name;  /* as a command takes it: "gradients" */
    const char *axis;  /* at the end of an axis */
    const char *many;  /* "at 40k gradients" */
    const char *one;   /* "a leads b 3x per gradient" */
    const char *lot;   /* what figures are given for: "1k gradients" */
    const char *brief; /* the same in a table's head: "1k gr" */
    double in_lot;
    const char *help;
} cs_unit_row;

/* NULL: there is no such unit. */
const cs_unit_row *cs_unit_at(cs_unit unit);
/* CS_UNITS: none has that name. */
cs_unit cs_unit_find(const char *name);

/* What a unit that may be the usual one means along axes, and in figures. */
cs_unit cs_unit_of_axis(cs_unit unit);
cs_unit cs_unit_of_figure(const cs_shot *s, cs_unit unit);

/* The work of an arm so far, of all its chains; NAN where it has done none of
 * that kind. */
double cs_shot_work(const cs_shot *s, size_t arm, cs_unit unit);
/* That of a step of one chain, in the mean: where a point at a step of a chain
 * stands on an axis. 1 of steps; NAN where there is none. */
double cs_shot_step_work(const cs_shot *s, size_t arm, cs_unit unit);

/* An axis of work: where a step of a chain of an arm stands that was made so
 * many steps after its warm-up, as probes count. An arm that does no such work
 * has steps. */
typedef struct cs_axis {
    const char *name;    /* at its end */
    double warmup, each; /* steps before, what a step counts */
    bool known;          /* false: in steps, for want of such work */
} cs_axis;
cs_axis cs_axis_of(const cs_shot *s, size_t arm, cs_unit unit);
double cs_axis_at(const cs_axis *axis, double step);
/* "step 4,000", "40k gradients a chain" of a place on it. */
typedef struct cs_place {
    char text[64];
} cs_place;
cs_place cs_axis_say(const cs_axis *axis, double place);

/* The unit after this one in which some arm has done work. */
cs_unit cs_unit_next(const cs_shot *s, cs_unit unit);

/* y at x, on the line through the points of time[n], which ascend; before the
 * first and past the last one, NAN. Points whose y is not finite are left out. */
double cs_value_at(const double *time, const double *y, size_t n, double x);
