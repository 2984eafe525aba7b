/* Plots of ranks from simulation-based calibration: their histogram, and the
 * distance of their distribution function from the diagonal, each with a band
 * for uniform ranks. */
#pragma once

#include "screen/canvas/plot.h"
#include "stat/uniformity.h"

typedef struct cs_rank_plot {
    const char *name;   /* name of the ranked quantity [borrowed] */
    size_t number;      /* number of the arm, for its colour */
    const double *rank; /* [n] ranks, 0 .. places - 1 [borrowed] */
    size_t n, places;
    cs_uniformity u;
    /* pointwise level of the band that contains 95 % of uniform ranks */
    double level;
} cs_rank_plot;

/* Draws a line of values, then both plots side by side if they fit, otherwise
 * only the distribution function. */
void cs_rank_plot_draw(const cs_area *a, const cs_rank_plot *p);
