/* What a figure is asked for: of which quantity, in which unit of work. */
#pragma once

#include "figure/work.h"

typedef struct cs_figure_look {
    size_t coordinate; /* that is chosen */
    cs_unit unit;      /* of work */
    const char *of; /* the name of what is to be shown, "" or NULL: the first */
    unsigned option; /* and how many places after it; it counts modulo */
    const struct cs_replicas *replicas; /* of the run (race.h), NULL: none */
} cs_figure_look;

/* The number of the one of `names[n]`, separated by blanks, that is asked for. */
size_t cs_look_choice(const cs_figure_look *at, const char *names, size_t n);
