/* The chains whose diagnosed draws are used for figures, and the weights of the
 * draws. */
#pragma once

#include "run/draws/diagnosed.h"

/* The chains that did not fail; if all failed, those that ran longest. */
typedef struct cs_chosen {
    const cs_target *target;
    cs_diagnosed_view *view; /* its first n chains */
    size_t n, all, failed;
    size_t draws;    /* per chain: those of the shortest */
    double *w;       /* [n][draws] weights; NULL: equal [own] */
    double kish;     /* effective sample size (Kish); NAN: equal weights */
    const char *why; /* why there are no figures; NULL: there are */
} cs_chosen;

/* Moves the chosen chains to the front of the view. */
cs_chosen cs_choose(const cs_target *t, cs_diagnosed_view *v);

/* Computes the weights of the draws if they differ. Free g->w. */
void cs_chosen_weigh(cs_chosen *g);

/* Returns the number of scalars: log p and the generated quantities; the log
 * weight column is between them. */
size_t cs_chosen_scalars(const cs_diagnosed_view *v);

/* Copies a scalar of each chain to x[n][draws], evenly thinned if a chain has
 * more draws. */
void cs_chosen_copy(const cs_chosen *g, size_t scalar, double *x);

extern const char cs_why_no_weight[];
