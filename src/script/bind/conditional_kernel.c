/* A member whose conditional distribution a script gives. Its function returns a
 * draw of the member's coordinates given all others, which is always accepted
 * (Geman and Geman, Stochastic relaxation, Gibbs distributions, and the Bayesian
 * restoration of images, 1984). The core cannot know that the draw follows the
 * target; the law `conditional` tests it. */
#include "kernel/accept.h"
#include "script/bind/luaopen.h"
#include "script/bind/own_kernel.h"
#include "script/math/expression.h"
#include "script/state/value.h"
#include "target/part_window.h"

#include <lauxlib.h>
#include <math.h>
#include <string.h>

/* Pushes the whole state of the lane: coordinates that the member does not move
 * are those of the states around its window. */
static void push_whole(lua_State *L, const cs_own_call *c)
{
    const cs_move *m = c->m;
    const cs_part_window *w = cs_part_window_of(m->eval->target);
    if (!w) {
        cs_own_push_state(L, c, m->x);
        return;
    }
    const cs_space *space = &w->whole->space;
    lua_createtable(L, (int)space->dim, 0);
    for (size_t d = 0; d < space->dim; d++) {
        cs_script_push_coordinate(L, m->eval->around[d * m->lanes + c->lane],
                                  cs_space_is_whole(space, d));
        lua_rawseti(L, -2, (lua_Integer)d + 1);
    }
    for (size_t d = 0; d < m->dim; d++) {
        cs_script_push_coordinate(L, m->x[d * m->lanes + c->lane],
                                  cs_space_is_whole(m->space, d));
        lua_rawseti(L, -2, (lua_Integer)cs_part_window_coordinate(w, d) + 1);
    }
}

/* Calls draw(x, draws) with the whole state, and reads the list of the member's
 * coordinates that it returns. The module has checked the values by name. */
static int call_draw(lua_State *L)
{
    cs_own_call *c = lua_touserdata(L, 1);
    const cs_move *m = c->m;
    int ref = c->self->function[CS_OWN_DRAW];
    cs_own_begin(L, c, CS_OWN_DRAW, true);
    push_whole(L, c);
    cs_own_push_draw(L, c);
    lua_call(L, 2, 1);
    for (size_t i = 0; i < m->dim; i++) {
        lua_geti(L, -1, (lua_Integer)i + 1);
        c->y[i * m->lanes + c->lane] =
            cs_callback_number(L, ref, "a coordinate of draw");
        lua_pop(L, 1);
    }
    if (!cs_space_contains(m->space, c->y + c->lane, m->lanes))
        cs_callback_blame(L, ref,
                          "draw of %s returned a point outside the "
                          "space of its coordinates",
                          m->eval->target->name);
    return 0;
}

/* Raises the error that the lane's draw is impossible under the target. */
static int blame_density(lua_State *L)
{
    cs_own_call *c = lua_touserdata(L, 1);
    const cs_move *m = c->m;
    c->running = CS_OWN_DRAW;
    return cs_callback_blame(
        L, c->self->function[CS_OWN_DRAW],
        "draw of %s: the log density is %g at the values that it returned, the "
        "first of which is %g",
        m->eval->target->name, c->number, m->x[c->lane]);
}

/* Draws new coordinates of each lane into m->x; old[dim][lanes] becomes the
 * coordinates before. */
static void draw_lanes(cs_move *m, double *old, double *room)
{
    size_t n = m->lanes;
    memcpy(old, m->x, m->dim * n * sizeof *old);
    for (size_t l = 0; l < n; l++) {
        cs_own_call c = {.m = m, .self = m->self, .lane = l, .y = m->x};
        size_t like = l < m->live ? l : m->live - 1;
        bool good = l >= m->live ||
                    (!m->failed[l] && cs_own_run_or_fail(&c, call_draw, room));
        bool moved = false;
        for (size_t i = 0; i < m->dim; i++) {
            size_t at = i * n + l;
            m->x[at] = good ? m->x[i * n + like] : old[at];
            moved |= m->x[at] != old[at];
        }
        m->info.moved[l] = moved;
    }
}

/* Fails the lanes in which the draw has no density, and restores their
 * states. */
static void refuse_impossible(cs_move *m, const double *old,
                              const double *old_logp, double *room)
{
    size_t n = m->lanes;
    for (size_t l = 0; l < m->live; l++) {
        double logp = m->info.logp[l];
        cs_own_call c = {.m = m, .self = m->self, .lane = l, .number = logp};
        if (!m->info.moved[l] || (logp > -HUGE_VAL && logp < HUGE_VAL))
            continue;
        cs_own_run_or_fail(&c, blame_density, room);
        for (size_t at = l; at < m->dim * n; at += n)
            m->x[at] = old[at];
        m->info.logp[l] = old_logp[l];
        m->info.moved[l] = false;
        m->eval->around_is_now = false;
    }
}

static size_t scratch_words(const cs_target *t, const double *values)
{
    (void)values;
    return t->space.dim + 1 + cs_asked_words(t);
}

static void step(cs_move *m)
{
    double *old = m->scratch, *old_logp = old + m->dim * m->lanes,
           *room = old_logp + m->lanes;
    memcpy(old_logp, m->info.logp, m->lanes * sizeof *old_logp);
    draw_lanes(m, old, room);
    cs_finish_moved(m);
    refuse_impossible(m, old, old_logp, room);
}

static const cs_kernel_type conditional_kernel = {
    .name = "conditional",
    .title = "A conditional distribution written in Lua",
    .ref = "Geman and Geman, Stochastic relaxation, Gibbs distributions, and "
           "the Bayesian restoration of images, 1984",
    .help = "draw(p, rng) returns a draw of the member's parameters given all "
            "others, which is always accepted.",
    .spaces = CS_DISCRETE | CS_CONTINUOUS | CS_MIXED,
    .flags = CS_KERNEL_EXACT | CS_KERNEL_REVERSIBLE | CS_KERNEL_CONDITIONAL |
             CS_KERNEL_MAIN_THREAD | CS_KERNEL_HIDDEN,
    .scratch_words = scratch_words,
    .step = step,
};

/* kernel_conditional{draw = f}: returns a kernel whose steps call f(x, draws). */
static int kernel_conditional(lua_State *L)
{
    cs_own_kernel_push(L, &conditional_kernel);
    return 1;
}

/* vector_part(list, first, n): returns entries first ... first + n - 1 of a list
 * as a vector. Integers remain integers. */
static int vector_part(lua_State *L)
{
    lua_Integer first = luaL_checkinteger(L, 2), n = luaL_checkinteger(L, 3);
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_createtable(L, (int)n, 0);
    for (lua_Integer i = 0; i < n; i++) {
        lua_rawgeti(L, 1, first + i);
        lua_rawseti(L, -2, i + 1);
    }
    cs_script_make_vector(L);
    return 1;
}

void cs_script_open_conditional_kernel(lua_State *L)
{
    static const luaL_Reg functions[] = {
        {"kernel_conditional", kernel_conditional},
        {"vector_part", vector_part},
        {NULL, NULL}};
    luaL_setfuncs(L, functions, 0);
}
