/* The sandbox: a list of what is allowed, and wrappers for the functions of
 * Lua's libraries that loop in C where no hook can stop them. */
#include "script/sandbox.h"

#include "script/expression.h"
#include "script/random.h"

#include <lauxlib.h>
#include <lualib.h>
#include <string.h>

static const lua_Integer most_items = 10000000;
static const double most_match_work = 1e9;

/* ---- a limit error is not for the script to catch ---- */

static void pass_on_limits(lua_State *L)
{
    cs_script *s = cs_script_of(L);
    if (!s || !cs_script_past(s))
        return;
    lua_pushstring(L, cs_script_reason(s));
    lua_error(L);
}

static int finish_pcall(lua_State *L, int status, lua_KContext extra)
{
    if (status == LUA_OK || status == LUA_YIELD)
        return lua_gettop(L) - (int)extra;
    pass_on_limits(L);
    lua_pushboolean(L, 0);
    lua_pushvalue(L, -2);
    return 2;
}

static int safe_pcall(lua_State *L)
{
    luaL_checkany(L, 1);
    lua_pushboolean(L, 1);
    lua_insert(L, 1);
    int status =
        lua_pcallk(L, lua_gettop(L) - 2, LUA_MULTRET, 0, 0, finish_pcall);
    return finish_pcall(L, status, 0);
}

static int safe_xpcall(lua_State *L)
{
    int n = lua_gettop(L);
    luaL_checktype(L, 2, LUA_TFUNCTION);
    lua_pushboolean(L, 1);
    lua_pushvalue(L, 1);
    lua_rotate(L, 3, 2);
    int status = lua_pcallk(L, n - 2, LUA_MULTRET, 2, 2, finish_pcall);
    return finish_pcall(L, status, 2);
}

/* Calls the original (upvalue 1) with all arguments. */
static int call_original(lua_State *L)
{
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    lua_call(L, lua_gettop(L) - 1, LUA_MULTRET);
    return lua_gettop(L);
}

static int safe_resume(lua_State *L)
{
    int n = call_original(L);
    if (!lua_toboolean(L, 1) && n >= 2) {
        lua_pushvalue(L, 2);
        pass_on_limits(L);
        lua_pop(L, 1);
    }
    return n;
}

/* ---- coroutines under the limits of the state ---- */

/* coroutine.create, and coroutine.wrap: its function has the coroutine for
 * its upvalue. */
static int watched(lua_State *L)
{
    call_original(L);
    lua_settop(L, 1);
    if (!lua_isthread(L, 1))
        lua_getupvalue(L, 1, 1);
    cs_script_count(lua_tothread(L, -1));
    lua_settop(L, 1);
    return 1;
}

/* ---- no finalizers: hooks are off while they run ---- */

static int safe_setmetatable(lua_State *L)
{
    if (lua_istable(L, 2)) {
        lua_pushliteral(L, "__gc");
        if (lua_rawget(L, 2) != LUA_TNIL)
            return luaL_error(L, "a scenario may not use __gc");
        lua_pop(L, 1);
    }
    return call_original(L);
}

/* ---- text chunks only, in the caller's world ---- */

static const char *read_piece(lua_State *L, void *data, size_t *size)
{
    (void)data;
    lua_settop(L, 4);
    lua_pushvalue(L, 1);
    lua_call(L, 0, 1);
    if (lua_isnil(L, -1)) {
        *size = 0;
        return NULL;
    }
    if (!lua_isstring(L, -1))
        luaL_error(L, "reader function must return a string");
    lua_replace(L, 4);
    return lua_tolstring(L, 4, size);
}

static int safe_load(lua_State *L)
{
    bool has_env = !lua_isnone(L, 4);
    const char *name = luaL_optstring(L, 2, "=(load)");
    size_t size;
    const char *text = lua_isstring(L, 1) ? lua_tolstring(L, 1, &size) : NULL;
    int status;
    lua_settop(L, 4);
    if (text) {
        status = luaL_loadbufferx(L, text, size, name, "t");
    } else {
        luaL_checktype(L, 1, LUA_TFUNCTION);
        lua_pushvalue(L, 4);
        lua_replace(L, 3);
        status = lua_load(L, read_piece, NULL, name, "t");
        lua_pushvalue(L, 3);
        lua_replace(L, 4);
    }
    if (status != LUA_OK) {
        lua_pushnil(L);
        lua_insert(L, -2);
        return 2;
    }
    if (has_env)
        lua_pushvalue(L, 4);
    else
        lua_pushvalue(L, lua_upvalueindex(1));
    lua_setupvalue(L, -2, 1);
    return 1;
}

static int safe_collectgarbage(lua_State *L)
{
    if (strcmp(luaL_optstring(L, 1, "count"), "count") != 0)
        return luaL_error(L, "a scenario may only ask for the count");
    lua_pushnumber(L, (lua_Number)lua_gc(L, LUA_GCCOUNT) +
                          (lua_Number)lua_gc(L, LUA_GCCOUNTB) / 1024);
    return 1;
}

static int safe_print(lua_State *L)
{
    cs_script *s = cs_script_of(L);
    int n = lua_gettop(L);
    for (int i = 1; i <= n; i++) {
        size_t size;
        const char *text = luaL_tolstring(L, i, &size);
        if (i > 1)
            cs_script_output(s, "\t", 1);
        cs_script_output(s, text, size);
        lua_pop(L, 1);
    }
    cs_script_output(s, "\n", 1);
    return 0;
}

static int safe_require(lua_State *L)
{
    const char *name = luaL_checkstring(L, 1);
    if (strcmp(name, "chainscope") != 0)
        return luaL_error(L,
                          "a scenario may only require 'chainscope', not "
                          "'%s'",
                          name);
    lua_getfield(L, LUA_REGISTRYINDEX, "chainscope");
    return 1;
}

/* ---- loops in C ---- */

static int safe_rep(lua_State *L)
{
    size_t size, gap;
    luaL_checklstring(L, 1, &size);
    lua_Integer n = luaL_checkinteger(L, 2);
    luaL_optlstring(L, 3, "", &gap);
    if (n > most_items ||
        (n > 0 && (double)(size + gap) * (double)n > 67108864.0))
        return luaL_error(L, "string.rep: the result is too long");
    return call_original(L);
}

/* The worst that a backtracking match could cost: the text's length to the
 * power of the pattern's open repeats. */
static double match_work(const char *p, size_t n, size_t text)
{
    double work = 1;
    for (size_t i = 0; i < n; i++) {
        if (p[i] == '%') {
            i++;
            if (i < n && p[i] == 'b')
                work *= (double)text + 1;
        } else if (i > 0 && (p[i] == '*' || p[i] == '+' || p[i] == '-')) {
            work *= (double)text + 1;
        } else if (i > 0 && p[i] == '?') {
            work *= 2;
        }
    }
    return work;
}

static int safe_match(lua_State *L)
{
    size_t text, n;
    luaL_checklstring(L, 1, &text);
    const char *pattern = luaL_checklstring(L, 2, &n);
    if (match_work(pattern, n, text) > most_match_work)
        return luaL_error(L, "the pattern could take too long on a text of "
                             "this length: use fewer repeats");
    return call_original(L);
}

static void refuse_length(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    if (luaL_getmetafield(L, 1, "__len") != LUA_TNIL)
        luaL_error(L, "not on a table with __len");
}

static int safe_table(lua_State *L)
{
    refuse_length(L);
    return call_original(L);
}

static void refuse_span(lua_State *L, lua_Integer first, lua_Integer last)
{
    if (last > first &&
        (lua_Unsigned)last - (lua_Unsigned)first > (lua_Unsigned)most_items)
        luaL_error(L, "too many items at once");
}

static int safe_move(lua_State *L)
{
    refuse_span(L, luaL_checkinteger(L, 2), luaL_checkinteger(L, 3));
    return call_original(L);
}

static int safe_concat(lua_State *L)
{
    refuse_length(L);
    refuse_span(L, luaL_optinteger(L, 3, 1),
                luaL_optinteger(L, 4, (lua_Integer)lua_rawlen(L, 1)));
    return call_original(L);
}

typedef struct wrap {
    const char *library, *name;
    lua_CFunction function; /* NULL: taken away */
} wrap;

static const wrap for_all[] = {
    {"_G", "print", safe_print},
    {"coroutine", "create", watched},
    {"coroutine", "wrap", watched},
};

static const wrap for_strangers[] = {
    {"_G", "pcall", safe_pcall},
    {"_G", "xpcall", safe_xpcall},
    {"_G", "setmetatable", safe_setmetatable},
    {"_G", "collectgarbage", safe_collectgarbage},
    {"_G", "require", safe_require},
    {"_G", "dofile", NULL},
    {"_G", "loadfile", NULL},
    {"_G", "load", NULL},
    {"_G", "warn", NULL},
    {"string", "rep", safe_rep},
    {"string", "find", safe_match},
    {"string", "match", safe_match},
    {"string", "gmatch", safe_match},
    {"string", "gsub", safe_match},
    {"string", "dump", NULL},
    {"table", "insert", safe_table},
    {"table", "remove", safe_table},
    {"table", "sort", safe_table},
    {"table", "move", safe_move},
    {"table", "concat", safe_concat},
    {"coroutine", "resume", safe_resume},
};

static void open_libraries(lua_State *L, bool trust)
{
    static const luaL_Reg safe[] = {
        {LUA_GNAME, luaopen_base},       {LUA_COLIBNAME, luaopen_coroutine},
        {LUA_TABLIBNAME, luaopen_table}, {LUA_STRLIBNAME, luaopen_string},
        {LUA_MATHLIBNAME, luaopen_math}, {LUA_UTF8LIBNAME, luaopen_utf8}};
    if (trust) {
        luaL_openlibs(L);
        return;
    }
    for (size_t i = 0; i < sizeof safe / sizeof *safe; i++) {
        luaL_requiref(L, safe[i].name, safe[i].func, 1);
        lua_pop(L, 1);
    }
}

static void put_on(lua_State *L, const wrap *w, size_t n)
{
    for (; n > 0; n--, w++) {
        lua_getglobal(L, w->library);
        if (w->function) {
            lua_getfield(L, -1, w->name);
            lua_pushcclosure(L, w->function, 1);
        } else {
            lua_pushnil(L);
        }
        lua_setfield(L, -2, w->name);
        lua_pop(L, 1);
    }
}

void cs_sandbox_open(lua_State *L, bool trust)
{
    open_libraries(L, trust);
    put_on(L, for_all, sizeof for_all / sizeof *for_all);
    cs_script_open_random(L);
    if (trust)
        return;
    put_on(L, for_strangers, sizeof for_strangers / sizeof *for_strangers);
    lua_pushliteral(L, "");
    lua_getmetatable(L, -1);
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
    lua_pop(L, 2);
}

/* A shallow copy of the table on top, pushed. */
static void copy_table(lua_State *L)
{
    lua_newtable(L);
    lua_pushnil(L);
    while (lua_next(L, -3)) {
        lua_pushvalue(L, -2);
        lua_insert(L, -2);
        lua_rawset(L, -4);
    }
}

void cs_sandbox_environment(lua_State *L)
{
    static const char *const libraries[] = {"coroutine", "table", "string",
                                            "math", "utf8"};
    lua_pushglobaltable(L);
    copy_table(L);
    lua_remove(L, -2);
    for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++) {
        lua_getglobal(L, libraries[i]);
        copy_table(L);
        lua_setfield(L, -3, libraries[i]);
        lua_pop(L, 1);
    }
    lua_getfield(L, -1, "math");
    cs_script_overlay_math(L, lua_gettop(L), 0);
    lua_pop(L, 1);
    lua_pushvalue(L, -1);
    lua_setfield(L, -2, LUA_GNAME);
    lua_pushvalue(L, -1);
    lua_pushcclosure(L, safe_load, 1);
    lua_setfield(L, -2, "load");
}
