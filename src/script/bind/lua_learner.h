/* Creates a learner from the field `learn` of an arm, which
 * lua/chainscope/learn.lua has checked. */
#pragma once

#include "run/arms/learner.h"

#include <lua.h>

/* Returns the learner described by the table at `index`, for states of the
 * target. Pushes a value that owns it. `known` is a table for data shared by
 * arms, initially empty. Raises errors. */
cs_learner cs_script_learner(lua_State *L, int index, int known,
                             const cs_target *t);
