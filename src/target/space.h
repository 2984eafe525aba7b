/* The values that a state can take. A state is `dim` doubles in every space; in
 * a discrete space each coordinate is an integer from low to low + values -
 * 1. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef enum cs_space_kind {
    CS_BINARY = 1,      /* each coordinate is 0 or 1 */
    CS_CATEGORICAL = 2, /* each coordinate has one of several unordered
                           values */
    CS_ORDINAL = 4,     /* each coordinate is an integer in a range */
    CS_CONTINUOUS = 8   /* each coordinate is a real number */
} cs_space_kind;

enum { CS_DISCRETE = CS_BINARY | CS_CATEGORICAL | CS_ORDINAL };

typedef struct cs_space {
    cs_space_kind kind;
    size_t dim;
    int low;    /* smallest value of a discrete coordinate */
    int values; /* number of values of a coordinate; 0 if the space is
                   continuous */
} cs_space;

/* Returns "binary", "categorical", "ordinal" or "real". */
const char *cs_space_name(cs_space_kind kind);

/* Returns whether x[dim] (stride `stride`) is a point of the space: finite and,
 * if the space is discrete, an integer in range. */
bool cs_space_contains(const cs_space *space, const double *x, size_t stride);

/* Maps uniform[dim] to x[dim]: x is uniform over the states of a discrete
 * space, or on (-2, 2) in each real coordinate (as in Stan). */
void cs_space_start(const cs_space *space, const double *uniform, double *x);

/* Returns the number of states; HUGE_VAL if the space is continuous or the
 * number is above 1e300. */
double cs_space_states(const cs_space *space);

/* Writes state number `index` (0 .. states-1) to x[dim]; coordinate 0 varies
 * slowest. */
void cs_space_state(const cs_space *space, size_t index, double *x);

/* Returns the index of a state: the inverse of cs_space_state. */
size_t cs_space_index(const cs_space *space, const double *x);
