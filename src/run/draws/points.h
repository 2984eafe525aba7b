/* Evaluates a target at points outside the run. This is not counted as work and
 * changes no chain. Called on the session's thread. */
#pragma once

#include "target/eval.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct cs_points {
    const cs_target *target; /* [borrowed] */
    double *scratch;         /* [own] scratch */
} cs_points;

/* Allocates scratch; returns false if memory runs out. End with
 * cs_points_end. */
bool cs_points_begin(cs_points *p, const cs_target *target);
void cs_points_end(cs_points *p);

/* Computes logp[n] of the points x[n][dim] and, unless g is NULL, the gradients
 * g[n][dim]. */
void cs_points_ask(const cs_points *p, const double *x, size_t n, double *logp,
                   double *g);

/* Returns log p of one point. */
double cs_points_logp(const cs_points *p, const double *x);
/* Returns log p of x[dim] + `far` * direction[dim]; room[dim] is scratch. */
double cs_points_along(const cs_points *p, const double *x,
                       const double *direction, double far, double *scratch);
