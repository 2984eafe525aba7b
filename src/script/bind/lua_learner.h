/* From the field `learn` of an arm, which lua/chainscope/learn.lua has checked,
 * to a learner. */
#pragma once

#include "run/learner.h"

#include <lua.h>

/* The learner that the table at `index` describes, of states of that target. It
 * is held by a value that is pushed. `known`: a table for what arms have in
 * common, empty at the first. Raises what is wrong. */
cs_learner cs_script_learner(lua_State *L, int index, int known,
                             const cs_target *t);
