/* JSON, read strictly (RFC 8259): one value, nested at most so deep, valid
 * UTF-8. Token after token, without memory of its own: escapes are undone in
 * the text. That no object has a key twice is seen by who takes the tokens. */
#pragma once

#include "base/status.h"

#include <locale.h>
#include <stdbool.h>
#include <stddef.h>

enum { CS_JSON_DEPTH = 64 };

typedef enum cs_json_kind {
    CS_JSON_END, /* of the text */
    CS_JSON_OPEN_LIST,
    CS_JSON_CLOSE_LIST,
    CS_JSON_OPEN_OBJECT,
    CS_JSON_CLOSE_OBJECT,
    CS_JSON_KEY, /* of the next value */
    CS_JSON_TEXT,
    CS_JSON_NUMBER,
    CS_JSON_TRUE,
    CS_JSON_FALSE,
    CS_JSON_NULL
} cs_json_kind;

typedef struct cs_json_token {
    cs_json_kind kind;
    const char *text; /* of a key or a text, size bytes, no zero among them */
    size_t size;
    double number;
    bool whole; /* the number is written without point and exponent */
} cs_json_token;

typedef struct cs_json {
    char *at, *end;
    const char *where; /* names the text in errors [borrowed] */
    int line;          /* from 1 */
    size_t depth;
    bool object[CS_JSON_DEPTH]; /* open containers */
    bool some;                  /* the innermost has an entry, or it is done */
    bool value;                 /* a key was read: its value comes */
    locale_t plain;             /* [own] in which points are points */
} cs_json;

/* Begins to read text[size] [borrowed], which is changed on the way. */
cs_status cs_json_open(cs_json *j, char *text, size_t size, const char *where,
                       cs_error *err);
void cs_json_close(cs_json *j);

/* The next token; texts stay where they are until the whole text is freed. The
 * error names the line. */
cs_status cs_json_next(cs_json *j, cs_json_token *out, cs_error *err);
