/* What a script says of the terms of a target: the region in which its states
 * are, and for each row the least and the largest value, and how much it
 * changes. */
#pragma once

#include "expr/region.h"
#include "script/bind/term_data.h"
#include "target/target.h"

#include <lua.h>

/* On the stack of Lua, as long as what was pushed stays. */
typedef struct cs_script_bounds {
    cs_region region; /* dim 0: none was given */
    double *range;    /* [rows][2], or NULL */
    double *change;   /* [rows], or NULL */
} cs_script_bounds;

/* Reads the fields `region`, `bound` and `lipschitz` of the table at `fields`;
 * the functions are called with one row after the other. Pushes what holds
 * them; raises errors. */
void cs_script_read_bounds(lua_State *L, int fields, const cs_term_data *data,
                           const cs_space *space, cs_script_bounds *out);

/* Raises an error where the terms of some rows, at some states, are beyond what
 * was given. */
void cs_script_check_bounds(lua_State *L, const cs_script_bounds *b,
                            const cs_target *t);
