/* Conversion between Lua tables and parameters; errors with their place in the
 * script. */
#pragma once

#include "base/page.h"
#include "base/param.h"

#include <lauxlib.h>
#include <lua.h>
#include <math.h>
#include <stdbool.h>

/* Raises `err` as a Lua error "file:line: what: hint", with the line of the
 * script that called the module. Does not return. */
int cs_script_raise(lua_State *L, const cs_error *err);

/* Finds the innermost call of the script; returns false if no function of the
 * script is running. */
bool cs_script_own_call(lua_State *L, lua_Debug *at);

/* Returns the innermost line of the script; 0 if no function of the script is
 * running. */
int cs_script_line(lua_State *L);
/* Returns the same line as cs_script_line. Is faster if the calling function is
 * *caller, a function of the script that is stored between calls. Use the
 * result only in messages, because a function of the module may have the
 * address of a freed function of the script. */
int cs_script_line_of(lua_State *L, const void **caller);

/* Sets the prefix of the chunk names of the module; error messages never name
 * these chunks. */
void cs_script_set_folder(lua_State *L, const char *folder);
bool cs_script_of_module(lua_State *L, const char *source);

/* Lua: stand_in(f, of): records that f replaces the script's function `of`.
 * Errors about the results of f then name `of`. Returns f. */
int cs_script_stand_in(lua_State *L);

/* If the function at `index` replaces another function (see
 * cs_script_stand_in), pushes that other function; otherwise pushes the
 * function at `index`. */
void cs_script_push_behind(lua_State *L, int index);

/* Pushes "file:line: " for the innermost line of the script. */
void cs_script_push_place(lua_State *L);

/* Raises an error with a printf-like message at the innermost line of the
 * script, with status CS_INPUT. */
int cs_script_fail(lua_State *L, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Pushes the text of a page and frees the page, even if Lua is out of memory.
 * Returns 1. */
int cs_script_push_page(lua_State *L, cs_page *p);

/* Reads the fields of the table at `index` as values. `skip` is a list of field
 * names, separated by blanks, that are not read (NULL: all fields are read).
 * Pushes a value that owns the memory of the values read. Raises an error for
 * an invalid value. */
cs_value *cs_script_values(lua_State *L, int index, const char *skip,
                           size_t *n);

/* Reads the list at `index` and returns its numbers. The list contains numbers,
 * or lists of numbers that are equally long. Pushes a value that owns the
 * numbers. Error messages call the list `name`. */
double *cs_script_numbers(lua_State *L, int index, const char *name,
                          size_t *rows, size_t *cols);

/* Pushes a coordinate of a state: an integer if the space is discrete and the
 * number is integral. */
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

/* Set a field of the table on top of the stack; cs_script_set_known omits
 * NaN. */
void cs_script_set_number(lua_State *L, const char *key, double x);
void cs_script_set_known(lua_State *L, const char *key, double x);
void cs_script_set_whole(lua_State *L, const char *key, double x);
void cs_script_set_flag(lua_State *L, const char *key, bool flag);
void cs_script_set_text(lua_State *L, const char *key, const char *text);
void cs_script_set_function(lua_State *L, const char *key, lua_CFunction f);
void cs_script_set_list(lua_State *L, const char *key, const double *x,
                        size_t n);

/* Raises "WHAT has no NAME: did you mean ...?". The suggestion is the nearest
 * name in a NULL-terminated list. */
int cs_script_raise_field(lua_State *L, const char *what, const char *name,
                          const char *const *names);

/* Pushes a list of parameters, {name=, unit=, kind=, min=, max=, default=,
 * required=, choices=, help=, ref=}. */
void cs_script_push_rows(lua_State *L, const cs_param *rows, size_t n);

/* Adds an entry name = {rows, title=, help=}, which describes a registered
 * type, to the table on top of the stack. */
void cs_script_list(lua_State *L, const char *name, const char *title,
                    const char *help, const cs_param *rows, size_t n);

/* Returns the type of the value at `index`: for a userdata of the module, the
 * word after "chainscope." in the name of its metatable ("target", "kernel",
 * "run" ...); for other values, Lua's type name. */
const char *cs_script_kind(lua_State *L, int index);

/* Creates the metatable `meta` with `methods`. `word` is the type name that
 * scripts see. */
void cs_script_class(lua_State *L, const char *meta, const char *word,
                     const luaL_Reg *methods);

/* Replaces functions in the table at `math` by functions of cs.math.
 * Only functions are replaced that have the same name in cs.math, and
 * there give the same results for numbers. Saves the originals in the
 * table at `old` (0: does not save the originals). Does nothing if the
 * value at `math` is not a table. */
void cs_script_overlay_math(lua_State *L, int math, int old);
/* Copies the fields of the table at `from` to the table at `to`. */
void cs_script_copy_fields(lua_State *L, int to, int from);
