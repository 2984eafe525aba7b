/* Labels whose values have no order: the target does not change if two values of
 * a label, and the parameters that belong to them, are exchanged. Chains then stay
 * at different orders of these parameters. */
#pragma once

#include "run/draws/chosen.h"

/* Finds a vector of K real parameters, in a target that has labels of K values,
 * whose chains disagree (R-hat above 1.1) because their means are the same in
 * another order. Returns false without such a vector. */
bool cs_exchangeable_find(const cs_chosen *g, const cs_diagnosis *d,
                          cs_warn_labels *out);
