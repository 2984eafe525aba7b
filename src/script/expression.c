#include "script/expression.h"

#include "script/value.h"

#include <lauxlib.h>
#include <math.h>
#include <string.h>

static const char meta[] = "chainscope.expression";
static const char key_of_trace = 't';

/* The open trace; symbols remember which one they are from. */
typedef struct trace {
    cs_graph *graph; /* NULL: none is open */
    unsigned serial;
} trace;

typedef struct expression {
    cs_node node;
    unsigned serial;
} expression;

static trace *trace_of(lua_State *L)
{
    lua_rawgetp(L, LUA_REGISTRYINDEX, &key_of_trace);
    trace *t = lua_touserdata(L, -1);
    lua_pop(L, 1);
    return t;
}

void cs_script_trace_open(lua_State *L, cs_graph *g)
{
    trace *t = trace_of(L);
    t->graph = g;
    t->serial++;
}

void cs_script_trace_close(lua_State *L)
{
    trace_of(L)->graph = NULL;
}

/* ---- errors -------------------------------------------------------------- */

static int fail(lua_State *L, const char *what, const char *mend)
{
    cs_error err;
    cs_fail(&err, CS_SCRIPT, "%s", what);
    cs_mend(&err, "%s", mend);
    return cs_script_raise(L, &err);
}

/* Says why the graph refused an operation. */
static int refuse(lua_State *L, cs_graph *g)
{
    cs_status status = g->status;
    g->status = CS_OK;
    if (status == CS_RANGE)
        return fail(L, "the log density makes too many operations",
                    "a loop that does not end? vectors are one operation");
    if (status == CS_MEMORY)
        return luaL_error(L, "no memory for the expression");
    return fail(L, "these values do not have the same length",
                "combine vectors of one length, or a vector and a number");
}

static cs_graph *open_graph(lua_State *L)
{
    trace *t = trace_of(L);
    if (!t || !t->graph)
        fail(L, "a symbol is used outside the function that was traced",
             "keep nothing of the state beyond the log density");
    lua_Debug at;
    if (lua_getstack(L, 1, &at) && lua_getinfo(L, "l", &at) &&
        at.currentline > 0)
        t->graph->line = at.currentline;
    return t->graph;
}

/* ---- values as nodes ----------------------------------------------------- */

void cs_script_push_expression(lua_State *L, cs_node node)
{
    trace *t = trace_of(L);
    expression *e = lua_newuserdatauv(L, sizeof *e, 0);
    *e = (expression){node, t->serial};
    luaL_setmetatable(L, meta);
}

static int give(lua_State *L, cs_graph *g, cs_node node)
{
    if (!node)
        return refuse(L, g);
    g->recorded++;
    cs_script_push_expression(L, node);
    return 1;
}

static cs_node list_node(lua_State *L, cs_graph *g, int index)
{
    lua_Integer n = (lua_Integer)lua_rawlen(L, index);
    cs_node *part;
    if (n < 1)
        fail(L, "an empty list is no vector", "give at least one number");
    part = lua_newuserdatauv(L, (size_t)n * sizeof *part, 0);
    for (lua_Integer i = 1; i <= n; i++) {
        lua_rawgeti(L, index, i);
        part[i - 1] = cs_script_to_node(L, lua_gettop(L));
        lua_pop(L, 1);
    }
    cs_node node = cs_graph_pack(g, part, (size_t)n);
    lua_pop(L, 1);
    if (!node)
        refuse(L, g);
    return node;
}

cs_node cs_script_to_node(lua_State *L, int index)
{
    cs_graph *g = open_graph(L);
    expression *e = luaL_testudata(L, index, meta);
    cs_node node = 0;
    if (e) {
        if (e->serial != trace_of(L)->serial)
            fail(L, "a symbol of an earlier trace is used",
                 "keep nothing of the state beyond the log density");
        return e->node;
    }
    if (lua_type(L, index) == LUA_TNUMBER)
        node = cs_graph_number(g, lua_tonumber(L, index));
    else if (lua_istable(L, index))
        return list_node(L, g, index);
    else
        fail(L,
             lua_isboolean(L, index)
                 ? "a truth value cannot enter a traced log density"
                 : "only numbers, lists of numbers and what comes from the "
                   "state can enter a traced log density",
             "compare by cs.math.lt(a, b), choose by cs.math.where(c, a, b)");
    if (!node)
        refuse(L, g);
    return node;
}

/* ---- operators ----------------------------------------------------------- */

static int binary(lua_State *L, cs_op op)
{
    cs_node a = cs_script_to_node(L, 1), b = cs_script_to_node(L, 2);
    cs_graph *g = open_graph(L);
    return give(L, g, cs_graph_op2(g, op, a, b));
}

static int op_add(lua_State *L)
{
    return binary(L, CS_OP_ADD);
}
static int op_sub(lua_State *L)
{
    return binary(L, CS_OP_SUB);
}
static int op_mul(lua_State *L)
{
    return binary(L, CS_OP_MUL);
}
static int op_div(lua_State *L)
{
    return binary(L, CS_OP_DIV);
}
static int op_pow(lua_State *L)
{
    return binary(L, CS_OP_POW);
}

static int op_minus(lua_State *L)
{
    cs_node a = cs_script_to_node(L, 1);
    cs_graph *g = open_graph(L);
    return give(L, g, cs_graph_op2(g, CS_OP_MUL, a, cs_graph_number(g, -1)));
}

/* A comparison of numbers that are known (a trace at a given point) is an
 * ordinary one; of symbols it would freeze one branch. */
static int compare(lua_State *L, cs_op op)
{
    double a, b;
    cs_node x = cs_script_to_node(L, 1), y = cs_script_to_node(L, 2);
    cs_graph *g = open_graph(L);
    if (!cs_graph_is_number(g, x, &a) || !cs_graph_is_number(g, y, &b))
        return fail(L, "this branches on a value of the state",
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

static int op_len(lua_State *L)
{
    cs_node a = cs_script_to_node(L, 1);
    lua_pushinteger(L, (lua_Integer)cs_graph_size(open_graph(L), a));
    return 1;
}

/* x[i]; outside 1..#x nil, as of a list. */
static int op_index(lua_State *L)
{
    cs_node a = cs_script_to_node(L, 1);
    cs_graph *g = open_graph(L);
    int whole;
    lua_Integer i = lua_tointegerx(L, 2, &whole);
    if (!whole)
        return fail(L, "a vector of the state is indexed by whole numbers",
                    "write x[1], or x[i] in a loop");
    if (i < 1 || (size_t)i > cs_graph_size(g, a)) {
        lua_pushnil(L);
        return 1;
    }
    return give(L, g, cs_graph_slice(g, a, (size_t)i - 1, 1));
}

static int op_newindex(lua_State *L)
{
    return fail(L, "the state cannot be assigned to",
                "collect values in a list of your own");
}

static int op_other(lua_State *L)
{
    return fail(L, "this operation cannot be traced",
                "use + - * / ^ and the functions of cs.math");
}

static int to_string(lua_State *L)
{
    expression *e = luaL_checkudata(L, 1, meta);
    lua_pushfstring(L, "symbol %d", (int)e->node);
    return 1;
}

/* ---- cs.math ------------------------------------------------------------- */

static bool all_numbers(lua_State *L, int n)
{
    for (int i = 1; i <= n; i++)
        if (lua_type(L, i) != LUA_TNUMBER)
            return false;
    return true;
}

/* The operation that upvalue 1 names, of 1 to 3 arguments. */
static int apply(lua_State *L)
{
    cs_op op = (cs_op)lua_tointeger(L, lua_upvalueindex(1));
    int n = (int)cs_ops[op].arity;
    lua_settop(L, n);
    if (cs_ops[op].class == CS_OP_MAP && all_numbers(L, n)) {
        lua_pushnumber(L, cs_op_value(op, lua_tonumber(L, 1),
                                      lua_tonumber(L, 2), lua_tonumber(L, 3)));
        return 1;
    }
    cs_node a[3] = {0};
    for (int i = 0; i < n; i++)
        a[i] = cs_script_to_node(L, i + 1);
    cs_graph *g = open_graph(L);
    return give(L, g,
                n == 1   ? cs_graph_op1(g, op, a[0])
                : n == 2 ? cs_graph_op2(g, op, a[0], a[1])
                         : cs_graph_op3(g, op, a[0], a[1], a[2]));
}

/* max and min of any number of arguments. */
static int extreme(lua_State *L)
{
    cs_op op = (cs_op)lua_tointeger(L, lua_upvalueindex(1));
    int n = lua_gettop(L);
    luaL_checkany(L, 1);
    if (all_numbers(L, n)) {
        double best = lua_tonumber(L, 1);
        for (int i = 2; i <= n; i++)
            best = cs_op_value(op, best, lua_tonumber(L, i), 0);
        lua_pushnumber(L, best);
        return 1;
    }
    cs_node best = cs_script_to_node(L, 1);
    cs_graph *g = open_graph(L);
    for (int i = 2; i <= n; i++)
        best = cs_graph_op2(g, op, best, cs_script_to_node(L, i));
    return give(L, g, best);
}

/* log x, or log x / log base. */
static int logarithm(lua_State *L)
{
    bool based = !lua_isnoneornil(L, 2);
    if (all_numbers(L, based ? 2 : 1)) {
        double y = log(lua_tonumber(L, 1));
        lua_pushnumber(L, based ? y / log(lua_tonumber(L, 2)) : y);
        return 1;
    }
    cs_node x = cs_script_to_node(L, 1);
    cs_graph *g = open_graph(L);
    cs_node y = cs_graph_op1(g, CS_OP_LOG, x);
    if (based)
        y = cs_graph_op2(g, CS_OP_DIV, y,
                         cs_graph_op1(g, CS_OP_LOG, cs_script_to_node(L, 2)));
    return give(L, g, y);
}

/* gather(x, {i, ...}) = {x[i], ...} */
static int gather(lua_State *L)
{
    luaL_checktype(L, 2, LUA_TTABLE);
    lua_Integer n = (lua_Integer)lua_rawlen(L, 2);
    cs_node a = cs_script_to_node(L, 1);
    cs_graph *g = open_graph(L);
    double *index = lua_newuserdatauv(L, (size_t)n * sizeof *index + 1, 0);
    for (lua_Integer i = 0; i < n; i++) {
        lua_rawgeti(L, 2, i + 1);
        lua_Integer at = lua_tointeger(L, -1);
        if (at < 1 || (size_t)at > cs_graph_size(g, a))
            return fail(L, "gather: an index is outside the vector",
                        "indices run from 1 to #x");
        index[i] = (double)at - 1;
        lua_pop(L, 1);
    }
    return give(L, g, cs_graph_gather(g, a, index, (size_t)n));
}

/* product(A, x) = A x, A a list of rows of numbers */
static int product(lua_State *L)
{
    size_t rows, cols;
    double *a = cs_script_numbers(L, 1, "the matrix", &rows, &cols);
    cs_node x = cs_script_to_node(L, 2);
    cs_graph *g = open_graph(L);
    return give(L, g, cs_graph_product(g, a, rows, cols, x));
}

/* pack(a, b, ...) = one vector */
static int pack(lua_State *L)
{
    int n = lua_gettop(L);
    cs_node *part = lua_newuserdatauv(L, (size_t)n * sizeof *part + 1, 0);
    for (int i = 1; i <= n; i++)
        part[i - 1] = cs_script_to_node(L, i);
    cs_graph *g = open_graph(L);
    return give(L, g, cs_graph_pack(g, part, (size_t)n));
}

/* slice(x, first, last), both included */
static int slice(lua_State *L)
{
    cs_node a = cs_script_to_node(L, 1);
    lua_Integer first = luaL_checkinteger(L, 2), last = luaL_checkinteger(L, 3);
    cs_graph *g = open_graph(L);
    if (first < 1 || last < first || (size_t)last > cs_graph_size(g, a))
        return fail(
            L, "slice: the range is outside the vector",
            "write slice(x, first, last) with 1 <= first <= last <= #x");
    return give(
        L, g,
        cs_graph_slice(g, a, (size_t)first - 1, (size_t)(last - first + 1)));
}

typedef struct named_op {
    const char *name;
    lua_CFunction call;
    cs_op op;
} named_op;

static const named_op functions[] = {
    {"log", logarithm, CS_OP_LOG},
    {"log1p", apply, CS_OP_LOG1P},
    {"exp", apply, CS_OP_EXP},
    {"expm1", apply, CS_OP_EXPM1},
    {"sqrt", apply, CS_OP_SQRT},
    {"abs", apply, CS_OP_ABS},
    {"sin", apply, CS_OP_SIN},
    {"cos", apply, CS_OP_COS},
    {"tan", apply, CS_OP_TAN},
    {"tanh", apply, CS_OP_TANH},
    {"atan", apply, CS_OP_ATAN},
    {"erf", apply, CS_OP_ERF},
    {"normal_cdf", apply, CS_OP_NORMAL_CDF},
    {"log_normal_cdf", apply, CS_OP_LOG_NORMAL_CDF},
    {"lgamma", apply, CS_OP_LGAMMA},
    {"digamma", apply, CS_OP_DIGAMMA},
    {"softplus", apply, CS_OP_SOFTPLUS},
    {"sigmoid", apply, CS_OP_SIGMOID},
    {"pow", apply, CS_OP_POW},
    {"lt", apply, CS_OP_LT},
    {"le", apply, CS_OP_LE},
    {"eq", apply, CS_OP_EQ},
    {"where", apply, CS_OP_WHERE},
    {"max", extreme, CS_OP_MAX},
    {"min", extreme, CS_OP_MIN},
    {"sum", apply, CS_OP_SUM},
    {"log_sum_exp", apply, CS_OP_LOG_SUM_EXP},
    {"gather", gather, CS_OP_GATHER},
    {"product", product, CS_OP_PRODUCT},
    {"pack", pack, CS_OP_PACK},
    {"slice", slice, CS_OP_SLICE},
};

void cs_script_copy_fields(lua_State *L, int to, int from)
{
    if (!lua_istable(L, to))
        return;
    for (lua_pushnil(L); lua_next(L, from); lua_pop(L, 1)) {
        lua_pushvalue(L, -2);
        lua_pushvalue(L, -2);
        lua_rawset(L, to);
    }
}

void cs_script_overlay_math(lua_State *L, int math, int old)
{
    if (!lua_istable(L, math))
        return;
    lua_getfield(L, LUA_REGISTRYINDEX, "chainscope.math");
    int ours = lua_gettop(L);
    for (lua_pushnil(L); lua_next(L, ours); lua_pop(L, 1)) {
        const char *name = lua_tostring(L, -2);
        if (lua_getfield(L, math, name) != LUA_TFUNCTION) {
            lua_pop(L, 1);
            continue;
        }
        if (old)
            lua_setfield(L, old, name);
        else
            lua_pop(L, 1);
        lua_pushvalue(L, -1);
        lua_setfield(L, math, name);
    }
    lua_pop(L, 1);
}

static void push_functions(lua_State *L)
{
    lua_newtable(L);
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        lua_pushinteger(L, functions[i].op);
        lua_pushcclosure(L, functions[i].call, 1);
        lua_setfield(L, -2, functions[i].name);
    }
}

void cs_script_open_expression(lua_State *L)
{
    static const luaL_Reg methods[] = {
        {"__add", op_add},         {"__sub", op_sub},
        {"__mul", op_mul},         {"__div", op_div},
        {"__pow", op_pow},         {"__unm", op_minus},
        {"__lt", op_lt},           {"__le", op_le},
        {"__eq", op_eq},           {"__len", op_len},
        {"__index", op_index},     {"__newindex", op_newindex},
        {"__mod", op_other},       {"__idiv", op_other},
        {"__band", op_other},      {"__bor", op_other},
        {"__concat", op_other},    {"__call", op_other},
        {"__tostring", to_string}, {NULL, NULL}};
    lua_rawgetp(L, LUA_REGISTRYINDEX, &key_of_trace);
    if (lua_isnil(L, -1)) {
        trace *t = lua_newuserdatauv(L, sizeof *t, 0);
        *t = (trace){NULL, 0};
        lua_rawsetp(L, LUA_REGISTRYINDEX, &key_of_trace);
    }
    lua_pop(L, 1);
    luaL_newmetatable(L, meta);
    luaL_setfuncs(L, methods, 0);
    lua_pushliteral(L, "expression");
    lua_setfield(L, -2, "__metatable");
    lua_pop(L, 1);
    push_functions(L);
    lua_pushvalue(L, -1);
    lua_setfield(L, LUA_REGISTRYINDEX, "chainscope.math");
    lua_setfield(L, -2, "math");
}
