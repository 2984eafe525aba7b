/* The terms of a target that is a sum over rows, as generated quantities: the
 * log likelihood of each observation. */
#pragma once

#include "target/target.h"

/* Adds the values of the terms of `rows` to the generated quantities of t, which
 * must have some: NAME.1, NAME.2 and so on, one per row. `rows` is t, or another
 * target with the same space, such as one of observations that t does not
 * contain; it is held. Call it once, before chains are created. Fails with
 * CS_INPUT if `rows` is not a sum over rows, and with CS_MEMORY. Cold. */
cs_status cs_target_show_terms(cs_target *t, cs_target *rows, const char *name,
                               cs_error *err);
