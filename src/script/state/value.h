/* Between Lua's tables and the rows of parameters; errors with their place. */
#pragma once

#include "base/page.h"
#include "base/param.h"

#include <lauxlib.h>
#include <lua.h>
#include <math.h>
#include <stdbool.h>

/* Raises `err` as a Lua error "file:line: what: how to mend it", the place
 * being the script's line that called into the module. Does not return. */
int cs_script_raise(lua_State *L, const cs_error *err);

/* The innermost call that is the script's own; false: there is none. */
bool cs_script_own_call(lua_State *L, lua_Debug *at);

/* The innermost line that is the script's own, 0: there is none. */
int cs_script_line(lua_State *L);
/* The same, quicker where the calling function is *caller: one of the script's
 * own, kept from call to call. For messages: a new function of the module may
 * come to lie where a dead one of the script lay. */
int cs_script_line_of(lua_State *L, const void **caller);

/* Chunks whose names begin so are the module's own, which is never to blame. */
void cs_script_set_folder(lua_State *L, const char *folder);
bool cs_script_of_module(lua_State *L, const char *source);

/* stand_in(f, of): f; its results are blamed on `of`, which the script wrote. */
int cs_script_stand_in(lua_State *L);

/* Pushes the function that the one at `index` stands for, else that. */
void cs_script_push_behind(lua_State *L, int index);

/* Pushes "file:line: " of the innermost line that is the script's own. */
void cs_script_push_place(lua_State *L);

/* The same from a printf-like text, of the kind CS_INPUT. */
int cs_script_fail(lua_State *L, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Pushes what is written on a page, and frees it, whether or not Lua has
 * memory for it. Returns 1. */
int cs_script_push_page(lua_State *L, cs_page *p);

/* The fields of the table at `index` as values, in memory that lies on the
 * stack (one value is pushed and must stay as long as they are used). Fields
 * that `skip` (or NULL) names, separated by blanks, are left out. Raises an error on what is no value. */
cs_value *cs_script_values(lua_State *L, int index, const char *skip,
                           size_t *n);

/* The numbers of the list (or list of equally long lists) at `index`; one
 * value is pushed that holds them. Raises errors that call it `name`. */
double *cs_script_numbers(lua_State *L, int index, const char *name,
                          size_t *rows, size_t *cols);

/* Pushes a coordinate of a state: an integer where the space is discrete and
 * the number is one. */
static inline void cs_script_push_coordinate(lua_State *L, double x,
                                             bool discrete)
{
    if (discrete && x == floor(x) && fabs(x) < 0x1p53)
        lua_pushinteger(L, (lua_Integer)x);
    else
        lua_pushnumber(L, x);
}

/* Pushes a list of n numbers. */
void cs_script_push_numbers(lua_State *L, const double *x, size_t n);

/* Raises "WHAT has no NAME: did you mean ...?" of a NULL-terminated list. */
int cs_script_raise_field(lua_State *L, const char *what, const char *name,
                          const char *const *names);

/* Pushes {name=, unit=, kind=, min=, max=, default=, required=, choices=,
 * help=, ref=} rows. */
void cs_script_push_rows(lua_State *L, const cs_param *rows, size_t n);

/* Adds name = {rows, title=, help=} to the table on top: a registered type. */
void cs_script_list(lua_State *L, const char *name, const char *title,
                    const char *help, const cs_param *rows, size_t n);

/* The type of the value at `index`: of a userdata of the module the word after
 * "chainscope." in its metatable's name ("target", "kernel", "run" ...), else
 * Lua's own type name. */
const char *cs_script_kind(lua_State *L, int index);

/* Makes the metatable `meta` with `methods`; scripts see only `word` of it. */
void cs_script_class(lua_State *L, const char *meta, const char *word,
                     const luaL_Reg *methods);

/* Replaces the functions of the table at `math` that cs.math has too by those
 * of cs.math, which do the same with numbers; the replaced ones are kept in
 * the table at `old` (0: not kept). No table at `math`: nothing is done. */
void cs_script_overlay_math(lua_State *L, int math, int old);
/* Copies the fields of the table at `from` to the one at `to`. */
void cs_script_copy_fields(lua_State *L, int to, int from);
