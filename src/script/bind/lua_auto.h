/* Kernels that are chosen when a run is opened: cs.kernel.auto. The choice is
 * made in lua/chainscope/auto.lua. */
#pragma once

#include <lua.h>

/* kernel_auto(): returns a placeholder of the choice. No target fits it,
 * so a run cannot be created with it. */
int cs_script_kernel_auto(lua_State *L);

/* kernel_hold(kernel, coordinates): the coordinates, a list of numbers from 1,
 * need no member of a cycle or a mixture and keep their values. */
int cs_script_kernel_hold(lua_State *L);

/* target_kind(target): returns a table with the fields kind ("real" ...),
 * values and low of a target with a space of one kind, and gradient, true if
 * the target has a gradient. */
int cs_script_target_kind(lua_State *L);

/* target_sweep(target, first, n): returns the work of a sweep that redraws the
 * sites first ... first + n - 1 by differences of log p, in evaluations of log
 * p, from the operations of a traced target's programs; nothing for other
 * targets. */
int cs_script_target_sweep(lua_State *L);

/* target_sum_out(target, coordinates): returns the cost of a gradient of the
 * log density with these coordinates, a list of ascending numbers from 1, summed
 * out, relative to its cost now (tape/sites/sum_out.h); nil if they cannot be summed
 * out. */
int cs_script_target_sum_out(lua_State *L);
