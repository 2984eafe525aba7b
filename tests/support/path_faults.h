/* Faulty reverse paths of path_auxiliary and dlmc, for kernel_faults.c. */
#pragma once

#include "kernel/kernel.h"

/* After a step of path_auxiliary on bits: log_q[lanes] of the reverse path, as
 * if a site could be drawn again. (The opposite order is not a fault: any fixed
 * order of scoring the reverse path gives an exact kernel.) */
void path_back_with_replacement(const cs_move *m, double *log_q);

/* After a step of dlmc on bits, from before[dim][lanes] and with b = sqrt:
 * log_q[lanes] of the reverse move by the flipped sites only. */
void flow_back_of_flips(const cs_move *m, const double *before, double *log_q);
