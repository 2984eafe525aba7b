/* Calls from the core into Lua, for targets, kernels and schedules that are
 * functions of a script. The calls are protected: if a function fails, the
 * caller gets NaN, and the error is stored as text until cs_callback_take
 * removes it. */
#pragma once

#include <lua.h>
#include <stdbool.h>

/* The link from callbacks to a Lua state. There is one link per state. The link
 * outlives the state while a callback holds it. */
typedef struct cs_callback {
    lua_State *L; /* Lua thread for the calls; NULL: the state is closed */
    long holders;
    int calling;     /* number of running callbacks */
    bool looking;    /* true while a panel's function is running: no run may be
                      * changed */
    bool halted;     /* a callback exceeded a limit: no callback is called until
                      * the error is taken */
    char error[512]; /* first error since the last call of cs_callback_take; "":
                      * none */
} cs_callback;

/* Returns the link of a state [borrowed]; may raise a memory error.
 * cs_callback_hold adds a holder. */
cs_callback *cs_callback_of(lua_State *L);
cs_callback *cs_callback_hold(cs_callback *link);
void cs_callback_release(cs_callback *link);

/* Runs f(task) in protected mode, with a time limit. Returns false if f failed;
 * the reason is in link->error. Once a limit has been exceeded, all calls fail
 * until the stored error is taken. f gets the task as light userdata, which is
 * the only value on the stack of f. */
bool cs_callback_call(cs_callback *link, lua_CFunction f, void *task);

/* Limits the total time of the following calls to `seconds`, in addition to
 * other limits. If `seconds` is 0, removes this limit and discards the errors
 * that occurred since the limit was set. */
void cs_callback_allow(cs_callback *link, double seconds);

/* Raises the stored error, if there is one, as a Lua error. */
void cs_callback_raise(lua_State *L);
/* Discards the stored error. */
void cs_callback_forget(cs_callback *link);
/* Removes the stored error and pushes its text. */
void cs_callback_take(cs_callback *link, lua_State *L);

/* Releases a reference created by luaL_ref. */
void cs_callback_unref(cs_callback *link, int ref);

/* Raises an error at the first line of the referenced function. */
int cs_callback_blame(lua_State *L, int ref, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Returns the number on top of the stack. If the value is not a number, raises
 * an error that names `what` and the function that returned the value. */
double cs_callback_number(lua_State *L, int ref, const char *what);
