/* A compiled log density that is a sum of one term over the rows of a table.
 * The lanes of its programs are rows. Values that depend only on the state are
 * computed once per chain and are passed to the programs as numbers. Values
 * that depend only on a row are computed once, at creation, and stored as
 * columns. The gradient with respect to the numbers is summed over rows before
 * it is propagated back to the state. */
#pragma once

#include "expr/region.h"
#include "tape/columns.h"
#include "tape/program.h"

/* One number per row: row r has v[r * stride]. */
typedef struct cs_strided {
    const double *v;
    size_t stride;
} cs_strided;

/* log p(x) = prior(x) + sum over rows of term(x, row). */
typedef struct cs_term_model {
    size_t dim;
    const cs_graph *prior; /* log prior as a function of the input x[dim]; NULL:
                            * no prior */
    cs_node prior_logp;
    const cs_region *region; /* region outside of which the prior is -infinity;
                              * NULL: derived from `prior` */
    const cs_graph *term;    /* term as a function of the input: x[dim],
                              * followed by a row [width] */
    cs_node term_logp;
    size_t rows, width;
    const cs_strided *column; /* [width] */
    /* Given bounds of the terms, valid wherever the prior is finite: the
     * smallest and largest value, range[rows][2], and the largest change over a
     * Euclidean distance of 1, change[rows]. NULL if not given. */
    const double *range, *change;
} cs_term_model;

/* Programs over rows. Root 0 is log p; the other roots are gradients with
 * respect to the numbers, in the order of the totals in `whole` and `back`. */
typedef enum cs_pass {
    CS_PASS_VALUE,    /* the sum of the terms */
    CS_PASS_GRADIENT, /* the sum and its gradient */
    CS_PASS_TERMS,    /* the value of each term */
    /* the terms, and the gradient of their weighted sum */
    CS_PASS_TERMS_GRADIENT,
    CS_PASSES
} cs_pass;

typedef struct cs_terms {
    size_t dim;
    cs_program *before; /* computes the numbers from x, root by root */
    cs_program *pass[CS_PASSES];
    cs_program *whole;                  /* computes log p and its gradient from
                                         * x and the totals */
    cs_program *back;                   /* computes the gradient of the terms
                                         * from x and the totals */
    cs_program *prior, *prior_gradient; /* prior: computes the log prior from x;
                                           prior_gradient: computes the log
                                           prior and its gradient from x */
    cs_columns columns;
    cs_graph *plain; /* [own] the term as a function of x and a row of
                      * `columns`, used to find bounds */
    cs_node plain_logp;
} cs_terms;

/* Compiles the model; the model's data may be freed afterwards. [own, free by
 * cs_terms_free] For setup only. */
cs_status cs_terms_create(const cs_term_model *m, cs_terms *out, cs_error *err);
void cs_terms_free(cs_terms *t);
