/* The userdata of a run: functions that advance and change it. */
#include "script/bind/lua_run.h"
#include "base/clock.h"
#include "base/decimal.h"
#include "run/arms/arms.h"
#include "run/arms/limits.h"
#include "run/history/changes.h"
#include "run/history/script_memory.h"
#include "run/rewind.h"
#include "run/run.h"
#include "run/run_replay.h"
#include "run/save.h"
#include "run/views/stopped.h"
#include "run/views/view.h"

#include "script/bind/lua_kernel.h"
#include "script/bind/lua_schedule.h"
#include "script/bind/luaopen.h"
#include "script/state/callback.h"
#include "script/state/state.h"
#include "script/state/value.h"

#include <lauxlib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char meta[] = "chainscope.run";

cs_script_run *cs_script_push_run(lua_State *L, cs_run *run)
{
    cs_script_run *box = lua_newuserdatauv(L, sizeof *box, 2);
    *box = (cs_script_run){run, false};
    luaL_setmetatable(L, meta);
    lua_newtable(L);
    lua_setiuservalue(L, -2, 2);
    return box;
}

/* Key in the registry of a list with weak values: its entry 1 is the userdata of
 * the run that was opened last. */
static const char latest;

void cs_script_set_latest_run(lua_State *L, int index)
{
    index = lua_absindex(L, index);
    lua_createtable(L, 1, 0);
    lua_createtable(L, 0, 1);
    lua_pushliteral(L, "v");
    lua_setfield(L, -2, "__mode");
    lua_setmetatable(L, -2);
    lua_pushvalue(L, index);
    lua_rawseti(L, -2, 1);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &latest);
}

cs_run *cs_script_latest_run(lua_State *L)
{
    cs_run *run = NULL;
    if (lua_rawgetp(L, LUA_REGISTRYINDEX, &latest) == LUA_TTABLE) {
        lua_rawgeti(L, -1, 1);
        const cs_script_run *box = luaL_testudata(L, -1, meta);
        run = box ? box->run : NULL;
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    return run;
}

cs_run *cs_script_to_run(lua_State *L, int index)
{
    cs_script_run *box = luaL_checkudata(L, index, meta);
    if (!box->run)
        cs_script_fail(L, "this run is closed");
    if (cs_callback_of(L)->calling)
        cs_script_fail(L, "the run is busy: use it between steps, not "
                          "in its own density, kernel or schedule");
    return box->run;
}

cs_run *cs_script_to_change(lua_State *L, int index)
{
    if (cs_callback_of(L)->looking)
        cs_script_fail(L, "a panel cannot advance or change the run: do this "
                          "in setup, with run:every(n, f)");
    return cs_script_to_run(L, index);
}

/* run_changes(run): raises an error if the run may not be changed. */
static int run_changes(lua_State *L)
{
    cs_script_to_change(L, 1);
    return 0;
}

static int collect(lua_State *L)
{
    cs_script_run *box = lua_touserdata(L, 1);
    if (box->own)
        cs_run_destroy(box->run);
    box->run = NULL;
    return 0;
}

size_t cs_script_check_arm(lua_State *L, const cs_run *run, int index)
{
    double i = lua_tonumber(L, index); /* 0 if the value is not a number */
    size_t arms = cs_run_arms(run);
    if (!(i >= 1 && i <= (double)arms && i == floor(i)))
        cs_script_fail(L, "there is no arm %s: the run has %zu arms",
                       luaL_tolstring(L, index, NULL), arms);
    return (size_t)i - 1;
}

size_t cs_script_check_chain(lua_State *L, const cs_run *run, size_t arm,
                             int index)
{
    double i = lua_tonumber(L, index); /* 0 if the value is not a number */
    size_t chains = cs_run_arm(run, arm).chains;
    if (!(i >= 1 && i <= (double)chains && i == floor(i)))
        cs_script_fail(L, "there is no chain %s: the arm has %zu chains",
                       luaL_tolstring(L, index, NULL), chains);
    return (size_t)i - 1;
}

int cs_script_raise_fault(lua_State *L, cs_callback *link, cs_run *run)
{
    char text[512];
    cs_callback_take(link, L);
    bool reported = cs_run_fault(run, text, sizeof text);
    if (reported && luaL_testudata(L, 1, meta)) { /* stores the message for
                                                   * run:fault() */
        lua_getiuservalue(L, 1, 2);
        lua_pushvalue(L, -2);
        lua_setfield(L, -2, "fault");
        lua_pop(L, 1);
    }
    const char *where = reported ? strstr(text, " in chain ") : NULL;
    if (reported) /* the script's error caused the NaN */
        lua_pushfstring(L, " (%s)", where ? where + 1 : text);
    else
        lua_pushliteral(L, "");
    lua_concat(L, 2);
    return lua_error(L);
}

/* run_advance(run, n): returns the number of steps done. Callbacks run on this
 * thread. Steps are done in slices; interrupts and deadlines are tested between
 * slices. */
static int run_advance(lua_State *L)
{
    cs_run *run = cs_script_to_change(L, 1);
    lua_Integer n = luaL_checkinteger(L, 2);
    luaL_argcheck(L, n >= 0, 2, "must be at least 0");
    cs_callback *link = cs_callback_of(L);
    lua_State *before = link->L;
    cs_error err = {0};
    uint64_t done = 0, part = 1, slice = 16, left = (uint64_t)n;
    cs_status s = CS_OK;
    cs_callback_forget(link);
    while (s == CS_OK && left && part) {
        double t = cs_clock();
        link->L = L;
        s = cs_run_advance(run, left < slice ? left : slice, &part, &err);
        link->L = before;
        done += part;
        left = part < slice ? 0 : left - part;
        if (link->error[0])
            return cs_script_raise_fault(L, link, run);
        cs_script_check(L);
        if (cs_clock() - t < 0.005)
            slice *= 2;
    }
    if (s)
        return cs_script_raise(L, &err);
    lua_pushinteger(L, (lua_Integer)done);
    return 1;
}

/* Returns a value of the script as text; numbers are written without loss. */
static const char *text_of(lua_State *L, int index)
{
    char digits[CS_DECIMAL];
    if (lua_type(L, index) != LUA_TNUMBER)
        return luaL_checkstring(L, index);
    size_t n = cs_decimal_put(lua_tonumber(L, index), digits);
    return lua_pushlstring(L, digits, n);
}

/* run_set(run, arm, name, value): sets a parameter to a number, a string or a
 * schedule (see cs_run_set_text). */
static int run_set(lua_State *L)
{
    cs_run *run = cs_script_to_change(L, 1);
    size_t arm = cs_script_check_arm(L, run, 2);
    const char *name = luaL_checkstring(L, 3);
    const cs_schedule *schedule = cs_script_to_schedule(L, 4);
    cs_error err = {0};
    cs_status s;
    if (schedule) {
        lua_getiuservalue(L, 1, 2);
        lua_pushvalue(L, 4);
        luaL_ref(L, -2);
        s = cs_run_set_schedule(run, arm, name, schedule, &err);
    } else {
        s = cs_run_set_text(run, arm, name, text_of(L, 4), &err);
    }
    return s ? cs_script_raise(L, &err) : 0;
}

/* run_journal(run): returns the changes of the run, with their steps, as
 * text. */
static int run_journal(lua_State *L)
{
    char *text;
    cs_error err = {0};
    if (cs_run_journal_text(cs_script_to_run(L, 1), &text, &err))
        return cs_script_raise(L, &err);
    cs_page p = {.text = text, .used = strlen(text)};
    return cs_script_push_page(L, &p);
}

/* run_save(run): returns the state of the run as bytes (cs_run_save). */
static int run_save(lua_State *L)
{
    unsigned char *bytes;
    size_t size;
    cs_error err = {0};
    if (cs_run_save(cs_script_to_run(L, 1), &bytes, &size, &err))
        return cs_script_raise(L, &err);
    cs_page p = {.text = (char *)bytes, .used = size};
    return cs_script_push_page(L, &p);
}

/* run_load(run, bytes): restores a saved state. */
static int run_load(lua_State *L)
{
    cs_run *run = cs_script_to_change(L, 1);
    size_t size;
    const char *bytes = luaL_checklstring(L, 2, &size);
    cs_callback *link = cs_callback_of(L);
    lua_State *before = link->L;
    cs_error err = {0};
    cs_callback_forget(link);
    link->L = L; /* needed because loading compares log densities, which may
                  * call Lua */
    cs_status s = cs_run_load(run, (const unsigned char *)bytes, size, &err);
    link->L = before;
    if (link->error[0])
        return cs_script_raise_fault(L, link, run);
    return s ? cs_script_raise(L, &err) : 0;
}

/* run_replay(run, text): applies a journal to a new run. */
static int run_replay(lua_State *L)
{
    cs_run *run = cs_script_to_change(L, 1);
    const char *text = luaL_checkstring(L, 2);
    cs_callback *link = cs_callback_of(L);
    lua_State *before = link->L;
    cs_error err = {0};
    link->L = L;
    cs_status s = cs_run_replay(run, text, &err);
    link->L = before;
    return s ? cs_script_raise(L, &err) : 0;
}

/* ---- state of events, for runs that a script advances ---- */

static const char recall_key = 0;

/* run_recall(f): sets the function f(run, text, only_look), which restores the
 * state in the text. If only_look is true, f only checks whether the state can
 * be restored. */
static int run_recall(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TFUNCTION);
    lua_settop(L, 1);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &recall_key);
    return 0;
}

/* Calls the function that restores the state of events. Lua arguments: run,
 * text, only_look. */
static int recall_text(lua_State *L)
{
    lua_rawgetp(L, LUA_REGISTRYINDEX, &recall_key);
    lua_insert(L, 1);
    lua_call(L, 3, 0);
    return 0;
}

/* Restores the state of events. Takes the run from stack index 1, because in
 * this file the run is the first argument of every function that advances a
 * run. */
static cs_status recall(void *self, cs_run *run, const char *text,
                        bool only_look, cs_error *err)
{
    lua_State *L = ((cs_callback *)self)->L;
    (void)run;
    if (!L || !lua_checkstack(L, 5))
        return cs_fail(err, CS_MEMORY, "out of memory for the state of events");
    lua_pushcfunction(L, recall_text);
    lua_pushvalue(L, 1);
    lua_pushstring(L, text);
    lua_pushboolean(L, only_look);
    if (lua_pcall(L, 3, 0, 0) == LUA_OK)
        return CS_OK;
    const char *why = lua_tostring(L, -1);
    cs_fail(err, CS_INPUT, "%s", why ? why : "the state of events is lost");
    lua_pop(L, 1);
    return CS_INPUT;
}

void cs_script_recalls(lua_State *L, cs_run *run)
{
    cs_run_remembers(run, recall, cs_callback_of(L));
}

/* run_remember(run, text): stores the state of the run's events. Stores nothing
 * if the run is at a step in the past: the state for that step was stored when
 * the run first reached the step. */
static int run_remember(lua_State *L)
{
    cs_run *run = cs_script_to_run(L, 1);
    const char *text = luaL_checkstring(L, 2);
    cs_error err = {0};
    if (cs_run_end(run) == cs_run_steps(run) &&
        (*text || cs_run_remembered(run)) && cs_run_remember(run, text, &err))
        return cs_script_raise(L, &err);
    return 0;
}

/* run_is_own(run): returns true if the run is advanced by a script and not by a
 * session. */
static int run_is_own(lua_State *L)
{
    const cs_script_run *box = luaL_checkudata(L, 1, meta);
    lua_pushboolean(L, box->own);
    return 1;
}

/* run_set_kernel(run, arm, kernel): replaces the kernel of an arm. */
static int run_set_kernel(lua_State *L)
{
    cs_run *run = cs_script_to_change(L, 1);
    size_t arm = cs_script_check_arm(L, run, 2);
    const cs_script_kernel *k = cs_script_to_kernel(L, 3);
    luaL_argcheck(L, k, 3, "must be a kernel");
    lua_getiuservalue(L, 1, 2);
    lua_pushvalue(L, 3);
    luaL_ref(L, -2);
    cs_error err = {0};
    if (cs_run_set_kernel(run, arm, &k->kernel, &k->plan, &err))
        return cs_script_raise(L, &err);
    return 0;
}

/* run_set_state(run, arm, chain, x): moves a chain to the state x. */
static int run_set_state(lua_State *L)
{
    cs_run *run = cs_script_to_change(L, 1);
    size_t arm = cs_script_check_arm(L, run, 2), rows, cols;
    size_t chain = cs_script_check_chain(L, run, arm, 3);
    luaL_checktype(L, 4, LUA_TTABLE);
    const double *x = cs_script_numbers(L, 4, "state", &rows, &cols);
    if (rows * cols != cs_run_target(run)->space.dim)
        return cs_script_fail(L, "a state has %zu coordinates",
                              cs_run_target(run)->space.dim);
    cs_error err = {0};
    if (cs_run_set_state(run, arm, chain, x, &err))
        return cs_script_raise(L, &err);
    return 0;
}

/* run_rewind(run, step): goes back to an earlier step. */
static int run_rewind(lua_State *L)
{
    cs_run *run = cs_script_to_change(L, 1);
    lua_Integer step = luaL_checkinteger(L, 2);
    luaL_argcheck(L, step >= 0, 2, "must be at least 0");
    cs_callback *link = cs_callback_of(L);
    lua_State *before = link->L;
    cs_error err = {0};
    link->L = L;
    cs_status s = cs_run_rewind(run, (uint64_t)step, &err);
    link->L = before;
    return s ? cs_script_raise(L, &err) : 0;
}

/* run_end_here(run, why): ends the run at the current step */
static int run_end_here(lua_State *L)
{
    cs_run_end_here(cs_script_to_change(L, 1), luaL_checkstring(L, 2));
    return 0;
}

/* run_ended(run): returns the reason why a rule ended the run at this step, or
 * nil. */
static int run_ended(lua_State *L)
{
    lua_pushstring(L, cs_run_ended(cs_script_to_run(L, 1)));
    return 1;
}

/* run_is_part(run): returns true if other processes run other parts of this
 * run. */
static int run_is_part(lua_State *L)
{
    lua_pushboolean(L, cs_run_is_part(cs_script_to_run(L, 1)));
    return 1;
}

/* run_memory(run): returns the script's table that belongs to the run. */
static int run_memory(lua_State *L)
{
    cs_script_to_run(L, 1);
    lua_getiuservalue(L, 1, 2);
    return 1;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static int raise_field(lua_State *L, const char *key)
{
    const char *names[64] = {"steps", "seed", "seconds", "oldest", "finished"};
    size_t n = 5;
    for (int of = 1; of <= 2; of++)
        for (lua_pushnil(L); lua_next(L, lua_upvalueindex(of)); lua_pop(L, 1))
            if (n < 63 && lua_type(L, -2) == LUA_TSTRING)
                names[n++] = lua_tostring(L, -2);
    qsort(names, n, sizeof *names, by_name);
    return cs_script_raise_field(L, "a run", key, names);
}

/* Handles run.KEY. KEY is a field such as run.steps, a method in the table in
 * upvalue 1, or a function f in the table in upvalue 2. For a function f,
 * returns f(run). */
static int index_field(lua_State *L)
{
    const char *key = luaL_checkstring(L, 2);
    lua_settop(L, 2);
    lua_pushvalue(L, 2);
    if (lua_rawget(L, lua_upvalueindex(1)) != LUA_TNIL)
        return 1;
    lua_pushvalue(L, 2);
    if (lua_rawget(L, lua_upvalueindex(2)) != LUA_TNIL) {
        lua_pushvalue(L, 1);
        lua_call(L, 1, 1);
        return 1;
    }
    cs_run *run = cs_script_to_run(L, 1);
    if (strcmp(key, "steps") == 0)
        lua_pushinteger(L, (lua_Integer)cs_run_steps(run));
    else if (strcmp(key, "seed") == 0)
        lua_pushinteger(L, (lua_Integer)cs_run_seed(run));
    else if (strcmp(key, "seconds") == 0)
        lua_pushnumber(L, cs_run_seconds(run));
    else if (strcmp(key, "oldest") == 0)
        lua_pushinteger(L, (lua_Integer)cs_run_oldest(run));
    else if (strcmp(key, "finished") == 0)
        lua_pushboolean(L, cs_run_finished(run));
    else
        return raise_field(L, key);
    return 1;
}

static int to_string(lua_State *L)
{
    cs_script_run *box = luaL_checkudata(L, 1, meta);
    if (box->run)
        lua_pushfstring(L, "run of %d arms after %I steps",
                        (int)cs_run_arms(box->run),
                        (LUAI_UACINT)cs_run_steps(box->run));
    else
        lua_pushliteral(L, "closed run");
    return 1;
}

void cs_script_open_run(lua_State *L)
{
    static const luaL_Reg methods[] = {
        {"__gc", collect}, {"__tostring", to_string}, {NULL, NULL}};
    static const luaL_Reg functions[] = {{"run_advance", run_advance},
                                         {"run_set", run_set},
                                         {"run_set_kernel", run_set_kernel},
                                         {"run_journal", run_journal},
                                         {"run_save", run_save},
                                         {"run_load", run_load},
                                         {"run_replay", run_replay},
                                         {"run_remember", run_remember},
                                         {"run_is_own", run_is_own},
                                         {"run_recall", run_recall},
                                         {"run_set_state", run_set_state},
                                         {"run_rewind", run_rewind},
                                         {"run_memory", run_memory},
                                         {"run_end_here", run_end_here},
                                         {"run_changes", run_changes},
                                         {"run_ended", run_ended},
                                         {"run_is_part", run_is_part},
                                         {NULL, NULL}};
    luaL_setfuncs(L, functions, 0);
    cs_script_class(L, meta, "run", methods);
    luaL_getmetatable(L, meta);
    lua_newtable(L);
    lua_pushvalue(L, -1);
    lua_setfield(L, -4, "run_methods");
    lua_newtable(L);
    lua_pushvalue(L, -1);
    lua_setfield(L, -5, "run_fields");
    lua_pushcclosure(L, index_field, 2);
    lua_setfield(L, -2, "__index");
    lua_pop(L, 1);
}
