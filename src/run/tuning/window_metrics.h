/* The metrics that a tuner learns in windows of the warm-up, each from the states
 * of its own coordinates: that of a kernel, or those of the members of a kernel
 * that is made of members. */
#pragma once

#include "run/arms/spec.h"

/* Finds the place of the moments of each metric, when the tuner is bound. */
void cs_window_place(cs_arm *a);
/* Adds the next state x[dim] of a chain to the moments of the present window.
 * deep[p] is not 0 if the last trajectory of metric p was cut off. */
void cs_window_add(cs_arm *a, size_t chain, const double *x,
                   const double *deep);
/* Computes the metrics of a window, and sets the moments to 0. A metric for which
 * all states of the window are equal is unchanged. */
void cs_window_close(cs_arm *a);
