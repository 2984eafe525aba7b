/* Compiles files and strings of a script, each with its own environment. */
#include "base/memory.h"
#include "files/file.h"
#include "io/formats/other_file.h"
#include "script/state/read.h"
#include "script/state/sandbox.h"
#include "script/state/source.h"
#include "script/state/state.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { FILE_MOST = 1 << 20 };

void cs_script_environment(cs_script *s)
{
    lua_State *L = cs_script_lua(s);
    if (cs_script_trusted(s)) {
        lua_pushglobaltable(L);
        return;
    }
    cs_sandbox_environment(L);
    cs_script_push_require(L, lua_gettop(L));
    lua_setfield(L, -2, "require");
}

typedef struct chunk {
    cs_script *s;
    const char *text, *name;
    size_t size;
} chunk;

static int load_chunk(lua_State *L)
{
    const chunk *c = lua_touserdata(L, 1);
    cs_source_keep(L, c->name, c->text, c->size);
    int status = cs_sandbox_load(L, c->text, c->size, c->name);
    if (status != LUA_OK)
        return lua_error(L);
    cs_script_environment(c->s);
    lua_setupvalue(L, -2, 1);
    return 1;
}

static cs_status load(cs_script *s, const char *text, size_t size,
                      const char *name, cs_error *err)
{
    chunk c = {s, text, name, size};
    lua_pushcfunction(cs_script_lua(s), load_chunk);
    lua_pushlightuserdata(cs_script_lua(s), &c);
    return cs_script_call(s, 1, 1, 0, err);
}

cs_status cs_script_load_text(cs_script *s, const char *code, const char *name,
                              cs_error *err)
{
    assert(code && name);
    return load(s, code, strlen(code), name, err);
}

static cs_status read_text(const char *path, unsigned char **text, size_t *size,
                           cs_error *err)
{
    struct stat info;
    if (stat(path, &info) != 0) {
        cs_fail(err, CS_IO, "there is no file '%s'", path);
        cs_hint(err, "check the name, or pick one from the gallery");
        return CS_IO;
    }
    if (!S_ISREG(info.st_mode))
        return cs_fail(err, CS_IO, "'%s' is not a regular file", path);
    if (info.st_size > FILE_MOST) {
        if (cs_other_file_refuse_draws(path, err))
            return CS_INPUT;
        cs_fail(err, CS_IO,
                "'%s' is too long for a scenario: %.1f MB; the limit is %d MB",
                path, (double)info.st_size / (1 << 20), FILE_MOST >> 20);
        cs_hint(err, "move numbers to a file: cs.read_table \"table.csv\", "
                     "cs.read_json, data = { file = ... }");
        return CS_IO;
    }
    return cs_file_read(path, FILE_MOST, text, size, err);
}

cs_status cs_script_load_file(cs_script *s, const char *path, cs_error *err)
{
    unsigned char *read = NULL;
    char name[CS_SCRIPT_PATH + 1];
    size_t size = 0;
    cs_inputs *in = cs_script_inputs(s);
    const char *text = cs_inputs_text(in, CS_INPUT_SCENARIO, "", &size);
    cs_status status = text ? CS_OK : read_text(path, &read, &size, err);
    if (status)
        return status;
    if (!text) {
        text = (const char *)read;
        cs_inputs_note(in, CS_INPUT_SCENARIO, path, text, size);
    }
    cs_script_set_file(s, path);
    if (cs_script_trusted(s))
        cs_script_trust_folder(cs_script_lua(s), cs_script_folder(s));
    snprintf(name, sizeof name, "@%s", path);
    const char *start = cs_source_start(text, &size);
    status = load(s, start, size, name, err);
    /* Lua's message about draws or a picture would not help */
    if (status == CS_SCRIPT && read &&
        (cs_other_file_refuse_draws(path, err) ||
         cs_other_file_refuse(path, false, err)))
        status = CS_INPUT;
    cs_free(read);
    return status;
}
