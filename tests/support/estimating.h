/* A kernel with an estimate in its ratio, in place of those that draw rows: a
 * random walk whose log_aux is the change of the likelihood, plus `off`. It
 * pretends to draw the rows given by estimating_rows, and to keep a third. Not
 * exact unless `off` is 0. */
#pragma once

#include "kernel/kernel.h"

extern const cs_kernel_type estimating;

/* Its one parameter; how far log_aux is off; what cs_kernel_expected_rows
 * says. */
enum { ESTIMATING_STEP, ESTIMATING_OFF, ESTIMATING_EXPECTS, ESTIMATING_PARAMS };

/* Rows "drawn" by a chain at a step, from 1. */
double estimating_rows(uint64_t step, uint64_t chain);

/* With these values. */
cs_kernel estimating_of(double step, double off, double expects);
