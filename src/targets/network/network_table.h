/* Training tables of networks, shared by their targets. */
#pragma once

#include "data/table.h"

#include <stdint.h>

/* Computes mean and standard deviation (divisor: number of rows) of column j; a
 * constant column gets the standard deviation 1. */
void cs_network_moments(const cs_table *t, size_t j, double *mean, double *sd);

/* Checks that `test`, read from `where`, has the columns of `train` (a table
 * without rows is accepted). The error names the target `what`. */
cs_status cs_network_fits(const char *what, const cs_table *train,
                          const cs_table *test, const char *where,
                          cs_error *err);

/* Return number k of a random stream: a uniform number on (0, 1), or a standard
 * normal. */
double cs_network_uniform(uint64_t seed, uint64_t k);
double cs_network_normal(uint64_t seed, uint64_t k);
