/* Distances from what is exact, or from a reference, in time: of the probes
 * distance, mmd and means. */
#pragma once

#include "figure/look.h"

enum { CS_DISTANCE_POINTS = 128 };

/* Of one arm. Numbers are as reported: where `log` is set natural logarithms. */
typedef struct cs_distance_curve {
    const double *time, *value; /* [n] */
    const double
        *error; /* [n] standard errors of the values, NULL: not known */
    size_t n;
    cs_axis axis; /* of time */
    double floor, now;
    double law; /* what the exact answer itself may be off */
    bool log;
    char name[64];
    char reference[64]; /* the arm whose mean stands for the exact one */
    double room[CS_DISTANCE_POINTS];
} cs_distance_curve;

/* That which is chosen (see cs_look_choice) of all that there are; false: the
 * arm has none. */
bool cs_distance_find(const cs_shot *s, const cs_figure_look *at, size_t arm,
                      cs_distance_curve *out);

/* The distance at point i. */
double cs_distance_at(const cs_distance_curve *c, size_t i);
