/* Faulty reverse paths of path_auxiliary and dlmc, for kernel_faults.c. */
#pragma once

#include "kernel/kernel.h"

/* Computes log_q[lanes] of the reverse path after a step of path_auxiliary on
 * bits. The fault is that a site may be drawn twice. (If the reverse path is
 * scored in the opposite order, this is not a fault: any fixed order gives an
 * exact kernel.) */
void path_back_with_replacement(const cs_move *m, double *log_q);

/* Computes log_q[lanes] of the reverse move after a step of dlmc on bits from
 * before[dim][lanes], for the balancing function sqrt. The fault is that only
 * flipped sites are counted. */
void flow_back_of_flips(const cs_move *m, const double *before, double *log_q);
