/* The object `target` of kernels written in Lua, by which one chain evaluates
 * log p and its parts. All calls use an evaluator for one chain and count as
 * the kernel's work. */
#pragma once

#include "kernel/kernel.h"

#include <lua.h>

/* Rows evaluated at once. */
enum { CS_ASKED_ROWS = 512 };

/* One chain of a block and its evaluator of CS_PAD lanes, of which one is in
 * use. */
typedef struct cs_asked {
    cs_move *m;
    size_t lane;
    const struct cs_row_bounds *bounds; /* NULL: none requested */
    cs_eval eval;
    cs_streams streams; /* of the chain, for CS_PAD lanes */
    uint64_t chain[CS_PAD];
    double *x, *g;                 /* [dim][CS_PAD] */
    double *value;                 /* [CS_PAD] */
    double *data;                  /* [n_data][CS_PAD] */
    double *simulate;              /* [simulate_words][CS_PAD] */
    double *updates, *past, *left; /* [CS_PAD] of a simulation */
    double *term, *weight;         /* [CS_ASKED_ROWS] */
    uint32_t *row;                 /* [CS_ASKED_ROWS] */
} cs_asked;

/* Rows [rows][lanes] of scratch memory needed. */
size_t cs_asked_words(const cs_target *t);

/* Opens on room[cs_asked_words][m->lanes] for chain `lane` of the block; `kind`
 * of the kernel's bounds: CS_ROW_RANGE or CS_ROW_CHANGE, or 0. */
void cs_asked_open(cs_asked *a, cs_move *m, size_t lane, unsigned kind,
                   double *room);
/* Adds the work to that of the block. */
void cs_asked_close(cs_asked *a);

/* Returns the exact part of log p at x[dim * stride], the log prior; 0 for a
 * target without one. */
double cs_asked_prior(cs_asked *a, const double *x, size_t stride);

/* Reads the state at `index` into a->x; raises errors that name `what`. */
void cs_asked_read_state(lua_State *L, cs_asked *a, int index);
/* The first reads a data set at `index` into a->data; the second pushes it. */
void cs_asked_read_data(lua_State *L, cs_asked *a, int index);
void cs_asked_push_data(lua_State *L, const cs_asked *a);

/* Raises an error unless its target has the hook that `name` needs. */
void cs_asked_need(lua_State *L, const cs_asked *a, bool has, const char *name,
                   const char *what);

/* Returns the bounds of rows that the kernel requested; raises an error if
 * none. */
const struct cs_row_bounds *cs_asked_bounds(lua_State *L, const cs_asked *a);

/* Pushes the Lua object, which uses the chain *box: NULL while no function
 * runs. It lives as long as it is referenced. */
cs_asked **cs_asked_push(lua_State *L);
