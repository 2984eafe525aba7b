/* Checks that a traced function agrees with the function called with
 * numbers. */
#pragma once

#include "target/space.h"

#include <lua.h>

enum {
    CS_TRACE_STATES = 8 /* number of states that are evaluated together, one
                            * per lane of a vector */
};

/* A function in two forms: the compiled trace, and the Lua function itself. */
typedef struct cs_trace_check {
    const cs_space *space;
    int function;      /* stack index of the function */
    size_t operations; /* number of operations in the trace */
    void *self;
    /* Computes values at CS_TRACE_STATES states x[dim][CS_TRACE_STATES]; NaN if
     * out of memory. */
    void (*traced)(void *self, const double *x, double *logp);
    /* `plain` calls the function with numbers. `symbols` calls it again with
     * symbols and ignores the result. Both return false if the function failed;
     * the error is then on the stack. */
    bool (*plain)(lua_State *L, void *self, const double *x, double *logp);
    bool (*symbols)(lua_State *L, void *self);
} cs_trace_check;

/* Compares the values of both forms at states where they are finite, and at
 * some states where they are not. Tries states of several magnitudes and signs.
 * If the values of a state differ by more than rounding, raises an error that
 * names the last line that both forms executed. Returns false if no finite
 * value was found. */
bool cs_script_check_trace(lua_State *L, const cs_trace_check *c);

/* Pushes "file:line: " for a line of the function at `index`; line 0 means its
 * first line. */
void cs_script_push_line(lua_State *L, int index, int line);
