/* The userdata of a schedule: a registered type, or a Lua function of the step
 * number. */
#include "script/bind/lua_schedule.h"

#include "base/memory.h"
#include "data/parts.h"
#include "script/bind/luaopen.h"
#include "script/state/callback.h"
#include "script/state/digest.h"
#include "script/state/value.h"
#include "script/state/writes.h"

#include <lauxlib.h>
#include <math.h>
#include <string.h>

static const char meta[] = "chainscope.schedule";

cs_schedule *cs_script_to_schedule(lua_State *L, int index)
{
    return luaL_testudata(L, index, meta);
}

static int collect(lua_State *L)
{
    cs_schedule *s = lua_touserdata(L, 1);
    if (s->type && s->type->release)
        s->type->release(s);
    s->type = NULL;
    return 0;
}

static cs_schedule *push(lua_State *L)
{
    cs_schedule *s = lua_newuserdatauv(L, sizeof *s, 0);
    memset(s, 0, sizeof *s);
    luaL_setmetatable(L, meta);
    return s;
}

/* schedule_new(name, fields): returns a schedule of a registered type. */
static int schedule_new(lua_State *L)
{
    const cs_schedule_type *type = cs_schedule_find(luaL_checkstring(L, 1));
    luaL_checktype(L, 2, LUA_TTABLE);
    if (!type)
        return luaL_argerror(L, 1, "no such schedule");
    size_t n;
    cs_value *values = cs_script_values(L, 2, NULL, &n);
    cs_schedule *s = push(L);
    cs_error err = {0};
    if (cs_schedule_init(s, type, values, n, &err)) {
        s->type = NULL;
        return cs_script_raise(L, &err);
    }
    return 1;
}

/* ---- schedules that are Lua functions ---- */

typedef struct lua_schedule {
    cs_callback *link;
    int function;
    uint64_t digest;
    char changes[200]; /* name of a variable that changes between calls; "":
                        * none */
} lua_schedule;

typedef struct task {
    const lua_schedule *self;
    uint64_t first;
    size_t n;
    double *out;
} task;

static int call_function(lua_State *L)
{
    task *k = lua_touserdata(L, 1);
    for (size_t i = 0; i < k->n; i++) {
        lua_rawgeti(L, LUA_REGISTRYINDEX, k->self->function);
        lua_pushinteger(L, (lua_Integer)(k->first + i));
        lua_call(L, 1, 1);
        k->out[i] = cs_callback_number(L, k->self->function,
                                       "the value of the schedule");
        if (!isfinite(k->out[i]))
            return cs_callback_blame(
                L, k->self->function, "the schedule is %g at step %llu",
                isnan(k->out[i]) ? fabs(k->out[i]) : k->out[i],
                (unsigned long long)(k->first + i));
        lua_pop(L, 1);
    }
    return 0;
}

static void fill(const cs_schedule *s, uint64_t first, size_t n, double *out)
{
    const lua_schedule *self = s->self;
    task k = {self, first, n, out};
    for (size_t i = 0; i < n; i++)
        out[i] = NAN;
    cs_callback_call(self->link, call_function, &k);
}

static void release(cs_schedule *s)
{
    lua_schedule *self = s->self;
    if (!self)
        return;
    cs_callback_unref(self->link, self->function);
    cs_callback_release(self->link);
    cs_free(self);
    s->self = NULL;
}

static void parts(const cs_schedule *s, const char *name, cs_page *p)
{
    const lua_schedule *self = s->self;
    cs_parts_digest(p, name, "function", self->digest);
    if (*self->changes)
        cs_page_put(p, "%s" CS_SCRIPT_CHANGES " = %s\n", name, self->changes);
}

static const cs_schedule_type function_schedule = {
    .name = "function",
    .title = "A Lua function of the step number",
    .ref = "",
    .help = "Called once per step, with the step number, from 1.",
    .flags = CS_SCHEDULE_MAIN_THREAD | CS_SCHEDULE_HIDDEN,
    .fill = fill,
    .release = release,
    .parts = parts,
};

void cs_script_push_schedule(lua_State *L, const cs_schedule *s)
{
    const lua_schedule *self = s->self;
    if (s->type == &function_schedule)
        lua_rawgeti(L, LUA_REGISTRYINDEX, self->function);
    else
        *push(L) = *s;
}

/* schedule_lua(f): returns a schedule from a Lua function of the step. */
static int schedule_lua(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TFUNCTION);
    cs_callback *link = cs_callback_of(L);
    cs_schedule *s = push(L);
    lua_schedule *self = cs_alloc(1, sizeof *self);
    if (!self)
        return luaL_error(L, "out of memory for a schedule");
    self->link = cs_callback_hold(link);
    self->function = LUA_NOREF;
    s->self = self;
    s->type = &function_schedule;
    lua_pushvalue(L, 1);
    self->digest = cs_script_digest(L, -1);
    cs_script_note_chain_function(L, -1, "a schedule");
    if (!cs_script_writes(L, -1, self->changes, sizeof self->changes))
        *self->changes = 0;
    self->function = luaL_ref(L, LUA_REGISTRYINDEX);
    return 1;
}

/* s(step): returns the schedule's value at that step, for inspection. */
static int call_schedule(lua_State *L)
{
    cs_schedule *s = luaL_checkudata(L, 1, meta);
    lua_Integer step = luaL_checkinteger(L, 2);
    luaL_argcheck(L, step >= 0, 2, "must be at least 0");
    double value;
    s->type->fill(s, (uint64_t)step, 1, &value);
    lua_pushnumber(L, value);
    return 1;
}

static int to_string(lua_State *L)
{
    cs_schedule *s = luaL_checkudata(L, 1, meta);
    lua_pushfstring(L, "schedule %s", s->type->name);
    return 1;
}

static int schedule_list(lua_State *L)
{
    const cs_schedule_type *type;
    lua_newtable(L);
    for (size_t i = 0; (type = cs_schedule_at(i)); i++)
        if (!(type->flags & CS_SCHEDULE_HIDDEN))
            cs_script_list(L, type->name, type->title, type->help, type->params,
                           type->n_params);
    return 1;
}

/* Pushes the value of a parameter in the form used by scripts. */
static void push_field(lua_State *L, const cs_param *row, const double *value)
{
    if (row->kind == CS_PARAM_ARRAY)
        cs_script_push_numbers(L, value + 1, (size_t)*value);
    else if (row->kind == CS_PARAM_CHOICE)
        lua_pushstring(L, row->choices[(size_t)*value]);
    else if (row->kind == CS_PARAM_BOOL)
        lua_pushboolean(L, *value != 0);
    else
        lua_pushnumber(L, *value);
}

/* schedule_fields(schedule): returns the name and the fields from which
 * schedule_new creates the same schedule; nil for a Lua function. */
static int schedule_fields(lua_State *L)
{
    const cs_schedule *s = luaL_checkudata(L, 1, meta);
    if (s->type->flags & CS_SCHEDULE_HIDDEN)
        return lua_pushnil(L), 1;
    lua_pushstring(L, s->type->name);
    lua_newtable(L);
    for (size_t i = 0; i < s->type->n_params; i++) {
        push_field(L, &s->type->params[i], &s->values[i]);
        lua_setfield(L, -2, s->type->params[i].name);
    }
    return 2;
}

void cs_script_open_schedule(lua_State *L)
{
    static const luaL_Reg methods[] = {{"__gc", collect},
                                       {"__call", call_schedule},
                                       {"__tostring", to_string},
                                       {NULL, NULL}};
    static const luaL_Reg functions[] = {{"schedule_new", schedule_new},
                                         {"schedule_lua", schedule_lua},
                                         {"schedule_fields", schedule_fields},
                                         {"schedules", schedule_list},
                                         {NULL, NULL}};
    cs_script_class(L, meta, "schedule", methods);
    luaL_setfuncs(L, functions, 0);
}
