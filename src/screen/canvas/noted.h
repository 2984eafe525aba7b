/* What a kernel told of a step that is looked into (kernel/notes.h): the rows of
 * data that it drew, one a line, and the swaps of its ladder. */
#pragma once

#include "kernel/notes.h"
#include "screen/canvas/canvas.h"

/* The first n rows of `of` that were drawn. */
typedef struct cs_noted_rows {
    const cs_row_note *row; /* [n] */
    size_t n;
    double of;
    size_t top; /* the first that is shown */
} cs_noted_rows;

/* A head, a line a row, how many more there are; returns the lines used: 0 where
 * there is room for no row. */
int cs_draw_noted_rows(const cs_area *a, const cs_noted_rows *rows);

/* The swaps that are to come. */
typedef struct cs_noted_swaps {
    const char *kernel;
    const cs_swap_note *swap; /* [n] */
    size_t n, chain;          /* chain: the one that is looked at */
    double step, steps;       /* after which step, and how many are done */
    bool within;              /* the chain itself changes its temperature */
} cs_noted_swaps;

/* When, by which formula where there is room for it, a line a pair; returns the
 * lines used. */
int cs_draw_noted_swaps(const cs_area *a, const cs_noted_swaps *swaps);
