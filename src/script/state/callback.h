/* From the core into Lua: targets, kernels and schedules that are functions
 * of a script. Calls are protected: an error becomes a text that is kept
 * until somebody takes it, and the caller sees NaN. */
#ifndef CS_SCRIPT_STATE_CALLBACK_H
#define CS_SCRIPT_STATE_CALLBACK_H

#include <lua.h>
#include <stdbool.h>

/* One a state; outlives it as long as a callback holds it. */
typedef struct cs_link {
    lua_State *L; /* the thread to call on; NULL: the state is gone */
    long holders;
    int calling;     /* a callback runs */
    bool halted;     /* one ran into a limit: none is called until its error
                     is taken */
    char error[512]; /* the first error not yet taken, "" = none */
} cs_link;

/* The link of a state, and one more holder. May raise (memory). */
cs_link *cs_link_of(lua_State *L);
cs_link *cs_link_hold(cs_link *link);
void cs_link_release(cs_link *link);

/* Runs f(task) protected, under the clock; false: it failed, and why is in
 * link->error; after a limit was hit, everything fails at once until that error
 * is taken. f finds the task as light userdata at 1 and a free stack. */
bool cs_link_call(cs_link *link, lua_CFunction f, void *task);

/* Calls from now on have so many seconds together, whatever else is allowed;
 * 0: no longer, and what failed since is forgotten. */
void cs_link_allow(cs_link *link, double seconds);

/* Raises the error that is kept, if there is one, as a Lua error. */
void cs_link_raise(lua_State *L);
/* Forgets it. */
void cs_link_forget(cs_link *link);
/* Takes the error: pushes its text. */
void cs_link_take(cs_link *link, lua_State *L);

/* Forgets a reference of luaL_ref. */
void cs_link_unref(cs_link *link, int ref);

/* Raises an error at the line where the function of that reference begins. */
int cs_link_blame(lua_State *L, int ref, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The number on top of the stack, or an error that names `what` and blames
 * the function that returned it. */
double cs_link_number(lua_State *L, int ref, const char *what);

#endif
