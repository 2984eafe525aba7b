/* Creates a target by tracing. The log density is called once with a symbol for
 * the state, which records a graph. It is then called with numbers, and must
 * return the values that the graph gives (script/math/trace_check.h). */

#include "base/clock.h"
#include "base/memory.h"
#include "script/bind/lua_target.h"
#include "script/bind/luaopen.h"
#include "script/math/expression.h"
#include "script/math/trace_check.h"
#include "script/math/tracing.h"
#include "script/state/callback.h"
#include "script/state/state.h"
#include "script/state/value.h"
#include "simd/simd.h"
#include "tape/expression_target.h"

#include <lauxlib.h>
#include <math.h>
#include <string.h>

enum { LONG = 4096 /* minimum number of operations of a long function */ };

/* One call of the function, with a symbol or with numbers. */
typedef struct call {
    cs_graph *graph;     /* graph of the trace; NULL: the function is called
                          * with numbers */
    const double *point; /* [dim] */
    size_t dim;
    cs_node logp; /* result as a node */
    double value; /* result as a number */
} call;

/* Raises an error about the invalid result on top of the stack, at the line of
 * the function at stack index 1. */
static int blame_result(lua_State *L, const char *what)
{
    cs_script_push_line(L, 1, 0);
    lua_pushfstring(L, "log_density returned %s: let it return one number",
                    what);
    lua_concat(L, 2);
    return lua_error(L);
}

static void check_result(lua_State *L)
{
    char text[64];
    int type = lua_type(L, -1);
    if (type == LUA_TNUMBER || cs_script_is_symbol(L, -1))
        return;
    snprintf(text, sizeof text, "%s%s", type == LUA_TNIL ? "nothing" : "a ",
             type == LUA_TNIL ? "" : luaL_typename(L, -1));
    blame_result(L, text);
}

/* Lua arguments: function, pointer to a `call`. Calls the function and stores
 * its result in the `call`. */
static int run_function(lua_State *L)
{
    call *c = lua_touserdata(L, 2);
    cs_graph *g = c->graph;
    lua_settop(L, 1);
    lua_pushvalue(L, 1);
    if (g)
        cs_script_push_expression(L, cs_graph_input(g));
    else
        cs_script_push_vector(L, c->point, c->dim);
    lua_call(L, 1, 1);
    check_result(L);
    c->value = g ? 0 : lua_tonumber(L, -1);
    if (!g)
        return 0;
    c->logp = cs_script_to_node(L, lua_gettop(L));
    if (cs_graph_size(g, c->logp) != 1) {
        char text[64];
        snprintf(text, sizeof text, "a vector of %zu (cs.math.sum makes one)",
                 cs_graph_size(g, c->logp));
        return blame_result(L, text);
    }
    return 0;
}

/* ---- evaluation with symbols and with numbers, for the check ------------- */

typedef struct ways {
    const cs_target *t;
    int f;
    size_t dim;
} ways;

_Static_assert((int)CS_TRACE_STATES == CS_PAD, "each state is a lane");

static void traced_values(void *self, const double *x, double *logp)
{
    const cs_target *t = ((ways *)self)->t;
    size_t n = (t->space.dim + 1) * CS_PAD;
    double *in = cs_alloc(n + t->scratch_words * CS_PAD, sizeof *in);
    double *out = in + n - CS_PAD;
    if (in) {
        memcpy(in, x, (n - CS_PAD) * sizeof *in);
        cs_point at = {
            .x = in, .scratch = in + n, .lanes = CS_PAD, .live = CS_PAD};
        t->type->log_density(t, &at, out);
    }
    for (size_t k = 0; k < CS_PAD; k++)
        logp[k] = in ? out[k] : (double)NAN;
    cs_free(in);
}

static bool call_plain(lua_State *L, void *self, const double *x, double *logp)
{
    const ways *w = self;
    call c = {.point = x, .dim = w->dim};
    bool ran = cs_script_run_traced(L, NULL, run_function, w->f, &c);
    *logp = c.value;
    return ran;
}

static cs_graph *new_graph(const cs_space *space)
{
    cs_graph *g;
    if (cs_graph_create(space->dim, CS_TRACE_NODES, &g, NULL))
        return NULL;
    if (!cs_graph_expect(g, LONG) || !cs_tape_set_ranges(g, space)) {
        cs_graph_destroy(g);
        return NULL;
    }
    return g;
}

static bool call_symbols(lua_State *L, void *self)
{
    const ways *w = self;
    call c = {.graph = new_graph(&w->t->space)};
    if (!c.graph)
        return luaL_error(L, "out of memory for the expression");
    bool ran = cs_script_run_traced(L, c.graph, run_function, w->f, &c);
    cs_graph_destroy(c.graph);
    return ran;
}

/* ---- functions that fail ------------------------------------------------- */

/* Raises the error of a function that failed with symbols; the error is on the
 * stack. If the function succeeds with numbers, the message says so, unless the
 * error has a better hint. */
static int give_up(lua_State *L, const cs_space *space, int f)
{
    const char *text = lua_tostring(L, -1);
    cs_script *s = cs_script_of(L);
    bool endless = (s && cs_script_past(s)) || !text ||
                   strstr(text, "too many operations");
    bool of_lua =
        text && (strstr(text, "nothing") || strstr(text, "attempt to "));
    if (endless || !of_lua || cs_script_advice(text))
        return cs_script_explain(L);
    ways w = {.f = f, .dim = space->dim};
    double *x = lua_newuserdatauv(L, space->dim * sizeof *x, 0), logp;
    cs_script_check_point(space, 0, x);
    if (call_plain(L, &w, x, &logp))
        lua_pushfstring(
            L,
            "%s: the function works only with plain numbers: look up a table "
            "with %s, or give the target traced = false",
            text,
            space->kind == CS_MIXED ? "cs.math.vector(table)[k]"
                                    : "cs.math.at(table, x[i])");
    else
        lua_pushstring(L, text);
    return lua_error(L);
}

/* ---- second trace, with line numbers ------------------------------------- */

typedef struct origin {
    cs_callback *link;
    int f; /* registry reference of the function */
    cs_space space;
} origin;

typedef struct retrace {
    const origin *from;
    call call;
    bool ran;
} retrace;

static int run_again(lua_State *L)
{
    retrace *r = lua_touserdata(L, 1);
    lua_rawgeti(L, LUA_REGISTRYINDEX, r->from->f);
    r->ran = cs_script_run_traced(L, r->call.graph, run_function, 2, &r->call);
    return 0;
}

/* Traces the function again. If a chain has already stored an error, this error
 * is kept. */
static cs_status trace_again(void *self, cs_target **out, cs_error *err)
{
    const origin *o = self;
    retrace r = {.from = o};
    if (o->link->error[0])
        return cs_fail(err, CS_SCRIPT, "an error has not been reported yet");
    r.call.graph = new_graph(&o->space);
    if (!r.call.graph)
        return cs_fail(err, CS_MEMORY, "out of memory for the expression");
    r.call.graph->lines = true;
    if (!cs_callback_call(o->link, run_again, &r))
        cs_callback_forget(o->link);
    if (r.ran)
        return cs_tape_target_create(r.call.graph, r.call.logp, &o->space, out,
                                     err);
    cs_graph_destroy(r.call.graph);
    return cs_fail(err, CS_SCRIPT, "the function has changed");
}

static void release(void *self)
{
    origin *o = self;
    cs_callback_unref(o->link, o->f);
    cs_callback_release(o->link);
    cs_free(o);
}

/* Stores the function for the second trace. If there is not enough memory, the
 * target works, but its line numbers are unknown. */
static void remember(lua_State *L, cs_target *t, int f)
{
    cs_callback *link = cs_callback_of(L);
    origin *o = cs_alloc(1, sizeof *o);
    if (!o)
        return;
    *o = (origin){cs_callback_hold(link), LUA_NOREF, t->space};
    cs_tape_target_set_origin(t, (cs_tape_origin){trace_again, release, o});
    lua_pushvalue(L, f);
    o->f = luaL_ref(L, LUA_REGISTRYINDEX);
}

/* Creates the target. Lua arguments: the table of fields. */
static int traced_target(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    cs_space space, named;
    cs_script_read_space(L, 1, &space);
    named = cs_script_named_parts(L, 1, &space);
    lua_getfield(L, 1, "log_density");
    int f = lua_gettop(L);
    call c = {.graph = new_graph(&named)};
    cs_error err = {0};
    double start = cs_clock();
    if (!c.graph)
        return luaL_error(L, "out of memory for the expression");
    if (!cs_script_run_traced(L, c.graph, run_function, f, &c)) {
        cs_graph_destroy(c.graph);
        return give_up(L, &named, f);
    }
    cs_target *t;
    c.graph->seconds = cs_clock() - start;
    size_t operations = c.graph->recorded;
    if (cs_tape_target_create(c.graph, c.logp, &named, &t, &err))
        return cs_script_raise(L, &err);
    cs_script_push_target(L, t);
    remember(L, t, f);
    ways w = {t, f, space.dim};
    cs_script_check_trace(L, &(cs_trace_check){.space = &space,
                                               .function = f,
                                               .operations = operations,
                                               .self = &w,
                                               .traced = traced_values,
                                               .plain = call_plain,
                                               .symbols = call_symbols});
    cs_script_read_description(L, 1, t);
    return 1;
}

static int target_trace(lua_State *L)
{
    return cs_script_with_symbolic_math(L, traced_target);
}

void cs_script_open_traced_target(lua_State *L)
{
    static const luaL_Reg functions[] = {{"target_trace", target_trace},
                                         {NULL, NULL}};
    luaL_setfuncs(L, functions, 0);
}
