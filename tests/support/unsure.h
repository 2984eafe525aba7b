/* Kernels whose log p is an estimate or is unknown. The step of each kernel is
 * x' = 0.6 x + 0.8 z, where z is uniform with mean 0 and variance 1. These
 * kernels never evaluate the target. */
#pragma once

#include "kernel/kernel.h"

/* The offset of the estimate from log p. */
#define UNSURE_OFF 1000.0

/* The value that the kernel without log p stores in place of log p. It must
 * never be read. */
#define UNSURE_POISON 12345.0

/* The kernels, indexed by cs_logp_kind. All kernels make equal steps. In the
 * kernels of the second column, the two chains of a pair exchange their states
 * every 4 steps. */
extern const cs_kernel_type unsure_types[3][2];
/* The log p values passed to the last exchange. */
extern double unsure_met[16];
