#include "script/bind/lua_tuner.h"

#include "script/bind/luaopen.h"
#include "script/state/value.h"

#include <lauxlib.h>

static const char meta[] = "chainscope.tuner";

const cs_tuner *cs_script_to_tuner(lua_State *L, int index)
{
    return luaL_testudata(L, index, meta);
}

/* tuner_new(name, fields): returns a tuner. */
static int tuner_new(lua_State *L)
{
    const cs_tuner_type *type = cs_tuner_find(luaL_checkstring(L, 1));
    luaL_checktype(L, 2, LUA_TTABLE);
    if (!type)
        return luaL_argerror(L, 1, "no such tuner");
    size_t n;
    const cs_value *values = cs_script_values(L, 2, NULL, &n);
    cs_tuner tuner;
    cs_error err = {0};
    if (cs_tuner_init(&tuner, type, values, n, &err))
        return cs_script_raise(L, &err);
    *(cs_tuner *)lua_newuserdatauv(L, sizeof tuner, 0) = tuner;
    luaL_setmetatable(L, meta);
    return 1;
}

static int to_string(lua_State *L)
{
    const cs_tuner *t = luaL_checkudata(L, 1, meta);
    lua_pushfstring(L, "tuner %s", t->type->name);
    return 1;
}

static int tuner_list(lua_State *L)
{
    const cs_tuner_type *type;
    lua_newtable(L);
    for (size_t i = 0; (type = cs_tuner_at(i)); i++)
        cs_script_list(L, type->name, type->title, type->help, type->params,
                       type->n_params);
    return 1;
}

void cs_script_open_tuner(lua_State *L)
{
    static const luaL_Reg methods[] = {{"__tostring", to_string}, {NULL, NULL}};
    static const luaL_Reg functions[] = {
        {"tuner_new", tuner_new}, {"tuners", tuner_list}, {NULL, NULL}};
    cs_script_class(L, meta, "tuner", methods);
    luaL_setfuncs(L, functions, 0);
}
