/* What probes report as rows of an array of doubles: one struct a row, which
 * who writes and who reads it both include. */
#pragma once

/* "acceptance/chains": a chain. Shares are NAN before its first step. */
typedef struct cs_row_acceptance {
    double steps, accepted, moved; /* shares of the steps */
    double rolling;                /* accepted, of the newest steps */
} cs_row_acceptance;

/* "diagnostics/all": a scalar, of all steps of all chains. */
typedef struct cs_row_steps {
    double mean, sd, mcse, ess;
} cs_row_steps;

/* "plane/view": a window of the plane. */
typedef struct cs_row_view {
    double left, right, bottom, top;
} cs_row_view;

/* "plane/moves": a step of a chain in the plane: where it led, what was proposed
 * (NAN: the kernel does not say), and whether that was accepted, 1 or 0. */
typedef struct cs_row_move {
    double x, y, to_x, to_y, accepted;
} cs_row_move;

/* "mmd/value": logarithms of the discrepancy and of what as many independent
 * draws have, and how many draws the reference has. */
typedef struct cs_row_mmd {
    double now, floor, reference;
} cs_row_mmd;

/* "weights/chains": a chain; "weights/all": of all. */
typedef struct cs_row_weights {
    double draws, left_out; /* how many count, how many do not */
    double size;            /* Kish's: so many of equal weight say as much */
    double largest;         /* share of the weight that one draw has, 0..1 */
} cs_row_weights;

/* "rows/drawn", "rows/kept": of all chains; "rows/drawn/chains" ... of each: the
 * rows of data of a step. NAN before the first one. */
typedef struct cs_row_rows {
    double steps, mean, sd, most;
} cs_row_rows;
