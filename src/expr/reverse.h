/* Internals of reverse-mode differentiation: backward passes of operations. */
#pragma once

#include "expr/graph.h"

/* A piece of a node's adjoint: elements first .. first + n - 1. `next` is 1 +
 * the index of the next piece of the same adjoint, or 0. */
typedef struct cs_piece {
    uint32_t next;
    cs_node w;
    uint32_t first, n;
} cs_piece;

/* An adjoint that is 0 under a condition: where(condition, w, 0), or
 * where(condition, 0, w). Backward passes are linear in the adjoint. The choice
 * can therefore be applied later, for example to the sum over a vector instead
 * of each element. A choice that is applied last also gives 0 where w is
 * infinite or NaN. */
typedef struct cs_guard {
    cs_node condition;
    bool otherwise; /* true for where(condition, 0, w) */
} cs_guard;

enum { CS_GUARDS = 8 };

typedef struct cs_reverse {
    cs_graph *g;
    unsigned by; /* CS_READS_REAL or CS_READS_WHOLE: only nodes that read such
                  * coordinates get an adjoint; 0: all nodes */
    cs_guard guard[CS_GUARDS]; /* [n_guards] guards of the adjoint being
                                * propagated, outermost first */
    size_t n_guards;
    cs_node *adjoint; /* [last + 1] adjoint of each node; 0: none yet */
    cs_piece *pieces; /* pieces of the adjoints of all nodes, in order of
                       * creation */
    size_t n_pieces, capacity;
    uint32_t *waiting; /* [last + 1] 1 + the index of each node's last piece; 0:
                        * no pieces */
} cs_reverse;

/* The backward pass of one node: y = op(a, b, c), with adjoint w. */
typedef struct cs_back {
    cs_node y, a, b, c, w;
    size_t size;
} cs_back;

/* Adds w, an adjoint for `size` elements, to the adjoint of `a`. If `a` was
 * broadcast, adds the sum over the elements. If w is a number, it represents a
 * vector of equal elements. */
void cs_reverse_add(cs_reverse *r, cs_node a, cs_node w, size_t size);

/* Expands a number to a vector of `size` elements; leaves vectors unchanged. */
cs_node cs_reverse_full(cs_reverse *r, cs_node w, size_t size);

/* Returns w b for an adjoint w. If w is guarded, the guard is applied after the
 * product. The result is therefore 0 for a branch that was not taken, even if b
 * is infinite or NaN. */
cs_node cs_reverse_times(cs_reverse *r, cs_node w, cs_node b);

/* Rules that return w dy/da for operations with one argument; NULL for
 * others. */
typedef cs_node (*cs_derivative_rule)(cs_reverse *r, const cs_back *k);
extern const cs_derivative_rule cs_derivative_rules[CS_OP_COUNT];

/* Rules for operations of class MAP with several arguments. Each adds to the
 * adjoints of its arguments. NULL for others. */
typedef void (*cs_back_function)(cs_reverse *r, const cs_back *k);
extern const cs_back_function cs_back_map[CS_OP_COUNT];

/* Rules for log sum exp and softmax, defined in log_sum.c. */
void cs_back_log_sum_exp(cs_reverse *r, const cs_back *k);
void cs_back_softmax(cs_reverse *r, const cs_back *k);

/* Rules of linear algebra, defined in linear_algebra_back.c. */
void cs_back_cumulate(cs_reverse *r, const cs_back *k);
void cs_back_bilinear(cs_reverse *r, const cs_back *k);
void cs_back_solve(cs_reverse *r, const cs_back *k);
void cs_back_cholesky(cs_reverse *r, const cs_back *k);
void cs_back_cholesky_back(cs_reverse *r, const cs_back *k);

/* The rule of systems, defined in ode.c. */
void cs_back_ode(cs_reverse *r, const cs_back *k);
