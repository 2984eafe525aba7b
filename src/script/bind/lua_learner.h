/* Creates a learner from the field `learn` of an arm, which
 * lua/chainscope/learn.lua has checked. */
#pragma once

#include "run/arms/learner.h"

#include <lua.h>

/* Returns the learner that the table at `index` describes, for states of the
 * target. Pushes a value that owns the learner. `known` is a table, initially
 * empty, for data that several arms share. Raises errors. */
cs_learner cs_script_learner(lua_State *L, int index, int known,
                             const cs_target *t);
