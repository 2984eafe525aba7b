/* Distances from what is exact, or from a reference, in time: of the probes
 * distance, mmd and means. */
#pragma once

#include "figure/work.h"

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

/* Which of the distances that there are: the one of that name, else the first, and
 * so many places after it; it counts modulo. */
typedef struct cs_distance_wanted {
    cs_unit unit;   /* of the axis */
    const char *of; /* "" or NULL: the first */
    unsigned option;
} cs_distance_wanted;

/* False: the arm has none. */
bool cs_distance_find(const cs_facts *f, const cs_distance_wanted *which,
                      size_t arm, cs_distance_curve *out);

/* The number of the one of `names[n]`, separated by blanks, that is asked for. */
size_t cs_choose_name(const char *of, unsigned option, const char *names,
                      size_t n);

/* What the probe means has seen of an arm, at n times: means of k coordinates over
 * chains, their spread over chains, and the standard deviations of the draws. */
typedef struct cs_means {
    const double *time, *mean, *spread, *sd; /* [n], [n][k], [n][k], [k] */
    size_t n, k;
} cs_means;
bool cs_means_find(const cs_facts *f, size_t arm, cs_means *m);
/* The mean square error of point i, in variances, where the last point of `of` is
 * taken for what is exact. */
double cs_means_error(const cs_means *m, const cs_means *of, size_t i);

/* The distance at point i. */
double cs_distance_at(const cs_distance_curve *c, size_t i);
