/* From the core into Lua: targets, kernels and schedules that are functions
 * of a script. Calls are protected: an error becomes a text that is kept
 * until somebody takes it, and the caller sees NaN. */
#pragma once

#include <lua.h>
#include <stdbool.h>

/* One a state; outlives it as long as a callback holds it. */
typedef struct cs_callback {
    lua_State *L; /* the thread to call on; NULL: the state is gone */
    long holders;
    int calling;     /* a callback runs */
    bool looking;    /* a panel's function runs: no run may be changed */
    bool halted;     /* one ran into a limit: none is called until its error
                     is taken */
    char error[512]; /* the first error not yet taken, "" = none */
} cs_callback;

/* The link of a state [borrowed]; may raise (memory). One more holder of it. */
cs_callback *cs_callback_of(lua_State *L);
cs_callback *cs_callback_hold(cs_callback *link);
void cs_callback_release(cs_callback *link);

/* Runs f(task) protected, under the clock; false: it failed, and why is in
 * link->error; after a limit was hit, everything fails at once until that error
 * is taken. f finds the task as light userdata at 1 and a free stack. */
bool cs_callback_call(cs_callback *link, lua_CFunction f, void *task);

/* Calls from now on have so many seconds together, whatever else is allowed;
 * 0: no longer, and what failed since is forgotten. */
void cs_callback_allow(cs_callback *link, double seconds);

/* Raises the error that is kept, if there is one, as a Lua error. */
void cs_callback_raise(lua_State *L);
/* Forgets it. */
void cs_callback_forget(cs_callback *link);
/* Takes the error: pushes its text. */
void cs_callback_take(cs_callback *link, lua_State *L);

/* Forgets a reference of luaL_ref. */
void cs_callback_unref(cs_callback *link, int ref);

/* Raises an error at the line where the function of that reference begins. */
int cs_callback_blame(lua_State *L, int ref, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The number on top of the stack, or an error that names `what` and blames
 * the function that returned it. */
double cs_callback_number(lua_State *L, int ref, const char *what);
