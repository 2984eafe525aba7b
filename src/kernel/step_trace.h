/* The step trace: a kernel's record of a step of the first chain of its block.
 * The record is made when the step is repeated for inspection. It lists, for
 * example, the rows of data that the kernel drew and the swaps that the kernel
 * tried. No record is made while chains run. */
#pragma once

#include "kernel/move.h"

#include <math.h>

/* Purpose for which a row of data was read. */
typedef enum cs_row_use {
    CS_ROW_GUIDES,   /* the row is used for the gradient */
    CS_ROW_WEIGHS,   /* the row is used for the acceptance ratio; if rows are
                        kept at random, this purpose includes the decision
                        whether to keep the row */
    CS_ROW_LIGHTENS, /* firefly: a dark row that may become bright */
    CS_ROW_DARKENS   /* firefly: a bright row that may become dark */
} cs_row_use;

/* One use of a row of data. A number that does not apply is NAN. */
typedef struct cs_row_note {
    double row; /* index of the row, from 0 */
    double use;
    double bound;       /* bound on the amount by which the row's term exceeds
                         * its lower bound, or on the change of the term */
    double here, there; /* here: term of the row at the state; there: term at
                           the proposal (firefly: log odds of being bright);
                           NAN: not evaluated */
    double chance;      /* probability that the row is kept or, for firefly,
                         * that it changes */
    double kept;        /* 1: the row was kept or changed; else 0 */
    double part;        /* contribution of the row to the log acceptance
                           ratio */
} cs_row_note;

/* A possible swap of the states of two chains, or a possible change of the
 * temperature of one chain (chain = other). */
typedef struct cs_swap_note {
    double chain, other;                   /* indices of the chains in the arm,
                                            * from 0 */
    double rung, other_rung;               /* indices of the temperatures, from
                                            * 0 */
    double temperature, other_temperature; /* temperatures of the two rungs; NAN
                                              if the rung does not exist */
    double energy, other_energy;           /* -log p of the two states, or its
                                              estimate */
    double tempered;  /* part of log_ratio that depends on temperatures and
                       * energies */
    double rest;      /* part of log_ratio that depends on weights, or on the
                       * noise of the energies */
    double log_ratio; /* log acceptance ratio: tempered + rest */
    double chance, uniform;
    double swaps; /* 1: the swap is accepted (the uniform number is below the
                     acceptance probability); else 0 */
} cs_swap_note;

/* The step trace of a block. To trace a step, the caller attaches `watch` to
 * the block's evaluator. A kernel finds the struct through this pointer,
 * because every watch is the first member of a cs_step_trace. */
typedef struct cs_step_trace {
    cs_eval_watch watch;
    cs_row_note *row; /* [row_capacity] stored rows [borrowed] */
    size_t row_capacity,
        rows;           /* number of rows in total, of which only the first
                           row_capacity are stored */
    size_t next;        /* index of the stored row whose contribution is
                              written next */
    cs_swap_note *swap; /* [swap_capacity] stored swaps [borrowed] */
    size_t swap_capacity, swaps;
    double
        *slope; /* [dim] gradient that decided the signs of the noise; a kernel
                   that has such a gradient sets it together with has_slope
                   [borrowed] */
    bool has_slope;
    size_t site;   /* site that the kernel drew; the first, if several */
    bool has_site; /* set together with `site` */
    struct cs_turns *turns; /* notes of the members of a composed kernel
                               (kernel/turns.h); NULL: not wanted [borrowed] */
} cs_step_trace;

/* Returns the step trace; NULL while chains run. */
static inline cs_step_trace *cs_step_trace_of(const cs_move *m)
{
    return (cs_step_trace *)(void *)m->eval->watch;
}

static inline void cs_note_row(cs_step_trace *n, cs_row_note row)
{
    if (n->rows < n->row_capacity)
        n->row[n->rows] = row;
    n->rows++;
}

/* Stores, for the next kept row of the trace, its term at the proposal and its
 * contribution to the log acceptance ratio. */
static inline void cs_note_part(cs_step_trace *n, double there, double part)
{
    size_t reported = n->rows < n->row_capacity ? n->rows : n->row_capacity;
    while (n->next < reported && n->row[n->next].kept == 0)
        n->next++;
    if (n->next >= reported)
        return;
    n->row[n->next].there = there;
    n->row[n->next++].part = part;
}

static inline void cs_note_swap(cs_step_trace *n, cs_swap_note swap)
{
    if (n->swaps < n->swap_capacity)
        n->swap[n->swaps] = swap;
    n->swaps++;
}
