/* What the files of this folder bring to the module: each function adds its own
 * to the table on top of the stack, and makes the classes of its userdata.
 * Called once a state, by module.c, in any order. */
#pragma once

#include <lua.h>

void cs_script_open_asked(lua_State *L);
void cs_script_open_auxiliary_kernel(lua_State *L);
void cs_script_open_calibration(lua_State *L);
void cs_script_open_captured(lua_State *L);
void cs_script_open_derivatives(lua_State *L);
void cs_script_open_draws(lua_State *L);
void cs_script_open_factor_target(lua_State *L);
void cs_script_open_focusing(lua_State *L);
void cs_script_open_function_kernel(lua_State *L);
void cs_script_open_function_target(lua_State *L);
void cs_script_open_kernel(lua_State *L);
void cs_script_open_learner(lua_State *L);
void cs_script_open_network(lua_State *L);
void cs_script_open_outputs(lua_State *L);
void cs_script_open_outside_target(lua_State *L);
void cs_script_open_plan(lua_State *L);
void cs_script_open_principal(lua_State *L);
void cs_script_open_run(lua_State *L);
void cs_script_open_run_look(lua_State *L);
void cs_script_open_run_new(lua_State *L);
void cs_script_open_schedule(lua_State *L);
void cs_script_open_target(lua_State *L);
void cs_script_open_term_data(lua_State *L);
void cs_script_open_term_row(lua_State *L);
void cs_script_open_term_target(lua_State *L);
void cs_script_open_traced_target(lua_State *L);
void cs_script_open_theory(lua_State *L);
void cs_script_open_tuner(lua_State *L);
