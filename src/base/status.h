/* Status codes of functions that are not called in hot loops, and the message
 * that explains a failure.
 *
 * A function that can fail returns cs_status; its last argument is a cs_error
 * of the caller (NULL allowed). Functions of hot loops (a density, a kernel's
 * step) cannot fail: -HUGE_VAL means that the state is outside the support, and
 * NaN stops the chain. */
#pragma once

#define CS_STATUS_LIST(X)                                                      \
    X(OK, "ok")                                                                \
    X(MEMORY, "out of memory")                                                 \
    X(INPUT, "bad input")                                                      \
    X(RANGE, "value out of range")                                             \
    X(UNKNOWN, "unknown name")                                                 \
    X(UNSUPPORTED, "not possible here")                                        \
    X(NUMERIC, "numerical failure")                                            \
    X(SCRIPT, "script error")                                                  \
    X(IO, "input/output error")                                                \
    X(STOPPED, "stopped on request")                                           \
    X(ENDED, "a process ended before it answered")                             \
    X(INTERNAL, "internal error")

typedef enum cs_status {
#define CS_STATUS_ENUM(name, text) CS_##name,
    CS_STATUS_LIST(CS_STATUS_ENUM)
#undef CS_STATUS_ENUM
        CS_STATUS_COUNT
} cs_status;

/* Place, cause and remedy of an error. `line` is 0 if the line is unknown.
 * `where` and `hint` may be empty. All strings are terminated UTF-8. */
typedef struct cs_error {
    cs_status status;
    int line;
    char where[256];
    char what[512];
    char hint[256];
} cs_error;

/* Returns a constant string for a status ("out of memory"), never NULL. */
const char *cs_status_text(cs_status status);

/* Fills `err` (if not NULL) with the printf-like message and returns `status`,
 * so that a failing function can end with `return cs_fail(...)`. Clears
 * `where`, `line` and `hint`. */
cs_status cs_fail(cs_error *err, cs_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Adds the remedy to `err` (if not NULL): an imperative such as "use a step >
 * 0". */
void cs_hint(cs_error *err, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* If a request exceeded the memory limit of this process, adds to the hint of
 * `err` the limit and how to raise it. cs_fail does the same for CS_MEMORY. */
void cs_hint_memory(cs_error *err);

/* Adds the place to `err` (if not NULL and no place is set). */
void cs_where(cs_error *err, const char *file, int line);

/* Writes "file:line: what: hint" into text[size]. Unknown parts are omitted.
 * The text is truncated if necessary, and always terminated. */
void cs_error_format(const cs_error *err, char *text, unsigned long size);
