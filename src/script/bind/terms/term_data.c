#include "script/bind/terms/term_data.h"

#include "base/memory.h"
#include "script/bind/luaopen.h"
#include "script/state/path.h"
#include "script/state/state.h"
#include "script/state/value.h"

#include <lauxlib.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const char meta[] = "chainscope.data";

static int fail(lua_State *L, const char *what, const char *hint)
{
    cs_error err;
    cs_fail(&err, CS_INPUT, "%s", what);
    cs_hint(&err, "%s", hint);
    return cs_script_raise(L, &err);
}

static int out_of_memory(lua_State *L)
{
    return luaL_error(L, "out of memory for the data");
}

static int collect(lua_State *L)
{
    cs_term_data *d = lua_touserdata(L, 1);
    for (size_t i = 0; i < d->n; i++)
        cs_free(d->column[i].name);
    for (size_t i = 0; i < d->aux_capacity; i++)
        cs_free(d->own[i]);
    CS_FREE_ALL(d->column, d->number, d->own);
    cs_table_free(&d->file);
    *d = (cs_term_data){0};
    return 0;
}

/* ---- columns ------------------------------------------------------------- */

/* Adds a column `name` with `rows` rows to the data table. The caller appends
 * the numbers of the column. */
static void add_column(lua_State *L, cs_term_data *d, const char *name,
                       size_t width, size_t rows)
{
    if (d->n && rows != d->rows)
        fail(L,
             lua_pushfstring(
                 L, "data: column '%s' has %d rows, but column '%s' has %d",
                 name, (int)rows, d->column[0].name, (int)d->rows),
             "give every column one entry for each row");
    if (rows > UINT32_MAX)
        fail(L, "data: there are too many rows", "use at most 4294967295");
    d->rows = rows;
    size_t more = width ? width : 1;
    if (!CS_GROW(d->column, d->n, d->column_capacity, 1) ||
        !CS_GROW(d->number, d->width, d->number_capacity, more))
        out_of_memory(L);
    cs_term_column *c = &d->column[d->n];
    *c = (cs_term_column){cs_copy_text(name), width, d->width};
    if (!c->name)
        out_of_memory(L);
    d->n++;
    d->width += more;
}

static int bad_entry(lua_State *L, const char *name, size_t row)
{
    return fail(L,
                lua_pushfstring(
                    L, "data: row %d of column '%s' is %s", (int)row + 1, name,
                    lua_isnil(L, -1) ? "missing"
                    : lua_type(L, -1) == LUA_TNUMBER
                        ? "not a number"
                        : lua_pushfstring(L, "a %s", luaL_typename(L, -1))),
                "give a number, or a list of numbers, in every row");
}

/* Reads the number on top of the stack and pops it. */
static double number(lua_State *L, const char *name, size_t row)
{
    double v = lua_tonumber(L, -1);
    if (lua_type(L, -1) != LUA_TNUMBER || isnan(v))
        bad_entry(L, name, row);
    lua_pop(L, 1);
    return v;
}

/* Reads row number `row` of a column of vectors. The list on top of the stack
 * has one list per row. */
static void read_vector(lua_State *L, const char *name, size_t row,
                        size_t width, double *to)
{
    if (!lua_istable(L, -1))
        bad_entry(L, name, row);
    size_t n = lua_rawlen(L, -1);
    if (n != width)
        fail(L,
             lua_pushfstring(
                 L,
                 "data: row %d of column '%s' has %d entries, but row 1 has %d",
                 (int)row + 1, name, (int)n, (int)width),
             "give vectors of equal length");
    for (size_t j = 0; j < width; j++) {
        lua_rawgeti(L, -1, (lua_Integer)j + 1);
        to[j] = number(L, name, row);
    }
}

/* Adds to the data table a column that consists of the list on top of the
 * stack. */
static void aux_column(lua_State *L, cs_term_data *d, const char *name)
{
    size_t rows = lua_rawlen(L, -1);
    bool vectors = lua_rawgeti(L, -1, 1) == LUA_TTABLE;
    size_t width = vectors ? lua_rawlen(L, -1) : 0, each = vectors ? width : 1;
    lua_pop(L, 1);
    if (!rows || !each)
        fail(L, lua_pushfstring(L, "data: column '%s' is empty", name),
             "give one entry for each row");
    add_column(L, d, name, width, rows);
    if (!CS_GROW(d->own, d->n - 1, d->aux_capacity, 1) ||
        !(d->own[d->n - 1] = cs_alloc(rows * each, sizeof(double))))
        out_of_memory(L);
    double *to = d->own[d->n - 1];
    for (size_t r = 0; r < rows; r++) {
        lua_rawgeti(L, -1, (lua_Integer)r + 1);
        if (!vectors) {
            to[r] = number(L, name, r);
            continue;
        }
        read_vector(L, name, r, width, to + r * width);
        lua_pop(L, 1);
    }
    for (size_t j = 0; j < each; j++)
        d->number[d->width - each + j] = (cs_strided){to + j, each};
}

/* ---- columns of a file --------------------------------------------------- */

static void open_file(lua_State *L, cs_term_data *d, const char *name)
{
    cs_error err = {0};
    cs_script_push_path(L, name);
    if (cs_table_read(lua_tostring(L, -1), &d->file, &err))
        cs_script_raise(L, &err);
    lua_pop(L, 1);
}

static cs_strided of_file(const cs_term_data *d, size_t column)
{
    return (cs_strided){d->file.data + column, d->file.cols};
}

/* Finds the column of the file whose name is the string on top of the stack. */
static size_t find_column(lua_State *L, const cs_term_data *d)
{
    const char *name = lua_tostring(L, -1);
    const cs_table *file = &d->file;
    if (!file->cols)
        fail(L, lua_pushfstring(L, "data: column '%s' needs a file", name),
             "write data = { file = \"table.csv\", ... }");
    const char **names =
        lua_newuserdatauv(L, (file->cols + 1) * sizeof *names, 0);
    for (size_t j = 0; j < file->cols; j++) {
        names[j] = file->names[j];
        if (name && strcmp(name, names[j]) == 0) {
            lua_pop(L, 1);
            return j;
        }
    }
    names[file->cols] = NULL;
    cs_script_raise_field(L, "the file", name ? name : "?", names);
    return 0;
}

/* Adds columns of the file to the data table. The value on top of the stack
 * names these columns; it is a string or a list of strings. */
static void file_column(lua_State *L, cs_term_data *d, const char *name)
{
    bool list = lua_istable(L, -1);
    size_t width = list ? lua_rawlen(L, -1) : 0, each = list ? width : 1;
    add_column(L, d, name, width, d->file.cols ? d->file.rows : 1);
    for (size_t j = 0; j < each; j++) {
        if (list)
            lua_rawgeti(L, -1, (lua_Integer)j + 1);
        d->number[d->width - each + j] = of_file(d, find_column(L, d));
        if (list)
            lua_pop(L, 1);
    }
}

static void whole_file(lua_State *L, cs_term_data *d)
{
    for (size_t j = 0; j < d->file.cols; j++) {
        add_column(L, d, d->file.names[j], 0, d->file.rows);
        d->number[d->width - 1] = of_file(d, j);
    }
}

/* ---- tables -------------------------------------------------------------- */

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Returns the table's field names, sorted; pushes their owner. */
static const char **push_names(lua_State *L, int table, size_t *n)
{
    size_t i = 0;
    for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1)) {
        if (lua_type(L, -2) != LUA_TSTRING)
            fail(L, "data: a column has no name",
                 "write data = { y = { ... } }");
        i++;
    }
    *n = i;
    const char **names = lua_newuserdatauv(L, (i + 1) * sizeof *names, 0);
    i = 0;
    for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1))
        names[i++] = lua_tostring(L, -2);
    qsort(names, i, sizeof *names, by_name);
    return names;
}

static void read_columns(lua_State *L, cs_term_data *d, int table)
{
    bool file = lua_getfield(L, table, "file") == LUA_TSTRING;
    if (file)
        open_file(L, d, lua_tostring(L, -1));
    size_t n;
    const char **names = push_names(L, table, &n);
    int top = lua_gettop(L);
    for (size_t i = 0; i < n; i++) {
        const char *name = names[i];
        cs_script_check(L);
        if (file && strcmp(name, "file") == 0)
            continue;
        int type = lua_getfield(L, table, name);
        bool text = type == LUA_TSTRING;
        if (type == LUA_TTABLE) {
            text = lua_rawgeti(L, -1, 1) == LUA_TSTRING;
            lua_pop(L, 1);
        } else if (!text)
            fail(L,
                 lua_pushfstring(L, "data: column '%s' is a %s", name,
                                 luaL_typename(L, -1)),
                 "give a list with one entry for each row");
        if (text)
            file_column(L, d, name);
        else
            aux_column(L, d, name);
        lua_settop(L, top);
    }
    if (file && !d->n)
        whole_file(L, d);
}

/* ---- rows ---------------------------------------------------------------- */

/* Returns true if the table on top of the stack is a list of rows, each a table
 * with names. */
static bool is_list_of_rows(lua_State *L)
{
    bool is = lua_rawgeti(L, -1, 1) == LUA_TTABLE;
    lua_pop(L, 1);
    return is;
}

/* Adds to the table of columns on top of the stack the values of the row below
 * it. `columns` is 0 for the first row, which decides the columns. Returns the
 * number of values. */
static size_t add_row(lua_State *L, size_t row, size_t rows, size_t columns)
{
    int to = lua_gettop(L), from = to - 1;
    size_t n = 0;
    for (lua_pushnil(L); lua_next(L, from); lua_pop(L, 1), n++) {
        if (lua_type(L, -2) != LUA_TSTRING)
            fail(L,
                 lua_pushfstring(L, "data: a value of row %d has no name",
                                 (int)row),
                 "write data = { { y = 1, x = 2 }, { y = 3, x = 4 } }");
        lua_pushvalue(L, -2);
        if (lua_rawget(L, to) == LUA_TNIL) {
            if (columns)
                fail(L,
                     lua_pushfstring(L,
                                     "data: row %d has '%s', but row 1 "
                                     "does not",
                                     (int)row, lua_tostring(L, -3)),
                     "give every row the same names");
            lua_pop(L, 1);
            lua_createtable(L, (int)rows, 0);
            lua_pushvalue(L, -3);
            lua_pushvalue(L, -2);
            lua_rawset(L, to);
        }
        lua_pushvalue(L, -2);
        lua_rawseti(L, -2, (lua_Integer)row);
        lua_pop(L, 1);
    }
    return n;
}

/* Raises an error that names a column that the row on top of the stack lacks. */
static int missing_value(lua_State *L, int columns, size_t row)
{
    for (lua_pushnil(L); lua_next(L, columns); lua_pop(L, 1)) {
        lua_pushvalue(L, -2);
        if (lua_rawget(L, -4) == LUA_TNIL)
            return bad_entry(L, lua_tostring(L, -3), row - 1);
        lua_pop(L, 1);
    }
    return 0;
}

/* Replaces the list of rows on top of the stack by a table of columns. */
static void transpose_rows(lua_State *L)
{
    int list = lua_gettop(L);
    size_t rows = lua_rawlen(L, list), columns = 0;
    lua_newtable(L);
    for (size_t row = 1; row <= rows; row++) {
        if (row % 1024 == 0)
            cs_script_check(L);
        if (lua_rawgeti(L, list, (lua_Integer)row) != LUA_TTABLE)
            fail(L,
                 lua_pushfstring(L, "data: row %d is a %s", (int)row,
                                 luaL_typename(L, -1)),
                 "write data = { { y = 1, x = 2 }, { y = 3, x = 4 } }");
        lua_pushvalue(L, list + 1);
        size_t n = add_row(L, row, rows, columns);
        lua_pop(L, 1);
        if (columns && n < columns)
            missing_value(L, list + 1, row);
        columns = n;
        lua_pop(L, 1);
    }
    lua_replace(L, list);
}

cs_term_data *cs_script_read_data(lua_State *L, int fields)
{
    cs_term_data *d = lua_newuserdatauv(L, sizeof *d, 0);
    *d = (cs_term_data){0};
    luaL_setmetatable(L, meta);
    int top = lua_gettop(L);
    int type = lua_getfield(L, fields, "data");
    if (type == LUA_TSTRING) {
        open_file(L, d, lua_tostring(L, -1));
        whole_file(L, d);
    } else {
        if (type == LUA_TTABLE && is_list_of_rows(L))
            transpose_rows(L);
        read_columns(L, d, lua_gettop(L));
    }
    if (!d->n)
        fail(L, "data has no columns", "write data = { y = { ... } }");
    lua_settop(L, top);
    return d;
}

void cs_script_open_term_data(lua_State *L)
{
    static const luaL_Reg methods[] = {{"__gc", collect}, {NULL, NULL}};
    cs_script_class(L, meta, "data", methods);
}
