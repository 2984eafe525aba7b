/* Access to the captured variables of a script's functions, for
 * lua/chainscope/memory.lua, which saves these variables with the run. */
#include "script/bind/luaopen.h"
#include "script/state/digest.h"
#include "script/state/value.h"
#include "script/state/writes.h"

#include <lauxlib.h>
#include <string.h>

/* captured(f, i): returns three values for captured variable i of f: its name,
 * its value, and an identifier. Functions that capture the same variable get
 * the same identifier. Returns nothing if i is too large. */
static int captured(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TFUNCTION);
    int i = (int)luaL_checkinteger(L, 2);
    const char *name = lua_getupvalue(L, 1, i);
    if (!name)
        return 0;
    lua_pushstring(L, name);
    lua_insert(L, -2);
    lua_pushlightuserdata(L, lua_upvalueid(L, 1, i));
    return 3;
}

/* capture(f, i, value): sets a captured variable of f. */
static int capture(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TFUNCTION);
    lua_settop(L, 3);
    lua_setupvalue(L, 1, (int)luaL_checkinteger(L, 2));
    return 0;
}

/* function_place(f): returns the place of a script's function, such as
 * "steps.lua:12". Returns nil if f is written in C, or belongs to the module or
 * the console. */
static int function_place(lua_State *L)
{
    lua_Debug at;
    luaL_checktype(L, 1, LUA_TFUNCTION);
    lua_pushvalue(L, 1);
    lua_getinfo(L, ">S", &at);
    const char *slash = strrchr(at.source, '/');
    if (*at.what == 'C' || *at.source == '=' ||
        cs_script_of_module(L, at.source))
        return 0;
    lua_pushfstring(L, "%s:%d", slash ? slash + 1 : at.source + 1,
                    at.linedefined);
    return 1;
}

/* function_digest(f): returns the digest of f's code and captured values, as 16
 * digits. */
static int function_digest(lua_State *L)
{
    char text[32];
    luaL_checktype(L, 1, LUA_TFUNCTION);
    snprintf(text, sizeof text, "%016llx",
             (unsigned long long)cs_script_digest(L, 1));
    lua_pushstring(L, text);
    return 1;
}

/* chain_functions(): returns the functions called within steps, as a table from
 * function to name. */
static int chain_functions(lua_State *L)
{
    cs_script_push_chain_functions(L);
    return 1;
}

/* class_of(x): returns the metatable of x, even if the metatable has a field
 * __metatable. */
static int class_of(lua_State *L)
{
    luaL_checkany(L, 1);
    return lua_getmetatable(L, 1);
}

void cs_script_open_captured(lua_State *L)
{
    static const luaL_Reg functions[] = {{"captured", captured},
                                         {"capture", capture},
                                         {"function_place", function_place},
                                         {"function_digest", function_digest},
                                         {"chain_functions", chain_functions},
                                         {"class_of", class_of},
                                         {NULL, NULL}};
    luaL_setfuncs(L, functions, 0);
}
