/* Expressions as graphs, for example the log density as a function of the
 * state.
 *
 * A node is an operation on earlier nodes and has a size: 1 for a number, n for
 * a vector. Equal nodes are stored once, and constants are folded at creation.
 * Nodes are stored in an order of evaluation. Node 0 means none: a failed call
 * returns it, and so does every call with an argument of 0, so that a caller
 * needs only one check, at the end.
 *
 * All functions are for setup; none is called while chains run. */
#pragma once

#include "base/status.h"
#include "expr/ode.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum cs_op {
    CS_OP_NONE,
#define OP(name, text, arity, class) CS_OP_##name,
#include "expr/ops.def"
#undef OP
    CS_OP_COUNT
} cs_op;

typedef enum cs_op_class {
    CS_OP_LEAF,   /* no arguments */
    CS_OP_MAP,    /* elementwise; arguments of size 1 are broadcast */
    CS_OP_REDUCE, /* a number computed from a vector */
    CS_OP_SHAPE   /* moves elements */
} cs_op_class;

enum { CS_OP_FREE = 255 /* any number of arguments */ };

typedef struct cs_op_row {
    const char *text;
    unsigned arity;
    cs_op_class class;
} cs_op_row;

extern const cs_op_row cs_ops[CS_OP_COUNT];

typedef uint32_t cs_node;

/* One node. Its arguments are args[first .. first + count - 1]. `extra` is the
 * index of the first element of a SLICE; the number of columns of a SOFTMAX; 1
 * for a CUMULATE from the end and for a SOLVE of the transpose; the number of the
 * system of an ODE; and the index
 * of the constant of DATA, PRODUCT, BILINEAR, GATHER and SCATTER (the constants
 * of the last two are indices, stored as doubles). */
typedef struct cs_graph_node {
    uint32_t op, size, first, count, extra;
    int line; /* line of the script; 0: unknown */
} cs_graph_node;

/* A constant: a number, a vector (cols 1) or a matrix in row-major order. */
typedef struct cs_constant {
    double *v; /* [rows * cols], in the graph's blocks */
    size_t rows, cols;
    cs_node node; /* the DATA node of the constant; 0: not created yet */
} cs_constant;

/* A hash table of items numbered from 1. */
typedef struct cs_graph_table {
    struct cs_graph_place {
        uint32_t item, hash; /* item 0: the slot is empty */
    } * place;               /* [own] [room] */
    size_t n, capacity;
} cs_graph_table;

/* Coordinates of the input that have integer values. */
typedef struct cs_graph_range {
    size_t first, n; /* index of the first coordinate, and number of
                        coordinates */
    int low, values; /* the values are low .. low + values - 1 */
    char name[24];   /* name of the parameter; empty: the coordinates are x[1],
                        x[2], ... */
} cs_graph_range;

typedef struct cs_graph {
    size_t dim; /* number of elements of the INPUT */
    cs_graph_node *nodes;
    size_t n_nodes, node_capacity;
    cs_node *args;
    size_t n_args, arg_capacity;
    cs_constant *constants;
    size_t n_constants, constant_capacity;
    double **blocks; /* [own] memory of the constants */
    size_t n_blocks, block_capacity;
    double *next;           /* next unused number of the last block */
    size_t left;            /* number of unused numbers in the last block */
    cs_graph_table known;   /* nodes that are not DATA */
    cs_graph_table like;    /* constants; an item is 1 + the index of a
                           * constant */
    size_t max_nodes;       /* limit that stops endless loops */
    int line;               /* script line that new nodes get */
    cs_graph_range *ranges; /* [own] [n_ranges] in ascending order; all other
                               coordinates are real numbers */
    size_t n_ranges;
    struct cs_node_facts
        *facts; /* [own] [n_facts] facts of the first nodes (see
                                    ranges.c) */
    size_t n_facts, fact_capacity;
    cs_odes odes; /* systems of the ODE nodes */
    /* true: records `line` for each operation; looking up the line costs as
     * much as the operation itself */
    bool lines;
    size_t recorded;  /* number of operations that a script has requested */
    double seconds;   /* seconds that creating the graph took; 0: unknown */
    cs_status status; /* status of the first failure, or CS_OK */
} cs_graph;

/* Creates a graph with its input x[dim] as node 1. [own, cs_graph_destroy] */
cs_status cs_graph_create(size_t dim, size_t max_nodes, cs_graph **out,
                          cs_error *err);
void cs_graph_destroy(cs_graph *g);

/* Reserves memory for about this number of operations. Unused memory is never
 * touched. Returns false if out of memory. */
bool cs_graph_expect(cs_graph *g, size_t operations);

/* Returns the input: a vector of size dim. */
cs_node cs_graph_input(const cs_graph *g);

/* Return a constant: a number, or a vector of n >= 1 numbers [copied]. */
cs_node cs_graph_number(cs_graph *g, double value);
cs_node cs_graph_vector(cs_graph *g, const double *v, size_t n);

/* Apply operations of class MAP and REDUCE with 1, 2 or 3 arguments. Sizes must
 * be equal or 1 (else the graph's status becomes CS_INPUT). */
cs_node cs_graph_op1(cs_graph *g, cs_op op, cs_node a);
cs_node cs_graph_op2(cs_graph *g, cs_op op, cs_node a, cs_node b);
cs_node cs_graph_op3(cs_graph *g, cs_op op, cs_node a, cs_node b, cs_node c);

/* Returns elements first .. first + n - 1 of a. */
cs_node cs_graph_slice(cs_graph *g, cs_node a, size_t first, size_t n);
/* cs_graph_gather returns the elements a[index[i]], i < n. cs_graph_scatter is
 * the transpose, which returns out[size], where out[j] is the sum of all a[i]
 * with index[i] = j. Indices are integers from 0. */
cs_node cs_graph_gather(cs_graph *g, cs_node a, const double *index, size_t n);
cs_node cs_graph_scatter(cs_graph *g, cs_node a, const double *index, size_t n,
                         size_t size);
/* cs_graph_pick returns the elements a[i[k] - 1], so that indices count from 1.
 * The caller must check that i has integer values from 1 to the size of a
 * (cs_graph_find_outside); a value outside gives the nearest element.
 * cs_graph_spread is the transpose, which returns out[size], where out[j] is
 * the sum of all a[k] with i[k] = j + 1. */
cs_node cs_graph_pick(cs_graph *g, cs_node a, cs_node i);
cs_node cs_graph_spread(cs_graph *g, cs_node a, cs_node i, size_t size);
/* Concatenates the n nodes. */
cs_node cs_graph_pack(cs_graph *g, const cs_node *part, size_t n);
/* Sums a over the rows of a table, elementwise. Allowed only as a root of a
 * program whose lanes are rows. */
cs_node cs_graph_collect(cs_graph *g, cs_node a);
/* Returns the product of a constant matrix a[rows][cols] [copied] and
 * x[cols]. */
cs_node cs_graph_product(cs_graph *g, const double *a, size_t rows, size_t cols,
                         cs_node x);

/* Return the log sum exp of each column of a[rows][columns], and the softmax of
 * each column, [rows][columns]. */
cs_node cs_graph_log_sum_exp(cs_graph *g, cs_node a, size_t columns);
cs_node cs_graph_softmax(cs_graph *g, cs_node a, size_t columns);

/* Returns the cumulative sums of a's elements, inclusive; with `from_end` the
 * sums start at the last element. */
cs_node cs_graph_cumulate(cs_graph *g, cs_node a, bool from_end);

/* One product in a sum of products: out[to] += factor * a[i] * b[j]. */
typedef struct cs_matmul_term {
    double factor, to, i, j; /* indices from 0 */
} cs_matmul_term;
/* Returns out[size], the sum of n >= 1 products. This covers every matrix
 * product, including constant, sparse and triangular matrices. */
cs_node cs_graph_bilinear(cs_graph *g, cs_node a, cs_node b,
                          const cs_matmul_term *term, size_t n, size_t size);
/* Solves L x = b, or L' x = b; b and x are [n][m]. Only the lower triangle of
 * L[n][n] is read. */
cs_node cs_graph_solve(cs_graph *g, cs_node l, cs_node b, bool transposed);
/* Returns the lower triangular L with L L' = a[n][n]; reads only the lower
 * triangle of a. If a is not positive definite, columns of L that would not be
 * real become 0. */
cs_node cs_graph_cholesky(cs_graph *g, cs_node a);

/* cs_graph_ode returns the solution of a system for the inputs a, and its
 * derivatives (expr/ode.h). cs_graph_ode_values returns the solution in
 * this node; only the solution can be differentiated, once. */
cs_node cs_graph_ode(cs_graph *g, cs_ode *o, cs_node a);
cs_node cs_graph_ode_values(cs_graph *g, const cs_ode *o, cs_node y);

/* Returns the adjoint of a matrix, given its Cholesky factor l and the adjoint
 * w of this factor. All three are [n][n]. Only the lower triangles are read and
 * written. */
cs_node cs_graph_cholesky_back(cs_graph *g, cs_node l, cs_node w);

/* Returns true if `extra` of an operation is the index of a constant. */
bool cs_op_has_constant(cs_op op);

/* ---- discrete states (discrete.c) ---------------------------------------
 *
 * The coordinates of a discrete state are the integers low .. low + values - 1,
 * stored as doubles. Kernels that follow a gradient use the gradient of an
 * extension to real numbers. A smooth operation is its own extension; the two
 * operations below have difference quotients as slopes. */

/* Tells the graph which coordinates have integer values; range[n] is in
 * ascending order [copied]. Without this call all coordinates are real. Called
 * before any other node is created. On failure returns false and sets the
 * status. */
bool cs_graph_set_ranges(cs_graph *g, const cs_graph_range *range, size_t n);

/* Returns the range of a coordinate; NULL: the coordinate is real. */
const cs_graph_range *cs_graph_range_of(const cs_graph *g, size_t coordinate);

/* What a node is computed from, as bits. CS_FRACTIONAL: an element may have
 * another value than an integer. */
enum { CS_READS_REAL = 1, CS_READS_WHOLE = 2, CS_FRACTIONAL = 4 };
unsigned cs_graph_reads(cs_graph *g, cs_node n);

/* An index with a value outside 1 .. size. */
typedef struct cs_outside {
    double value;    /* the value */
    char where[120]; /* coordinates and their values there, such as "z[2] = 4";
                        empty: not known */
} cs_outside;

/* Returns true if some element of i may have a value outside 1 .. size at a
 * state of the space. i must not read real coordinates. Exact up to 4096 joint
 * values of the coordinates that the element depends on, and a limit of work;
 * otherwise a value is outside if an enclosure contains it. */
bool cs_graph_find_outside(cs_graph *g, cs_node i, size_t size,
                           cs_outside *out);

/* Fails unless i can be an index of `size` entries: its values must be integers
 * from 1 to `size` at every state, computed from discrete coordinates. The
 * error says which value is not, and "but this vector has 3 entries", where
 * `there_are` is "this vector has" and `entries` is "entries". Also fails with
 * g's status set if out of memory. */
cs_status cs_graph_check_index(cs_graph *g, cs_node i, size_t size,
                               const char *there_are, const char *entries,
                               cs_error *err);

/* Returns 1 if a and b are equal, else 0. For binary coordinates of the state
 * this is 1 - a - b + 2 a b. Otherwise the slope with respect to a is half of
 * the change from a - 1 to a + 1. */
cs_node cs_graph_same(cs_graph *g, cs_node a, cs_node b);

/* Returns the entry of table[rows][cols] in row x and column y, for integers x
 * and y from 0; if y is node 0, cols is 1. The slope with respect to x is half
 * the difference of the neighbouring rows; at an end it is the difference of
 * the last two rows. */
cs_node cs_graph_look_up(cs_graph *g, const double *table, size_t rows,
                         size_t cols, cs_node x, cs_node y);

static inline const cs_graph_node *cs_graph_at(const cs_graph *g, cs_node a)
{
    return &g->nodes[a];
}
/* Returns the size of a node; 0 for node 0. */
static inline size_t cs_graph_size(const cs_graph *g, cs_node a)
{
    return a ? g->nodes[a].size : 0;
}
/* Returns true if a is DATA of one number, which is stored in *value. */
static inline bool cs_graph_is_number(const cs_graph *g, cs_node a,
                                      double *value)
{
    const cs_graph_node *n = &g->nodes[a];
    if (!a || n->op != CS_OP_DATA || n->size != 1)
        return false;
    *value = g->constants[n->extra].v[0];
    return true;
}

static inline cs_node cs_graph_arg(const cs_graph *g, cs_node a, size_t i)
{
    return g->args[g->nodes[a].first + i];
}

/* Returns the number of nodes needed to compute roots[n]; 0 if out of
 * memory. */
size_t cs_graph_count(const cs_graph *g, const cs_node *roots, size_t n);

/* Returns the value of an operation of class MAP for numbers; unused arguments
 * are ignored. The function is used to fold constants and to test the vector
 * code. */
double cs_op_value(cs_op op, double a, double b, double c);

/* Computes CUMULATE, BILINEAR, SOLVE, CHOLESKY and CHOLESKY_BACK: out[n.size]
 * from the arguments a[size_a] and b[size_b] and, for BILINEAR, its terms. */
void cs_op_linear(const cs_graph_node *n, const cs_constant *term,
                  const double *a, size_t size_a, const double *b,
                  size_t size_b, double *out);

/* Computes LOG_SUM_EXP and SOFTMAX of a[rows][columns]: out[columns] and
 * share[rows][columns]. */
void cs_op_log_sum_exp(const double *a, size_t rows, size_t columns,
                       double *out, double *share);

/* Returns the gradient of the number `root` with respect to the input, a vector
 * of size dim, as new nodes. */
cs_node cs_graph_gradient(cs_graph *g, cs_node root);

/* Returns the same vector with zeros for all coordinates but those of a kind,
 * CS_READS_REAL or CS_READS_WHOLE. Only what depends on these coordinates is
 * differentiated. */
cs_node cs_graph_gradient_of(cs_graph *g, cs_node root, unsigned kind);

/* Computes the gradient of the number `root` with respect to the nodes by[n],
 * treated as independent inputs. out[i] has the size of by[i], or is a number
 * if all its elements are equal. On failure returns false and sets g's
 * status. */
bool cs_graph_gradient_by(cs_graph *g, cs_node root, const cs_node *by,
                          size_t n, cs_node *out);

/* Copies node `root` of `from` into g. In the copy, node x of g replaces the
 * input of `from`; x must have the dimension of this input. Returns 0 and sets
 * g's status on failure. */
cs_node cs_graph_copy(cs_graph *g, const cs_graph *from, cs_node root,
                      cs_node x);

/* Copies roots[n] to out[n] in one pass. */
bool cs_graph_copy_all(cs_graph *g, const cs_graph *from, const cs_node *roots,
                       size_t n, cs_node x, cs_node *out);

/* Returns H(x) v, of size dim. H is the Hessian of the number `root` of `from`;
 * x and v are nodes of g that have the dimension of `from`. The input of g must
 * contain x as elements first .. first + dim - 1. Computed as the gradient of
 * v' grad root (Pearlmutter, Fast exact multiplication by the Hessian,
 * 1994). */
cs_node cs_graph_hessian_times(cs_graph *g, const cs_graph *from, cs_node root,
                               size_t first, cs_node v);
