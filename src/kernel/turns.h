/* Notes on the turns of the members of a composed kernel (kernel/composed.h) in
 * a step that is repeated for inspection. Only the first chain of the block is
 * noted. */
#pragma once

#include "kernel/composed.h"
#include "kernel/step_trace.h"

/* The turn of one member in a step of the whole. A member that makes several
 * steps in its turn has the numbers of the last of them. A number that does not
 * apply is NAN. */
typedef struct cs_turn_note {
    double member;   /* index of the member among all members that are not
                       composed, in the order of the tree */
    double steps;    /* number of steps in the turn */
    double moves;    /* number of these steps that changed the state */
    double accepts;  /* 1: the kernel has an accept step; else 0 */
    double proposes; /* 1: the proposal is stored; else 0 */
    double logp_change, log_ratio, log_uniform, accepted; /* as in cs_info */
    double accept_stat;                 /* mean acceptance along a trajectory */
    double depth, leapfrogs, divergent; /* as in the kernel's columns
                                           treedepth__, n_leapfrog__ and
                                           divergent__ */
} cs_turn_note;

typedef struct cs_turns {
    size_t dim, capacity; /* capacity: number of turns that are stored */
    size_t n;             /* number of turns, of which the first `capacity` are
                             stored */
    cs_turn_note *note;   /* [capacity] [own] */
    double *before, *after, *proposal; /* [capacity][dim] the states of the
                                          whole before and after each turn, and
                                          the proposal of its last step [own] */
    const cs_composed *root;           /* the kernel of the arm [borrowed] */
    cs_step_trace inside; /* for the kernels of the members, without points */

    /* The draw of one coordinate: the state just before its member drew it
     * last, and the values before and after. */
    size_t coordinate;
    double *at, *scratch; /* [dim]; scratch: the state before the step [own] */
    size_t drawn; /* 1 + the turn of that draw; 0: no member has drawn it */
    double from, to;
} cs_turns;

/* Allocates notes for `capacity` turns of the members of `root` in a space of
 * `dim` coordinates, and for the draw of a coordinate. Returns false if memory
 * runs out. */
bool cs_turns_begin(cs_turns *t, const cs_composed *root, size_t dim,
                    size_t capacity, size_t coordinate);
void cs_turns_end(cs_turns *t);

/* Returns the notes of a move; NULL: none are wanted. */
static inline cs_turns *cs_turns_of(const cs_move *m)
{
    cs_step_trace *n = cs_step_trace_of(m);
    return n ? n->turns : NULL;
}

/* Note the draw of coordinates that a member had summed out, at the end of its
 * turn: the state of the whole before and after it. `draws` is the member that
 * draws them. */
void cs_turns_before_draw(cs_turns *t, const cs_move *whole);
void cs_turns_after_draw(cs_turns *t, const cs_member *draws,
                         const cs_move *whole);

/* Note one step of a member that is not composed: its step `number` (from 0) in
 * this turn. cs_turns_before is called before the step, cs_turns_after after it.
 * `whole` is the move of the composed kernel, `move` that of the member, whose
 * states are written to the whole only at the end of the turn. */
void cs_turns_before(cs_turns *t, const cs_member *member, uint64_t number,
                     const cs_move *whole, const cs_move *move);
void cs_turns_after(cs_turns *t, const cs_member *member, const cs_move *whole,
                    const cs_move *move);
