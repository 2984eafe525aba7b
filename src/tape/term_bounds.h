/* Bounds of the term of each row over a convex region of the states. Computed
 * by interval arithmetic on the graph of the term and on the graph of its
 * derivative. */
#pragma once

#include "tape/terms.h"

typedef struct cs_term_bounds cs_term_bounds;

/* Reason why a bound is not available. */
typedef enum cs_term_doubt {
    CS_TERM_SURE,
    CS_TERM_NO_VALUE, /* the term or its slope may be undefined or infinite */
    CS_TERM_JUMPS     /* the term may be discontinuous */
} cs_term_doubt;

/* Prepares bounds for the rows of `t` [borrowed]. [own, cs_term_bounds_destroy]
 * For setup only. */
cs_status cs_term_bounds_create(const cs_terms *t, const cs_region *r,
                                cs_term_bounds **out, cs_error *err);
void cs_term_bounds_destroy(cs_term_bounds *b);

/* Sets bounds with *low <= term(x, row) <= *high for all x in the region.
 * row[width] is a row of t->columns. */
cs_term_doubt cs_term_bounds_range(cs_term_bounds *b, const double *row,
                                   double *low, double *high);

/* Sets *most so that |term(x, row) - term(y, row)| <= *most |x - y| in
 * Euclidean distance, for all x and y in the region. */
cs_term_doubt cs_term_bounds_change(cs_term_bounds *b, const double *row,
                                    double *most);

/* Returns the script line that caused the last failure; 0: unknown. */
int cs_term_bounds_line(const cs_term_bounds *b);
