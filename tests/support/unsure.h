/* Kernels whose log p is an estimate, or unknown. Their step is x' = 0.6 x +
 * 0.8 z with z uniform, of mean 0 and variance 1. They never evaluate the
 * target. */
#pragma once

#include "kernel/kernel.h"

/* The offset of the estimate from log p. */
#define UNSURE_OFF 1000.0

/* Stored as log p by the kernel without log p; it must never be read. */
#define UNSURE_POISON 12345.0

/* The kernels by cs_logp_kind; all make the same steps. Kernels at index [1]
 * exchange the states of the chains of a pair every 4 steps. */
extern const cs_kernel_type unsure_types[3][2];
/* log p passed to the last exchange. */
extern double unsure_met[16];
