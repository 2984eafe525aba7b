/* Completions of a line of Lua: names, fields of cs functions, names of
 * arms. */
#include "script/bind/complete.h"

#include "kernel/kernel.h"
#include "run/arms/arms.h"
#include "schedule/schedule.h"
#include "target/target.h"
#include "tune/tuner.h"

#include <lauxlib.h>
#include <stdio.h>
#include <string.h>

enum { NAME = 64 };

typedef struct completing {
    const char *line;
    cs_flat *out;
    unsigned n;
} completing;

/* Replaces a sealed table on top of the stack by the table that it shows, the
 * metafield __index. Calling __pairs creates the fields that are created late. */
static void open_sealed(lua_State *L)
{
    if (luaL_getmetafield(L, -1, "__pairs") == LUA_TNIL)
        return;
    lua_pushvalue(L, -2);
    lua_call(L, 1, 0);
    if (luaL_getmetafield(L, -1, "__index") != LUA_TNIL)
        lua_replace(L, -2);
}

static void offer(lua_State *L, completing *c, const char *path, size_t n,
                  const char *rest)
{
    size_t length = strlen(rest);
    open_sealed(L);
    if (!lua_istable(L, -1))
        return;
    for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) {
        if (lua_type(L, -2) != LUA_TSTRING)
            continue;
        const char *name = lua_tostring(L, -2);
        if (strncmp(name, rest, length) == 0 && c->n < 200) {
            char text[256];
            snprintf(text, sizeof text, "%.*s%s", (int)n, path, name);
            cs_flat_text(c->out, text, "%u", c->n++);
        }
    }
}

static bool is_word(char c, const char *more)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c >= '0' && c <= '9') || c == '_' || (c && strchr(more, c));
}

/* Copies the name that ends at `end` to name[NAME]; returns its start. */
static const char *name_before(const char *line, const char *end, char *name)
{
    const char *from = end;
    while (from > line && is_word(from[-1], ""))
        from--;
    snprintf(name, NAME, "%.*s", (int)(end - from), from);
    return from;
}

/* Returns the parameters of the function in whose arguments the word is, for
 * example in "cs.kernel.mala { step = 1, ba". */
static const cs_param *rows_around(const char *line, const char *word,
                                   size_t *n)
{
    char name[NAME], family[NAME];
    int depth = 1;
    while (word > line && depth) {
        char c = *--word;
        depth += c == '}' ? 1 : c == '{' ? -1 : 0;
    }
    while (word > line && (word[-1] == ' ' || word[-1] == '('))
        word--;
    word = name_before(line, word, name);
    if (depth || word == line || word[-1] != '.')
        return NULL;
    name_before(line, word - 1, family);
    const cs_kernel_type *k = cs_kernel_find(name);
    const cs_target_type *t = cs_target_find(name);
    const cs_schedule_type *s = cs_schedule_find(name);
    const cs_tuner_type *tuner = cs_tuner_find(name);
    if (strcmp(family, "kernel") == 0 && k)
        return *n = k->n_params + k->n_lists, k->params;
    if (strcmp(family, "target") == 0 && t)
        return *n = t->n_params, t->params;
    if (strcmp(family, "schedule") == 0 && s)
        return *n = s->n_params, s->params;
    if (strcmp(family, "tuner") == 0 && tuner)
        return *n = tuner->n_params, tuner->params;
    return NULL;
}

static void offer_text(completing *c, const char *text, const char *rest)
{
    if (strncmp(text, rest, strlen(rest)) == 0 && c->n < 200)
        cs_flat_text(c->out, text, "%u", c->n++);
}

/* Offers the arms of the open run after `run:arm("`. */
static bool offer_arms(completing *c, const cs_run *run, const char *word)
{
    static const char before[] = ":arm(";
    size_t n = (size_t)(word - c->line);
    if (n < sizeof before || (word[-1] != '"' && word[-1] != '\'') ||
        strncmp(word - sizeof before, before, sizeof before - 1) != 0)
        return false;
    for (size_t i = 0; run && i < cs_run_arms(run); i++)
        offer_text(c, cs_run_arm_name(run, i), word);
    return true;
}

/* Resolves "cs.kernel.ma" name by name without calling any function. */
static void follow(lua_State *L, completing *c, const char *word)
{
    const char *at = word;
    for (size_t n; at[n = strcspn(at, ".:")]; at += n + 1) {
        lua_pushlstring(L, at, n);
        if (luaL_getmetafield(L, -2, "__name") != LUA_TNIL)
            lua_pop(L, 1);
        if (lua_isuserdata(L, -2)) {
            lua_pop(L, 1);
            return;
        }
        lua_gettable(L, -2);
        if (lua_isuserdata(L, -1) && at[n] == ':') {
            lua_getfield(L, LUA_REGISTRYINDEX, "chainscope.words");
            lua_getfield(L, -1, "core");
            lua_getfield(L, -1, "run_methods");
        }
        if (!lua_istable(L, -1))
            return;
    }
    offer(L, c, word, (size_t)(at - word), at);
}

void cs_script_complete(lua_State *L, const cs_run *run, const char *line,
                        cs_flat *out)
{
    completing c = {line, out, 0};
    const char *word = line + strlen(line);
    while (word > line && is_word(word[-1], ".:"))
        word--;
    size_t n = 0;
    const cs_param *rows = rows_around(line, word, &n);
    for (size_t i = 0; i < n; i++)
        offer_text(&c, rows[i].name, word);
    if (!offer_arms(&c, run, word))
        follow(L, &c, word);
}
