/* Lines of a script, for error messages. */
#include "script/state/source.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static const char texts_key = 0; /* registry key of a table from file names to
                                  * the texts of the files */

const char *cs_source_start(const char *text, size_t *size)
{
    static const char mark[] = "\xef\xbb\xbf";
    const size_t n = sizeof mark - 1;
    if (*size >= n && memcmp(text, mark, n) == 0)
        text += n, *size -= n;
    if (*size && *text == '#')
        while (*size && *text != '\n')
            text++, --*size;
    return text;
}

void cs_source_keep(lua_State *L, const char *name, const char *text,
                    size_t size)
{
    if (*name != '@')
        return;
    if (lua_rawgetp(L, LUA_REGISTRYINDEX, &texts_key) != LUA_TTABLE) {
        lua_pop(L, 1);
        lua_newtable(L);
        lua_pushvalue(L, -1);
        lua_rawsetp(L, LUA_REGISTRYINDEX, &texts_key);
    }
    lua_pushstring(L, name + 1);
    lua_pushlstring(L, text, size);
    lua_rawset(L, -3);
    lua_pop(L, 1);
}

/* Returns true if `file` is equal to `name`, or consists of "..." and the end
 * of `name`. */
static bool is_name(const char *name, const char *file)
{
    static const char cut[] = "...";
    const size_t points = sizeof cut - 1;
    if (strcmp(name, file) == 0)
        return true;
    if (strncmp(file, cut, points) != 0)
        return false;
    size_t all = strlen(name), tail = strlen(file + points);
    return all > tail && strcmp(name + all - tail, file + points) == 0;
}

/* Pushes the name and the text of the file; pushes nothing if the text is not
 * stored. Allocates no memory: if memory ran out outside a protected call, Lua
 * would abort the process. */
static bool push_text(lua_State *L, const char *file)
{
    int top = lua_gettop(L);
    bool kept = lua_rawgetp(L, LUA_REGISTRYINDEX, &texts_key) == LUA_TTABLE;
    if (kept)
        lua_pushnil(L);
    while (kept && lua_next(L, top + 1)) {
        if (is_name(lua_tostring(L, -2), file))
            return true;
        lua_pop(L, 1);
    }
    lua_settop(L, top);
    return false;
}

bool cs_source_push(lua_State *L, const char *file)
{
    bool kept = lua_rawgetp(L, LUA_REGISTRYINDEX, &texts_key) == LUA_TTABLE;
    if (kept)
        lua_getfield(L, -1, file);
    else
        lua_pushnil(L);
    lua_remove(L, -2);
    kept = lua_type(L, -1) == LUA_TSTRING;
    if (!kept)
        lua_pop(L, 1);
    return kept;
}

/* Line ends as in Lua: \n, \r, or both in either order. */
static const char line_ends[] = "\r\n";

static const char *next_line(const char *text)
{
    const char *end = strpbrk(text, line_ends);
    if (!end)
        return NULL;
    bool both = end[1] && strchr(line_ends, end[1]) && end[1] != end[0];
    return end + 1 + both;
}

/* Returns the number of bytes of the first `most` characters of text[n]. */
static size_t first_characters(const char *text, size_t n, size_t most)
{
    size_t i = 0;
    for (; i < n; i++)
        if ((text[i] & 0xC0) != 0x80 && most-- == 0)
            break;
    return i;
}

/* Appends a line of the script to err->what. The line has no surrounding
 * blanks, and is cut to the width of a narrow screen. */
static void add_line(cs_error *err, const char *text, size_t n, int line)
{
    enum { COLUMNS = 80, BEFORE = 8 /* "12345 | " */ };
    static const char more[] = " ...";
    while (n && strchr(" \t", *text))
        text++, n--;
    while (n && strchr(" \t", text[n - 1]))
        n--;
    bool whole = first_characters(text, n, COLUMNS - BEFORE) == n;
    if (!whole)
        n = first_characters(text, n, COLUMNS - BEFORE - (sizeof more - 1));
    size_t used = strlen(err->what), room = sizeof err->what - used;
    if (n && n + sizeof more + BEFORE + 2 < room)
        snprintf(err->what + used, room, "\n%5d | %.*s%s", line, (int)n, text,
                 whole ? "" : more);
}

void cs_source_blame(lua_State *L, const char *file, size_t n, int line,
                     cs_error *err)
{
    char name[2 * sizeof err->where];
    int top = lua_gettop(L);
    snprintf(name, sizeof name, "%.*s", (int)n, file);
    if (!lua_checkstack(L, 4) || !push_text(L, name)) {
        cs_where(err, name, line);
        return;
    }
    const char *text = lua_tostring(L, -1);
    cs_where(err, lua_tostring(L, -2), line);
    for (int i = 1; text && i < line; i++)
        text = next_line(text);
    if (text && !err->hint[0]) /* the line must not separate the message from a
                                * hint */
        add_line(err, text, strcspn(text, line_ends), line);
    lua_settop(L, top);
}
