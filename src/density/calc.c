#include "density/calc.h"

#include "base/memory.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const cs_arg none = {0};

/* ---- a calculation ------------------------------------------------------- */

void cs_calc_open(cs_calc *c, cs_graph *graph)
{
    c->graph = graph;
    c->densities = NULL;
    c->name = "";
    c->err.status = CS_OK;
    c->blocks = NULL;
    c->n_blocks = c->capacity = 0;
    c->next = c->first;
    c->left = sizeof c->first / sizeof *c->first;
    c->depth = 0;
}

void cs_calc_close(cs_calc *c)
{
    for (size_t i = 0; i < c->n_blocks; i++)
        cs_free(c->blocks[i]);
    cs_free(c->blocks);
}

cs_arg cs_calc_fail(cs_calc *c, const char *hint, const char *what, ...)
{
    char text[400];
    va_list args;
    if (c->err.status)
        return none;
    va_start(args, what);
    vsnprintf(text, sizeof text, what, args);
    va_end(args);
    cs_fail(&c->err, CS_INPUT, "%s: %s", c->name, text);
    if (hint)
        cs_hint(&c->err, "%s", hint);
    return none;
}

cs_arg cs_calc_no_memory(cs_calc *c)
{
    if (!c->err.status)
        cs_fail(&c->err,
                c->graph && c->graph->status ? c->graph->status : CS_MEMORY,
                "out of memory for the expression");
    return none;
}

double *cs_calc_numbers(cs_calc *c, size_t n)
{
    enum { BLOCK = 1024 };
    if (n > c->left) {
        size_t size = n > BLOCK ? n : BLOCK;
        double *block = CS_GROW(c->blocks, c->n_blocks, c->capacity, 1)
                            ? cs_alloc(size, sizeof *block)
                            : NULL;
        if (!block) {
            cs_calc_no_memory(c);
            return NULL;
        }
        c->blocks[c->n_blocks++] = block;
        if (n > BLOCK) /* a block of its own */
            return block;
        c->next = block;
        c->left = size;
    }
    double *v = c->next;
    c->next += n;
    c->left -= n;
    return v;
}

/* ---- arguments ------------------------------------------------------------- */

cs_arg cs_calc_number(cs_calc *c, double value)
{
    double *v = cs_calc_numbers(c, 1);
    if (!v)
        return none;
    *v = value;
    return (cs_arg){.v = v, .size = 1};
}

cs_arg cs_known_vector(const double *v, size_t n)
{
    return (cs_arg){.v = v, .rank = 1, .size = n};
}

cs_arg cs_known_matrix(const double *v, size_t rows, size_t cols)
{
    return (cs_arg){
        .v = v, .rank = 2, .size = rows * cols, .rows = rows, .cols = cols};
}

cs_arg cs_node_arg(const cs_graph *g, cs_node node)
{
    return (cs_arg){.node = node, .size = cs_graph_size(g, node)};
}

const char *cs_arg_text(cs_arg a, char *text)
{
    if (a.rank == 2)
        snprintf(text, 64, "a matrix of %zu x %zu", a.rows, a.cols);
    else if (a.rank == 1)
        snprintf(text, 64, "a vector of %zu", a.size);
    else
        snprintf(text, 64, "a number");
    return text;
}

cs_node cs_calc_node(cs_calc *c, cs_arg a)
{
    if (!a.size)
        return 0;
    if (!a.v)
        return a.node;
    cs_node n = cs_graph_vector(c->graph, a.v, a.size);
    if (!n)
        cs_calc_no_memory(c);
    return n;
}

/* ---- operations ---------------------------------------------------------- */

/* Returns the argument with the largest shape, or one of size 0 if two
 * arguments cannot be combined. */
static cs_arg widest(cs_calc *c, const cs_arg *a, int n)
{
    cs_arg most = a[0];
    for (int i = 0; i < n; i++) {
        if (!a[i].size)
            return none;
        if (a[i].size > 1 && most.size > 1 &&
            (a[i].size != most.size || a[i].rank != most.rank ||
             a[i].cols != most.cols)) {
            char one[64], other[64];
            return cs_calc_fail(
                c, "combine vectors of equal length, or a vector and a number",
                "%s and %s cannot be combined", cs_arg_text(most, one),
                cs_arg_text(a[i], other));
        }
        if (a[i].size > most.size ||
            (a[i].size == most.size && a[i].rank > most.rank))
            most = a[i];
    }
    return most;
}

static cs_arg known_map(cs_calc *c, cs_op op, cs_arg y, const cs_arg *a, int n)
{
    double *v = cs_calc_numbers(c, y.size);
    if (!v)
        return none;
    size_t step[3] = {0};
    for (int k = 0; k < n; k++)
        step[k] = a[k].size > 1;
    for (size_t i = 0; i < y.size; i++)
        v[i] = cs_op_value(op, a[0].v[i * step[0]],
                           n > 1 ? a[1].v[i * step[1]] : 0,
                           n > 2 ? a[2].v[i * step[2]] : 0);
    y.v = v;
    return y;
}

cs_arg cs_calc_map(cs_calc *c, cs_op op, const cs_arg *a, int n)
{
    cs_arg y = widest(c, a, n);
    bool known = true;
    for (int i = 0; i < n; i++)
        known = known && cs_is_known(a[i]);
    if (!y.size)
        return none;
    if (known)
        return known_map(c, op, y, a, n);
    cs_node arg[3];
    for (int i = 0; i < n; i++)
        if (!(arg[i] = cs_calc_node(c, a[i])))
            return none;
    y.v = NULL;
    y.node = n == 1           ? cs_graph_op1(c->graph, op, arg[0])
             : op == CS_OP_EQ ? cs_graph_same(c->graph, arg[0], arg[1])
             : n == 2         ? cs_graph_op2(c->graph, op, arg[0], arg[1])
                      : cs_graph_op3(c->graph, op, arg[0], arg[1], arg[2]);
    c->graph->recorded++;
    return y.node ? y : cs_calc_no_memory(c);
}

cs_arg cs_calc_op1(cs_calc *c, cs_op op, cs_arg a)
{
    return cs_calc_map(c, op, &a, 1);
}

cs_arg cs_calc_op2(cs_calc *c, cs_op op, cs_arg a, cs_arg b)
{
    cs_arg both[] = {a, b};
    return cs_calc_map(c, op, both, 2);
}

cs_arg cs_calc_op3(cs_calc *c, cs_op op, cs_arg a, cs_arg b, cs_arg d)
{
    cs_arg all[] = {a, b, d};
    return cs_calc_map(c, op, all, 3);
}

cs_arg cs_calc_with(cs_calc *c, cs_op op, cs_arg a, double k)
{
    return cs_calc_op2(c, op, a, (cs_arg){.v = &k, .size = 1});
}

cs_arg cs_calc_from(cs_calc *c, cs_op op, double k, cs_arg a)
{
    return cs_calc_op2(c, op, (cs_arg){.v = &k, .size = 1}, a);
}

/* Reduces known elements as expr/operation.c does. */
static double known_reduce(cs_op op, cs_arg a)
{
    double most = -HUGE_VAL, sum = 0;
    for (size_t i = 0; i < a.size; i++) {
        most = fmax(most, a.v[i]);
        sum += a.v[i];
    }
    return op == CS_OP_SUM ? sum : most;
}

cs_arg cs_calc_reduce(cs_calc *c, cs_op op, cs_arg a)
{
    if (!a.size)
        return none;
    if (cs_is_known(a))
        return cs_calc_number(c, a.size == 1 ? *a.v : known_reduce(op, a));
    cs_arg y = {.node = cs_graph_op1(c->graph, op, a.node), .size = 1};
    c->graph->recorded++;
    return y.node ? y : cs_calc_no_memory(c);
}

cs_arg cs_calc_least(cs_calc *c, cs_arg a)
{
    if (a.rank == 0)
        return a;
    cs_arg most =
        cs_calc_reduce(c, CS_OP_LARGEST, cs_calc_with(c, CS_OP_MUL, a, -1));
    return cs_calc_with(c, CS_OP_MUL, most, -1);
}

cs_arg cs_calc_inside(cs_calc *c, cs_arg condition, cs_arg a)
{
    return cs_calc_op3(c, CS_OP_WHERE, condition, a,
                       (cs_arg){.v = &(double){-HUGE_VAL}, .size = 1});
}
