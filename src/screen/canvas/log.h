/* What was said so far: messages of the session, commands that were typed and
 * what they answered. A ring: the oldest lines go first. */
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
        bool goes_on; /* with the line before it, which was too long, or says
                         what this line of a script has wrong */
    } line[CS_LOG_LINES];
    size_t added; /* lines since the start */
} cs_log;

/* Adds a text, line by line; nothing when it is the newest line already.
 * Returns how many lines were added. */
size_t cs_log_add(cs_log *log, cs_log_kind kind, const char *text);

/* The newest line but for what was typed, its beginning; "" when there is none. */
const char *cs_log_newest(const cs_log *log, cs_role *role);

/* Draws the newest lines at the bottom, wrapped, `skip` lines scrolled back. */
void cs_log_draw(const cs_log *log, const cs_area *a, size_t skip);
