/* Weighted graphs from the files in which people have them.
 *
 *   rudy (G-set, Biq Mac): "n m", then "i j [w]" a line, from 1
 *   DIMACS:                "p edge n m" (or col), then "e i j [w]", from 1
 *   QUBO (qbsolv):         "p qubo 0 n d o", then "i j w", from 0; i = j: the
 *                          weight of the vertex itself
 *   MatrixMarket:          "%%MatrixMarket matrix coordinate real symmetric",
 *                          "n n m", then "i j w" (or "i j"), from 1
 *
 * Other files that people have (UAI, D-Wave's COO, CNF, METIS, OR-library's with
 * several problems) are refused by name. Lines that begin with # are skipped, in DIMACS and QUBO those with c too. A
 * file that ends before the last of its m (d + o) edges is cut off, and
 * refused; in DIMACS m may count each edge twice, as some files do. */
#pragma once

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

enum { CS_EDGES_VERTICES = 1 << 20 /* most vertices */ };

/* An edge between i < j, or i = j: a weight of the vertex. From 0. */
typedef struct cs_edge {
    uint32_t i, j;
    double w;
} cs_edge;

typedef struct cs_edges {
    size_t vertices, n;
    cs_edge *edge; /* [n] sorted by i, then j; parallel edges are one, their
                      weights summed [own] */
} cs_edges;

/* Reads the file at `path`, in any of the formats above; the error names file
 * and line. Cold. */
cs_status cs_edges_read(const char *path, cs_edges *out, cs_error *err);

/* The same from text[size]; `where` names it in errors. */
cs_status cs_edges_parse(const char *text, size_t size, const char *where,
                         cs_edges *out, cs_error *err);

/* Sorts the edges, each with its smaller end first, and sums parallel ones:
 * what every maker of edges does last. */
void cs_edges_tidy(cs_edges *e);

/* Frees what a graph owns; a zeroed one is fine. */
void cs_edges_free(cs_edges *e);
