#include "script/bind/lua_composed.h"

#include "base/memory.h"
#include "kernel/composed.h"
#include "kernel/wrapper.h"
#include "script/bind/lua_kernel.h"
#include "script/state/callback.h"
#include "script/state/value.h"

#include <lauxlib.h>
#include <string.h>

/* Reads a list of coordinates, the field `name` of the table on top of the
 * stack. The strings and the arrays remain alive while the table at index 2 and
 * the stack do. */
static void read_on(lua_State *L, const char *field, cs_member_spec *to)
{
    int member = lua_gettop(L);
    if (lua_getfield(L, member, field) != LUA_TTABLE)
        return;
    int on = lua_gettop(L);
    size_t n = lua_rawlen(L, on);
    uint32_t *at = lua_newuserdatauv(L, (n + 1) * sizeof *at, 0);
    const char **name = lua_newuserdatauv(L, (n + 1) * sizeof *name, 0);
    for (size_t i = 0; i < n; i++) {
        lua_rawgeti(L, on, (lua_Integer)i + 1);
        if (lua_isinteger(L, -1)) {
            lua_Integer c = lua_tointeger(L, -1);
            luaL_argcheck(L, c >= 1 && c <= UINT32_MAX, 2, "no coordinate");
            at[to->n++] = (uint32_t)(c - 1);
        } else {
            name[to->n_on++] = luaL_checkstring(L, -1);
        }
        lua_pop(L, 1);
    }
    to->coordinate = at;
    to->on = name;
}

/* The numbers of a member's metric. */
typedef struct numbers {
    const double *x; /* NULL: the member has no metric */
    size_t dim;
    cs_metric_kind kind;
} numbers;

/* Reads the metric of the table on top of the stack, {kind =, numbers =}. The
 * numbers replace the table there. */
static numbers read_metric(lua_State *L)
{
    int member = lua_gettop(L);
    numbers to = {NULL, 0, CS_METRIC_DIAGONAL};
    if (lua_getfield(L, member, "metric") == LUA_TTABLE) {
        lua_getfield(L, -1, "kind");
        bool dense = strcmp(luaL_checkstring(L, -1), "dense") == 0;
        lua_getfield(L, -2, "numbers");
        size_t n = lua_rawlen(L, -1);
        double *x = lua_newuserdatauv(L, (n + 1) * sizeof *x, 0);
        for (size_t i = 0; i < n; i++) {
            lua_rawgeti(L, -2, (lua_Integer)i + 1);
            x[i] = luaL_checknumber(L, -1);
            lua_pop(L, 1);
        }
        to = (numbers){x, n, dense ? CS_METRIC_DENSE : CS_METRIC_DIAGONAL};
        while (dense && to.dim * to.dim > n)
            to.dim--;
        lua_replace(L, member);
    }
    lua_settop(L, member);
    return to;
}

static void read_member(lua_State *L, size_t i, cs_member_spec *to)
{
    lua_rawgeti(L, 2, (lua_Integer)i + 1);
    int member = lua_gettop(L);
    lua_getfield(L, member, "kernel");
    const cs_script_kernel *k = cs_script_to_kernel(L, -1);
    luaL_argcheck(L, k, 2, "a member is not a kernel");
    lua_getfield(L, member, "name");
    lua_getfield(L, member, "times");
    lua_getfield(L, member, "weight");
    *to = (cs_member_spec){.name = luaL_checkstring(L, -3),
                           .kernel = &k->kernel,
                           .times = (uint64_t)luaL_checkinteger(L, -2),
                           .weight = luaL_checknumber(L, -1)};
    lua_pushvalue(L, member);
    read_on(L, "on", to);
    lua_pushvalue(L, member);
    if (lua_getfield(L, member, "sum_out") == LUA_TNIL)
        return;
    cs_member_spec *sums = lua_newuserdatauv(L, sizeof *sums, 0);
    *sums = (cs_member_spec){.name = to->name};
    lua_pushvalue(L, member);
    read_on(L, "sum_out", sums);
    to->sums = sums;
}

/* Copies the schedules of the members to the plan of the kernel on top of the
 * stack, which keeps the members alive. */
static void keep_members(lua_State *L, cs_script_kernel *k, size_t n)
{
    const cs_composed *c = cs_composed_of(&k->kernel);
    int self = lua_gettop(L);
    lua_getiuservalue(L, self, 1);
    for (size_t i = 0; i < n; i++) {
        lua_rawgeti(L, 2, (lua_Integer)i + 1);
        lua_getfield(L, -1, "kernel");
        const cs_script_kernel *member = cs_script_to_kernel(L, -1);
        for (size_t p = 0; p < member->kernel.type->n_params; p++) {
            cs_error err;
            if (!member->plan.driven[p] ||
                cs_plan_drive(&k->plan, c->member[i].first_param + p,
                              cs_plan_schedule(&member->plan, p)))
                continue;
            cs_plan_is_full(&err);
            cs_script_raise(L, &err);
        }
        luaL_ref(L, self + 1);
        lua_pop(L, 1);
    }
    lua_settop(L, self);
}

int cs_script_kernel_composed(lua_State *L)
{
    bool mixture = lua_toboolean(L, 1);
    luaL_checktype(L, 2, LUA_TTABLE);
    lua_settop(L, 2);
    size_t n = lua_rawlen(L, 2);
    luaL_argcheck(L, n > 0 && n < 1000, 2, "1 to 999 members");
    luaL_checkstack(L, (int)(20 * n) + 20, "too many members");
    cs_member_spec *spec = lua_newuserdatauv(L, n * sizeof *spec, 0);
    numbers *metric = lua_newuserdatauv(L, n * sizeof *metric, 0);
    for (size_t i = 0; i < n; i++) {
        read_member(L, i, &spec[i]);
        lua_rawgeti(L, 2, (lua_Integer)i + 1);
        metric[i] = read_metric(L);
    }
    cs_callback_raise(L);
    cs_script_kernel *k = cs_script_push_kernel(L);
    cs_error err = {0};
    cs_status s = CS_OK;
    for (size_t i = 0; s == CS_OK && i < n; i++) /* nothing raises from here */
        if (metric[i].x)
            s = cs_metric_make(&spec[i].metric, metric[i].kind, metric[i].dim,
                               metric[i].x, &err);
    if (s == CS_OK)
        s = mixture ? cs_kernel_mixture(&k->kernel, NULL, spec, n, &err)
                    : cs_kernel_cycle(&k->kernel, NULL, spec, n, &err);
    for (size_t i = 0; i < n; i++)
        cs_metric_let_go(spec[i].metric);
    if (s) {
        k->kernel.type = NULL;
        return cs_script_raise(L, &err);
    }
    keep_members(L, k, n);
    return 1;
}

/* Marks the coordinates of a member by the function at index 3. Returns false
 * if a name is not that of a parameter. */
static bool mark_names(lua_State *L, const cs_member *q, bool *moved,
                       size_t dim)
{
    for (size_t i = 0; i < q->n_on; i++) {
        lua_pushvalue(L, 3);
        lua_pushstring(L, q->on[i]);
        lua_pushstring(L, q->name);
        lua_call(L, 2, 2);
        bool found = lua_isinteger(L, -2) && lua_isinteger(L, -1);
        size_t first = (size_t)lua_tointeger(L, -2) - 1,
               n = (size_t)lua_tointeger(L, -1);
        lua_pop(L, 2);
        if (!found || first >= dim || n > dim - first)
            return false;
        memset(moved + first, true, n);
    }
    return q->n_on > 0;
}

/* Gives a member that is not bound its coordinates, if it has names. */
static void place_member(lua_State *L, cs_member *q, size_t dim)
{
    cs_error err;
    if (q->n)
        return;
    bool *moved = lua_newuserdatauv(L, dim, 0);
    memset(moved, 0, dim);
    if (mark_names(L, q, moved, dim) && cs_member_place(q, moved, dim, &err))
        cs_script_raise(L, &err);
    lua_pop(L, 1);
}

static void place(lua_State *L, const cs_kernel *k, size_t dim)
{
    const cs_wrapper *outer = k->type->wraps ? k->self : NULL;
    cs_composed *c = k->type->composes ? k->self : NULL;
    if (outer)
        place(L, &outer->inner, dim);
    for (size_t i = 0; c && !c->whole && i < c->n; i++) {
        cs_member *q = &c->member[i];
        place(L, &q->kernel, dim);
        place_member(L, q, dim);
        if (q->sums)
            place_member(L, q->sums, dim);
    }
}

int cs_script_kernel_place(lua_State *L)
{
    const cs_script_kernel *k = cs_script_to_kernel(L, 1);
    luaL_argcheck(L, k, 1, "must be a kernel");
    lua_Integer dim = luaL_checkinteger(L, 2);
    luaL_argcheck(L, dim > 0, 2, "must be positive");
    luaL_checktype(L, 3, LUA_TFUNCTION);
    lua_settop(L, 3);
    place(L, &k->kernel, (size_t)dim);
    return 0;
}
