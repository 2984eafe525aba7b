/* Ranks of simulation-based calibration: their histogram, and how far their
 * distribution function is from the diagonal, each with the band in which uniform
 * ranks stay. */
#pragma once

#include "screen/canvas/plot.h"
#include "stat/uniformity.h"

typedef struct cs_rank_plot {
    const char *name;   /* what was ranked [borrowed] */
    size_t number;      /* of the arm: its colour */
    const double *rank; /* [n] of 0 .. places - 1 [borrowed] */
    size_t n, places;
    cs_uniformity u;
    double level; /* pointwise, of the band that holds 95 % of uniform ranks */
} cs_rank_plot;

/* A line of words, then both pictures beside each other where there is room, else
 * the distribution function alone. */
void cs_rank_plot_draw(const cs_area *a, const cs_rank_plot *p);
