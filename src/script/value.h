/* Between Lua's tables and the rows of parameters; errors with their place. */
#ifndef CS_SCRIPT_VALUE_H
#define CS_SCRIPT_VALUE_H

#include "base/param.h"

#include <lua.h>

/* Raises `err` as a Lua error "file:line: what: how to mend it", the place
 * being the script's line that called into the module. Does not return. */
int cs_script_raise(lua_State *L, const cs_error *err);

/* Pushes "file:line: " of the innermost line that is the script's own. */
void cs_script_push_place(lua_State *L);

/* The fields of the table at `index` as values, in memory that lies on the
 * stack (one value is pushed and must stay as long as they are used). Fields
 * named in the NULL-terminated `skip` are left out, as are userdata and
 * functions. Raises an error on what is neither. */
cs_value *cs_script_values(lua_State *L, int index, const char *const *skip,
                           size_t *n);

/* The numbers of the list (or list of equally long lists) at `index`; one
 * value is pushed that holds them. Raises errors that call it `name`. */
double *cs_script_numbers(lua_State *L, int index, const char *name,
                          size_t *rows, size_t *cols);

/* Pushes a list of n numbers. */
void cs_script_push_numbers(lua_State *L, const double *x, size_t n);

/* Pushes {name=, unit=, kind=, min=, max=, default=, help=, ref=} rows. */
void cs_script_push_rows(lua_State *L, const cs_param *rows, size_t n);

#endif
