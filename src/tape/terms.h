/* A compiled log density that is a sum of one term over the rows of a table.
 * The lanes of its programs are rows. Values that depend only on the state are
 * computed once per chain and are numbers of the programs; values that depend
 * only on a row are computed once in advance and are columns. The gradient by
 * the numbers is summed over rows before it is propagated back to the state. */
#pragma once

#include "expr/region.h"
#include "tape/columns.h"
#include "tape/program.h"

/* One number per row: v[r * stride]. */
typedef struct cs_strided {
    const double *v;
    size_t stride;
} cs_strided;

/* log p(x) = prior(x) + sum over rows of term(x, row). */
typedef struct cs_term_model {
    size_t dim;
    const cs_graph *prior; /* input x[dim]; NULL: none */
    cs_node prior_logp;
    const cs_region *region; /* outside of it the prior is -infinity; NULL: it
                                is what `prior` says */
    const cs_graph *term;    /* input x[dim] followed by a row [width] */
    cs_node term_logp;
    size_t rows, width;
    const cs_strided *column; /* [width] */
    /* Given bounds on the terms, valid wherever the prior is finite: the
     * smallest and largest value, range[rows][2], and the largest change over a
     * Euclidean distance of 1, change[rows]. Or NULL. */
    const double *range, *change;
} cs_term_model;

/* Programs over rows. Root 0 is log p, the others are gradients by the numbers,
 * in the order in which `whole` and `back` take the totals. */
typedef enum cs_pass {
    CS_PASS_VALUE,    /* the sum of the terms */
    CS_PASS_GRADIENT, /* the sum and its gradient */
    CS_PASS_TERMS,    /* each term */
    /* each term, and the gradient of their weighted sum */
    CS_PASS_TERMS_GRADIENT,
    CS_PASSES
} cs_pass;

typedef struct cs_terms {
    size_t dim;
    cs_program *before; /* x: the numbers, root by root */
    cs_program *pass[CS_PASSES];
    cs_program *whole;                  /* x and totals: log p, its gradient */
    cs_program *back;                   /* x and totals: the terms' gradient */
    cs_program *prior, *prior_gradient; /* x: log p; log p, its gradient */
    cs_columns columns;
    cs_graph *plain; /* [own] the term of x and a row of `columns`, in that
                        order: of which bounds are found */
    cs_node plain_logp;
} cs_terms;

/* Compiles the model; the data that it points to may be freed afterwards. [own,
 * and free by cs_terms_free] Cold. */
cs_status cs_terms_create(const cs_term_model *m, cs_terms *out, cs_error *err);
void cs_terms_free(cs_terms *t);
