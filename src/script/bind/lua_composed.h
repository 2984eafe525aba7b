/* Cycles and mixtures of kernels in scripts. */
#pragma once

#include <lua.h>

/* kernel_composed(mixture, members): returns a kernel made of members, a list
 * of tables with the fields kernel, name, times, weight and on. `on` is a list
 * of names, a list of ascending coordinates (from 1), or nil. */
int cs_script_kernel_composed(lua_State *L);

/* kernel_place(kernel, dim, at): gives the members that move named parameters
 * their coordinates, before the kernel is bound to a target of dim coordinates.
 * at(name, member) returns the first coordinate of a name (from 1) and their
 * number, or nil if the name is that of a coordinate. */
int cs_script_kernel_place(lua_State *L);
