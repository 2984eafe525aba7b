/* Selects the chains whose diagnosed draws are used for figures, and computes
 * the weights of these draws. */
#pragma once

#include "run/draws/diagnosed.h"

/* The chains that did not fail. If all chains failed, the chains that ran
 * longest. */
typedef struct cs_chosen {
    const cs_target *target;
    cs_diagnosed_view *view; /* the first n chains of the view are chosen */
    size_t n, all, failed;
    size_t draws;    /* draws per chain: the length of the shortest chain */
    double *w;       /* [n][draws] weights; NULL: equal [own] */
    double kish;     /* ESS of the weights (Kish); NAN: equal weights */
    const char *why; /* reason why figures are missing; NULL: they exist */
} cs_chosen;

/* Moves the chosen chains to the front of the view. */
cs_chosen cs_choose(const cs_target *t, cs_diagnosed_view *v);

/* Computes the weights of the draws if the weights are unequal. The caller
 * frees g->w. */
void cs_chosen_weigh(cs_chosen *g);

/* Returns the number of scalars: log p and the generated quantities. The column
 * of log weights, which is between them, is not counted. */
size_t cs_chosen_scalars(const cs_diagnosed_view *v);

/* Copies a scalar of each chain to x[n][draws]; a chain with more draws is
 * thinned evenly. */
void cs_chosen_copy(const cs_chosen *g, size_t scalar, double *x);

/* Copies n consecutive scalars, starting at number `scalar`, to
 * x[n][g->n][draws]. Since neighbouring scalars share a cache line, copying
 * eight takes little more time than copying one. */
void cs_chosen_copy_some(const cs_chosen *g, size_t scalar, size_t n,
                         double *x);

/* Visits the rows of the draws of chosen chain i, in order, g->draws of them: a
 * chain with more draws is thinned evenly, as in the copies. Ends early, and
 * returns false, if `visit` returns false. */
typedef bool cs_chosen_visit(void *self, const double *row);
bool cs_chosen_rows(const cs_chosen *g, size_t i, cs_chosen_visit *visit,
                    void *self);

/* The same as cs_chosen_copy_some into a file, n at most 8: columns[n][g->n][draws]. Returns false, and
 * leaves the file undefined, if the rows are not in a file or not all of them are
 * copied, or after an error of the disk. */
bool cs_chosen_store_some(const cs_chosen *g, size_t scalar, size_t n,
                          const cs_spill *columns);

extern const char cs_why_no_weight[];
