/* cs.math: functions of matrices: products, triangular systems, factors. */
#include "script/math/symbol.h"

#include "script/state/value.h"

#include <lauxlib.h>
#include <math.h>

static const char sparse_meta[] = "chainscope.sparse";

enum { MOST_TERMS = 1 << 24 /* maximum number of products in one sum */ };

/* A sparse matrix, as terms {value, row, column, 0}. */
typedef struct sparse {
    size_t rows, cols, n;
    cs_matmul_term term[];
} sparse;

/* ---- sparse matrices ----------------------------------------------------- */

/* Returns element k of a list of n numbers. The list is at stack index -1; it
 * is the value of the field `name`. */
static double entry(lua_State *L, const char *name, size_t k, double low,
                    double high)
{
    lua_rawgeti(L, -1, (lua_Integer)k + 1);
    double v = lua_type(L, -1) == LUA_TNUMBER ? lua_tonumber(L, -1) : -HUGE_VAL;
    lua_pop(L, 1);
    if (!isfinite(v) || (low && !(v >= low && v <= high && v == floor(v))))
        cs_script_fail(L, "sparse: entry %zu of %s is out of range", k + 1,
                       name);
    return v;
}

static size_t extent(lua_State *L, const char *name)
{
    int whole;
    lua_getfield(L, 1, name);
    lua_Integer n = lua_tointegerx(L, -1, &whole);
    lua_pop(L, 1);
    if (!whole || n < 1 || n > 1 << 26)
        cs_script_fail(L, "sparse: %s is not a valid number of %s", name, name);
    return (size_t)n;
}

int cs_script_sparse(lua_State *L)
{
    static const char *const names[] = {"v", "i", "j"};
    luaL_checktype(L, 1, LUA_TTABLE);
    size_t rows = extent(L, "rows"), cols = extent(L, "cols"), n = 0;
    for (int f = 0; f < 3; f++) {
        lua_getfield(L, 1, names[f]);
        size_t length = lua_istable(L, -1) ? lua_rawlen(L, -1) : 0;
        if (!length || (f && length != n) || length > MOST_TERMS)
            return cs_script_fail(L,
                                  "sparse: v, i and j must be lists of equal "
                                  "length: values, rows and columns");
        n = length;
        lua_pop(L, 1);
    }
    sparse *s = lua_newuserdatauv(L, sizeof *s + n * sizeof *s->term, 0);
    *s = (sparse){rows, cols, n};
    for (int f = 0; f < 3; f++) {
        lua_getfield(L, 1, names[f]);
        double high = f == 0 ? 0 : (double)(f == 1 ? rows : cols);
        for (size_t k = 0; k < n; k++) {
            double v = entry(L, names[f], k, f > 0, high);
            if (f == 0)
                s->term[k].factor = v;
            else if (f == 1)
                s->term[k].to = v - 1;
            else
                s->term[k].i = v - 1;
            s->term[k].j = 0;
        }
        lua_pop(L, 1);
    }
    luaL_setmetatable(L, sparse_meta);
    return 1;
}

static int sparse_to_string(lua_State *L)
{
    sparse *s = luaL_checkudata(L, 1, sparse_meta);
    lua_pushfstring(L, "sparse matrix of %d x %d, %d entries", (int)s->rows,
                    (int)s->cols, (int)s->n);
    return 1;
}

void cs_script_open_sparse(lua_State *L)
{
    static const luaL_Reg methods[] = {{"__tostring", sparse_to_string},
                                       {NULL, NULL}};
    cs_script_class(L, sparse_meta, "sparse", methods);
}

/* ---- sums of products ---------------------------------------------------- */

static cs_matmul_term *terms(cs_symbol_rule *w, size_t a, size_t b, size_t c)
{
    if (a > MOST_TERMS / b || a * b > MOST_TERMS / c)
        cs_rule_fail(w, "split the product into smaller ones",
                     "%zu x %zu x %zu products are too many", a, b, c);
    return lua_newuserdatauv(w->L, a * b * c * sizeof(cs_matmul_term), 0);
}

static cs_matmul_term term(size_t to, size_t i, size_t j)
{
    return (cs_matmul_term){1, (double)to, (double)i, (double)j};
}

static cs_symbol unit(cs_symbol_rule *w)
{
    return cs_number_of(cs_graph_number(w->g, 1));
}

/* Returns S x or, if `transposed`, S' x. */
static cs_symbol sparse_product(cs_symbol_rule *w, const sparse *s, cs_symbol x,
                                bool transposed)
{
    size_t n = cs_graph_size(w->g, x.node);
    size_t rows = transposed ? s->cols : s->rows;
    if (x.rank != 1 || n != (transposed ? s->rows : s->cols))
        cs_rule_fail(w, "give a vector with one entry per column of the matrix",
                     "the matrix is %zu x %zu, but the vector has %zu entries",
                     s->rows, s->cols, n);
    cs_matmul_term *t = terms(w, s->n, 1, 1);
    for (size_t k = 0; k < s->n; k++) {
        t[k] = s->term[k];
        if (transposed) {
            t[k].to = s->term[k].i;
            t[k].i = s->term[k].to;
        }
    }
    return cs_vector_of(
        cs_graph_bilinear(w->g, x.node, unit(w).node, t, s->n, rows));
}

/* Returns A[rows][inner] B[inner][cols]. */
static cs_node matrix_product(cs_symbol_rule *w, cs_node a, cs_node b,
                              size_t rows, size_t inner, size_t cols)
{
    cs_matmul_term *t = terms(w, rows, inner, cols);
    size_t at = 0;
    for (size_t i = 0; i < rows; i++)
        for (size_t c = 0; c < cols; c++)
            for (size_t k = 0; k < inner; k++)
                t[at++] = term(i * cols + c, i * inner + k, k * cols + c);
    return cs_graph_bilinear(w->g, a, b, t, at, rows * cols);
}

static cs_symbol product(cs_symbol_rule *w)
{
    const sparse *s = luaL_testudata(w->L, 1, sparse_meta);
    const sparse *second = luaL_testudata(w->L, 2, sparse_meta);
    if (s && !second)
        return sparse_product(w, s, cs_rule_at(w, 2), false);
    if (second && !s)
        return sparse_product(w, second, cs_rule_at(w, 1), true);
    cs_symbol a = cs_rule_at(w, 1), b = cs_rule_at(w, 2);
    size_t size_a = cs_graph_size(w->g, a.node);
    size_t size_b = cs_graph_size(w->g, b.node);
    size_t rows = a.rank == 2 ? a.rows : 1, inner = size_a / rows;
    size_t cols = b.rank == 2 ? b.cols : 1;
    if (!a.rank || !b.rank || a.rank + b.rank < 3 || inner != size_b / cols) {
        char one[64], other[64];
        cs_rule_fail(
            w,
            "give a left factor with one column per row of the right one; "
            "* is elementwise, dot is the "
            "scalar product",
            "cannot multiply %s by %s", cs_symbol_text(w->g, a, one),
            cs_symbol_text(w->g, b, other));
    }
    const cs_graph_node *n = cs_graph_at(w->g, a.node);
    cs_node y = b.rank == 1 && n->op == CS_OP_DATA
                    ? cs_graph_product(w->g, w->g->constants[n->extra].v, rows,
                                       inner, b.node)
                    : matrix_product(w, a.node, b.node, rows, inner, cols);
    return a.rank + b.rank == 4 ? cs_matrix_of(y, rows, cols) : cs_vector_of(y);
}

static cs_symbol outer(cs_symbol_rule *w)
{
    cs_symbol a = cs_rule_vector(w, 1), b = cs_rule_vector(w, 2);
    size_t n = cs_graph_size(w->g, a.node), m = cs_graph_size(w->g, b.node);
    return cs_matrix_of(matrix_product(w, a.node, b.node, n, 1, m), n, m);
}

/* ---- shapes -------------------------------------------------------------- */

static cs_symbol moved(cs_symbol_rule *w, cs_symbol a, const double *index,
                       size_t n)
{
    a.node = cs_graph_gather(w->g, a.node, index, n);
    return a;
}

static cs_symbol transpose(cs_symbol_rule *w)
{
    cs_symbol a = cs_rule_matrix(w, 1);
    size_t n = a.rows * a.cols;
    double *index = lua_newuserdatauv(w->L, n * sizeof *index, 0);
    for (size_t i = 0; i < n; i++)
        index[i] = (double)(i % a.rows * a.cols + i / a.rows);
    return moved(w, cs_matrix_of(a.node, a.cols, a.rows), index, n);
}

static cs_symbol column(cs_symbol_rule *w)
{
    cs_symbol a = cs_rule_matrix(w, 1);
    size_t j = cs_rule_whole(w, 2, 1, a.cols);
    double *index = lua_newuserdatauv(w->L, a.rows * sizeof *index, 0);
    for (size_t i = 0; i < a.rows; i++)
        index[i] = (double)(i * a.cols + j - 1);
    return moved(w, cs_vector_of(a.node), index, a.rows);
}

static cs_symbol square(cs_symbol_rule *w, int i)
{
    cs_symbol a = cs_rule_matrix(w, i);
    if (a.rows != a.cols)
        cs_rule_fail(w, "give a square matrix",
                     "argument %d is a matrix of %zu x %zu", i, a.rows, a.cols);
    return a;
}

/* Returns the diagonal of a matrix. For a vector, returns the diagonal matrix
 * with the elements of the vector. */
static cs_symbol diagonal(cs_symbol_rule *w)
{
    cs_symbol a = cs_rule_at(w, 1);
    bool make = a.rank == 1;
    size_t n = make ? cs_graph_size(w->g, a.node) : square(w, 1).rows;
    if (make && n > 4096)
        cs_rule_fail(w, "multiply by the vector instead",
                     "%zu x %zu entries are too many", n, n);
    double *index = lua_newuserdatauv(w->L, n * sizeof *index, 0);
    for (size_t i = 0; i < n; i++)
        index[i] = (double)(i * (n + 1));
    if (!make)
        return moved(w, cs_vector_of(a.node), index, n);
    cs_matmul_term *t = terms(w, n, 1, 1);
    for (size_t i = 0; i < n; i++)
        t[i] = term(i * (n + 1), i, 0);
    return cs_matrix_of(
        cs_graph_bilinear(w->g, a.node, unit(w).node, t, n, n * n), n, n);
}

/* Creates a matrix from a vector in row-major order. */
static cs_symbol matrix(cs_symbol_rule *w)
{
    cs_symbol a = cs_rule_at(w, 1);
    if (w->n == 1)
        return cs_rule_matrix(w, 1);
    size_t n = cs_graph_size(w->g, a.node);
    size_t rows = cs_rule_whole(w, 2, 1, n);
    size_t cols = w->n > 2 ? cs_rule_whole(w, 3, 1, n) : n / rows;
    if (!a.rank || rows * cols != n)
        cs_rule_fail(w, "write matrix(x, rows, columns) with #x entries",
                     "%zu entries do not fill a matrix of %zu x %zu", n, rows,
                     cols);
    return cs_matrix_of(a.node, rows, cols);
}

/* ---- systems ------------------------------------------------------------- */

static cs_symbol solve(cs_symbol_rule *w, bool transposed)
{
    cs_symbol l = square(w, 1), b = cs_rule_at(w, 2);
    size_t size = cs_graph_size(w->g, b.node);
    if (!b.rank || (b.rank == 2 ? b.rows : size) != l.rows)
        cs_rule_fail(
            w, "give a vector or a matrix with the same number of rows",
            "the triangle is %zu x %zu, but the right-hand side has %zu rows",
            l.rows, l.rows, b.rank == 2 ? b.rows : size);
    b.node = cs_graph_solve(w->g, l.node, b.node, transposed);
    return b;
}

static cs_symbol solve_lower(cs_symbol_rule *w)
{
    return solve(w, false);
}

static cs_symbol solve_lower_transposed(cs_symbol_rule *w)
{
    return solve(w, true);
}

/* Creates the Cholesky factor. The backward pass for n rows computes n^3 / 6
 * products. */
static cs_symbol cholesky(cs_symbol_rule *w)
{
    enum { MOST = 512 };
    cs_symbol a = square(w, 1);
    if (a.rows > MOST)
        cs_rule_fail(w, "give a smaller matrix", "%zu rows, at most %d", a.rows,
                     MOST);
    a.node = cs_graph_cholesky(w->g, a.node);
    return a;
}

const cs_symbol_word cs_matrix_words[] = {
    {"product", "a, b",
     "matrix times vector or matrix, vector times matrix; the matrix may be "
     "a cs.sparse",
     product, .least = 2, .most = 2},
    {"outer", "x, y", "the matrix of the products x[i] y[j]", outer, .least = 2,
     .most = 2},
    {"matrix", "x, rows, columns",
     "a matrix from a vector in row-major order, or from a list of rows",
     matrix, .least = 1, .most = 3},
    {"transpose", "a", "the transposed matrix", transpose, .least = 1,
     .most = 1},
    {"column", "a, j", "column j of a matrix (row i is a[i])", column,
     .least = 2, .most = 2},
    {"diagonal", "a",
     "the diagonal of a matrix, or the diagonal matrix with the given vector",
     diagonal, .least = 1, .most = 1},
    {"cholesky", "a",
     "the lower triangle l with l l' = a; has a diagonal entry 0 if a is not "
     "positive definite",
     cholesky, .least = 1, .most = 1},
    {"solve_lower", "l, b",
     "x with l x = b; only the lower triangle of l is read", solve_lower,
     .least = 2, .most = 2},
    {"solve_lower_transposed", "l, b", "x with l' x = b",
     solve_lower_transposed, .least = 2, .most = 2},
};
const size_t cs_matrix_words_n =
    sizeof cs_matrix_words / sizeof *cs_matrix_words;
