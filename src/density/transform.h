/* Maps from unconstrained numbers to values with constraints, and from the
 * integers of discrete parameters to themselves, with the logs of their
 * Jacobians and their inverses (Stan Reference Manual, "Constraint
 * Transforms"). Maps are computed on the log scale to remain precise in the
 * tails. */
#pragma once

#include "density/calc.h"

/* The value of a transform: a number (rows 0), a vector (cols 0) or a
 * matrix. */
typedef struct cs_transform_shape {
    size_t rows, cols;
    cs_arg low, high; /* bounds of an interval, numbers; -+HUGE_VAL: none.
                       * Least and greatest value of an integer */
} cs_transform_shape;

typedef struct cs_transform {
    const char *name, *arguments, *help; /* help: for the manual */
    size_t least; /* smallest size n of a value with n rows; 0: a number, a
                     * vector or a matrix of any size */
    bool square;  /* the value is an n x n matrix */
    /* Returns the number of unconstrained numbers for n rows; NULL: one per
     * element. */
    size_t (*dim)(size_t n);
    /* Returns the value for the unconstrained u, a number or a vector of
     * this size, and sets *log_jacobian. */
    cs_arg (*map)(cs_calc *c, cs_arg u, const cs_transform_shape *s,
                  cs_arg *log_jacobian);
    /* Computes u from the value y, in row-major order. For a y that does not
     * meet the constraint, u may be NaN or an infinity, or a finite number (for
     * a simplex with another sum, for example): map u again and compare. Bounds
     * are known. */
    void (*inverse)(const double *y, const cs_transform_shape *s, double *u);
} cs_transform;

extern const cs_transform cs_transforms[];
extern const size_t cs_transforms_n;

/* Returns the transform of this name, or NULL. */
const cs_transform *cs_transform_find(const char *name);

/* Returns the number of unconstrained numbers of a value. */
size_t cs_transform_dim(const cs_transform *t, const cs_transform_shape *s);
