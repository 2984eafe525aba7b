/* Elements of vectors and rows of matrices whose index is a value of the state:
 * mu[z[i]]. What could reach outside is refused here, while the function is
 * traced, so that the error has the line of the script. */
#include "script/math/symbol.h"
#include "script/state/value.h"

#include <stdio.h>

/* Raises an error unless i has integer values and depends on discrete
 * parameters only. */
static void check_integers(lua_State *L, cs_graph *g, cs_node i)
{
    double value;
    bool known = cs_graph_is_number(g, i, &value);
    if (!g->n_ranges && !known)
        cs_symbol_fail(
            L, "an index depends on the data or the state",
            "write log_density for all rows at once: cs.math.gather(p.z, "
            "group) returns one entry per row, where group is a list of "
            "indices from 1, or a parameter cs.label(3, n)");
    unsigned reads = cs_graph_reads(g, i);
    if (!known && reads & CS_READS_REAL)
        cs_symbol_fail(L, "an index depends on real numbers of the state",
                       "compute it from discrete parameters: cs.label(3, n), "
                       "cs.integer(1, 9), cs.bit(n)");
    if (known ? value != (double)(long long)value : reads & CS_FRACTIONAL)
        cs_symbol_fail(L, "an index may be a fraction",
                       "compute it from discrete parameters and whole numbers "
                       "by +, -, *, cs.math.min and cs.math.max");
}

static void refuse_outside(lua_State *L, const cs_outside *o, size_t size,
                           bool rows)
{
    char text[256];
    cs_error err;
    snprintf(text, sizeof text,
             "an index can be %.9g%s%s, but %s %zu %s, counted from 1",
             o->value, o->where[0] ? ", where " : "", o->where,
             rows ? "this matrix has" : "this vector has", size,
             rows ? "rows" : "entries");
    cs_fail(&err, CS_SCRIPT, "%s", text);
    cs_hint(&err,
            "declare a range that fits, or keep the index inside: "
            "cs.math.min(i, %zu), cs.math.max(i, 1)",
            size);
    cs_script_raise(L, &err);
}

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

cs_symbol cs_symbol_pick(lua_State *L, cs_graph *g, cs_symbol of, cs_symbol i)
{
    cs_symbol_rule w = {.L = L, .g = g};
    cs_outside outside;
    if (of.rank == 0)
        cs_symbol_fail(L, "a number cannot be indexed",
                       "write x[k] for a vector x");
    if (i.rank == 2)
        cs_symbol_fail(L, "an index is a matrix",
                       "an index is a number, or a vector of indices");
    size_t cols = of.rank == 2 ? of.cols : 1;
    size_t size = cs_graph_size(g, of.node) / cols;
    check_integers(L, g, i.node);
    if (cs_graph_find_outside(g, i.node, size, &outside)) {
        if (g->status)
            cs_symbol_refuse(L, g);
        refuse_outside(L, &outside, size, of.rank == 2);
    }
    if (of.rank == 1)
        return (cs_symbol){.node = cs_graph_pick(g, of.node, i.node),
                           .rank = i.rank};
    cs_node y = cs_graph_pick(g, of.node, elements_of_rows(&w, i, cols));
    return i.rank ? cs_matrix_of(y, cs_graph_size(g, i.node), cols)
                  : cs_vector_of(y);
}
