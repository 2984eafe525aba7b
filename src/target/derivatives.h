/* Gradients, second derivatives and their eigenvalues at single points, for
 * scripts and for probes between steps, of any target with a gradient.
 *
 * Exact where the target has a hook for H v; else by central differences of its
 * gradient, of relative error about 1e-9 where it is smooth. */
#pragma once

#include "target/eval.h"

typedef struct cs_derivatives cs_derivatives;

/* The highest derivative that will be needed. */
typedef enum cs_derivative_order {
    CS_VALUES,
    CS_SLOPES,
    CS_CURVATURES
} cs_derivative_order;

/* Opens everything that the functions below need up to `order`, and holds the
 * target. Fails (CS_UNSUPPORTED) for a target that has no gradient, or no
 * second derivatives, when they are wanted. [own, cs_derivatives_close]
 * Cold. */
cs_status cs_derivatives_open(cs_derivatives **out, cs_target *t,
                              cs_derivative_order order, cs_error *err);
void cs_derivatives_close(cs_derivatives *s);

/* Returns whether second derivatives are the target's own, not differences. */
bool cs_derivatives_is_exact(const cs_derivatives *s);

/* Returns the evaluations made, counted as in cs_eval. */
cs_work cs_derivatives_work(const cs_derivatives *s);

/* Returns log p(x). */
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

/* Computes h[dim][dim] = H(x), symmetric, by dim products, eight at a time. */
void cs_derivatives_hessian(cs_derivatives *s, const double *x, double *h);

/* Computes the eigenvalues of the symmetric h[dim][dim], ascending; h is
 * destroyed. Fails (CS_NUMERIC) when h is not finite. */
cs_status cs_derivatives_eigenvalues(double *h, size_t dim, double *values,
                                     cs_error *err);
