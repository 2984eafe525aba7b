/* Work, axes and distances of the arms in a snapshot. These functions call the
 * functions of figure/work.h. */
#pragma once

#include "figure/distances.h"
#include "race/shot.h"

/* Replaces the default unit by the unit that figures use. */
cs_unit cs_shot_unit(const cs_shot *s, cs_unit unit);
/* Apply cs_facts_work, cs_facts_step_work and cs_facts_axis to a snapshot. */
double cs_shot_work(const cs_shot *s, size_t arm, cs_unit unit);
double cs_shot_step_work(const cs_shot *s, size_t arm, cs_unit unit);
cs_axis cs_axis_of(const cs_shot *s, size_t arm, cs_unit unit);

/* Returns the next unit in which some arm has done work. */
cs_unit cs_unit_next(const cs_shot *s, cs_unit unit);
