/* A kernel whose proposal is a Lua function: y = propose(x, draw, params),
 * accepted with probability min(1, pi(y) q(x | y) / (pi(x) q(y | x)))
 * (Hastings, Monte Carlo sampling methods using Markov chains, Biometrika
 * 1970, section 2.2), log q(to | from) = log_q(from, to, params); without
 * log_q the proposal is taken to be symmetric. */
#include "base/memory.h"
#include "kernel/accept.h"
#include "script/bind/lua_kernel.h"
#include "script/bind/open.h"
#include "script/state/callback.h"
#include "script/state/digest.h"
#include "script/state/value.h"

#include <ctype.h>
#include <lauxlib.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct lua_kernel {
    cs_callback *link;
    int propose, log_q; /* LUA_NOREF: symmetric */
    cs_kernel_type type;
    cs_param rows[CS_KERNEL_PARAMS];
    char names[CS_KERNEL_PARAMS][32];
    cs_page parts; /* [own] */
} lua_kernel;

/* Which function gave a chain up: the code of its reason. */
enum { PROPOSE = 1, LOG_Q };

/* Random numbers of one step of one chain, as Lua sees them. */
typedef struct draws {
    const double *uniform, *normal; /* [most][lanes], NULL: over */
    size_t lanes, most, n_uniform, n_normal;
} draws;

static const char draw_meta[] = "chainscope.draw";

typedef struct task {
    const cs_move *m;
    const lua_kernel *self;
    size_t lane;
    double *y;
    draws given;
    const double *from, *to;
    double log_q;
} task;

static size_t most_draws(size_t dim)
{
    return 2 * dim + 16;
}

static double next_draw(lua_State *L, const double *rows, size_t *used,
                        const draws *d)
{
    if (!rows || *used >= d->most)
        luaL_error(L, "no more than %d draws of a kind in one step",
                   (int)d->most);
    return rows[(*used)++ * d->lanes];
}

static int draw_uniform(lua_State *L)
{
    draws *d = luaL_checkudata(L, 1, draw_meta);
    lua_pushnumber(L, next_draw(L, d->uniform, &d->n_uniform, d));
    return 1;
}

static int draw_normal(lua_State *L)
{
    draws *d = luaL_checkudata(L, 1, draw_meta);
    lua_pushnumber(L, next_draw(L, d->normal, &d->n_normal, d));
    return 1;
}

/* draw:below(n): a whole number 1 .. n. */
static int draw_below(lua_State *L)
{
    draws *d = luaL_checkudata(L, 1, draw_meta);
    lua_Integer n = luaL_checkinteger(L, 2);
    luaL_argcheck(L, n >= 1 && n <= 1 << 30, 2, "must be from 1 to 2^30");
    double uniform = next_draw(L, d->uniform, &d->n_uniform, d);
    lua_pushinteger(L, 1 + (lua_Integer)(uniform * (double)n));
    return 1;
}

static void push_state(lua_State *L, const cs_move *m, const double *x,
                       size_t lane)
{
    lua_createtable(L, (int)m->dim, 0);
    for (size_t d = 0; d < m->dim; d++) {
        cs_script_push_coordinate(L, x[d * m->lanes + lane],
                                  m->space->kind & CS_DISCRETE);
        lua_rawseti(L, -2, (lua_Integer)d + 1);
    }
}

static void push_params(lua_State *L, const task *k)
{
    lua_newtable(L);
    for (size_t p = 0; p < k->self->type.n_params; p++) {
        lua_pushnumber(L, cs_move_param(k->m, p)[k->lane]);
        lua_setfield(L, -2, k->self->names[p]);
    }
}

static int call_propose(lua_State *L)
{
    task *k = lua_touserdata(L, 1);
    const cs_move *m = k->m;
    draws *d = lua_newuserdatauv(L, sizeof *d, 0);
    *d = k->given;
    luaL_setmetatable(L, draw_meta);
    lua_rawgeti(L, LUA_REGISTRYINDEX, k->self->propose);
    push_state(L, m, m->x, k->lane);
    lua_pushvalue(L, 2);
    push_params(L, k);
    lua_call(L, 3, 1);
    d->uniform = d->normal = NULL;
    if (!lua_istable(L, -1))
        return cs_callback_blame(L, k->self->propose,
                                 "the value of propose is a %s, not a state",
                                 luaL_typename(L, -1));
    for (size_t i = 0; i < m->dim; i++) {
        lua_geti(L, -1, (lua_Integer)i + 1);
        double x =
            cs_callback_number(L, k->self->propose, "a coordinate of propose");
        lua_pop(L, 1);
        if (!isfinite(x))
            return cs_callback_blame(L, k->self->propose,
                                     "a coordinate of propose is not finite");
        k->y[i * m->lanes + k->lane] = x;
    }
    return 0;
}

static int call_log_q(lua_State *L)
{
    task *k = lua_touserdata(L, 1);
    lua_rawgeti(L, LUA_REGISTRYINDEX, k->self->log_q);
    push_state(L, k->m, k->from, k->lane);
    push_state(L, k->m, k->to, k->lane);
    push_params(L, k);
    lua_call(L, 3, 1);
    k->log_q = cs_callback_number(L, k->self->log_q, "the value of log_q");
    return 0;
}

/* NAN and *broken where the function raised an error. */
static double log_q_of(cs_move *m, size_t lane, const double *from,
                       const double *to, bool *broken)
{
    task k = {.m = m, .self = m->self, .lane = lane, .from = from, .to = to};
    if (k.self->log_q == LUA_NOREF)
        return 0;
    if (cs_callback_call(k.self->link, call_log_q, &k))
        return k.log_q;
    *broken = true;
    return NAN;
}

static size_t scratch_words(const cs_target *t, const double *values)
{
    (void)values;
    return t->space.dim + 2 * most_draws(t->space.dim);
}

static void init(cs_move *m)
{
    (void)m;
}

static void propose(cs_move *m, double *y)
{
    size_t most = most_draws(m->dim);
    double *uniform = cs_row(y, m->lanes, m->dim);
    double *normal = cs_row(uniform, m->lanes, most);
    cs_fill_uniform(&m->streams, CS_FOR_USER, most, uniform);
    cs_fill_normal(&m->streams, CS_FOR_PROPOSAL, most, normal);
    memcpy(y, m->x, m->dim * m->lanes * sizeof *y);
    for (size_t l = 0; l < m->live; l++) {
        task k = {.m = m, .self = m->self, .lane = l, .y = y};
        k.given = (draws){uniform + l, normal + l, m->lanes, most, 0, 0};
        if (m->failed[l] || cs_callback_call(k.self->link, call_propose, &k))
            continue;
        m->failed[l] = true;
        m->why[l].code = PROPOSE;
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
            m->why[l].code = LOG_Q;
    }
    i->proposal = y;
    for (size_t l = 0; l < m->lanes; l++) /* no proposal: stay */
        for (size_t d = 0; d < m->dim && m->failed[l]; d++)
            y[d * m->lanes + l] = m->x[d * m->lanes + l];
    cs_eval_log_density(m->eval, CS_NEXT, y, i->logp_proposal);
    for (size_t l = 0; l < m->lanes; l++) /* outside the space */
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

static void release(void *data)
{
    lua_kernel *self = data;
    cs_callback_unref(self->link, self->propose);
    cs_callback_unref(self->link, self->log_q);
    cs_callback_release(self->link);
    cs_free(self->parts.text);
    cs_free(self);
}

static void parts(const void *data, cs_page *p)
{
    const lua_kernel *self = data;
    cs_page_put(p, "%s", self->parts.text ? self->parts.text : "");
    p->full |= self->parts.full;
}

static void explain(const cs_reason *why, char *text, size_t size)
{
    snprintf(text, size, "%s raised an error",
             why->code == PROPOSE ? "propose" : "log_q");
}

static const cs_instance_type instance = {.release = release, .parts = parts};

static const cs_kernel_type function_kernel = {
    .name = "function",
    .title = "A proposal written in Lua",
    .ref = "Hastings 1970, section 2.2",
    .help = "propose(x, draw, params) gives a state, log_q(from, to, params) "
            "its log density; without log_q it counts as symmetric.",
    .spaces = CS_DISCRETE | CS_CONTINUOUS,
    .flags = CS_KERNEL_EXACT | CS_KERNEL_REVERSIBLE | CS_KERNEL_ACCEPTS |
             CS_KERNEL_MAIN_THREAD | CS_KERNEL_HIDDEN,
    .scratch_words = scratch_words,
    .init = init,
    .step = step,
    .log_q = log_q,
    .explain = explain,
    .instance = &instance,
};

/* Whether `--set arm.name=1` can say it. */
static bool is_name(const char *text)
{
    size_t n = strlen(text);
    for (size_t i = 0; i < n; i++)
        if (text[i] != '_' && !isalnum((unsigned char)text[i]))
            return false;
    return n > 0 && n < 32;
}

static void read_param(lua_State *L, lua_kernel *self, double *values)
{
    size_t n = self->type.n_params;
    if (lua_type(L, -2) != LUA_TSTRING || !lua_isnumber(L, -1) ||
        n == CS_KERNEL_PARAMS)
        cs_script_fail(L, "params must be at most %d named numbers",
                       CS_KERNEL_PARAMS);
    const char *name = lua_tostring(L, -2);
    if (strlen(name) != lua_rawlen(L, -2) || !is_name(name))
        cs_script_fail(L,
                       "params: '%s' is no name: use at most 31 letters, "
                       "digits and _",
                       name);
    for (; n > 0 && strcmp(self->names[n - 1], name) > 0; n--) {
        strcpy(self->names[n], self->names[n - 1]);
        values[n] = values[n - 1];
    }
    strcpy(self->names[n], name);
    values[n] = lua_tonumber(L, -1);
    self->type.n_params++;
}

/* The numbers of the field params become rows, in the order of their names:
 * Lua's own order differs from process to process. */
static void read_params(lua_State *L, lua_kernel *self, double *values)
{
    if (lua_getfield(L, 1, "params") == LUA_TTABLE)
        for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1))
            read_param(L, self, values);
    lua_pop(L, 1);
    for (size_t i = 0; i < self->type.n_params; i++)
        self->rows[i] = (cs_param){.name = self->names[i],
                                   .min = -HUGE_VAL,
                                   .max = HUGE_VAL,
                                   .def = values[i],
                                   .help = "of the script",
                                   .ref = ""};
}

static int reference(lua_State *L, const char *name, cs_page *p)
{
    lua_getfield(L, 1, name);
    cs_script_parts(L, -1, name, p);
    if (lua_isnil(L, -1)) {
        lua_pop(L, 1);
        return LUA_NOREF;
    }
    return luaL_ref(L, LUA_REGISTRYINDEX);
}

static int kernel_lua(lua_State *L)
{
    static const luaL_Reg methods[] = {{"uniform", draw_uniform},
                                       {"normal", draw_normal},
                                       {"below", draw_below},
                                       {NULL, NULL}};
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_settop(L, 1);
    if (luaL_newmetatable(L, draw_meta)) {
        luaL_newlib(L, methods);
        lua_setfield(L, -2, "__index");
        lua_pushliteral(L, "draw");
        lua_setfield(L, -2, "__metatable");
    }
    cs_callback *link = cs_callback_of(L);
    cs_script_kernel *k = cs_script_push_kernel(L);
    lua_kernel *self = cs_alloc(1, sizeof *self);
    if (!self)
        return luaL_error(L, "out of memory");
    self->link = cs_callback_hold(link);
    self->propose = self->log_q = LUA_NOREF;
    self->type = function_kernel;
    self->type.params = self->rows;
    k->kernel.type = &self->type;
    k->kernel.self = self;
    read_params(L, self, k->kernel.values);
    self->propose = reference(L, "propose", &self->parts);
    self->log_q = reference(L, "log_q", &self->parts);
    return 1;
}

void cs_script_open_function_kernel(lua_State *L)
{
    static const luaL_Reg functions[] = {{"kernel_lua", kernel_lua},
                                         {NULL, NULL}};
    luaL_setfuncs(L, functions, 0);
}
