/* A target whose log density is a sum over the rows of a table. */
#pragma once

#include "tape/terms.h"
#include "target/target.h"

/* Creates the target on `space` (of the model's dimension). The model's data
 * may be freed afterwards. [own, cs_target_release] */
cs_status cs_term_target_create(const cs_term_model *m, const cs_space *space,
                                cs_target **out, cs_error *err);

/* Returns the programs of a target that is a sum over rows; NULL for other
 * targets. [borrowed] */
const cs_terms *cs_term_target_terms(const cs_target *t);

/* Returns the region outside which the target's prior is -infinity by
 * definition; NULL if no region was given. [borrowed] */
const cs_region *cs_term_target_region(const cs_target *t);
