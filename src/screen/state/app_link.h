/* The session, as the screen sees it. */
#pragma once

#include "session/client.h"

enum { CS_LINK_FDS = 4 };

/* An answer to a command line: a text, or a table (text NULL); valid until the
 * next. A part is what was printed before the answer itself. */
typedef struct cs_answer {
    uint32_t id; /* of the line */
    cs_status status;
    bool part;
    const char *text;
    const unsigned char *table;
    size_t used;
} cs_answer;

/* What the screen needs from the other side. Nothing here may wait. */
typedef struct cs_app_link {
    void *self;
    bool (*send)(void *self, const char *line, uint32_t id);
    /* The newest snapshot if there is a newer one: valid until the next. */
    bool (*snapshot)(void *self, const unsigned char **base, size_t *used);
    bool (*answer)(void *self, cs_answer *out);
    /* Descriptors that become readable when there is news; returns how many. */
    int (*fds)(void *self, int fd[CS_LINK_FDS]);
    void (*calm)(void *self); /* empties them */
    bool (*alive)(void *self, char *why, size_t size);
    void (*interrupt)(void *self);
    /* OPTIONAL. Another session, at low priority, with a script host but no
     * terminal. [own: cs_client_destroy] */
    cs_status (*another)(void *self, cs_client **out, cs_error *err);
} cs_app_link;
