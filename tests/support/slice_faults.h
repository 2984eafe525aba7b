/* Faulty steps of slice samplers, for kernel_faults.c. They use the search of
 * the program (kernels/real/slice.h) with the curves and brackets that
 * slice_faults.c defines. */
#pragma once

#include "kernel/kernel.h"

/* Makes a step of `slice` without a fault, over all coordinates in order. */
void slice_by_hand(cs_move *m);
/* Fault: the bracket is extended only to the left. A correct step divides the
 * extension at random between left and right. */
void slice_steps_out_on_one_side(cs_move *m);
/* Fault: on one side the bracket shrinks away from the state. */
void slice_shrinks_to_the_wrong_side(cs_move *m);

/* Makes a step of `elliptical_slice` without a fault, for mean 0 and sd 1. */
void ellipse_by_hand(cs_move *m);
/* Fault: the bracket extends from 0 to the angle. A correct bracket extends
 * around the circle. */
void ellipse_in_half_a_bracket(cs_move *m);

/* The centre of the ellipse as a multiple of the mean; 1 is correct. */
extern double ellipse_centre;
/* Makes a step whose mean and sd are given by the parameters, and whose centre
 * may be wrong. */
void ellipse_around_a_mean(cs_move *m);
