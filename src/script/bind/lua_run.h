/* The userdata of a run. */
#pragma once

#include "run/arms/spec.h"
#include "script/state/callback.h"

typedef struct cs_script_run {
    cs_run *run; /* NULL: closed */
    bool own;    /* true: destroyed with the userdata */
} cs_script_run;

/* Returns the open run at `index`; raises an error if no run is open there.
 * [borrowed] */
cs_run *cs_script_to_run(lua_State *L, int index);
/* Returns the run for functions that advance or change it, which panels may not
 * call. */
cs_run *cs_script_to_change(lua_State *L, int index);
/* Pushes a userdata for a run that the caller owns. */
cs_script_run *cs_script_push_run(lua_State *L, cs_run *run);

/* Raises the first error of a callback, and names its chain. Does not
 * return. */
int cs_script_raise_fault(lua_State *L, cs_callback *link, cs_run *run);

/* Return the arm and the chain at stack `index`, which Lua counts from 1. */
size_t cs_script_check_arm(lua_State *L, const cs_run *run, int index);
size_t cs_script_check_chain(lua_State *L, const cs_run *run, size_t arm,
                             int index);

/* Allows functions of this Lua state to restore the state of the run's
 * events. */
void cs_script_recalls(lua_State *L, cs_run *run);
