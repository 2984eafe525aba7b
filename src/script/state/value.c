#include "script/state/value.h"

#include "base/memory.h"
#include "base/text.h"

#include <assert.h>
#include <lauxlib.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char folder_key = 0;

void cs_script_set_folder(lua_State *L, const char *folder)
{
    lua_pushstring(L, folder);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &folder_key);
}

/* True for a chunk of the module; error messages never name such chunks. */
bool cs_script_of_module(lua_State *L, const char *source)
{
    lua_rawgetp(L, LUA_REGISTRYINDEX, &folder_key);
    size_t n = 0;
    const char *folder = lua_tolstring(L, -1, &n);
    lua_pop(L, 1);
    return folder && strncmp(source, folder, n) == 0;
}

/* Finds the innermost call of the script; returns false if no function of the
 * script is running. */
bool cs_script_own_call(lua_State *L, lua_Debug *at)
{
    for (int level = 0; lua_getstack(L, level, at); level++) {
        lua_getinfo(L, "Sl", at);
        if (at->currentline > 0 && !cs_script_of_module(L, at->source))
            return true;
    }
    return false;
}

int cs_script_line(lua_State *L)
{
    lua_Debug at;
    return cs_script_own_call(L, &at) ? at.currentline : 0;
}

int cs_script_line_of(lua_State *L, const void **caller)
{
    lua_Debug at;
    if (!lua_getstack(L, 1, &at))
        return cs_script_line(L);
    lua_getinfo(L, "fl", &at);
    const void *f = lua_topointer(L, -1);
    lua_pop(L, 1);
    if (f == *caller)
        return at.currentline;
    lua_getinfo(L, "S", &at);
    if (at.currentline <= 0 || cs_script_of_module(L, at.source))
        return cs_script_line(L);
    *caller = f;
    return at.currentline;
}

static const char behind_key = 0;

int cs_script_stand_in(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TFUNCTION);
    luaL_checktype(L, 2, LUA_TFUNCTION);
    lua_settop(L, 2);
    if (lua_rawgetp(L, LUA_REGISTRYINDEX, &behind_key) == LUA_TNIL) {
        lua_pop(L, 1);
        lua_newtable(L);
        lua_createtable(L, 0, 1);
        lua_pushliteral(L, "k");
        lua_setfield(L, -2, "__mode");
        lua_setmetatable(L, -2);
        lua_pushvalue(L, -1);
        lua_rawsetp(L, LUA_REGISTRYINDEX, &behind_key);
    }
    lua_pushvalue(L, 1);
    lua_pushvalue(L, 2);
    lua_rawset(L, 3);
    lua_settop(L, 1);
    return 1;
}

void cs_script_push_behind(lua_State *L, int index)
{
    index = lua_absindex(L, index);
    if (lua_rawgetp(L, LUA_REGISTRYINDEX, &behind_key) == LUA_TTABLE) {
        lua_pushvalue(L, index);
        lua_rawget(L, -2);
        lua_remove(L, -2);
    }
    if (!lua_isfunction(L, -1)) {
        lua_pop(L, 1);
        lua_pushvalue(L, index);
    }
}

void cs_script_push_place(lua_State *L)
{
    lua_Debug at;
    if (cs_script_own_call(L, &at))
        lua_pushfstring(L, "%s:%d: ", at.short_src, at.currentline);
    else
        lua_pushliteral(L, "");
}

int cs_script_raise(lua_State *L, const cs_error *err)
{
    assert(err->status != CS_OK);
    char text[1200];
    cs_script_push_place(L);
    cs_error_format(err, text, sizeof text);
    lua_pushstring(L, text);
    lua_concat(L, 2);
    return lua_error(L);
}

int cs_script_fail(lua_State *L, const char *format, ...)
{
    char text[512];
    cs_error err;
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    cs_fail(&err, CS_INPUT, "%s", text);
    return cs_script_raise(L, &err);
}

const char *cs_script_kind(lua_State *L, int index)
{
    static const char prefix[] = "chainscope.";
    const size_t n = sizeof prefix - 1;
    const char *kind = luaL_typename(L, index);
    if (!lua_isuserdata(L, index) ||
        luaL_getmetafield(L, index, "__name") == LUA_TNIL)
        return kind;
    if (lua_type(L, -1) == LUA_TSTRING &&
        strncmp(lua_tostring(L, -1), prefix, n) == 0)
        kind = lua_tostring(L, -1) + n; /* the metatable keeps the string
                                         * alive */
    lua_pop(L, 1);
    return kind;
}

static int raise_text(lua_State *L, const char *what, const char *name)
{
    cs_error err;
    cs_fail(&err, CS_INPUT, "field '%s' %s", name, what);
    return cs_script_raise(L, &err);
}

/* Raises an error: the value on top of the stack cannot be a field. */
static int raise_kind(lua_State *L, const char *name)
{
    cs_error err;
    cs_fail(&err, CS_INPUT, "field '%s' is a %s", name, cs_script_kind(L, -1));
    cs_hint(&err, "give a number, a string or a list of numbers");
    return cs_script_raise(L, &err);
}

static double number_at(lua_State *L, const char *name)
{
    int ok;
    double x = lua_tonumberx(L, -1, &ok);
    if (!ok || lua_type(L, -1) != LUA_TNUMBER)
        raise_text(L, "must hold numbers only", name);
    lua_pop(L, 1);
    return x;
}

double *cs_script_numbers(lua_State *L, int index, const char *name,
                          size_t *rows, size_t *cols)
{
    assert(lua_istable(L, index));
    index = lua_absindex(L, index);
    *rows = lua_rawlen(L, index);
    *cols = 1;
    size_t pairs = 0;
    for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1))
        pairs++;
    if (pairs == 0 || pairs != *rows)
        raise_text(L, pairs ? "must be a list without names" : "is empty",
                   name);
    bool matrix = lua_rawgeti(L, index, 1) == LUA_TTABLE;
    if (matrix)
        *cols = lua_rawlen(L, -1);
    lua_pop(L, 1);
    double *out = lua_newuserdatauv(L, (*rows * *cols + 1) * sizeof *out, 0);
    for (size_t r = 0; r < *rows; r++) {
        int type = lua_rawgeti(L, index, (lua_Integer)r + 1);
        if (!matrix) {
            out[r] = number_at(L, name);
            continue;
        }
        if (type != LUA_TTABLE || lua_rawlen(L, -1) != *cols)
            raise_text(L, "must have rows of equal length", name);
        for (size_t c = 0; c < *cols; c++) {
            lua_rawgeti(L, -1, (lua_Integer)c + 1);
            out[r * *cols + c] = number_at(L, name);
        }
        lua_pop(L, 1);
    }
    return out;
}

/* Reads the value on top of the stack. Returns true if the value is valid.
 * `keep` is a list on the stack that owns arrays. */
static bool read_value(lua_State *L, int keep, cs_value *v)
{
    int at = lua_gettop(L);
    v->given = 1;
    switch (lua_type(L, at)) {
    case LUA_TNUMBER:
        v->kind = CS_PARAM_REAL;
        v->number = lua_tonumber(L, at);
        return true;
    case LUA_TBOOLEAN:
        v->kind = CS_PARAM_BOOL;
        v->number = lua_toboolean(L, at);
        return true;
    case LUA_TSTRING:
        v->kind = CS_PARAM_TEXT;
        v->text = lua_tostring(L, at);
        lua_pushvalue(L, at);
        luaL_ref(L, keep);
        return true;
    case LUA_TTABLE:
        v->kind = CS_PARAM_ARRAY;
        v->array = cs_script_numbers(L, at, v->name, &v->rows, &v->cols);
        luaL_ref(L, keep);
        return true;
    default:
        return false;
    }
}

/* True if `name` is a word of the list. */
static bool is_listed(const char *list, const char *name)
{
    size_t n = strlen(name);
    for (const char *at = list; at && *at; at += strspn(at, " ")) {
        size_t word = strcspn(at, " ");
        if (word == n && strncmp(at, name, n) == 0)
            return true;
        at += word;
    }
    return false;
}

cs_value *cs_script_values(lua_State *L, int index, const char *skip, size_t *n)
{
    assert(lua_istable(L, index));
    size_t most = 0;
    index = lua_absindex(L, index);
    for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1))
        most++;
    cs_value *values = lua_newuserdatauv(L, (most + 1) * sizeof *values, 1);
    int block = lua_gettop(L);
    lua_newtable(L);
    int keep = block + 1;
    *n = 0;
    for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1)) {
        if (lua_type(L, -2) != LUA_TSTRING)
            raise_text(L, "has no name: write name = value",
                       luaL_tolstring(L, -2, NULL));
        cs_value *v = &values[*n];
        *v = (cs_value){.name = lua_tostring(L, -2)};
        if (is_listed(skip, v->name))
            continue;
        if (!read_value(L, keep, v))
            raise_kind(L, v->name);
        (*n)++;
    }
    lua_setiuservalue(L, block, 1);
    return values;
}

void cs_script_push_numbers(lua_State *L, const double *x, size_t n)
{
    assert(x || n == 0);
    lua_createtable(L, (int)n, 0);
    for (size_t i = 0; i < n; i++) {
        lua_pushnumber(L, x[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
}

void cs_script_set_number(lua_State *L, const char *key, double x)
{
    lua_pushnumber(L, x);
    lua_setfield(L, -2, key);
}

void cs_script_set_known(lua_State *L, const char *key, double x)
{
    if (!isnan(x))
        cs_script_set_number(L, key, x);
}

void cs_script_set_whole(lua_State *L, const char *key, double x)
{
    lua_pushinteger(L, (lua_Integer)x);
    lua_setfield(L, -2, key);
}

void cs_script_set_flag(lua_State *L, const char *key, bool flag)
{
    lua_pushboolean(L, flag);
    lua_setfield(L, -2, key);
}

void cs_script_set_text(lua_State *L, const char *key, const char *text)
{
    lua_pushstring(L, text);
    lua_setfield(L, -2, key);
}

void cs_script_set_function(lua_State *L, const char *key, lua_CFunction f)
{
    lua_pushcfunction(L, f);
    lua_setfield(L, -2, key);
}

void cs_script_set_list(lua_State *L, const char *key, const double *x,
                        size_t n)
{
    cs_script_push_numbers(L, x, n);
    lua_setfield(L, -2, key);
}

static void set_text(lua_State *L, const char *key, const char *text)
{
    cs_script_set_text(L, key, text ? text : "");
}

static void push_choices(lua_State *L, const char *const *choices)
{
    lua_newtable(L);
    for (lua_Integer i = 0; choices && choices[i]; i++) {
        lua_pushstring(L, choices[i]);
        lua_rawseti(L, -2, i + 1);
    }
}

int cs_script_raise_field(lua_State *L, const char *what, const char *name,
                          const char *const *names)
{
    cs_error err;
    char all[230] = "";
    size_t used = 0;
    cs_fail(&err, CS_UNKNOWN, "%s has no '%s'", what, name);
    const char *near = cs_text_nearest(name, names);
    for (; !near && *names; names++)
        if (used + strlen(*names) + 3 < sizeof all)
            used += (size_t)snprintf(all + used, sizeof all - used, "%s%s",
                                     used ? ", " : "", *names);
    cs_hint(&err, near ? "did you mean '%s'?" : "use one of: %s",
            near ? near : all);
    return cs_script_raise(L, &err);
}

void cs_script_push_rows(lua_State *L, const cs_param *rows, size_t n)
{
    static const char *const kinds[] = {"real",   "int",   "bool",
                                        "choice", "array", "text"};
    lua_createtable(L, (int)n, 0);
    for (size_t i = 0; i < n; i++) {
        lua_newtable(L);
        set_text(L, "name", rows[i].name);
        set_text(L, "unit", rows[i].unit);
        set_text(L, "kind", kinds[rows[i].kind]);
        set_text(L, "help", rows[i].help);
        set_text(L, "ref", rows[i].ref);
        cs_script_set_number(L, "min", rows[i].min);
        cs_script_set_number(L, "max", rows[i].max);
        cs_script_set_number(L, "default", rows[i].def);
        cs_script_set_flag(L, "required",
                           (rows[i].flags & CS_PARAM_REQUIRED) != 0);
        push_choices(L, rows[i].choices);
        lua_setfield(L, -2, "choices");
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
}

static int push_bytes(lua_State *L)
{
    const cs_page *p = lua_touserdata(L, 1);
    lua_pushlstring(L, p->text ? p->text : "", p->used);
    return 1;
}

int cs_script_push_page(lua_State *L, cs_page *p)
{
    int status = LUA_OK;
    if (!p->full && lua_checkstack(L, 3)) {
        lua_pushcfunction(L, push_bytes);
        lua_pushlightuserdata(L, p);
        status = lua_pcall(L, 1, 1, 0);
    } else {
        p->full = true;
    }
    cs_free(p->text);
    if (p->full)
        return luaL_error(L, "out of memory for a string");
    return status == LUA_OK ? 1 : lua_error(L);
}

void cs_script_list(lua_State *L, const char *name, const char *title,
                    const char *help, const cs_param *rows, size_t n)
{
    cs_script_push_rows(L, rows, n);
    cs_script_set_text(L, "title", title);
    cs_script_set_text(L, "help", help);
    lua_setfield(L, -2, name);
}

void cs_script_class(lua_State *L, const char *meta, const char *word,
                     const luaL_Reg *methods)
{
    assert(meta && word && methods);
    luaL_newmetatable(L, meta);
    luaL_setfuncs(L, methods, 0);
    cs_script_set_text(L, "__metatable", word);
    lua_pop(L, 1);
}

void cs_script_copy_fields(lua_State *L, int to, int from)
{
    if (!lua_istable(L, to))
        return;
    for (lua_pushnil(L); lua_next(L, from); lua_pop(L, 1)) {
        lua_pushvalue(L, -2);
        lua_pushvalue(L, -2);
        lua_rawset(L, to);
    }
}

void cs_script_overlay_math(lua_State *L, int math, int old)
{
    if (!lua_istable(L, math))
        return;
    lua_getfield(L, LUA_REGISTRYINDEX, "chainscope.math");
    int ours = lua_gettop(L);
    for (lua_pushnil(L); lua_next(L, ours); lua_pop(L, 1)) {
        const char *name = lua_tostring(L, -2);
        lua_pushstring(L, name);
        if (lua_rawget(L, math) != LUA_TFUNCTION) {
            lua_pop(L, 1);
            continue;
        }
        if (old)
            lua_setfield(L, old, name);
        else
            lua_pop(L, 1);
        lua_pushstring(L, name);
        lua_pushvalue(L, -2);
        lua_rawset(L, math);
    }
    lua_pop(L, 1);
}
