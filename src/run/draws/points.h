/* Evaluates a target at a few points outside the run: this counts as no work
 * and changes no chain. On the session's thread. */
#pragma once

#include "target/eval.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct cs_points {
    const cs_target *target; /* [borrowed] */
    double *room;            /* [own] */
} cs_points;

/* Returns false if out of memory. End it with cs_points_end. */
bool cs_points_begin(cs_points *p, const cs_target *target);
void cs_points_end(cs_points *p);

/* Computes logp[n] of x[n][dim] and, unless NULL, gradients g[n][dim]. */
void cs_points_ask(const cs_points *p, const double *x, size_t n, double *logp,
                   double *g);

/* Returns log p of one point. */
double cs_points_logp(const cs_points *p, const double *x);
/* Returns log p of x[dim] moved by `far` along direction[dim]; room[dim] is
 * scratch. */
double cs_points_along(const cs_points *p, const double *x,
                       const double *direction, double far, double *room);
