/* Common parts of kernels written in Lua: their fields, the calls of their
 * functions, and the arguments of these functions. */
#pragma once

#include "script/bind/draws.h"
#include "script/state/callback.h"

#include <lauxlib.h>

/* The functions of a kernel, named like its fields. */
enum {
    CS_OWN_PROPOSE,
    CS_OWN_LOG_Q,
    CS_OWN_OMEGA1,
    CS_OWN_OMEGA2,
    CS_OWN_LOG_RATIO,
    CS_OWN_ACCEPT,
    CS_OWN_DRAW,
    CS_OWN_MAP,
    CS_OWN_FUNCTIONS
};

enum { CS_OWN_PARAMS = 40 /* maximum number of parameters */ };

typedef struct cs_own_kernel {
    cs_callback *link;
    int function[CS_OWN_FUNCTIONS]; /* references to the functions; LUA_NOREF:
                                     * not given */
    unsigned bounds;                /* kind of row bounds that the kernel uses:
                                     * CS_ROW_RANGE, CS_ROW_CHANGE or 0 */
    bool barker;                    /* true for accept = "barker" */
    bool has_drawn;      /* true if omega1 or omega2 has used a random number */
    cs_own_draws **draw; /* objects `draw` passed to the functions */
    cs_asked **target;
    int draw_ref, target_ref;
    cs_kernel_type type;
    cs_param rows[CS_OWN_PARAMS];
    char names[CS_OWN_PARAMS][32];
    cs_page parts; /* text that identifies the functions, for the fingerprint
                    * [own] */
} cs_own_kernel;

/* Pushes a kernel from the table at stack index 1, with the type `like` and the
 * parameters of the field params. [owned by the Lua value] */
cs_own_kernel *cs_own_kernel_push(lua_State *L, const cs_kernel_type *like);

static inline bool cs_own_has(const cs_own_kernel *self, int which)
{
    return self->function[which] != LUA_NOREF;
}

/* The function calls of one lane in one step. */
typedef struct cs_own_call {
    cs_move *m;
    const cs_own_kernel *self;
    size_t lane;
    cs_asked asked;
    cs_own_draws draws;
    int running;             /* the current or last function */
    double *y;               /* [dim][lanes] the proposal; output */
    const double *from, *to; /* [dim][lanes] arguments of log_q */
    double number;           /* result of log_q */
} cs_own_call;

/* Runs f(call) for lane `lane` in protected mode, with
 * scratch[cs_asked_words][lanes]. If a function of the script fails,
 * returns false; call->running is then the function that failed. Counts
 * the work of f. */
bool cs_own_run(cs_own_call *c, lua_CFunction f, double *scratch);
/* Runs f like cs_own_run, and marks the chain as failed after an error. */
bool cs_own_run_or_fail(cs_own_call *c, lua_CFunction f, double *scratch);

/* ---- functions to be called within f ------------------------------------- */

/* Pushes function number `which`, and records that this function runs. If
 * `draws` is true, the function may use the object `draw`. */
void cs_own_begin(lua_State *L, cs_own_call *c, int which, bool draws);
/* Push arguments of a kernel's function: a state x[dim][lanes], the object
 * `draw`, and the last two arguments, params and target. */
void cs_own_push_state(lua_State *L, const cs_own_call *c, const double *x);
void cs_own_push_draw(lua_State *L, const cs_own_call *c);
void cs_own_push_rest(lua_State *L, const cs_own_call *c);
/* Returns coordinate i of the state on top of the stack; errors name the
 * function that runs. */
double cs_own_read_coordinate(lua_State *L, const cs_own_call *c, size_t i);
/* Pops the state on top of the stack into y of the lane; errors name the
 * function. */
void cs_own_read_proposal(lua_State *L, cs_own_call *c);
/* Pops and returns the number on top of the stack; `what` names it in
 * errors. */
double cs_own_read_number(lua_State *L, const cs_own_call *c, const char *what);
