/* Bits on a graph, each pulled by its neighbours: exact draws and sweeps.
 *
 *     f(theta, y) = exp(theta_1 sum_{i~j} s_i s_j + theta_2 sum_i s_i)
 *
 * s_i = y_i, or s_i = 2 y_i - 1; theta_2 is there or not. Given its neighbours,
 * of which n are 1, y_i is 1 with a chance that grows with n if theta_1 > 0 and
 * falls if theta_1 < 0. Either way the map "y_i = 1 if u < chance(n)" takes the
 * lowest and the highest state that y may be in to the ends of what becomes of
 * it (for theta_1 < 0 with the ends exchanged: Haggstrom and Nelander, "Exact
 * sampling from anti-monotone systems", 1998), so that two planes of bits bound
 * all states. */
#pragma once

#include "simd/variants.h"
#include "targets/intractable/past.h"
#include "targets/intractable/site_graph.h"

typedef struct cs_binary_field {
    const cs_site_graph *graph; /* [borrowed] */
    bool spins;                 /* s = 2 y - 1 */
    bool field;                 /* theta has two numbers */
} cs_binary_field;

CS_DECLARE_VARIANTS(cs_past_type, cs_past_binary_field)
