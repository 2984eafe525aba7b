#include "script/bind/lua_kernel.h"

#include "kernels/auxiliary/scheme.h"
#include "script/bind/lua_auto.h"
#include "script/bind/lua_composed.h"
#include "script/bind/lua_schedule.h"
#include "script/bind/luaopen.h"
#include "script/state/callback.h"
#include "script/state/value.h"

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
    cs_kernel_release(&k->kernel);
    k->kernel.type = NULL;
    return 0;
}

/* Creates the plan (chain/plan.h) of the kernel on top of the stack. The plan
 * consists of the schedules in the table at `index` and the parameters that
 * these schedules drive. The kernel keeps the schedules alive. */
static void make_plan(lua_State *L, int index, cs_script_kernel *k)
{
    const cs_kernel_type *type = k->kernel.type;
    int self = lua_gettop(L);
    lua_getiuservalue(L, self, 1);
    for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1)) {
        const cs_schedule *s = cs_script_to_schedule(L, -1);
        int row = cs_param_find(type->params, type->n_params,
                                /* cannot fail: the values were checked
                                 * before */
                                lua_tostring(L, -2));
        if (!s || row < 0)
            continue;
        cs_error err;
        if (cs_plan_allows(s, &type->params[row], &err))
            cs_script_raise(L, &err);
        if (!cs_plan_drive(&k->plan, (size_t)row, s)) {
            cs_plan_is_full(&err);
            cs_script_raise(L, &err);
        }
        lua_pushvalue(L, -1);
        luaL_ref(L, self + 1);
    }
    lua_pop(L, 1);
}

/* Returns the values given in the script. A scheduled parameter has the value
 * that its schedule gives for step 1. */
static cs_value *given_values(lua_State *L, size_t *n)
{
    size_t driven = 0, plain;
    for (lua_pushnil(L); lua_next(L, 3); lua_pop(L, 1))
        driven++;
    const cs_value *given = cs_script_values(L, 2, NULL, &plain);
    cs_value *all = lua_newuserdatauv(L, (plain + driven + 1) * sizeof *all, 0);
    memcpy(all, given, plain * sizeof *all);
    for (lua_pushnil(L); lua_next(L, 3); lua_pop(L, 1)) {
        const cs_schedule *s = cs_script_to_schedule(L, -1);
        cs_value *v = &all[plain++];
        *v = (cs_value){
            .name = lua_tostring(L, -2), .kind = CS_PARAM_REAL, .given = 1};
        s->type->fill(s, 1, 1, &v->number);
    }
    *n = plain;
    return all;
}

/* Raises an error if a schedule in the table at stack index 3 drives a
 * parameter that is fixed when the kernel is created. Such a parameter
 * determines the kernel's memory. */
static void check_fixed(lua_State *L, const cs_kernel_type *type)
{
    for (lua_pushnil(L); lua_next(L, 3); lua_pop(L, 1)) {
        const char *name = lua_tostring(L, -2);
        int row = cs_param_find(type->params, type->n_params, name);
        cs_error err;
        if (row < 0 || !(type->params[row].flags & CS_PARAM_FIXED))
            continue;
        cs_fail(&err, CS_INPUT,
                "'%s' of cs.kernel.%s is fixed at creation, so no schedule can "
                "drive it",
                name, type->name);
        cs_hint(&err, type->params[row].kind == CS_PARAM_CHOICE
                          ? "give one of its names"
                          : "give a number");
        cs_script_raise(L, &err);
    }
}

/* kernel_new(name, values, schedules): returns a kernel. */
static int kernel_new(lua_State *L)
{
    const cs_kernel_type *type = cs_kernel_find(luaL_checkstring(L, 1));
    luaL_checktype(L, 2, LUA_TTABLE);
    luaL_checktype(L, 3, LUA_TTABLE);
    lua_settop(L, 3);
    if (!type)
        return luaL_argerror(L, 1, "no such kernel");
    size_t n;
    check_fixed(L, type);
    cs_value *values = given_values(L, &n);
    cs_callback_raise(L);
    cs_script_kernel *k = cs_script_push_kernel(L);
    cs_error err = {0};
    if (cs_kernel_init(&k->kernel, type, values, n, &err)) {
        k->kernel.type = NULL;
        return cs_script_raise(L, &err);
    }
    make_plan(L, 3, k);
    return 1;
}

/* Raises an error if a schedule in the table at stack index 3 drives a
 * parameter that all chains of a wrapper share. Examples of such parameters are
 * the ladder of temperatures and the exchange period. */
static void check_driven(lua_State *L, const cs_kernel_type *type)
{
    for (lua_pushnil(L); lua_next(L, 3); lua_pop(L, 1)) {
        const char *name = lua_tostring(L, -2);
        int row = cs_param_find(type->params, type->n_params, name);
        cs_error err;
        if (row < 0 || !(type->params[row].flags & CS_PARAM_SHARED))
            continue;
        cs_fail(&err, CS_INPUT,
                "'%s' of cs.kernel.%s is a number, not a "
                "schedule",
                name, type->name);
        cs_hint(&err, "give the schedule to a parameter of the inner kernel");
        cs_script_raise(L, &err);
    }
}

/* kernel_around(name, values, schedules, inner): returns a kernel that wraps
 * the kernel `inner`. */
static int kernel_wrap(lua_State *L)
{
    const cs_kernel_type *type = cs_kernel_find(luaL_checkstring(L, 1));
    luaL_checktype(L, 2, LUA_TTABLE);
    luaL_checktype(L, 3, LUA_TTABLE);
    const cs_script_kernel *inner = luaL_checkudata(L, 4, meta);
    lua_settop(L, 4);
    if (!type || !type->wraps)
        return luaL_argerror(L, 1, "no such kernel");
    size_t n;
    check_driven(L, type);
    check_fixed(L, type);
    const cs_value *values = given_values(L, &n);
    cs_callback_raise(L);
    cs_script_kernel *k = cs_script_push_kernel(L);
    cs_error err = {0};
    if (cs_kernel_wrap(&k->kernel, type, values, n, &inner->kernel, &err)) {
        k->kernel.type = NULL;
        return cs_script_raise(L, &err);
    }
    for (size_t i = 0; i < inner->kernel.type->n_params; i++)
        if (inner->plan.driven[i]) /* cannot fail: the plan is still empty */
            (void)cs_plan_drive(&k->plan, type->n_params + i,
                                cs_plan_schedule(&inner->plan, i));
    lua_getiuservalue(L, -1, 1); /* keeps the inner kernel alive */
    lua_pushvalue(L, 4);
    luaL_ref(L, -2);
    lua_pop(L, 1);
    make_plan(L, 3, k);
    return 1;
}

static int to_string(lua_State *L)
{
    cs_script_kernel *k = luaL_checkudata(L, 1, meta);
    lua_pushfstring(L, "kernel %s", k->kernel.type->name);
    return 1;
}

static int raise_field(lua_State *L, const cs_kernel_type *type,
                       const char *key)
{
    const char *names[CS_KERNEL_PARAMS + CS_KERNEL_LISTS + 3] = {"name",
                                                                 "title"};
    for (size_t i = 0; i < type->n_params + type->n_lists; i++)
        names[i + 2] = type->params[i].name;
    return cs_script_raise_field(L, "a kernel", key, names);
}

/* Pushes the value of parameter number `row`; nil for a list that was not
 * given. */
static void push_row(lua_State *L, const cs_kernel *k, size_t row)
{
    size_t n, numbers = k->type->n_params;
    const double *list =
        row < numbers ? NULL : cs_kernel_list(k, row - numbers, &n);
    if (row < numbers)
        lua_pushnumber(L, k->values[row]);
    else if (list)
        cs_script_push_numbers(L, list, n);
    else
        lua_pushnil(L);
}

void cs_script_set_lists(lua_State *L, const cs_kernel *k)
{
    const cs_kernel_type *type = k->type;
    for (size_t i = 0; i < type->n_lists; i++) {
        push_row(L, k, type->n_params + i);
        lua_setfield(L, -2, type->params[type->n_params + i].name);
    }
}

/* Returns k.name, k.title, or the value of a parameter. */
static int index_field(lua_State *L)
{
    cs_script_kernel *k = luaL_checkudata(L, 1, meta);
    const char *key = luaL_checkstring(L, 2);
    const cs_kernel_type *type = k->kernel.type;
    int row = cs_param_find(type->params, type->n_params + type->n_lists, key);
    if (row >= 0)
        push_row(L, &k->kernel, (size_t)row);
    else if (strcmp(key, "name") == 0)
        lua_pushstring(L, type->name);
    else if (strcmp(key, "title") == 0)
        lua_pushstring(L, type->title);
    else
        return raise_field(L, type, key);
    return 1;
}

/* Pushes a list of lines that describe a kernel as an instance of algorithm 1
 * of Yuan and Wang (2026). Pushes nil if the kernel is not an instance. */
static void push_scheme(lua_State *L, const cs_scheme *s)
{
    if (!s) {
        lua_pushnil(L);
        return;
    }
    lua_createtable(L, CS_SCHEME_PARTS, 0);
    for (size_t i = 0; i < CS_SCHEME_PARTS; i++) {
        const char *text, *name = cs_scheme_part(s, i, &text);
        lua_pushfstring(L, "%s: %s", name, text);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
}

/* Adds the kernels that are made of others or chosen, which no registry has. */
static void list_composed(lua_State *L)
{
    static const cs_param weights = {
        .name = "weights",
        .kind = CS_PARAM_ARRAY,
        .max = CS_KERNEL_PARAMS,
        .help = "weights with which a member is chosen; equal by default"};
    static const char members[] =
        " The members are listed without names: cs.kernel.NAME { on = { "
        "\"mu\" }, times = 2, name = \"means\" }, where `on` are the "
        "parameters "
        "or coordinates that the member moves.";
    lua_pushfstring(L, "Makes a step of each member in order.%s", members);
    const char *help = lua_tostring(L, -1);
    lua_insert(L, -2);
    cs_script_list(L, "cycle", "Cycle of kernels", help, NULL, 0);
    lua_getfield(L, -1, "cycle");
    cs_script_set_flag(L, "composed", true);
    lua_pop(L, 1);
    lua_pushfstring(L, "Makes a step of one member, chosen at random.%s",
                    members);
    help = lua_tostring(L, -1);
    lua_insert(L, -2);
    cs_script_list(L, "mixture", "Mixture of kernels", help, &weights, 1);
    lua_getfield(L, -1, "mixture");
    cs_script_set_flag(L, "composed", true);
    lua_pop(L, 1);
    cs_script_list(
        L, "auto", "Chosen from the model",
        "Chooses kernels when the run is opened: nuts for the real "
        "parameters, gibbs for discrete parameters of few values, "
        "and a cycle of them if there are both. A kernel under the "
        "name of a parameter is used for that parameter: { z = "
        "cs.kernel.locally_balanced {} }. The parameters in the list "
        "`fixed` keep their values of `start`; fixed = { k = 3 } also gives "
        "the value.",
        NULL, 0);
    lua_getfield(L, -1, "auto");
    cs_script_set_flag(L, "auto", true);
    lua_pop(L, 1);
}

static int kernel_list(lua_State *L)
{
    const cs_kernel_type *type;
    lua_newtable(L);
    list_composed(L);
    for (size_t i = 0; (type = cs_kernel_at(i)); i++)
        if (!(type->flags & CS_KERNEL_HIDDEN)) {
            cs_script_list(L, type->name, type->title, type->help, type->params,
                           type->n_params + type->n_lists);
            lua_getfield(L, -1, type->name);
            cs_script_set_flag(L, "around", type->wraps);
            push_scheme(L, cs_scheme_of(type->name));
            lua_setfield(L, -2, "scheme");
            lua_pop(L, 1);
        }
    return 1;
}

/* kernel_tuner(kernel): returns the name of the kernel's default tuner, or
 * nil. */
static int kernel_tuner(lua_State *L)
{
    const cs_script_kernel *k = cs_script_to_kernel(L, 1);
    lua_pushstring(L, k ? k->kernel.type->tuner : NULL);
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
        {"kernel_around", kernel_wrap},
        {"kernel_auto", cs_script_kernel_auto},
        {"kernel_composed", cs_script_kernel_composed},
        {"kernel_hold", cs_script_kernel_hold},
        {"kernel_place", cs_script_kernel_place},
        {"kernels", kernel_list},
        {"kernel_tuner", kernel_tuner},
        {"target_kind", cs_script_target_kind},
        {"target_sweep", cs_script_target_sweep},
        {"target_sum_out", cs_script_target_sum_out},
        {NULL, NULL}};
    cs_script_class(L, meta, "kernel", methods);
    luaL_setfuncs(L, functions, 0);
}
