/* The runs of a session as values of Lua: the attached run, the run that was
 * attached before, and parked runs. */
#pragma once

#include "run/arms/spec.h"
#include "script/state/state.h"

/* Takes the run on top of the stack as the attached run; the run that was
 * attached becomes the previous run. Pops the run. */
void cs_script_runs_opened(lua_State *L);
/* A Lua function with the argument: the run to attach, as light userdata, or
 * NULL. Closes the previous run, unless it is parked. */
int cs_script_runs_attach(lua_State *L);

/* cs_script_runs_push pushes the attached, previous or parked run `run`, or
 * nil. cs_script_runs_push_attached pushes the attached run, or nil. */
void cs_script_runs_push(lua_State *L, const cs_run *run);
void cs_script_runs_push_attached(lua_State *L);

/* A Lua function with the arguments: a run as light userdata, and a boolean.
 * true: parks the run, so that it can be attached again after another run was
 * attached. false: closes a parked run, which the session is about to destroy.
 */
int cs_script_runs_park(lua_State *L);
