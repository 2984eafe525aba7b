/* A model whose likelihood has an unknown factor Z. A script gives its
 * functions:
 *
 *     p(y | theta) = exp(log_factor(theta, y)) / Z(theta),
 *     log p(theta) = prior(theta) + log_factor(theta, data) - log_z(theta),
 *
 * up to a constant. Without log_z, log p is not known. simulate(theta, draw)
 * returns an exact draw of y. sweep(theta, y, draw) moves y by a reversible
 * step that leaves p(. | theta) invariant. Both are called for one chain at a
 * time on the session's thread. A simulated data set counts as n_data updates,
 * and so does a sweep. */
#include "base/memory.h"
#include "script/bind/draws.h"
#include "script/bind/lua_target.h"
#include "script/bind/luaopen.h"
#include "script/state/callback.h"
#include "script/state/digest.h"
#include "script/state/value.h"
#include "target/eval.h"

#include <lauxlib.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PRIOR, LOG_FACTOR, LOG_Z, SIMULATE, SWEEP, FUNCTIONS };
static const char *const names[] = {"prior", "log_factor", "log_z", "simulate",
                                    "sweep"};

typedef struct lua_factor {
    cs_callback *link;
    int function[FUNCTIONS]; /* references to the functions; LUA_NOREF: not
                              * given */
    cs_own_draws **draw;     /* `draw` argument of simulate and sweep */
    int draw_ref;
    bool whole;       /* true if the data are integers */
    double *observed; /* [own] [n_data] */
} lua_factor;

/* A request to evaluate functions of the script, for one lane or for all
 * lanes. */
typedef struct task {
    const cs_target *t;
    const lua_factor *self;
    const cs_point *at;
    size_t lane;
    const double *data; /* [n_data][stride]; NULL: the observed data */
    const cs_simulation *s;
    cs_own_draws *draws;
    bool prior, log_z; /* the terms to add to log p */
    double sum;
} task;

/* ---- calls --------------------------------------------------------------- */

static bool has(const lua_factor *self, int which)
{
    return self->function[which] != LUA_NOREF;
}

/* Pushes function number `which` and the argument theta. */
static void begin(lua_State *L, const task *k, int which)
{
    size_t dim = k->t->space.dim, lanes = k->at->lanes;
    lua_rawgeti(L, LUA_REGISTRYINDEX, k->self->function[which]);
    lua_createtable(L, (int)dim, 0);
    for (size_t d = 0; d < dim; d++) {
        cs_script_push_coordinate(L, k->at->x[d * lanes + k->lane],
                                  cs_space_is_whole(&k->t->space, d));
        lua_rawseti(L, -2, (lua_Integer)d + 1);
    }
}

static void push_data(lua_State *L, const task *k)
{
    size_t n = k->t->n_data, lanes = k->at->lanes;
    lua_createtable(L, (int)n, 0);
    for (size_t i = 0; i < n; i++) {
        cs_script_push_coordinate(
            L, k->data ? k->data[i * lanes + k->lane] : k->self->observed[i],
            k->self->whole);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
}

/* Returns the result of function number `which`. The result must be less than
 * infinity. */
static double number(lua_State *L, const task *k, int which)
{
    char what[40];
    snprintf(what, sizeof what, "the value of %s", names[which]);
    double x = cs_callback_number(L, k->self->function[which], what);
    if (x == HUGE_VAL)
        cs_callback_blame(L, k->self->function[which], "%s is infinite", what);
    lua_pop(L, 1);
    return x;
}

static int call_sum(lua_State *L)
{
    task *k = lua_touserdata(L, 1);
    k->sum = 0;
    if (k->prior && has(k->self, PRIOR)) {
        begin(L, k, PRIOR);
        lua_call(L, 1, 1);
        k->sum += number(L, k, PRIOR);
        if (!(k->sum > -HUGE_VAL)) /* outside the support, so no further terms
                                    * are needed */
            return 0;
    }
    begin(L, k, LOG_FACTOR);
    push_data(L, k);
    lua_call(L, 2, 1);
    k->sum += number(L, k, LOG_FACTOR);
    if (!k->log_z)
        return 0;
    begin(L, k, LOG_Z);
    lua_call(L, 1, 1);
    k->sum -= number(L, k, LOG_Z);
    return 0;
}

/* Evaluates the functions for all requested lanes and stores the sums in
 * out[lanes]. */
static void add_up(task *k, double *out)
{
    const uint64_t broken = CS_BROKEN_DENSITY;
    const cs_point *at = k->at;
    for (k->lane = 0; k->lane < at->live; k->lane++) {
        out[k->lane] = NAN;
        if (at->failed && at->failed[k->lane])
            continue;
        if (cs_callback_call(k->self->link, call_sum, k))
            out[k->lane] = k->sum;
        else
            memcpy(&out[k->lane], &broken, sizeof broken);
    }
    for (size_t l = at->live; l < at->lanes; l++)
        out[l] = out[0];
}

static task task_of(const cs_target *t, const cs_point *at)
{
    return (task){.t = t, .self = t->self, .at = at};
}

static void log_density(const cs_target *t, const cs_point *at, double *logp)
{
    task k = task_of(t, at);
    k.prior = k.log_z = true;
    if (has(k.self, LOG_Z))
        add_up(&k, logp);
    else
        for (size_t l = 0; l < at->lanes; l++)
            logp[l] = NAN;
}

static void prior(const cs_target *t, const cs_point *at, double *logp,
                  double *g)
{
    (void)g; /* the gradient of the log factor is not known */
    task k = task_of(t, at);
    k.prior = true;
    add_up(&k, logp);
}

static void log_factor(const cs_target *t, const cs_point *at,
                       const double *data, double *log_f)
{
    task k = task_of(t, at);
    k.data = data;
    add_up(&k, log_f);
}

/* ---- simulations --------------------------------------------------------- */

/* Reads the data set on top of the stack into the current lane. */
static void read_data(lua_State *L, const task *k, int which)
{
    int ref = k->self->function[which];
    if (!lua_istable(L, -1))
        cs_callback_blame(L, ref, "the value of %s is a %s, not a list",
                          names[which], luaL_typename(L, -1));
    for (size_t i = 0; i < k->t->n_data; i++) {
        char what[40];
        snprintf(what, sizeof what, "number %zu of %s", i + 1, names[which]);
        lua_geti(L, -1, (lua_Integer)i + 1);
        double x = cs_callback_number(L, ref, what);
        if (!isfinite(x))
            cs_callback_blame(L, ref, "%s is not finite", what);
        k->s->data[i * k->at->lanes + k->lane] = x;
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
}

static int call_simulate(lua_State *L)
{
    task *k = lua_touserdata(L, 1);
    begin(L, k, SIMULATE);
    lua_rawgeti(L, LUA_REGISTRYINDEX, k->self->draw_ref);
    lua_call(L, 2, 1);
    read_data(L, k, SIMULATE);
    return 0;
}

static int call_sweeps(lua_State *L)
{
    task *k = lua_touserdata(L, 1);
    k->data = k->s->data;
    for (size_t i = 0; i < k->s->sweeps; i++) {
        begin(L, k, SWEEP);
        push_data(L, k);
        lua_rawgeti(L, LUA_REGISTRYINDEX, k->self->draw_ref);
        lua_call(L, 3, 1);
        read_data(L, k, SWEEP);
    }
    return 0;
}

/* Runs f for each requested lane. Each lane has its own random numbers. Calls
 * may nest: a kernel of the script may simulate in the middle of a step. */
static void make_data(task *k, lua_CFunction f, size_t times)
{
    const cs_simulation *s = k->s;
    const lua_factor *self = k->self;
    for (k->lane = 0; k->lane < k->at->live; k->lane++) {
        size_t l = k->lane;
        if (k->at->failed && k->at->failed[l])
            continue;
        cs_own_draws draws;
        cs_own_draws_open_simulation(&draws, s->streams, l, s->first);
        cs_own_draws *outer = self->link->L ? *self->draw : NULL;
        if (self->link->L)
            *self->draw = &draws;
        bool good = cs_callback_call(self->link, f, k);
        if (self->link->L)
            *self->draw = outer;
        s->updates[l] = good ? (double)(times * k->t->n_data) : 0;
        s->past[l] = 0;
        s->left[l] = good ? 0 : NAN;
    }
}

static void simulate(const cs_target *t, const cs_point *at,
                     const cs_simulation *s)
{
    task k = task_of(t, at);
    k.s = s;
    make_data(&k, call_simulate, 1);
}

static void sweep(const cs_target *t, const cs_point *at,
                  const cs_simulation *s)
{
    task k = task_of(t, at);
    k.s = s;
    make_data(&k, call_sweeps, s->sweeps);
}

/* ---- the target ---------------------------------------------------------- */

static void allow(const cs_target *t, double seconds)
{
    cs_callback_allow(((const lua_factor *)t->self)->link, seconds);
}

static cs_status create(cs_target *t, const cs_value *values, cs_error *err)
{
    (void)values;
    t->space = (cs_space){.kind = CS_CONTINUOUS, .dim = 1};
    t->exact.log_z = NAN;
    t->self = cs_alloc(1, sizeof(lua_factor));
    return t->self ? CS_OK
                   : cs_fail(err, CS_MEMORY, "out of memory for a target");
}

static void destroy(cs_target *t)
{
    lua_factor *self = t->self;
    for (int i = 0; self->link && i < FUNCTIONS; i++)
        cs_callback_unref(self->link, self->function[i]);
    if (self->link) {
        cs_callback_unref(self->link, self->draw_ref);
        cs_callback_release(self->link);
    }
    cs_free(self->observed);
    cs_free(self);
}

#define FACTOR_TYPE                                                            \
    .name = "model", .title = "A model with an unknown factor, in Lua",        \
    .ref = "",                                                                 \
    .help = "The functions of the script are called for one "                  \
            "chain at a time.",                                                \
    .flags = CS_TARGET_MAIN_THREAD | CS_TARGET_HIDDEN, .create = create,       \
    .destroy = destroy, .log_density = log_density, .prior = prior,            \
    .factor.log_factor = log_factor, .factor.simulate = simulate,              \
    .outside.allow = allow

static const cs_target_type plain = {FACTOR_TYPE},
                            sweeps = {FACTOR_TYPE, .factor.sweep = sweep};

/* Reads the list `data` of the table at stack index 1. */
static void read_observed(lua_State *L, cs_target *t)
{
    lua_factor *self = t->self;
    size_t rows, n;
    lua_getfield(L, 1, "data");
    int list = lua_gettop(L);
    const double *x = cs_script_numbers(L, list, "data", &rows, &n);
    n *= rows;
    self->observed = cs_alloc(n, sizeof *x);
    if (!self->observed || n == 0)
        cs_script_fail(L, n ? "out of memory for the data"
                            : "'data' has no numbers");
    memcpy(self->observed, x, n * sizeof *x);
    self->whole = true;
    for (size_t i = 0; i < n; i++) {
        lua_geti(L, list, (lua_Integer)i + 1);
        self->whole &= lua_isinteger(L, -1);
        lua_pop(L, 1);
    }
    t->data = self->observed;
    t->n_data = n;
    cs_script_parts(L, list, "data", &t->parts);
    lua_settop(L, list - 1);
}

static void read_function(lua_State *L, cs_target *t, int which)
{
    lua_factor *self = t->self;
    lua_getfield(L, 1, names[which]);
    cs_script_parts_of_chains(L, -1, names[which], &t->parts);
    if (lua_isnil(L, -1))
        lua_pop(L, 1);
    else
        self->function[which] = luaL_ref(L, LUA_REGISTRYINDEX);
}

/* Creates the target. Lua arguments: the table of fields. */
static int target_factor(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    cs_space space;
    cs_script_read_space(L, 1, &space);
    cs_callback *link = cs_callback_of(L);
    bool moves = lua_getfield(L, 1, "sweep") == LUA_TFUNCTION;
    cs_target *t;
    cs_error err = {0};
    if (cs_target_create(moves ? &sweeps : &plain, NULL, 0, &t, &err))
        return cs_script_raise(L, &err);
    cs_script_push_target(L, t);
    lua_factor *self = t->self;
    for (int i = 0; i < FUNCTIONS; i++)
        self->function[i] = LUA_NOREF;
    self->draw_ref = LUA_NOREF;
    self->link = cs_callback_hold(link);
    t->space = space;
    for (int i = 0; i < FUNCTIONS; i++)
        read_function(L, t, i);
    if (!has(self, LOG_Z))
        t->flags |= CS_TARGET_UNNORMALISED;
    read_observed(L, t);
    self->draw = cs_own_draws_push(L);
    self->draw_ref = luaL_ref(L, LUA_REGISTRYINDEX);
    cs_script_read_description(L, 1, t);
    return 1;
}

void cs_script_open_factor_target(lua_State *L)
{
    static const luaL_Reg functions[] = {{"target_factor", target_factor},
                                         {NULL, NULL}};
    luaL_setfuncs(L, functions, 0);
}
