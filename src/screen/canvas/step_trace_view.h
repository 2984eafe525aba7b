/* The step trace of a kernel (kernel/step_trace.h): the rows of data that it drew,
 * one per line, and the swaps of its temperature ladder. */
#pragma once

#include "kernel/step_trace.h"
#include "screen/canvas/canvas.h"

/* The first n of `of` rows drawn. */
typedef struct cs_step_trace_rows {
    const cs_row_note *row; /* [n] */
    size_t n;
    double of;
    size_t top; /* first row displayed */
} cs_step_trace_rows;

/* Draws a heading, one line per row, and the number of further rows; returns
 * the lines used: 0 if no row fits. */
int cs_draw_step_trace_rows(const cs_area *a, const cs_step_trace_rows *rows);

/* The next swaps. */
typedef struct cs_step_trace_swaps {
    const char *kernel;
    const cs_swap_note *swap; /* [n] */
    size_t n, chain;          /* chain: the displayed one */
    double step, steps;       /* the step before the swaps, and the steps
                               * done */
    bool within;              /* the chain itself changes its temperature */
} cs_step_trace_swaps;

/* Draws the time of the swaps, the formula if it fits, and one line per pair;
 * returns the lines used. */
int cs_draw_step_trace_swaps(const cs_area *a,
                             const cs_step_trace_swaps *swaps);
