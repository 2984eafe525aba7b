/* Computes digests of functions. Two functions are equal if lua_dump writes
 * equal code for them, apart from names and line numbers. lua_dump also writes
 * the first and last line of each function. The digest skips these lines,
 * because comments must not change it. The format is that of Lua 5.4
 * (lundump.c). Table keys are sorted, since Lua's order differs between
 * processes. */
#include "script/state/digest.h"

#include "base/hash.h"
#include "data/parts.h"
#include "script/state/dumped.h"
#include "script/state/writes.h"

#include <lauxlib.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEEP = 60, MANY = 100000 };

typedef struct digest {
    lua_State *L;
    int seen; /* stack index of a table from objects to their digests */
    int deep;
    long left; /* number of objects that may still be visited */
} digest;

static uint64_t value(digest *d, int index);

static uint64_t mix(uint64_t h, uint64_t w)
{
    return cs_digest(h, &w, sizeof w);
}

/* ---- code ----------------------------------------------------------------- */

/* A reader of a function that lua_dump has written. */
typedef struct code {
    cs_dumped read;
    uint64_t h;
    digest *d;
} code;

static void hash(code *c, size_t n)
{
    const unsigned char *b = cs_dumped_take(&c->read, n);
    if (b)
        c->h = cs_digest(c->h, b, n);
}

/* Records a global that the function may use, if the script has defined it. */
static void global(code *c, const char *name, size_t n)
{
    lua_State *L = c->d->L;
    if (lua_type(L, -1) != LUA_TTABLE)
        return;
    lua_pushlstring(L, name, n);
    int type = lua_rawget(L, -2);
    if (type != LUA_TNIL)
        c->h = mix(c->h, value(c->d, lua_gettop(L)));
    lua_pop(L, 1);
}

static void text(code *c)
{
    size_t n;
    const char *b = cs_dumped_text(&c->read, &n);
    c->h = mix(c->h, n);
    if (!b)
        return;
    c->h = cs_digest(c->h, b, n);
    global(c, b, n);
}

static void constants(code *c)
{
    size_t n = cs_dumped_count(&c->read);
    for (size_t i = 0; i < n && !c->read.bad; i++) {
        const unsigned char *b = cs_dumped_take(&c->read, 1);
        int type = b ? *b : 0;
        c->h = mix(c->h, (uint64_t)type);
        if (type == CS_DUMPED_INTEGER || type == CS_DUMPED_FLOAT)
            hash(c, 8);
        else if (type == CS_DUMPED_SHORT || type == CS_DUMPED_LONG)
            text(c);
    }
}

static void function(code *c)
{
    cs_dumped *r = &c->read;
    size_t n;
    text(c);            /* skips the stripped name of the source file */
    cs_dumped_count(r); /* skips the line where the function starts */
    cs_dumped_count(r); /* skips the line where the function ends */
    hash(c, 3);
    n = cs_dumped_count(r);
    hash(c, n <= r->n / 4 ? 4 * n : r->n);
    constants(c);
    n = cs_dumped_count(r);
    hash(c, n <= r->n / 3 ? 3 * n : r->n);
    n = cs_dumped_count(r);
    for (size_t i = 0; i < n && !r->bad; i++)
        function(c);
    for (int i = 0; i < 4; i++) /* skips lines and names, which are stripped */
        r->bad |= cs_dumped_count(r) != 0;
}

/* ---- values --------------------------------------------------------------- */

/* Pushes the environment of the function's chunk, or nil. */
static void push_world(lua_State *L, int index)
{
    const char *name;
    for (int i = 1; (name = lua_getupvalue(L, index, i)); i++) {
        if (strcmp(name, "_ENV") == 0)
            return;
        lua_pop(L, 1);
    }
    lua_pushnil(L);
}

static uint64_t lua_function(digest *d, int index)
{
    lua_State *L = d->L;
    code c = {.h = CS_DIGEST, .d = d};
    const char *name;
    bool good = cs_dumped_open(&c.read, L, index);
    push_world(L, index);
    if (good)
        function(&c);
    lua_pop(L, 1);
    if (!good || c.read.bad ||
        c.read.at != c.read.n) /* another version of Lua: digests all bytes */
        c.h = cs_digest(CS_DIGEST, c.read.byte, good ? c.read.n : 0);
    cs_dumped_close(&c.read);
    for (int i = 1; (name = lua_getupvalue(L, index, i)); i++) {
        if (strcmp(name, "_ENV") != 0)
            c.h = mix(c.h, value(d, lua_gettop(L)));
        lua_pop(L, 1);
    }
    return c.h;
}

/* True for the module's internal table, to which all functions of the module
 * refer. */
static bool of_module(lua_State *L, int index)
{
    lua_pushliteral(L, "words");
    lua_rawget(L, index);
    lua_getfield(L, LUA_REGISTRYINDEX, "chainscope.words");
    bool own = lua_istable(L, -1) &&
               (lua_rawequal(L, -1, -2) || lua_rawequal(L, -1, index));
    lua_pop(L, 2);
    return own;
}

static int by_text(const void *a, const void *b)
{
    const char *const *x = a, *const *y = b;
    return strcmp(*x, *y);
}

/* True if the key, which is below the top of the stack, is one of the indices 1
 * .. n. Entries with these indices are digested by table(). */
static bool in_list(lua_State *L, lua_Integer n)
{
    if (!lua_isinteger(L, -2))
        return false;
    lua_Integer i = lua_tointeger(L, -2);
    return i >= 1 && i <= n;
}

/* Returns a digest of some of the entries: in sorted order the entries whose
 * keys are strings, then the entries whose keys are booleans, or numbers
 * outside 1 .. n. */
static uint64_t named(digest *d, int index)
{
    lua_State *L = d->L;
    size_t n = 0, i = 0;
    uint64_t h = CS_DIGEST, others = 0;
    lua_Integer list = (lua_Integer)lua_rawlen(L, index);
    for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1))
        n += lua_type(L, -2) == LUA_TSTRING;
    const char **key = lua_newuserdatauv(L, (n + 1) * sizeof *key, 0);
    for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1)) {
        int type = lua_type(L, -2);
        if (type == LUA_TSTRING)
            key[i++] = lua_tostring(L, -2);
        else if (type == LUA_TBOOLEAN ||
                 (type == LUA_TNUMBER && !in_list(L, list)))
            others += mix(value(d, lua_gettop(L) - 1),
                          value(d, lua_gettop(L))); /* the sum does not depend
                                                     * on the order of
                                                     * entries */
    }
    qsort(key, n, sizeof *key, by_text);
    for (i = 0; i < n; i++) {
        h = cs_digest(h, key[i], strlen(key[i]));
        lua_pushstring(L, key[i]);
        lua_rawget(L, index);
        h = mix(h, value(d, lua_gettop(L)));
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    return mix(h, others);
}

static uint64_t table(digest *d, int index)
{
    lua_State *L = d->L;
    if (of_module(L, index))
        return CS_DIGEST;
    size_t n = lua_rawlen(L, index);
    uint64_t h = mix(CS_DIGEST, n);
    for (size_t i = 1; i <= n; i++) {
        lua_rawgeti(L, index, (lua_Integer)i);
        h = mix(h, value(d, lua_gettop(L)));
        lua_pop(L, 1);
    }
    return mix(h, named(d, index));
}

/* Returns the digest that a userdata of the module computes itself; 0 if the
 * userdata has no digest. */
static uint64_t userdata(lua_State *L, int index)
{
    uint64_t h = CS_DIGEST;
    if (!luaL_callmeta(L, index, CS_DIGEST_EVENT))
        return h;
    h = (uint64_t)lua_tointeger(L, -1);
    lua_pop(L, 1);
    return h;
}

/* Digests an object. Each object is visited only once, since objects may refer
 * to each other. */
static uint64_t object(digest *d, int index, int type)
{
    lua_State *L = d->L;
    uint64_t h = CS_DIGEST;
    lua_pushvalue(L, index);
    if (lua_rawget(L, d->seen) == LUA_TNUMBER)
        h = (uint64_t)lua_tointeger(L, -1);
    else if (d->deep < DEEP && d->left-- > 0 && lua_checkstack(L, 16)) {
        d->deep++;
        lua_pushvalue(L, index);
        lua_pushinteger(L, type);
        lua_rawset(L, d->seen);
        h = type == LUA_TTABLE ? table(d, index) : lua_function(d, index);
        lua_pushvalue(L, index);
        lua_pushinteger(L, (lua_Integer)h);
        lua_rawset(L, d->seen);
        d->deep--;
    }
    lua_pop(L, 1);
    return h;
}

static uint64_t value(digest *d, int index)
{
    lua_State *L = d->L;
    int type = lua_type(L, index);
    uint64_t h = mix(CS_DIGEST, (uint64_t)type);
    if (type == LUA_TBOOLEAN) {
        h = mix(h, (uint64_t)lua_toboolean(L, index));
    } else if (type == LUA_TNUMBER) {
        lua_Number x = lua_tonumber(L, index);
        h = cs_digest(h, &x, sizeof x);
        if (lua_isinteger(L, index))
            h = mix(h, (uint64_t)lua_tointeger(L, index));
    } else if (type == LUA_TSTRING) {
        size_t n;
        const char *s = lua_tolstring(L, index, &n);
        h = cs_digest(h, s, n);
    } else if (type == LUA_TTABLE ||
               (type == LUA_TFUNCTION && !lua_iscfunction(L, index))) {
        h = mix(h, object(d, index, type));
    } else if (type == LUA_TUSERDATA) {
        h = mix(h, userdata(L, index));
    }
    return h;
}

uint64_t cs_script_digest(lua_State *L, int index)
{
    index = lua_absindex(L, index);
    lua_newtable(L);
    digest d = {.L = L, .seen = lua_gettop(L), .left = MANY};
    uint64_t h = value(&d, index);
    lua_pop(L, 1);
    return h;
}

void cs_script_parts(lua_State *L, int index, const char *name, cs_page *p)
{
    if (!lua_isnil(L, index))
        cs_parts_digest(p, name, "function", cs_script_digest(L, index));
}

void cs_script_parts_of_chains(lua_State *L, int index, const char *name,
                               cs_page *p)
{
    char what[200], key[80];
    cs_script_parts(L, index, name, p);
    snprintf(key, sizeof key, "%s" CS_SCRIPT_CHANGES, name);
    if (!lua_isfunction(L, index))
        return;
    cs_script_note_chain_function(L, index, name);
    if (cs_script_writes(L, index, what, sizeof what))
        cs_parts_text(p, key, what);
}
