/* Elements of vectors and rows of matrices whose index is a value of the state:
 * mu[z[i]]; or a column of data: mu[row.group]; or a list. What could reach outside is refused here, while the function is
 * traced, so that the error has the line of the script. */
#include "script/math/symbol.h"
#include "script/state/state.h"
#include "script/state/value.h"

#include <math.h>

/* Returns the indices of all elements of the rows i of a matrix. */
static cs_node elements_of_rows(cs_symbol_rule *w, cs_symbol i, size_t cols)
{
    cs_graph *g = w->g;
    size_t n = cs_graph_size(g, i.node);
    double *row = lua_newuserdatauv(w->L, 2 * n * cols * sizeof *row, 0);
    double *col = row + n * cols;
    for (size_t k = 0; k < n * cols; k++) {
        row[k] = (double)(k / cols);
        col[k] = (double)(k % cols) + 1;
    }
    cs_node before = cs_graph_op2(
        g, CS_OP_MUL, cs_graph_op2(g, CS_OP_SUB, i.node, cs_graph_number(g, 1)),
        cs_graph_number(g, (double)cols));
    if (i.rank)
        before = cs_graph_gather(g, before, row, n * cols);
    cs_node made =
        cs_graph_op2(g, CS_OP_ADD, before, cs_graph_vector(g, col, n * cols));
    lua_pop(w->L, 1);
    return made;
}

/* Returns true if node i is a list of indices that are known. Raises an error if
 * one of them is not a whole number from 1 to `size`. */
static bool check_list(cs_symbol_rule *w, cs_node i, size_t size)
{
    const cs_graph_node *n = cs_graph_at(w->g, i);
    if (n->op != CS_OP_DATA || n->size < 2)
        return false;
    const double *v = w->g->constants[n->extra].v;
    for (size_t k = 0; k < n->size; k++)
        if (!(v[k] >= 1 && v[k] <= (double)size && v[k] == floor(v[k])))
            cs_script_fail(w->L,
                           "entry %zu of a list of indices is %.9g: indices "
                           "are whole numbers from 1 to %zu",
                           k + 1, v[k], size);
    return true;
}

/* Raises an error unless node i is an index of `size` entries, or of the rows of
 * a matrix. */
static void check_index(cs_symbol_rule *w, cs_node i, size_t size, bool rows)
{
    cs_error err;
    const cs_row_index *of = cs_trace_of(w->L)->rows;
    cs_status s =
        of ? of->check(of, w->g, i, size, rows, &err) : CS_UNSUPPORTED;
    if (s == CS_UNSUPPORTED && check_list(w, i, size))
        s = CS_OK;
    else if (s == CS_UNSUPPORTED)
        s = cs_graph_check_index(w->g, i, size,
                                 rows ? "this matrix has" : "this vector has",
                                 rows ? "rows" : "entries", &err);
    if (s && w->g->status)
        cs_symbol_refuse(w->L, w->g);
    if (s)
        cs_script_raise(w->L, &err);
}

cs_symbol cs_symbol_pick(lua_State *L, cs_graph *g, cs_symbol of, cs_symbol i)
{
    cs_symbol_rule w = {.L = L, .g = g};
    if (of.rank == 0)
        cs_symbol_fail(L, "a number cannot be indexed",
                       "write x[k] for a vector x");
    if (i.rank == 2)
        cs_symbol_fail(L, "an index is a matrix",
                       "an index is a number, or a vector of indices");
    size_t cols = of.rank == 2 ? of.cols : 1;
    size_t size = cs_graph_size(g, of.node) / cols;
    bool rows = of.rank == 2;
    check_index(&w, i.node, size, rows);
    if (of.rank == 1)
        return (cs_symbol){.node = cs_graph_pick(g, of.node, i.node),
                           .rank = i.rank};
    cs_node y = cs_graph_pick(g, of.node, elements_of_rows(&w, i, cols));
    return i.rank ? cs_matrix_of(y, cs_graph_size(g, i.node), cols)
                  : cs_vector_of(y);
}
