/* Targets evaluated by external code: a compiled Stan model, or a process
 * connected by a pipe. Nothing restricts the external code; therefore untrusted
 * scenarios must not use such targets. */
#include "files/file.h"
#include "script/bind/lua_target.h"
#include "script/bind/luaopen.h"
#include "script/state/path.h"
#include "script/state/state.h"
#include "script/state/value.h"
#include "targets/outside/process.h"
#include "targets/outside/stan.h"

#include <lauxlib.h>
#include <unistd.h>

enum { MOST_DATA = 1 << 30 };

static void need_trust(lua_State *L, const char *what)
{
    cs_script *s = cs_script_of(L);
    cs_error err;
    if (!s || cs_script_trusted(s))
        return;
    cs_fail(&err, CS_UNSUPPORTED, "%s runs unrestricted code", what);
    cs_hint(&err, "if you trust this scenario, start chainscope with --trust");
    cs_script_raise(L, &err);
}

static const char *text_field(lua_State *L, int fields, const char *name)
{
    lua_getfield(L, fields, name);
    return lua_tostring(L, -1);
}

/* Pushes the data of a model as a JSON string. The script contains the data, or
 * names a file that contains them. Pushes nil if there are no data. */
static const char *push_data(lua_State *L)
{
    unsigned char *bytes;
    size_t size;
    cs_error err = {0};
    if (text_field(L, 1, "json"))
        return lua_tostring(L, -1);
    const char *path = text_field(L, 1, "data");
    if (!path)
        return NULL;
    cs_script_push_path(L, path);
    if (cs_file_read(lua_tostring(L, -1), MOST_DATA, &bytes, &size, &err))
        cs_script_raise(L, &err);
    cs_page page = {.text = (char *)bytes, .used = size};
    cs_script_push_page(L, &page);
    return lua_tostring(L, -1);
}

/* target_stan(fields): fields.stan is the library. The data are in the string
 * fields.json or in the file fields.data. */
static int target_stan(lua_State *L)
{
    need_trust(L, "a compiled Stan model");
    cs_target *t;
    cs_error err = {0};
    cs_script_push_path(L, text_field(L, 1, "stan"));
    const char *library = lua_tostring(L, -1), *data = push_data(L);
    lua_getfield(L, 1, "seed");
    unsigned seed = (unsigned)lua_tointeger(L, -1);
    lua_getfield(L, 1, "transformed");
    bool transformed = lua_isnil(L, -1) || lua_toboolean(L, -1);
    if (cs_stan_target(library, data, seed, transformed, &t, &err))
        return cs_script_raise(L, &err);
    cs_script_push_target(L, t);
    cs_script_read_description(L, 1, t);
    return 1;
}

static double seconds(lua_State *L, const char *name, double usual)
{
    lua_getfield(L, 1, name);
    return luaL_optnumber(L, -1, usual);
}

/* Records a file if a word of the command names the file, so that a recording
 * identifies the model. Only files in the scenario's folder, which is the
 * working directory of the process, are recorded. */
static void note_file(lua_State *L, const char *word)
{
    cs_error err;
    cs_script *s = cs_script_of(L);
    const char *own = s ? cs_script_folder(s) : "";
    const char *path = lua_pushfstring(L, "%s/%s", *own ? own : ".", word);
    bool there = *word && *word != '/' && access(path, R_OK) == 0;
    if (there && cs_inputs_data(cs_script_inputs(s), word, path, &err))
        cs_script_raise(L, &err);
    lua_pop(L, 1);
}

/* target_process(fields): fields.process contains the words of the command. */
static int target_process(lua_State *L)
{
    need_trust(L, "a process");
    cs_target *t;
    cs_error err = {0};
    cs_script *s = cs_script_of(L);
    cs_process_spec spec = {.folder = s ? cs_script_folder(s) : NULL,
                            .startup = seconds(L, "startup", 60),
                            .timeout = seconds(L, "timeout", 10)};
    lua_getfield(L, 1, "process");
    size_t n = lua_rawlen(L, -1);
    int list = lua_gettop(L);
    const char **word = lua_newuserdatauv(L, (n + 1) * sizeof *word, 0);
    for (size_t i = 0; i < n; i++) {
        lua_rawgeti(L, list, (lua_Integer)i + 1);
        word[i] = lua_tostring(L, -1); /* the list keeps the string alive */
        if (word[i])
            note_file(L, word[i]);
        lua_pop(L, 1);
    }
    word[n] = NULL;
    spec.command = word;
    if (cs_process_target(&spec, &t, &err))
        return cs_script_raise(L, &err);
    cs_script_push_target(L, t);
    cs_script_read_description(L, 1, t);
    return 1;
}

/* target_free_names(target): returns the names of the values from which
 * target_free_point computes a state of an external target; nil for other
 * targets. */
static int target_free_names(lua_State *L)
{
    const cs_target *t = cs_script_to_target(L, 1);
    char name[64];
    if (!t || !t->type->free_point)
        return 0;
    lua_createtable(L, (int)t->free_numbers, 0);
    for (size_t i = 0; i < t->free_numbers; i++) {
        cs_target_coordinate(t, i, name, sizeof name);
        lua_pushstring(L, name);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    return 1;
}

/* target_free_point(target, values): returns the state computed from the values
 * that target_free_names names. */
static int target_free_point(lua_State *L)
{
    cs_target *t = cs_script_to_target(L, 1);
    size_t rows, cols;
    cs_error err = {0};
    double *y = cs_script_numbers(L, 2, "the values", &rows, &cols);
    if (!t || rows * cols != t->free_numbers)
        return luaL_argerror(L, 2, "not the values of a state");
    double *x = lua_newuserdatauv(L, t->space.dim * sizeof *x, 0);
    if (t->type->free_point(t, y, x, &err))
        return cs_script_raise(L, &err);
    cs_script_push_numbers(L, x, t->space.dim);
    return 1;
}

void cs_script_open_outside_target(lua_State *L)
{
    static const luaL_Reg functions[] = {
        {"target_stan", target_stan},
        {"target_process", target_process},
        {"target_free_names", target_free_names},
        {"target_free_point", target_free_point},
        {NULL, NULL}};
    luaL_setfuncs(L, functions, 0);
}
