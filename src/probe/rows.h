/* Rows of the reports of probes in arrays of doubles: one struct per row,
 * included by writers and readers. */
#pragma once

/* "acceptance/chains": a row per chain. Shares are NAN before its first
 * step. */
typedef struct cs_row_acceptance {
    double steps, accepted, moved; /* fractions of the steps */
    double rolling;                /* accepted fraction of the newest steps */
} cs_row_acceptance;

/* "diagnostics/all": a row per scalar, over all steps of all chains. */
typedef struct cs_row_steps {
    double mean, sd, mcse, ess;
} cs_row_steps;

/* "plane/view": a window of the plane. */
typedef struct cs_row_view {
    double left, right, bottom, top;
} cs_row_view;

/* "plane/moves": a step of a chain in the plane: the new state, the proposal
 * (NAN: unknown), and whether it was accepted, 1 or 0. */
typedef struct cs_row_move {
    double x, y, to_x, to_y, accepted;
} cs_row_move;

/* "mmd/value": logarithms of the discrepancy and of its floor for as many
 * independent draws, and the number of draws in the reference. */
typedef struct cs_row_mmd {
    double now, floor, reference;
} cs_row_mmd;

/* "weights/chains": a row per chain; "weights/all": all chains. */
typedef struct cs_row_weights {
    double draws, left_out; /* with weight, and without */
    double size;            /* effective sample size of the weights (Kish) */
    double largest;         /* largest share of the weight in one draw, 0..1 */
} cs_row_weights;

/* "rows/drawn", "rows/kept": all chains; "rows/drawn/chains" ...: each chain:
 * the rows of data per step. NAN before the first step. */
typedef struct cs_row_rows {
    double steps, mean, sd, most;
} cs_row_rows;
