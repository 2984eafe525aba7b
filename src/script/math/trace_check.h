/* Checks that a traced function agrees with the plain one. */
#pragma once

#include "target/space.h"

#include <lua.h>

enum { CS_TRACE_STATES = 8 /* a vector of lanes */ };

/* A function in both forms: the compiled trace, and calls. */
typedef struct cs_trace_check {
    const cs_space *space;
    int function;      /* its stack index */
    size_t operations; /* in the trace */
    void *self;
    /* Values at CS_TRACE_STATES states x[dim][CS_TRACE_STATES]; NaN if out of
     * memory. */
    void (*traced)(void *self, const double *x, double *logp);
    /* Call it with numbers, or once more with symbols (the result is
     * discarded). False: it failed, and the error is on the stack. */
    bool (*plain)(lua_State *L, void *self, const double *x, double *logp);
    bool (*symbols)(lua_State *L, void *self);
} cs_trace_check;

/* Compares the two at states with a finite value (and some without), searched
 * among states of several sizes and signs. Raises an error if they differ by
 * more than rounding, with the last common line. False: no finite value was
 * found. */
bool cs_script_check_trace(lua_State *L, const cs_trace_check *c);

/* Pushes "file:line: " for a line of the function at `index`; 0: its first
 * line. */
void cs_script_push_line(lua_State *L, int index, int line);
