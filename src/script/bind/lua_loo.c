/* Leave-one-out predictive densities, and weights of models. */
#include "base/memory.h"
#include "run/draws/each_draw.h"
#include "script/bind/lua_run.h"
#include "script/bind/luaopen.h"
#include "script/state/value.h"
#include "stat/psis.h"

#include <lauxlib.h>

/* run_loo(run, arm, coordinate, n): returns elpd, k, lpd, waic and the error of
 * elpd for each of n log likelihoods of one observation, which are coordinates;
 * a list of 5 n numbers. */
static int run_loo(lua_State *L)
{
    enum { VALUES = sizeof(cs_loo) / sizeof(double), MOST = 64 };
    cs_error err;
    cs_loo loo[MOST];
    cs_scalar_draws d;
    cs_run *run = cs_script_to_run(L, 1);
    size_t arm = cs_script_check_arm(L, run, 2);
    lua_Integer at = luaL_checkinteger(L, 3), n = luaL_checkinteger(L, 4);
    luaL_argcheck(L, at > 0, 3, "no such coordinate");
    luaL_argcheck(L, n > 0 && n <= MOST, 4, "too many coordinates");
    if (cs_run_scalar_draws(run, arm, (size_t)at, (size_t)n, &d, &err))
        return cs_script_raise(L, &err);
    bool good = true;
    for (size_t i = 0; good && i < (size_t)n; i++)
        good = cs_loo_of((cs_draws){d.x + i * d.n * d.chains, d.n, d.chains},
                         &loo[i]);
    cs_free(d.x);
    if (!good)
        return luaL_error(L, "out of memory for leave-one-out densities");
    cs_script_push_numbers(L, &loo[0].elpd, VALUES * (size_t)n);
    return 1;
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
