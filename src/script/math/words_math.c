/* cs.math: elementwise functions and functions of vectors. */
#include "script/math/symbol.h"

#include "script/state/value.h"

#include <math.h>

/* ---- helper functions ---------------------------------------------------- */

static cs_symbol number(cs_symbol_rule *w, double v)
{
    return cs_number_of(cs_graph_number(w->g, v));
}

static cs_symbol one(cs_symbol_rule *w, cs_op op, cs_symbol a)
{
    return cs_rule_map(w, op, &a, 1);
}

static cs_symbol two(cs_symbol_rule *w, cs_op op, cs_symbol a, cs_symbol b)
{
    cs_symbol both[] = {a, b};
    return cs_rule_map(w, op, both, 2);
}

static cs_symbol scaled(cs_symbol_rule *w, double factor, cs_symbol a)
{
    return two(w, CS_OP_MUL, a, number(w, factor));
}

static cs_symbol choose(cs_symbol_rule *w, cs_symbol condition, cs_symbol yes,
                        cs_symbol no)
{
    cs_symbol all[] = {condition, yes, no};
    return cs_rule_map(w, CS_OP_WHERE, all, 3);
}

static cs_symbol reduced(cs_symbol_rule *w, cs_op op, cs_symbol a)
{
    return cs_number_of(cs_graph_op1(w->g, op, a.node));
}

/* ---- element by element -------------------------------------------------- */

/* Returns log x, or log x / log base. */
static cs_symbol logarithm(cs_symbol_rule *w)
{
    cs_symbol y = one(w, CS_OP_LOG, cs_rule_at(w, 1));
    return w->n < 2 ? y
                    : two(w, CS_OP_DIV, y, one(w, CS_OP_LOG, cs_rule_at(w, 2)));
}

/* Returns the angle of (x, y). The angle is computed from the octant and from
 * the ratio of the smaller coordinate to the larger. */
static cs_symbol angle(cs_symbol_rule *w, cs_symbol y, cs_symbol x)
{
    cs_symbol none = number(w, 0), flat;
    flat = two(w, CS_OP_LE, one(w, CS_OP_ABS, y), one(w, CS_OP_ABS, x));
    cs_symbol up = two(w, CS_OP_LE, none, y), left = two(w, CS_OP_LT, x, none);
    cs_symbol turn =
        choose(w, left, choose(w, up, number(w, M_PI), number(w, -M_PI)), none);
    cs_symbol near =
        two(w, CS_OP_ADD, turn, one(w, CS_OP_ATAN, two(w, CS_OP_DIV, y, x)));
    cs_symbol quarter = choose(w, up, number(w, M_PI_2), number(w, -M_PI_2));
    return choose(w, flat, near,
                  two(w, CS_OP_SUB, quarter,
                      one(w, CS_OP_ATAN, two(w, CS_OP_DIV, x, y))));
}

static cs_symbol arc_tangent(cs_symbol_rule *w)
{
    cs_symbol y = cs_rule_at(w, 1);
    return w->n < 2 ? one(w, CS_OP_ATAN, y) : angle(w, y, cs_rule_at(w, 2));
}

/* Returns sqrt((1 - x) (1 + x)). */
static cs_symbol other_side(cs_symbol_rule *w, cs_symbol x)
{
    cs_symbol unit = number(w, 1);
    return one(w, CS_OP_SQRT,
               two(w, CS_OP_MUL, two(w, CS_OP_SUB, unit, x),
                   two(w, CS_OP_ADD, unit, x)));
}

static cs_symbol arc_sine(cs_symbol_rule *w)
{
    cs_symbol x = cs_rule_at(w, 1);
    return one(w, CS_OP_ATAN, two(w, CS_OP_DIV, x, other_side(w, x)));
}

static cs_symbol arc_cosine(cs_symbol_rule *w)
{
    cs_symbol x = cs_rule_at(w, 1);
    return angle(w, other_side(w, x), x);
}

static cs_symbol log_sigmoid(cs_symbol_rule *w)
{
    return scaled(w, -1,
                  one(w, CS_OP_SOFTPLUS, scaled(w, -1, cs_rule_at(w, 1))));
}

static cs_symbol greater(cs_symbol_rule *w)
{
    return two(w, w->word->op, cs_rule_at(w, 2), cs_rule_at(w, 1));
}

/* Creates a value that is one of two values. A condition selects it. The
 * condition is a symbol, a number or a Lua boolean. */
static cs_symbol where(cs_symbol_rule *w)
{
    cs_symbol a[3];
    if (lua_isboolean(w->L, 1)) {
        lua_pushinteger(w->L, lua_toboolean(w->L, 1));
        lua_replace(w->L, 1);
    }
    for (int i = 0; i < 3; i++)
        a[i] = cs_rule_at(w, i + 1);
    return cs_rule_map(w, CS_OP_WHERE, a, 3);
}

/* Returns log B(a, b) = log Gamma(small) - (log Gamma(large + small) - log
 * Gamma(large)); this form avoids cancellation. */
static cs_symbol log_beta(cs_symbol_rule *w)
{
    cs_symbol a = cs_rule_at(w, 1), b = cs_rule_at(w, 2);
    cs_symbol first = two(w, CS_OP_LE, a, b);
    cs_symbol small = choose(w, first, a, b), large = choose(w, first, b, a);
    return two(w, CS_OP_SUB, one(w, CS_OP_LGAMMA, small),
               two(w, CS_OP_LOG_RISING, large, small));
}

/* Returns the maximum of several arguments, or of the elements of one
 * vector. */
static cs_symbol largest(cs_symbol_rule *w)
{
    cs_symbol a = cs_rule_at(w, 1);
    if (w->n == 1 && a.rank)
        return reduced(w, CS_OP_LARGEST, a);
    for (int i = 2; i <= w->n; i++)
        a = two(w, CS_OP_MAX, a, cs_rule_at(w, i));
    return a;
}

static cs_symbol smallest(cs_symbol_rule *w)
{
    cs_symbol a = cs_rule_at(w, 1);
    if (w->n == 1 && a.rank)
        return scaled(w, -1, reduced(w, CS_OP_LARGEST, scaled(w, -1, a)));
    for (int i = 2; i <= w->n; i++)
        a = two(w, CS_OP_MIN, a, cs_rule_at(w, i));
    return a;
}

enum { MANY = 64 };

static bool are_numbers(cs_symbol_rule *w)
{
    for (int i = 1; i <= w->n; i++)
        if (cs_rule_at(w, i).rank)
            return false;
    return true;
}

/* Computes log sum exp of several numbers with one exponential per argument;
 * combining the numbers in pairs would also need one logarithm per argument. */
static cs_symbol log_sum_exp_of_numbers(cs_symbol_rule *w)
{
    cs_node part[MANY];
    for (int i = 0; i < w->n; i++)
        part[i] = cs_rule_at(w, i + 1).node;
    return cs_number_of(
        cs_graph_log_sum_exp(w->g, cs_graph_pack(w->g, part, (size_t)w->n), 1));
}

static cs_symbol log_sum_exp(cs_symbol_rule *w)
{
    cs_symbol a = cs_rule_at(w, 1);
    if (w->n == 1)
        return reduced(w, CS_OP_LOG_SUM_EXP, a);
    if (w->n > 2 && w->n <= MANY && are_numbers(w))
        return log_sum_exp_of_numbers(w);
    for (int i = 2; i <= w->n; i++)
        a = two(w, CS_OP_LOG_ADD_EXP, a, cs_rule_at(w, i));
    return a;
}

/* ---- vectors ------------------------------------------------------------- */

static cs_symbol reduce(cs_symbol_rule *w)
{
    return reduced(w, w->word->op, cs_rule_at(w, 1));
}

static cs_symbol mean(cs_symbol_rule *w)
{
    cs_symbol a = cs_rule_at(w, 1);
    double n = (double)cs_graph_size(w->g, a.node);
    return two(w, CS_OP_DIV, reduced(w, CS_OP_SUM, a), number(w, n));
}

static cs_symbol dot(cs_symbol_rule *w)
{
    cs_symbol a = cs_rule_vector(w, 1), b = cs_rule_vector(w, 2);
    size_t n = cs_graph_size(w->g, a.node), m = cs_graph_size(w->g, b.node);
    if (n != m)
        cs_rule_fail(w, "give two vectors of equal length",
                     "vectors of %zu and %zu entries cannot be combined", n, m);
    return reduced(w, CS_OP_SUM, two(w, CS_OP_MUL, a, b));
}

static cs_symbol log_softmax(cs_symbol_rule *w)
{
    cs_symbol a = cs_rule_vector(w, 1);
    return two(w, CS_OP_SUB, a, reduced(w, CS_OP_LOG_SUM_EXP, a));
}

static cs_symbol softmax(cs_symbol_rule *w)
{
    return one(w, CS_OP_EXP, log_softmax(w));
}

static cs_symbol cumulative_sum(cs_symbol_rule *w)
{
    return cs_vector_of(
        cs_graph_cumulate(w->g, cs_rule_vector(w, 1).node, false));
}

static cs_symbol slice(cs_symbol_rule *w)
{
    cs_symbol a = cs_rule_vector(w, 1);
    size_t n = cs_graph_size(w->g, a.node), first = cs_rule_whole(w, 2, 1, n);
    size_t last = cs_rule_whole(w, 3, first, n);
    return cs_vector_of(
        cs_graph_slice(w->g, a.node, first - 1, last - first + 1));
}

/* Returns elements of a vector, or rows of a matrix. */
static cs_symbol gather(cs_symbol_rule *w)
{
    lua_State *L = w->L;
    cs_symbol a = cs_rule_at(w, 1);
    size_t each = a.rank == 2 ? a.cols : 1, at = 0;
    size_t rows = cs_graph_size(w->g, a.node) / each;
    if (cs_symbol_within(L, 2, 0))
        return cs_symbol_pick(L, w->g, a, cs_rule_vector(w, 2));
    bool list = lua_istable(L, 2);
    size_t n = list ? lua_rawlen(L, 2) : 0;
    if (!n || !a.rank || n > UINT32_MAX / each)
        cs_rule_fail(
            w, "write gather(x, {1, 1, 2}), x a vector or a matrix",
            "the arguments must be a vector and a list of whole numbers");
    double *index = lua_newuserdatauv(L, n * each * sizeof *index, 0);
    for (size_t i = 0; i < n; i++) {
        int whole;
        lua_rawgeti(L, 2, (lua_Integer)i + 1);
        lua_Integer k = lua_tointegerx(L, -1, &whole);
        if (!whole || k < 1 || (size_t)k > rows)
            cs_rule_fail(
                w, "give whole numbers from 1 to #x",
                "entry %zu of the list of indices is not between 1 and %zu",
                i + 1, rows);
        for (size_t j = 0; j < each; j++)
            index[at++] = (double)(((size_t)k - 1) * each + j);
        lua_pop(L, 1);
    }
    cs_node y = cs_graph_gather(w->g, a.node, index, at);
    return a.rank == 2 ? cs_matrix_of(y, n, each) : cs_vector_of(y);
}

/* Returns argument i, an index from 0 to n - 1. The argument must be a number
 * or an element of a discrete state. */
static cs_node place(cs_symbol_rule *w, int i, size_t n)
{
    double v;
    cs_symbol x = cs_rule_at(w, i);
    if (x.rank)
        cs_rule_fail(w, "write at(table, x[i]), or at(table, x[i], x[j])",
                     "argument %d is not a number", i);
    bool known = cs_graph_is_number(w->g, x.node, &v);
    if (known && !(v >= 0 && v < (double)n && v == floor(v)))
        cs_rule_fail(w, "count entries from 0", "entry %g is not in the table",
                     v);
    if (!known && w->g->n_ranges && w->g->ranges[0].name[0])
        cs_rule_fail(w,
                     "write cs.math.vector(t)[k], which counts from 1 as "
                     "labels and integers do",
                     "its indices count from 0, those of parameters from 1");
    if (!known && !w->g->n_ranges)
        cs_rule_fail(w, "use a binary, categorical or ordinal space",
                     "the index is not a value of a discrete state");
    return x.node;
}

static cs_symbol at(cs_symbol_rule *w)
{
    size_t rows, cols;
    if (!lua_istable(w->L, 1))
        cs_rule_fail(w, "write at({0.5, 1, 3}, x[i])",
                     "the first argument must be a list");
    double *t = cs_script_numbers(w->L, 1, "the table", &rows, &cols);
    if ((lua_rawgeti(w->L, 1, 1) == LUA_TTABLE) != (w->n > 2))
        cs_rule_fail(w, NULL,
                     "a list needs one index, and a list of lists needs two");
    cs_node x = place(w, 2, rows), y = w->n > 2 ? place(w, 3, cols) : 0;
    return cs_number_of(cs_graph_look_up(w->g, t, rows, cols, x, y));
}

static cs_symbol pack(cs_symbol_rule *w)
{
    cs_node *part = lua_newuserdatauv(w->L, (size_t)w->n * sizeof *part, 0);
    for (int i = 1; i <= w->n; i++)
        part[i - 1] = cs_rule_at(w, i).node;
    return cs_vector_of(cs_graph_pack(w->g, part, (size_t)w->n));
}

/* Converts a list to a vector, which supports arithmetic operators. */
static cs_symbol vector(cs_symbol_rule *w)
{
    cs_symbol a = cs_rule_at(w, 1);
    return a.rank ? a : cs_vector_of(a.node);
}

static cs_symbol fill(cs_symbol_rule *w)
{
    cs_symbol x = cs_rule_at(w, 1);
    size_t n = cs_rule_whole(w, 2, 1, 1 << 26);
    if (x.rank)
        cs_rule_fail(w, "write fill(x, 3), x a number",
                     "argument 1 is not a number");
    double *zero = lua_newuserdatauv(w->L, n * sizeof *zero, 0);
    for (size_t i = 0; i < n; i++)
        zero[i] = 0;
    return cs_vector_of(
        two(w, CS_OP_ADD, x, cs_vector_of(cs_graph_vector(w->g, zero, n)))
            .node);
}

#define MAP1(word, id, text)                                                   \
    {                                                                          \
        word, "x", text, .op = CS_OP_##id, .least = 1, .most = 1               \
    }

const cs_symbol_word cs_math_words[] = {
    {"log", "x, base", "natural logarithm, or logarithm to the given base",
     logarithm, .plain = CS_OP_LOG, .least = 1, .most = 2},
    MAP1("log1p", LOG1P, "log(1 + x), accurate for small x"),
    MAP1("exp", EXP, "e to the x"),
    MAP1("expm1", EXPM1, "exp(x) - 1, accurate for small x"),
    MAP1("sqrt", SQRT, "square root"),
    MAP1("abs", ABS, "absolute value"),
    {"pow", "x, y", "x to the y, as x^y", .op = CS_OP_POW, .least = 2,
     .most = 2},
    MAP1("sin", SIN, "sine"),
    MAP1("cos", COS, "cosine"),
    MAP1("tan", TAN, "tangent"),
    {"asin", "x", "the angle from -pi/2 to pi/2 whose sine is x", arc_sine,
     .least = 1, .most = 1},
    {"acos", "x", "the angle from 0 to pi whose cosine is x", arc_cosine,
     .least = 1, .most = 1},
    {"atan", "y, x",
     "the angle whose tangent is y; with x, the angle of the point (x, y)",
     arc_tangent, .least = 1, .most = 2},
    MAP1("tanh", TANH, "hyperbolic tangent"),
    MAP1("erf", ERF, "error function"),
    MAP1("normal_cdf", NORMAL_CDF, "standard normal distribution function"),
    MAP1("log_normal_cdf", LOG_NORMAL_CDF,
         "log of normal_cdf, accurate in the left tail"),
    MAP1("lgamma", LGAMMA, "log of the Gamma function"),
    MAP1("digamma", DIGAMMA, "derivative of lgamma"),
    {"log_rising", "a, n", "lgamma(a + n) - lgamma(a), accurate for n << a",
     .op = CS_OP_LOG_RISING, .least = 2, .most = 2},
    {"log_beta", "a, b", "log of the Beta function", log_beta, .least = 2,
     .most = 2},
    MAP1("softplus", SOFTPLUS, "log(1 + exp(x))"),
    MAP1("sigmoid", SIGMOID, "1 / (1 + exp(-x))"),
    {"log_sigmoid", "x", "log of sigmoid(x)", log_sigmoid, .least = 1,
     .most = 1},
    {"lt", "a, b", "1 where a < b, else 0", .op = CS_OP_LT, .least = 2,
     .most = 2},
    {"le", "a, b", "1 where a <= b, else 0", .op = CS_OP_LE, .least = 2,
     .most = 2},
    {"gt", "a, b", "1 where a > b, else 0", greater, CS_OP_LT, .least = 2,
     .most = 2},
    {"ge", "a, b", "1 where a >= b, else 0", greater, CS_OP_LE, .least = 2,
     .most = 2},
    {"eq", "a, b", "1 where a equals b, else 0", .op = CS_OP_EQ, .least = 2,
     .most = 2},
    {"where", "c, a, b", "a where c is not 0, else b", where, .least = 3,
     .most = 3},
    {"max", "a, ...",
     "the largest of its arguments, or of the entries of one vector", largest,
     .plain = CS_OP_MAX, .least = 1},
    {"min", "a, ...",
     "the smallest of its arguments, or of the entries of one vector", smallest,
     .plain = CS_OP_MIN, .least = 1},
    {"sum", "x", "the sum of a vector", reduce, CS_OP_SUM, .least = 1,
     .most = 1},
    {"mean", "x", "the mean of a vector", mean, .least = 1, .most = 1},
    {"norm", "x", "the Euclidean norm of a vector", reduce, CS_OP_NORM,
     .least = 1, .most = 1},
    {"dot", "x, y", "the scalar product of two vectors", dot, .least = 2,
     .most = 2},
    {"log_sum_exp", "x, ...",
     "log(exp(x1) + ... + exp(xn)) of n arguments, or of the n entries of a "
     "vector",
     log_sum_exp, .least = 1},
    {"softmax", "x", "exp(x) divided by the sum of its entries", softmax,
     .least = 1, .most = 1},
    {"log_softmax", "x", "log of softmax(x)", log_softmax, .least = 1,
     .most = 1},
    {"cumulative_sum", "x", "cumulative sums of the entries", cumulative_sum,
     .least = 1, .most = 1},
    {"vector", "x", "a list as a vector with arithmetic", vector, .least = 1,
     .most = 1},
    {"pack", "a, ...", "joins numbers and vectors to one vector", pack,
     .least = 1},
    {"fill", "x, n", "a vector with n copies of the number x", fill, .least = 2,
     .most = 2},
    {"slice", "x, first, last", "the entries first to last, both included",
     slice, .least = 3, .most = 3},
    {"at", "t, i, j?",
     "the entry of a list (or of a list of rows) whose index, counted from 0, "
     "is the value of a discrete state; derivatives of the entry are "
     "differences",
     at, .least = 2, .most = 3},
    {"gather", "x, i",
     "the entries (rows of a matrix) at the indices, counted from 1, in "
     "the list i, which may be a discrete parameter",
     gather, .least = 2, .most = 2},
};
const size_t cs_math_words_n = sizeof cs_math_words / sizeof *cs_math_words;
