#include "script/state/callback.h"

#include "base/memory.h"
#include "script/state/state.h"
#include "script/state/value.h"

#include <assert.h>
#include <lauxlib.h>
#include <stdarg.h>
#include <stdio.h>

static const char link_key = 0;

static int close_link(lua_State *L)
{
    cs_callback **box = lua_touserdata(L, 1);
    if (*box) {
        (*box)->L = NULL;
        cs_callback_release(*box);
    }
    *box = NULL;
    return 0;
}

static lua_State *main_thread(lua_State *L)
{
    lua_rawgeti(L, LUA_REGISTRYINDEX, LUA_RIDX_MAINTHREAD);
    lua_State *main = lua_tothread(L, -1);
    lua_pop(L, 1);
    return main;
}

cs_callback *cs_callback_of(lua_State *L)
{
    if (lua_rawgetp(L, LUA_REGISTRYINDEX, &link_key) == LUA_TUSERDATA) {
        cs_callback **box = lua_touserdata(L, -1);
        lua_pop(L, 1);
        return *box;
    }
    lua_pop(L, 1);
    cs_callback **box = lua_newuserdatauv(L, sizeof *box, 0);
    *box = NULL;
    lua_newtable(L);
    lua_pushcfunction(L, close_link);
    lua_setfield(L, -2, "__gc");
    lua_setmetatable(L, -2);
    *box = cs_alloc(1, sizeof **box);
    if (!*box)
        luaL_error(L, "out of memory for calls from the chains");
    **box = (cs_callback){.L = main_thread(L), .holders = 1};
    cs_callback *link = *box;
    lua_rawsetp(L, LUA_REGISTRYINDEX, &link_key);
    return link;
}

cs_callback *cs_callback_hold(cs_callback *link)
{
    assert(link->holders > 0);
    link->holders++;
    return link;
}

void cs_callback_release(cs_callback *link)
{
    assert(link->holders > 0);
    if (link && --link->holders == 0)
        cs_free(link);
}

/* Stores an error text, unless one is stored already. */
static void keep_error(cs_callback *link, const char *text)
{
    if (link->error[0] == '\0')
        snprintf(link->error, sizeof link->error, "%s", text);
}

bool cs_callback_call(cs_callback *link, lua_CFunction f, void *task)
{
    lua_State *L = link->L;
    if (!L || link->halted)
        return false;
    if (!lua_checkstack(L, LUA_MINSTACK)) {
        keep_error(link, "out of memory for a call from the chains");
        return false;
    }
    cs_script *s = cs_script_of(L);
    lua_pushcfunction(L, f);
    lua_pushlightuserdata(L, task);
    if (s)
        cs_script_enter_callback(s);
    link->calling++;
    int status = lua_pcall(L, 1, 0, 0);
    link->calling--;
    if (s)
        cs_script_leave_callback(s);
    if (status == LUA_OK)
        return true;
    link->halted = s && cs_script_past(s);
    keep_error(link, lua_type(L, -1) == LUA_TSTRING
                         ? lua_tostring(L, -1)
                         : "an error that is not a string");
    lua_pop(L, 1);
    return false;
}

void cs_callback_forget(cs_callback *link)
{
    link->error[0] = '\0';
    link->halted = false;
}

void cs_callback_allow(cs_callback *link, double seconds)
{
    cs_script *s = link->L ? cs_script_of(link->L) : NULL;
    if (s)
        cs_script_allow(s, seconds);
    cs_callback_forget(link);
}

void cs_callback_take(cs_callback *link, lua_State *L)
{
    lua_pushstring(L, link->error);
    cs_callback_forget(link);
}

void cs_callback_raise(lua_State *L)
{
    cs_callback *link = cs_callback_of(L);
    if (link->error[0] == '\0')
        return;
    cs_callback_take(link, L);
    lua_error(L);
}

void cs_callback_unref(cs_callback *link, int ref)
{
    if (link && link->L)
        luaL_unref(link->L, LUA_REGISTRYINDEX, ref);
}

int cs_callback_blame(lua_State *L, int ref, const char *format, ...)
{
    char text[256];
    lua_Debug at;
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    lua_rawgeti(L, LUA_REGISTRYINDEX, ref);
    cs_script_push_behind(L, -1);
    lua_getinfo(L, ">S", &at);
    if (at.linedefined > 0)
        lua_pushfstring(L, "%s:%d: %s", at.short_src, at.linedefined, text);
    else
        lua_pushstring(L, text);
    return lua_error(L);
}

double cs_callback_number(lua_State *L, int ref, const char *what)
{
    if (lua_type(L, -1) != LUA_TNUMBER)
        cs_callback_blame(L, ref, "%s is a %s, not a number", what,
                          luaL_typename(L, -1));
    return lua_tonumber(L, -1);
}
