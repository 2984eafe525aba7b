/* Which values a state takes. A state is `dim` doubles whatever the space;
 * in a discrete space each coordinate is a whole number low .. low+values-1. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef enum cs_space_kind {
    CS_BINARY = 1,      /* 0 or 1 */
    CS_CATEGORICAL = 2, /* values without an order */
    CS_ORDINAL = 4,     /* integers in a range */
    CS_CONTINUOUS = 8   /* real numbers */
} cs_space_kind;

enum { CS_DISCRETE = CS_BINARY | CS_CATEGORICAL | CS_ORDINAL };

typedef struct cs_space {
    cs_space_kind kind;
    size_t dim;
    int low;    /* smallest value of a discrete coordinate */
    int values; /* how many values, 0 when continuous */
} cs_space;

/* "binary", "categorical", "ordinal", "real". */
const char *cs_space_name(cs_space_kind kind);

/* Whether x[dim] (stride `stride`) is a point of the space: finite, and whole
 * and in range where it is discrete. */
bool cs_space_contains(const cs_space *space, const double *x, size_t stride);

/* x[dim] of uniform[dim]: any state of a discrete space alike, (-2, 2) of real
 * numbers (as Stan does). */
void cs_space_start(const cs_space *space, const double *uniform, double *x);

/* The number of states, HUGE_VAL when continuous or beyond 1e300. */
double cs_space_states(const cs_space *space);

/* State number `index` (0 .. states-1) into x[dim], coordinate 0 slowest. */
void cs_space_state(const cs_space *space, size_t index, double *x);

/* The inverse of cs_space_state. */
size_t cs_space_index(const cs_space *space, const double *x);
