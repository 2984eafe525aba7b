/* Functions by which the files of this folder extend the module. Each function
 * adds the functions of its file to the table on top of the stack and creates
 * the classes of the file's userdata. module.c calls each function once per Lua
 * state, in any order. */
#pragma once

#include <lua.h>

typedef void cs_script_opener(lua_State *L);
cs_script_opener cs_script_open_asked, cs_script_open_auxiliary_kernel,
    cs_script_open_calibration, cs_script_open_captured, cs_script_open_check,
    cs_script_open_conditional_kernel, cs_script_open_density,
    cs_script_open_derivatives, cs_script_open_draws,
    cs_script_open_factor_target, cs_script_open_figures, cs_script_open_loo,
    cs_script_open_focusing, cs_script_open_function_kernel,
    cs_script_open_function_target, cs_script_open_kernel,
    cs_script_open_learner, cs_script_open_network, cs_script_open_ode,
    cs_script_open_outputs, cs_script_open_outside_target, cs_script_open_plan,
    cs_script_open_predictive, cs_script_open_principal, cs_script_open_run,
    cs_script_open_run_look, cs_script_open_run_files, cs_script_open_run_new,
    cs_script_open_sample, cs_script_open_schedule, cs_script_open_target,
    cs_script_open_term_data, cs_script_open_term_row,
    cs_script_open_term_target, cs_script_open_traced_target,
    cs_script_open_theory, cs_script_open_tuner;
