/* What a kernel tells of a step of the first chain of its block to whoever makes
 * that step again to look into it: rows of data that it drew, swaps that it
 * tried. Nobody asks for it while chains run. */
#pragma once

#include "kernel/move.h"

#include <math.h>

/* What a row of data was looked at for. */
typedef enum cs_row_use {
    CS_ROW_GUIDES,   /* the gradient */
    CS_ROW_WEIGHS,   /* the ratio of state and proposal; with a chance: where it
                       is kept */
    CS_ROW_LIGHTENS, /* firefly: dark, it becomes bright by that chance */
    CS_ROW_DARKENS   /* ... bright, it becomes dark */
} cs_row_use;

/* A row as it was looked at once; NAN: there is no such number. */
typedef struct cs_row_note {
    double row; /* from 0 */
    double use;
    double bound;       /* of what its term can be above the least, or of how
                           much it can change */
    double here, there; /* its term at the state and at the proposal (firefly:
                           log odds of being bright); NAN: it was not asked for */
    double chance;      /* of being kept, or of turning */
    double kept;        /* 1: it was, or did; 0 */
    double part;        /* what it adds to the log acceptance ratio */
} cs_row_note;

/* Two chains that may swap their states, or one that may change its temperature
 * (chain = other). */
typedef struct cs_swap_note {
    double chain, other;                   /* of the arm, from 0 */
    double rung, other_rung;               /* from 0 */
    double temperature, other_temperature; /* NAN: there is no such rung */
    double energy, other_energy;           /* -log p, or what stands for it */
    double tempered;  /* what temperatures and energies say of log a ... */
    double rest;      /* ... and weights, or the noise of the energies */
    double log_ratio; /* log a, their sum */
    double chance, uniform;
    double swaps; /* 1: the uniform number is below the chance */
} cs_swap_note;

/* Who looks into a step hangs `watch` into the evaluator of the block: there a
 * kernel finds the rest. Every watch is the first member of such notes. */
typedef struct cs_step_notes {
    cs_eval_watch watch;
    cs_row_note *row;      /* [row_room] [borrowed] */
    size_t row_room, rows; /* rows: all of them, the first are kept */
    size_t next;           /* the kept row whose part is told next */
    cs_swap_note *swap;    /* [swap_room] [borrowed] */
    size_t swap_room, swaps;
    double
        *slope; /* [dim] of the gradient that turned the noise, where a kernel
                      tells it: then has_slope [borrowed] */
    bool has_slope;
} cs_step_notes;

/* NULL: nobody looks, as always while chains run. */
static inline cs_step_notes *cs_notes_of(const cs_move *m)
{
    return (cs_step_notes *)(void *)m->eval->watch;
}

static inline void cs_note_row(cs_step_notes *n, cs_row_note row)
{
    if (n->rows < n->row_room)
        n->row[n->rows] = row;
    n->rows++;
}

/* Of the rows that were kept so far the next one: its term at the proposal, and
 * what it adds. */
static inline void cs_note_part(cs_step_notes *n, double there, double part)
{
    size_t told = n->rows < n->row_room ? n->rows : n->row_room;
    while (n->next < told && n->row[n->next].kept == 0)
        n->next++;
    if (n->next >= told)
        return;
    n->row[n->next].there = there;
    n->row[n->next++].part = part;
}

static inline void cs_note_swap(cs_step_notes *n, cs_swap_note swap)
{
    if (n->swaps < n->swap_room)
        n->swap[n->swaps] = swap;
    n->swaps++;
}
