/* The userdata of a run. */
#pragma once

#include "run/arms/spec.h"
#include "script/state/callback.h"

typedef struct cs_script_run {
    cs_run *run; /* NULL: the run is closed */
    bool own;    /* true: the run is destroyed with the userdata */
} cs_script_run;

/* Returns the open run at `index`; raises an error if no run is open there.
 * [borrowed] */
cs_run *cs_script_to_run(lua_State *L, int index);
/* Returns the open run, for functions that advance or change it. Raises an
 * error in functions of panels, which may not change the run. */
cs_run *cs_script_to_change(lua_State *L, int index);
/* Pushes a userdata for a run that the caller owns. */
cs_script_run *cs_script_push_run(lua_State *L, cs_run *run);

/* Raises the first error of a callback. The error names the chain that the
 * callback was called for. Does not return. */
int cs_script_raise_fault(lua_State *L, cs_callback *link, cs_run *run);

/* Remembers the run at `index` as the last one that a script opened. */
void cs_script_set_latest_run(lua_State *L, int index);
/* Returns the run that a script opened last (cs.open, cs.load). Returns NULL
 * without such a run, or after Lua has collected it. [borrowed] */
cs_run *cs_script_latest_run(lua_State *L);

/* Return the index of the arm, or of the chain, at stack index `index`. Lua
 * counts them from 1, C from 0. */
size_t cs_script_check_arm(lua_State *L, const cs_run *run, int index);
size_t cs_script_check_chain(lua_State *L, const cs_run *run, size_t arm,
                             int index);

/* Allows functions of this Lua state to restore the state of the run's
 * events. */
void cs_script_recalls(lua_State *L, cs_run *run);
