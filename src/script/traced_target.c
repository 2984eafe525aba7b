/* Tracing: the log density is called once with a symbol for the state; what
 * it does becomes a graph. Then it is called again at a few points with
 * numbers in the symbol's place: the same value must come out, or the function
 * depends on something else than its argument. */
#include "script/traced_target.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/simd.h"
#include "script/expression.h"
#include "script/target.h"
#include "script/trace.h"
#include "script/value.h"
#include "tape/target.h"

#include <lauxlib.h>
#include <math.h>

enum { CHECKS = 5 };

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

/* ---- the check ----------------------------------------------------------- */

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

/* Compares with the function called at numbers; raises on a mismatch. */
static void check(lua_State *L, int f, const cs_target *t)
{
    size_t dim = t->space.dim;
    double *x = lua_newuserdatauv(L, dim * sizeof *x, 0);
    for (uint64_t k = 0; k < CHECKS; k++) {
        call c = {.point = x, .dim = dim};
        cs_script_check_point(&t->space, k, x);
        if (!cs_script_run_traced(L, NULL, run_function, f, &c))
            lua_error(L);
        double plain = c.value, traced = traced_value(t, x);
        if (cs_script_alike(plain, traced))
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
    if (cs_graph_create(space.dim, CS_TRACE_NODES, &c.graph, &err))
        return cs_script_raise(L, &err);
    if (!cs_script_run_traced(L, c.graph, run_function, f, &c)) {
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
