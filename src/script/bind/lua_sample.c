/* Draws of a target by the function `sample` of a script. A law compares them
 * with the density before other laws start chains from them (check/sample.c). */
#include "script/bind/draws.h"
#include "script/bind/lua_target.h"
#include "script/bind/luaopen.h"
#include "script/state/callback.h"

#include <lauxlib.h>
#include <math.h>

typedef struct sampler {
    cs_callback *link;
    int function, draw_ref; /* registry references */
    cs_own_draws **draw;    /* the object that the function receives */
} sampler;

typedef struct task {
    const cs_target *t;
    const sampler *self;
    cs_own_draws draws;
    double *x; /* [dim] output */
} task;

static int call_sample(lua_State *L)
{
    task *k = lua_touserdata(L, 1);
    int ref = k->self->function;
    *k->self->draw = &k->draws;
    lua_rawgeti(L, LUA_REGISTRYINDEX, ref);
    lua_rawgeti(L, LUA_REGISTRYINDEX, k->self->draw_ref);
    lua_call(L, 1, 1);
    if (!lua_istable(L, -1))
        cs_callback_blame(L, ref, "sample returned a %s, not a state",
                          luaL_typename(L, -1));
    for (size_t i = 0; i < k->t->space.dim; i++) {
        lua_geti(L, -1, (lua_Integer)i + 1);
        k->x[i] = cs_callback_number(L, ref, "a coordinate of sample");
        lua_pop(L, 1);
        if (!isfinite(k->x[i]))
            cs_callback_blame(L, ref, "a coordinate of sample is not finite");
    }
    if (!cs_space_contains(&k->t->space, k->x, 1))
        cs_callback_blame(L, ref, "sample returned a point outside the space");
    return 0;
}

static bool draw(const cs_target *t, uint64_t seed, uint64_t number, double *x)
{
    const sampler *self = t->sampler.self;
    const uint64_t chain = 0;
    const cs_streams s = cs_streams_of(seed, number, &chain, 1, 1);
    task k = {.t = t, .self = self, .x = x};
    cs_own_draws_open_simulation(&k.draws, &s, 0, 0);
    bool good = cs_callback_call(self->link, call_sample, &k);
    if (self->link->L)
        *self->draw = NULL;
    return good;
}

static void destroy(void *data)
{
    sampler *self = data;
    cs_callback_unref(self->link, self->function);
    cs_callback_unref(self->link, self->draw_ref);
    cs_callback_release(self->link);
    cs_free(self);
}

/* target_sample(target, f): f(draw) returns a draw of the target, a list of
 * its coordinates. */
static int target_sample(lua_State *L)
{
    cs_target *t = cs_script_to_target(L, 1);
    luaL_checktype(L, 2, LUA_TFUNCTION);
    if (!t || t->sampler.draw)
        return luaL_error(L, "this target cannot be given a function sample");
    cs_callback *link = cs_callback_of(L);
    sampler *self = cs_alloc(1, sizeof *self);
    if (!self)
        return luaL_error(L, "out of memory for a function sample");
    *self = (sampler){cs_callback_hold(link), LUA_NOREF, LUA_NOREF, NULL};
    t->sampler = (cs_sampler){draw, destroy, self};
    self->draw = cs_own_draws_push(L);
    self->draw_ref = luaL_ref(L, LUA_REGISTRYINDEX);
    lua_pushvalue(L, 2);
    self->function = luaL_ref(L, LUA_REGISTRYINDEX);
    return 0;
}

void cs_script_open_sample(lua_State *L)
{
    lua_pushcfunction(L, target_sample);
    lua_setfield(L, -2, "target_sample");
}
