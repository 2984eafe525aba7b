/* The object `target` for kernels written in Lua. The object evaluates log p,
 * and the parts of log p, for one chain. All calls use an evaluator for one
 * chain and count as work of the kernel. */
#pragma once

#include "kernel/kernel.h"

#include <lua.h>

/* Maximum number of rows of data evaluated in one call. */
enum { CS_ASKED_ROWS = 512 };

/* One chain of a block. Its evaluator has CS_PAD lanes, but only one of them is
 * used. */
typedef struct cs_asked {
    cs_move *m;
    size_t lane;
    const struct cs_row_bounds *bounds; /* bounds of the rows' terms; NULL: not
                                         * requested */
    cs_eval eval;
    cs_streams streams; /* streams of the chain, for CS_PAD lanes */
    uint64_t chain[CS_PAD];
    double *x, *g;                 /* [dim][CS_PAD] */
    double *value;                 /* [CS_PAD] */
    double *data;                  /* [n_data][CS_PAD] a data set */
    double *simulate;              /* [simulate_words][CS_PAD] */
    double *updates, *past, *left; /* [CS_PAD] arguments of a simulation */
    double *term, *weight;         /* [CS_ASKED_ROWS] */
    uint32_t *row;                 /* [CS_ASKED_ROWS] */
} cs_asked;

/* Returns the number of rows in the scratch memory [rows][lanes] of
 * cs_asked_open. */
size_t cs_asked_words(const cs_target *t);

/* Opens the evaluator in scratch[cs_asked_words][m->lanes] for chain `lane` of
 * the block. `kind` is the kernel's kind of bounds: CS_ROW_RANGE, CS_ROW_CHANGE
 * or 0. */
void cs_asked_open(cs_asked *a, cs_move *m, size_t lane, unsigned kind,
                   double *scratch);
/* Adds the work of the evaluator to the work of the block. */
void cs_asked_close(cs_asked *a);

/* Returns the exact part of log p at x[dim * stride]. The exact part is the log
 * prior; it is 0 for a target without an exact part. */
double cs_asked_prior(cs_asked *a, const double *x, size_t stride);

/* Reads the state at `index` into a->x; raises an error if it is invalid. */
void cs_asked_read_state(lua_State *L, cs_asked *a, int index);
/* cs_asked_read_data reads a data set at `index` into a->data;
 * cs_asked_push_data pushes a->data. */
void cs_asked_read_data(lua_State *L, cs_asked *a, int index);
void cs_asked_push_data(lua_State *L, const cs_asked *a);

/* Raises an error unless `has` is true. `has` says whether the target has the
 * hook that the function `name` needs. */
void cs_asked_need(lua_State *L, const cs_asked *a, bool has, const char *name,
                   const char *what);

/* Returns the bounds of rows that the kernel requested; raises an error if it
 * requested none. */
const struct cs_row_bounds *cs_asked_bounds(lua_State *L, const cs_asked *a);

/* Pushes the Lua object `target` and returns its box. The object uses the chain
 * *box; *box is NULL while no function runs. The box exists as long as the
 * object. */
cs_asked **cs_asked_push(lua_State *L);
