#include "script/math/tracing.h"

#include "rng/stream.h"
#include "script/math/expression.h"
#include "script/math/symbol.h"
#include "script/state/value.h"

#include <lauxlib.h>
#include <math.h>
#include <string.h>

/* Functions of os that a log density must not call. */
static const char *const clocks[] = {"time", "clock", "date"};

static int no_clock(lua_State *L)
{
    cs_error err;
    cs_fail(&err, CS_SCRIPT, "a log density must not read the clock");
    cs_hint(&err, "compute log_density from the state only");
    return cs_script_raise(L, &err);
}

/* Hides the functions of `clocks` in the table `os`, if it is a table; saves
 * the originals in `old`. */
static void hide_clocks(lua_State *L, int os, int old)
{
    for (size_t i = 0; lua_istable(L, os) && i < 3; i++) {
        lua_getfield(L, os, clocks[i]);
        lua_setfield(L, old, clocks[i]);
        lua_pushcfunction(L, no_clock);
        lua_setfield(L, os, clocks[i]);
    }
}

/* Replaces the functions of math by functions of cs.math, and removes the clock
 * functions from os. Pushes four values. With these values restore_math
 * restores both tables. */
static void put_symbolic_math(lua_State *L, cs_trace *t)
{
    int top = lua_gettop(L);
    lua_newtable(L);
    lua_getglobal(L, "math");
    cs_script_overlay_math(L, top + 2, top + 1);
    lua_newtable(L);
    lua_getglobal(L, "os");
    hide_clocks(L, top + 4, top + 3);
    t->symbolic_math = true;
}

static void restore_math(lua_State *L, cs_trace *t, int top)
{
    t->symbolic_math = false;
    cs_script_copy_fields(L, top + 2, top + 1);
    cs_script_copy_fields(L, top + 4, top + 3);
}

int cs_script_with_symbolic_math(lua_State *L, lua_CFunction f)
{
    cs_trace *t = cs_trace_of(L);
    int n = lua_gettop(L);
    if (t->symbolic_math)
        return f(L);
    luaL_checkstack(L, n + 8, NULL);
    put_symbolic_math(L, t);
    lua_pushcfunction(L, f);
    for (int i = 1; i <= n; i++)
        lua_pushvalue(L, i);
    bool failed = lua_pcall(L, n, 1, 0) != LUA_OK;
    restore_math(L, t, n);
    return failed ? lua_error(L) : 1;
}

/* Gives numbers the operators of vectors: x * 2 with a list x then has the same
 * value as in a trace. Pushes the former metatable of numbers, or nil. */
static void let_numbers_meet_lists(lua_State *L)
{
    lua_pushinteger(L, 0);
    if (!lua_getmetatable(L, -1))
        lua_pushnil(L);
    lua_insert(L, -2);
    luaL_getmetatable(L, CS_VECTOR_META);
    lua_createtable(L, 0, 8);
    static const char *const events[] = {"__add", "__sub", "__mul", "__div",
                                         "__pow"};
    for (size_t i = 0; i < sizeof events / sizeof *events; i++) {
        lua_getfield(L, -2, events[i]);
        lua_setfield(L, -2, events[i]);
    }
    lua_remove(L, -2);
    lua_setmetatable(L, -2);
    lua_pop(L, 1);
}

/* Restores the metatable of numbers, which is at stack index `old`. */
static void restore_numbers(lua_State *L, int old)
{
    lua_pushinteger(L, 0);
    lua_pushvalue(L, old);
    lua_setmetatable(L, -2);
    lua_pop(L, 1);
}

bool cs_script_run_traced(lua_State *L, cs_graph *g, lua_CFunction call, int f,
                          void *task)
{
    cs_trace *t = cs_trace_of(L);
    int top = lua_gettop(L);
    bool outermost = !t->symbolic_math;
    if (outermost)
        put_symbolic_math(L, t);
    if (!g)
        let_numbers_meet_lists(L);
    int old = lua_gettop(L);
    cs_script_trace_open(L, g);
    lua_pushcfunction(L, call);
    lua_pushvalue(L, f);
    lua_pushlightuserdata(L, task);
    bool failed = lua_pcall(L, 2, 0, 0) != LUA_OK;
    cs_script_trace_close(L);
    if (!g)
        restore_numbers(L, old);
    if (outermost)
        restore_math(L, t, top);
    if (failed && (outermost || !g))
        lua_replace(L, top + 1);
    lua_settop(L, failed ? top + 1 : top);
    return !failed;
}

/* Fragments of Lua's messages about symbols, with hints. The first fragment
 * that a message contains applies. */
static const struct {
    const char *said, *hint;
} advice[] = {
    {"'for' ",
     "the bounds of a loop must be known when it is traced: loop to a "
     "fixed number and choose by cs.math.where(condition, a, 0)"},
    {"to 'format'", "a symbol cannot be printed: print states of the run"},
    {"to 'concat'", "a symbol cannot be printed: print states of the run"},
    {"to 'floor'", "the function is discontinuous: use cs.math.where, or give "
                   "the target traced = false"},
    {"to 'ceil'", "the function is discontinuous: use cs.math.where, or give "
                  "the target traced = false"},
    {"to 'fmod'", "the function is discontinuous: use cs.math.where, or give "
                  "the target traced = false"},
    {"to 'modf'", "the function is discontinuous: use cs.math.where, or give "
                  "the target traced = false"},
    {"to 'ult'", "compare with cs.math.lt(a, b), choose with cs.math.where"},
    {"to 'sort'", "the order depends on values: use cs.math.max and "
                  "cs.math.min, or give the target traced = false"},
    {"arithmetic on a table value",
     "a list has no arithmetic with numbers and lists: make it a vector, x = "
     "cs.math.vector(x)"},
    {"attempt to yield", "a log density must not yield"},
    {"table expected, got " CS_SYMBOL, "a vector of the state is not a table: "
                                       "for i = 1, #x do ... x[i] ... end"},
    {"table or string expected",
     "a vector of the state is not a table: use #x"},
    {"number expected, got " CS_SYMBOL,
     "the function does not accept symbols: use the functions of cs.math"},
    {"got " CS_SYMBOL,
     "the function does not accept symbols: use the functions of cs.math, or "
     "give the target traced = false"},
};

const char *cs_script_advice(const char *text)
{
    for (size_t i = 0; text && i < sizeof advice / sizeof *advice; i++)
        if (strstr(text, advice[i].said))
            return advice[i].hint;
    return NULL;
}

int cs_script_explain(lua_State *L)
{
    const char *text = lua_tostring(L, -1), *hint = cs_script_advice(text);
    if (hint)
        lua_pushfstring(L, "%s: %s", text, hint);
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
        cs_part part = cs_space_part(space, i);
        x[i] = part.kind == CS_CONTINUOUS ? 4 * u - 2
                                          : part.low + floor(u * part.values);
    }
}
