/* A function as lua_dump writes it, to be read byte by byte: the format of Lua 5.4
 * (lundump.c). */
#pragma once

#include <lua.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct cs_dumped {
    unsigned char *byte; /* [own] */
    size_t n, room, at;
    bool bad; /* it ended too early: another format */
} cs_dumped;

/* Of the Lua function at `index`, without names and lines; it stands where the
 * function begins. False: out of memory, or another Lua. */
bool cs_dumped_open(cs_dumped *d, lua_State *L, int index);
void cs_dumped_close(cs_dumped *d);

/* The next n bytes, NULL: there are not so many. */
const unsigned char *cs_dumped_take(cs_dumped *d, size_t n);
/* A number in groups of seven bits, the last of which is marked. */
size_t cs_dumped_count(cs_dumped *d);
/* The next text, NULL: none; *n its bytes. */
const char *cs_dumped_text(cs_dumped *d, size_t *n);
/* The tag of a constant; of numbers and texts what follows is left to be read. */
enum {
    CS_DUMPED_INTEGER = 3,
    CS_DUMPED_FLOAT = 19,
    CS_DUMPED_SHORT = 4,
    CS_DUMPED_LONG = 20
};
