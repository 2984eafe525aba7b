/* Core functions for simulation-based calibration: random numbers that depend
 * only on the seed, the replicate and the purpose; and effective sample
 * sizes. */
#include "script/bind/draws.h"
#include "script/bind/luaopen.h"
#include "script/state/random.h"
#include "script/state/value.h"
#include "stat/diagnostics.h"
#include "target/target.h"

#include <lauxlib.h>

/* The chain number of these random streams. No chain of a run has this number,
 * so these streams differ from the streams of all runs. */
static const uint64_t nobody[1] = {UINT64_MAX};

/* A constant that is combined with the seed to seed math.random in the
 * functions of a replicate. */
#define SALT UINT64_C(0x73696d756c617465)

static uint64_t whole(lua_State *L, int at)
{
    lua_Number x = luaL_checknumber(L, at);
    luaL_argcheck(L, x >= 0 && x <= 0x1p53, at, "must be from 0 to 2^53");
    return (uint64_t)x;
}

/* calibration_draws(seed, replicate, part, f): calls f(draw) with the random
 * numbers of that part. */
static int calibration_draws(lua_State *L)
{
    uint64_t seed = whole(L, 1), replicate = whole(L, 2), part = whole(L, 3);
    luaL_checktype(L, 4, LUA_TFUNCTION);
    luaL_argcheck(L, part <= 1024, 3, "must be at most 1024");
    cs_streams s = cs_streams_of(seed, replicate, nobody, 1, 1);
    cs_own_draws draws;
    cs_own_draws_open_simulation(&draws, &s, 0,
                                 (size_t)part * CS_SIMULATION_ROWS);
    cs_script_random_at(L, seed ^ SALT, replicate * 1024 + part);
    cs_own_draws **box = cs_own_draws_push(L);
    *box = &draws;
    int base = lua_gettop(L);
    lua_pushvalue(L, 4);
    lua_pushvalue(L, base);
    int code = lua_pcall(L, 1, 1, 0);
    *box = NULL;
    return code ? lua_error(L) : 1;
}

/* effective_size({ chain, ... }): returns the bulk effective sample size of
 * chains, each a list of numbers; 0 if the chains do not move. */
static int effective_size(lua_State *L)
{
    size_t chains, n;
    luaL_checktype(L, 1, LUA_TTABLE);
    const double *x = cs_script_numbers(L, 1, "the draws", &chains, &n);
    double size =
        cs_ess_bulk((cs_draws){.x = x, .n = n, .chains = chains}, NULL);
    lua_pushnumber(L, size > 0 ? size : 0);
    return 1;
}

void cs_script_open_calibration(lua_State *L)
{
    static const luaL_Reg functions[] = {
        {"calibration_draws", calibration_draws},
        {"effective_size", effective_size},
        {NULL, NULL}};
    luaL_setfuncs(L, functions, 0);
}
