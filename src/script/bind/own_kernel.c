#include "script/bind/own_kernel.h"

#include "base/memory.h"
#include "kernel/lanes.h"
#include "kernels/auxiliary/row_draws.h"
#include "script/bind/lua_kernel.h"
#include "script/state/digest.h"
#include "script/state/value.h"

#include <ctype.h>
#include <lauxlib.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const function_name[] = {"propose", "log_q",     "omega1",
                                            "omega2",  "log_ratio", "accept",
                                            "draw",    "map",       NULL};

/* ---- calls --------------------------------------------------------------- */

bool cs_own_run(cs_own_call *c, lua_CFunction f, double *scratch)
{
    const cs_own_kernel *self = c->self;
    cs_asked_open(&c->asked, c->m, c->lane, self->bounds, scratch);
    cs_own_draws_open(&c->draws, &c->asked);
    if (self->link->L)
        *self->target = &c->asked;
    bool good = cs_callback_call(self->link, f, c);
    if (self->link->L) {
        *self->draw = NULL;
        *self->target = NULL;
    }
    cs_asked_close(&c->asked);
    return good;
}

bool cs_own_run_or_fail(cs_own_call *c, lua_CFunction f, double *scratch)
{
    if (cs_own_run(c, f, scratch))
        return true;
    c->m->failed[c->lane] = true;
    c->m->why[c->lane].code = 1 + c->running;
    return false;
}

void cs_own_begin(lua_State *L, cs_own_call *c, int which, bool draws)
{
    c->running = which;
    *c->self->draw = draws ? &c->draws : NULL;
    lua_rawgeti(L, LUA_REGISTRYINDEX, c->self->function[which]);
}

void cs_own_push_state(lua_State *L, const cs_own_call *c, const double *x)
{
    const cs_move *m = c->m;
    lua_createtable(L, (int)m->dim, 0);
    for (size_t d = 0; d < m->dim; d++) {
        cs_script_push_coordinate(L, x[d * m->lanes + c->lane],
                                  cs_space_is_whole(m->space, d));
        lua_rawseti(L, -2, (lua_Integer)d + 1);
    }
}

void cs_own_push_draw(lua_State *L, const cs_own_call *c)
{
    lua_rawgeti(L, LUA_REGISTRYINDEX, c->self->draw_ref);
}

void cs_own_push_rest(lua_State *L, const cs_own_call *c)
{
    lua_newtable(L);
    for (size_t p = 0; p < c->self->type.n_params; p++)
        cs_script_set_number(L, c->self->names[p],
                             cs_move_param(c->m, p)[c->lane]);
    lua_rawgeti(L, LUA_REGISTRYINDEX, c->self->target_ref);
}

double cs_own_read_coordinate(lua_State *L, const cs_own_call *c, size_t i)
{
    int ref = c->self->function[c->running];
    const char *name = function_name[c->running];
    char what[40];
    if (!lua_istable(L, -1))
        cs_callback_blame(L, ref, "the value of %s is a %s, not a state", name,
                          luaL_typename(L, -1));
    snprintf(what, sizeof what, "a coordinate of %s", name);
    lua_geti(L, -1, (lua_Integer)i + 1);
    double x = cs_callback_number(L, ref, what);
    lua_pop(L, 1);
    if (!isfinite(x))
        cs_callback_blame(L, ref, "%s is not finite", what);
    return x;
}

void cs_own_read_proposal(lua_State *L, cs_own_call *c)
{
    const cs_move *m = c->m;
    for (size_t i = 0; i < m->dim; i++)
        c->y[i * m->lanes + c->lane] = cs_own_read_coordinate(L, c, i);
    lua_pop(L, 1);
}

double cs_own_read_number(lua_State *L, const cs_own_call *c, const char *what)
{
    double x = cs_callback_number(L, c->self->function[c->running], what);
    lua_pop(L, 1);
    return x;
}

/* ---- the instance -------------------------------------------------------- */

static void release(void *data)
{
    cs_own_kernel *self = data;
    for (int i = 0; i < CS_OWN_FUNCTIONS; i++)
        cs_callback_unref(self->link, self->function[i]);
    cs_callback_unref(self->link, self->draw_ref);
    cs_callback_unref(self->link, self->target_ref);
    cs_callback_release(self->link);
    cs_free(self->parts.text);
    cs_free(self);
}

static void parts(const void *data, cs_page *p)
{
    const cs_own_kernel *self = data;
    cs_page_put(p, "%s", self->parts.text ? self->parts.text : "");
    p->full |= self->parts.full;
}

static bool has_drawn(const void *data)
{
    return ((const cs_own_kernel *)data)->has_drawn;
}

static const cs_instance_type instance = {
    .release = release, .parts = parts, .has_drawn = has_drawn};

static void explain(const cs_reason *why, char *text, size_t size)
{
    snprintf(text, size, "%s raised an error", function_name[why->code - 1]);
}

static cs_status check_range(const cs_target *t, const double *v, cs_error *err)
{
    (void)v;
    return cs_row_draws_check("function", t, CS_ROW_RANGE, err);
}

static cs_status check_change(const cs_target *t, const double *v,
                              cs_error *err)
{
    (void)v;
    return cs_row_draws_check("function", t, CS_ROW_CHANGE, err);
}

static cs_status make_range(cs_target *t, const double *v, cs_error *err)
{
    (void)v;
    return cs_row_bounds_make(t, CS_ROW_RANGE, err);
}

static cs_status make_change(cs_target *t, const double *v, cs_error *err)
{
    (void)v;
    return cs_row_bounds_make(t, CS_ROW_CHANGE, err);
}

/* ---- fields -------------------------------------------------------------- */

/* Returns true if the parameter can be set by `--set arm.NAME=1`. */
static bool is_name(const char *text)
{
    size_t n = strlen(text);
    for (size_t i = 0; i < n; i++)
        if (text[i] != '_' && !isalnum((unsigned char)text[i]))
            return false;
    return n > 0 && n < 32;
}

static void read_param(lua_State *L, cs_own_kernel *self, double *values)
{
    size_t n = self->type.n_params;
    if (lua_type(L, -2) != LUA_TSTRING || !lua_isnumber(L, -1) ||
        n == CS_OWN_PARAMS)
        cs_script_fail(L, "'params' must be at most %d named numbers",
                       CS_OWN_PARAMS);
    const char *name = lua_tostring(L, -2);
    if (strlen(name) != lua_rawlen(L, -2) || !is_name(name))
        cs_script_fail(L,
                       "params: invalid name '%s': use at most 31 letters, "
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

/* Converts the numbers of the field params to parameters sorted by name, since
 * the order of Lua tables differs between processes. */
static void read_params(lua_State *L, cs_own_kernel *self, double *values)
{
    if (lua_getfield(L, 1, "params") == LUA_TTABLE)
        for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1))
            read_param(L, self, values);
    lua_pop(L, 1);
    for (size_t i = 0; i < self->type.n_params; i++)
        self->rows[i] = (cs_param){
            .name = self->names[i],
            .flags = strcmp(self->names[i], "step") == 0 ? CS_PARAM_SIZE : 0,
            CS_PARAM_RANGE(-HUGE_VAL, HUGE_VAL, values[i]),
            .help = "defined by the script",
            .ref = ""};
}

static void read_function(lua_State *L, cs_own_kernel *self, int which)
{
    if (lua_getfield(L, 1, function_name[which]) != LUA_TFUNCTION) {
        lua_pop(L, 1);
        return;
    }
    cs_script_push_behind(L, -1); /* the function of the script */
    cs_script_parts_of_chains(L, -1, function_name[which], &self->parts);
    lua_pop(L, 1);
    self->function[which] = luaL_ref(L, LUA_REGISTRYINDEX);
}

/* Returns true if the field `name` is the string `word`. */
static bool says(lua_State *L, const char *name, const char *word)
{
    bool same = lua_getfield(L, 1, name) == LUA_TSTRING &&
                strcmp(lua_tostring(L, -1), word) == 0;
    lua_pop(L, 1);
    return same;
}

/* Reads the kind of row bounds that the kernel uses. */
static void read_bounds(lua_State *L, cs_own_kernel *self)
{
    bool range = says(L, "rows", "range"), change = says(L, "rows", "change");
    if (!range && !change)
        return;
    self->bounds = range ? CS_ROW_RANGE : CS_ROW_CHANGE;
    self->type.flags |= CS_KERNEL_PARTS;
    self->type.check = range ? check_range : check_change;
    self->type.prepare = range ? make_range : make_change;
    cs_page_put(&self->parts, "rows = %s\n", range ? "range" : "change");
}

cs_own_kernel *cs_own_kernel_push(lua_State *L, const cs_kernel_type *like)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_settop(L, 1);
    cs_callback *link = cs_callback_of(L);
    cs_script_kernel *k = cs_script_push_kernel(L);
    cs_own_kernel *self = cs_alloc(1, sizeof *self);
    if (!self)
        luaL_error(L, "out of memory for a kernel");
    self->link = cs_callback_hold(link);
    for (int i = 0; i < CS_OWN_FUNCTIONS; i++)
        self->function[i] = LUA_NOREF;
    self->draw_ref = self->target_ref = LUA_NOREF;
    self->type = *like;
    self->type.params = self->rows;
    self->type.explain = explain;
    self->type.instance = &instance;
    k->kernel.type = &self->type;
    k->kernel.self = self;
    read_params(L, self, k->kernel.values);
    for (int i = 0; i < CS_OWN_FUNCTIONS; i++)
        read_function(L, self, i);
    self->barker = says(L, "accept", "barker");
    if (self->barker)
        cs_page_put(&self->parts, "accept = barker\n");
    read_bounds(L, self);
    self->draw = cs_own_draws_push(L);
    self->draw_ref = luaL_ref(L, LUA_REGISTRYINDEX);
    self->target = cs_asked_push(L);
    self->target_ref = luaL_ref(L, LUA_REGISTRYINDEX);
    return self;
}
