/* The step trace of a kernel (kernel/step_trace.h): the rows of data that a
 * step drew, one per line, and the swaps of the temperature ladder. */
#pragma once

#include "kernel/step_trace.h"
#include "screen/canvas/canvas.h"

/* The first n of the `of` data rows that a step drew. */
typedef struct cs_step_trace_rows {
    const cs_row_note *row; /* [n] */
    size_t n;
    double of;
    size_t top; /* first row displayed */
} cs_step_trace_rows;

/* Draws a heading, one line per row, and the number of further rows. Returns
 * the number of lines used, or 0 if no row fits. */
int cs_draw_step_trace_rows(const cs_area *a, const cs_step_trace_rows *rows);

/* The swaps of a temperature ladder after a step. */
typedef struct cs_step_trace_swaps {
    const char *kernel;
    const cs_swap_note *swap; /* [n] */
    size_t n, chain;          /* chain: the displayed chain */
    /* step: the step before the swaps; steps: number of steps done */
    double step, steps;
    bool within; /* the temperature of the chain itself changes */
} cs_step_trace_swaps;

/* Draws the time of the swaps, the formula if it fits, and one line per pair.
 * Returns the number of lines used. */
int cs_draw_step_trace_swaps(const cs_area *a,
                             const cs_step_trace_swaps *swaps);
