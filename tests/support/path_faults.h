/* Ways back of path_auxiliary and dlmc with faults in them, for
 * kernel_faults.c. */
#pragma once

#include "kernel/kernel.h"

/* After a step of path_auxiliary on bits: log_q[lanes] of the path back, as if a
 * site could be drawn again. (The opposite order is no matter: any order in
 * which the way back is scored gives an exact kernel, if always the same.) */
void path_back_with_replacement(const cs_move *m, double *log_q);

/* After a step of dlmc on bits, from before[dim][lanes] and with b = sqrt:
 * log_q[lanes] of the way back by the sites that flip alone. */
void flow_back_of_flips(const cs_move *m, const double *before, double *log_q);
