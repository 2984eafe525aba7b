/* Resolves the paths of files that a scenario names. */
#include "script/state/path.h"

#include "base/install_paths.h"
#include "script/state/state.h"
#include "script/state/value.h"

#include <lauxlib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Returns true if the file exists and is inside the folder, or below it, after
 * symbolic links are resolved. */
static bool is_beneath(const char *path, const char *folder)
{
    char *file = realpath(path, NULL), *root = realpath(folder, NULL);
    size_t n = root ? strlen(root) : 0;
    bool good = file && root && strncmp(file, root, n) == 0 &&
                (file[n] == '/' || (n == 1 && *root == '/'));
    free(file);
    free(root);
    return good;
}

bool cs_script_push_beneath(lua_State *L, const char *text)
{
    cs_script *s = cs_script_of(L);
    const char *own = s ? cs_script_folder(s) : "";
    cs_script_check_files(L, text);
    own = *own ? own : ".";
    lua_pushfstring(L, "%s/%s", own, text);
    return is_beneath(lua_tostring(L, -1), own);
}

/* Searches the data folders (the program's own folder, or CHAINSCOPE_DATA) for
 * a file. A name that leads out of the folder is not found. */
static bool find_data(const char *text, char *path, size_t size)
{
    const char *folder = getenv("CHAINSCOPE_DATA");
    char own[1024];
    snprintf(own, sizeof own, "assets/data/%s", text);
    if (cs_install_path(path, size, own))
        return true;
    if (!folder || !*folder)
        return false;
    int n = snprintf(path, size, "%s/%s", folder, text);
    return n > 0 && (size_t)n < size && access(path, F_OK) == 0 &&
           is_beneath(path, folder);
}

/* Records the file. Raises an error if a recording contains a different file
 * with that name. */
static void note(lua_State *L, const cs_script *s, const char *text,
                 const char *path)
{
    cs_error err;
    if (cs_inputs_data(cs_script_inputs(s), text, path, &err))
        cs_script_raise(L, &err);
}

void cs_script_push_path(lua_State *L, const char *text)
{
    cs_script *s = cs_script_of(L);
    cs_script_check_files(L, text);
    if (cs_inputs_lack(cs_script_inputs(s), text)) {
        lua_pushfstring(L, "%s, which did not exist when the run was recorded",
                        text);
        return;
    }
    const char *own = s ? cs_script_folder(s) : "";
    bool stranger = s && !cs_script_trusted(s);
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", *own ? own : ".", text);
    bool away = text[0] == '/' || strstr(text, "..");
    bool found = !away && access(path, F_OK) == 0;
    if (stranger && found)
        away = !is_beneath(path, *own ? own : ".");
    if (!away && !found)
        found = find_data(text, path, sizeof path);
    if (stranger && (away || (!found && access(text, F_OK) == 0))) {
        cs_error err;
        cs_fail(&err, CS_INPUT, "the path '%s' leaves the scenario's folder",
                text);
        cs_hint(&err, "give a path inside the scenario's folder");
        cs_script_raise(L, &err);
    }
    const char *at = found ? path : text;
    note(L, s, text, access(at, F_OK) == 0 ? at : NULL);
    lua_pushstring(L, at);
}

void cs_script_resolve_paths(lua_State *L, const cs_param *rows, size_t n_rows,
                             cs_value *values, size_t n)
{
    lua_newtable(L);
    for (size_t i = 0; i < n; i++) {
        int row = cs_param_find(rows, n_rows, values[i].name);
        if (row < 0 || rows[row].kind != CS_PARAM_TEXT ||
            values[i].kind != CS_PARAM_TEXT ||
            !(rows[row].flags & CS_PARAM_PATH))
            continue;
        cs_script_push_path(L, values[i].text);
        values[i].text = lua_tostring(L, -1);
        luaL_ref(L, -2);
    }
}

int cs_script_has_file(lua_State *L)
{
    cs_script_push_path(L, luaL_checkstring(L, 1));
    lua_pushboolean(L, access(lua_tostring(L, -1), R_OK) == 0);
    return 1;
}

int cs_script_files_asked(lua_State *L)
{
    cs_script *s = cs_script_of(L);
    const cs_inputs *in = s ? cs_script_inputs(s) : NULL;
    const char *name;
    uint64_t sum;
    bool there;
    lua_newtable(L);
    for (size_t i = 0; cs_inputs_file(in, i, &name, &there, &sum); i++) {
        char digits[20];
        snprintf(digits, sizeof digits, "%016llx", (unsigned long long)sum);
        lua_newtable(L);
        lua_pushstring(L, name);
        lua_setfield(L, -2, "name");
        lua_pushstring(L, there ? digits : NULL);
        lua_setfield(L, -2, "sum");
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    return 1;
}
