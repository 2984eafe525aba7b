/* The values that a state can take. A state is `dim` doubles in every space; in
 * a discrete space each coordinate is a whole number low .. low+values-1. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef enum cs_space_kind {
    CS_BINARY = 1,      /* 0 or 1 */
    CS_CATEGORICAL = 2, /* unordered values */
    CS_ORDINAL = 4,     /* integers in a range */
    CS_CONTINUOUS = 8   /* real numbers */
} cs_space_kind;

enum { CS_DISCRETE = CS_BINARY | CS_CATEGORICAL | CS_ORDINAL };

typedef struct cs_space {
    cs_space_kind kind;
    size_t dim;
    int low;    /* smallest value of a discrete coordinate */
    int values; /* number of values; 0 if continuous */
} cs_space;

/* Returns "binary", "categorical", "ordinal" or "real". */
const char *cs_space_name(cs_space_kind kind);

/* Returns whether x[dim] (stride `stride`) is a point of the space: finite and,
 * if discrete, whole and in range. */
bool cs_space_contains(const cs_space *space, const double *x, size_t stride);

/* Maps uniform[dim] to x[dim]: uniform over the states of a discrete space, or
 * on (-2, 2) for real numbers (as in Stan). */
void cs_space_start(const cs_space *space, const double *uniform, double *x);

/* Returns the number of states; HUGE_VAL if continuous or beyond 1e300. */
double cs_space_states(const cs_space *space);

/* Writes state number `index` (0 .. states-1) to x[dim], coordinate 0
 * slowest. */
void cs_space_state(const cs_space *space, size_t index, double *x);

/* Inverse of cs_space_state. */
size_t cs_space_index(const cs_space *space, const double *x);
