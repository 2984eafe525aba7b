/* Conversion between Lua tables and parameter rows; errors with their place. */
#pragma once

#include "base/page.h"
#include "base/param.h"

#include <lauxlib.h>
#include <lua.h>
#include <math.h>
#include <stdbool.h>

/* Raises `err` as a Lua error "file:line: what: how to mend it", with the
 * script's line that called the module. Does not return. */
int cs_script_raise(lua_State *L, const cs_error *err);

/* Finds the innermost call of the script; false: there is none. */
bool cs_script_own_call(lua_State *L, lua_Debug *at);

/* Returns the innermost line of the script, 0 if there is none. */
int cs_script_line(lua_State *L);
/* The same, faster if the calling function is *caller, one of the script's,
 * which is remembered between calls. For messages only: a function of the
 * module may later have the address of a freed one of the script. */
int cs_script_line_of(lua_State *L, const void **caller);

/* Sets the prefix of the names of the module's chunks, which are never named in
 * errors. */
void cs_script_set_folder(lua_State *L, const char *folder);
bool cs_script_of_module(lua_State *L, const char *source);

/* stand_in(f, of): returns f; errors in its results name `of`, a function of
 * the script. */
int cs_script_stand_in(lua_State *L);

/* Pushes the function that the one at `index` stands for, else that one. */
void cs_script_push_behind(lua_State *L, int index);

/* Pushes "file:line: " for the innermost line of the script. */
void cs_script_push_place(lua_State *L);

/* The same with a printf-like text, as CS_INPUT. */
int cs_script_fail(lua_State *L, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Pushes the text of a page and frees it, even if Lua has no memory for it.
 * Returns 1. */
int cs_script_push_page(lua_State *L, cs_page *p);

/* Reads the fields of the table at `index` as values, in memory owned by a
 * value that is pushed. Skips the fields named in `skip` (or NULL), separated
 * by blanks. Raises an error for an invalid value. */
cs_value *cs_script_values(lua_State *L, int index, const char *skip,
                           size_t *n);

/* Returns the numbers of the list (or list of equally long lists) at `index`;
 * pushes the value that owns them. Errors call the list `name`. */
double *cs_script_numbers(lua_State *L, int index, const char *name,
                          size_t *rows, size_t *cols);

/* Pushes a coordinate of a state: an integer if the space is discrete and the
 * number is whole. */
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

/* Set a field of the table on top of the stack; `known` omits NaN. */
void cs_script_set_number(lua_State *L, const char *key, double x);
void cs_script_set_known(lua_State *L, const char *key, double x);
void cs_script_set_whole(lua_State *L, const char *key, double x);
void cs_script_set_flag(lua_State *L, const char *key, bool flag);
void cs_script_set_text(lua_State *L, const char *key, const char *text);
void cs_script_set_function(lua_State *L, const char *key, lua_CFunction f);
void cs_script_set_list(lua_State *L, const char *key, const double *x,
                        size_t n);

/* Raises "WHAT has no NAME: did you mean ...?" for a NULL-terminated list. */
int cs_script_raise_field(lua_State *L, const char *what, const char *name,
                          const char *const *names);

/* Pushes {name=, unit=, kind=, min=, max=, default=, required=, choices=,
 * help=, ref=} rows. */
void cs_script_push_rows(lua_State *L, const cs_param *rows, size_t n);

/* Adds name = {rows, title=, help=} to the table on top: a registered type. */
void cs_script_list(lua_State *L, const char *name, const char *title,
                    const char *help, const cs_param *rows, size_t n);

/* Returns the type of the value at `index`: for a userdata of the module the
 * word after "chainscope." in its metatable's name ("target", "kernel", "run"
 * ...), else Lua's type name. */
const char *cs_script_kind(lua_State *L, int index);

/* Creates the metatable `meta` with `methods`; scripts see it as `word`. */
void cs_script_class(lua_State *L, const char *meta, const char *word,
                     const luaL_Reg *methods);

/* Replaces functions of the table at `math` by those of cs.math with the same
 * name, which agree on numbers; saves the originals in the table at `old` (0:
 * not saved). Does nothing without a table at `math`. */
void cs_script_overlay_math(lua_State *L, int math, int old);
/* Copies the fields of the table at `from` to the one at `to`. */
void cs_script_copy_fields(lua_State *L, int to, int from);
