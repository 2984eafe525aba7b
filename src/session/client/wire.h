/* Messages between front and session: whole, bounded messages over a
 * SOCK_SEQPACKET socket, so that neither end can flood or confuse the other. */
#pragma once

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CS_WIRE_BYTES = 96 << 10 };

/* A command (status and table are 0) or the reply to it (same id). The body is
 * a text, terminated at [size], or, with `table`, a cs_flat table. With `part`
 * it is a piece of the output, and the reply itself follows later. */
typedef struct cs_message {
    uint32_t id;
    uint32_t status; /* cs_status */
    uint32_t table;  /* 0 or 1 */
    uint32_t part;   /* 0 or 1 */
    uint32_t size;
    unsigned char body[CS_WIRE_BYTES + 8] __attribute__((aligned(8)));
} cs_message;

typedef enum cs_wire_state {
    CS_WIRE_NONE,
    CS_WIRE_GOT,
    CS_WIRE_CLOSED
} cs_wire_state;

/* Copies `text` to the body; false, with an empty body, if it is longer than
 * CS_WIRE_BYTES: longer texts are sent in parts (cs_printer,
 * session/commands/command.h). */
bool cs_message_text(cs_message *m, const char *text);

/* Sends a message; false if the other end has exited or does not read. A front
 * must never block, so it passes `wait` false: a full socket then returns false
 * at once. */
bool cs_wire_send(int fd, const cs_message *m, bool wait);

/* Receives the next message, if there is one, without waiting. */
cs_wire_state cs_wire_receive(int fd, cs_message *m);
