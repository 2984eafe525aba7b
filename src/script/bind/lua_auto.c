#include "script/bind/lua_auto.h"

#include "kernel/composed.h"
#include "script/bind/lua_kernel.h"
#include "script/bind/lua_target.h"
#include "script/state/callback.h"
#include "script/state/value.h"
#include "tape/expression_target.h"
#include "tape/sites/sum_out.h"

#include <lauxlib.h>
#include <math.h>

static cs_status refuse(const cs_target *t, const double *values, cs_error *err)
{
    (void)t, (void)values;
    cs_fail(err, CS_UNSUPPORTED,
            "cs.kernel.auto is chosen when a run is opened");
    cs_hint(err, "use it as the kernel of an arm: arms = { a = cs.kernel.auto "
                 "{} }");
    return CS_UNSUPPORTED;
}

static void no_step(cs_move *m)
{
    (void)m;
}

static const cs_kernel_type type = {
    .name = "auto",
    .title = "Chosen from the model",
    .spaces = CS_DISCRETE | CS_CONTINUOUS | CS_MIXED,
    .flags = CS_KERNEL_HIDDEN,
    .check = refuse,
    .step = no_step,
};

int cs_script_kernel_auto(lua_State *L)
{
    cs_callback_raise(L);
    cs_script_kernel *k = cs_script_push_kernel(L);
    cs_error err = {0};
    return cs_kernel_init(&k->kernel, &type, NULL, 0, &err)
               ? cs_script_raise(L, &err)
               : 1;
}

int cs_script_kernel_hold(lua_State *L)
{
    const cs_script_kernel *k = cs_script_to_kernel(L, 1);
    luaL_argcheck(L, k && k->kernel.type->composes, 1,
                  "must be a cycle or a mixture");
    luaL_checktype(L, 2, LUA_TTABLE);
    size_t n = lua_rawlen(L, 2);
    uint32_t *at = lua_newuserdatauv(L, (n + 1) * sizeof *at, 0);
    for (size_t i = 0; i < n; i++) {
        lua_rawgeti(L, 2, (lua_Integer)i + 1);
        at[i] = (uint32_t)(luaL_checkinteger(L, -1) - 1);
        lua_pop(L, 1);
    }
    cs_error err = {0};
    return cs_composed_hold(k->kernel.self, at, n, &err)
               ? cs_script_raise(L, &err)
               : 0;
}

/* Returns the work of the differences of one site, which are computed for each of
 * its values, in evaluations of the whole log density. */
static double site_work(const cs_tape_inside *in, const cs_target *t, size_t i)
{
    double whole = (double)cs_program_work(in->part[0].program);
    const cs_program *own = in->locals ? in->locals->at[i].program : NULL;
    double one = in->locals ? own ? (double)cs_program_work(own) : 0 : whole;
    return cs_space_part(&t->space, i).values * one / fmax(1, whole);
}

int cs_script_target_sweep(lua_State *L)
{
    const cs_target *t = cs_script_to_target(L, 1);
    lua_Integer first = luaL_checkinteger(L, 2), n = luaL_checkinteger(L, 3);
    cs_tape_inside in;
    double work = 0;
    luaL_argcheck(L, t, 1, "must be a target");
    luaL_argcheck(L, first >= 1 && n >= 0, 2, "must be a coordinate");
    luaL_argcheck(L, (size_t)(first + n - 1) <= t->space.dim, 3,
                  "is not in the state");
    if (!cs_tape_target_inside(t, &in))
        return 0;
    for (lua_Integer i = 0; i < n; i++)
        work += site_work(&in, t, (size_t)(first - 1 + i));
    lua_pushnumber(L, work);
    return 1;
}

int cs_script_target_kind(lua_State *L)
{
    const cs_target *t = cs_script_to_target(L, 1);
    luaL_argcheck(L, t, 1, "must be a target");
    lua_createtable(L, 0, 4);
    lua_pushstring(L, cs_space_name(t->space.kind));
    lua_setfield(L, -2, "kind");
    lua_pushinteger(L, t->space.values);
    lua_setfield(L, -2, "values");
    lua_pushinteger(L, t->space.low);
    lua_setfield(L, -2, "low");
    lua_pushboolean(L, t->type->gradient != NULL);
    lua_setfield(L, -2, "gradient");
    return 1;
}

int cs_script_target_sum_out(lua_State *L)
{
    const cs_target *t = cs_script_to_target(L, 1);
    luaL_argcheck(L, t, 1, "must be a target");
    luaL_checktype(L, 2, LUA_TTABLE);
    size_t n = lua_rawlen(L, 2);
    uint32_t *at = lua_newuserdatauv(L, (n + 1) * sizeof *at, 0);
    for (size_t i = 0; i < n; i++) {
        lua_rawgeti(L, 2, (lua_Integer)i + 1);
        lua_Integer k = luaL_checkinteger(L, -1);
        luaL_argcheck(L, k >= 1 && (size_t)k <= t->space.dim, 2,
                      "no coordinate");
        at[i] = (uint32_t)(k - 1);
        lua_pop(L, 1);
    }
    cs_sum_out *summed;
    cs_error err = {0};
    if (!n || cs_sum_out_create(t, at, n, &summed, &err))
        return 0;
    lua_pushnumber(L, cs_sum_out_cost(summed, t));
    cs_sum_out_destroy(summed);
    return 1;
}
