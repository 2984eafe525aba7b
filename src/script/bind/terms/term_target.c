/* A target that is a sum over the rows of a table. The functions `prior` and
 * `term` are each called once with symbols. These calls are recorded as graphs.
 * At a few states and rows, the functions are also called with numbers, and
 * must return the values that the graphs give. */

#include "tape/term_target.h"
#include "base/memory.h"
#include "script/bind/lua_target.h"
#include "script/bind/luaopen.h"
#include "script/bind/terms/term_bounds.h"
#include "script/bind/terms/term_data.h"
#include "script/bind/terms/term_index.h"
#include "script/bind/terms/term_row.h"
#include "script/math/expression.h"
#include "script/math/tracing.h"
#include "script/state/value.h"
#include "target/eval.h"

#include <lauxlib.h>
#include <string.h>

enum { CHECKS = 5 };

/* One call of `prior` or `term`, with symbols or with numbers. */
typedef struct call {
    const char *name;
    cs_graph *graph; /* graph of the trace; NULL: the function is called with
                      * numbers */
    size_t dim;
    const cs_row_index *rows; /* the test of indices of the trace */
    const cs_term_data *data; /* table of the rows; NULL: the function is
                               * `prior` */
    const double *point;      /* [dim] numbers */
    size_t row;
    cs_node logp; /* result as a node */
    double value; /* result as a number */
} call;

/* ---- calls --------------------------------------------------------------- */

/* Lua arguments: function, pointer to a `call`. Calls the function and stores
 * its result in the `call`. */
static int run_function(lua_State *L)
{
    call *c = lua_touserdata(L, 2);
    cs_graph *g = c->graph;
    lua_settop(L, 1);
    cs_trace_set_rows(L, c->rows);
    if (g)
        cs_script_push_expression(
            L, cs_graph_slice(g, cs_graph_input(g), 0, c->dim));
    else
        cs_script_push_vector(L, c->point, c->dim);
    if (c->data && g)
        cs_script_push_symbolic_row(L, g, c->dim, c->data);
    else if (c->data)
        cs_script_push_row(L, c->data, c->row);
    lua_call(L, c->data ? 2 : 1, 1);
    if (lua_isnil(L, -1))
        return cs_script_fail(L, "%s returned nothing", c->name);
    if (!g) {
        c->value = lua_tonumber(L, -1);
        return 0;
    }
    c->logp = cs_script_to_node(L, lua_gettop(L));
    if (cs_graph_size(g, c->logp) != 1)
        return cs_script_fail(L,
                              "%s returned a vector of %zu, not a number: sum "
                              "it with cs.math.sum",
                              c->name, cs_graph_size(g, c->logp));
    return 0;
}

/* Returns the value of the function at the point and row of the call. */
static double plain_value(lua_State *L, int f, call c)
{
    if (!cs_script_run_traced(L, NULL, run_function, f, &c))
        lua_error(L);
    return c.value;
}

/* ---- the check ----------------------------------------------------------- */

typedef struct checker {
    const cs_target *t;
    cs_eval eval;
    double *x, *logp; /* point and log density of a block of CS_PAD lanes */
} checker;

static void differ(lua_State *L, const char *name, double plain, double traced)
{
    cs_error err;
    if (cs_script_alike(plain, traced))
        return;
    cs_fail(&err, CS_SCRIPT,
            "%s gives %.9g in a plain call and %.9g when traced", name, plain,
            traced);
    cs_hint(&err, "compute the result only from the arguments, not from a "
                  "clock, random numbers or earlier values");
    cs_script_raise(L, &err);
}

/* Checks the prior, and the terms of some rows, at test state k. */
static void check_at(lua_State *L, int prior, int term, checker *c,
                     const cs_term_data *data, uint64_t k)
{
    size_t dim = c->t->space.dim;
    double *point = lua_newuserdatauv(L, dim * sizeof *point, 0);
    uint32_t row[CHECKS];
    size_t first[] = {0, CHECKS};
    cs_script_check_point(&c->t->space, k, point);
    if (cs_term_target_region(c->t))
        cs_region_squeeze(cs_term_target_region(c->t), point);
    for (size_t i = 0; i < dim * CS_PAD; i++)
        c->x[i] = point[i / CS_PAD];
    for (size_t i = 0; i < CHECKS; i++)
        row[i] = (uint32_t)((k * CHECKS + i) * 2654435761u % data->rows);
    if (prior) {
        cs_eval_prior(&c->eval, c->x, c->logp, NULL);
        call of = {.name = "prior", .dim = dim, .point = point};
        differ(L, of.name, plain_value(L, prior, of), c->logp[0]);
    }
    cs_eval_terms(&c->eval, c->x, &(cs_batch){.row = row, .first = first},
                  c->logp);
    for (size_t i = 0; i < CHECKS; i++) {
        call of = {.name = "term",
                   .dim = dim,
                   .data = data,
                   .point = point,
                   .row = row[i]};
        differ(L, of.name, plain_value(L, term, of), c->logp[i]);
    }
    lua_pop(L, 1);
}

typedef struct check_task {
    checker *c;
    const cs_term_data *data;
    bool prior;
} check_task;

/* Checks the trace at several states. Lua arguments: term, prior, task. */
static int check_all(lua_State *L)
{
    check_task *k = lua_touserdata(L, 3);
    for (uint64_t i = 0; i < CHECKS; i++)
        check_at(L, k->prior ? 2 : 0, 1, k->c, k->data, i);
    return 0;
}

static void check(lua_State *L, int prior, int term, const cs_target *t,
                  const cs_term_data *data)
{
    size_t lanes = CS_PAD, dim = t->space.dim;
    checker c = {.t = t};
    c.x = cs_alloc((dim + 1 + cs_eval_scratch_words(t)) * lanes, sizeof *c.x);
    if (!c.x)
        luaL_error(L, "out of memory for the expression");
    c.logp = c.x + dim * lanes;
    cs_eval_open(&c.eval, t, lanes, 1, NULL, c.logp + lanes);
    check_task task = {&c, data, prior != 0};
    lua_pushcfunction(L, check_all);
    lua_pushvalue(L, term);
    lua_pushvalue(L, prior ? prior : term);
    lua_pushlightuserdata(L, &task);
    int failed = lua_pcall(L, 3, 0, 0);
    cs_free(c.x);
    if (failed)
        lua_error(L);
}

/* ---- the target ---------------------------------------------------------- */

/* Returns the stack index of the function `name`; 0 if it was not given. */
static int function_of(lua_State *L, const char *name)
{
    if (lua_getfield(L, 1, name) == LUA_TFUNCTION)
        return lua_gettop(L);
    lua_pop(L, 1);
    return 0;
}

static bool trace(lua_State *L, int f, call *c, cs_error *err)
{
    size_t width = c->data ? c->data->width : 0;
    if (cs_graph_create(c->dim + width, CS_TRACE_NODES, &c->graph, err))
        return false;
    c->graph->lines = true;
    return cs_script_run_traced(L, c->graph, run_function, f, c);
}

/* Creates the target. Lua arguments: the table of fields. */
static int term_target(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    cs_space space;
    cs_target *t = NULL;
    cs_error err = {0};
    cs_script_read_space(L, 1, &space);
    const cs_term_data *data = cs_script_read_data(L, 1);
    cs_script_bounds bounds;
    cs_script_read_bounds(L, 1, data, &space, &bounds);
    int prior = function_of(L, "prior"), term = function_of(L, "term");
    call p = {.name = "prior", .dim = space.dim};
    cs_row_index rows = cs_script_row_index(space.dim, data);
    call c = {.name = "term", .dim = space.dim, .data = data, .rows = &rows};
    bool good =
        (!prior || trace(L, prior, &p, &err)) && trace(L, term, &c, &err);
    if (good) {
        cs_term_model model = {.dim = space.dim,
                               .prior = p.graph,
                               .prior_logp = p.logp,
                               .region =
                                   bounds.region.dim ? &bounds.region : NULL,
                               .range = bounds.range,
                               .change = bounds.change,
                               .term = c.graph,
                               .term_logp = c.logp,
                               .rows = data->rows,
                               .width = data->width,
                               .column = data->number};
        cs_term_target_create(&model, &space, &t, &err);
    }
    cs_graph_destroy(p.graph);
    cs_graph_destroy(c.graph);
    if (err.status)
        return cs_script_raise(L, &err);
    if (!good)
        return cs_script_explain(L);
    cs_script_push_target(L, t);
    check(L, prior, term, t, data);
    cs_script_check_bounds(L, &bounds, t);
    cs_script_read_description(L, 1, t);
    return 1;
}

static int target_term(lua_State *L)
{
    return cs_script_with_symbolic_math(L, term_target);
}

void cs_script_open_term_target(lua_State *L)
{
    static const luaL_Reg functions[] = {{"target_term", target_term},
                                         {NULL, NULL}};
    luaL_setfuncs(L, functions, 0);
}
