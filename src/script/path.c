/* Paths in scenarios. */
#include "script/path.h"

#include "base/home.h"
#include "script/state.h"
#include "script/value.h"

#include <lauxlib.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static bool is_path(const char *name)
{
    return strcmp(name, "data") == 0 || strcmp(name, "file") == 0 ||
           strcmp(name, "path") == 0;
}

/* Pushes the file that is meant. */
static void push_path(lua_State *L, const char *text)
{
    cs_script *s = cs_script_of(L);
    const char *own = s ? cs_script_folder(s) : "";
    char data[1024], path[1024];
    cs_error err;
    bool strange = text[0] == '/' || strstr(text, "..");
    if (strange && s && !cs_script_trusted(s)) {
        cs_fail(&err, CS_INPUT, "the path '%s' leaves the folder", text);
        cs_mend(&err, "give a name beneath the scenario's own folder");
        cs_script_raise(L, &err);
    }
    snprintf(path, sizeof path, "%s/%s", *own ? own : ".", text);
    snprintf(data, sizeof data, "assets/data/%s", text);
    bool found = !strange &&
                 (access(path, R_OK) == 0 || cs_home(path, sizeof path, data));
    lua_pushstring(L, found ? path : text);
}

void cs_script_resolve_paths(lua_State *L, const cs_param *rows, size_t n_rows,
                             cs_value *values, size_t n)
{
    lua_newtable(L);
    for (size_t i = 0; i < n; i++) {
        int row = cs_param_find(rows, n_rows, values[i].name);
        if (row < 0 || rows[row].kind != CS_PARAM_TEXT ||
            values[i].kind != CS_PARAM_TEXT || !is_path(values[i].name))
            continue;
        push_path(L, values[i].text);
        values[i].text = lua_tostring(L, -1);
        luaL_ref(L, -2);
    }
}
