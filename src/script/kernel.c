/* The userdata of a kernel. */
#include "script/kernel.h"

#include "script/schedule.h"
#include "script/value.h"

#include <lauxlib.h>
#include <string.h>

static const char meta[] = "chainscope.kernel";

cs_script_kernel *cs_script_push_kernel(lua_State *L)
{
    cs_script_kernel *k = lua_newuserdatauv(L, sizeof *k, 1);
    memset(k, 0, sizeof *k);
    luaL_setmetatable(L, meta);
    lua_newtable(L);
    lua_setiuservalue(L, -2, 1);
    return k;
}

cs_script_kernel *cs_script_to_kernel(lua_State *L, int index)
{
    return luaL_testudata(L, index, meta);
}

static int collect(lua_State *L)
{
    cs_script_kernel *k = lua_touserdata(L, 1);
    if (k->kernel.type && k->kernel.type->release)
        k->kernel.type->release(k->kernel.self);
    k->kernel.type = NULL;
    return 0;
}

static int raise_unknown(lua_State *L, const cs_kernel_type *type,
                         const char *name)
{
    cs_value given = {.name = name, .kind = CS_PARAM_REAL, .given = 1};
    cs_value out[CS_KERNEL_PARAMS];
    cs_error err = {0};
    cs_params_resolve(type->name, type->params, type->n_params, &given, 1, out,
                      &err);
    return cs_script_raise(L, &err);
}

void cs_script_plan(lua_State *L, int index, cs_script_kernel *k)
{
    const cs_kernel_type *type = k->kernel.type;
    int self = lua_gettop(L);
    lua_getiuservalue(L, self, 1);
    for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1)) {
        cs_schedule *s = cs_script_to_schedule(L, -1);
        if (!s)
            continue;
        const char *name = lua_tostring(L, -2);
        int row = cs_param_find(type->params, type->n_params, name);
        if (row < 0)
            raise_unknown(L, type, name);
        k->plan.driven[row] = true;
        k->plan.schedule[row] = *s;
        lua_pushvalue(L, -1);
        luaL_ref(L, self + 1);
    }
    lua_pop(L, 1);
}

/* The given numbers, and for what a schedule drives its value at step 1. */
static cs_value *given_values(lua_State *L, int index, size_t *n)
{
    static const char *const skip[] = {"name", NULL};
    cs_value *plain = cs_script_values(L, index, skip, n);
    for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1)) {
        cs_schedule *s = cs_script_to_schedule(L, -1);
        if (!s || lua_type(L, -2) != LUA_TSTRING)
            continue;
        cs_value *v = &plain[*n];
        *v = (cs_value){
            .name = lua_tostring(L, -2), .kind = CS_PARAM_REAL, .given = 1};
        s->type->fill(s, 1, 1, &v->number);
        (*n)++;
    }
    return plain;
}

/* kernel_new(name, fields): functions in fields were made schedules. */
static int kernel_new(lua_State *L)
{
    const cs_kernel_type *type = cs_kernel_find(luaL_checkstring(L, 1));
    luaL_checktype(L, 2, LUA_TTABLE);
    lua_settop(L, 2);
    if (!type)
        return luaL_argerror(L, 1, "no such kernel");
    size_t n;
    cs_value *values = given_values(L, 2, &n);
    cs_script_kernel *k = cs_script_push_kernel(L);
    cs_error err = {0};
    if (cs_kernel_init(&k->kernel, type, values, n, &err)) {
        k->kernel.type = NULL;
        return cs_script_raise(L, &err);
    }
    cs_script_plan(L, 2, k);
    return 1;
}

static int to_string(lua_State *L)
{
    cs_script_kernel *k = luaL_checkudata(L, 1, meta);
    lua_pushfstring(L, "kernel %s", k->kernel.type->name);
    return 1;
}

/* k.name, k.title, or the value of a parameter. */
static int index_field(lua_State *L)
{
    cs_script_kernel *k = luaL_checkudata(L, 1, meta);
    const char *key = luaL_checkstring(L, 2);
    const cs_kernel_type *type = k->kernel.type;
    int row = cs_param_find(type->params, type->n_params, key);
    if (row >= 0)
        lua_pushnumber(L, k->kernel.values[row]);
    else if (strcmp(key, "name") == 0)
        lua_pushstring(L, type->name);
    else if (strcmp(key, "title") == 0)
        lua_pushstring(L, type->title);
    else
        lua_pushnil(L);
    return 1;
}

static int kernel_list(lua_State *L)
{
    const cs_kernel_type *type;
    lua_newtable(L);
    for (size_t i = 0; (type = cs_kernel_at(i)); i++) {
        if (type->flags & CS_KERNEL_HIDDEN)
            continue;
        cs_script_push_rows(L, type->params, type->n_params);
        lua_pushstring(L, type->title);
        lua_setfield(L, -2, "title");
        lua_pushstring(L, type->help);
        lua_setfield(L, -2, "help");
        lua_setfield(L, -2, type->name);
    }
    return 1;
}

void cs_script_open_kernel(lua_State *L)
{
    static const luaL_Reg methods[] = {{"__gc", collect},
                                       {"__tostring", to_string},
                                       {"__index", index_field},
                                       {NULL, NULL}};
    static const luaL_Reg functions[] = {
        {"kernel_new", kernel_new},
        {"kernel_lua", cs_script_function_kernel},
        {"kernels", kernel_list},
        {NULL, NULL}};
    luaL_newmetatable(L, meta);
    luaL_setfuncs(L, methods, 0);
    lua_pushliteral(L, "kernel");
    lua_setfield(L, -2, "__metatable");
    lua_pop(L, 1);
    luaL_setfuncs(L, functions, 0);
}
