/* What a model has learned, as rows of numbers that its type makes an instance of
 * again. */
#pragma once

#include "target/target.h"

/* *rows [own, cs_free] = [*n][*width] of a target that learns: what its type takes
 * as `weights`, or as a CSV file. Unsupported where the type reads none. Cold. */
cs_status cs_learned_rows(const cs_target *t, double **rows, size_t *n,
                          size_t *width, cs_error *err);
