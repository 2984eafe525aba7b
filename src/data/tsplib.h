/* Travelling salesman problems from files in TSPLIB format (Reinelt, TSPLIB, a
 * traveling salesman problem library, 1991; the rounding of distances is
 * defined in its report of 1995). Supports TYPE TSP and ATSP. EDGE_WEIGHT_TYPE
 * may be EUC_2D, CEIL_2D, MAN_2D, MAX_2D, GEO, ATT, or EXPLICIT with a full or
 * triangular matrix, by rows or by columns. */
#pragma once

#include "base/status.h"

#include <stddef.h>

enum { CS_TSPLIB_CITIES = 1024 /* maximum number of cities */ };

typedef struct cs_cities {
    size_t n;
    double *cost;  /* [n][n] cost of travelling from row to column; 0 on the
                    * diagonal [own] */
    double *place; /* [n][2] x, y for drawing; NULL: not known [own] */
} cs_cities;

/* Reads the file at `path`; errors name the file and the line. For setup
 * only. */
cs_status cs_cities_read(const char *path, cs_cities *out, cs_error *err);

/* Reads a problem from text[size]; `where` names it in errors. */
cs_status cs_cities_parse(const char *text, size_t size, const char *where,
                          cs_cities *out, cs_error *err);

/* Frees the members; a zeroed problem is allowed. */
void cs_cities_free(cs_cities *c);
