/* The log: messages of the session, typed commands and their answers. It is a
 * ring buffer: the oldest lines are dropped first. */
#pragma once

#include "screen/canvas/canvas.h"

enum { CS_LOG_LINES = 256, CS_LOG_WIDTH = 240 };

typedef enum cs_log_kind {
    CS_LOG_EVENT,
    CS_LOG_TYPED,
    CS_LOG_REPLY,
    CS_LOG_ERROR
} cs_log_kind;

typedef struct cs_log {
    struct {
        char text[CS_LOG_WIDTH];
        cs_log_kind kind;
        bool goes_on; /* continues the line before it, which was too long, or
                       * quotes the script's line that an error is about */
    } line[CS_LOG_LINES];
    size_t added; /* lines since the start */
} cs_log;

/* Adds a text line by line, unless it equals the newest line. Returns the
 * number of lines added. */
size_t cs_log_add(cs_log *log, cs_log_kind kind, const char *text);

/* Returns the start of the newest line that was not typed; "" if there is no
 * such line. */
const char *cs_log_newest(const cs_log *log, cs_role *role);

/* Draws the newest lines at the bottom, wrapped, scrolled back by `skip`
 * lines. */
void cs_log_draw(const cs_log *log, const cs_area *a, size_t skip);
