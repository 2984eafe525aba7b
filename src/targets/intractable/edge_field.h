/* Random graphs whose edges are the data: exact draws and sweeps of exponential
 * random graphs,
 *
 *     f(theta, y) = exp(theta_1 edges + theta_2 two-stars + theta_3 triangles),
 *
 * with n vertices (Frank and Strauss, "Markov graphs", 1986). y_e, e = 0, 1,
 * .., is 1 if the pair number e of (0, 1), (0, 2), .., (1, 2), .. is joined by
 * an edge. */
#pragma once

#include "simd/variants.h"
#include "targets/intractable/past.h"

enum { CS_EDGE_FIELD_VERTICES = 64, CS_EDGE_FIELD_STATISTICS = 3 };

typedef struct cs_edge_field {
    size_t vertices;          /* number of vertices, 2 ..
                                 CS_EDGE_FIELD_VERTICES */
    size_t statistics;        /* number of components of theta, 1 (edges only)
                                 to 3 */
    const uint8_t (*pair)[2]; /* [n_data] the two vertices of y_e [borrowed] */
} cs_edge_field;

/* Fills pair[n (n - 1) / 2] with the pairs of n vertices in the order of y. */
static inline size_t cs_edge_pairs(size_t n)
{
    return n * (n - 1) / 2;
}
void cs_edge_list_pairs(size_t vertices, uint8_t (*pair)[2]);

CS_DECLARE_VARIANTS(cs_past_type, cs_past_edge_field)
