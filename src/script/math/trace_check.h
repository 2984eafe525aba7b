/* Whether a traced function does what the plain one does. */
#pragma once

#include "target/space.h"

#include <lua.h>

enum { CS_TRACE_STATES = 8 /* a vector of lanes */ };

/* A function and its two ways: what was made of the trace, and calls. */
typedef struct cs_trace_check {
    const cs_space *space;
    int function;      /* where it is on the stack */
    size_t operations; /* that it asked for */
    void *self;
    /* Values at CS_TRACE_STATES states x[dim][CS_TRACE_STATES]; NaN where there
     * is no memory. */
    void (*traced)(void *self, const double *x, double *logp);
    /* Calls it with numbers; with symbols once more (what comes out is thrown
     * away). False: it failed, the error is on the stack. */
    bool (*plain)(lua_State *L, void *self, const double *x, double *logp);
    bool (*symbols)(lua_State *L, void *self);
} cs_trace_check;

/* Compares the two at states where the value is finite (and some where it is
 * not), found among those of several sizes and signs. Raises an error where
 * they differ by more than rounding, with the line after which they part.
 * False: no finite value was found. */
bool cs_script_check_trace(lua_State *L, const cs_trace_check *c);

/* Pushes "file:line: " of a line of the function at `index`; 0: where it
 * begins. */
void cs_script_push_line(lua_State *L, int index, int line);
