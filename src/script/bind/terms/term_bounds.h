/* Bounds that a script gives for the terms of a target. They consist of the
 * region of the states and, for each row, the range and the rate of change of
 * the row's term. */
#pragma once

#include "expr/region.h"
#include "script/bind/terms/term_data.h"
#include "target/target.h"

#include <lua.h>

/* Bounds given by a script. A value on the Lua stack owns them. */
typedef struct cs_script_bounds {
    cs_region region; /* region of the states; dim 0: not given */
    double *range;    /* [rows][2], or NULL */
    double *change;   /* [rows], or NULL */
} cs_script_bounds;

/* Reads the fields `region`, `bound` and `lipschitz` of the table at `fields`;
 * calls the functions for one row at a time. Pushes the owner; raises
 * errors. */
void cs_script_read_bounds(lua_State *L, int fields, const cs_term_data *data,
                           const cs_space *space, cs_script_bounds *out);

/* Raises an error if terms of some rows exceed the given bounds at some of the
 * tested states. */
void cs_script_check_bounds(lua_State *L, const cs_script_bounds *b,
                            const cs_target *t);
