/* Calculations with known numbers and with nodes of a graph, by the same
 * functions. An argument or result (cs_arg) is one of the two.
 *
 * Operations on known numbers give known numbers (computed as
 * expr/operation_value.c does), without a graph. As soon as one argument is a
 * node, the others become constants of its graph and the result is a node. The
 * order in which nodes are created is the order of the calls, so a formula
 * gives the same graph with every compiler.
 *
 * A function that fails records the first error in the calculation and returns
 * a result of size 0. Operations on such an argument do nothing, so that a
 * caller needs only one check, at the end. */
#pragma once

#include "base/status.h"
#include "expr/graph.h"

#define CS_HALF_LOG_TAU 0.91893853320467274178 /* log(2 pi) / 2 */
#define CS_LOG_PI 1.1447298858494001741

/* A number (rank 0), a vector (1), or a row-major matrix (2). */
typedef struct cs_arg {
    const double *v; /* [size] known elements, in the memory of the calculation
                      * or of the caller; NULL: a node */
    cs_node node;
    unsigned rank;
    size_t size;       /* 0: a calculation that failed */
    size_t rows, cols; /* only set for a matrix */
    bool column;       /* a node that is one column of the data: in each row a
                        * known number */
} cs_arg;

/* One calculation: its graph, its memory and its error. */
typedef struct cs_calc {
    cs_graph *graph; /* NULL: all arguments are known [borrowed] */
    struct cs_densities *densities; /* the formulas that it may call
                                     * [borrowed] */
    const char *name; /* name in errors, for example "cs.lpdf.normal" */
    cs_error err;     /* first error; its status is CS_OK without one */
    double **blocks;  /* [own] [n_blocks] memory of known elements */
    size_t n_blocks, capacity;
    double *next;
    size_t left; /* numbers after `next` that are unused */
    int depth;   /* of calls of formulas */
    double first[96];
} cs_calc;

/* Opens a calculation in a graph (NULL: with numbers only). */
void cs_calc_open(cs_calc *c, cs_graph *graph);
/* Frees the memory of the calculation, with the elements of its arguments. */
void cs_calc_close(cs_calc *c);

/* Records an error "NAME: ..." with a hint (may be NULL), if it is the first
 * one. Returns a result of size 0. */
cs_arg cs_calc_fail(cs_calc *c, const char *hint, const char *what, ...)
    __attribute__((format(printf, 3, 4)));

/* Records that memory is short, or the failure of the graph, if it is the first
 * error. Returns a result of size 0. */
cs_arg cs_calc_no_memory(cs_calc *c);

/* Returns memory for n numbers, which is valid until the calculation is closed;
 * NULL if out of memory. */
double *cs_calc_numbers(cs_calc *c, size_t n);

/* Return an argument: a known number; a vector or a matrix of known elements
 * [borrowed]; a node of the graph. */
cs_arg cs_calc_number(cs_calc *c, double value);
cs_arg cs_known_vector(const double *v, size_t n);
cs_arg cs_known_matrix(const double *v, size_t rows, size_t cols);
cs_arg cs_node_arg(const cs_graph *g, cs_node node);

static inline bool cs_is_known(cs_arg a)
{
    return a.v != NULL;
}

/* Returns the argument as a node of the graph; 0 on failure. */
cs_node cs_calc_node(cs_calc *c, cs_arg a);

/* Writes "a number", "a vector of 3" or "a matrix of 2 x 3" to text[64]. */
const char *cs_arg_text(cs_arg a, char *text);

/* ---- operations ---------------------------------------------------------- */

/* Apply operations of class MAP to one to three arguments. Sizes must be equal
 * or 1; the result has the largest shape. */
cs_arg cs_calc_map(cs_calc *c, cs_op op, const cs_arg *a, int n);
cs_arg cs_calc_op1(cs_calc *c, cs_op op, cs_arg a);
cs_arg cs_calc_op2(cs_calc *c, cs_op op, cs_arg a, cs_arg b);
cs_arg cs_calc_op3(cs_calc *c, cs_op op, cs_arg a, cs_arg b, cs_arg d);
/* Returns a op k, for a number k. */
cs_arg cs_calc_with(cs_calc *c, cs_op op, cs_arg a, double k);
/* Returns k op a, for a number k. */
cs_arg cs_calc_from(cs_calc *c, cs_op op, double k, cs_arg a);

/* Apply an operation of class REDUCE: a number. cs_calc_least is the smallest
 * element. */
cs_arg cs_calc_reduce(cs_calc *c, cs_op op, cs_arg a);
cs_arg cs_calc_least(cs_calc *c, cs_arg a);

/* Returns a where the condition is not 0, else -infinity. */
cs_arg cs_calc_inside(cs_calc *c, cs_arg condition, cs_arg a);

/* ---- parts and matrices (calc_matrices.c) -------------------------------- */

/* Returns elements first .. first + n - 1 as a vector (a number if n is 1 and
 * `number` is true). */
cs_arg cs_calc_slice(cs_calc *c, cs_arg a, size_t first, size_t n, bool number);
/* Returns a[index[i]], i < n, as a vector; indices from 0. */
cs_arg cs_calc_gather(cs_calc *c, cs_arg a, const double *index, size_t n);
/* Returns a[i - 1] for each element of the index i, which has the shape of the
 * result. Known indices must be from 1 to the size of a; for others the nearest
 * element is taken (cs_graph_pick). */
cs_arg cs_calc_pick(cs_calc *c, cs_arg a, cs_arg i);
/* Returns the argument with the shape of a matrix. */
cs_arg cs_calc_shape(cs_arg a, size_t rows, size_t cols);
/* Joins n arguments to one vector. */
cs_arg cs_calc_pack(cs_calc *c, const cs_arg *part, size_t n);
/* Returns the sum of products, a vector of `size` (expr/graph.h). */
cs_arg cs_calc_bilinear(cs_calc *c, cs_arg a, cs_arg b,
                        const cs_matmul_term *term, size_t n, size_t size);
/* The linear operations of expr/graph.h. Arguments that are not square matrices
 * or do not fit are errors. */
cs_arg cs_calc_cholesky(cs_calc *c, cs_arg a);
cs_arg cs_calc_solve(cs_calc *c, cs_arg l, cs_arg b, bool transposed);
cs_arg cs_calc_cumulate(cs_calc *c, cs_arg a, bool from_end);
cs_arg cs_calc_diagonal(cs_calc *c, cs_arg a);
cs_arg cs_calc_transpose(cs_calc *c, cs_arg a);
/* Returns the matrix product; a and b may be vectors, but not both. */
cs_arg cs_calc_product(cs_calc *c, cs_arg a, cs_arg b);
/* Returns log sum exp of each column of a matrix, or of a vector. */
cs_arg cs_calc_log_sum_exp(cs_calc *c, cs_arg a);
