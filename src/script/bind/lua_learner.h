/* Makes a learner from the field `learn` of an arm, which
 * lua/chainscope/learn.lua has checked. */
#pragma once

#include "run/arms/learner.h"

#include <lua.h>

/* Returns the learner that the table at `index` describes, for states of that
 * target. It is owned by a value that is pushed. `known`: a table for data that
 * arms share, empty at first. Raises errors. */
cs_learner cs_script_learner(lua_State *L, int index, int known,
                             const cs_target *t);
