/* Messages between front and session over a SOCK_SEQPACKET socket. Messages are
 * delivered as a whole, and their size is limited, so that neither end can
 * flood or confuse the other. */
#pragma once

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CS_WIRE_BYTES = 96 << 10 };

/* A command (its status and table are 0), or the reply to a command (it has the
 * same id). The body is a string, terminated at [size], or, if `table` is 1, a
 * cs_flat table. If `part` is 1, the message is a piece of the output, and the
 * reply itself follows later. */
typedef struct cs_message {
    uint32_t id;
    uint32_t status; /* a cs_status; 0 in a command */
    uint32_t table;  /* 1: the body is a cs_flat table; 0: the body is a
                      * string */
    uint32_t part;   /* 1: the message is a piece of the output */
    uint32_t size;
    unsigned char body[CS_WIRE_BYTES + 8] __attribute__((aligned(8)));
} cs_message;

typedef enum cs_wire_state {
    CS_WIRE_NONE,
    CS_WIRE_GOT,
    CS_WIRE_CLOSED
} cs_wire_state;

/* Copies `text` to the body. If the text is longer than CS_WIRE_BYTES, leaves
 * the body empty and returns false; such a text is sent in parts (cs_printer,
 * session/commands/command.h). */
bool cs_message_text(cs_message *m, const char *text);

/* Sends a message. Returns false if the other end has exited or does not read.
 * A front must never block, so a front sets `wait` to false. In this case the
 * function returns false at once if the socket is full. */
bool cs_wire_send(int fd, const cs_message *m, bool wait);

/* Receives the next message without waiting. */
cs_wire_state cs_wire_receive(int fd, cs_message *m);
