/* Colours on a graph: exact draws and sweeps of
 *
 *     f(theta, y) = exp(theta_1 sum_{i~j} [y_i = y_j] + theta_2 sum_i [y_i = 0])
 *
 * with y_i in 0 .. colours - 1; theta_2 is optional. Without theta_2 and for
 * theta_1 >= 0, draws come from random clusters, which coalesce quickly.
 * Otherwise the chain follows the set of possible colours of each site; these
 * sets fail to coalesce if theta is far from 0. */
#pragma once

#include "simd/variants.h"
#include "targets/intractable/past.h"
#include "targets/intractable/site_graph.h"

enum { CS_POTTS_COLOURS = 32 /* maximum number of colours */ };

typedef struct cs_potts_field {
    const cs_site_graph *graph; /* graph of the sites [borrowed] */
    size_t colours;
    double scale; /* factor of theta_1; used only for random clusters */
    bool field;   /* true: theta has two components */
} cs_potts_field;

/* Types for exact draws: random clusters, for lanes with theta_1 >= 0 and no
 * field; colour sets, for all lanes. */
extern const cs_past_type cs_past_random_clusters;
CS_DECLARE_VARIANTS(cs_past_type, cs_past_colour_sets)

/* The type for sweeps, which uses heat bath updates; it cannot draw. */
CS_DECLARE_VARIANTS(cs_past_type, cs_past_potts_sweep)
