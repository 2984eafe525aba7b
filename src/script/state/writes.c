#include "script/state/writes.h"

#include "script/state/dumped.h"
#include "script/state/value.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { DEEP = 40, MOST = 256, LOCAL = -1, WORLDS = 64 };

/* The captured variables of a function. For each variable, the entry is the
 * index of that variable in the outermost function, or LOCAL. */
typedef struct cells {
    int of[MOST];
    size_t n;
} cells;

typedef struct writes {
    cs_dumped read;
    int cell;         /* index of the changed variable, from 0; LOCAL: none */
    char global[100]; /* the changed global; "": none */
    uint64_t worlds;  /* bit i is set if cell i (i < WORLDS) holds the table of
                       * globals */
} writes;

/* ---- the code of one function ---- */

/* Instructions (lopcodes.h): seven bits for the opcode, eight for A, one for k,
 * eight for B. */
enum { SETUPVAL = 10, SETTABUP = 15 };

static uint32_t instruction(const unsigned char *b)
{
    uint32_t i;
    memcpy(&i, b, sizeof i);
    return i;
}

static int cell_of(const cells *c, uint32_t i)
{
    return i < c->n ? c->of[i] : LOCAL;
}

/* Finds an instruction that writes a variable. For a captured variable sets
 * w->cell. For a global sets *constant to the index of the constant that holds
 * the name of the global. */
static void look(writes *w, const unsigned char *code, size_t n, const cells *c,
                 long *constant)
{
    for (size_t i = 0; code && i < n; i++) {
        uint32_t k = instruction(code + 4 * i);
        uint32_t a = k >> 7 & 0xff, b = k >> 16 & 0xff;
        if ((k & 0x7f) == SETUPVAL && cell_of(c, b) != LOCAL)
            w->cell = cell_of(c, b);
        int of = cell_of(c, a);
        if ((k & 0x7f) == SETTABUP && of != LOCAL && of < WORLDS &&
            w->worlds >> of & 1)
            *constant = (long)b;
    }
}

static void constants(writes *w, long wanted)
{
    cs_dumped *r = &w->read;
    size_t n = cs_dumped_count(r);
    for (size_t i = 0; i < n && !r->bad; i++) {
        const unsigned char *b = cs_dumped_take(r, 1);
        int type = b ? *b : 0;
        size_t size;
        if (type == CS_DUMPED_INTEGER || type == CS_DUMPED_FLOAT)
            cs_dumped_take(r, 8);
        if (type != CS_DUMPED_SHORT && type != CS_DUMPED_LONG)
            continue;
        const char *text = cs_dumped_text(r, &size);
        if ((long)i == wanted && text)
            snprintf(w->global, sizeof w->global, "%.*s", (int)size, text);
    }
}

/* Reads a dumped function and searches it for writes; `outer` is NULL for the
 * outermost function. */
static void function(writes *w, const cells *outer)
{
    cs_dumped *r = &w->read;
    cells c = {.n = 0};
    long constant = -1;
    size_t n, size;
    cs_dumped_text(r, &n);
    cs_dumped_count(r);
    cs_dumped_count(r);
    cs_dumped_take(r, 3);
    size_t length = cs_dumped_count(r);
    const unsigned char *code =
        cs_dumped_take(r, length <= r->n / 4 ? 4 * length : r->n);
    cs_dumped here = *r; /* copy of the reader at the constants, which precede
                          * the upvalues */
    constants(w, -1);
    n = cs_dumped_count(r);
    for (size_t i = 0; i < n && !r->bad; i++) {
        const unsigned char *b = cs_dumped_take(r, 3);
        if (b && i < MOST)
            c.of[c.n++] =
                outer ? (b[0] ? LOCAL : cell_of(outer, b[1])) : (int)i;
    }
    look(w, code, length, &c, &constant);
    if (constant >= 0) {
        cs_dumped behind = *r;
        *r = here;
        constants(w, constant);
        *r = behind;
    }
    size = cs_dumped_count(r);
    for (size_t i = 0; i < size && !r->bad; i++)
        function(w, &c);
    for (int i = 0; i < 4; i++)
        r->bad |= cs_dumped_count(r) != 0;
}

/* ---- a function and the functions that it captures ---- */

static bool of_script(lua_State *L, int index, lua_Debug *at)
{
    if (lua_iscfunction(L, index))
        return false;
    lua_pushvalue(L, index);
    lua_getinfo(L, ">S", at);
    return !cs_script_of_module(L, at->source);
}

static bool one_writes(lua_State *L, int index, const lua_Debug *at, char *what,
                       size_t size)
{
    writes w = {.cell = LOCAL};
    const char *name;
    bool good = cs_dumped_open(&w.read, L, index);
    for (int i = 1; i <= WORLDS && (name = lua_getupvalue(L, index, i)); i++) {
        if (strcmp(name, "_ENV") == 0)
            w.worlds |= UINT64_C(1) << (i - 1);
        lua_pop(L, 1);
    }
    if (good)
        function(&w, NULL);
    good &= !w.read.bad && w.read.at == w.read.n;
    cs_dumped_close(&w.read);
    name = *w.global ? w.global : NULL;
    if (good && !name && w.cell != LOCAL) {
        name = lua_getupvalue(L, index, w.cell + 1);
        lua_pop(L, name != NULL);
    }
    if (!good || !name)
        return false;
    const char *slash = strrchr(at->source, '/');
    snprintf(what, size, "%s'%s' (%s:%d)", *w.global ? "the global " : "", name,
             slash ? slash + 1 : at->source + 1, at->linedefined);
    return true;
}

static bool value(lua_State *L, int index, int seen, int deep, char *what,
                  size_t size);

static bool captured(lua_State *L, int index, int seen, int deep, char *what,
                     size_t size)
{
    bool found = false;
    const char *name;
    for (int i = 1; !found && (name = lua_getupvalue(L, index, i)); i++) {
        found = strcmp(name, "_ENV") != 0 &&
                value(L, lua_gettop(L), seen, deep, what, size);
        lua_pop(L, 1);
    }
    return found;
}

static bool fields(lua_State *L, int index, int seen, int deep, char *what,
                   size_t size)
{
    bool found = false;
    if (lua_getmetatable(L, index)) { /* an object of the module or of a
                                       * class */
        lua_pop(L, 1);
        return false;
    }
    for (lua_pushnil(L); !found && lua_next(L, index); lua_pop(L, 1))
        found = value(L, lua_gettop(L), seen, deep, what, size);
    if (found)
        lua_pop(L, 1);
    return found;
}

static bool value(lua_State *L, int index, int seen, int deep, char *what,
                  size_t size)
{
    lua_Debug at;
    int type = lua_type(L, index);
    if ((type != LUA_TFUNCTION && type != LUA_TTABLE) || deep > DEEP ||
        !lua_checkstack(L, 16))
        return false;
    lua_pushvalue(L, index);
    bool known = lua_rawget(L, seen) != LUA_TNIL;
    lua_pop(L, 1);
    if (known)
        return false;
    lua_pushvalue(L, index);
    lua_pushboolean(L, 1);
    lua_rawset(L, seen);
    if (type == LUA_TTABLE)
        return fields(L, index, seen, deep + 1, what, size);
    return of_script(L, index, &at) &&
           (one_writes(L, index, &at, what, size) ||
            captured(L, index, seen, deep + 1, what, size));
}

bool cs_script_writes(lua_State *L, int index, char *what, size_t size)
{
    index = lua_absindex(L, index);
    lua_newtable(L);
    bool found = value(L, index, lua_gettop(L), 0, what, size);
    lua_pop(L, 1);
    return found;
}

/* ---- functions called within steps ---- */

void cs_script_push_chain_functions(lua_State *L)
{
    static const char key = 0;
    if (lua_rawgetp(L, LUA_REGISTRYINDEX, &key) == LUA_TTABLE)
        return;
    lua_pop(L, 1);
    lua_newtable(L);
    lua_newtable(L);
    lua_pushliteral(L, "k");
    lua_setfield(L, -2, "__mode");
    lua_setmetatable(L, -2);
    lua_pushvalue(L, -1);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &key);
}

void cs_script_note_chain_function(lua_State *L, int index, const char *name)
{
    index = lua_absindex(L, index);
    cs_script_push_chain_functions(L);
    lua_pushvalue(L, index);
    lua_pushstring(L, name);
    lua_rawset(L, -3);
    lua_pop(L, 1);
}
