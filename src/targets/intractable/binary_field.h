/* Bits on a graph, each coupled to its neighbours: exact draws and sweeps.
 *
 *     f(theta, y) = exp(theta_1 sum_{i~j} s_i s_j + theta_2 sum_i s_i),
 *
 * where s_i = y_i, or s_i = 2 y_i - 1; theta_2 is optional. If n neighbours of
 * y_i are 1, y_i is 1 with a probability that increases with n for theta_1 > 0
 * and decreases for theta_1 < 0. In both cases the map "y_i = 1 if u <
 * chance(n)" takes the lowest and the highest possible y to the bounds of all
 * possible results (for theta_1 < 0 with the bounds exchanged: Haggstrom and
 * Nelander, "Exact sampling from anti-monotone systems", 1998), so that two bit
 * planes bound all states. */
#pragma once

#include "simd/variants.h"
#include "targets/intractable/past.h"
#include "targets/intractable/site_graph.h"

typedef struct cs_binary_field {
    const cs_site_graph *graph; /* graph of the sites [borrowed] */
    bool spins;                 /* true: s = 2 y - 1; false: s = y */
    bool field;                 /* true: theta has two components */
} cs_binary_field;

CS_DECLARE_VARIANTS(cs_past_type, cs_past_binary_field)
