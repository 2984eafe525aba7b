/* The sandbox: a list of allowed functions, and wrappers for library functions
 * whose loops are in C, where no hook can stop them. */
#include "script/state/sandbox.h"

#include "script/state/pattern.h"
#include "script/state/random.h"
#include "script/state/value.h"

#include <lauxlib.h>
#include <lualib.h>
#include <math.h>
#include <string.h>

static const lua_Integer max_items = 10000000;

/* ---- error handling; scripts cannot catch limit errors ---- */

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

/* Calls the message handler, upvalue 1, at the place of the error. Does not
 * call the handler if a hook raised a limit error: hooks are off then, so that
 * nothing could stop the handler. */
static int handle(lua_State *L)
{
    cs_script *s = cs_script_of(L);
    if (s && cs_script_past(s))
        return 1;
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    lua_call(L, lua_gettop(L) - 1, 1);
    return 1;
}

static int safe_xpcall(lua_State *L)
{
    int n = lua_gettop(L);
    luaL_checktype(L, 2, LUA_TFUNCTION);
    lua_pushvalue(L, 2);
    lua_pushcclosure(L, handle, 1);
    lua_replace(L, 2);
    lua_pushboolean(L, 1);
    lua_pushvalue(L, 1);
    lua_rotate(L, 3, 2);
    int status = lua_pcallk(L, n - 2, LUA_MULTRET, 2, 2, finish_pcall);
    return finish_pcall(L, status, 2);
}

/* Calls the original function (upvalue 1) with all arguments. */
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

static int watched(lua_State *L)
{
    call_original(L);
    lua_settop(L, 1);
    cs_script_count(lua_tothread(L, 1));
    return 1;
}

/* The function that coroutine.wrap returns: resumes the coroutine in upvalue
 * 1. */
static int call_wrapped(lua_State *L)
{
    lua_State *co = lua_tothread(L, lua_upvalueindex(1));
    int n = lua_gettop(L), got;
    if (lua_status(co) == LUA_OK && lua_gettop(co) == 0)
        return luaL_error(L, "cannot resume dead coroutine");
    if (!lua_checkstack(co, n))
        return luaL_error(L, "too many arguments to resume");
    lua_xmove(L, co, n);
    int status = lua_resume(co, L, n, &got);
    if (status == LUA_OK || status == LUA_YIELD) {
        luaL_checkstack(L, got, "too many results to resume");
        lua_xmove(co, L, got);
        return got;
    }
    lua_xmove(co, L, 1);
    if (lua_type(L, -1) == LUA_TSTRING && status != LUA_ERRMEM) {
        luaL_where(L, 1);
        lua_insert(L, -2);
        lua_concat(L, 2);
    }
    pass_on_limits(L);
    return lua_error(L);
}

/* Replaces coroutine.wrap. Unlike the original, the returned function does not
 * close a failed coroutine. */
static int safe_wrap(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TFUNCTION);
    lua_State *co = lua_newthread(L);
    cs_script_count(co);
    lua_pushvalue(L, 1);
    lua_xmove(L, co, 1);
    lua_pushcclosure(L, call_wrapped, 1);
    return 1;
}

/* Replaces coroutine.close. If a limit has ended the coroutine, the hooks of
 * the coroutine are off permanently. Closing its variables may call functions,
 * and these functions could not be stopped. */
static int safe_close(lua_State *L)
{
    lua_State *co = lua_tothread(L, 1);
    if (!co || lua_status(co) <= LUA_YIELD)
        return call_original(L);
    lua_pushboolean(L, 0);
    lua_pushliteral(L, "the coroutine ended with an error");
    return 2;
}

/* ---- no finalizers, because hooks are off while they run ---- */

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

/* Replaces rawset: tables of the program that scripts share (metafield
 * __sealed) cannot be changed, so that a hand-in cannot replace functions that
 * its exercise calls. */
static int safe_rawset(lua_State *L)
{
    if (luaL_getmetafield(L, 1, "__sealed") != LUA_TNIL)
        return luaL_error(L, "rawset: this table cannot be changed");
    return call_original(L);
}

/* ---- load: text chunks only, in the caller's environment ---- */

typedef struct pieces {
    const char *text;
    size_t size;
} pieces;

/* Reads a piece of text. The compiler calls no hook and may be slow, for
 * example on labels. The script's limits are therefore checked between
 * pieces. */
static const char *read_piece(lua_State *L, void *data, size_t *size)
{
    enum { PIECE = 1024 };
    pieces *left = data;
    cs_script_check(L);
    const char *piece = left->text;
    *size = left->size < PIECE ? left->size : PIECE;
    left->text += *size;
    left->size -= *size;
    return piece;
}

int cs_sandbox_load(lua_State *L, const char *text, size_t size,
                    const char *name)
{
    pieces all = {text, size};
    return lua_load(L, read_piece, &all, name, "t");
}

/* Calls the reader function at stack index 1. Stores at index 4 the newest
 * string that the function returned. The compiler uses the stack above that
 * index. */
static const char *read_function(lua_State *L, void *data, size_t *size)
{
    pieces *left = data;
    if (left->size)
        return read_piece(L, data, size);
    luaL_checkstack(L, 2, "too many nested functions");
    lua_pushvalue(L, 1);
    lua_call(L, 0, 1);
    if (lua_isnil(L, -1)) {
        lua_pop(L, 1);
        *size = 0;
        return NULL;
    }
    if (!lua_isstring(L, -1))
        luaL_error(L, "reader function must return a string");
    lua_replace(L, 4);
    left->text = lua_tolstring(L, 4, &left->size);
    return read_piece(L, data, size);
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
        status = cs_sandbox_load(L, text, size, name);
    } else {
        luaL_checktype(L, 1, LUA_TFUNCTION);
        lua_pushvalue(L, 4);
        lua_replace(L, 3);
        pieces none = {NULL, 0};
        status = lua_load(L, read_function, &none, name, "t");
        lua_pushvalue(L, 3);
        lua_replace(L, 4);
    }
    if (status != LUA_OK) {
        pass_on_limits(L);
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
        return luaL_error(L,
                          "a scenario may only call collectgarbage(\"count\")");
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

/* ---- library functions with loops in C ---- */

static int safe_rep(lua_State *L)
{
    size_t size, gap;
    luaL_checklstring(L, 1, &size);
    lua_Integer n = luaL_checkinteger(L, 2);
    luaL_optlstring(L, 3, "", &gap);
    if (n > max_items ||
        (n > 0 && (double)(size + gap) * (double)n > 67108864.0))
        return luaL_error(L, "string.rep: the result is too long");
    return call_original(L);
}

static void refuse_length(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    if (luaL_getmetafield(L, 1, "__len") != LUA_TNIL)
        luaL_error(L, "not on a table with __len");
}

/* Replace table.insert and table.remove, whose loops run up to the length of
 * the table. The length of a table with holes can be any power of two. */
static int safe_shift(lua_State *L)
{
    enum { FEW = 4096 };
    refuse_length(L);
    lua_Unsigned n = lua_rawlen(L, 1);
    if (n > (lua_Unsigned)max_items)
        return luaL_error(L, "too many items at once");
    if (n > FEW)
        cs_script_check(L);
    return call_original(L);
}

static void refuse_span(lua_State *L, lua_Integer first, lua_Integer last)
{
    if (last > first &&
        (lua_Unsigned)last - (lua_Unsigned)first > (lua_Unsigned)max_items)
        luaL_error(L, "too many items at once");
}

/* Compares two items by the function in upvalue 1. If this upvalue is nil,
 * compares them by "<". */
static int watched_less(lua_State *L)
{
    cs_script_check(L);
    if (lua_isnil(L, lua_upvalueindex(1))) {
        lua_pushboolean(L, lua_compare(L, 1, 2, LUA_OPLT));
        return 1;
    }
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    lua_call(L, 2, 1);
    return 1;
}

/* Returns an upper bound on the work of sorting n items, counted in compared
 * characters and numbers. The bound depends on the longest string. */
static double sorting_work(lua_State *L, lua_Unsigned n)
{
    double longest = 1;
    for (lua_Unsigned i = 1; i <= n; i++) {
        int type = lua_rawgeti(L, 1, (lua_Integer)i);
        double size = type == LUA_TSTRING   ? (double)lua_rawlen(L, -1)
                      : type == LUA_TNUMBER ? 1
                                            : HUGE_VAL;
        longest = fmax(longest, size);
        lua_pop(L, 1);
    }
    return (double)n * log2((double)n + 1) * longest;
}

/* Replaces table.sort. No hook runs while "<" or a C function compares two
 * items. Therefore the script's limits are checked at each comparison, unless
 * the sort is short. */
static int safe_sort(lua_State *L)
{
    static const double soon = 1e8;
    refuse_length(L);
    lua_Unsigned n = lua_rawlen(L, 1);
    bool mine = lua_isnoneornil(L, 2);
    if (n > (lua_Unsigned)max_items)
        return luaL_error(L, "too many items at once");
    cs_script_check(L);
    lua_settop(L, 2);
    if (mine ? sorting_work(L, n) > soon : lua_iscfunction(L, 2))
        lua_pushcclosure(L, watched_less, 1);
    return call_original(L);
}

static int safe_move(lua_State *L)
{
    cs_script_check(L);
    refuse_span(L, luaL_checkinteger(L, 2), luaL_checkinteger(L, 3));
    return call_original(L);
}

static int safe_concat(lua_State *L)
{
    cs_script_check(L);
    refuse_length(L);
    refuse_span(L, luaL_optinteger(L, 3, 1),
                luaL_optinteger(L, 4, (lua_Integer)lua_rawlen(L, 1)));
    return call_original(L);
}

typedef struct wrap {
    const char *library, *name;
    lua_CFunction function; /* replacement; NULL: the function is removed */
} wrap;

static const wrap for_all[] = {
    {"_G", "print", safe_print},        {"_G", "xpcall", safe_xpcall},
    {"coroutine", "create", watched},   {"coroutine", "wrap", safe_wrap},
    {"coroutine", "close", safe_close},
};

static const wrap for_strangers[] = {
    {"_G", "pcall", safe_pcall},
    {"_G", "setmetatable", safe_setmetatable},
    {"_G", "rawset", safe_rawset},
    {"_G", "collectgarbage", safe_collectgarbage},
    {"_G", "require", NULL}, /* created separately for each environment */
    {"_G", "dofile", NULL},
    {"_G", "loadfile", NULL},
    {"_G", "load", NULL},
    {"_G", "warn", NULL},
    {"string", "rep", safe_rep},
    {"string", "find", cs_pattern_find},
    {"string", "match", cs_pattern_match},
    {"string", "gmatch", cs_pattern_gmatch},
    {"string", "gsub", cs_pattern_gsub},
    {"string", "dump", NULL},
    {"table", "insert", safe_shift},
    {"table", "remove", safe_shift},
    {"table", "sort", safe_sort},
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

/* Pushes a shallow copy of the table on top of the stack. */
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
