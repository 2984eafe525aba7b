/* Algorithm 1 of Yuan and Wang, "Markov chain Monte Carlo without evaluating
 * the target: an auxiliary variable approach" (2026), with functions of a
 * script. A step from state x:
 *
 *   w1 = omega1(x)               ~ P_x
 *   y  = propose(x, w1)          ~ q_w1(x, .)
 *   w2 = omega2(x, y, w1)        ~ P_x,y( . | w1)
 *   log r = log_ratio(x, y, w1, w2)
 *         = log [pi(y) P_y,x(w1, w2)] - log [pi(x) P_x,y(w1, w2)]
 *           + log q_w1(y, x) - log q_w1(x, y)
 *   x <- y with probability a(r)
 *
 * Without omega1, w1 is nil; without omega2, w2 is w1 (case 2 of the paper). If
 * log_q(from, to, w1) is given, it computes the last two terms of log r, and
 * log_ratio omits them. The step record separates the exact part of log pi
 * (cs_eval_prior): log_aux is log_ratio minus the change of this part.
 *
 * A kernel with `map` has a deterministic map in place of propose and omega2:
 * (y, w2) = map(x, w1), where w1 and w2 are lists of n numbers. This is Hybrid
 * Monte Carlo (Duane, Kennedy, Pendleton and Roweth 1987) with any map that
 * preserves volumes and that, run again from (y, -w2), returns to (x, -w1).
 * Then log r = log [pi(y) P_y(w2)] - log [pi(x) P_x(w1)], where the density P
 * does not change with the sign. The law `returns` (check/returns.c) tests the
 * map.
 *
 * a(r) is min(1, r) (Metropolis), r / (1 + r) (Barker, "Monte Carlo
 * calculations of the radial distribution functions for a proton-electron
 * plasma", 1965), or any function with a(r) = r a(1 / r) (the paper,
 * Proposition 2). The record contains a threshold t; y is accepted if
 * t < log r. t is log u for Metropolis's rule, log [u / (1 - u)] for Barker's,
 * and log r + log u - log a(r) for any other rule. */
#include "kernel/rule.h"
#include "kernels/auxiliary/row_draws.h"
#include "script/bind/luaopen.h"
#include "script/bind/own_kernel.h"
#include "script/state/value.h"

#include <lauxlib.h>
#include <math.h>

/* ---- the calls of one step ----------------------------------------------- */

enum { OMEGA1 = 2, OMEGA2 }; /* stack indices of the auxiliary variables */

/* Records whether the function of an auxiliary variable used random numbers.
 * `before` is the number of random numbers drawn before the call of that
 * function. */
static void note_drawn(const cs_own_call *c, size_t before)
{
    cs_own_kernel *self = c->m->self;
    self->has_drawn |= cs_own_draws_used(&c->draws) > before;
}

static void sample_omega1(lua_State *L, cs_own_call *c)
{
    if (!cs_own_has(c->self, CS_OWN_OMEGA1)) {
        lua_pushnil(L);
        return;
    }
    cs_own_begin(L, c, CS_OWN_OMEGA1, true);
    cs_own_push_state(L, c, c->m->x);
    cs_own_push_draw(L, c);
    cs_own_push_rest(L, c);
    lua_call(L, 4, 1);
    note_drawn(c, 0);
}

static void propose(lua_State *L, cs_own_call *c)
{
    cs_own_begin(L, c, CS_OWN_PROPOSE, true);
    cs_own_push_state(L, c, c->m->x);
    lua_pushvalue(L, OMEGA1);
    cs_own_push_draw(L, c);
    cs_own_push_rest(L, c);
    lua_call(L, 5, 1);
    cs_own_read_proposal(L, c);
}

/* ---- the deterministic map ----------------------------------------------- */

/* Returns number i of the list on top of the stack; errors name the function
 * `which`. */
static double read_number(lua_State *L, const cs_own_call *c, int which,
                          size_t i)
{
    int ref = c->self->function[which];
    const char *what = which == CS_OWN_MAP ? "a number of the second value of "
                                             "map"
                                           : "a number of omega1";
    lua_geti(L, -1, (lua_Integer)i + 1);
    double x = cs_callback_number(L, ref, what);
    lua_pop(L, 1);
    if (which == CS_OWN_OMEGA1 && !isfinite(x))
        cs_callback_blame(L, ref, "%s is not finite", what);
    return x;
}

/* Returns the length of the list on top of the stack, the value of omega1. */
static size_t count_numbers(lua_State *L, const cs_own_call *c)
{
    size_t n = lua_istable(L, -1) ? lua_rawlen(L, -1) : 0;
    if (n == 0)
        cs_callback_blame(L, c->self->function[CS_OWN_OMEGA1],
                          "the value of omega1 is a %s: a kernel with a map "
                          "needs a list of numbers",
                          lua_istable(L, -1) ? "table without numbers"
                                             : luaL_typename(L, -1));
    return n;
}

/* Fails unless the value on top of the stack, the second value of map, is a
 * list of n numbers. They need not be finite: a trajectory that has left the
 * support may have no gradient at its end, and is then rejected. */
static void check_second(lua_State *L, const cs_own_call *c, size_t n)
{
    int ref = c->self->function[CS_OWN_MAP];
    if (!lua_istable(L, -1))
        cs_callback_blame(L, ref,
                          "the second value of map is a %s: return y, and the "
                          "variable at the end",
                          luaL_typename(L, -1));
    if (lua_rawlen(L, -1) != n)
        cs_callback_blame(L, ref,
                          "the second value of map has %d numbers, and omega1 "
                          "has %d",
                          (int)lua_rawlen(L, -1), (int)n);
    for (size_t i = 0; i < n; i++)
        (void)read_number(L, c, CS_OWN_MAP, i);
}

/* Calls map(x, v), with x and the list v[n] on top of the stack, in this order.
 * Leaves the second value and then the first value on the stack. */
static void call_map(lua_State *L, cs_own_call *c, size_t n)
{
    cs_own_begin(L, c, CS_OWN_MAP, false);
    lua_insert(L, -3);
    cs_own_push_rest(L, c);
    lua_call(L, 4, 2);
    check_second(L, c, n);
    lua_insert(L, -2);
}

/* Replaces propose and omega2. The map gets a copy of omega1, because
 * leapfrogs are usually written to change the momentum in place. */
static void propose_by_map(lua_State *L, cs_own_call *c)
{
    size_t n = count_numbers(L, c);
    cs_own_push_state(L, c, c->m->x);
    lua_createtable(L, (int)n, 0);
    for (size_t i = 0; i < n; i++) {
        lua_pushvalue(L, OMEGA1);
        lua_pushnumber(L, read_number(L, c, CS_OWN_OMEGA1, i));
        lua_rawseti(L, -3, (lua_Integer)i + 1);
        lua_pop(L, 1);
    }
    call_map(L, c, n);
    cs_own_read_proposal(L, c);
}

/* A call of the map for the law `returns`. */
typedef struct map_call {
    cs_own_call call;
    const double *z; /* [dim + n] */
    double *to;      /* [n] the draw, or [dim + n] the values of the map */
    size_t n;        /* the capacity for draws, then the number drawn */
} map_call;

static int draw_variable(lua_State *L)
{
    map_call *k = lua_touserdata(L, 1);
    sample_omega1(L, &k->call);
    size_t n = count_numbers(L, &k->call);
    for (size_t i = 0; n <= k->n && i < n; i++)
        k->to[i] = read_number(L, &k->call, CS_OWN_OMEGA1, i);
    k->n = n <= k->n ? n : 0;
    return 0;
}

static int apply_map(lua_State *L)
{
    map_call *k = lua_touserdata(L, 1);
    const cs_move *m = k->call.m;
    lua_createtable(L, (int)m->dim, 0);
    for (size_t i = 0; i < m->dim; i++) {
        cs_script_push_coordinate(L, k->z[i], cs_space_is_whole(m->space, i));
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    cs_script_push_numbers(L, k->z + m->dim, k->n);
    call_map(L, &k->call, k->n);
    for (size_t i = 0; i < m->dim; i++)
        k->to[i] = cs_own_read_coordinate(L, &k->call, i);
    lua_pop(L, 1);
    for (size_t i = 0; i < k->n; i++)
        k->to[m->dim + i] = read_number(L, &k->call, CS_OWN_MAP, i);
    return 0;
}

static double *room_of(const cs_move *m)
{
    return m->scratch + m->dim * m->lanes;
}

static size_t map_draw(cs_move *m, size_t lane, double *v, size_t capacity)
{
    map_call k = {.call = {.m = m, .self = m->self, .lane = lane},
                  .to = v,
                  .n = capacity};
    return cs_own_run(&k.call, draw_variable, room_of(m)) ? k.n : 0;
}

static bool map_apply(cs_move *m, size_t lane, const double *z, size_t n,
                      double *to)
{
    map_call k = {.call = {.m = m, .self = m->self, .lane = lane},
                  .z = z,
                  .to = to,
                  .n = n};
    bool good = cs_own_run(&k.call, apply_map, room_of(m));
    for (size_t i = 0; good && i < m->dim + n; i++)
        good = isfinite(to[i]);
    return good;
}

static const cs_map_type map_type = {.draw = map_draw, .apply = map_apply};

/* ---- the other functions ------------------------------------------------- */

static void sample_omega2(lua_State *L, cs_own_call *c)
{
    if (!cs_own_has(c->self, CS_OWN_OMEGA2)) {
        lua_pushvalue(L, OMEGA1);
        return;
    }
    size_t before = cs_own_draws_used(&c->draws);
    cs_own_begin(L, c, CS_OWN_OMEGA2, true);
    cs_own_push_state(L, c, c->m->x);
    cs_own_push_state(L, c, c->y);
    lua_pushvalue(L, OMEGA1);
    cs_own_push_draw(L, c);
    cs_own_push_rest(L, c);
    lua_call(L, 6, 1);
    note_drawn(c, before);
}

static double log_ratio(lua_State *L, cs_own_call *c)
{
    cs_own_begin(L, c, CS_OWN_LOG_RATIO, false);
    cs_own_push_state(L, c, c->m->x);
    cs_own_push_state(L, c, c->y);
    lua_pushvalue(L, OMEGA1);
    lua_pushvalue(L, OMEGA2);
    cs_own_push_rest(L, c);
    lua_call(L, 6, 1);
    return cs_own_read_number(L, c, "the value of log_ratio");
}

static double log_q_of(lua_State *L, cs_own_call *c, const double *from,
                       const double *to)
{
    cs_own_begin(L, c, CS_OWN_LOG_Q, false);
    cs_own_push_state(L, c, from);
    cs_own_push_state(L, c, to);
    lua_pushvalue(L, OMEGA1);
    cs_own_push_rest(L, c);
    lua_call(L, 5, 1);
    return cs_own_read_number(L, c, "the value of log_q");
}

/* Returns the log prior of the proposal; -HUGE_VAL if the proposal is outside
 * the space. */
static double prior_of(lua_State *L, cs_own_call *c)
{
    const cs_move *m = c->m;
    if (!cs_space_contains(m->space, c->y + c->lane, m->lanes))
        return -HUGE_VAL;
    double logp = cs_asked_prior(&c->asked, c->y + c->lane, m->lanes);
    if (cs_is_broken(logp))
        luaL_error(L, "the log prior raised an error");
    return logp;
}

/* Calls the functions of one step. A proposal with a non-finite prior is
 * rejected without an estimate. */
static int call_all(lua_State *L)
{
    cs_own_call *c = lua_touserdata(L, 1);
    cs_info *i = &c->m->info;
    size_t l = c->lane;
    bool mapped = cs_own_has(c->self, CS_OWN_MAP);
    sample_omega1(L, c);
    if (mapped)
        propose_by_map(L, c);
    else
        propose(L, c);
    i->logp_proposal[l] = prior_of(L, c);
    double change = i->logp_proposal[l] - i->logp[l];
    if (!(fabs(change) < HUGE_VAL))
        return 0;
    if (!mapped)
        sample_omega2(L, c);
    i->log_aux[l] = log_ratio(L, c) - change;
    if (!cs_own_has(c->self, CS_OWN_LOG_Q))
        return 0;
    i->log_q_forward[l] = log_q_of(L, c, c->m->x, c->y);
    i->log_q_back[l] = log_q_of(L, c, c->y, c->m->x);
    return 0;
}

/* ---- acceptance ---------------------------------------------------------- */

/* Largest absolute log ratio for which a rule is evaluated. For larger values,
 * the smaller one of the probabilities a(r) and a(1/r) is below any uniform
 * random number. */
enum { MOST_LOG_RATIO = 700 };

static int call_rule(lua_State *L)
{
    cs_own_call *c = lua_touserdata(L, 1);
    int ref = c->self->function[CS_OWN_ACCEPT];
    cs_own_begin(L, c, CS_OWN_ACCEPT, false);
    lua_pushnumber(L, exp(fmin(c->number, MOST_LOG_RATIO)));
    lua_call(L, 1, 1);
    double a = cs_own_read_number(L, c, "the value of accept");
    if (!(a >= 0 && a <= 1))
        cs_callback_blame(L, ref,
                          "the value of accept is %g, not a probability", a);
    c->number = a;
    return 0;
}

/* Returns the threshold that log r exceeds with probability a(r). */
static double threshold(cs_move *m, size_t l, double ratio)
{
    const cs_own_kernel *self = m->self;
    double log_u = m->info.log_uniform[l];
    if (self->barker)
        return log_u - log(-expm1(log_u));
    if (isnan(ratio) || ratio < -MOST_LOG_RATIO)
        return HUGE_VAL;
    cs_own_call c = {.m = m, .self = self, .lane = l, .number = ratio};
    if (!cs_own_run_or_fail(&c, call_rule, room_of(m)))
        return HUGE_VAL;
    double log_a = log(c.number);
    if (!isfinite(ratio) || !isfinite(log_a))
        return log_u < log_a ? log_u : HUGE_VAL;
    return ratio + (log_u - log_a);
}

static void decide(cs_move *m)
{
    const cs_own_kernel *self = m->self;
    const cs_info *i = &m->info;
    cs_draw_log_uniform(m);
    for (size_t l = 0; l < m->live; l++)
        if (!m->failed[l] && (self->type.flags & CS_KERNEL_OWN_RULE)) {
            double ratio = (i->logp_proposal[l] - i->logp[l]) +
                           i->log_q_back[l] - i->log_q_forward[l] +
                           i->log_aux[l];
            i->log_uniform[l] = threshold(m, l, ratio);
        }
    cs_accept_below(m);
}

/* ---- the step ------------------------------------------------------------ */

static void stay(const cs_move *m, size_t l, double *y)
{
    for (size_t at = l; at < m->dim * m->lanes; at += m->lanes)
        y[at] = m->x[at];
    m->info.logp_proposal[l] = m->info.logp[l];
    m->info.log_aux[l] = 0;
    m->info.log_q_forward[l] = m->info.log_q_back[l] = 0;
}

static void step(cs_move *m)
{
    double *y = m->scratch;
    m->info.proposal = y;
    for (size_t l = 0; l < m->lanes; l++) {
        cs_own_call c = {.m = m, .self = m->self, .lane = l, .y = y};
        stay(m, l, y);
        if (l < m->live && !m->failed[l] &&
            !cs_own_run_or_fail(&c, call_all, room_of(m)))
            stay(m, l, y);
    }
    decide(m);
}

static void init(cs_move *m)
{
    cs_eval_prior(m->eval, m->x, m->info.logp, NULL);
}

static int call_log_q(lua_State *L)
{
    cs_own_call *c = lua_touserdata(L, 1);
    lua_pushnil(L);
    c->number = log_q_of(L, c, c->from, c->to);
    return 0;
}

/* Computes log q(from, to) for each lane. The result is NAN if log q depends on
 * omega1, because omega1 is not part of a state. */
static void log_q(cs_move *m, const double *from, const double *to, double *out)
{
    const cs_own_kernel *self = m->self;
    for (size_t l = 0; l < m->lanes; l++) {
        cs_own_call c = {.m = m,
                         .self = self,
                         .lane = l < m->live ? l : 0,
                         .from = from,
                         .to = to};
        out[l] = cs_own_has(self, CS_OWN_OMEGA1) ? (double)NAN : 0;
        if (out[l] == 0 && cs_own_has(self, CS_OWN_LOG_Q))
            out[l] =
                cs_own_run(&c, call_log_q, room_of(m)) ? c.number : (double)NAN;
    }
}

/* ---- the table ----------------------------------------------------------- */

static size_t scratch_words(const cs_target *t, const double *values)
{
    (void)values;
    return t->space.dim + cs_asked_words(t);
}

static const cs_kernel_type auxiliary_kernel = {
    .name = "auxiliary",
    .title = "Auxiliary variables, written in Lua",
    .ref = "Yuan and Wang 2026, Algorithm 1",
    .help = "A kernel with two auxiliary variables, defined by functions. "
            "omega1 draws the first auxiliary variable, propose draws the "
            "proposal, and omega2 draws the second auxiliary variable. "
            "log_ratio returns the log of the acceptance ratio.",
    .spaces = CS_DISCRETE | CS_CONTINUOUS,
    .flags = CS_KERNEL_EXACT | CS_KERNEL_REVERSIBLE | CS_KERNEL_ACCEPTS |
             CS_KERNEL_ESTIMATES | CS_KERNEL_PARTS | CS_KERNEL_SIMULATES |
             CS_KERNEL_MAIN_THREAD | CS_KERNEL_HIDDEN,
    .scratch_words = scratch_words,
    .logp = cs_row_draws_logp,
    .init = init,
    .step = step,
    .log_q = log_q,
};

/* Returns a(r), computed by the function on top of the stack. Leaves the
 * function on the stack. */
static double rule_at(lua_State *L, double r)
{
    lua_pushvalue(L, -1);
    lua_pushnumber(L, r);
    lua_call(L, 1, 1);
    if (lua_type(L, -1) != LUA_TNUMBER)
        cs_script_fail(L, "accept: a(%g) is a %s, not a number", r,
                       luaL_typename(L, -1));
    double a = lua_tonumber(L, -1);
    lua_pop(L, 1);
    if (!(a >= 0 && a <= 1))
        cs_script_fail(L, "accept: a(%g) = %g is not a probability", r, a);
    return a;
}

/* Raises an error unless a(r) = r a(1 / r) at several test values of r. */
static void check_rule(lua_State *L)
{
    static const double at[] = {1.001, 1.25, 1.5, 2, 3.7, 8, 25, 1e3, 1e6};
    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
        double r = at[i], a = rule_at(L, r), b = r * rule_at(L, 1 / r);
        if (!(fabs(a - b) <= 1e-9 * fmax(a, b)))
            cs_script_fail(L,
                           "accept: a(%g) = %.9g, and %g a(1 / %g) = %.9g: "
                           "the target is invariant only if a(r) = "
                           "r a(1 / r)",
                           r, a, r, r, b);
    }
}

/* Creates the kernel. Lua arguments: the table of fields. */
static int kernel_auxiliary(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    if (lua_getfield(L, 1, "accept") == LUA_TFUNCTION)
        check_rule(L);
    cs_own_kernel *self = cs_own_kernel_push(L, &auxiliary_kernel);
    if (self->barker || cs_own_has(self, CS_OWN_ACCEPT))
        self->type.flags |= CS_KERNEL_OWN_RULE;
    if (cs_own_has(self, CS_OWN_MAP))
        self->type.map = &map_type;
    return 1;
}

void cs_script_open_auxiliary_kernel(lua_State *L)
{
    static const luaL_Reg functions[] = {{"kernel_auxiliary", kernel_auxiliary},
                                         {NULL, NULL}};
    luaL_setfuncs(L, functions, 0);
}
