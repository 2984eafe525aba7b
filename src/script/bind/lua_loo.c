/* Leave-one-out predictive densities, and weights of models. */
#include "base/memory.h"
#include "run/draws/each_draw.h"
#include "script/bind/lua_run.h"
#include "script/bind/luaopen.h"
#include "script/state/value.h"
#include "stat/psis.h"

#include <lauxlib.h>

/* run_loo(run, arm, coordinate): returns elpd, k, lpd, waic and the error of
 * elpd for the log likelihood of one observation, which is a coordinate. */
static int run_loo(lua_State *L)
{
    cs_error err;
    cs_loo loo;
    cs_scalar_draws d;
    cs_run *run = cs_script_to_run(L, 1);
    size_t arm = cs_script_check_arm(L, run, 2);
    lua_Integer at = luaL_checkinteger(L, 3);
    luaL_argcheck(L, at > 0, 3, "no such coordinate");
    if (cs_run_scalar_draws(run, arm, (size_t)at, &d, &err))
        return cs_script_raise(L, &err);
    bool good = cs_loo_of((cs_draws){d.x, d.n, d.chains}, &loo);
    cs_free(d.x);
    if (!good)
        return luaL_error(L, "out of memory for leave-one-out densities");
    const double values[] = {loo.elpd, loo.k, loo.lpd, loo.waic, loo.error};
    enum { VALUES = sizeof values / sizeof *values };
    for (size_t i = 0; i < VALUES; i++)
        lua_pushnumber(L, values[i]);
    return VALUES;
}

/* stacking(list): the list has a list of elpd per model, of equal lengths.
 * Returns the list of weights. */
static int stacking(lua_State *L)
{
    double w[CS_STACKED];
    luaL_checktype(L, 1, LUA_TTABLE);
    size_t models = lua_rawlen(L, 1), n = 0;
    luaL_argcheck(L, models > 0 && models <= CS_STACKED, 1, "too many models");
    lua_rawgeti(L, 1, 1);
    n = lua_rawlen(L, -1);
    double *elpd = lua_newuserdatauv(L, (models * n + 1) * sizeof *elpd, 0);
    for (size_t k = 0; k < models; k++) {
        lua_rawgeti(L, 1, (lua_Integer)k + 1);
        for (size_t i = 0; i < n; i++) {
            lua_rawgeti(L, -1, (lua_Integer)i + 1);
            elpd[k * n + i] = luaL_checknumber(L, -1);
            lua_pop(L, 1);
        }
        lua_pop(L, 1);
    }
    if (!cs_stacking(elpd, models, n, w))
        return luaL_error(L, "out of memory for stacking weights");
    cs_script_push_numbers(L, w, models);
    return 1;
}

void cs_script_open_loo(lua_State *L)
{
    static const luaL_Reg functions[] = {
        {"run_loo", run_loo}, {"stacking", stacking}, {NULL, NULL}};
    luaL_setfuncs(L, functions, 0);
}
