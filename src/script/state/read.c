/* Reads tables, images, JSON files and modules in a scenario's folder, and the
 * script's own text. */
#include "script/state/read.h"

#include "base/memory.h"
#include "data/idx.h"
#include "data/json.h"
#include "data/table.h"
#include "files/file.h"
#include "script/state/path.h"
#include "script/state/sandbox.h"
#include "script/state/source.h"
#include "script/state/value.h"

#include <lauxlib.h>
#include <lualib.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

enum { SOURCE_MOST = 1 << 20, SAFE_WHOLE = 53 };

static const char meta[] = "chainscope.read";

/* An owner of memory that is freed even if Lua runs out of memory. */
typedef struct box {
    cs_records records;
    cs_json json;
    cs_idx idx;
    char *text; /* [own] */
    unsigned char *source;
} box;

static int collect(lua_State *L)
{
    box *b = lua_touserdata(L, 1);
    cs_records_free(&b->records);
    cs_json_close(&b->json);
    cs_idx_free(&b->idx);
    cs_free(b->text);
    cs_free(b->source);
    *b = (box){0};
    return 0;
}

static box *push_box(lua_State *L)
{
    box *b = lua_newuserdatauv(L, sizeof *b, 0);
    *b = (box){0};
    luaL_setmetatable(L, meta);
    return b;
}

/* ---- tables -------------------------------------------------------------- */

/* True for an empty field, or NA as written by R. */
static bool is_missing(cs_word_span s)
{
    return s.at == s.end || cs_word_is(s, "NA");
}

/* True if column c has at least one entry and all its entries are numbers. */
static bool is_numeric(const cs_records *t, size_t c)
{
    bool some = false;
    double ignored;
    for (size_t r = 0; r < t->rows; r++) {
        cs_word_span s = t->field[r * t->cols + c];
        if (is_missing(s))
            continue;
        if (!cs_records_number(t, r, c, &ignored))
            return false;
        some = true;
    }
    return some;
}

static void push_text(lua_State *L, cs_word_span s)
{
    luaL_Buffer text;
    char *to = luaL_buffinitsize(L, &text, (size_t)(s.end - s.at));
    luaL_pushresultsize(&text, cs_records_unquote(s, to));
}

static void push_column(lua_State *L, const cs_records *t, size_t c)
{
    bool numeric = is_numeric(t, c);
    lua_createtable(L, (int)t->rows, 0);
    for (size_t r = 0; r < t->rows; r++) {
        cs_word_span s = t->field[r * t->cols + c];
        double x = NAN;
        if (!numeric)
            push_text(L, s);
        else if (is_missing(s) || !cs_records_number(t, r, c, &x) ||
                 x != floor(x) || fabs(x) > ldexp(1, SAFE_WHOLE))
            lua_pushnumber(L, x);
        else
            lua_pushinteger(L, (lua_Integer)x);
        lua_rawseti(L, -2, (lua_Integer)r + 1);
    }
}

/* read_table(path): returns the columns by name, and the names in order. */
static int read_table(lua_State *L)
{
    cs_error err = {0};
    cs_script_push_path(L, luaL_checkstring(L, 1));
    box *b = push_box(L);
    if (cs_records_read(lua_tostring(L, -2), &b->records, &err))
        return cs_script_raise(L, &err);
    const cs_records *t = &b->records;
    lua_createtable(L, 0, (int)t->cols);
    lua_createtable(L, (int)t->cols, 0);
    for (size_t c = 0; c < t->cols; c++) {
        if (lua_getfield(L, -2, t->names[c]) != LUA_TNIL)
            return cs_script_fail(L, "%s: two columns are called '%s'",
                                  lua_tostring(L, 1), t->names[c]);
        lua_pop(L, 1);
        push_column(L, t, c);
        lua_setfield(L, -3, t->names[c]);
        lua_pushstring(L, t->names[c]);
        lua_rawseti(L, -2, (lua_Integer)c + 1);
    }
    return 2;
}

/* ---- images -------------------------------------------------------------- */

/* Returns the mean of a square of `pool` x `pool` pixels whose upper left
 * corner is at `at`. */
static double mean_of(const cs_idx *idx, size_t at, size_t columns, size_t pool)
{
    double sum = 0;
    for (size_t i = 0; i < pool; i++)
        for (size_t j = 0; j < pool; j++)
            sum += cs_idx_number(idx, at + i * columns + j);
    return sum / (double)(pool * pool);
}

static void push_image(lua_State *L, const cs_idx *idx, size_t n, size_t pool)
{
    size_t rows = idx->size[1], columns = idx->row / rows;
    lua_Integer k = 0;
    lua_createtable(L, (int)(idx->row / (pool * pool)), 0);
    for (size_t i = 0; i < rows; i += pool)
        for (size_t j = 0; j < columns; j += pool) {
            lua_pushnumber(
                L, mean_of(idx, n * idx->row + i * columns + j, columns, pool));
            lua_rawseti(L, -2, ++k);
        }
}

/* read_idx(path, pool, most): returns the first `most` items of the file as a
 * list. An item is a number or, for an image, a list of means over squares of
 * pixels. */
static int read_idx(lua_State *L)
{
    cs_error err = {0};
    size_t pool = (size_t)luaL_optinteger(L, 2, 1);
    size_t most = (size_t)luaL_optinteger(L, 3, LUA_MAXINTEGER);
    cs_script_push_path(L, luaL_checkstring(L, 1));
    box *b = push_box(L);
    if (cs_idx_read(lua_tostring(L, -2), &b->idx, &err))
        return cs_script_raise(L, &err);
    const cs_idx *idx = &b->idx;
    size_t n = idx->size[0] < most ? idx->size[0] : most;
    bool images = idx->sizes > 1;
    if (n && !idx->row)
        return cs_script_fail(L, "%s: its images have no pixels",
                              lua_tostring(L, 1));
    if (images && (idx->size[1] % pool || idx->row / idx->size[1] % pool))
        return cs_script_fail(L,
                              "%s: images of %d x %d pixels are smaller than "
                              "%d x %d",
                              lua_tostring(L, 1), (int)idx->size[1],
                              (int)(idx->row / idx->size[1]), (int)pool,
                              (int)pool);
    lua_createtable(L, (int)n, 0);
    for (size_t i = 0; i < n; i++) {
        if (images)
            push_image(L, idx, i, pool);
        else if (idx->type < 13) /* the file has integers */
            lua_pushinteger(L, (lua_Integer)cs_idx_number(idx, i));
        else
            lua_pushnumber(L, cs_idx_number(idx, i));
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    return 1;
}

/* ---- JSON ---------------------------------------------------------------- */

/* State of the reader. The Lua stack holds each open container and, for an
 * object, its current key. */
typedef struct tree {
    cs_json *json;
    lua_Integer n[CS_JSON_DEPTH + 1]; /* number of entries of each open list */
} tree;

static bool in_object(const tree *t)
{
    return t->json->depth && t->json->object[t->json->depth - 1];
}

static int refuse_twice(lua_State *L, const tree *t)
{
    cs_error err;
    cs_fail(&err, CS_INPUT, "an object has the key '%s' twice",
            lua_tostring(L, -1));
    cs_where(&err, t->json->where, t->json->line);
    cs_hint(&err, "use each key once");
    return cs_script_raise(L, &err);
}

/* Adds the value on top of the stack to the open container. */
static void put(lua_State *L, tree *t)
{
    if (!t->json->depth)
        return;
    if (in_object(t))
        lua_rawset(L, -3);
    else
        lua_rawseti(L, -2, ++t->n[t->json->depth]);
}

static void push_number(lua_State *L, const cs_json_token *token)
{
    if (token->whole && fabs(token->number) <= ldexp(1, SAFE_WHOLE))
        lua_pushinteger(L, (lua_Integer)token->number);
    else
        lua_pushnumber(L, token->number);
}

/* Pushes the value that represents a JSON null: NaN inside a list, because a
 * list cannot contain nil; otherwise nil. */
static void push_null(lua_State *L, const tree *t)
{
    if (t->json->depth && !in_object(t))
        lua_pushnumber(L, (double)NAN);
    else
        lua_pushnil(L);
}

static void take(lua_State *L, tree *t, const cs_json_token *token)
{
    switch (token->kind) {
    case CS_JSON_OPEN_LIST:
    case CS_JSON_OPEN_OBJECT:
        lua_newtable(L);
        t->n[t->json->depth] = 0;
        return;
    case CS_JSON_KEY:
        lua_pushlstring(L, token->text, token->size);
        lua_pushvalue(L, -1);
        if (lua_rawget(L, -3) != LUA_TNIL) {
            lua_pop(L, 1);
            refuse_twice(L, t);
        }
        lua_pop(L, 1);
        return;
    case CS_JSON_TEXT:
        lua_pushlstring(L, token->text, token->size);
        break;
    case CS_JSON_NUMBER:
        push_number(L, token);
        break;
    case CS_JSON_TRUE:
    case CS_JSON_FALSE:
        lua_pushboolean(L, token->kind == CS_JSON_TRUE);
        break;
    case CS_JSON_NULL:
        push_null(L, t);
        break;
    default: /* the end of a container; the container itself is the value to
              * store */
        break;
    }
    put(L, t);
}

/* read_json(path): returns the value in the file. */
static int read_json(lua_State *L)
{
    cs_error err = {0};
    cs_script_push_path(L, luaL_checkstring(L, 1));
    const char *path = lua_tostring(L, -1);
    box *b = push_box(L);
    tree t = {.json = &b->json};
    cs_json_token token = {.kind = CS_JSON_NULL};
    size_t size;
    cs_status s = cs_data_read(path, "JSON file", &b->text, &size, &err);
    if (s == CS_OK)
        s = cs_json_open(&b->json, b->text, size, path, &err);
    luaL_checkstack(L, 3 * CS_JSON_DEPTH, "JSON");
    while (s == CS_OK && token.kind != CS_JSON_END) {
        s = cs_json_next(&b->json, &token, &err);
        if (s == CS_OK && token.kind != CS_JSON_END)
            take(L, &t, &token);
    }
    return s ? cs_script_raise(L, &err) : 1;
}

/* ---- modules of the script ----------------------------------------------- */

static int wrong_module(lua_State *L, const char *what)
{
    cs_error err;
    cs_fail(&err, CS_INPUT, "require '%.40s': %s", lua_tostring(L, 1), what);
    cs_hint(&err, "require 'chainscope', or files of the scenario's folder: "
                  "require \"lib.sums\" reads lib/sums.lua");
    return cs_script_raise(L, &err);
}

/* Pushes the path of `file` in the script's folder. The file may be missing if
 * a recording contains the module. */
static const char *push_place(lua_State *L, const char *file)
{
    size_t size;
    cs_error err;
    cs_script *s = cs_script_of(L);
    cs_inputs *in = cs_script_inputs(s);
    if (cs_inputs_text(in, CS_INPUT_MODULE, file, &size)) {
        const char *own = cs_script_folder(s);
        return lua_pushfstring(L, "%s/%s", *own ? own : ".", file);
    }
    if (!cs_script_push_beneath(L, file))
        wrong_module(L, "no such file in the scenario's folder");
    if (cs_inputs_module(in, file, &err))
        cs_script_raise(L, &err);
    return lua_tostring(L, -1);
}

/* Pushes the file name of the module whose name is at stack index 1. A point or
 * a slash separates folders; names that leave the script's folder are
 * errors. */
static const char *push_module(lua_State *L)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz"
                                  "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./";
    size_t size;
    const char *name = luaL_checklstring(L, 1, &size);
    char inside[128];
    if (!size || size >= sizeof inside - 4 || strspn(name, letters) != size ||
        strstr(name, "..") || *name == '/' || *name == '.')
        wrong_module(L, "not a valid module name");
    for (size_t i = 0; i <= size; i++)
        inside[i] = name[i] == '.' ? '/' : name[i];
    return lua_pushfstring(L, "%s.lua", inside);
}

/* Returns the text of the file at `path`, from the recording or from the disk.
 * A text from the disk is recorded, and is stored in the box. */
static const char *read_source(lua_State *L, box *b, const char *file,
                               const char *path, size_t *size)
{
    cs_error err = {0};
    cs_inputs *in = cs_script_inputs(cs_script_of(L));
    const char *text = cs_inputs_text(in, CS_INPUT_MODULE, file, size);
    if (text)
        return text;
    if (cs_file_read(path, SOURCE_MOST, &b->source, size, &err))
        cs_script_raise(L, &err);
    text = (const char *)b->source;
    cs_inputs_note(in, CS_INPUT_MODULE, file, text, *size);
    return text;
}

/* Pushes the compiled chunk of the module. */
static void push_chunk(lua_State *L, const char *file, const char *path)
{
    box *b = push_box(L);
    size_t size;
    const char *text = read_source(L, b, file, path, &size);
    text = cs_source_start(text, &size);
    lua_pushfstring(L, "@%s", path);
    cs_source_keep(L, lua_tostring(L, -1), text, size);
    if (cs_sandbox_load(L, text, size, lua_tostring(L, -1)) != LUA_OK)
        lua_error(L);
    cs_free(b->source);
    b->source = NULL;
}

/* require(name): upvalues are the caller's environment and the loaded
 * modules. */
static int require_module(lua_State *L)
{
    luaL_checkstring(L, 1);
    lua_settop(L, 1);
    lua_pushvalue(L, 1);
    if (lua_rawget(L, lua_upvalueindex(2)) != LUA_TNIL) {
        if (lua_islightuserdata(L, -1))
            wrong_module(L, "the module requires itself");
        return 1;
    }
    const char *file = push_module(L), *path = push_place(L, file);
    push_chunk(L, file, path);
    lua_pushvalue(L, lua_upvalueindex(1)); /* the module gets the caller's
                                            * environment */
    lua_setupvalue(L, -2, 1);
    lua_pushvalue(L, 1);
    lua_pushlightuserdata(L, L); /* marks a module that is being loaded */
    lua_rawset(L, lua_upvalueindex(2));
    lua_pushvalue(L, 1);
    lua_pushstring(L, path);
    if (lua_pcall(L, 2, 1, 0) != LUA_OK) {
        lua_pushvalue(L, 1);
        lua_pushnil(L);
        lua_rawset(L, lua_upvalueindex(2));
        return lua_error(L);
    }
    if (lua_isnil(L, -1)) {
        lua_pop(L, 1);
        lua_pushboolean(L, 1);
    }
    lua_pushvalue(L, 1);
    lua_pushvalue(L, -2);
    lua_rawset(L, lua_upvalueindex(2));
    return 1;
}

void cs_script_push_require(lua_State *L, int world)
{
    lua_pushvalue(L, world);
    lua_newtable(L);
    lua_getfield(L, LUA_REGISTRYINDEX, "chainscope");
    lua_setfield(L, -2, "chainscope");
    lua_pushcclosure(L, require_module, 2);
}

/* A searcher for Lua's own `require`: records the modules that it finds in the
 * scenario's folder, or takes modules from a recording. */
static int search_beside(lua_State *L)
{
    static const char *const ends[] = {".lua", "/init.lua"};
    size_t size;
    cs_error err;
    cs_script *s = cs_script_of(L);
    cs_inputs *in = cs_script_inputs(s);
    const char *own = cs_script_folder(s);
    const char *stem = luaL_gsub(L, luaL_checkstring(L, 1), ".", "/");
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        const char *file = lua_pushfstring(L, "%s%s", stem, ends[i]);
        const char *path = lua_pushfstring(L, "%s/%s", *own ? own : ".", file);
        bool known = cs_inputs_text(in, CS_INPUT_MODULE, file, &size);
        if (!known && access(path, R_OK) != 0)
            continue;
        if (!known && cs_inputs_module(in, file, &err))
            return cs_script_raise(L, &err);
        push_chunk(L, file, path);
        lua_pushstring(L, path);
        return 2;
    }
    return 0;
}

/* Inserts the searcher before the searchers that look for files. The table
 * `package` is on top of the stack. */
static void add_searcher(lua_State *L)
{
    enum {
        PLACE = 2 /* position of the new searcher; the first searcher returns
                      * preloaded modules */
    };
    lua_getfield(L, -1, "searchers");
    lua_Integer n = luaL_len(L, -1);
    for (lua_Integer i = n; i >= PLACE; i--) {
        lua_rawgeti(L, -1, i);
        lua_rawseti(L, -2, i + 1);
    }
    lua_pushcfunction(L, search_beside);
    lua_rawseti(L, -2, PLACE);
    lua_pop(L, 1);
}

void cs_script_trust_folder(lua_State *L, const char *folder)
{
    static const char path_key = 0;
    lua_getglobal(L, LUA_LOADLIBNAME);
    if (lua_rawgetp(L, LUA_REGISTRYINDEX, &path_key) != LUA_TSTRING) {
        lua_pop(L, 1);
        add_searcher(L);
        lua_getfield(L, -1, "path"); /* the original search path of Lua */
        lua_pushvalue(L, -1);
        lua_rawsetp(L, LUA_REGISTRYINDEX, &path_key);
    }
    const char *usual = lua_tostring(L, -1);
    folder = *folder ? folder : ".";
    lua_pushfstring(L, "%s/?.lua;%s/?/init.lua;%s", folder, folder,
                    usual ? usual : "");
    lua_setfield(L, -3, "path");
    lua_pop(L, 2);
}

/* ---- the script's own text ----------------------------------------------- */

/* source(): returns the text of the running file, as it was when the file was
 * read, and the current line. Returns nothing if no file is running. */
static int source(lua_State *L)
{
    lua_Debug at;
    box *b = push_box(L);
    size_t size;
    if (!cs_script_own_call(L, &at) || at.source[0] != '@')
        return 0;
    if (!cs_source_push(L, at.source + 1)) {
        if (cs_file_read(at.source + 1, SOURCE_MOST, &b->source, &size, NULL))
            return 0;
        lua_pushlstring(L, (const char *)b->source, size);
    }
    lua_pushinteger(L, at.currentline);
    lua_pushstring(L, at.short_src);
    return 3;
}

void cs_script_open_read(lua_State *L)
{
    static const luaL_Reg methods[] = {{"__gc", collect}, {NULL, NULL}};
    static const luaL_Reg functions[] = {{"read_table", read_table},
                                         {"read_json", read_json},
                                         {"read_idx", read_idx},
                                         {"source", source},
                                         {NULL, NULL}};
    cs_script_class(L, meta, "file", methods);
    luaL_setfuncs(L, functions, 0);
}
