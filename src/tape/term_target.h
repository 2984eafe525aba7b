/* A target whose log density is a sum over the rows of a table. */
#pragma once

#include "tape/terms.h"
#include "target/target.h"

/* The target on `space` (of the model's dimension). What the model points to
 * may go afterwards. [own, cs_target_release] */
cs_status cs_term_target_create(const cs_term_model *m, const cs_space *space,
                                cs_target **out, cs_error *err);

/* The programs of such a target; NULL of any other. [borrowed] */
const cs_terms *cs_term_target_terms(const cs_target *t);

/* The region outside of which its prior is -infinity by definition; NULL: none
 * was given. [borrowed] */
const cs_region *cs_term_target_region(const cs_target *t);
