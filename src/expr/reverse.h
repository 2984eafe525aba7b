/* Inside of reverse accumulation: what an operation does on the way back. */
#pragma once

#include "expr/graph.h"

/* A part of a node's adjoint: elements first .. first + n - 1. `next`: 1 + the
 * place of another part of the same, 0: none. */
typedef struct cs_piece {
    uint32_t next;
    cs_node w;
    uint32_t first, n;
} cs_piece;

/* An adjoint that is 0 unless one number says that it is not, or that it is:
 * where(condition, w, 0), or where(condition, 0, w). All that an operation
 * does to an adjoint on its way back is linear: the choice is made after it,
 * of the sum over a vector, say, and not of each of its elements. Made last it
 * is 0 too where w is infinite or NaN. */
typedef struct cs_guard {
    cs_node condition;
    bool otherwise; /* where(condition, 0, w) */
} cs_guard;

enum { CS_GUARDS = 8 };

typedef struct cs_reverse {
    cs_graph *g;
    cs_guard guard[CS_GUARDS]; /* [n_guards] of the adjoint that is on its way
                                  back, the first outermost */
    size_t n_guards;
    cs_node *adjoint; /* [last + 1], 0: nothing yet */
    cs_piece *pieces; /* of all nodes, in the order of their coming */
    size_t n_pieces, room;
    uint32_t *waiting; /* [last + 1] 1 + a node's last piece, 0: none */
} cs_reverse;

/* One node on its way back: y = op(a, b, c), its adjoint w. */
typedef struct cs_back {
    cs_node y, a, b, c, w;
    size_t size;
} cs_back;

/* Adds w, an adjoint of a node of `size` elements, to that of `a`. What was
 * broadcast is summed; a number stands for a vector of equal elements. */
void cs_reverse_add(cs_reverse *r, cs_node a, cs_node w, size_t size);

/* A vector of `size` elements of what may be a number for all of them. */
cs_node cs_reverse_full(cs_reverse *r, cs_node w, size_t size);

/* w b for an adjoint w. One that is 0 where a branch was not taken stays 0
 * there, even if b is infinite or NaN: the choice is made last. */
cs_node cs_reverse_times(cs_reverse *r, cs_node w, cs_node b);

/* w dy/da for operations of one argument; NULL for others. */
typedef cs_node (*cs_derivative_rule)(cs_reverse *r, const cs_back *k);
extern const cs_derivative_rule cs_derivative_rules[CS_OP_COUNT];

/* Operations of class MAP with several arguments: adds to the adjoint of
 * each. NULL for others. */
typedef void (*cs_back_function)(cs_reverse *r, const cs_back *k);
extern const cs_back_function cs_back_map[CS_OP_COUNT];

/* log_sum.c */
void cs_back_log_sum_exp(cs_reverse *r, const cs_back *k);
void cs_back_softmax(cs_reverse *r, const cs_back *k);

/* Those of linear algebra: linear_back.c. */
void cs_back_cumulate(cs_reverse *r, const cs_back *k);
void cs_back_bilinear(cs_reverse *r, const cs_back *k);
void cs_back_solve(cs_reverse *r, const cs_back *k);
void cs_back_cholesky(cs_reverse *r, const cs_back *k);
void cs_back_cholesky_back(cs_reverse *r, const cs_back *k);
