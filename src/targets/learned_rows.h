/* The learned parameters of a model, as rows of numbers from which its type can
 * create an instance. */
#pragma once

#include "target/target.h"

/* Sets *rows [own, cs_free] to the [*n][*width] numbers of a target that
 * learns. The target's type accepts numbers in this form as `weights` or as a
 * CSV file. Fails with CS_UNSUPPORTED if rows are not a form from which the
 * type can be created. Cold. */
cs_status cs_learned_rows(const cs_target *t, double **rows, size_t *n,
                          size_t *width, cs_error *err);
