/* Kernels whose log p is an estimate, or unknown: x' = 0.6 x + 0.8 z with
 * uniform z of mean 0 and variance 1, which asks the target nothing. */
#pragma once

#include "kernel/kernel.h"

/* The estimate is so much above log p. */
#define UNSURE_OFF 1000.0

/* What the kernel without log p leaves where nobody is to look. */
#define UNSURE_POISON 12345.0

/* By cs_logp_kind, exact too: all take the same steps. The states of the two
 * chains of a pair are exchanged each 4 steps, if those of ...[1] are asked
 * for; `met` [16] is what the last exchange was told of log p. */
extern const cs_kernel_type unsure_types[3][2];
extern double unsure_met[16];
