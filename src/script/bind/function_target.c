/* A target whose log density is a Lua function, which is called on the
 * session's thread for one chain at a time. If the script gives no gradient,
 * the gradient is computed by central differences (2 dim calls, relative error
 * about 1e-10). */
#include "base/memory.h"
#include "script/bind/lua_target.h"
#include "script/bind/luaopen.h"
#include "script/math/expression.h"
#include "script/state/callback.h"
#include "script/state/digest.h"
#include "script/state/value.h"
#include "target/eval.h"

#include <lauxlib.h>
#include <math.h>
#include <string.h>

typedef struct lua_target {
    cs_callback *link;
    int density, gradient; /* references to the functions; gradient = LUA_NOREF:
                            * the gradient is computed by central differences */
    int state; /* reference to a list that all calls reuse, because creating a
                * list takes longer than a call */
    bool busy; /* true while a call is running; the called function may cause a
                * second call */
} lua_target;

enum { DENSITY = 2, STATE /* stack indices */ };

/* A request to evaluate the lanes of a block in one call into Lua. Evaluation
 * starts at lane `lane`. After an error, `lane` is the lane that failed. */
typedef struct task {
    lua_target *self;
    const cs_point *at;
    size_t dim, lane;
    double *logp, *g;
    bool nested;
    const cs_space *space;
} task;

static double coordinate(const task *k, size_t d)
{
    return k->at->x[d * k->at->lanes + k->lane];
}

static void push_list(lua_State *L, size_t dim)
{
    lua_createtable(L, (int)dim, 0);
    cs_script_make_vector(L);
}

/* Pushes the state as a list. If an earlier call added entries to the list, a
 * new list replaces it. Uses lua_seti, because lua_rawseti takes twice as long
 * for an existing entry. */
static void push_state(lua_State *L, const task *k)
{
    size_t dim = k->dim, lanes = k->at->lanes;
    const double *x = k->at->x + k->lane;
    if (lua_rawlen(L, STATE) > dim) {
        push_list(L, dim);
        lua_replace(L, STATE);
    }
    for (size_t d = 0; d < dim; d++) {
        bool whole = k->space->kind == CS_MIXED
                         ? cs_space_is_whole(k->space, d)
                         : cs_space_is_discrete(k->space);
        cs_script_push_coordinate(L, x[d * lanes], whole);
        lua_seti(L, STATE, (lua_Integer)d + 1);
    }
    lua_pushvalue(L, STATE);
}

/* Calls the density for the state with coordinate d replaced by x. If d equals
 * the dimension, no coordinate is replaced. */
static double density_at(lua_State *L, const task *k, size_t d, double x)
{
    int ref = k->self->density;
    lua_pushvalue(L, DENSITY);
    push_state(L, k);
    if (d < k->dim) {
        lua_pushnumber(L, x);
        lua_rawseti(L, STATE, (lua_Integer)d + 1);
    }
    lua_call(L, 1, 1);
    double logp = cs_callback_number(L, ref, "the value of log_density");
    lua_pop(L, 1);
    if (logp == HUGE_VAL)
        cs_callback_blame(L, ref, "the value of log_density is infinite");
    return logp;
}

static void call_gradient(lua_State *L, task *k)
{
    int ref = k->self->gradient;
    lua_rawgeti(L, LUA_REGISTRYINDEX, ref);
    push_state(L, k);
    lua_call(L, 1, 1);
    if (!lua_istable(L, -1))
        cs_callback_blame(L, ref, "the value of gradient is a %s, not a list",
                          luaL_typename(L, -1));
    for (size_t d = 0; d < k->dim; d++) {
        lua_geti(L, -1, (lua_Integer)d + 1);
        k->g[d * k->at->lanes + k->lane] =
            cs_callback_number(L, ref, "an entry of gradient");
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
}

/* Sets the two values of coordinate d whose difference quotient is the
 * derivative. Returns false if this derivative is not asked for. In a mixed
 * space, discrete coordinates move to the next values. */
static bool find_sides(const task *k, size_t d, double *to)
{
    double x = coordinate(k, d), h = 6e-6 * (1 + fabs(x));
    to[0] = x - h;
    to[1] = x + h;
    if (k->space->kind != CS_MIXED)
        return true;
    cs_part part = cs_space_part(k->space, d);
    bool whole = part.kind != CS_CONTINUOUS;
    if (whole) {
        to[0] = fmax(x - 1, part.low);
        to[1] = fmin(x + 1, part.low + part.values - 1);
    }
    return whole == k->at->of_sites && to[0] < to[1];
}

static void difference(lua_State *L, task *k)
{
    for (size_t d = 0; d < k->dim; d++) {
        double to[2], logp[2], *g = &k->g[d * k->at->lanes + k->lane];
        *g = 0;
        if (!find_sides(k, d, to))
            continue;
        for (int side = 0; side < 2; side++)
            logp[side] = density_at(L, k, d, to[side]);
        *g = (logp[1] - logp[0]) / (to[1] - to[0]);
    }
}

static int call_lanes(lua_State *L)
{
    task *k = lua_touserdata(L, 1);
    lua_rawgeti(L, LUA_REGISTRYINDEX, k->self->density);
    if (k->nested)
        push_list(L, k->dim);
    else
        lua_rawgeti(L, LUA_REGISTRYINDEX, k->self->state);
    for (; k->lane < k->at->live; k->lane++) {
        if (k->at->failed && k->at->failed[k->lane]) {
            k->logp[k->lane] = NAN;
            continue;
        }
        k->logp[k->lane] = density_at(L, k, k->dim, 0);
        if (!k->g)
            continue;
        if (k->self->gradient == LUA_NOREF)
            difference(L, k);
        else
            call_gradient(L, k);
    }
    return 0;
}

static void evaluate(const cs_target *t, const cs_point *at, double *logp,
                     double *g)
{
    lua_target *self = t->self;
    task k = {.self = self,
              .at = at,
              .dim = t->space.dim,
              .logp = logp,
              .g = g,
              .nested = self->busy,
              .space = &t->space};
    const uint64_t broken = CS_BROKEN_DENSITY;
    self->busy = true;
    while (!cs_callback_call(self->link, call_lanes, &k))
        if (k.lane < at->live)
            memcpy(&logp[k.lane++], &broken, sizeof broken);
        else
            break;
    self->busy = k.nested;
    for (size_t l = at->live; l < at->lanes; l++)
        logp[l] = logp[0];
}

static void allow(const cs_target *t, double seconds)
{
    cs_callback_allow(((const lua_target *)t->self)->link, seconds);
}

static void log_density(const cs_target *t, const cs_point *at, double *logp)
{
    evaluate(t, at, logp, NULL);
}

static void gradient(const cs_target *t, const cs_point *at, double *logp,
                     double *g)
{
    evaluate(t, at, logp, g);
    for (size_t d = 0; d < t->space.dim; d++)
        for (size_t l = 0; l < at->lanes; l++)
            if (l >= at->live || isnan(logp[l]))
                g[d * at->lanes + l] = l >= at->live ? g[d * at->lanes] : 0;
}

static cs_status create(cs_target *t, const cs_value *values, cs_error *err)
{
    (void)values;
    t->space = (cs_space){.kind = CS_CONTINUOUS, .dim = 1};
    t->exact.log_z = NAN;
    t->self = cs_alloc(1, sizeof(lua_target));
    return t->self ? CS_OK
                   : cs_fail(err, CS_MEMORY, "out of memory for a target");
}

static void destroy(cs_target *t)
{
    lua_target *self = t->self;
    cs_callback_unref(self->link, self->density);
    cs_callback_unref(self->link, self->gradient);
    cs_callback_unref(self->link, self->state);
    cs_callback_release(self->link);
    cs_free(self);
}

static const cs_target_type function_target = {
    .name = "function",
    .title = "A log density written in Lua",
    .ref = "",
    .help = "The functions of the script are called for one chain at a time. "
            "If no gradient is given, central differences are used, which call "
            "the log density 2 * dim times per gradient.",
    .flags = CS_TARGET_MAIN_THREAD | CS_TARGET_HIDDEN,
    .create = create,
    .destroy = destroy,
    .log_density = log_density,
    .gradient = gradient,
    .outside.allow = allow,
};

/* Returns a reference to the function in the field `name`, and adds the
 * function to the target's fingerprint. */
static int reference(lua_State *L, int fields, const char *name, cs_page *parts)
{
    lua_getfield(L, fields, name);
    cs_script_parts_of_chains(L, -1, name, parts);
    if (lua_isnil(L, -1)) {
        lua_pop(L, 1);
        return LUA_NOREF;
    }
    return luaL_ref(L, LUA_REGISTRYINDEX);
}

static int target_lua(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    cs_space space;
    cs_script_read_space(L, 1, &space);
    cs_callback *link = cs_callback_of(L);
    cs_target *t;
    cs_error err = {0};
    if (cs_target_create(&function_target, NULL, 0, &t, &err))
        return cs_script_raise(L, &err);
    cs_script_push_target(L, t);
    lua_target *self = t->self;
    *self = (lua_target){cs_callback_hold(link), LUA_NOREF, LUA_NOREF,
                         LUA_NOREF, false};
    if (cs_target_take_space(t, &space, &err))
        return cs_script_raise(L, &err);
    push_list(L, space.dim);
    self->state = luaL_ref(L, LUA_REGISTRYINDEX);
    self->density = reference(L, 1, "log_density", &t->parts);
    self->gradient = reference(L, 1, "gradient", &t->parts);
    if (self->gradient == LUA_NOREF) {
        t->gradient.calls = 2 * space.dim;
        t->gradient.note =
            "no gradient is given: central differences are used, "
            "with 2 log densities per coordinate";
    }
    cs_script_read_description(L, 1, t);
    return 1;
}

void cs_script_open_function_target(lua_State *L)
{
    static const luaL_Reg functions[] = {{"target_lua", target_lua},
                                         {NULL, NULL}};
    luaL_setfuncs(L, functions, 0);
}
