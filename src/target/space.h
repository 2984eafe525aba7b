/* The values that a state can take. A state is `dim` doubles in every space; in
 * a discrete space each coordinate is an integer from low to low + values - 1.
 * A mixed space is a list of parts, each of one kind. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef enum cs_space_kind {
    CS_BINARY = 1,      /* each coordinate is 0 or 1 */
    CS_CATEGORICAL = 2, /* each coordinate has one of several unordered
                           values */
    CS_ORDINAL = 4,     /* each coordinate is an integer in a range */
    CS_CONTINUOUS = 8,  /* each coordinate is a real number */
    CS_MIXED = 16       /* several parts, which may be of several kinds; `part`
                           lists them */
} cs_space_kind;

/* The kinds of one part in which each coordinate is an integer. */
enum { CS_DISCRETE = CS_BINARY | CS_CATEGORICAL | CS_ORDINAL };

/* Adjacent coordinates of one kind. */
typedef struct cs_part {
    const char *name;   /* name of the parameter; NULL: no name */
    cs_space_kind kind; /* not CS_MIXED */
    size_t first, dim;  /* index of the first coordinate, and number of
                           coordinates */
    int low, values;    /* as in cs_space */
    bool open;          /* the largest value is a limit of the program, not of
                           the model */
} cs_part;

typedef struct cs_space {
    cs_space_kind kind;
    size_t dim;
    int low;    /* smallest value of a discrete coordinate; 0 if the space is
                   mixed */
    int values; /* number of values of a coordinate; 0 if the space is
                   continuous or mixed */
    size_t n_parts;      /* number of parts of a mixed space; otherwise 0 */
    const cs_part *part; /* [n_parts] the parts, which cover all coordinates in
                            order [borrowed from the target] */
} cs_space;

/* Return whether all coordinates are real numbers, and whether all have
 * integer values of the same kind and range. Both are false for a mixed
 * space. */
static inline bool cs_space_is_real(const cs_space *space)
{
    return space->kind == CS_CONTINUOUS;
}
static inline bool cs_space_is_discrete(const cs_space *space)
{
    return (space->kind & CS_DISCRETE) != 0;
}

/* Returns the part of a coordinate. A space of one kind is one part without a
 * name. */
cs_part cs_space_part(const cs_space *space, size_t coordinate);

/* Returns whether a coordinate has integer values. */
bool cs_space_is_whole(const cs_space *space, size_t coordinate);

/* Returns whether no coordinate is a real number, so that the states can be
 * listed. */
bool cs_space_is_countable(const cs_space *space);

/* Returns the largest number of values of a coordinate; 0 if all coordinates
 * are real. */
int cs_space_most_values(const cs_space *space);

/* Returns the number of coordinates with integer values. */
size_t cs_space_sites(const cs_space *space);

/* Returns whether a space is well formed: the ranges fit the kinds, and the
 * parts of a mixed space cover all coordinates in order. */
bool cs_space_is_valid(const cs_space *space);

/* Returns "binary", "categorical", "ordinal", "real" or "mixed". */
const char *cs_space_name(cs_space_kind kind);

/* Returns whether x[dim] (stride `stride`) is a point of the space: finite and,
 * for discrete coordinates, an integer in range. */
bool cs_space_contains(const cs_space *space, const double *x, size_t stride);

/* Maps uniform[dim] to x[dim]: each discrete coordinate is uniform over its
 * values, and each real coordinate is uniform on (-2, 2) (as in Stan). */
void cs_space_start(const cs_space *space, const double *uniform, double *x);

/* Returns the number of states; HUGE_VAL if a coordinate is real or the number
 * is above 1e300. */
double cs_space_states(const cs_space *space);

/* Writes state number `index` (0 .. states-1) to x[dim]; coordinate 0 varies
 * slowest. */
void cs_space_state(const cs_space *space, size_t index, double *x);

/* Returns the index of the state x[dim] (stride `stride`): the inverse of
 * cs_space_state. */
size_t cs_space_index(const cs_space *space, const double *x, size_t stride);

/* Returns whether two spaces have the same states: the names of parts may
 * differ. */
bool cs_space_is_same(const cs_space *a, const cs_space *b);
