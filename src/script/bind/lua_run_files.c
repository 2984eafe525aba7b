/* Runs and files: run:write writes the draws of a run to a folder, cs.load reads
 * them. */
#include "files/open.h"
#include "io/checkpoint.h"
#include "io/formats/gather_files.h"
#include "io/watched.h"
#include "run/arms/arms.h"
#include "script/bind/lua_run.h"
#include "script/bind/lua_target.h"
#include "script/bind/luaopen.h"
#include "script/state/path.h"
#include "script/state/state.h"
#include "script/state/value.h"
#include "session/record/read_run.h"
#include "session/record/record.h"

#include <dirent.h>
#include <lauxlib.h>
#include <string.h>
#include <sys/stat.h>

static const char files_meta[] = "chainscope.files";

/* The files of a run that was read from them. */
typedef struct files {
    cs_watched *watched;  /* [own] */
    cs_gathered gathered; /* temporary folder of files in other formats */
} files;

static int close_files(lua_State *L)
{
    files *f = lua_touserdata(L, 1);
    cs_watched_close(f->watched);
    cs_gathered_free(&f->gathered);
    *f = (files){0};
    return 0;
}

/* ---- run:write ----------------------------------------------------------- */

/* run_write(run, folder, force): writes the kept draws, the checkpoint, the
 * summary and the manifest. */
static int run_write(lua_State *L)
{
    cs_run *run = cs_script_to_change(L, 1);
    const char *folder = luaL_checkstring(L, 2);
    const cs_script *s = cs_script_of(L);
    cs_error err = {0};
    if (s && !cs_script_trusted(s)) {
        cs_fail(&err, CS_UNSUPPORTED, "a script may not write files");
        cs_hint(&err, "run it with --trust, or let `chainscope run FILE --out "
                      "DIR` write the draws of its scenario");
        return cs_script_raise(L, &err);
    }
    if (cs_record_write_kept(run, folder, lua_toboolean(L, 3), NULL, &err))
        return cs_script_raise(L, &err);
    return 0;
}

/* ---- cs.load ------------------------------------------------------------- */

_Noreturn static void refuse_path(lua_State *L, const char *text)
{
    cs_error err;
    cs_fail(&err, CS_INPUT, "the path '%s' leaves the scenario's folder", text);
    cs_hint(&err, "give a path inside the scenario's folder");
    cs_script_raise(L, &err);
    __builtin_unreachable();
}

/* Raises an error if there is no file in the folder of `text`, which is inside
 * the scenario's folder. Does not reveal which files other folders have. */
static void refuse_missing(lua_State *L, const char *text)
{
    cs_error err;
    struct stat there;
    const char *slash = strrchr(text, '/');
    int top = lua_gettop(L);
    lua_pushlstring(L, text, slash ? (size_t)(slash - text) : 0);
    bool inside = !slash || cs_script_push_beneath(L, lua_tostring(L, -1));
    (void)cs_script_push_beneath(L, text);
    if (inside && lstat(lua_tostring(L, -1), &there) != 0) {
        cs_fail(&err, CS_INPUT,
                "there is no file or folder '%s' in the scenario's folder",
                text);
        cs_hint(&err, "check the name");
        cs_script_raise(L, &err);
    }
    lua_settop(L, top);
}

/* Raises an error if the script is not trusted, and the path, or a file in this
 * folder, is outside the scenario's folder after links are resolved. */
static void check_inside(lua_State *L, const char *text)
{
    const cs_script *s = cs_script_of(L);
    int top = lua_gettop(L);
    if (!s || cs_script_trusted(s))
        return;
    if (*text == '/' || !cs_script_push_beneath(L, text)) {
        if (*text != '/' && strcmp(text, "..") != 0)
            refuse_missing(L, text);
        refuse_path(L, text);
    }
    DIR *d = cs_open_list(lua_tostring(L, -1));
    const char *outside = NULL;
    for (struct dirent *e; d && !outside && (e = readdir(d));) {
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
            continue;
        const char *name = lua_pushfstring(L, "%s/%s", text, e->d_name);
        outside = cs_script_push_beneath(L, name) ? NULL : name;
        lua_settop(L, outside ? top + 3 : top + 1);
    }
    if (d)
        closedir(d);
    if (outside)
        refuse_path(L, outside);
    lua_settop(L, top);
}

/* Pushes the path of a file or folder of draws. */
static const char *path_of(lua_State *L, int index)
{
    const char *text = luaL_checkstring(L, index);
    const cs_script *s = cs_script_of(L);
    const char *own = s ? cs_script_folder(s) : "";
    check_inside(L, text);
    if (*text == '/' || !*own)
        lua_pushstring(L, text);
    else
        lua_pushfstring(L, "%s/%s", own, text);
    return lua_tostring(L, -1);
}

/* Opens the files of draws at a path, a folder or one file of any format that
 * the program reads. */
static void open_draws(lua_State *L, files *f, const char *path)
{
    cs_error err = {0};
    const cs_gather_options how = {.link = true, .only = true};
    cs_status s = cs_draws_gather(&path, 1, &how, &f->gathered, &err);
    if (!s)
        s = cs_watched_open(
            &f->watched, *f->gathered.folder ? f->gathered.folder : path, &err);
    if (s)
        cs_script_raise(L, &err);
}

/* run_read(path): returns a run of the draws at this path, its target, and the
 * number of draws per chain. */
static int run_read(lua_State *L)
{
    cs_error err = {0};
    const char *path = path_of(L, 1);
    files *f = lua_newuserdatauv(L, sizeof *f, 0);
    int owner = lua_gettop(L);
    *f = (files){0};
    luaL_setmetatable(L, files_meta);
    open_draws(L, f, path);
    cs_script_run *box = cs_script_push_run(L, NULL);
    lua_pushvalue(L, owner);
    lua_setiuservalue(L, -2, 1);
    if (cs_read_run_create(f->watched, &box->run, &err))
        return cs_script_raise(L, &err);
    box->own = true;
    cs_script_set_latest_run(L, -1);
    cs_script_push_target(L, cs_target_hold(cs_run_target(box->run)));
    lua_pushinteger(L, (lua_Integer)cs_read_run_limit(f->watched, box->run));
    return 3;
}

/* run_checkpoint(folder): returns the state of the run in the folder's
 * checkpoint, as run:save returns it. */
static int run_checkpoint(lua_State *L)
{
    cs_error err = {0};
    cs_checkpoint c;
    lua_pushfstring(L, "%s/checkpoint", path_of(L, 1));
    if (cs_checkpoint_read(&c, lua_tostring(L, -1), &err))
        return cs_script_raise(L, &err);
    lua_pushlstring(L, (const char *)c.run, c.size);
    cs_checkpoint_fini(&c);
    return 1;
}

void cs_script_open_run_files(lua_State *L)
{
    static const luaL_Reg methods[] = {{"__gc", close_files}, {NULL, NULL}};
    static const luaL_Reg functions[] = {{"run_write", run_write},
                                         {"run_read", run_read},
                                         {"run_checkpoint", run_checkpoint},
                                         {NULL, NULL}};
    cs_script_class(L, files_meta, "files", methods);
    luaL_setfuncs(L, functions, 0);
}
