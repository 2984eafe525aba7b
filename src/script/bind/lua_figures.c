/* The list of figures, and the data of a run from which they are computed. */
#include "figure/figure.h"
#include "run/draws/sample.h"
#include "run/run_facts.h"
#include "script/bind/lua_run.h"
#include "script/bind/luaopen.h"
#include "script/state/sandbox.h"
#include "script/state/value.h"

#include <lauxlib.h>
#include <math.h>
#include <string.h>

static const char facts_name[] = "chainscope.facts";

static cs_run_facts **new_facts(lua_State *L)
{
    cs_run_facts **f = lua_newuserdatauv(L, sizeof *f, 1);
    *f = NULL;
    luaL_setmetatable(L, facts_name);
    return f;
}

static cs_run_facts *to_facts(lua_State *L, int at)
{
    return *(cs_run_facts **)luaL_checkudata(L, at, facts_name);
}

static int facts_gc(lua_State *L)
{
    cs_run_facts **f = luaL_checkudata(L, 1, facts_name);
    cs_run_facts_free(*f);
    *f = NULL;
    return 0;
}

/* Returns to Lua the facts on top of the stack. The facts keep the value at
 * stack index `at` alive. */
static int keep(lua_State *L, const cs_run_facts *f, int at)
{
    if (!f)
        return luaL_error(L, "out of memory for the results of a run");
    lua_pushvalue(L, at);
    lua_setiuservalue(L, -2, 1);
    return 1;
}

/* facts(run, arm, groups): returns the current data of an arm. If `groups` is
 * positive, the chains are divided into that number of groups, and
 * facts_of_sample can leave out one group. */
static int facts(lua_State *L)
{
    cs_run *run = cs_script_to_run(L, 1);
    size_t arm = cs_script_check_arm(L, run, 2);
    lua_Integer groups = luaL_optinteger(L, 3, 0);
    luaL_argcheck(L, groups >= 0 && groups <= CS_RUN_GROUPS, 3,
                  "too many groups");
    cs_run_facts **f = new_facts(L);
    *f = cs_run_facts_new(run, arm, (size_t)groups);
    return keep(L, *f, 1);
}

static void read_groups(lua_State *L, int at, cs_run_sample *s)
{
    s->n = (size_t)luaL_len(L, at);
    luaL_argcheck(L, s->n <= CS_RUN_GROUPS, at, "too many groups");
    for (size_t i = 0; i < s->n; i++) {
        lua_rawgeti(L, at, (lua_Integer)i + 1);
        s->group[i] = (size_t)luaL_checkinteger(L, -1) - 1;
        luaL_argcheck(L, s->group[i] < s->groups, at, "no such group");
        lua_pop(L, 1);
    }
}

/* facts_of_sample(whole, groups, list, without): returns the facts of the
 * groups whose numbers are in the list. Groups are numbered from 1 and may be
 * repeated. `without` is the group that is left out, or nil. */
static int facts_of_sample(lua_State *L)
{
    cs_run_facts *whole = to_facts(L, 1);
    cs_run_sample sample = {.groups = (size_t)luaL_checkinteger(L, 2)};
    size_t without = (size_t)luaL_optinteger(L, 4, CS_RUN_GROUPS + 1) - 1;
    luaL_argcheck(L, sample.groups > 0 && sample.groups <= CS_RUN_GROUPS, 2,
                  "too many groups");
    read_groups(L, 3, &sample);
    cs_run_facts **f = new_facts(L);
    *f = cs_run_facts_sample(whole, &sample, without);
    return keep(L, *f, 1);
}

static double number_field(lua_State *L, int at, const char *name)
{
    lua_getfield(L, at, name);
    double x = luaL_optnumber(L, -1, NAN);
    lua_pop(L, 1);
    return x;
}

static bool takes_level(const cs_figure_type *t)
{
    return t->of == CS_OF_LEVEL || t->of == CS_OF_LAG ||
           t->of == CS_OF_SUPERCHAINS;
}

/* Reads `of`: nil, a number (an arm's index, for figures of an arm), a
 * budget { work =, unit =, arm = }, or { k =, level = }. */
static cs_figure_of question(lua_State *L, int at, const cs_figure_type *t)
{
    cs_figure_of q = cs_figure_of_arm(0);
    if (lua_istable(L, at) && takes_level(t)) {
        q.k = number_field(L, at, "k");
        q.level = number_field(L, at, "level");
    } else if (lua_istable(L, at)) {
        double arm = number_field(L, at, "arm");
        q.work = number_field(L, at, "work");
        lua_getfield(L, at, "unit");
        q.unit = cs_unit_find(luaL_checkstring(L, -1));
        lua_pop(L, 1);
        q.other = arm >= 1 ? (size_t)arm - 1 : CS_OF_NONE;
    } else if (t->of == CS_OF_ARM && !lua_isnoneornil(L, at)) {
        q.other = (size_t)luaL_checkinteger(L, at) - 1;
    } else if (!lua_isnoneornil(L, at)) {
        q.k = luaL_checknumber(L, at);
    }
    return q;
}

/* figure(facts, name, of, at): returns the value of a figure (NaN if undefined)
 * and the index of the quantity that attains this value. If the facts describe
 * a sample of the chains, `at` selects the quantity. */
static int figure(lua_State *L)
{
    cs_error err = {.status = CS_OK};
    cs_run_facts *f = to_facts(L, 1);
    const cs_figure_type *t = cs_figure_find(luaL_checkstring(L, 2));
    luaL_argcheck(L, t, 2, "no such figure");
    cs_figure_of q = question(L, 3, t);
    q.arm = cs_run_facts_arm(f);
    q.value_only = true; /* the error of the effective size needs the diagnosis
                          * of every coordinate */
    if (!lua_isnoneornil(L, 4))
        q.at = (size_t)luaL_checkinteger(L, 4);
    cs_figure found = cs_figure_ask(t, cs_run_facts_of(f, &err), q);
    cs_run_facts_of(f, NULL);
    if (err.status != CS_OK)
        return cs_script_raise(L, &err);
    lua_pushnumber(L, found.value);
    if (found.at == CS_OF_NONE)
        return 1;
    lua_pushinteger(L, (lua_Integer)found.at);
    return 2;
}

/* figure_vague(facts, name): returns the reason why the value of a figure without
 * `of` is too imprecise to compare, to follow the arm's name, or nil. */
static int figure_vague(lua_State *L)
{
    cs_error err = {.status = CS_OK};
    cs_run_facts *f = to_facts(L, 1);
    const cs_figure_type *t = cs_figure_find(luaL_checkstring(L, 2));
    luaL_argcheck(L, t, 2, "no such figure");
    cs_figure_of q = cs_figure_of_arm(cs_run_facts_arm(f));
    cs_figure found = cs_figure_ask(t, cs_run_facts_of(f, &err), q);
    cs_run_facts_of(f, NULL);
    if (err.status != CS_OK)
        return cs_script_raise(L, &err);
    lua_pushstring(L, found.vague); /* nil if NULL */
    return 1;
}

/* The state of facts_derive. */
typedef struct derivation {
    lua_State *L;
    int failed; /* 0, or the status of lua_pcall; the error is on the stack */
} derivation;

enum { TAKES = 2, DRAW }; /* places on the stack */

/* Calls the function with a draw: a table whose element 0 is log p. */
static bool call_function(void *self, const double *x, size_t quantities,
                          double *value)
{
    derivation *s = self;
    lua_State *L = s->L;
    for (size_t i = 0; i <= quantities; i++) {
        lua_pushnumber(L, x[i]);
        lua_rawseti(L, DRAW, (lua_Integer)i);
    }
    lua_pushvalue(L, TAKES);
    lua_pushvalue(L, DRAW);
    s->failed = lua_pcall(L, 1, 1, 0);
    if (s->failed)
        return false;
    *value = lua_tonumber(L, -1);
    lua_pop(L, 1);
    return true;
}

/* facts_derive(facts, f): computes f(draw), a number, for each draw of the arm.
 * Returns the number of the new quantity, which figures take as a coordinate;
 * nil: there are no draws. */
static int facts_derive(lua_State *L)
{
    cs_error err;
    cs_run_facts *f = to_facts(L, 1);
    derivation s = {.L = L};
    bool stopped = false;
    luaL_checktype(L, TAKES, LUA_TFUNCTION);
    lua_settop(L, TAKES);
    lua_newtable(L);
    luaL_checkstack(L, 8, NULL);
    err.status = CS_OK;
    size_t k = cs_run_facts_derive(f, call_function, &s, &stopped, &err);
    if (s.failed)
        return lua_error(L);
    if (err.status == CS_MEMORY)
        return cs_script_raise(L, &err);
    if (!k)
        return 0;
    lua_pushinteger(L, (lua_Integer)k);
    return 1;
}

/* compile(text, names): compiles a Lua expression whose names are looked up in
 * the table `names`. Returns a function, or nil and the error. */
static int compile(lua_State *L)
{
    size_t n;
    luaL_checktype(L, 2, LUA_TTABLE);
    luaL_checkstring(L, 1);
    lua_pushliteral(L, "return ");
    lua_pushvalue(L, 1);
    lua_concat(L, 2);
    const char *text = lua_tolstring(L, -1, &n);
    if (cs_sandbox_load(L, text, n, "=expression") != LUA_OK) {
        lua_pushnil(L);
        lua_insert(L, -2);
        return 2;
    }
    lua_pushvalue(L, 2);
    if (!lua_setupvalue(L, -2, 1)) /* the expression has no names */
        lua_pop(L, 1);
    return 1;
}

/* function_line(f): returns the file and the line of a function, "a.lua:12". */
static int function_line(lua_State *L)
{
    lua_Debug at;
    luaL_checktype(L, 1, LUA_TFUNCTION);
    lua_settop(L, 1);
    lua_getinfo(L, ">S", &at);
    lua_pushfstring(L, "%s:%d", at.short_src, at.linedefined);
    return 1;
}

static void set_text(lua_State *L, const char *key, const char *text)
{
    if (!text || !*text)
        return;
    lua_pushstring(L, text);
    lua_setfield(L, -2, key);
}

static void set_flags(lua_State *L, const cs_figure_type *t)
{
    static const struct {
        unsigned flag;
        const char *name;
    } flags[] = {
        {CS_FIGURE_NEEDS, "needs"},   {CS_FIGURE_TOTAL, "total"},
        {CS_FIGURE_REACHED, "grows"}, {CS_FIGURE_STEADY, "steady"},
        {CS_FIGURE_FAST, "fast"},     {CS_FIGURE_SCALED, "scaled"},
        {CS_FIGURE_COST, "cost"},     {CS_FIGURE_STOPS, "stops"},
        {CS_FIGURE_LOGP, "logp"},     {CS_FIGURE_ALL_WORK, "all_work"},
    };
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        if (!(t->flags & flags[i].flag))
            continue;
        lua_pushboolean(L, true);
        lua_setfield(L, -2, flags[i].name);
    }
}

static void push_type(lua_State *L, const cs_figure_type *t)
{
    static const lua_Integer sides[] = {
        [CS_MERIT_MORE] = 1, [CS_MERIT_LESS] = -1};
    lua_newtable(L);
    set_text(L, "name", t->name);
    set_text(L, "title", t->title);
    set_text(L, "unit", t->unit);
    set_text(L, "help", t->help);
    set_text(L, "probe", t->probe);
    set_text(L, "of", cs_figure_kind_name(t->of));
    set_text(L, "spread", cs_figure_spread_name(t->spread));
    set_flags(L, t);
    lua_pushboolean(L, t->of == CS_OF_PLAIN_BUDGET);
    lua_setfield(L, -2, "plain");
    if (t->merit != CS_MERIT_NONE) {
        lua_pushinteger(L, sides[t->merit]);
        lua_setfield(L, -2, "good");
    }
    if (t->high > t->low) {
        const double range[] = {t->low, t->high};
        cs_script_push_numbers(L, range, 2);
        lua_setfield(L, -2, "range");
    }
}

/* figures(): returns the figures available to scripts, as a table that maps
 * names to rows. */
static int figures(lua_State *L)
{
    const cs_figure_type *t;
    lua_newtable(L);
    for (size_t i = 0; (t = cs_figure_at(i)); i++) {
        if (t->of == CS_OF_WORK)
            continue;
        push_type(L, t);
        lua_setfield(L, -2, t->name);
    }
    return 1;
}

/* figure_is_unranked(name, work, other): `work` and `other` are the amounts of
 * work of two arms. Returns nil if the figure can rank the arms. Otherwise
 * returns a sentence that says why it cannot. */
static int figure_is_unranked(lua_State *L)
{
    const cs_figure_type *t = cs_figure_find(luaL_checkstring(L, 1));
    double a = luaL_checknumber(L, 2), b = luaL_checknumber(L, 3);
    char why[160];
    luaL_argcheck(L, t, 1, "no such figure");
    if (!cs_figure_is_unranked(t, fmin(a, b), fmax(a, b), why, sizeof why))
        return 0;
    lua_pushstring(L, why);
    return 1;
}

void cs_script_open_figures(lua_State *L)
{
    static const luaL_Reg functions[] = {
        {"facts", facts},
        {"facts_of_sample", facts_of_sample},
        {"figure", figure},
        {"figure_vague", figure_vague},
        {"figure_is_unranked", figure_is_unranked},
        {"figures", figures},
        {"facts_derive", facts_derive},
        {"function_line", function_line},
        {"compile", compile},
        {NULL, NULL}};
    luaL_newmetatable(L, facts_name);
    lua_pushcfunction(L, facts_gc);
    lua_setfield(L, -2, "__gc");
    lua_pop(L, 1);
    luaL_setfuncs(L, functions, 0);
}
