/* The log: messages of the session, typed commands and their replies. It is a
 * ring buffer: the oldest lines are dropped first. */
#pragma once

#include "screen/canvas/canvas.h"

enum { CS_LOG_LINES = 256, CS_LOG_WIDTH = 240 };

typedef enum cs_log_kind {
    CS_LOG_EVENT,
    CS_LOG_OPENED, /* the event that a scenario was opened, and no more */
    CS_LOG_TYPED,
    CS_LOG_REPLY,
    CS_LOG_ERROR
} cs_log_kind;

typedef struct cs_log {
    struct {
        char text[CS_LOG_WIDTH];
        cs_log_kind kind;
        /* continues the preceding line, which was too long, or quotes the line
         * of a script at which an error occurred */
        bool goes_on;
    } line[CS_LOG_LINES];
    size_t added; /* number of lines added since the start */
} cs_log;

/* Adds a text line by line, unless it equals the newest line. Returns the
 * number of lines added. */
size_t cs_log_add(cs_log *log, cs_log_kind kind, const char *text);

/* Returns the start of the newest line that is not a typed command; "" if no
 * such line exists. */
const char *cs_log_newest(const cs_log *log, cs_role *role);
/* Returns true if cs_log_newest returns a line of this kind. */
bool cs_log_newest_is(const cs_log *log, cs_log_kind kind);

/* Draws the newest lines, wrapped, at the bottom; scrolled back by `skip`
 * lines. */
void cs_log_draw(const cs_log *log, const cs_area *a, size_t skip);
