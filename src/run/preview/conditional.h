/* The conditional distribution of one coordinate, given the others. */
#pragma once

#include "target/target.h"

enum { CS_CONDITIONAL_POINTS = 128 };

typedef struct cs_conditional {
    size_t n; /* number of points; 0: not known */
    bool discrete;
    /* The values of the coordinate in increasing order, as they are displayed,
     * and their probabilities (discrete) or densities, up to a constant: the
     * largest is 1. */
    double value[CS_CONDITIONAL_POINTS], density[CS_CONDITIONAL_POINTS];
    double from, to; /* the values before and after a draw, as displayed */
} cs_conditional;

/* Computes the conditional distribution of `coordinate` given the other
 * coordinates of x[dim]. `from` and `to` are values of this coordinate. A real
 * coordinate is evaluated on a grid that covers the densities above exp(-6)
 * times the largest; if a displayed quantity has the coordinate's name, its scale
 * is used. The evaluations are not counted as work. Returns false if the target
 * can only be evaluated by functions of a script, if the coordinate has more than
 * CS_CONDITIONAL_POINTS values, if log p is not finite, or if memory runs out.
 * Call on the owner's thread. */
bool cs_conditional_find(const cs_target *t, const double *x, size_t coordinate,
                         double from, double to, cs_conditional *out);
