/* A strict JSON reader (RFC 8259) for one value, with limited nesting, in valid
 * UTF-8. Returns one token at a time. Allocates no memory, because escapes are
 * decoded within the text. Duplicate keys are not detected; the caller must
 * check for them. */
#pragma once

#include "base/status.h"

#include <locale.h>
#include <stdbool.h>
#include <stddef.h>

enum { CS_JSON_DEPTH = 64 };

typedef enum cs_json_kind {
    CS_JSON_END, /* end of the input */
    CS_JSON_OPEN_LIST,
    CS_JSON_CLOSE_LIST,
    CS_JSON_OPEN_OBJECT,
    CS_JSON_CLOSE_OBJECT,
    CS_JSON_KEY, /* key of the next value */
    CS_JSON_TEXT,
    CS_JSON_NUMBER,
    CS_JSON_TRUE,
    CS_JSON_FALSE,
    CS_JSON_NULL
} cs_json_kind;

typedef struct cs_json_token {
    cs_json_kind kind;
    const char *text; /* key or string of `size` bytes, none of which is zero */
    size_t size;
    double number;
    bool whole; /* true if the number has no point and no exponent */
} cs_json_token;

typedef struct cs_json {
    char *at, *end;
    const char *where; /* name of the text in errors [borrowed] */
    int line;          /* current line, from 1 */
    size_t depth;
    bool object[CS_JSON_DEPTH]; /* for each open container: true for an object,
                                 * false for a list */
    bool some;                  /* true if the innermost container has an
                                 * entry; outside all containers, true if the
                                 * whole value was read */
    bool words;                 /* set by the caller: true accepts NaN,
                                 * Infinity and -Infinity, as Python writes
                                 * them */
    bool value;                 /* true after a key, before the key's value */
    locale_t plain;             /* [own] locale with a decimal point */
} cs_json;

/* Starts to read text[size] [borrowed], which is modified. */
cs_status cs_json_open(cs_json *j, char *text, size_t size, const char *where,
                       cs_error *err);
void cs_json_close(cs_json *j);

/* Returns the next token. The token's strings point into the input and are
 * valid until the input is freed. Errors name the line. */
cs_status cs_json_next(cs_json *j, cs_json_token *out, cs_error *err);
