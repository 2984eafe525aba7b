/* The userdata of a kernel: a type, its values, and the plan of its scheduled
 * parameters. */
#pragma once

#include "chain/plan.h"

#include <lua.h>

typedef struct cs_script_kernel {
    cs_kernel kernel;
    cs_plan plan;
} cs_script_kernel;

/* Returns the kernel at `index`, or NULL. [borrowed] */
cs_script_kernel *cs_script_to_kernel(lua_State *L, int index);
/* Pushes an empty kernel. The kernel's user value refers to objects that the
 * kernel keeps alive. */
cs_script_kernel *cs_script_push_kernel(lua_State *L);
/* Sets the list parameters of `k` as fields of the table on top of the
 * stack. */
void cs_script_set_lists(lua_State *L, const cs_kernel *k);
