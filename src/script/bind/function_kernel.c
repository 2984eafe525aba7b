/* A kernel whose proposal is a Lua function. y = propose(x, draw, params) is
 * accepted with probability min(1, pi(y) q(x | y) / (pi(x) q(y | x)))
 * (Hastings, Monte Carlo sampling methods using Markov chains, Biometrika 1970,
 * section 2.2). log q(to | from) = log_q(from, to, params); without log_q the
 * proposal is assumed to be symmetric. The last argument of both functions is
 * `target`, which evaluates gradients and other parts of log p; these
 * evaluations are counted as work. */
#include "kernel/accept.h"
#include "script/bind/luaopen.h"
#include "script/bind/own_kernel.h"

#include <lauxlib.h>
#include <math.h>
#include <string.h>

static int call_propose(lua_State *L)
{
    cs_own_call *c = lua_touserdata(L, 1);
    cs_own_begin(L, c, CS_OWN_PROPOSE, true);
    cs_own_push_state(L, c, c->m->x);
    cs_own_push_draw(L, c);
    cs_own_push_rest(L, c);
    lua_call(L, 4, 1);
    cs_own_read_proposal(L, c);
    return 0;
}

static int call_log_q(lua_State *L)
{
    cs_own_call *c = lua_touserdata(L, 1);
    cs_own_begin(L, c, CS_OWN_LOG_Q, false);
    cs_own_push_state(L, c, c->from);
    cs_own_push_state(L, c, c->to);
    cs_own_push_rest(L, c);
    lua_call(L, 4, 1);
    c->number = cs_own_read_number(L, c, "the value of log_q");
    return 0;
}

static double *room_of(const cs_move *m)
{
    return m->scratch + m->dim * m->lanes;
}

/* Returns log q. If the function log_q raises an error, returns NAN and sets
 * *broken. */
static double log_q_of(cs_move *m, size_t lane, const double *from,
                       const double *to, bool *broken)
{
    cs_own_call c = {
        .m = m, .self = m->self, .lane = lane, .from = from, .to = to};
    if (!cs_own_has(c.self, CS_OWN_LOG_Q))
        return 0;
    if (cs_own_run(&c, call_log_q, room_of(m)))
        return c.number;
    *broken = true;
    return NAN;
}

static size_t scratch_words(const cs_target *t, const double *values)
{
    (void)values;
    return t->space.dim + cs_asked_words(t);
}

static void propose(cs_move *m, double *y)
{
    memcpy(y, m->x, m->dim * m->lanes * sizeof *y);
    for (size_t l = 0; l < m->live; l++) {
        cs_own_call c = {.m = m, .self = m->self, .lane = l, .y = y};
        if (!m->failed[l])
            cs_own_run_or_fail(&c, call_propose, room_of(m));
    }
}

static void step(cs_move *m)
{
    double *y = m->scratch;
    cs_info *i = &m->info;
    propose(m, y);
    for (size_t l = 0; l < m->lanes; l++) {
        bool ask = l < m->live && !m->failed[l];
        i->log_q_forward[l] = ask ? log_q_of(m, l, m->x, y, &m->failed[l]) : 0;
        i->log_q_back[l] = ask ? log_q_of(m, l, y, m->x, &m->failed[l]) : 0;
        if (ask && m->failed[l])
            m->why[l].code = 1 + CS_OWN_LOG_Q;
    }
    i->proposal = y;
    for (size_t l = 0; l < m->lanes; l++) /* chains without a proposal keep
                                           * their states */
        for (size_t d = 0; d < m->dim && m->failed[l]; d++)
            y[d * m->lanes + l] = m->x[d * m->lanes + l];
    cs_eval_log_density(m->eval, CS_NEXT, y, i->logp_proposal);
    for (size_t l = 0; l < m->lanes; l++) /* proposals outside the space of
                                           * states are rejected */
        if (!cs_space_contains(m->space, y + l, m->lanes))
            i->logp_proposal[l] = -HUGE_VAL;
    cs_accept(m);
}

static void log_q(cs_move *m, const double *from, const double *to, double *out)
{
    bool broken = false;
    for (size_t l = 0; l < m->lanes; l++)
        out[l] = log_q_of(m, l < m->live ? l : 0, from, to, &broken);
}

static const cs_kernel_type function_kernel = {
    .name = "function",
    .title = "A proposal written in Lua",
    .ref = "Hastings 1970, section 2.2",
    .help = "propose(x, draw, params, target) returns the proposed state; "
            "log_q(from, to, params, target) returns the log density of a "
            "proposal. Without log_q the proposal is assumed to be symmetric.",
    .spaces = CS_DISCRETE | CS_CONTINUOUS,
    .flags = CS_KERNEL_EXACT | CS_KERNEL_REVERSIBLE | CS_KERNEL_ACCEPTS |
             CS_KERNEL_MAIN_THREAD | CS_KERNEL_HIDDEN,
    .scratch_words = scratch_words,
    .step = step,
    .log_q = log_q,
};

static int kernel_lua(lua_State *L)
{
    cs_own_kernel *self = cs_own_kernel_push(L, &function_kernel);
    if (!cs_own_has(self, CS_OWN_LOG_Q))
        self->type.flags |= CS_KERNEL_SYMMETRIC;
    return 1;
}

void cs_script_open_function_kernel(lua_State *L)
{
    static const luaL_Reg functions[] = {{"kernel_lua", kernel_lua},
                                         {NULL, NULL}};
    luaL_setfuncs(L, functions, 0);
}
