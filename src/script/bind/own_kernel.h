/* What kernels written in Lua share: their fields, the calls of their functions,
 * and what these are given. */
#pragma once

#include "script/bind/draws.h"
#include "script/state/callback.h"

#include <lauxlib.h>

/* The functions that a kernel may have, as its fields are called. */
enum {
    CS_OWN_PROPOSE,
    CS_OWN_LOG_Q,
    CS_OWN_OMEGA1,
    CS_OWN_OMEGA2,
    CS_OWN_LOG_RATIO,
    CS_OWN_ACCEPT,
    CS_OWN_FUNCTIONS
};

typedef struct cs_own_kernel {
    cs_callback *link;
    int function[CS_OWN_FUNCTIONS]; /* LUA_NOREF: there is none */
    unsigned bounds;     /* of rows: CS_ROW_RANGE, CS_ROW_CHANGE; 0 */
    bool barker;         /* accept = "barker" */
    bool has_drawn;      /* omega1 or omega2 has drawn a random number */
    cs_own_draws **draw; /* the two objects that functions are given */
    cs_asked **target;
    int draw_ref, target_ref;
    cs_kernel_type type;
    cs_param rows[CS_KERNEL_PARAMS];
    char names[CS_KERNEL_PARAMS][32];
    cs_page parts; /* [own] */
} cs_own_kernel;

/* Pushes a kernel of the table at 1, whose type is `like` with the parameters of
 * the field params; [own by the kernel]. */
cs_own_kernel *cs_own_kernel_push(lua_State *L, const cs_kernel_type *like);

static inline bool cs_own_has(const cs_own_kernel *self, int which)
{
    return self->function[which] != LUA_NOREF;
}

/* One lane's calls of one step. */
typedef struct cs_own_call {
    cs_move *m;
    const cs_own_kernel *self;
    size_t lane;
    cs_asked asked;
    cs_own_draws draws;
    int running;             /* the function that runs, or ran last */
    double *y;               /* [dim][lanes] the proposal, out */
    const double *from, *to; /* [dim][lanes] of log_q */
    double number;           /* its answer */
} cs_own_call;

/* Runs f(call) on lane `lane`, protected, over room[cs_asked_words][lanes]; false:
 * it failed, and call->running says where. Its work is counted. */
bool cs_own_run(cs_own_call *c, lua_CFunction f, double *room);
/* The same, and the chain has failed if it did. */
bool cs_own_run_or_fail(cs_own_call *c, lua_CFunction f, double *room);

/* ---- within such an f ---------------------------------------------------- */

/* Pushes function `which`, and notes that it runs; with `draws`, `draw` draws. */
void cs_own_begin(lua_State *L, cs_own_call *c, int which, bool draws);
/* Its arguments: a state x[dim][lanes], draw; params and target, the last. */
void cs_own_push_state(lua_State *L, const cs_own_call *c, const double *x);
void cs_own_push_draw(lua_State *L, const cs_own_call *c);
void cs_own_push_rest(lua_State *L, const cs_own_call *c);
/* Pops the state on top into y of the lane; raises errors that name it. */
void cs_own_read_proposal(lua_State *L, cs_own_call *c);
/* Pops the number on top. */
double cs_own_read_number(lua_State *L, const cs_own_call *c, const char *what);
