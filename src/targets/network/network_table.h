/* Tables that networks learn from: what their targets share. */
#pragma once

#include "data/table.h"

#include <stdint.h>

/* Mean and deviation (divisor: the rows) of column j; one that never changes
 * has deviation 1. */
void cs_network_moments(const cs_table *t, size_t j, double *mean, double *sd);

/* Whether `test`, read from `where`, has the columns of `train`, or no rows at
 * all; an error of the target `what`. */
cs_status cs_network_fits(const char *what, const cs_table *train,
                          const cs_table *test, const char *where,
                          cs_error *err);

/* Number k of a stream of uniforms on (0, 1), of one of standard normals. */
double cs_network_uniform(uint64_t seed, uint64_t k);
double cs_network_normal(uint64_t seed, uint64_t k);
