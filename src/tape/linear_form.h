/* Linear forms: numbers y[v], v < n, that are sums of elements of the same nodes
 * with other factors,
 *
 *   y[v] = c[v] + sum_k M_k[v] a_k,
 *
 * such as the log density of data for every position of a change point. They are
 * computed as products of constant matrices M_k and vectors a_k. */
#pragma once

#include "expr/graph.h"

typedef struct cs_linear_form cs_linear_form;

/* Creates a form of n numbers in a graph, without terms; NULL: out of memory.
 * [own, cs_linear_form_destroy] */
cs_linear_form *cs_linear_form_create(cs_graph *g, size_t n);
void cs_linear_form_destroy(cs_linear_form *form);

/* Adds sum_e factor[e] a[e] to y[v]. Sums, constant factors, gathers and slices
 * in a become factors of the nodes that they read. An element where(c, x,
 * -infinity) adds x, and the condition c to those under which y[v] is not
 * -infinity. Elements with factor 0 are not read. If all conditions hold, an
 * element that is read and is NaN makes y[v] NaN, and one that is infinite makes
 * it -infinity (NaN, if all factors of its vector have the other sign). */
void cs_linear_form_add(cs_linear_form *form, size_t v, cs_node a,
                        const double *factor);

/* Returns y as a vector of size n; 0 if memory ran out, or if the matrices would
 * be too large. */
cs_node cs_linear_form_value(cs_linear_form *form);
