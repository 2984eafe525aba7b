/* Kernels whose log p is an estimate, or unknown: x' = 0.6 x + 0.8 z with
 * uniform z of mean 0 and variance 1, which asks the target nothing. */
#pragma once

#include "kernel/kernel.h"

/* The offset of the estimate from log p. */
#define UNSURE_OFF 1000.0

/* Filled in by the kernel without log p where it must not be read. */
#define UNSURE_POISON 12345.0

/* By cs_logp_kind, including exact: all take the same steps. The states of the
 * two chains of a pair are exchanged every 4 steps, if those of ...[1] are
 * requested; `met` [16] is the log p passed to the last exchange. */
extern const cs_kernel_type unsure_types[3][2];
extern double unsure_met[16];
