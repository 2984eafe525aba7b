/* A kernel that tests use in place of kernels with an estimated ratio. The
 * kernel is a random walk whose log_aux is the change of the log likelihood
 * plus `off`. It is exact only if `off` is 0. The kernel reports that it drew
 * estimating_rows() rows per step, and kept a third of these rows. */
#pragma once

#include "kernel/kernel.h"

extern const cs_kernel_type estimating;

/* Parameters of the kernel: the step, the error `off` of log_aux, and the value
 * that cs_kernel_expected_rows returns. */
enum { ESTIMATING_STEP, ESTIMATING_OFF, ESTIMATING_EXPECTS, ESTIMATING_PARAMS };

/* Returns the number of rows that a chain reports as drawn at a step (counted
 * from 1). */
double estimating_rows(uint64_t step, uint64_t chain);

/* Creates the kernel with these values of its parameters. */
cs_kernel estimating_of(double step, double off, double expects);
