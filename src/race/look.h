/* The quantity and the unit of work chosen for a figure. */
#pragma once

#include "race/axis.h"

typedef struct cs_figure_look {
    size_t coordinate; /* the chosen coordinate */
    cs_unit unit;      /* unit of work */
    const char *of;    /* name of the quantity; "" or NULL: the first
                          quantity */
    unsigned option;   /* offset from `of`, modulo the number of quantities */
    const struct cs_replicas
        *replicas; /* replicates of the run (race.h); NULL: none */
} cs_figure_look;

/* Finds the chosen distance of an arm. Returns false if the arm has no
 * distance. */
bool cs_look_distance(const cs_shot *s, const cs_figure_look *at, size_t arm,
                      cs_distance_curve *out);

/* Returns the index of the chosen name in `names`, which contains n names
 * separated by blanks. */
size_t cs_look_choice(const cs_figure_look *at, const char *names, size_t n);
