/* Units of work, for horizontal axes and for figures per unit of work. */
#pragma once

#include "figure/facts.h"

typedef enum cs_unit {
    CS_UNIT_USUAL, /* steps on axes, evaluations in figures */
    CS_UNIT_STEPS,
    CS_UNIT_GRADIENTS,
    CS_UNIT_DENSITIES,
    /* evaluations of the whole log density: see cs_work_evaluations */
    CS_UNIT_EVALUATIONS,
    CS_UNIT_TERMS,
    CS_UNIT_SECONDS,
    CS_UNITS
} cs_unit;

typedef struct cs_unit_row {
    const char *name;  /* as commands accept it: "gradients" */
    const char *axis;  /* label of an axis */
    const char *many;  /* plural: "at 40k gradients" */
    const char *one;   /* singular: "a leads b 3x per gradient" */
    const char *lot;   /* the amount of work in the unit of rates: "1k
                          gradients" */
    const char *brief; /* this amount in a table's header: "1k gr" */
    double in_lot;
    const char *help;
} cs_unit_row;

/* Returns the row of a unit; NULL if there is no such unit. */
const cs_unit_row *cs_unit_at(cs_unit unit);
/* Returns the unit with this name; CS_UNITS if no unit has the name. */
cs_unit cs_unit_find(const char *name);

/* Replace CS_UNIT_USUAL by the unit that it means on axes or in figures. */
cs_unit cs_unit_of_axis(cs_unit unit);
cs_unit cs_unit_of_figure(const cs_facts *f, cs_unit unit);

/* Returns the work that all chains of the sample have done so far. Returns NAN
 * if the arm does no work that this unit counts. */
double cs_facts_work(const cs_facts *f, size_t arm, cs_unit unit);
/* Returns the mean work of one step of one chain, which converts steps to
 * positions on an axis. The result is 1 for steps, and NAN if the arm does no
 * work that this unit counts. */
double cs_facts_step_work(const cs_facts *f, size_t arm, cs_unit unit);
/* Returns the number of groups of chains. Each group gives one series of
 * draws. */
double cs_facts_units(const cs_facts *f, size_t arm);

/* An axis of work. It converts the steps of a chain to work. Like probes, it
 * counts steps from the end of the warm-up. The axis shows steps if the arm
 * does no work of the kind that the unit counts. */
typedef struct cs_axis {
    const char *name;    /* label of the axis */
    double warmup, each; /* warmup: warm-up steps; each: work per step */
    bool known; /* false: the axis counts steps, because the arm does no work of
                 * this kind */
} cs_axis;
cs_axis cs_facts_axis(const cs_facts *f, size_t arm, cs_unit unit);
/* Returns the axis for the work of all chains together; `known` is false if the
 * arm does no work that the unit counts. */
cs_axis cs_axis_of_all(const cs_facts *f, size_t arm, cs_unit unit);
double cs_axis_at(const cs_axis *axis, double step);
/* A position on an axis as text: "step 4,000" or "40k gradients per chain". */
typedef struct cs_place {
    char text[64];
} cs_place;
cs_place cs_axis_say(const cs_axis *axis, double place);

/* Interpolates y linearly at x. The times time[n] ascend. Returns NAN before
 * the first and after the last time. Points whose y is not finite are left
 * out. */
double cs_value_at(const double *time, const double *y, size_t n, double x);
