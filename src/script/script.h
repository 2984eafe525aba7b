/* A script: a Lua state with resource limits, Lua's libraries and the module
 * chainscope. */
#pragma once

#include "script/state/state.h"

/* Creates a state in which `require` finds chainscope. [own:
 * cs_script_destroy] */
cs_status cs_script_open(cs_script **out, const cs_script_limits *limits,
                         cs_error *err);
