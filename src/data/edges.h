/* Reads weighted graphs from files in common formats:
 *
 *   rudy (G-set, Biq Mac): "n m", then lines "i j [w]", from 1
 *   DIMACS:                "p edge n m" (or col), then "e i j [w]", from 1
 *   QUBO (qbsolv):         "p qubo 0 n d o", then "i j w", from 0; i = j: the
 *                          weight of the vertex itself
 *   MatrixMarket:          "%%MatrixMarket matrix coordinate real symmetric",
 *                          "n n m", then "i j w" (or "i j"), from 1
 *
 * "from 0" or "from 1" is the number of the first vertex. Other common formats
 * (UAI, COO of D-Wave, CNF, METIS, files of OR-library with several problems)
 * give an error that names the format. Lines that start with # are skipped; in
 * DIMACS and QUBO, lines that start with c are skipped, too. A file with fewer
 * than m edges (in QUBO: d + o) is incomplete, which is an error. In DIMACS m
 * may count each edge twice, as some files do. */
#pragma once

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

enum { CS_EDGES_VERTICES = 1 << 20 /* maximum number of vertices */ };

/* An edge between vertices i < j, counted from 0; i = j: a weight of the
 * vertex. */
typedef struct cs_edge {
    uint32_t i, j;
    double w;
} cs_edge;

typedef struct cs_edges {
    size_t vertices, n;
    cs_edge *edge; /* [n] sorted by i, then j; parallel edges are merged and
                    * their weights summed [own] */
} cs_edges;

/* Reads the file at `path` in any of the formats above. Errors name the file
 * and the line. For setup only. */
cs_status cs_edges_read(const char *path, cs_edges *out, cs_error *err);

/* Reads a graph from text[size]; `where` names it in errors. */
cs_status cs_edges_parse(const char *text, size_t size, const char *where,
                         cs_edges *out, cs_error *err);

/* Puts the lower vertex of each edge first, sorts the edges, and merges
 * parallel edges into one edge with the sum of their weights. Call this
 * function after all edges have been added. */
void cs_edges_tidy(cs_edges *e);

/* Frees the memory of a graph; a zeroed graph is allowed. */
void cs_edges_free(cs_edges *e);
