/* The multivariate effective size (stat/multivariate_size.h) of all quantities
 * of an arm, from the diagnosed draws. */
#pragma once

#include "run/draws/chosen.h"
#include "run/draws/sample.h"
#include "stat/multivariate_size.h"

/* Computes the size and, if `with_error` and there are not too many draws, its
 * error by a jackknife (otherwise NaN). */
cs_joint_size cs_joint_size_of(const cs_chosen *g, bool with_error);

/* Computes the size for a sample of the chains; if `sample` is NULL, for all
 * chains. The error is not computed. */
cs_joint_size cs_run_joint_size(cs_run *r, size_t arm,
                                const cs_run_sample *sample);
