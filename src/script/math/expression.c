/* Operations on symbols and plain vectors: operators, and calls of cs.math
 * functions. */
#include "script/math/expression.h"

#include "script/math/symbol.h"
#include "script/state/value.h"

#include <lauxlib.h>

static const char graph_meta[] = "chainscope.graph";

enum { MOST_NODES = 1 << 23 /* maximum number of nodes of a private graph */ };

/* ---- calls --------------------------------------------------------------- */

static int free_graph(lua_State *L)
{
    cs_graph **box = lua_touserdata(L, 1);
    cs_graph_destroy(*box);
    *box = NULL;
    return 0;
}

/* Pushes the owner of a private graph. The owner is reused: Lua collects
 * objects with a finalizer late, so that a loop of logarithms would otherwise
 * exhaust the memory. A graph that remained after an error is destroyed. */
static cs_graph **new_graph(lua_State *L)
{
    if (lua_rawgetp(L, LUA_REGISTRYINDEX, graph_meta) == LUA_TNIL) {
        cs_graph **box = lua_newuserdatauv(L, sizeof *box, 0);
        *box = NULL;
        luaL_setmetatable(L, graph_meta);
        lua_pushvalue(L, -1);
        lua_rawsetp(L, LUA_REGISTRYINDEX, graph_meta);
        lua_replace(L, -2);
    }
    cs_graph **box = lua_touserdata(L, -1);
    cs_graph_destroy(*box);
    *box = NULL;
    if (cs_graph_create(1, MOST_NODES, box, NULL))
        luaL_error(L, "out of memory for the expression");
    return box;
}

static bool all_numbers(lua_State *L, int n)
{
    for (int i = 1; i <= n; i++)
        if (lua_type(L, i) != LUA_TNUMBER)
            return false;
    return true;
}

static cs_symbol element_wise(cs_symbol_rule *w)
{
    cs_symbol a[3] = {{0}};
    for (int i = 0; i < w->n; i++)
        a[i] = cs_rule_at(w, i + 1);
    return cs_rule_map(w, w->word->op, a, w->n);
}

_Noreturn static void fail_count(lua_State *L, const cs_symbol_word *word)
{
    cs_symbol_rule w = {.L = L, .word = word};
    cs_rule_fail(&w, NULL, "the arguments are (%s)", word->arguments);
}

/* Returns the number of arguments without trailing nils. */
static int count(lua_State *L, const cs_symbol_word *word)
{
    int top = lua_gettop(L), n = top;
    while (n > word->least && lua_isnil(L, n))
        n--;
    if (word->most && word->most < n && !word->arguments)
        n = word->most; /* Lua passes extra arguments to operators */
    if (n < word->least || (word->most && n > word->most))
        fail_count(L, word);
    if (n < top)
        lua_settop(L, n);
    return n;
}

/* Returns true if no argument contains a symbol. Records which arguments are
 * symbols. */
static bool is_plain(cs_symbol_rule *w)
{
    bool plain = true;
    for (int i = 0; i < w->n && i < 3; i++) {
        w->known[i] = cs_expression_at(w->L, i + 1);
        plain = plain && !w->known[i];
    }
    for (int i = 1; i <= w->n && plain; i++)
        plain = !cs_symbol_within(w->L, i, 0);
    return plain;
}

/* Computes the value of a function of numbers without a graph, if it is that of
 * one operation. Returns false otherwise. */
static bool find_value(cs_symbol_rule *w, double *y)
{
    const cs_symbol_word *word = w->word;
    lua_State *L = w->L;
    if ((word->make && !word->plain) || !all_numbers(L, w->n))
        return false;
    *y = lua_tonumber(L, 1);
    if (!word->make)
        *y = cs_op_value(word->op, *y, lua_tonumber(L, 2), lua_tonumber(L, 3));
    else if (cs_ops[word->plain].arity == 1 && w->n > 1)
        return false;
    else if (cs_ops[word->plain].arity == 1)
        *y = cs_op_value(word->plain, *y, 0, 0);
    for (int i = 2; word->make && i <= w->n; i++)
        *y = cs_op_value(word->plain, *y, lua_tonumber(L, i), 0);
    return true;
}

/* Applies a function to numbers, lists and lists of lists. A private graph
 * reduces the call to a constant. */
static int call_plain(cs_symbol_rule *w)
{
    lua_State *L = w->L;
    const cs_symbol_word *word = w->word;
    double value;
    if (find_value(w, &value)) {
        lua_pushnumber(L, value);
        return 1;
    }
    cs_graph **own = new_graph(L);
    w->g = *own;
    cs_symbol y = word->make ? word->make(w) : element_wise(w);
    if (!y.node)
        return cs_symbol_refuse(L, w->g);
    cs_symbol_push_plain(L, w->g, y);
    cs_graph_destroy(*own);
    *own = NULL;
    return 1;
}

static int call(lua_State *L)
{
    const cs_symbol_word *word = lua_touserdata(L, lua_upvalueindex(1));
    cs_trace *t = cs_trace_here(L);
    cs_symbol_rule w = {.L = L, .trace = t, .word = word, .n = count(L, word)};
    if (w.n == 1 && !word->make && lua_type(L, 1) == LUA_TNUMBER) {
        lua_pushnumber(L, cs_op_value(word->op, lua_tonumber(L, 1), 0, 0));
        return 1;
    }
    if (is_plain(&w))
        return call_plain(&w);
    w.g = cs_trace_graph(L, t);
    if (w.g->lines)
        w.g->line = cs_script_line_of(L, &t->caller);
    cs_symbol y = word->make ? word->make(&w) : element_wise(&w);
    if (!y.node)
        return cs_symbol_refuse(L, w.g);
    w.g->recorded++;
    cs_symbol_push_here(L, t, y);
    return 1;
}

static void push_word(lua_State *L, const cs_symbol_word *word, lua_CFunction f)
{
    lua_pushlightuserdata(L, (void *)(uintptr_t)word);
    cs_trace_closure(L, f);
}

/* tracing(): returns true while a log density is being traced */
static int tracing(lua_State *L)
{
    lua_pushboolean(L, cs_trace_of(L)->graph != NULL);
    return 1;
}

/* rank(value): returns 0 for a number, 1 for a vector, 2 for a matrix */
static int rank(lua_State *L)
{
    const cs_trace *t = cs_trace_of(L);
    bool symbol = cs_symbol_within(L, 1, 0);
    lua_settop(L, 1);
    cs_graph **own = symbol ? NULL : new_graph(L);
    cs_graph *g = symbol ? cs_trace_graph(L, t) : *own;
    cs_symbol s = cs_symbol_read(L, t, g, 1, 0);
    lua_pushinteger(L, s.rank);
    return 1;
}

/* ---- operators ----------------------------------------------------------- */

static cs_symbol minus(cs_symbol_rule *w)
{
    cs_symbol a[2] = {cs_rule_at(w, 1),
                      cs_number_of(cs_graph_number(w->g, -1))};
    return cs_rule_map(w, CS_OP_MUL, a, 2);
}

/* Returns argument i as a node if it is a number: a constant, or a symbol of
 * the open trace. Otherwise returns 0. */
static inline cs_node number_at(lua_State *L, const cs_trace *t, int i)
{
    const cs_expression *e = cs_expression_at(L, i);
    if (e)
        return e->serial == t->serial && e->rank == 0 ? e->node : 0;
    return lua_type(L, i) == LUA_TNUMBER
               ? cs_graph_number(t->graph, lua_tonumber(L, i))
               : 0;
}

/* Applies an operator to two numbers directly, because numbers are common in
 * loops. For other operands calls the general function. */
static int operate(lua_State *L, cs_op op)
{
    cs_trace *t = cs_trace_here(L);
    cs_graph *g = t->graph;
    if (!g || g->lines)
        return call(L);
    cs_node a = number_at(L, t, 1), b = a ? number_at(L, t, 2) : 0;
    if (!b)
        return call(L);
    cs_node y = cs_graph_op2(g, op, a, b);
    if (!y)
        return cs_symbol_refuse(L, g);
    g->recorded++;
    cs_symbol_push_number(L, t, y);
    return 1;
}

#define OPERATOR(name, op)                                                     \
    static int name(lua_State *L)                                              \
    {                                                                          \
        return operate(L, op);                                                 \
    }
OPERATOR(op_add, CS_OP_ADD)
OPERATOR(op_sub, CS_OP_SUB)
OPERATOR(op_mul, CS_OP_MUL)
OPERATOR(op_div, CS_OP_DIV)
OPERATOR(op_pow, CS_OP_POW)
#undef OPERATOR

/* The operators of symbols. `help` is the name of an operator's metamethod. */
static const struct {
    cs_symbol_word word;
    lua_CFunction f;
} operators[] = {
    {{"+", NULL, "__add", .op = CS_OP_ADD, .least = 2, .most = 2}, op_add},
    {{"-", NULL, "__sub", .op = CS_OP_SUB, .least = 2, .most = 2}, op_sub},
    {{"*", NULL, "__mul", .op = CS_OP_MUL, .least = 2, .most = 2}, op_mul},
    {{"/", NULL, "__div", .op = CS_OP_DIV, .least = 2, .most = 2}, op_div},
    {{"^", NULL, "__pow", .op = CS_OP_POW, .least = 2, .most = 2}, op_pow},
    {{"-", NULL, "__unm", minus, .least = 1, .most = 1}, call},
};

/* ---- the table cs.math --------------------------------------------------- */

/* Adds the functions to math and math_rows, the tables at stack indices -2 and
 * -1. */
static void add_words(lua_State *L, const cs_symbol_word *word, size_t n)
{
    for (size_t i = 0; i < n; i++, word++) {
        push_word(L, word, call);
        lua_setfield(L, -3, word->name);
        const char *const row[] = {word->name, word->arguments, word->help};
        lua_createtable(L, 3, 0);
        for (int k = 0; k < 3; k++) {
            lua_pushstring(L, row[k]);
            lua_rawseti(L, -2, k + 1);
        }
        lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1);
    }
}

static void add_operators(lua_State *L, const char *name)
{
    luaL_getmetatable(L, name);
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
        push_word(L, &operators[i].word, operators[i].f);
        lua_setfield(L, -2, operators[i].word.help);
    }
    lua_pop(L, 1);
}

static void open_classes(lua_State *L)
{
    static const luaL_Reg of_graphs[] = {{"__gc", free_graph}, {NULL, NULL}};
    cs_symbol_open(L);
    add_operators(L, CS_SYMBOL_META);
    add_operators(L, CS_VECTOR_META);
    cs_script_class(L, graph_meta, "graph", of_graphs);
    cs_script_open_sparse(L);
}

void cs_script_open_expression(lua_State *L)
{
    static const luaL_Reg functions[] = {{"tracing", tracing},
                                         {"rank", rank},
                                         {"sparse", cs_script_sparse},
                                         {NULL, NULL}};
    open_classes(L);
    luaL_setfuncs(L, functions, 0);
    lua_newtable(L);
    lua_newtable(L);
    add_words(L, cs_math_words, cs_math_words_n);
    add_words(L, cs_matrix_words, cs_matrix_words_n);
    lua_setfield(L, -3, "math_rows");
    lua_pushvalue(L, -1);
    lua_setfield(L, LUA_REGISTRYINDEX, "chainscope.math");
    lua_setfield(L, -2, "math");
}
