#include "script/host_runs.h"

#include "run/arms/arms.h"
#include "script/bind/lua_run.h"
#include "script/bind/lua_target.h"
#include "script/bind/module.h"
#include "script/script.h"

/* Registry keys of the attached run, of the previous run, and of a table of the
 * parked runs by their address. */
static const char run_key = 0, before_key = 0, parked_key = 0;

/* Pushes the parked run `run`, or nil. */
static void push_parked(lua_State *L, const cs_run *run)
{
    if (lua_rawgetp(L, LUA_REGISTRYINDEX, &parked_key) == LUA_TTABLE)
        lua_rawgetp(L, -1, run);
    else
        lua_pushnil(L);
    lua_remove(L, -2);
}

static bool is_parked(lua_State *L, const cs_run *run)
{
    push_parked(L, run);
    bool there = !lua_isnil(L, -1);
    lua_pop(L, 1);
    return there;
}

/* Sets the parked run `run` to the value on top of the stack, and pops it. */
static void set_parked(lua_State *L, const cs_run *run)
{
    if (lua_rawgetp(L, LUA_REGISTRYINDEX, &parked_key) != LUA_TTABLE) {
        lua_pop(L, 1);
        lua_newtable(L);
        lua_pushvalue(L, -1);
        lua_rawsetp(L, LUA_REGISTRYINDEX, &parked_key);
    }
    lua_insert(L, -2);
    lua_rawsetp(L, -2, run);
    lua_pop(L, 1);
}

/* Unregisters the run and closes it, since script objects may still refer to
 * it. A parked run remains open. */
static void close_kept(lua_State *L, const void *key)
{
    lua_rawgetp(L, LUA_REGISTRYINDEX, key);
    cs_script_run *box = lua_touserdata(L, -1);
    if (box && !box->own && !is_parked(L, box->run))
        box->run = NULL;
    lua_pop(L, 1);
    lua_pushnil(L);
    lua_rawsetp(L, LUA_REGISTRYINDEX, key);
}

static bool is_kept(lua_State *L, const void *key, const cs_run *run)
{
    lua_rawgetp(L, LUA_REGISTRYINDEX, key);
    const cs_script_run *box = lua_touserdata(L, -1);
    lua_pop(L, 1);
    return run && box && box->run == run;
}

/* Moves a value to another registry key. */
static void move_kept(lua_State *L, const void *from, const void *to)
{
    close_kept(L, to);
    lua_rawgetp(L, LUA_REGISTRYINDEX, from);
    lua_rawsetp(L, LUA_REGISTRYINDEX, to);
    lua_pushnil(L);
    lua_rawsetp(L, LUA_REGISTRYINDEX, from);
}

void cs_script_runs_opened(lua_State *L)
{
    move_kept(L, &run_key, &before_key);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &run_key);
}

void cs_script_runs_push_attached(lua_State *L)
{
    lua_rawgetp(L, LUA_REGISTRYINDEX, &run_key);
}

void cs_script_runs_push(lua_State *L, const cs_run *run)
{
    if (is_kept(L, &run_key, run))
        lua_rawgetp(L, LUA_REGISTRYINDEX, &run_key);
    else if (is_kept(L, &before_key, run))
        lua_rawgetp(L, LUA_REGISTRYINDEX, &before_key);
    else
        push_parked(L, run);
}

int cs_script_runs_park(lua_State *L)
{
    const cs_run *run = lua_touserdata(L, 1);
    cs_script_runs_push(L, run);
    cs_script_run *box = lua_touserdata(L, -1);
    if (!box)
        return 0;
    if (!lua_toboolean(L, 2)) {
        box->run = NULL;
        lua_pushnil(L);
    }
    set_parked(L, run);
    return 0;
}

/* Pushes a run that was read from files. */
static void push_read(lua_State *L, cs_run *run)
{
    cs_script_push_run(L, run);
    cs_script_push_word(L, "read");
    lua_pushvalue(L, -2);
    cs_script_push_target(L, cs_target_hold(cs_run_target(run)));
    lua_call(L, 2, 0);
}

int cs_script_runs_attach(lua_State *L)
{
    cs_run *run = lua_touserdata(L, 1);
    if (!is_kept(L, &run_key, run) && is_kept(L, &before_key, run))
        move_kept(L, &before_key, &run_key); /* keeps the previous run */
    close_kept(L, &before_key);
    if (is_kept(L, &run_key, run))
        return 0;
    close_kept(L, &run_key);
    if (is_parked(L, run)) {
        push_parked(L, run);
        lua_pushnil(L);
        set_parked(L, run);
    } else if (run) {
        push_read(L, run);
    } else {
        lua_pushnil(L);
    }
    lua_rawsetp(L, LUA_REGISTRYINDEX, &run_key);
    return 0;
}
