/* Reader for functions written by lua_dump, in the format of Lua 5.4
 * (lundump.c). */
#pragma once

#include <lua.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct cs_dumped {
    unsigned char *byte; /* [own] */
    size_t n, capacity, at;
    bool bad; /* true if the data ended too early, which means that they do not
               * have the expected format */
} cs_dumped;

/* Dumps the Lua function at `index` without names and line numbers, and moves
 * to the start of the function. Returns false if out of memory, or if the dump
 * is from another version of Lua. */
bool cs_dumped_open(cs_dumped *d, lua_State *L, int index);
void cs_dumped_close(cs_dumped *d);

/* Returns the next n bytes; NULL if fewer are left. */
const unsigned char *cs_dumped_take(cs_dumped *d, size_t n);
/* Reads an integer that is stored in groups of seven bits; the last group is
 * marked. */
size_t cs_dumped_count(cs_dumped *d);
/* Returns the next string of *n bytes, or NULL. */
const char *cs_dumped_text(cs_dumped *d, size_t *n);
/* Tags of constants; the bytes of numbers and strings follow. */
enum {
    CS_DUMPED_INTEGER = 3,
    CS_DUMPED_FLOAT = 19,
    CS_DUMPED_SHORT = 4,
    CS_DUMPED_LONG = 20
};
