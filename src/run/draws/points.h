/* Evaluates a target at given points, independently of the run. The evaluations
 * are not counted as work and change no chain. Call these functions on the
 * session's thread. */
#pragma once

#include "target/eval.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct cs_points {
    const cs_target *target; /* [borrowed] */
    double *scratch;         /* [own] */
} cs_points;

/* Allocates scratch. Returns false if memory runs out. End with
 * cs_points_end. */
bool cs_points_begin(cs_points *p, const cs_target *target);
void cs_points_end(cs_points *p);

/* Computes logp[n], the log p at the points x[n][dim]. If g is not NULL, also
 * computes the gradients g[n][dim]. */
void cs_points_ask(const cs_points *p, const double *x, size_t n, double *logp,
                   double *g);

/* Returns log p at one point. */
double cs_points_logp(const cs_points *p, const double *x);
/* Returns log p at x[dim] + far * direction[dim]; overwrites scratch[dim]. */
double cs_points_along(const cs_points *p, const double *x,
                       const double *direction, double far, double *scratch);
