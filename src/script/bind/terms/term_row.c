#include "script/bind/terms/term_row.h"

#include "density/domain.h"
#include "script/bind/luaopen.h"
#include "script/math/expression.h"
#include "script/state/value.h"

#include <lauxlib.h>

/* Returns row.NAME from the values in upvalue 1. */
static int row_index(lua_State *L)
{
    const cs_term_data *d = lua_touserdata(L, lua_upvalueindex(2));
    lua_settop(L, 2);
    lua_pushvalue(L, 2);
    if (lua_rawget(L, lua_upvalueindex(1)) != LUA_TNIL)
        return 1;
    const char *name = luaL_tolstring(L, 2, NULL);
    const char **names = lua_newuserdatauv(L, (d->n + 1) * sizeof *names, 0);
    for (size_t i = 0; i < d->n; i++)
        names[i] = d->column[i].name;
    names[d->n] = NULL;
    return cs_script_raise_field(L, "a row", name, names);
}

static int row_newindex(lua_State *L)
{
    cs_error err;
    cs_fail(&err, CS_SCRIPT, "a row cannot be assigned to");
    cs_hint(&err, "store results in a local variable");
    return cs_script_raise(L, &err);
}

static void push_vector(lua_State *L, const cs_strided *s, size_t row, size_t n)
{
    double *v = lua_newuserdatauv(L, n * sizeof *v, 0);
    for (size_t j = 0; j < n; j++)
        v[j] = s[j].v[row * s[j].stride];
    cs_script_push_vector(L, v, n);
    lua_remove(L, -2);
}

static void push_symbol(lua_State *L, cs_graph *g, size_t dim,
                        const cs_term_column *column)
{
    size_t n = column->width ? column->width : 1;
    cs_node node = cs_graph_slice(g, cs_graph_input(g), dim + column->first, n);
    if (column->width)
        cs_script_push_expression(L, node);
    else
        cs_script_push_symbol_number(L, node);
}

/* ---- values of columns --------------------------------------------------- */

/* Registry key of a table. For each symbol of a column the table has an entry
 * for each domain of density/domain.h that is checked: the first number that
 * is outside the domain. */
static const char of_columns[] = "chainscope.columns";

/* Looks for a number that is not of the given kind. If there is one, sets field
 * `name` of the table on top of the stack to { row, number } for the first such
 * number. */
static void note_first(lua_State *L, const cs_term_data *d,
                       const cs_term_column *c, const char *name,
                       bool (*is)(double))
{
    size_t width = c->width ? c->width : 1;
    for (size_t row = 0; row < d->rows; row++)
        for (size_t k = 0; k < width; k++) {
            const cs_strided *s = &d->number[c->first + k];
            double x = s->v[row * s->stride];
            if (is(x))
                continue;
            lua_createtable(L, 2, 0);
            lua_pushinteger(L, (lua_Integer)row + 1);
            lua_rawseti(L, -2, 1);
            lua_pushnumber(L, x);
            lua_rawseti(L, -2, 2);
            lua_setfield(L, -2, name);
            return;
        }
}

/* The symbol on top of the stack represents column c. Records the first
 * numbers of the column that are outside the domains of counts, whole numbers,
 * bits and indices. */
static void note_column(lua_State *L, const cs_term_data *d,
                        const cs_term_column *c)
{
    static const char *const domains[] = {"count", "whole", "bit", "index"};
    lua_getfield(L, LUA_REGISTRYINDEX, of_columns);
    lua_pushvalue(L, -2);
    lua_createtable(L, 0, 2);
    for (size_t i = 0; i < sizeof domains / sizeof *domains; i++)
        note_first(L, d, c, domains[i],
                   cs_density_domain_find(domains[i])->has);
    lua_rawset(L, -3);
    lua_pop(L, 1);
}

bool cs_script_is_column(lua_State *L, int index)
{
    int top = lua_gettop(L);
    if (!lua_isuserdata(L, index))
        return false;
    index = lua_absindex(L, index);
    lua_getfield(L, LUA_REGISTRYINDEX, of_columns);
    lua_pushvalue(L, index);
    bool is = lua_rawget(L, -2) == LUA_TTABLE;
    lua_settop(L, top);
    return is;
}

size_t cs_script_column_lacks(lua_State *L, int index, const char *kind,
                              double *value)
{
    size_t row = 0;
    int top = lua_gettop(L);
    if (!lua_isuserdata(L, index))
        return 0;
    index = lua_absindex(L, index);
    lua_getfield(L, LUA_REGISTRYINDEX, of_columns);
    lua_pushvalue(L, index);
    if (lua_rawget(L, -2) == LUA_TTABLE &&
        lua_getfield(L, -1, kind) == LUA_TTABLE) {
        lua_rawgeti(L, -1, 1);
        lua_rawgeti(L, -2, 2);
        row = (size_t)lua_tointeger(L, -2);
        *value = lua_tonumber(L, -1);
    }
    lua_settop(L, top);
    return row;
}

void cs_script_open_term_row(lua_State *L)
{
    lua_newtable(L);
    lua_newtable(L);
    lua_pushliteral(L, "k");
    lua_setfield(L, -2, "__mode");
    lua_setmetatable(L, -2);
    lua_setfield(L, LUA_REGISTRYINDEX, of_columns);
}

/* ---- rows ---------------------------------------------------------------- */

/* Writes the numbers of a row to the table at `values`, under the names of the
 * columns. */
static void set_numbers(lua_State *L, int values, const cs_term_data *d,
                        size_t row)
{
    for (size_t i = 0; i < d->n; i++) {
        const cs_term_column *c = &d->column[i];
        const cs_strided *s = &d->number[c->first];
        if (c->width)
            push_vector(L, s, row, c->width);
        else
            lua_pushnumber(L, s->v[row * s->stride]);
        lua_setfield(L, values, c->name);
    }
}

/* Converts the table of values on top of the stack to an argument `row`. */
static void make_row(lua_State *L, const cs_term_data *d)
{
    lua_newtable(L);
    lua_createtable(L, 0, 2);
    lua_pushvalue(L, -3);
    lua_pushlightuserdata(L, (void *)(uintptr_t)d);
    lua_pushcclosure(L, row_index, 2);
    lua_setfield(L, -2, "__index");
    cs_script_set_function(L, "__newindex", row_newindex);
    lua_setmetatable(L, -2);
    lua_remove(L, -2);
}

void cs_script_push_row(lua_State *L, const cs_term_data *d, size_t row)
{
    lua_createtable(L, 0, (int)d->n);
    set_numbers(L, lua_gettop(L), d, row);
    make_row(L, d);
}

void cs_script_push_symbolic_row(lua_State *L, cs_graph *g, size_t dim,
                                 const cs_term_data *d)
{
    lua_createtable(L, 0, (int)d->n);
    for (size_t i = 0; i < d->n; i++) {
        push_symbol(L, g, dim, &d->column[i]);
        note_column(L, d, &d->column[i]);
        lua_setfield(L, -2, d->column[i].name);
    }
    make_row(L, d);
}

void cs_script_change_row(lua_State *L, int row, const cs_term_data *d,
                          size_t to)
{
    lua_getmetatable(L, row);
    lua_getfield(L, -1, "__index");
    lua_getupvalue(L, -1, 1);
    set_numbers(L, lua_gettop(L), d, to);
    lua_pop(L, 3);
}
