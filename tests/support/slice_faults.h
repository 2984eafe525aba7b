/* Steps of slice samplers with faults in them, for kernel_faults.c: the real
 * search (kernels/real/slice.h) along curves and in brackets of their own. */
#pragma once

#include "kernel/kernel.h"

/* For `slice`, in order through all coordinates. Without a fault; all steps out
 * to the left, instead of a random share; a bracket that shrinks away from the
 * state, on one side. */
void slice_by_hand(cs_move *m);
void slice_steps_out_on_one_side(cs_move *m);
void slice_shrinks_to_the_wrong_side(cs_move *m);

/* For `elliptical_slice`, mean 0 and sd 1. Without a fault; a bracket from 0 to
 * the angle, not round the circle. */
void ellipse_by_hand(cs_move *m);
void ellipse_in_half_a_bracket(cs_move *m);

/* With mean and sd as the parameters have them; the ellipse turns around
 * `ellipse_centre` of the mean: 1 is right. */
extern double ellipse_centre;
void ellipse_around_a_mean(cs_move *m);
