/* Travelling salesman problems from files of TSPLIB (Reinelt, TSPLIB, a
 * traveling salesman problem library, 1991; its report of 1995 says how
 * distances are rounded): TYPE TSP and ATSP, with EDGE_WEIGHT_TYPE EUC_2D,
 * CEIL_2D, MAN_2D, MAX_2D, GEO, ATT, or EXPLICIT as a full matrix or a
 * triangle of one, by rows or columns. */
#pragma once

#include "base/status.h"

#include <stddef.h>

enum { CS_TSPLIB_CITIES = 1024 /* most cities */ };

typedef struct cs_cities {
    size_t n;
    double *cost;  /* [n][n] of the way from row to column; 0 on the diagonal
                      [own] */
    double *place; /* [n][2] x, y where to draw them; NULL: not known [own] */
} cs_cities;

/* Reads the file at `path`; the error names file and line. Cold. */
cs_status cs_cities_read(const char *path, cs_cities *out, cs_error *err);

/* The same from text[size]; `where` names it in errors. */
cs_status cs_cities_parse(const char *text, size_t size, const char *where,
                          cs_cities *out, cs_error *err);

/* Frees its members; a zeroed one is allowed. */
void cs_cities_free(cs_cities *c);
