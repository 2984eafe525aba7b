#include "script/trace.h"

#include "rng/stream.h"
#include "script/expression.h"

#include <lauxlib.h>
#include <math.h>
#include <string.h>

bool cs_script_run_traced(lua_State *L, cs_graph *g, lua_CFunction call, int f,
                          void *task)
{
    int top = lua_gettop(L);
    lua_newtable(L);
    lua_getglobal(L, "math");
    cs_script_overlay_math(L, top + 2, top + 1);
    cs_script_trace_open(L, g);
    lua_pushcfunction(L, call);
    lua_pushvalue(L, f);
    lua_pushlightuserdata(L, task);
    bool failed = lua_pcall(L, 2, 0, 0) != LUA_OK;
    cs_script_trace_close(L);
    cs_script_copy_fields(L, top + 2, top + 1);
    if (failed)
        lua_replace(L, top + 1);
    lua_settop(L, failed ? top + 1 : top);
    return !failed;
}

int cs_script_explain(lua_State *L)
{
    const char *text = lua_tostring(L, -1);
    if (text && strstr(text, "number expected, got chainscope.expression"))
        lua_pushfstring(L,
                        "%s: it cannot be traced: use the function of the same "
                        "name in cs.math",
                        text);
    return lua_error(L);
}

bool cs_script_alike(double a, double b)
{
    if (isnan(a) || isnan(b) || isinf(a) || isinf(b))
        return (isnan(a) && isnan(b)) || a == b;
    return fabs(a - b) <= 1e-9 * (1 + fabs(a) + fabs(b));
}

void cs_script_check_point(const cs_space *space, uint64_t k, double *x)
{
    for (size_t i = 0; i < space->dim; i++) {
        uint64_t word[2];
        cs_threefry2x64(20, (const uint64_t[]){i, k}, (const uint64_t[]){1, 2},
                        word);
        double u = (double)(word[0] >> 11) * 0x1p-53;
        x[i] = space->kind == CS_CONTINUOUS
                   ? 4 * u - 2
                   : space->low + floor(u * space->values);
    }
}
