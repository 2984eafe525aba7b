/* The userdata of a target, created from the parameters of the target's
 * type. */
#include "script/bind/lua_target.h"

#include "base/hash.h"
#include "data/parts.h"
#include "script/bind/luaopen.h"
#include "script/state/digest.h"
#include "script/state/path.h"
#include "script/state/state.h"
#include "script/state/value.h"

#include <assert.h>
#include <lauxlib.h>
#include <math.h>
#include <string.h>

static const char meta[] = "chainscope.target";

void cs_script_push_target(lua_State *L, cs_target *t)
{
    assert(t);
    cs_target **box = lua_newuserdatauv(L, sizeof *box, 0);
    *box = t;
    luaL_setmetatable(L, meta);
}

cs_target *cs_script_to_target(lua_State *L, int index)
{
    cs_target **box = luaL_testudata(L, index, meta);
    return box ? *box : NULL;
}

static int collect(lua_State *L)
{
    cs_target **box = lua_touserdata(L, 1);
    cs_target_release(*box);
    *box = NULL;
    return 0;
}

static int to_string(lua_State *L)
{
    cs_target *t = *(cs_target **)luaL_checkudata(L, 1, meta);
    lua_pushfstring(L, "target %s on %s(%d)", t->name,
                    cs_space_name(t->space.kind), (int)t->space.dim);
    return 1;
}

/* True if one of the values is the name of a file. */
static bool names_file(const cs_target_type *type, const cs_value *values,
                       size_t n)
{
    for (size_t i = 0; i < n; i++) {
        int row = cs_param_find(type->params, type->n_params, values[i].name);
        if (row >= 0 && (type->params[row].flags & CS_PARAM_PATH))
            return true;
    }
    return false;
}

/* target_new(name, fields): returns a target. */
static int target_new(lua_State *L)
{
    const cs_target_type *type = cs_target_find(luaL_checkstring(L, 1));
    luaL_checktype(L, 2, LUA_TTABLE);
    if (!type)
        return luaL_argerror(L, 1, "no such target");
    size_t n;
    cs_value *values = cs_script_values(L, 2, NULL, &n);
    cs_script_resolve_paths(L, type->params, type->n_params, values, n);
    cs_error err = {0};
    cs_target **box = lua_newuserdatauv(L, sizeof *box, 0);
    *box = NULL;
    luaL_setmetatable(L, meta);
    cs_script *s = cs_script_of(L);
    cs_script_make_room(L);
    bool reads = s && names_file(type, values, n);
    if (reads)
        cs_script_excuse(s, true);
    cs_status status = cs_target_create(type, values, n, box, &err);
    if (reads)
        cs_script_excuse(s, false);
    return status ? cs_script_raise(L, &err) : 1;
}

void cs_script_push_coordinates(lua_State *L, const cs_target *t)
{
    char name[64];
    lua_newtable(L);
    for (size_t i = 0; i < cs_target_shown(t); i++) {
        cs_target_coordinate(t, i, name, sizeof name);
        lua_pushstring(L, name);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
}

static void push_moment(lua_State *L, const cs_target *t, const double *x)
{
    if (x)
        cs_script_push_numbers(L, x, t->space.dim);
    else
        lua_pushnil(L);
}

/* Returns the digest of a target, computed from the target's fingerprint. */
static int digest(lua_State *L)
{
    const cs_target *t = *(cs_target **)luaL_checkudata(L, 1, meta);
    uint64_t h = CS_DIGEST;
    if (t->parts.text)
        h = cs_digest(h, t->parts.text, t->parts.used);
    lua_pushinteger(L, (lua_Integer)h);
    return 1;
}

void cs_script_push_target_methods(lua_State *L)
{
    luaL_newmetatable(L, meta);
    luaL_getsubtable(L, -1, "methods");
    lua_remove(L, -2);
}

/* Pushes the method of that name. If there is no such method, pushes nothing
 * and returns false. */
static bool push_method(lua_State *L, const char *name)
{
    if (luaL_getmetafield(L, 1, "methods") == LUA_TNIL)
        return false;
    bool found = lua_getfield(L, -1, name) != LUA_TNIL;
    lua_remove(L, -2);
    if (!found)
        lua_pop(L, 1);
    return found;
}

/* Returns a field that describes a target (t.name, t.dim, t.space, t.title) or
 * a method that evaluates it at a point. */
static int index_field(lua_State *L)
{
    cs_target *t = *(cs_target **)luaL_checkudata(L, 1, meta);
    static const char *const names[] = {
        "name",        "dim",           "space",
        "title",       "log_z",         "mean",
        "variance",    "coordinates",   "gradient",
        "log_density", "hessian_times", "hessian",
        "eigenvalues", "differences",   NULL};
    const char *key = luaL_checkstring(L, 2);
    if (strcmp(key, "name") == 0)
        lua_pushstring(L, t->name);
    else if (strcmp(key, "dim") == 0)
        lua_pushinteger(L, (lua_Integer)t->space.dim);
    else if (strcmp(key, "space") == 0)
        lua_pushstring(L, cs_space_name(t->space.kind));
    else if (strcmp(key, "title") == 0)
        lua_pushstring(L, t->type->title);
    else if (strcmp(key, "log_z") == 0)
        lua_pushnumber(L, t->exact.log_z);
    else if (strcmp(key, "mean") == 0)
        push_moment(L, t, t->exact.mean);
    else if (strcmp(key, "variance") == 0)
        push_moment(L, t, t->exact.variance);
    else if (strcmp(key, "coordinates") == 0)
        cs_script_push_coordinates(L, t);
    else if (!push_method(L, key))
        return cs_script_raise_field(L, "a target", key, names);
    return 1;
}

static int whole_field(lua_State *L, int table, const char *name)
{
    lua_getfield(L, table, name);
    int x = (int)lua_tointeger(L, -1);
    lua_pop(L, 1);
    return x;
}

static cs_space_kind kind_field(lua_State *L, int table)
{
    static const char *const names[] = {"binary", "categorical", "ordinal",
                                        "real",   "mixed",       NULL};
    lua_getfield(L, table, "kind");
    int kind = 1 << luaL_checkoption(L, -1, NULL, names);
    lua_pop(L, 1);
    return (cs_space_kind)kind;
}

/* Reads the list `parts` of the space at stack index `at` to memory that the
 * space's table keeps. Returns NULL if there is no list. */
static const cs_part *read_parts(lua_State *L, int at, size_t *n)
{
    *n = 0;
    if (lua_getfield(L, at, "parts") != LUA_TTABLE) {
        lua_pop(L, 1);
        return NULL;
    }
    int list = lua_gettop(L);
    *n = lua_rawlen(L, list);
    cs_part *part = lua_newuserdatauv(L, (*n + 1) * sizeof *part, 0);
    for (size_t i = 0, first = 0; i < *n; i++) {
        lua_rawgeti(L, list, (lua_Integer)i + 1);
        int one = lua_gettop(L);
        part[i] = (cs_part){.kind = kind_field(L, one),
                            .first = first,
                            .dim = (size_t)whole_field(L, one, "dim"),
                            .low = whole_field(L, one, "low"),
                            .values = whole_field(L, one, "values")};
        lua_getfield(L, one, "name"); /* the string stays in the table */
        part[i].name = lua_tostring(L, -1);
        lua_getfield(L, one, "open");
        part[i].open = lua_toboolean(L, -1);
        first += part[i].dim;
        lua_pop(L, 3);
    }
    lua_setfield(L, at, "memory");
    lua_pop(L, 1);
    return part;
}

void cs_script_read_space(lua_State *L, int fields, cs_space *space)
{
    lua_getfield(L, fields, "space");
    int at = lua_gettop(L);
    luaL_checktype(L, at, LUA_TTABLE);
    *space = (cs_space){.kind = kind_field(L, at),
                        .dim = (size_t)whole_field(L, at, "dim"),
                        .low = whole_field(L, at, "low"),
                        .values = whole_field(L, at, "values")};
    if (space->kind == CS_MIXED)
        space->part = read_parts(L, at, &space->n_parts);
    lua_pop(L, 1);
}

cs_space cs_script_named_parts(lua_State *L, int fields, const cs_space *space)
{
    if (space->kind == CS_MIXED)
        return *space;
    lua_getfield(L, fields, "space");
    size_t n;
    const cs_part *part = read_parts(L, lua_gettop(L), &n);
    lua_pop(L, 1);
    return part ? (cs_space){.kind = CS_MIXED,
                             .dim = space->dim,
                             .n_parts = n,
                             .part = part}
                : *space;
}

static double number_or(lua_State *L, int table, const char *name, double other)
{
    lua_getfield(L, table, name);
    double x = lua_isnumber(L, -1) ? lua_tonumber(L, -1) : other;
    lua_pop(L, 1);
    return x;
}

/* Reads picture = { rows =, cols =, ... }; its fields were checked in Lua. */
static void read_picture(lua_State *L, int at, const cs_space *space,
                         cs_picture *p)
{
    double rows = number_or(L, at, "rows", 0),
           cols = number_or(L, at, "cols", 0);
    double first = number_or(L, at, "first", 1) - 1;
    double low = number_or(L, at, "low", 0), high = number_or(L, at, "high", 1);
    cs_error err;
    if (first + rows * cols > (double)space->dim) {
        cs_fail(&err, CS_INPUT,
                "picture: %.0f x %.0f pixels are more than the "
                "%zu coordinates",
                rows, cols, space->dim);
        cs_hint(&err, "give 'rows' and 'cols' whose product is at most the "
                      "number of coordinates");
        cs_script_raise(L, &err);
    }
    if (!(high > low)) {
        cs_fail(&err, CS_INPUT, "picture: 'high' must be above 'low'");
        cs_hint(&err, "for example low = 0, high = 1");
        cs_script_raise(L, &err);
    }
    *p = (cs_picture){.kind = CS_PICTURE_PIXELS,
                      .first = (size_t)first,
                      .rows = (size_t)rows,
                      .cols = (size_t)cols,
                      .low = low,
                      .high = high};
}

/* Reads mode_shares; returns NULL if the field is missing. The list remains on
 * the stack. */
static const double *read_shares(lua_State *L, int fields, size_t n)
{
    size_t rows, cols;
    double sum = 0;
    cs_error err;
    if (lua_getfield(L, fields, "mode_shares") != LUA_TTABLE)
        return NULL;
    const double *share = cs_script_numbers(L, -1, "mode_shares", &rows, &cols);
    bool good = rows == n && cols == 1;
    for (size_t i = 0; good && i < n; i++) {
        good = share[i] > 0;
        sum += share[i];
    }
    if (good && fabs(sum - 1) < 1e-3)
        return share;
    cs_fail(&err, CS_INPUT,
            "'mode_shares' must be probabilities of the %zu modes", n);
    cs_hint(&err, "give one positive number per mode, with sum 1");
    cs_script_raise(L, &err);
    return NULL;
}

/* Reads modes = { { 0, 1 }, ... }, mode_radius and mode_shares. */
static void read_modes(lua_State *L, int fields, cs_target *t)
{
    size_t n, cols;
    cs_error err;
    int top = lua_gettop(L);
    if (lua_getfield(L, fields, "modes") == LUA_TTABLE) {
        const double *points = cs_script_numbers(L, -1, "modes", &n, &cols);
        bool good = n > 0 && cols == t->space.dim;
        for (size_t i = 0; good && i < n * cols; i++)
            good = isfinite(points[i]);
        if (!good) {
            cs_fail(&err, CS_INPUT,
                    "'modes' has %zu points of %zu numbers; a point must have "
                    "%zu finite numbers",
                    n, n ? cols : 0, t->space.dim);
            cs_hint(&err, "write modes = { { x1, x2, ... }, ... }, with the "
                          "coordinates of a state");
            cs_script_raise(L, &err);
        }
        const double *share = read_shares(L, fields, n);
        double radius = number_or(L, fields, "mode_radius", 0);
        if (cs_target_tell_modes(t, points, n, share, radius, &err))
            cs_script_raise(L, &err);
    }
    lua_settop(L, top);
}

void cs_script_read_description(lua_State *L, int fields, cs_target *t)
{
    read_modes(L, fields, t);
    lua_getfield(L, fields, "view");
    if (lua_istable(L, -1)) {
        size_t rows, cols;
        double *view = cs_script_numbers(L, -1, "view", &rows, &cols);
        if (rows == 4)
            memcpy(t->exact.view, view, sizeof t->exact.view);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    lua_getfield(L, fields, "picture");
    if (lua_istable(L, -1))
        read_picture(L, lua_gettop(L), &t->space, &t->picture);
    lua_pop(L, 1);
    lua_getfield(L, fields, "name");
    if (lua_isstring(L, -1))
        cs_target_call(t, lua_tostring(L, -1), NULL);
    lua_pop(L, 1);
}

static int target_list(lua_State *L)
{
    const cs_target_type *type;
    lua_newtable(L);
    for (size_t i = 0; (type = cs_target_at(i)); i++)
        if (!(type->flags & CS_TARGET_HIDDEN))
            cs_script_list(L, type->name, type->title, type->help, type->params,
                           type->n_params);
    return 1;
}

void cs_script_open_target(lua_State *L)
{
    static const luaL_Reg methods[] = {{"__gc", collect},
                                       {"__tostring", to_string},
                                       {"__index", index_field},
                                       {CS_DIGEST_EVENT, digest},
                                       {NULL, NULL}};
    static const luaL_Reg functions[] = {
        {"target_new", target_new}, {"targets", target_list}, {NULL, NULL}};
    cs_script_class(L, meta, "target", methods);
    luaL_setfuncs(L, functions, 0);
}
