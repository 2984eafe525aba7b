/* Opens the module: the C table `chainscope.core`, and the Lua module that is
 * built on this table. */
#include "script/bind/module.h"

#include "base/install_paths.h"
#include "base/renamed.h"
#include "base/text.h"
#include "script/bind/luaopen.h"
#include "script/math/expression.h"
#include "script/state/path.h"
#include "script/state/read.h"
#include "script/state/sandbox.h"
#include "script/state/state.h"
#include "script/state/value.h"

#include <gsl/gsl_cdf.h>
#include <lauxlib.h>
#include <stdio.h>
#include <string.h>

/* fail(what, mend): raises an error at the current line of the script. */
static int fail(lua_State *L)
{
    cs_error err;
    cs_fail(&err, CS_INPUT, "%s", luaL_checkstring(L, 1));
    if (!lua_isnoneornil(L, 2))
        cs_hint(&err, "%s", luaL_checkstring(L, 2));
    return cs_script_raise(L, &err);
}

/* nearest(name, list): returns the most similar entry, or nil. */
static int nearest(lua_State *L)
{
    const char *name = luaL_checkstring(L, 1), *best = NULL;
    luaL_checktype(L, 2, LUA_TTABLE);
    lua_Integer n = (lua_Integer)lua_rawlen(L, 2);
    for (lua_Integer i = 1; i <= n; i++) {
        lua_rawgeti(L, 2, i);
        if (lua_type(L, -1) == LUA_TSTRING)
            best = cs_text_nearer(name, best, lua_tostring(L, -1));
        lua_pop(L, 1);
    }
    lua_pushstring(L, best);
    return 1;
}

/* renamed(where, old): returns the name that has replaced `old` in `where`, or
 * nil. */
static int renamed(lua_State *L)
{
    lua_pushstring(L,
                   cs_renamed(luaL_checkstring(L, 1), luaL_checkstring(L, 2)));
    return 1;
}

/* place(): returns "file:line: " of the innermost line of the script. */
static int place(lua_State *L)
{
    cs_script_push_place(L);
    return 1;
}

/* extend(seconds): extends the time limit of the current call from C into Lua
 * by that many seconds. */
static int extend(lua_State *L)
{
    cs_script *s = cs_script_of(L);
    if (s)
        cs_script_extend(s, luaL_checknumber(L, 1));
    return 0;
}

/* kind(value): returns the type of the value or, for a userdata, the name of
 * its class. */
static int kind(lua_State *L)
{
    lua_settop(L, 1);
    lua_pushstring(L, cs_script_kind(L, 1));
    return 1;
}

/* part(name): loads the chunk NAME.lua in the folder of the caller's file. */
static int part(lua_State *L)
{
    const char *name = luaL_checkstring(L, 1);
    lua_Debug at;
    if (!lua_getstack(L, 1, &at) || !lua_getinfo(L, "S", &at) ||
        at.source[0] != '@')
        return luaL_error(L, "the parts of the module cannot be found");
    const char *slash = strrchr(at.source, '/');
    int n = slash ? (int)(slash - at.source) + 1 : 1;
    char path[1024];
    snprintf(path, sizeof path, "%.*s", n, at.source);
    cs_script_set_folder(L, path);
    snprintf(path, sizeof path, "%.*s%s.lua", n - 1, at.source + 1, name);
    if (luaL_loadfilex(L, path, "t") != LUA_OK)
        return lua_error(L);
    return 1;
}

/* t_quantile(p, freedom): returns the quantile of Student's t. */
static int t_quantile(lua_State *L)
{
    double p = luaL_checknumber(L, 1), freedom = luaL_checknumber(L, 2);
    lua_pushnumber(L, gsl_cdf_tdist_Pinv(p, freedom));
    return 1;
}

static const struct panel {
    const char *name, *probes;
} panel_list[] = {
#define CS_PANEL(name, file, probes) {#name, probes},
#include "screen/panels/panels.def"
#undef CS_PANEL
};

/* Sets two fields of the table on top of the stack. `panels` lists the names of
 * the screen's panels in order. `panel_probes` lists, for each panel, the
 * probes that the panel reads, separated by blanks. */
static void set_panels(lua_State *L)
{
    lua_newtable(L);
    lua_newtable(L);
    for (size_t i = 0; i < sizeof panel_list / sizeof *panel_list; i++) {
        lua_pushstring(L, panel_list[i].name);
        lua_rawseti(L, -3, (lua_Integer)i + 1);
        cs_script_set_text(L, panel_list[i].name, panel_list[i].probes);
    }
    lua_setfield(L, -3, "panel_probes");
    lua_setfield(L, -2, "panels");
}

/* Calls the function in upvalue 1 with all arguments. Because this C function
 * is between the script and the module, the script's line remains on the stack
 * even in a tail call. */
static int call_through(lua_State *L)
{
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    lua_call(L, lua_gettop(L) - 1, LUA_MULTRET);
    return lua_gettop(L);
}

static int located(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TFUNCTION);
    lua_settop(L, 1);
    lua_pushcclosure(L, call_through, 1);
    return 1;
}

/* evaluate(text, cs): returns the value of an expression that a user typed. The
 * expression may use `cs`, as in a scenario. */
static int evaluate(lua_State *L)
{
    size_t size;
    luaL_checkstring(L, 1);
    lua_pushfstring(L, "return %s", lua_tostring(L, 1));
    const char *text = lua_tolstring(L, -1, &size);
    if (cs_sandbox_load(L, text, size, "=typed") != LUA_OK)
        return lua_error(L);
    cs_sandbox_environment(L);
    lua_pushvalue(L, 2);
    lua_setfield(L, -2, "cs");
    lua_setupvalue(L, -2, 1);
    lua_call(L, 0, 1);
    return 1;
}

/* load_hand_in(text, name): returns the chunk of a text, with an environment of
 * its own. */
static int load_hand_in(lua_State *L)
{
    size_t size;
    const char *text = luaL_checklstring(L, 1, &size);
    cs_script *s = cs_script_of(L);
    if (cs_sandbox_load(L, text, size, luaL_checkstring(L, 2)) != LUA_OK)
        return lua_error(L);
    if (s) {
        cs_script_environment(s);
        lua_setupvalue(L, -2, 1);
    }
    return 1;
}

/* Each adds its functions to the module. */
static void (*const parts[])(lua_State *) = {
    cs_script_open_expression,
    cs_script_open_read,
    cs_script_open_asked,
    cs_script_open_auxiliary_kernel,
    cs_script_open_calibration,
    cs_script_open_check,
    cs_script_open_density,
    cs_script_open_derivatives,
    cs_script_open_draws,
    cs_script_open_factor_target,
    cs_script_open_function_kernel,
    cs_script_open_conditional_kernel,
    cs_script_open_function_target,
    cs_script_open_focusing,
    cs_script_open_kernel,
    cs_script_open_network,
    cs_script_open_ode,
    cs_script_open_outputs,
    cs_script_open_outside_target,
    cs_script_open_plan,
    cs_script_open_predictive,
    cs_script_open_principal,
    cs_script_open_run,
    cs_script_open_figures,
    cs_script_open_loo,
    cs_script_open_run_look,
    cs_script_open_run_files,
    cs_script_open_run_new,
    cs_script_open_sample,
    cs_script_open_schedule,
    cs_script_open_target,
    cs_script_open_term_data,
    cs_script_open_term_row,
    cs_script_open_term_target,
    cs_script_open_traced_target,
    cs_script_open_theory,
    cs_script_open_learner,
    cs_script_open_tuner,
    cs_script_open_captured,
};

int luaopen_chainscope_core(lua_State *L)
{
    static const luaL_Reg functions[] = {{"fail", fail},
                                         {"nearest", nearest},
                                         {"renamed", renamed},
                                         {"kind", kind},
                                         {"located", located},
                                         {"place", place},
                                         {"evaluate", evaluate},
                                         {"load_hand_in", load_hand_in},
                                         {"stand_in", cs_script_stand_in},
                                         {"part", part},
                                         {"extend", extend},
                                         {"t_quantile", t_quantile},
                                         {"has_file", cs_script_has_file},
                                         {"files_asked", cs_script_files_asked},
                                         {NULL, NULL}};
    luaL_newlib(L, functions);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        parts[i](L);
    set_panels(L);
    lua_pushliteral(L, CS_VERSION);
    lua_setfield(L, -2, "version");
    return 1;
}

static int load_words(lua_State *L)
{
    char file[1024];
    if (cs_install_path(file, sizeof file, "lua/chainscope/init.lua"))
        return luaL_loadfilex(L, file, "t");
    lua_pushfstring(L, "there is no %s: is chainscope installed?", file);
    return LUA_ERRFILE;
}

void cs_script_open_module(lua_State *L)
{
    if (load_words(L) != LUA_OK)
        lua_error(L);
    luaopen_chainscope_core(L);
    lua_call(L, 1, 2);
    lua_setfield(L, LUA_REGISTRYINDEX, "chainscope.words");
    lua_pushvalue(L, -1);
    lua_setfield(L, LUA_REGISTRYINDEX, "chainscope");
    if (cs_script_trusted(cs_script_of(L))) {
        luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
        lua_pushvalue(L, -2);
        lua_setfield(L, -2, "chainscope");
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
}

void cs_script_push_word(lua_State *L, const char *name)
{
    lua_getfield(L, LUA_REGISTRYINDEX, "chainscope.words");
    lua_getfield(L, -1, name);
    lua_remove(L, -2);
}
