#include "script/exercise.h"

#include "base/memory.h"
#include "files/file.h"
#include "io/judges.h"
#include "io/sealed.h"
#include "script/bind/module.h"
#include "script/state/path.h"
#include "script/state/value.h"

#include <assert.h>
#include <lauxlib.h>
#include <stdio.h>
#include <string.h>

enum { TEXT_MOST = 1 << 20 };

/* ---- loading ------------------------------------------------------------- */

/* Pushes the value that the file returns. */
static cs_status evaluate(cs_script *s, const char *path, cs_error *err)
{
    cs_status status = cs_script_load_file(s, path, err);
    if (!status)
        status = cs_script_call(s, 0, 1, 0, err);
    if (status)
        cs_where(err, path, 0);
    return status;
}

/* Lua arguments: a scenario. Returns the path of the file that it names in the
 * field `exercise`, or nil. Raises an error for a file outside of the folder of
 * the scenario. */
static int named_file(lua_State *L)
{
    lua_settop(L, 1);
    if (!lua_istable(L, 1))
        return 0;
    lua_pushliteral(L, "exercise");
    if (lua_rawget(L, 1) != LUA_TSTRING)
        return 0;
    cs_script_push_path(L, lua_tostring(L, -1));
    return 1;
}

/* Replaces the scenario on top of the stack by the one whose file it names, if
 * it names one. */
static cs_status follow(cs_script *s, char *path, size_t size, cs_error *err)
{
    lua_State *L = cs_script_lua(s);
    lua_pushcfunction(L, named_file);
    lua_pushvalue(L, -2);
    cs_status status = cs_script_call(s, 1, 1, 0, err);
    if (status) {
        cs_where(err, path, 0);
        return status;
    }
    bool named = lua_isstring(L, -1);
    if (named)
        snprintf(path, size, "%s", lua_tostring(L, -1));
    lua_pop(L, named ? 2 : 1);
    return named ? evaluate(s, path, err) : CS_OK;
}

/* Pushes the scenario that has the exercise, and writes its path. */
static cs_status load_exercise(cs_script *s, char *path, size_t size,
                               cs_error *err)
{
    cs_status status = evaluate(s, path, err);
    return status ? status : follow(s, path, size, err);
}

/* ---- the options of the module ------------------------------------------- */

/* Returns true if the script exceeded a limit, or the user stopped it. */
static bool is_limit(cs_status status, const cs_error *why)
{
    return status == CS_MEMORY || status == CS_STOPPED ||
           strstr(why->what, "ran for too long");
}

/* Sets the field `text` of the table on top of the stack to the text of the file,
 * if it can be read. */
static void put_text(lua_State *L, const char *path)
{
    unsigned char *text;
    size_t size;
    if (cs_file_read(path, TEXT_MOST, &text, &size, NULL))
        return;
    cs_script_set_text(L, "text", (const char *)text);
    cs_free(text);
}

/* Sets the fields `text` and `value` of the table on top of the stack to the text
 * and the value of the hand-in, or the field `error` to the message with which it
 * failed. From then on the script reads no file, because functions of the hand-in
 * are called later, too. */
static cs_status put_hand_in(cs_script *s, const char *path, cs_error *err)
{
    lua_State *L = cs_script_lua(s);
    cs_error why;
    char text[1100];
    put_text(L, path);
    cs_script_seal_files(s, true);
    cs_status status = evaluate(s, path, &why);
    if (status == CS_OK) {
        lua_setfield(L, -2, "value");
        return CS_OK;
    }
    if (is_limit(status, &why)) {
        if (err)
            *err = why;
        return status;
    }
    cs_error_format(&why, text, sizeof text);
    cs_script_set_text(L, "error", text);
    return CS_OK;
}

/* Sets the field `sealed` of the table on top of the stack. */
static cs_status put_sealed(lua_State *L, const char *path, cs_error *err)
{
    unsigned char *key;
    size_t size;
    char *text;
    cs_status status = cs_file_read(path, TEXT_MOST, &key, &size, err);
    if (status)
        return status;
    status = cs_sealed_read(path, key, size, &text, err);
    cs_free(key);
    if (status == CS_OK && text)
        cs_script_set_text(L, "sealed", text);
    cs_free(text);
    return status;
}

/* Pushes the field exercise.judge.hidden of the scenario at this stack index,
 * or another value if the scenario has no such text. */
static void push_hidden(lua_State *L, int scenario)
{
    static const char *const field[] = {"exercise", "judge", "hidden"};
    lua_pushvalue(L, scenario);
    for (size_t i = 0; i < 3 && lua_istable(L, -1); i++) {
        lua_pushstring(L, field[i]);
        lua_rawget(L, -2);
        lua_remove(L, -2);
    }
}

/* Sets the field `hidden` of the table on top of the stack to the value of the
 * text of a hidden judge. It is loaded before the hand-in. */
static cs_status put_judge(cs_script *s, const char *text, cs_error *err)
{
    lua_State *L = cs_script_lua(s);
    cs_error why;
    char message[1100];
    cs_status status = cs_script_load_text(s, text, "=hidden judge", &why);
    if (!status)
        status = cs_script_call(s, 0, 1, 0, &why);
    if (!status && !lua_isnil(L, -1)) {
        lua_setfield(L, -2, "hidden");
        return CS_OK;
    }
    if (!status)
        snprintf(message, sizeof message, "it returns nothing");
    else if (is_limit(status, &why))
        snprintf(message, sizeof message,
                 "it does not end within the limits of time and memory");
    else
        cs_error_format(&why, message, sizeof message);
    cs_fail(err, CS_INPUT, "the hidden judge is broken: %s", message);
    cs_hint(err, "correct it, and write the digest of the file in the "
                 "exercise");
    return CS_INPUT;
}

/* Sets the field `hidden` of the table on top of the stack if the exercise below
 * it has a hidden judge. */
static cs_status put_hidden(cs_script *s, const char *folder, cs_error *err)
{
    lua_State *L = cs_script_lua(s);
    char name[100], *text = NULL;
    push_hidden(L, -2);
    snprintf(name, sizeof name, "%s",
             lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "");
    lua_pop(L, 1);
    cs_status status = cs_judges_check(folder, err);
    if (!status && cs_judge_digits(name))
        status = cs_judge_read(folder, name, &text, err);
    if (text)
        status = put_judge(s, text, err);
    cs_free(text);
    return status;
}

static cs_status put_options(cs_script *s, const char *path,
                             char *const *option, size_t n, cs_error *err)
{
    lua_State *L = cs_script_lua(s);
    lua_newtable(L);
    cs_status status = put_sealed(L, path, err);
    for (size_t i = 0; !status && i < n; i++) {
        char name[32];
        const char *equals = strchr(option[i], '=');
        if (!equals || (size_t)(equals - option[i]) >= sizeof name)
            return cs_fail(err, CS_INPUT, "expected NAME=VALUE, not '%s'",
                           option[i]);
        snprintf(name, sizeof name, "%.*s", (int)(equals - option[i]),
                 option[i]);
        if (strcmp(name, "mine") == 0)
            status = put_hand_in(s, equals + 1, err);
        else if (strcmp(name, "judges") == 0)
            status = put_hidden(s, equals + 1, err);
        else
            cs_script_set_text(L, name, equals + 1);
    }
    return status;
}

/* ---- the calls ----------------------------------------------------------- */

/* Calls the function with n arguments that are on the stack, and prints its
 * text. */
static cs_status call(cs_script *s, int n, cs_script_print *print, void *to,
                      cs_error *err)
{
    lua_State *L = cs_script_lua(s);
    cs_status status = cs_script_call(s, n, 1, 0, err);
    if (status)
        return status;
    size_t size;
    const char *text = lua_tolstring(L, -1, &size);
    print(to, text, size);
    return CS_OK;
}

/* Lua arguments: what, scenario, options. Returns the text of the answer. */
static int answer(lua_State *L)
{
    cs_script_push_word(L, "exercise");
    lua_insert(L, 1);
    lua_call(L, 3, 1);
    luaL_tolstring(L, -1, NULL);
    return 1;
}

cs_status cs_script_exercise(cs_script *s, char *const *word, size_t n,
                             cs_script_print *print, void *to, cs_error *err)
{
    assert(n >= 2);
    lua_State *L = cs_script_lua(s);
    int top = lua_gettop(L);
    char path[CS_SCRIPT_PATH];
    snprintf(path, sizeof path, "%s", word[1]);
    lua_pushcfunction(L, answer);
    lua_pushstring(L, word[0]);
    cs_status status = load_exercise(s, path, sizeof path, err);
    if (!status)
        status = put_options(s, path, word + 2, n - 2, err);
    if (!status)
        status = call(s, 3, print, to, err);
    cs_script_seal_files(s, false);
    lua_settop(L, top);
    return status;
}
