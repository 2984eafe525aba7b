/* The userdata of a run. */
#pragma once

#include "run/run.h"
#include "script/state/callback.h"

typedef struct cs_script_run {
    cs_run *run; /* NULL: closed */
    bool own;    /* destroyed with the userdata */
} cs_script_run;

/* The open run at `index`; raises an error if it is none. [borrowed] */
cs_run *cs_script_to_run(lua_State *L, int index);
/* The same for what moves or changes it, which panels may not. */
cs_run *cs_script_to_change(lua_State *L, int index);
/* Pushes a userdata for a run that somebody else owns. */
cs_script_run *cs_script_push_run(lua_State *L, cs_run *run);

/* Raises what the first error in a callback said, and in which chain. Does
 * not return. */
int cs_script_raise_fault(lua_State *L, cs_callback *link, cs_run *run);

/* The arm and the chain at stack `index`, counted from 1 in Lua. */
size_t cs_script_check_arm(lua_State *L, const cs_run *run, int index);
size_t cs_script_check_chain(lua_State *L, const cs_run *run, size_t arm,
                             int index);

/* What events of the run keep is taken back by functions of this state. */
void cs_script_recalls(lua_State *L, cs_run *run);
