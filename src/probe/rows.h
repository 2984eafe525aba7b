/* Rows of the reports of probes, stored in arrays of doubles. Each row is a
 * struct. The code that writes a report and the code that reads it both include
 * this header. */
#pragma once

/* Row of "acceptance/chains": one chain. The fractions are NAN before the first
 * step of the chain. */
typedef struct cs_row_acceptance {
    double steps, accepted, moved; /* steps: number of steps; accepted: fraction
                                    * of the steps that were accepted; moved:
                                    * fraction of the steps in which the state
                                    * moved */
    double rolling; /* fraction of the most recent steps that were accepted */
} cs_row_acceptance;

/* Row of "diagnostics/all": one scalar, over all steps of all chains. */
typedef struct cs_row_steps {
    double mean, sd, mcse, ess;
} cs_row_steps;

/* Row of "plane/view": the window of the plane. */
typedef struct cs_row_view {
    double left, right, bottom, top;
} cs_row_view;

/* Row of "plane/moves": one step of a chain in the plane. The row contains the
 * new state and the proposal (NAN: not known). Its last number is 1 if the
 * proposal was accepted, otherwise 0. */
typedef struct cs_row_move {
    double x, y, to_x, to_y, accepted;
} cs_row_move;

/* Row of "mmd/value": the log of the discrepancy; the log of its floor, which
 * is the expected value for an equal number of independent draws; and the
 * number of draws in the reference. */
typedef struct cs_row_mmd {
    double now, floor, reference;
} cs_row_mmd;

/* Row of "weights/chains": one chain. Row of "weights/all": all chains. */
typedef struct cs_row_weights {
    double draws, left_out; /* draws: number of draws with a weight above 0;
                             * left_out: number of draws with weight 0 */
    double size;            /* effective sample size of the weights (Kish) */
    double largest;         /* largest fraction of the total weight in one draw,
                             * 0..1 */
} cs_row_weights;

/* Row of "rows/drawn" and "rows/kept" (all chains), and of "rows/drawn/chains"
 * and "rows/kept/chains" (one chain each): the numbers of rows of data per
 * step. NAN before the first step. */
typedef struct cs_row_rows {
    double steps, mean, sd, most;
} cs_row_rows;
