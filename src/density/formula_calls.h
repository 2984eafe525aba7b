/* Functions of formulas that have a file of their own. */
#pragma once

#include "density/density_formula.h"

/* Integrals over r from 0 to infinity of exp(g(r)), for decreasing g
 * (quadrature.c): tail_nodes(h) returns the nodes r for the scale h, one row of
 * a matrix per node; spread(x) repeats the vector x in the same rows; and
 * tail_log(g, h) returns the log of the integral, from g at the nodes. If h is
 * a number, nodes are a vector. */
cs_arg cs_formula_tail_nodes(cs_calc *c, const cs_arg *a, size_t n);
cs_arg cs_formula_spread(cs_calc *c, const cs_arg *a, size_t n);
cs_arg cs_formula_tail_log(cs_calc *c, const cs_arg *a, size_t n);

/* circle_mean(x): log of the mean of exp(x (cos a - 1)) over a circle, for x up
 * to 50. */
cs_arg cs_formula_circle_mean(cs_calc *c, const cs_arg *a, size_t n);
