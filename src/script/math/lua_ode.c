/* cs.ode: the solution of a system of differential equations as a value of a
 * log density. The right-hand side is called once, with symbols of a graph of
 * its own. */
#include "base/memory.h"
#include "script/math/expression.h"
#include "script/math/symbol.h"
#include "script/state/state.h"
#include "script/state/value.h"
#include "tape/ode_solver.h"

#include <lauxlib.h>
#include <math.h>

static const char box_meta[] = "chainscope.ode";

enum { MOST_NODES = 1 << 20, MOST_RESULTS = 1 << 22, MOST_STEPS = 1000000000 };
enum { F = 1, Y0, P, TIMES, FROM, METHOD, RELATIVE, ABSOLUTE, STEPS };

/* What an error must free: the graph of the right-hand side, the system, and the
 * graph of a call with numbers. */
typedef struct box {
    cs_graph *right, *plain;
    cs_ode *ode;
} box;

static int collect(lua_State *L)
{
    box *b = lua_touserdata(L, 1);
    cs_graph_destroy(b->right);
    cs_graph_destroy(b->plain);
    cs_ode_release(b->ode);
    *b = (box){0};
    return 0;
}

/* ---- the right-hand side ------------------------------------------------- */

/* Calls f(t, y, p) with symbols, and returns its result as a node. The trace
 * that is open is closed for this time. */
static cs_node trace_right(lua_State *L, cs_graph *g, size_t n, size_t k)
{
    cs_trace *t = cs_trace_of(L);
    const cs_trace outer = *t;
    cs_node x = cs_graph_input(g), f = 0;
    int top = lua_gettop(L);
    cs_script_trace_open(L, g);
    t->nested = true;
    lua_pushvalue(L, F);
    cs_script_push_symbol_number(L, cs_graph_slice(g, x, 0, 1));
    cs_script_push_expression(L, cs_graph_slice(g, x, 1, n));
    if (k)
        cs_script_push_expression(L, cs_graph_slice(g, x, 1 + n, k));
    else
        lua_newtable(L);
    bool failed = lua_pcall(L, 3, 1, 0) != LUA_OK;
    if (!failed) {
        lua_pushcfunction(L, cs_script_node_of);
        lua_insert(L, -2);
        failed = lua_pcall(L, 1, 1, 0) != LUA_OK;
        f = failed ? 0 : (cs_node)lua_tointeger(L, -1);
    }
    cs_script_trace_resume(L, &outer);
    if (failed)
        lua_error(L);
    lua_settop(L, top);
    return f;
}

/* ---- arguments ----------------------------------------------------------- */

static double positive(lua_State *L, int index, const char *name)
{
    double v = luaL_checknumber(L, index);
    if (!(v > 0 && v < (double)HUGE_VALF))
        cs_script_fail(L, "cs.ode: %s must be a number above 0", name);
    return v;
}

/* Without a limit of steps (0 for GSL) a solution may take any time. */
static size_t read_steps(lua_State *L)
{
    double v = luaL_checknumber(L, STEPS);
    if (!(v >= 1 && v <= MOST_STEPS && v == floor(v)))
        cs_script_fail(L, "cs.ode: steps must be a whole number from 1 to %d",
                       (int)MOST_STEPS);
    return (size_t)v;
}

static void read_times(lua_State *L, cs_ode_spec *spec)
{
    size_t rows, cols;
    spec->from = luaL_checknumber(L, FROM);
    spec->time = cs_script_numbers(L, TIMES, "times", &rows, &cols);
    spec->times = rows * cols;
    for (size_t i = 0; i < spec->times; i++) {
        double before = i ? spec->time[i - 1] : spec->from;
        if (!(spec->time[i] >= before && spec->time[i] < (double)HUGE_VALF))
            cs_script_fail(L,
                           "cs.ode: times[%zu] = %.9g is below %s = %.9g: give "
                           "ascending times from t0 on",
                           i + 1, spec->time[i],
                           i ? "the time before it" : "t0", before);
    }
}

static cs_symbol read_vector(lua_State *L, cs_graph *g, int index,
                             const char *name)
{
    cs_symbol s = cs_symbol_read(L, cs_trace_of(L), g, index, 0);
    if (s.rank == 2)
        cs_script_fail(L, "cs.ode: %s is a matrix: give a vector", name);
    return s;
}

/* Creates the system from the arguments. */
static void create(lua_State *L, box *b, size_t n, size_t k)
{
    cs_error err = {0};
    cs_ode_spec spec = {.n = n, .k = k};
    read_times(L, &spec);
    spec.method = (cs_ode_method)luaL_checkinteger(L, METHOD);
    spec.relative = positive(L, RELATIVE, "relative");
    spec.absolute = positive(L, ABSOLUTE, "absolute");
    spec.steps = read_steps(L);
    if ((double)spec.times * (double)n * (double)(1 + n + k) > MOST_RESULTS)
        cs_script_fail(L,
                       "cs.ode: %zu times, %zu components and %zu parameters "
                       "are too many",
                       spec.times, n, k);
    if (cs_graph_create(1 + n + k, MOST_NODES, &b->right, &err))
        cs_script_raise(L, &err);
    spec.graph = b->right;
    spec.f = trace_right(L, b->right, n, k);
    if (cs_graph_size(b->right, spec.f) != n)
        cs_script_fail(L, "cs.ode: f returned %zu numbers, but y0 has %zu",
                       cs_graph_size(b->right, spec.f), n);
    if (cs_tape_ode_create(&spec, &b->ode, &err))
        cs_script_raise(L, &err);
}

/* ode(f, y0, p, times, t0, method, relative, absolute, steps): returns y at the
 * times, a row for each time. */
static int ode(lua_State *L)
{
    const cs_trace *t = cs_trace_of(L);
    bool symbols = cs_symbol_within(L, Y0, 0) || cs_symbol_within(L, P, 0);
    box *b = lua_newuserdatauv(L, sizeof *b, 0);
    *b = (box){0};
    luaL_setmetatable(L, box_meta);
    int owner = lua_gettop(L);
    cs_error err = {0};
    if (!symbols && cs_graph_create(1, MOST_NODES, &b->plain, &err))
        return cs_script_raise(L, &err);
    cs_graph *g = symbols ? cs_trace_graph(L, t) : b->plain;
    cs_symbol y0 = read_vector(L, g, Y0, "y0");
    bool has_p = !lua_istable(L, P) || lua_rawlen(L, P);
    cs_symbol p = has_p ? read_vector(L, g, P, "p") : (cs_symbol){0};
    size_t n = cs_graph_size(g, y0.node), k = cs_graph_size(g, p.node);
    create(L, b, n, k);
    size_t times = b->ode->values / n;
    cs_node part[2] = {y0.node, p.node};
    cs_node all =
        cs_graph_ode(g, b->ode, cs_graph_pack(g, part, has_p ? 2 : 1));
    cs_node y = cs_graph_ode_values(g, b->ode, all);
    if (!y)
        return cs_symbol_refuse(L, g);
    g->recorded++;
    if (symbols)
        cs_symbol_push(L, cs_matrix_of(y, times, n));
    else
        cs_symbol_push_plain(L, g, cs_matrix_of(y, times, n));
    cs_script_check(L); /* the values are NAN if a limit ended the solution */
    lua_pushcfunction(L, collect); /* frees a call's memory early */
    lua_pushvalue(L, owner);
    lua_call(L, 1, 0);
    return 1;
}

void cs_script_open_ode(lua_State *L)
{
    static const luaL_Reg methods[] = {{"__gc", collect}, {NULL, NULL}};
    static const luaL_Reg functions[] = {{"ode", ode}, {NULL, NULL}};
    cs_script_class(L, box_meta, "ode", methods);
    luaL_setfuncs(L, functions, 0);
    lua_createtable(L, CS_ODE_METHODS, 0);
    for (int i = 0; i < CS_ODE_METHODS; i++) {
        lua_pushstring(L, cs_ode_method_names[i]);
        lua_rawseti(L, -2, i + 1);
    }
    lua_setfield(L, -2, "ode_methods");
}
