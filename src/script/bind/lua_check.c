/* The core function run_check: tests laws on an open run, for scripts that judge
 * kernels. */
#include "base/clock.h"
#include "base/memory.h"
#include "check/check.h"
#include "script/bind/lua_run.h"
#include "script/bind/luaopen.h"
#include "script/state/callback.h"
#include "script/state/value.h"

#include <lauxlib.h>
#include <math.h>

/* Findings in order of their report. The list is in C memory, because laws are
 * tested outside of Lua, where no Lua error may be raised. */
typedef struct findings {
    cs_finding *of; /* [n] [own] */
    size_t n, capacity;
    bool full; /* true: out of memory */
} findings;

static void say(void *to, const cs_finding *f)
{
    findings *l = to;
    if (CS_GROW(l->of, l->n, l->capacity, 1))
        l->of[l->n++] = *f;
    else
        l->full = true;
}

static const char *const verdicts[] = {[CS_HOLDS] = "holds",
                                       [CS_BROKEN] = "broken",
                                       [CS_NOTED] = "noted",
                                       [CS_UNTRIED] = "untried"};

static void push_finding(lua_State *L, const cs_finding *f)
{
    lua_newtable(L);
    if (f->arm)
        cs_script_set_text(L, "arm", f->arm);
    cs_script_set_text(L, "law", f->law);
    cs_script_set_text(L, "verdict", verdicts[f->verdict]);
    cs_script_set_text(L, "text", f->text);
    if (!f->seen.unit)
        return;
    cs_script_set_text(L, "unit", f->seen.unit);
    cs_script_set_number(L, "error", f->seen.error);
    cs_script_set_number(L, "power", f->seen.power);
}

/* Lua arguments: `findings`. Returns them as a list of tables. */
static int push_findings(lua_State *L)
{
    const findings *l = lua_touserdata(L, 1);
    lua_createtable(L, (int)l->n, 0);
    for (size_t i = 0; i < l->n; i++) {
        push_finding(L, &l->of[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    return 1;
}

/* run_check(run, seconds, law, arm, draws, aim): returns the findings of one law, or of all
 * laws if `law` is nil, on one arm or all arms. Then returns the message of the
 * first callback that failed, or nil. `seconds` is the time limit per law and
 * arm; `draws` is the first sample size, by default the one that the time
 * allows. A test whose power suffices for errors of the size `aim` is not
 * continued. */
static int run_check(lua_State *L)
{
    cs_run *run = cs_script_to_change(L, 1);
    findings list = {0};
    cs_error err = {0};
    cs_check c = {.say = say,
                  .to = &list,
                  .seconds = luaL_checknumber(L, 2),
                  .law = luaL_optstring(L, 3, NULL),
                  .arm = luaL_optstring(L, 4, NULL)};
    lua_Number draws = luaL_optnumber(L, 5, 0);
    c.aim = luaL_optnumber(L, 6, 0);
    luaL_argcheck(L, draws >= 0 && draws <= 1e6, 5, "must be at most 1e6");
    c.draws = (size_t)draws;
    luaL_argcheck(L, c.seconds > 0 && isfinite(c.seconds), 2,
                  "must be positive");
    luaL_argcheck(L, !c.law || cs_law_find(c.law), 3, "unknown law");
    cs_status status = cs_check_run(run, &c, &err);
    lua_pushcfunction(L, push_findings);
    lua_pushlightuserdata(L, &list);
    int code = status || list.full ? LUA_OK : lua_pcall(L, 1, 1, 0);
    cs_free(list.of);
    cs_callback *link = cs_callback_of(L);
    if (status)
        return cs_script_raise(L, &err);
    if (list.full || code != LUA_OK)
        return luaL_error(L, "out of memory for the results of the laws");
    if (!link->error[0])
        return 1;
    cs_callback_take(link, L);
    return 2;
}

/* clock(): returns the time in seconds since an arbitrary point. */
static int read_clock(lua_State *L)
{
    lua_pushnumber(L, cs_clock());
    return 1;
}

void cs_script_open_check(lua_State *L)
{
    lua_pushcfunction(L, read_clock);
    lua_setfield(L, -2, "clock");
    lua_pushcfunction(L, run_check);
    lua_setfield(L, -2, "run_check");
}
