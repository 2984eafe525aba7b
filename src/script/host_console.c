#include "script/host_console.h"

#include "script/bind/complete.h"
#include "script/bind/lua_run.h"
#include "script/bind/module.h"
#include "script/host_runs.h"
#include "script/script.h"
#include "script/state/sandbox.h"

#include <string.h>

/* Registry keys of the run to which `run` refers, and of the environment. */
static const char shown_key = 0, environment_key = 0;

/* Pushes the console's environment: `cs`, `run` and earlier definitions. */
static void push_console(lua_State *L, cs_script *s)
{
    if (lua_rawgetp(L, LUA_REGISTRYINDEX, &environment_key) != LUA_TTABLE) {
        lua_pop(L, 1);
        cs_script_environment(s);
        lua_getfield(L, LUA_REGISTRYINDEX, "chainscope");
        lua_setfield(L, -2, "cs");
        lua_pushvalue(L, -1);
        lua_rawsetp(L, LUA_REGISTRYINDEX, &environment_key);
    }
    cs_script_runs_push_attached(L);
    lua_rawgetp(L, LUA_REGISTRYINDEX, &shown_key);
    if (!lua_rawequal(L, -1, -2)) { /* `run` is not replaced if the user has
                                     * assigned to it */
        lua_pushvalue(L, -2);
        lua_setfield(L, -4, "run");
        lua_pushvalue(L, -2);
        lua_rawsetp(L, LUA_REGISTRYINDEX, &shown_key);
    }
    lua_pop(L, 2);
}

typedef struct evaluation {
    const char *code;
    cs_script *script;
    bool unfinished;
} evaluation;

/* Pushes the code. Replaces a leading `local` by blanks, because at a prompt
 * each statement is a chunk, and a local variable would end with its chunk. */
static const char *push_kept(lua_State *L, const char *code)
{
    static const char word[] = "local";
    size_t blank = strspn(code, " \t\r\n"), n = sizeof word - 1;
    const char *names = code + blank + n;
    bool local = strncmp(code + blank, word, n) == 0 &&
                 names[strspn(names, " \t")] && strchr(" \t", *names);
    const char *equals = local ? strchr(names, '=') : NULL;
    names += local ? strspn(names, " \t") : 0;
    equals = equals && equals[1] != '=' ? equals : NULL;
    bool function = local && strncmp(names, "function", 8) == 0;
    bool listed = equals && strspn(names, " \t,_0123456789"
                                          "abcdefghijklmnopqrstuvwxyz"
                                          "ABCDEFGHIJKLMNOPQRSTUVWXYZ") ==
                                (size_t)(equals - names);
    if (!function && !listed)
        return lua_pushstring(L, code);
    lua_pushlstring(L, code, blank);
    lua_pushfstring(L, "     %s", code + blank + n);
    lua_concat(L, 2);
    return lua_tostring(L, -1);
}

/* Pushes the chunk; an expression ("=" is optional) returns its value. */
static void load_code(lua_State *L, evaluation *e)
{
    const char *code = e->code + strspn(e->code, " \t\n");
    bool equals = *code == '=';
    const char *value =
        lua_pushfstring(L, "return %s", equals ? code + 1 : e->code);
    if (cs_sandbox_load(L, value, strlen(value), "=console") == 0)
        return;
    if (!equals) {
        lua_pop(L, 1);
        if (cs_sandbox_load(L, e->code, strlen(e->code), "=console") == 0)
            return;
    }
    size_t n;
    static const char end[] = "<eof>";
    const char *text = lua_tolstring(L, -1, &n);
    e->unfinished =
        n >= sizeof end - 1 && strcmp(text + n - (sizeof end - 1), end) == 0;
    lua_error(L);
}

static int eval_code(lua_State *L)
{
    evaluation *e = lua_touserdata(L, 1);
    e->code = push_kept(L, e->code);
    load_code(L, e);
    push_console(L, e->script);
    lua_setupvalue(L, -2, 1);
    int base = lua_gettop(L) - 1;
    lua_call(L, 0, LUA_MULTRET);
    int n = lua_gettop(L) - base;
    for (int i = 1; i <= n; i++) {
        size_t size;
        cs_script_push_word(L, "show");
        lua_pushvalue(L, base + i);
        lua_call(L, 1, 1);
        const char *text = lua_tolstring(L, -1, &size);
        cs_script_output(e->script, text, size);
        cs_script_output(e->script, i < n ? "\t" : "\n", 1);
        lua_pop(L, 1);
    }
    return 0;
}

cs_status cs_script_console_eval(cs_script *s, const char *code,
                                 cs_script_print *print, void *to,
                                 cs_error *err)
{
    lua_State *L = cs_script_lua(s);
    evaluation e = {.code = code, .script = s};
    lua_pushcfunction(L, eval_code);
    lua_pushlightuserdata(L, &e);
    cs_script_print_to(s, print, to);
    cs_status status = cs_script_call(s, 1, 0, 0, err);
    cs_script_print_to(s, NULL, NULL);
    if (e.unfinished && err)
        err->status = CS_INPUT;
    return e.unfinished ? CS_INPUT : status;
}

typedef struct completing {
    cs_script *script;
    const char *line;
    cs_flat *out;
} completing;

static int complete_word(lua_State *L)
{
    const completing *c = lua_touserdata(L, 1);
    cs_script_runs_push_attached(L);
    const cs_script_run *box = lua_touserdata(L, -1);
    push_console(L, c->script);
    cs_script_complete(L, box ? box->run : NULL, c->line, c->out);
    return 0;
}

void cs_script_console_complete(cs_script *s, const char *line, cs_flat *out)
{
    lua_State *L = cs_script_lua(s);
    completing c = {s, line, out};
    lua_pushcfunction(L, complete_word);
    lua_pushlightuserdata(L, &c);
    cs_script_call(s, 1, 0, 1, NULL);
}
