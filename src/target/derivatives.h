/* Gradients, second derivatives and their eigenvalues at single points, for any
 * target with a gradient. Scripts use them, and so do probes between steps.
 *
 * Second derivatives are exact if the target has a hook for H v. Otherwise they
 * are central differences of the gradient, with a relative error of about 1e-9
 * for a smooth density. In a mixed space they are those of the real coordinates,
 * at the discrete values of the point: rows and columns of discrete coordinates
 * are 0. */
#pragma once

#include "target/eval.h"

typedef struct cs_derivatives cs_derivatives;

/* The highest derivative that the caller needs. */
typedef enum cs_derivative_order {
    CS_VALUES,
    CS_SLOPES,
    CS_CURVATURES
} cs_derivative_order;

/* Prepares all derivatives up to `order`. *out becomes a holder of the target.
 * Fails with CS_UNSUPPORTED if derivatives of this order need a gradient or
 * second derivatives, and the target does not have them. [own,
 * cs_derivatives_close] Cold. */
cs_status cs_derivatives_open(cs_derivatives **out, cs_target *t,
                              cs_derivative_order order, cs_error *err);
void cs_derivatives_close(cs_derivatives *s);

/* Returns whether second derivatives are computed by the target's own hook and
 * not by differences. */
bool cs_derivatives_is_exact(const cs_derivatives *s);

/* Returns whether second derivatives have coordinate i: in a mixed space only
 * real coordinates do. */
bool cs_derivatives_has_second(const cs_target *t, size_t i);

/* Returns the number of evaluations made so far, counted as in cs_eval. */
cs_work cs_derivatives_work(const cs_derivatives *s);

/* Returns log p at the point x. */
double cs_derivatives_value(cs_derivatives *s, const double *x);

/* Computes d[values] = log p(x with x_i = low + v) - log p(x), on a discrete
 * space. */
void cs_derivatives_differences(cs_derivatives *s, const double *x, size_t i,
                                double *d);

/* Computes log p(x) and its gradient g[dim]. */
double cs_derivatives_gradient(cs_derivatives *s, const double *x, double *g);

/* Computes h[dim] = H(x) v. */
void cs_derivatives_times(cs_derivatives *s, const double *x, const double *v,
                          double *h);

/* Computes the symmetric matrix h[dim][dim] = H(x) by dim products with H.
 * Eight of these products are computed together. */
void cs_derivatives_hessian(cs_derivatives *s, const double *x, double *h);

/* Computes the eigenvalues of the symmetric h[dim][dim], ascending; h is
 * destroyed. Fails (CS_NUMERIC) when h is not finite. */
cs_status cs_derivatives_eigenvalues(double *h, size_t dim, double *values,
                                     cs_error *err);
