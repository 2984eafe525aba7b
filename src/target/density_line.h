/* The distribution of one coordinate given all others, from the log density
 * along the coordinate: a table of probabilities for whole numbers, and the
 * trapezoidal rule on points that are added where the probability is, for real
 * numbers. */
#pragma once

#include "target/target.h"

typedef struct cs_density_line {
    bool real;
    size_t n, capacity;
    double low;     /* first value of a whole number */
    double *x;      /* [n] points in ascending order, if real [own] */
    double *logp;   /* [n] [own] */
    double *below;  /* [n] probability below a point or a value [own] */
    double *weight; /* [n] density at a point, or probability of a value
                       [own] */
    double *state;  /* [rows][dim] scratch [own] */
    size_t rows;
} cs_density_line;

/* Finds the distribution of coordinate i given the others of x[dim]. Returns
 * false if it was not found: log p is -infinity or NaN along the line, its
 * integral does not seem to exist, or memory is exhausted. */
bool cs_density_line_find(cs_density_line *line, const cs_target *t,
                          const double *x, size_t i);

/* Computes logp[n] with coordinate i of x[dim] replaced by each of v[n], for a
 * line that was found for this target. NaN becomes -HUGE_VAL. */
void cs_density_line_evaluate(cs_density_line *line, const cs_target *t,
                              const double *x, size_t i, const double *v,
                              size_t n, double *logp);

/* Sets *low and *high to the points of a real line around those whose density is
 * at least exp(-drop) times the largest. Returns false if they are equal. */
bool cs_density_line_range(const cs_density_line *line, double drop,
                           double *low, double *high);

/* Returns the distribution function at y; for a whole number, the probability
 * below y plus `uniform` times the probability of y. */
double cs_density_line_below(const cs_density_line *line, double y,
                             double uniform);

/* Frees a line. A line that was never found must be zero. */
void cs_density_line_free(cs_density_line *line);
