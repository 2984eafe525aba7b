/* What a kernel written in Lua is told of its target: the object `target`, by
 * which one chain asks for log p and its parts. All of it goes through an
 * evaluator of one chain, and is counted with the kernel's own work. */
#pragma once

#include "kernel/kernel.h"

#include <lua.h>

/* Rows that are asked for at once. */
enum { CS_ASKED_ROWS = 512 };

/* One chain of a block and what it asks with: an evaluator of CS_PAD lanes,
 * one of them live. */
typedef struct cs_asked {
    cs_move *m;
    size_t lane;
    const struct cs_row_bounds *bounds; /* NULL: none were asked for */
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

/* Rows [rows][lanes] of scratch that it takes. */
size_t cs_asked_words(const cs_target *t);

/* Over room[cs_asked_words][m->lanes], for chain `lane` of the block; `kind`: of
 * the bounds that the kernel has, CS_ROW_RANGE or CS_ROW_CHANGE, or 0. */
void cs_asked_open(cs_asked *a, cs_move *m, size_t lane, unsigned kind,
                   double *room);
/* Adds the work to the block's. */
void cs_asked_close(cs_asked *a);

/* The value of the log prior at x[dim * stride]: what of log p is no estimate;
 * 0 of a target without such a part. */
double cs_asked_prior(cs_asked *a, const double *x, size_t stride);

/* Reads the state at `index` into a->x; raises errors that name `what`. */
void cs_asked_read_state(lua_State *L, cs_asked *a, int index);
/* Reads a data set at `index` into a->data; pushes the one that is there. */
void cs_asked_read_data(lua_State *L, cs_asked *a, int index);
void cs_asked_push_data(lua_State *L, const cs_asked *a);

/* Raises an error unless its target has the hook that `name` asks for. */
void cs_asked_need(lua_State *L, const cs_asked *a, bool has, const char *name,
                   const char *what);

/* The bounds of rows that the kernel asked for; raises an error if none. */
const struct cs_row_bounds *cs_asked_bounds(lua_State *L, const cs_asked *a);

/* The object of Lua: pushes one whose chain is *box, NULL while nobody's function
 * runs. It lives as long as a reference to it does. */
cs_asked **cs_asked_push(lua_State *L);
