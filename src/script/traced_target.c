/* Tracing: the log density is called once with a symbol for the state; what
 * it does becomes a graph. Then it is called again at a few points with
 * numbers in the symbol's place: the same value must come out, or the function
 * depends on something else than its argument. */
#include "script/traced_target.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/simd.h"
#include "rng/stream.h"
#include "script/expression.h"
#include "script/target.h"
#include "script/value.h"
#include "tape/target.h"

#include <lauxlib.h>
#include <math.h>
#include <string.h>

enum { MOST_NODES = 1 << 23, CHECKS = 5 };

/* One call of the function: with a symbol, or with numbers. */
typedef struct call {
    cs_graph *graph;     /* NULL: with numbers */
    const double *point; /* [dim] */
    size_t dim;
    cs_node u;    /* what it returned: of the graph */
    double value; /* or as a number */
} call;

/* (function, call): runs it and leaves what it returned in the call. */
static int run_function(lua_State *L)
{
    call *c = lua_touserdata(L, 2);
    cs_graph *g = c->graph;
    lua_settop(L, 1);
    if (g)
        cs_script_push_expression(L, cs_graph_input(g));
    else
        cs_script_push_vector(L, c->point, c->dim);
    lua_call(L, 1, 1);
    if (lua_isnil(L, -1))
        return luaL_error(L, "log_density returned nothing");
    if (!g && lua_type(L, -1) != LUA_TNUMBER)
        return luaL_error(L, "log_density returned a %s, not a number",
                          luaL_typename(L, -1));
    c->value = g ? 0 : lua_tonumber(L, -1);
    if (!g)
        return 0;
    c->u = cs_script_to_node(L, lua_gettop(L));
    if (cs_graph_size(g, c->u) != 1)
        return luaL_error(L,
                          "log_density returned a vector of %d, not a "
                          "number: cs.math.sum it",
                          (int)cs_graph_size(g, c->u));
    return 0;
}

bool cs_script_run_traced(lua_State *L, cs_graph *g, lua_CFunction body, int f,
                          void *more)
{
    int top = lua_gettop(L);
    lua_newtable(L);
    lua_getglobal(L, "math");
    cs_script_overlay_math(L, top + 2, top + 1);
    cs_script_trace_open(L, g);
    lua_pushcfunction(L, body);
    lua_pushvalue(L, f);
    lua_pushlightuserdata(L, more);
    bool failed = lua_pcall(L, 2, 0, 0) != LUA_OK;
    cs_script_trace_close(L);
    cs_script_copy_fields(L, top + 2, top + 1);
    if (failed)
        lua_replace(L, top + 1);
    lua_settop(L, failed ? top + 1 : top);
    return !failed;
}

static bool run_traced(lua_State *L, int f, call *c)
{
    return cs_script_run_traced(L, c->graph, run_function, f, c);
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

/* ---- the check ----------------------------------------------------------- */

static bool alike(double a, double b)
{
    if (isnan(a) || isnan(b) || isinf(a) || isinf(b))
        return (isnan(a) && isnan(b)) || a == b;
    return fabs(a - b) <= 1e-9 * (1 + fabs(a) + fabs(b));
}

static double traced_value(const cs_target *t, const double *point)
{
    size_t dim = t->space.dim;
    double *x = cs_alloc(dim * CS_VECTOR, sizeof *x);
    double *scratch = cs_alloc(t->scratch_words * CS_VECTOR, sizeof *x);
    double *u = cs_alloc(CS_VECTOR, sizeof *u), value = NAN;
    if (x && scratch && u) {
        for (size_t i = 0; i < dim * CS_VECTOR; i++)
            x[i] = point[i / CS_VECTOR];
        cs_point at = {
            .x = x, .scratch = scratch, .lanes = CS_VECTOR, .live = 1};
        t->type->log_density(t, &at, u);
        value = u[0];
    }
    cs_free(x);
    cs_free(scratch);
    cs_free(u);
    return value;
}

/* A state of the space, number k of those that are checked. */
static void point_of(const cs_space *space, uint64_t k, double *x)
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

/* Compares with the function called at numbers; raises on a mismatch. */
static void check(lua_State *L, int f, const cs_target *t)
{
    size_t dim = t->space.dim;
    double *x = lua_newuserdatauv(L, dim * sizeof *x, 0);
    for (uint64_t k = 0; k < CHECKS; k++) {
        call c = {.point = x, .dim = dim};
        point_of(&t->space, k, x);
        if (!run_traced(L, f, &c))
            lua_error(L);
        double plain = c.value, traced = traced_value(t, x);
        if (alike(plain, traced))
            continue;
        cs_error err;
        cs_fail(&err, CS_SCRIPT,
                "log_density gives %.9g when called again, %.9g when traced",
                plain, traced);
        cs_mend(&err,
                "it must depend on the state alone: not on a clock, on "
                "random numbers, or on what it kept from an earlier call");
        cs_script_raise(L, &err);
    }
    lua_pop(L, 1);
}

int cs_script_traced_target(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    cs_space space;
    cs_script_read_space(L, 1, &space);
    lua_getfield(L, 1, "log_density");
    int f = lua_gettop(L);
    call c = {0};
    cs_error err = {0};
    double start = cs_clock();
    if (cs_graph_create(space.dim, MOST_NODES, &c.graph, &err))
        return cs_script_raise(L, &err);
    if (!run_traced(L, f, &c)) {
        cs_graph_destroy(c.graph);
        return cs_script_explain(L);
    }
    cs_target *t;
    c.graph->seconds = cs_clock() - start;
    if (cs_tape_target_create(c.graph, c.u, &space, &t, &err))
        return cs_script_raise(L, &err);
    cs_script_push_target(L, t);
    check(L, f, t);
    cs_script_dress_target(L, 1, t);
    return 1;
}
