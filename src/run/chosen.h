/* The chains that something is found of in the draws that are judged, and what
 * their draws count. */
#pragma once

#include "run/judged.h"

/* The chains that did not fail, or, where all did, those that went on for
 * longest. */
typedef struct cs_chosen {
    const cs_target *target;
    cs_judged_view *view; /* its first n chains */
    size_t n, all, failed;
    size_t draws;    /* of each that count: of the one that has fewest */
    double *w;       /* [n][draws] what these count, NULL: alike [own] */
    double kish;     /* NAN: alike */
    const char *why; /* nothing can be said of them, NULL: something can */
} cs_chosen;

/* Puts the chosen chains first in the view. */
cs_chosen cs_choose(const cs_target *t, cs_judged_view *v);

/* Finds the weights of the draws, where they differ. Free g->w. */
void cs_chosen_weigh(cs_chosen *g);

/* Log p, then what is shown: the log weight stands between. */
size_t cs_chosen_scalars(const cs_judged_view *v);

/* x[n][draws] = a scalar of each chain, its draws evenly chosen where it has
 * more. */
void cs_chosen_copy(const cs_chosen *g, size_t scalar, double *x);

extern const char cs_why_no_weight[];
