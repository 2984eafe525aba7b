/* Operations on symbols other than arithmetic: indexing, length, and comparison
 * of known values. Errors of unsupported operations suggest an alternative. */
#include "script/math/expression.h"

#include "script/math/symbol.h"
#include "script/state/value.h"

#include <lauxlib.h>

/* Compares two constants. Raises an error if one of the values depends on the
 * state: the result of the comparison would select one branch of the script,
 * and the trace would use this branch for all states. */
static int compare(lua_State *L, cs_op op)
{
    double a, b;
    cs_node x = cs_script_to_node(L, 1), y = cs_script_to_node(L, 2);
    cs_graph *g = cs_trace_graph(L, cs_trace_of(L));
    if (!cs_graph_is_number(g, x, &a) || !cs_graph_is_number(g, y, &b))
        return cs_symbol_fail(
            L, "a value of the state cannot be compared",
            "write cs.math.where(cs.math.lt(a, b), x, y), or give the "
            "target traced = false");
    lua_pushboolean(L, cs_op_value(op, a, b, 0) != 0);
    return 1;
}

static int op_lt(lua_State *L)
{
    return compare(L, CS_OP_LT);
}
static int op_le(lua_State *L)
{
    return compare(L, CS_OP_LE);
}
static int op_eq(lua_State *L)
{
    return compare(L, CS_OP_EQ);
}

static cs_symbol own_symbol(lua_State *L, const cs_trace *t, cs_graph **g)
{
    *g = cs_trace_graph(L, t);
    return cs_symbol_read(L, t, *g, 1, 0);
}

static int op_len(lua_State *L)
{
    cs_graph *g;
    cs_symbol s = own_symbol(L, cs_trace_of(L), &g);
    if (s.rank == 0)
        return cs_symbol_fail(
            L, "a number has no length",
            "use #x for the entries of a vector or the rows of a matrix");
    lua_pushinteger(
        L, (lua_Integer)(s.rank == 2 ? s.rows : cs_graph_size(g, s.node)));
    return 1;
}

/* Handles an index outside 1..#x. If the script indexes x itself, raises an
 * error; if ipairs does, returns nil, which ends the loop. */
static int no_entry(lua_State *L, size_t n, lua_Integer i)
{
    lua_Debug at;
    bool of_lua = lua_getstack(L, 1, &at) && lua_getinfo(L, "S", &at) &&
                  at.what[0] != 'C';
    if (of_lua)
        return cs_script_fail(L,
                              "there is no entry %lld: this vector has %zu "
                              "entries, counted from 1",
                              (long long)i, n);
    lua_pushnil(L);
    return 1;
}

/* Returns the number of entries of a vector, or of rows of a matrix. */
static size_t size_of(const cs_graph *g, cs_symbol s)
{
    return s.rank == 2 ? s.rows : cs_graph_size(g, s.node);
}

/* Lua arguments: symbol, i, which may be a list. Returns an entry or a row, or a
 * vector of entries. */
static int op_index(lua_State *L)
{
    cs_graph *g;
    cs_trace *t = cs_trace_here(L);
    cs_symbol s = own_symbol(L, t, &g);
    size_t each = s.rank == 2 ? s.cols : 1;
    int whole;
    lua_Integer i = lua_tointegerx(L, 2, &whole);
    bool list = !whole && lua_istable(L, 2) && lua_rawlen(L, 2);
    if (list || (!whole && cs_symbol_within(L, 2, 0))) {
        g->recorded++;
        if (g->lines)
            g->line = cs_script_line_of(L, &t->caller);
        s = cs_symbol_pick(L, g, s, cs_symbol_read(L, t, g, 2, 0));
        if (!s.node)
            return cs_symbol_refuse(L, g);
        cs_symbol_push_here(L, t, s);
        return 1;
    }
    if (!whole || s.rank == 0)
        return cs_symbol_fail(
            L,
            whole ? "a number of the state cannot be indexed"
                  : "the index of a vector of the state must be a whole number",
            "write x[1], or x[i] in a loop, for a vector x");
    size_t size = size_of(g, s);
    if (i < 1 || (size_t)i > size)
        return no_entry(L, size, i);
    g->recorded++;
    if (g->lines)
        g->line = cs_script_line_of(L, &t->caller);
    cs_node n = cs_graph_slice(g, s.node, ((size_t)i - 1) * each, each);
    if (!n)
        return cs_symbol_refuse(L, g);
    cs_symbol_push_here(L, t, s.rank == 2 ? cs_vector_of(n) : cs_number_of(n));
    return 1;
}

enum { KEPT = 4096, OWNER_UPVALUE = 1 };

/* Lua arguments: list of cached entries, i. Creates entry i, which is not in
 * the list yet. */
static int missing_entry(lua_State *L)
{
    enum { I = 2, ENTRIES };
    int whole;
    lua_Integer i = lua_tointegerx(L, I, &whole);
    lua_pushvalue(L, 1);
    lua_pushvalue(L, lua_upvalueindex(OWNER_UPVALUE));
    lua_replace(L, 1);
    op_index(L);
    if (whole && i <= KEPT && !lua_isnil(L, -1)) {
        lua_pushvalue(L, -1);
        lua_rawseti(L, ENTRIES, i);
    }
    return 1;
}

/* Sets a metatable for the vector on top of the stack, which is an argument of
 * a function. The metatable caches the entries of the vector, so that reading
 * an entry for the second time calls no function. */
static void keep_entries(lua_State *L)
{
    int owner = lua_gettop(L), meta = owner + 1;
    lua_newtable(L);
    luaL_getmetatable(L, CS_SYMBOL_META);
    cs_script_copy_fields(L, meta, meta + 1);
    lua_newtable(L);
    lua_newtable(L);
    lua_pushvalue(L, owner);
    cs_trace_closure(L, missing_entry);
    lua_setfield(L, -2, "__index");
    lua_setmetatable(L, -2);
    lua_setfield(L, meta, "__index");
    lua_settop(L, meta);
    lua_setmetatable(L, owner);
}

void cs_script_push_expression(lua_State *L, cs_node node)
{
    cs_symbol_push(L, cs_vector_of(node));
    keep_entries(L);
}

static int op_newindex(lua_State *L)
{
    return cs_symbol_fail(L, "the state cannot be assigned to",
                          "store values in a list of your own");
}

/* Operators that expressions do not support: metamethod, message, hint. */
static const struct {
    const char *event, *what, *hint;
} others[] = {
    {"__mod", "% is discontinuous and cannot be traced",
     "use cs.math.where, or give the target traced = false"},
    {"__idiv", "// is discontinuous and cannot be traced",
     "use cs.math.where, or give the target traced = false"},
    {"__band", "& cannot be traced", "use cs.math.where(a, b, 0)"},
    {"__bor", "| cannot be traced", "use cs.math.where(a, 1, b)"},
    {"__bxor", "~ cannot be traced", "use cs.math.eq(a, b)"},
    {"__bnot", "~ cannot be traced", "use 1 - a"},
    {"__shl", "<< cannot be traced", "multiply by a power of 2"},
    {"__shr", ">> cannot be traced", "divide by a power of 2"},
    {"__concat", "a symbol cannot be converted to text",
     "print states of the run"},
    {"__call", "a value of the state cannot be called", "write x[1]"},
    {"__pairs", "pairs does not work on vectors of the state",
     "write for i = 1, #x do ... x[i] ... end"},
};

static int op_other(lua_State *L)
{
    lua_Integer i = lua_tointeger(L, lua_upvalueindex(1));
    return cs_symbol_fail(L, others[i].what, others[i].hint);
}

/* Formats a vector as {1, 2, 3}. */
static int vector_to_string(lua_State *L)
{
    luaL_Buffer text;
    size_t n = lua_istable(L, 1) ? lua_rawlen(L, 1) : 0;
    luaL_buffinit(L, &text);
    luaL_addchar(&text, '{');
    for (size_t i = 1; i <= n && i <= 20; i++) {
        luaL_addstring(&text, i > 1 ? ", " : "");
        lua_rawgeti(L, 1, (lua_Integer)i);
        luaL_tolstring(L, -1, NULL);
        lua_remove(L, -2);
        luaL_addvalue(&text);
    }
    luaL_addstring(&text, n > 20 ? ", ...}" : "}");
    luaL_pushresult(&text);
    return 1;
}

/* Lua arguments: vector, symbol. Returns the entry of a vector of constants whose
 * index is a value of the state. */
static int symbolic_entry(lua_State *L)
{
    const cs_trace *t = cs_trace_of(L);
    cs_graph *g = cs_trace_graph(L, t);
    cs_symbol s = cs_symbol_pick(L, g, cs_symbol_read(L, t, g, 1, 0),
                                 cs_symbol_read(L, t, g, 2, 0));
    if (!s.node)
        return cs_symbol_refuse(L, g);
    g->recorded++;
    cs_symbol_push(L, s);
    return 1;
}

/* Lua arguments: vector, list of indices. Returns the list of its entries. */
static int listed_entries(lua_State *L)
{
    lua_Integer n = (lua_Integer)lua_rawlen(L, 2);
    lua_createtable(L, (int)n, 0);
    for (lua_Integer k = 1; k <= n; k++) {
        lua_rawgeti(L, 2, k);
        lua_Integer i = lua_tointeger(L, -1);
        if (i < 1 || (size_t)i > lua_rawlen(L, 1))
            return no_entry(L, lua_rawlen(L, 1), i);
        lua_rawgeti(L, 1, i);
        lua_rawseti(L, -3, k);
        lua_pop(L, 1);
    }
    cs_script_make_vector(L);
    return 1;
}

/* The metamethod __index of a vector; Lua arguments: vector, i. Lua calls this
 * function only if the vector has no entry i. */
static int vector_index(lua_State *L)
{
    if (lua_isinteger(L, 2))
        return no_entry(L, lua_rawlen(L, 1), lua_tointeger(L, 2));
    if (cs_symbol_within(L, 2, 0))
        return symbolic_entry(L);
    if (lua_istable(L, 2) && lua_rawlen(L, 2))
        return listed_entries(L);
    lua_pushnil(L);
    return 1;
}

/* Fills the metatables of symbols and of vectors with the operators, including
 * unsupported operators, and with the type names that Lua's own errors
 * contain. */
static void fill_symbol_class(lua_State *L)
{
    luaL_getmetatable(L, CS_SYMBOL_META);
    lua_pushliteral(L, CS_SYMBOL);
    lua_setfield(L, -2, "__name");
    lua_pushnil(L); /* placeholder for the upvalue, the vector's metatable */
    cs_trace_closure(L, op_index);
    lua_setfield(L, -2, "__index");
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        lua_pushinteger(L, (lua_Integer)i);
        lua_pushcclosure(L, op_other, 1);
        lua_setfield(L, -2, others[i].event);
    }
    lua_pop(L, 1);
}

void cs_symbol_open(lua_State *L)
{
    static const luaL_Reg methods[] = {{"__lt", op_lt},
                                       {"__le", op_le},
                                       {"__eq", op_eq},
                                       {"__len", op_len},
                                       {"__newindex", op_newindex},
                                       {"__tostring", cs_symbol_to_string},
                                       {NULL, NULL}};
    static const luaL_Reg of_vectors[] = {{"__tostring", vector_to_string},
                                          {"__index", vector_index},
                                          {NULL, NULL}};
    cs_script_class(L, CS_SYMBOL_META, "expression", methods);
    cs_trace_create(L);
    fill_symbol_class(L);
    cs_script_class(L, CS_VECTOR_META, "vector", of_vectors);
}
