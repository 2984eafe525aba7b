/* Predictive checks in scripts: data beside replicated data of a run. */
#include "base/memory.h"
#include "run/draws/replications.h"
#include "script/bind/lua_run.h"
#include "script/bind/luaopen.h"
#include "script/state/value.h"
#include "stat/predictive.h"

#include <math.h>
#include <string.h>

static const char meta[] = "chainscope.replications";

typedef struct replications {
    cs_run_replications drawn;
    double *data; /* [n] [own] */
} replications;

static int collect(lua_State *L)
{
    replications *p = luaL_checkudata(L, 1, meta);
    cs_run_replications_free(&p->drawn);
    cs_free(p->data);
    p->data = NULL;
    return 0;
}

static cs_replications view_of(const replications *p)
{
    return (cs_replications){p->data, p->drawn.rep, p->drawn.n, p->drawn.m};
}

/* replications(run, arm, first, data, most): the quantities first, first + 1,
 * ... (from 1), one per number of the list `data`, of at most `most` draws. */
static int make(lua_State *L)
{
    cs_error err;
    size_t rows, cols;
    cs_run *run = cs_script_to_run(L, 1);
    size_t arm = cs_script_check_arm(L, run, 2);
    lua_Integer first = luaL_checkinteger(L, 3), most = luaL_checkinteger(L, 5);
    luaL_argcheck(L, first > 0, 3, "no such quantity");
    luaL_argcheck(L, most > 0, 5, "no draws");
    const double *data = cs_script_numbers(L, 4, "data", &rows, &cols);
    size_t n = rows * cols;
    luaL_argcheck(L, n > 0, 4, "no data");
    replications *p = lua_newuserdatauv(L, sizeof *p, 0);
    *p = (replications){.data = NULL};
    luaL_setmetatable(L, meta);
    p->data = cs_alloc(n, sizeof *p->data);
    if (!p->data)
        return luaL_error(L, "out of memory for data");
    memcpy(p->data, data, n * sizeof *data);
    if (cs_run_replications_copy(run, arm, (size_t)first - 1, n, (size_t)most,
                                 &p->drawn, &err))
        return cs_script_raise(L, &err);
    return 1;
}

/* replicated_size(p): number of replications, and of draws left out because
 * they have numbers that are not finite. */
static int size(lua_State *L)
{
    const replications *p = luaL_checkudata(L, 1, meta);
    lua_pushinteger(L, (lua_Integer)p->drawn.m);
    lua_pushinteger(L, (lua_Integer)p->drawn.left_out);
    return 2;
}

/* ---- views --------------------------------------------------------------- */

/* predictive_views(data): names of the views that are defined for the data. */
static int views(lua_State *L)
{
    size_t rows, cols, n = 0;
    const double *data = cs_script_numbers(L, 1, "data", &rows, &cols);
    const cs_replications r = {data, data, rows * cols, 1};
    lua_newtable(L);
    for (cs_predictive_view k = 0; k < CS_PREDICTIVE_VIEWS; k++)
        if (cs_predictive_fits(k, &r)) {
            lua_pushstring(L, cs_predictive_view_names[k]);
            lua_rawseti(L, -2, (lua_Integer)++n);
        }
    return 1;
}

/* replicated_view(p, name, most): a list of rows, each with the numbers of a
 * cs_predictive_row; nil if the view has no rows. */
static int view(lua_State *L)
{
    enum { COLUMNS = sizeof(cs_predictive_row) / sizeof(double) };
    const replications *p = luaL_checkudata(L, 1, meta);
    int kind = luaL_checkoption(L, 2, NULL,
                                (const char *const[]){"density", "interval",
                                                      "rootogram",
                                                      "calibration", NULL});
    lua_Integer most = luaL_checkinteger(L, 3);
    luaL_argcheck(L, most > 1, 3, "too few rows");
    const cs_replications r = view_of(p);
    size_t rows;
    if (!cs_predictive_fits((cs_predictive_view)kind, &r))
        return 0;
    cs_predictive_row *row = cs_predictive_compute((cs_predictive_view)kind, &r,
                                                   (size_t)most, &rows);
    if (!row)
        return 0;
    /* moves the rows to memory of Lua, which is freed after an error */
    double *held = lua_newuserdatauv(L, rows * sizeof *row, 0);
    memcpy(held, row, rows * sizeof *row);
    cs_free(row);
    lua_createtable(L, (int)rows, 0);
    for (size_t i = 0; i < rows; i++) {
        cs_script_push_numbers(L, held + i * COLUMNS, COLUMNS);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    return 1;
}

/* replicated_cover(p): shares of the observations inside their central 50 % and
 * 90 % intervals. */
static int cover(lua_State *L)
{
    const cs_replications r = view_of(luaL_checkudata(L, 1, meta));
    cs_predictive_cover c = cs_predictive_covered(&r);
    lua_pushnumber(L, c.half);
    lua_pushnumber(L, c.most);
    return 2;
}

/* ---- statistics ---------------------------------------------------------- */

/* predictive_statistics(): the names of the statistics. */
static int statistics(lua_State *L)
{
    const char *name;
    lua_newtable(L);
    for (size_t i = 0; (name = cs_predictive_statistic_name(i)); i++) {
        lua_pushstring(L, name);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    return 1;
}

/* Returns the statistic of y[n]: the value of a name, or of the script's
 * function at stack index 2, which gets a list. */
static double statistic(lua_State *L, cs_predictive_statistic *of,
                        const double *y, size_t n)
{
    if (of)
        return of(y, n);
    lua_pushvalue(L, 2);
    cs_script_push_numbers(L, y, n);
    lua_call(L, 1, 1);
    if (lua_type(L, -1) != LUA_TNUMBER)
        cs_script_fail(L,
                       "a statistic returned a %s: return a number, as in "
                       "function(y) return y[1] end",
                       luaL_typename(L, -1));
    double value = lua_tonumber(L, -1);
    lua_pop(L, 1);
    return value;
}

/* replicated_test(p, statistic): { data =, mean =, low =, high =, p =, error =,
 * values = the statistic of each replication }. The statistic is a name or a
 * function of a list. */
static int test(lua_State *L)
{
    const replications *p = luaL_checkudata(L, 1, meta);
    const cs_replications r = view_of(p);
    cs_predictive_test t;
    bool own = lua_isfunction(L, 2);
    cs_predictive_statistic *of =
        own ? NULL : cs_predictive_statistic_find(luaL_checkstring(L, 2));
    luaL_argcheck(L, own || of, 2, "unknown statistic");
    lua_settop(L, 2);
    double *values = lua_newuserdatauv(L, (r.m + 1) * sizeof *values, 0);
    for (size_t s = 0; s <= r.m; s++) {
        values[s] = statistic(L, of, s == r.m ? r.data : r.rep + s * r.n, r.n);
        if (isnan(values[s]))
            return cs_script_fail(L, "a statistic of the %s is NaN",
                                  s == r.m ? "data" : "replicated data");
    }
    if (!cs_predictive_compare(values[r.m], values, r.m, p->drawn.chains, &t))
        return luaL_error(L, "out of memory for a statistic");
    lua_newtable(L);
    cs_script_set_number(L, "data", t.data);
    cs_script_set_number(L, "mean", t.mean);
    cs_script_set_number(L, "low", t.low);
    cs_script_set_number(L, "high", t.high);
    cs_script_set_number(L, "p", t.p);
    cs_script_set_number(L, "error", t.error);
    cs_script_set_list(L, "values", values, r.m);
    return 1;
}

void cs_script_open_predictive(lua_State *L)
{
    static const luaL_Reg held[] = {{"__gc", collect}, {NULL, NULL}};
    static const luaL_Reg functions[] = {{"replications", make},
                                         {"replicated_size", size},
                                         {"replicated_view", view},
                                         {"replicated_cover", cover},
                                         {"replicated_test", test},
                                         {"predictive_views", views},
                                         {"predictive_statistics", statistics},
                                         {NULL, NULL}};
    cs_script_class(L, meta, "replications", held);
    luaL_setfuncs(L, functions, 0);
}
