/* Distances of an arm from the exact distribution or from a reference, as
 * functions of time. The distances come from the probes `distance`, `mmd` and
 * `means`. */
#pragma once

#include "figure/work.h"

enum { CS_DISTANCE_POINTS = 128 };

/* The distance curve of one arm. If `log` is set, the numbers are natural
 * logarithms. */
typedef struct cs_distance_curve {
    const double *time, *value; /* [n] */
    const double
        *error; /* [n] standard errors of the values; NULL: not known */
    size_t n;
    cs_axis axis; /* axis for `time` */
    double floor, now;
    double law; /* possible error of the exact answer */
    bool log;
    char name[64];
    char reference[64]; /* name of the arm whose mean replaces the exact mean */
    double scratch[CS_DISTANCE_POINTS];
} cs_distance_curve;

/* Selects a distance. The selection starts at the distance named `of`, or at
 * the first distance if none has that name. It then goes `option` places
 * further in the list of distances. After the last distance the list continues
 * with the first. */
typedef struct cs_distance_wanted {
    cs_unit unit;   /* unit of the axis */
    const char *of; /* name; "" or NULL: the first */
    unsigned option;
} cs_distance_wanted;

/* Finds the selected curve. Returns false if the arm has no distance. */
bool cs_distance_find(const cs_facts *f, const cs_distance_wanted *which,
                      size_t arm, cs_distance_curve *out);

/* Returns the index of the selected name in `names`, which contains n names
 * separated by blanks. The index is the sum, modulo n, of `option` and the
 * index of `of` (0 if `of` is absent). */
size_t cs_choose_name(const char *of, unsigned option, const char *names,
                      size_t n);

/* Report of the probe `means` for an arm: the means of k coordinates over the
 * chains, at n times, with the spread of the chains' means, and the standard
 * deviations of the draws. */
typedef struct cs_means {
    /* time[n], mean[n][k], spread[n][k], sd[k] */
    const double *time, *mean, *spread, *sd;
    size_t n, k;
} cs_means;
bool cs_means_find(const cs_facts *f, size_t arm, cs_means *m);
/* Returns the mean square error of the means at point i, in units of the
 * variance. The last point of `of` is used as the exact mean. */
double cs_means_error(const cs_means *m, const cs_means *of, size_t i);

/* Returns the distance at point i. */
double cs_distance_at(const cs_distance_curve *c, size_t i);
