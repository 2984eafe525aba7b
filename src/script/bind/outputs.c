/* Recorded values of a target's states. A Lua function, traced to a program,
 * computes them. */
#include "tape/outputs.h"
#include "script/bind/lua_target.h"
#include "script/bind/luaopen.h"
#include "script/math/expression.h"
#include "script/math/tracing.h"
#include "script/state/value.h"
#include "tape/expression_target.h"
#include "target/shown_terms.h"

#include <lauxlib.h>

enum { MOST_NODES = 1 << 23 };

typedef struct shown {
    cs_graph *graph;
    cs_node node;
} shown;

/* Lua arguments: function, and the description of the recorded values */
static int run_function(lua_State *L)
{
    shown *s = lua_touserdata(L, 2);
    lua_settop(L, 1);
    cs_script_push_expression(L, cs_graph_input(s->graph));
    lua_call(L, 1, 1);
    s->node = cs_script_to_node(L, lua_gettop(L));
    return 0;
}

/* Returns the strings of the list at `index`. The list must remain on the
 * stack. */
static const char **texts(lua_State *L, int index, size_t *n)
{
    luaL_checktype(L, index, LUA_TTABLE);
    *n = lua_rawlen(L, index);
    const char **text = lua_newuserdatauv(L, (*n + 1) * sizeof *text, 0);
    for (size_t i = 0; i < *n; i++) {
        lua_rawgeti(L, index, (lua_Integer)i + 1);
        if (lua_type(L, -1) != LUA_TSTRING)
            luaL_error(L, "'names' must be strings");
        text[i] = lua_tostring(L, -1);
        lua_pop(L, 1);
    }
    return text;
}

/* Returns the space with the names of the parameters: a list of parts, even if all
 * are alike. [borrowed parts] */
static cs_space named_space(const cs_target *t)
{
    size_t n = 0, dim = 0;
    while (t->named && dim < t->space.dim)
        dim += t->named[n++].dim;
    return n ? (cs_space){.kind = CS_MIXED,
                          .dim = dim,
                          .n_parts = n,
                          .part = t->named}
             : t->space;
}

/* target_outputs(target, function, names, noise): makes the values of
 * `function` the recorded values of the target. The function takes a state
 * followed by `noise` random numbers between 0 and 1, and returns a vector with
 * one element for each name in `names`. */
static int target_outputs(lua_State *L)
{
    cs_target *t = cs_script_to_target(L, 1);
    size_t n;
    cs_error err = {0};
    luaL_checktype(L, 2, LUA_TFUNCTION);
    const char **name = texts(L, 3, &n);
    lua_Integer noise = luaL_optinteger(L, 4, 0);
    luaL_argcheck(L, noise >= 0 && noise <= MOST_NODES, 4,
                  "too many random numbers");
    if (!t || t->holders > 1 || t->outputs.n)
        return luaL_error(L, "this target cannot be given outputs");
    shown s = {NULL, 0};
    if (cs_graph_create(t->space.dim + (size_t)noise, MOST_NODES, &s.graph,
                        &err))
        return cs_script_raise(L, &err);
    const cs_space space = named_space(t);
    if (!cs_tape_set_ranges(s.graph, &space)) {
        cs_graph_destroy(s.graph);
        return luaL_error(L, "out of memory for outputs");
    }
    if (!cs_script_run_traced(L, s.graph, run_function, 2, &s)) {
        cs_graph_destroy(s.graph);
        return cs_script_explain(L);
    }
    if (cs_graph_size(s.graph, s.node) != n) {
        cs_graph_destroy(s.graph);
        return luaL_error(L, "'outputs' and 'names' differ in number");
    }
    if (cs_tape_outputs(t, s.graph, s.node, (size_t)noise, name, &err))
        return cs_script_raise(L, &err);
    return 0;
}

/* target_show_terms(target, rows, name): adds the terms of the rows of target
 * `rows` to the generated quantities. */
static int target_show_terms(lua_State *L)
{
    cs_error err = {0};
    cs_target *t = cs_script_to_target(L, 1), *rows = cs_script_to_target(L, 2);
    const char *name = luaL_checkstring(L, 3);
    if (!t || !rows || t->holders > 1 || !t->outputs.n)
        return luaL_error(L, "this target cannot be given outputs");
    if (cs_target_show_terms(t, rows, name, &err))
        return cs_script_raise(L, &err);
    return 0;
}

/* target_show(target, x): returns the recorded values of the state x, a
 * list. */
static int target_show(lua_State *L)
{
    cs_target *t = cs_script_to_target(L, 1);
    size_t rows, cols;
    if (!t)
        return luaL_argerror(L, 1, "not a target");
    double *x = cs_script_numbers(L, 2, "the state", &rows, &cols);
    if (rows * cols != t->space.dim)
        return luaL_argerror(L, 2, "not a state of this target");
    size_t n = cs_target_shown(t);
    double *y = lua_newuserdatauv(L, n * sizeof *y, 0);
    if (!cs_target_show(t, x, y))
        return luaL_error(L, "out of memory for outputs");
    cs_script_push_numbers(L, y, n);
    return 1;
}

void cs_script_open_outputs(lua_State *L)
{
    static const luaL_Reg functions[] = {
        {"target_outputs", target_outputs},
        {"target_show", target_show},
        {"target_show_terms", target_show_terms},
        {NULL, NULL}};
    luaL_setfuncs(L, functions, 0);
}
