/* What front and session say to each other: whole messages over a
 * SOCK_SEQPACKET socket, bounded, so that neither end can flood or confuse
 * the other. */
#pragma once

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CS_WIRE_BYTES = 96 << 10 };

/* A command (status and table are 0) or the reply to it (the same id). The
 * body is a text, terminated at [size]; or, with `table`, a cs_flat table. With
 * `part` it is a piece of what is printed, and the reply itself is still to
 * come. */
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

/* Fills the body with `text`; false, and the body empty, where it is longer than
 * CS_WIRE_BYTES: longer texts are sent in parts (cs_printer, session/commands/command.h). */
bool cs_message_text(cs_message *m, const char *text);

/* Sends; false when the other end is gone or does not read. A front must
 * never be held up, hence `wait` false there: full means false at once. */
bool cs_wire_send(int fd, const cs_message *m, bool wait);

/* Takes the next message, if there is one, without waiting. */
cs_wire_state cs_wire_receive(int fd, cs_message *m);
