/* The step trace: what a kernel records when a step of the first chain of its
 * block is repeated for inspection, such as the rows of data that it drew and
 * the swaps that it tried. It is off while chains run. */
#pragma once

#include "kernel/move.h"

#include <math.h>

/* Purpose for which a row of data was read. */
typedef enum cs_row_use {
    CS_ROW_GUIDES,   /* the gradient */
    CS_ROW_WEIGHS,   /* the ratio of state and proposal; if kept at random:
                        where it is kept */
    CS_ROW_LIGHTENS, /* firefly: a dark row that becomes bright with that
                        probability */
    CS_ROW_DARKENS   /* ... a bright row that becomes dark */
} cs_row_use;

/* One reading of a row; NAN: no such number. */
typedef struct cs_row_note {
    double row; /* from 0 */
    double use;
    double bound;       /* bound on its term above the minimum, or on its
                           change */
    double here, there; /* its term at the state and at the proposal (firefly:
                           log odds of being bright); NAN: not evaluated */
    double chance;      /* probability of being kept, or of changing */
    double kept;        /* 1: kept or changed; else 0 */
    double part;        /* its contribution to the log acceptance ratio */
} cs_row_note;

/* Two chains that may swap their states, or one chain that may change its
 * temperature (chain = other). */
typedef struct cs_swap_note {
    double chain, other;                   /* number in the arm, from 0 */
    double rung, other_rung;               /* from 0 */
    double temperature, other_temperature; /* NAN: no such rung */
    double energy, other_energy;           /* -log p, or its estimate */
    double tempered;  /* part of log a from temperatures and energies */
    double rest;      /* part of log a from weights, or from the noise of the
                         energies */
    double log_ratio; /* log a, their sum */
    double chance, uniform;
    double swaps; /* 1: the uniform number is below the probability */
} cs_swap_note;

/* To trace a step, `watch` is attached to the evaluator of the block, through
 * which a kernel finds the rest. Every watch is the first member of such a
 * trace. */
typedef struct cs_step_trace {
    cs_eval_watch watch;
    cs_row_note *row;      /* [row_room] [borrowed] */
    size_t row_room, rows; /* number of rows; only the first row_room are
                              stored */
    size_t next;           /* the stored row whose contribution is written
                              next */
    cs_swap_note *swap;    /* [swap_room] [borrowed] */
    size_t swap_room, swaps;
    double
        *slope; /* [dim] gradient that turned the noise, if the kernel records
                   it: then has_slope [borrowed] */
    bool has_slope;
} cs_step_trace;

/* Returns the trace; NULL if there is none, as always while chains run. */
static inline cs_step_trace *cs_step_trace_of(const cs_move *m)
{
    return (cs_step_trace *)(void *)m->eval->watch;
}

static inline void cs_note_row(cs_step_trace *n, cs_row_note row)
{
    if (n->rows < n->row_room)
        n->row[n->rows] = row;
    n->rows++;
}

/* Records the next of the kept rows: its term at the proposal and its
 * contribution. */
static inline void cs_note_part(cs_step_trace *n, double there, double part)
{
    size_t reported = n->rows < n->row_room ? n->rows : n->row_room;
    while (n->next < reported && n->row[n->next].kept == 0)
        n->next++;
    if (n->next >= reported)
        return;
    n->row[n->next].there = there;
    n->row[n->next++].part = part;
}

static inline void cs_note_swap(cs_step_trace *n, cs_swap_note swap)
{
    if (n->swaps < n->swap_room)
        n->swap[n->swaps] = swap;
    n->swaps++;
}
