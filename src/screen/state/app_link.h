/* The session as seen by the screen. */
#pragma once

#include "session/client/client.h"

enum { CS_LINK_FDS = 4 };

/* A reply to a command line: a text, or a table (text is NULL). Valid until the
 * next reply. With `part`, the reply is output that was printed before the
 * final reply. */
typedef struct cs_answer {
    uint32_t id; /* id of the command line */
    cs_status status;
    bool part;
    const char *text;
    const unsigned char *table;
    size_t used;
} cs_answer;

/* The functions of the session that the screen uses. No function may block. */
typedef struct cs_app_link {
    void *self;
    bool (*send)(void *self, const char *line, uint32_t id);
    /* Gets the newest snapshot. Returns false if this snapshot was read before.
     * The snapshot is valid until the next call. */
    bool (*snapshot)(void *self, const unsigned char **base, size_t *used);
    bool (*answer)(void *self, cs_answer *out);
    /* Stores in fd[] the descriptors that become readable when a reply or a
     * snapshot arrives. Returns the number of descriptors. */
    int (*fds)(void *self, int fd[CS_LINK_FDS]);
    void (*calm)(void *self); /* resets fd[], so that poll() waits for the next
                               * reply or snapshot */
    bool (*alive)(void *self, char *why, size_t size);
    void (*interrupt)(void *self);
    /* OPTIONAL. Starts another session at low priority, with a script host but
     * without a terminal. [own: cs_client_destroy] */
    cs_status (*another)(void *self, cs_client **out, cs_error *err);
} cs_app_link;
