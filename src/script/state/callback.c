/* From the core into Lua, protected. */
#include "script/state/callback.h"

#include "base/memory.h"
#include "script/state/state.h"
#include "script/state/value.h"

#include <lauxlib.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

static const char link_key = 0;

static int close_link(lua_State *L)
{
    cs_link **box = lua_touserdata(L, 1);
    if (*box) {
        (*box)->L = NULL;
        cs_link_release(*box);
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

cs_link *cs_link_of(lua_State *L)
{
    if (lua_rawgetp(L, LUA_REGISTRYINDEX, &link_key) == LUA_TUSERDATA) {
        cs_link **box = lua_touserdata(L, -1);
        lua_pop(L, 1);
        return *box;
    }
    lua_pop(L, 1);
    cs_link **box = lua_newuserdatauv(L, sizeof *box, 0);
    *box = NULL;
    lua_newtable(L);
    lua_pushcfunction(L, close_link);
    lua_setfield(L, -2, "__gc");
    lua_setmetatable(L, -2);
    *box = cs_alloc(1, sizeof **box);
    if (!*box)
        luaL_error(L, "out of memory");
    **box = (cs_link){.L = main_thread(L), .holders = 1};
    cs_link *link = *box;
    lua_rawsetp(L, LUA_REGISTRYINDEX, &link_key);
    return link;
}

cs_link *cs_link_hold(cs_link *link)
{
    link->holders++;
    return link;
}

void cs_link_release(cs_link *link)
{
    if (link && --link->holders == 0)
        cs_free(link);
}

/* Keeps an error text (the first wins). */
static void keep_error(cs_link *link, const char *text)
{
    if (link->error[0] == '\0')
        snprintf(link->error, sizeof link->error, "%s", text);
}

bool cs_link_call(cs_link *link, lua_CFunction f, void *task)
{
    lua_State *L = link->L;
    if (!L || link->halted)
        return false;
    if (!lua_checkstack(L, LUA_MINSTACK)) {
        keep_error(link, "no memory for a call from the chains");
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
                         : "an error that is no text");
    lua_pop(L, 1);
    return false;
}

void cs_link_forget(cs_link *link)
{
    link->error[0] = '\0';
    link->halted = false;
}

void cs_link_allow(cs_link *link, double seconds)
{
    cs_script *s = link->L ? cs_script_of(link->L) : NULL;
    if (s)
        cs_script_allow(s, seconds);
    cs_link_forget(link);
}

void cs_link_take(cs_link *link, lua_State *L)
{
    lua_pushstring(L, link->error);
    cs_link_forget(link);
}

void cs_link_raise(lua_State *L)
{
    cs_link *link = cs_link_of(L);
    if (link->error[0] == '\0')
        return;
    cs_link_take(link, L);
    lua_error(L);
}

void cs_link_unref(cs_link *link, int ref)
{
    if (link && link->L)
        luaL_unref(link->L, LUA_REGISTRYINDEX, ref);
}

int cs_link_blame(lua_State *L, int ref, const char *format, ...)
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

double cs_link_number(lua_State *L, int ref, const char *what)
{
    if (lua_type(L, -1) != LUA_TNUMBER)
        cs_link_blame(L, ref, "%s is a %s, not a number", what,
                      luaL_typename(L, -1));
    return lua_tonumber(L, -1);
}
