/* cs.lpdf and its relatives, the functions of cs.math that are formulas, and
 * the transforms of parameters: the tables of src/density as functions of
 * scripts. */
#include "density/density.h"
#include "density/transform.h"
#include "script/bind/luaopen.h"
#include "script/bind/terms/term_row.h"
#include "script/math/expression.h"
#include "script/math/symbol.h"
#include "script/state/value.h"

#include <lauxlib.h>
#include <string.h>

static const char box_meta[] = "chainscope.densities.box";
static const char box_key[] = "chainscope.densities"; /* in the registry */

/* The densities of a Lua state, and the calculation of a call. A calculation
 * that remains after an error is closed by the next call. */
typedef struct box {
    cs_densities *all;
    cs_calc calc;
    bool busy; /* the calculation is open */
} box;

/* A function of a script: the first upvalue of its closure. */
typedef struct entry {
    box *box;
    cs_density *density;
    bool each;
} entry;

static void close_calculation(box *b)
{
    if (b->busy)
        cs_calc_close(&b->calc);
    b->busy = false;
}

static int free_box(lua_State *L)
{
    box *b = lua_touserdata(L, 1);
    close_calculation(b);
    cs_densities_destroy(b->all);
    b->all = NULL;
    return 0;
}

/* ---- arguments ----------------------------------------------------------- */

/* Reads the n numbers of the list at `index` to v[n]; returns false if it has
 * other entries. */
static bool read_numbers(lua_State *L, int index, size_t n, double *v)
{
    bool all = true;
    for (size_t i = 0; i < n && all; i++) {
        all = lua_rawgeti(L, index, (lua_Integer)i + 1) == LUA_TNUMBER;
        v[i] = lua_tonumber(L, -1);
        lua_pop(L, 1);
    }
    return all;
}

_Noreturn static void fail_entries(lua_State *L)
{
    cs_symbol_fail(L, "the entries of this list differ in length",
                   "give a list of numbers, or for a matrix a list of equally "
                   "long lists; cs.math.pack joins vectors");
    __builtin_unreachable();
}

/* Raises an error if the value on top of the stack is an empty list, or neither
 * a number nor a list. Returns its length; 0 for a number. */
static size_t checked_length(lua_State *L, const cs_trace *t)
{
    int type = lua_type(L, -1);
    size_t n = type == LUA_TTABLE ? lua_rawlen(L, -1) : 0;
    if (type != LUA_TNUMBER && !n)
        cs_symbol_read(L, t, NULL, lua_gettop(L), 1); /* raises the error */
    return n;
}

/* Reads row i of a list of rows to v[cols]. */
static void read_row(lua_State *L, const cs_trace *t, int index, size_t i,
                     size_t cols, double *v)
{
    lua_rawgeti(L, index, (lua_Integer)i + 1);
    size_t n = checked_length(L, t);
    if (n != cols)
        fail_entries(L);
    for (size_t k = 0; k < n; k++) {
        lua_rawgeti(L, -1, (lua_Integer)k + 1);
        if (checked_length(L, t))
            fail_entries(L);
        v[k] = lua_tonumber(L, -1);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
}

/* Reads a list of equally long lists of numbers. Pushes the owner of its
 * memory. */
static cs_arg read_rows(lua_State *L, const cs_trace *t, int index, size_t rows)
{
    size_t cols = 0;
    for (size_t i = 0; i < rows; i++) {
        lua_rawgeti(L, index, (lua_Integer)i + 1);
        size_t n = checked_length(L, t);
        cols = i ? cols : n;
        lua_pop(L, 1);
        if (!n || n != cols)
            cols = 0;
    }
    if (!cols)
        fail_entries(L);
    double *v = lua_newuserdatauv(L, rows * cols * sizeof *v, 0);
    for (size_t i = 0; i < rows; i++)
        read_row(L, t, index, i, cols, v + i * cols);
    return cs_known_matrix(v, rows, cols);
}

static cs_arg operand_of(const cs_graph *g, cs_symbol s)
{
    cs_arg x = cs_node_arg(g, s.node);
    x.rank = s.rank;
    x.rows = s.rows;
    x.cols = s.cols;
    return x;
}

/* Reads a list. Pushes the owner of its memory if it has only numbers. */
static cs_arg read_list(lua_State *L, const cs_trace *t, int index)
{
    size_t n = lua_rawlen(L, index);
    if (n < 1 || n > UINT32_MAX / 2) /* raises an error */
        cs_symbol_read(L, t, NULL, index, 0);
    double *v = lua_newuserdatauv(L, n * sizeof *v, 0);
    if (read_numbers(L, index, n, v))
        return cs_known_vector(v, n);
    if (!cs_symbol_within(L, index, 0))
        return read_rows(L, t, index, n);
    cs_graph *g = cs_trace_graph(L, t);
    g->recorded++;
    return operand_of(g, cs_symbol_read(L, t, g, index, 0));
}

static cs_arg read_argument(lua_State *L, const cs_trace *t, cs_calc *c,
                            int index)
{
    const cs_expression *e = cs_expression_at(L, index);
    if (e)
        return operand_of(t->graph,
                          cs_symbol_of(L, t, cs_trace_graph(L, t), e));
    if (lua_type(L, index) == LUA_TNUMBER)
        return cs_calc_number(c, lua_tonumber(L, index));
    if (lua_istable(L, index))
        return read_list(L, t, index);
    cs_symbol_read(L, t, t->graph, index, 0); /* raises an error */
    return (cs_arg){0};
}

/* Fails if argument i is a column of data with a value outside the domain. */
static void check_column(lua_State *L, cs_calc *c, const cs_density *d,
                         size_t i)
{
    double value;
    const char *kind = cs_density_column_kind(&d->argument[i]);
    size_t row = kind ? cs_script_column_lacks(L, (int)i + 1, kind, &value) : 0;
    if (row)
        cs_density_fail_column(c, d, i, value, row);
}

/* ---- calls --------------------------------------------------------------- */

static void push_known(lua_State *L, cs_arg y)
{
    if (y.rank == 0)
        lua_pushnumber(L, *y.v);
    else if (y.rank == 1)
        cs_script_push_vector(L, y.v, y.size);
    else {
        lua_createtable(L, (int)y.rows, 0);
        for (size_t i = 0; i < y.rows; i++) {
            cs_script_push_vector(L, y.v + i * y.cols, y.cols);
            lua_rawseti(L, -2, (lua_Integer)i + 1);
        }
        cs_script_make_vector(L);
    }
}

static int fail_call(lua_State *L, box *b)
{
    cs_graph *g = b->calc.graph;
    cs_error err = b->calc.err;
    close_calculation(b);
    return g && g->status ? cs_symbol_refuse(L, g) : cs_script_raise(L, &err);
}

static int fail_count(lua_State *L, const cs_density *d)
{
    char text[128];
    return cs_script_fail(L, "%s takes (%s)", d->label,
                          cs_density_arguments(d, text, sizeof text));
}

/* Opens the calculation of a call. `name` is borrowed. */
static cs_calc *open_calculation(lua_State *L, box *b, cs_trace *t,
                                 const char *name)
{
    if (t->graph && t->graph->lines)
        t->graph->line = cs_script_line_of(L, &t->caller);
    close_calculation(b);
    cs_calc_open(&b->calc, t->graph);
    b->busy = true;
    b->calc.densities = b->all;
    b->calc.name = name;
    return &b->calc;
}

/* Pushes a result: a symbol, or plain numbers. */
static void push_result(lua_State *L, const cs_trace *t, cs_arg y)
{
    if (cs_is_known(y))
        push_known(L, y);
    else
        cs_symbol_push_here(L, t,
                            (cs_symbol){y.node, y.rank & 3, y.rows, y.cols});
}

static int call(lua_State *L)
{
    const entry *e = lua_touserdata(L, lua_upvalueindex(1));
    const cs_density *d = e->density;
    cs_trace *t = cs_trace_here(L);
    cs_arg x[CS_DENSITY_ARGUMENTS];
    if ((size_t)lua_gettop(L) != d->n)
        return fail_count(L, d);
    cs_calc *c = open_calculation(L, e->box, t, d->label);
    luaL_checkstack(L, 2 * CS_DENSITY_ARGUMENTS + 8, NULL);
    for (size_t i = 0; i < d->n; i++) {
        x[i] = read_argument(L, t, c, (int)i + 1);
        x[i].column = !x[i].rank && cs_script_is_column(L, (int)i + 1);
        check_column(L, c, d, i);
    }
    cs_arg y = {0};
    if (!c->err.status && cs_density_check(c, d, x, t->graph != NULL))
        y = cs_density_value(c, e->density, x, e->each);
    if (!y.size)
        return fail_call(L, e->box);
    push_result(L, t, y);
    close_calculation(e->box);
    return 1;
}

/* ---- transforms ---------------------------------------------------------- */

/* Reads the arguments form, x, rows, cols: the transform, and its shape. */
static const cs_transform *read_transform(lua_State *L, cs_transform_shape *s)
{
    enum { FORM = 1, ROWS = 3, COLS };
    const cs_transform *f = cs_transform_find(luaL_checkstring(L, FORM));
    luaL_argcheck(L, f, FORM, "there is no such form");
    *s = (cs_transform_shape){.rows = (size_t)luaL_optinteger(L, ROWS, 0),
                              .cols = (size_t)luaL_optinteger(L, COLS, 0)};
    return f;
}

/* constrain(form, u, rows, cols, low, high): returns the value for the
 * unconstrained u, and the log of the Jacobian. rows and cols are nil for a
 * number or a vector. */
static int constrain(lua_State *L)
{
    enum { U = 2, LOW = 5, HIGH };
    box *b = lua_touserdata(L, lua_upvalueindex(1));
    cs_trace *t = cs_trace_here(L);
    cs_transform_shape s;
    const cs_transform *f = read_transform(L, &s);
    lua_settop(L, HIGH);
    luaL_checkstack(L, 16, NULL);
    cs_calc *c = open_calculation(L, b, t, "params");
    cs_arg log_jacobian = {0}, u = read_argument(L, t, c, U);
    if (!lua_isnil(L, LOW)) {
        s.low = read_argument(L, t, c, LOW);
        s.high = read_argument(L, t, c, HIGH);
    }
    cs_arg y = f->map(c, u, &s, &log_jacobian);
    if (!y.size || !log_jacobian.size || c->err.status)
        return fail_call(L, b);
    if (s.cols && !f->square)
        y = cs_calc_shape(y, s.rows, s.cols);
    push_result(L, t, y);
    push_result(L, t, log_jacobian);
    close_calculation(b);
    return 2;
}

/* unconstrain(form, y, rows, cols, low, high): returns the unconstrained
 * numbers of a value, a list of numbers in row-major order. Numbers that are
 * not finite mean that the value does not meet the constraint; finite numbers
 * do not mean that it does. */
static int unconstrain(lua_State *L)
{
    enum { Y = 2, LOW = 5, HIGH };
    cs_transform_shape s;
    const cs_transform *f = read_transform(L, &s);
    double low = luaL_optnumber(L, LOW, 0), high = luaL_optnumber(L, HIGH, 0);
    s.low = cs_known_vector(&low, 1);
    s.high = cs_known_vector(&high, 1);
    luaL_checktype(L, Y, LUA_TTABLE);
    size_t n = lua_rawlen(L, Y), dim = cs_transform_dim(f, &s);
    size_t rows = s.rows ? s.rows : 1, cols = s.cols ? s.cols : 1;
    double *y = lua_newuserdatauv(L, (n + dim + 1) * sizeof *y, 0), *u = y + n;
    luaL_argcheck(L, n == rows * cols && read_numbers(L, Y, n, y), Y,
                  "give one number per entry");
    f->inverse(y, &s, u);
    cs_script_push_vector(L, u, dim);
    return 1;
}

/* transforms(): returns a list of { name, arguments, help, least size, whether
 * the value is a square matrix }. */
static int transforms(lua_State *L)
{
    lua_createtable(L, (int)cs_transforms_n, 0);
    for (size_t i = 0; i < cs_transforms_n; i++) {
        const cs_transform *f = &cs_transforms[i];
        const char *const text[] = {f->name, f->arguments, f->help};
        lua_createtable(L, 5, 0);
        for (int k = 0; k < 3; k++) {
            lua_pushstring(L, text[k]);
            lua_rawseti(L, -2, k + 1);
        }
        lua_pushinteger(L, (lua_Integer)f->least);
        lua_rawseti(L, -2, 4);
        lua_pushboolean(L, f->square);
        lua_rawseti(L, -2, 5);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    return 1;
}

/* transform_dim(form, x, rows, cols): returns the number of unconstrained
 * numbers; x is ignored. */
static int transform_dim(lua_State *L)
{
    cs_transform_shape s;
    const cs_transform *f = read_transform(L, &s);
    lua_pushinteger(L, (lua_Integer)cs_transform_dim(f, &s));
    return 1;
}

/* ---- tables -------------------------------------------------------------- */

/* Pushes the function of a density. The box is at stack index `owner`. */
static void push_function(lua_State *L, int owner, cs_density *d, bool each)
{
    entry *e = lua_newuserdatauv(L, sizeof *e, 1);
    *e = (entry){lua_touserdata(L, owner), d, each};
    lua_pushvalue(L, owner);
    lua_setiuservalue(L, -2, 1);
    cs_trace_closure(L, call);
}

/* Appends { name, arguments, help } to the list on top of the stack. */
static void append_row(lua_State *L, const cs_density *d)
{
    char text[128];
    const char *const row[] = {
        d->row->name, cs_density_arguments(d, text, sizeof text), d->row->help};
    lua_createtable(L, 3, 0);
    for (int k = 0; k < 3; k++) {
        lua_pushstring(L, row[k]);
        lua_rawseti(L, -2, k + 1);
    }
    lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1);
}

/* densities(kind): returns the functions of this kind, such as "lpdf", as a
 * table by name; the functions that return one value per entry; and a list of
 * { name, arguments, help }. */
static int densities(lua_State *L)
{
    enum { OWNER = 2, TOTAL, EACH, ROWS };
    const char *kind = luaL_checkstring(L, 1);
    lua_settop(L, 1);
    lua_getfield(L, LUA_REGISTRYINDEX, box_key);
    box *b = lua_touserdata(L, OWNER);
    for (int i = TOTAL; i <= ROWS; i++)
        lua_newtable(L);
    for (size_t i = 0; i < b->all->n; i++) {
        cs_density *d = &b->all->all[i];
        if (strcmp(cs_density_kind_names[d->kind], kind) != 0)
            continue;
        push_function(L, OWNER, d, false);
        lua_setfield(L, TOTAL, d->row->name);
        if (!d->row->whole) {
            push_function(L, OWNER, d, true);
            lua_setfield(L, EACH, d->row->name);
        }
        append_row(L, d);
    }
    return 3;
}

/* Adds the functions of cs.math that are formulas to the fields `math` and
 * `math_rows` of the table on top of the stack. The box is at index `owner`. */
static void add_words(lua_State *L, int owner)
{
    int core = lua_gettop(L);
    box *b = lua_touserdata(L, owner);
    lua_getfield(L, core, "math");
    lua_getfield(L, core, "math_rows");
    for (size_t i = 0; i < b->all->n; i++) {
        cs_density *d = &b->all->all[i];
        if (d->kind != CS_DENSITY_WORD)
            continue;
        push_function(L, owner, d, true);
        lua_setfield(L, -3, d->row->name);
        append_row(L, d);
    }
    lua_settop(L, core);
}

void cs_script_open_density(lua_State *L)
{
    static const luaL_Reg methods[] = {{"__gc", free_box}, {NULL, NULL}};
    cs_error err;
    cs_script_class(L, box_meta, "densities", methods);
    box *b = lua_newuserdatauv(L, sizeof *b, 0);
    b->all = NULL;
    b->busy = false;
    luaL_setmetatable(L, box_meta);
    if (cs_densities_create(&b->all, &err))
        cs_script_raise(L, &err);
    lua_pushvalue(L, -1);
    lua_setfield(L, LUA_REGISTRYINDEX, box_key);
    lua_insert(L, -2);
    add_words(L, lua_gettop(L) - 1);
    lua_pushvalue(L, -2);
    cs_trace_closure(L, constrain);
    lua_setfield(L, -2, "constrain");
    lua_remove(L, -2);
    cs_script_set_function(L, "unconstrain", unconstrain);
    cs_script_set_function(L, "transforms", transforms);
    cs_script_set_function(L, "transform_dim", transform_dim);
    cs_script_set_function(L, "densities", densities);
}
