/* Conversion between values of a script and nodes. */
#include "script/math/expression.h"

#include "script/math/symbol.h"
#include "script/state/value.h"

#include <lauxlib.h>
#include <stdio.h>

static const char key_of_trace = 't';
const char cs_symbol_mark = 's';

cs_trace *cs_trace_of(lua_State *L)
{
    lua_rawgetp(L, LUA_REGISTRYINDEX, &key_of_trace);
    cs_trace *t = lua_touserdata(L, -1);
    lua_pop(L, 1);
    return t;
}

void cs_trace_create(lua_State *L)
{
    if (cs_trace_of(L))
        return;
    cs_trace *t = lua_newuserdatauv(L, sizeof *t, 0);
    *t = (cs_trace){0};
    lua_rawsetp(L, LUA_REGISTRYINDEX, &key_of_trace);
}

void cs_trace_closure(lua_State *L, lua_CFunction f)
{
    lua_rawgetp(L, LUA_REGISTRYINDEX, &key_of_trace);
    luaL_getmetatable(L, CS_SYMBOL_META);
    lua_pushcclosure(L, f, CS_SYMBOL_UPVALUE);
}

void cs_script_trace_open(lua_State *L, cs_graph *g)
{
    cs_trace *t = cs_trace_of(L);
    t->graph = g;
    t->serial = ++t->last;
    t->nested = false;
    t->caller = NULL;
    t->rows = NULL;
}

void cs_script_trace_resume(lua_State *L, const cs_trace *outer)
{
    cs_trace *t = cs_trace_of(L), inner = *t;
    *t = *outer;
    t->last = inner.last;
}

void cs_trace_set_rows(lua_State *L, const cs_row_index *rows)
{
    cs_trace_of(L)->rows = rows;
}

void cs_script_trace_close(lua_State *L)
{
    cs_trace *t = cs_trace_of(L);
    t->graph = NULL;
    t->rows = NULL;
}

/* ---- errors -------------------------------------------------------------- */

int cs_symbol_fail(lua_State *L, const char *what, const char *hint)
{
    cs_error err;
    cs_fail(&err, CS_SCRIPT, "%s", what);
    cs_hint(&err, "%s", hint);
    return cs_script_raise(L, &err);
}

/* Raises an error that explains why the graph rejected an operation. */
int cs_symbol_refuse(lua_State *L, cs_graph *g)
{
    cs_status status = g->status;
    g->status = CS_OK;
    if (status == CS_RANGE)
        return cs_symbol_fail(L, "the log density has too many operations",
                              "check for an endless loop, or use vectors, "
                              "which count as one operation");
    if (status == CS_MEMORY)
        return luaL_error(L, "out of memory for the expression");
    return cs_symbol_fail(
        L, "these values do not have the same length",
        "combine vectors of equal length, or a vector and a number");
}

cs_graph *cs_trace_graph(lua_State *L, const cs_trace *t)
{
    if (!t->graph)
        cs_symbol_fail(
            L, "a symbol is used outside the function that was traced",
            "do not store values of the state outside the log density");
    return t->graph;
}

/* ---- from nodes to values of a script ------------------------------------ */

static void new_symbol(lua_State *L, const cs_trace *t, cs_symbol s)
{
    size_t bytes =
        s.rank == 2 ? sizeof(cs_matrix_expression) : sizeof(cs_expression);
    cs_matrix_expression *m = lua_newuserdatauv(L, bytes, 0);
    m->e = (cs_expression){&cs_symbol_mark, s.node, t->serial, s.rank & 3};
    if (s.rank < 2)
        return;
    m->rows = s.rows;
    m->cols = s.cols;
}

cs_symbol cs_symbol_in(const cs_expression *e)
{
    const cs_matrix_expression *m = (const cs_matrix_expression *)e;
    return e->rank == 2 ? cs_matrix_of(e->node, m->rows, m->cols)
                        : (cs_symbol){.node = e->node, .rank = e->rank};
}

void cs_symbol_push_here(lua_State *L, const cs_trace *t, cs_symbol s)
{
    new_symbol(L, t, s);
    lua_pushvalue(L, lua_upvalueindex(CS_SYMBOL_UPVALUE));
    lua_setmetatable(L, -2);
}

void cs_symbol_push(lua_State *L, cs_symbol s)
{
    new_symbol(L, cs_trace_of(L), s);
    luaL_setmetatable(L, CS_SYMBOL_META);
}

void cs_script_push_symbol_number(lua_State *L, cs_node node)
{
    cs_symbol_push(L, cs_number_of(node));
}

bool cs_script_is_symbol(lua_State *L, int index)
{
    return cs_expression_at(L, index) != NULL;
}

void cs_script_push_vector(lua_State *L, const double *x, size_t n)
{
    cs_script_push_numbers(L, x, n);
    cs_script_make_vector(L);
}

void cs_script_make_vector(lua_State *L)
{
    luaL_setmetatable(L, CS_VECTOR_META);
}

/* Pushes a constant of a graph as a number, a list or a list of lists. */
void cs_symbol_push_plain(lua_State *L, const cs_graph *g, cs_symbol s)
{
    const double *v = g->constants[cs_graph_at(g, s.node)->extra].v;
    if (s.rank == 0)
        lua_pushnumber(L, v[0]);
    else if (s.rank == 1)
        cs_script_push_vector(L, v, cs_graph_size(g, s.node));
    else {
        lua_createtable(L, (int)s.rows, 0);
        for (size_t i = 0; i < s.rows; i++) {
            cs_script_push_vector(L, v + i * s.cols, s.cols);
            lua_rawseti(L, -2, (lua_Integer)i + 1);
        }
        luaL_setmetatable(L, CS_VECTOR_META);
    }
}

/* ---- from values of a script to symbols ---------------------------------- */

const char *cs_symbol_text(const cs_graph *g, cs_symbol s, char *text)
{
    if (s.rank == 2)
        snprintf(text, 64, "a matrix of %zu x %zu", s.rows, s.cols);
    else if (s.rank == 1)
        snprintf(text, 64, "a vector of %zu", cs_graph_size(g, s.node));
    else
        snprintf(text, 64, "a number");
    return text;
}

/* Reads the n numbers of a list; returns false if it contains other values. */
static bool plain_list(lua_State *L, cs_graph *g, int index, size_t n,
                       cs_node *node)
{
    double *v = lua_newuserdatauv(L, n * sizeof *v, 0);
    bool all = true;
    for (size_t i = 0; i < n && all; i++) {
        all = lua_rawgeti(L, index, (lua_Integer)i + 1) == LUA_TNUMBER;
        v[i] = lua_tonumber(L, -1);
        lua_pop(L, 1);
    }
    if (all)
        *node = cs_graph_vector(g, v, n);
    lua_pop(L, 1);
    return all;
}

/* Reads a list of numbers as a vector, or a list of vectors of equal length as
 * a matrix. */
static cs_symbol read_list(lua_State *L, const cs_trace *t, cs_graph *g,
                           int index, int depth)
{
    size_t n = lua_rawlen(L, index), cols = 0;
    cs_symbol s = {.rank = 1};
    luaL_checkstack(L, 8, "a list of lists of lists");
    if (n < 1)
        cs_symbol_fail(L, "an empty list is not a vector",
                       "give at least one number");
    if (n > UINT32_MAX / 2)
        cs_symbol_fail(L, "this list is too long", "give fewer numbers");
    if (plain_list(L, g, index, n, &s.node))
        return s;
    cs_node *part = lua_newuserdatauv(L, n * sizeof *part, 0);
    for (size_t i = 0; i < n; i++) {
        lua_rawgeti(L, index, (lua_Integer)i + 1);
        cs_symbol one = cs_symbol_read(L, t, g, lua_gettop(L), depth + 1);
        size_t size = one.rank ? cs_graph_size(g, one.node) : 0;
        if (one.rank == 2 || (i && size != cols))
            cs_symbol_fail(L, "the entries of this list differ in length",
                           "give a list of numbers, or for a matrix a list of "
                           "equally long "
                           "lists; cs.math.pack joins vectors");
        cols = size;
        part[i] = one.node;
        lua_pop(L, 1);
    }
    s.node = cs_graph_pack(g, part, n);
    if (cols)
        s = cs_matrix_of(s.node, n, cols);
    lua_pop(L, 1);
    return s;
}

void cs_symbol_stale(lua_State *L)
{
    if (cs_trace_of(L)->nested)
        cs_symbol_fail(
            L, "the right-hand side of cs.ode uses a value of the state",
            "give it in the field p: cs.ode { p = { a = p.a }, ... }");
    cs_symbol_fail(L, "a value of an earlier trace is used",
                   "do not store values of the state outside the log density");
    __builtin_unreachable();
}

cs_symbol cs_symbol_read(lua_State *L, const cs_trace *t, cs_graph *g,
                         int index, int depth)
{
    const cs_expression *e = cs_expression_at(L, index);
    cs_symbol s = {0};
    if (e)
        return cs_symbol_of(L, t, g, e);
    if (lua_type(L, index) == LUA_TNUMBER)
        s.node = cs_graph_number(g, lua_tonumber(L, index));
    else if (lua_istable(L, index) && depth < 3)
        s = read_list(L, t, g, index, depth);
    else {
        lua_pushfstring(L,
                        "a %s cannot be used in a log density, only "
                        "numbers, lists of numbers and values of "
                        "the state",
                        depth < 3 ? cs_script_kind(L, index)
                                  : "list of lists of lists");
        cs_symbol_fail(L, lua_tostring(L, -1),
                       g && (g->n_ranges || (t && t->rows)) &&
                               lua_isnil(L, index)
                           ? "index a list by a discrete parameter or by a "
                             "column of data as cs.math.vector(list)[k]"
                           : "compare with cs.math.lt(a, b), choose with "
                             "cs.math.where(c, a, b)");
    }
    if (!s.node)
        cs_symbol_refuse(L, g);
    return s;
}

cs_node cs_script_to_node(lua_State *L, int index)
{
    const cs_trace *t = cs_trace_of(L);
    return cs_symbol_read(L, t, cs_trace_graph(L, t), lua_absindex(L, index), 0)
        .node;
}

int cs_script_node_of(lua_State *L)
{
    lua_pushinteger(L, (lua_Integer)cs_script_to_node(L, 1));
    return 1;
}

/* True if the value is a symbol or a list that contains one. */
bool cs_symbol_within(lua_State *L, int index, int depth)
{
    if (!lua_istable(L, index) || depth >= 3)
        return cs_expression_at(L, index) != NULL;
    bool found = false;
    size_t n = lua_rawlen(L, index);
    luaL_checkstack(L, 4, "a list of lists of lists");
    for (size_t i = 1; i <= n && !found; i++) {
        lua_rawgeti(L, index, (lua_Integer)i);
        found = cs_symbol_within(L, lua_gettop(L), depth + 1);
        lua_pop(L, 1);
    }
    return found;
}

int cs_symbol_to_string(lua_State *L)
{
    const cs_expression *e = cs_expression_at(L, 1);
    luaL_argexpected(L, e, 1, CS_SYMBOL);
    const cs_trace *t = cs_trace_of(L);
    char text[64];
    bool open = t->graph && t->serial == e->serial;
    lua_pushfstring(L, "symbol %d: %s", (int)e->node,
                    open ? cs_symbol_text(t->graph, cs_symbol_in(e), text)
                         : "its trace is closed");
    return 1;
}
