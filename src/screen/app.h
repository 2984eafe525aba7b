/* The screen as a program: keys in, command lines out, snapshots drawn. */
#ifndef CS_SCREEN_APP_H
#define CS_SCREEN_APP_H

#include "screen/keys.h"
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

/* Edits a line; console/line.h has the one that is made of readline. */
typedef struct cs_editor {
    void *self;
    /* Begins a line behind `mark` with a text that is there already. */
    void (*begin)(void *self, char mark, const char *text);
    /* Takes one key; true when the line is finished: `line` is set then, NULL
     * when it was given up. */
    bool (*key)(void *self, unsigned key, const char **line);
    /* Shows the line and where the cursor stands. */
    void (*show)(void *self, char *text, size_t size, int *cursor);
    /* The line as far as the cursor, which is what completion looks at. */
    void (*before)(void *self, char *text, size_t size);
    /* Writes `text` in the place of the `drop` bytes before the cursor. */
    void (*replace)(void *self, size_t drop, const char *text);
} cs_editor;

/* Runs until the user leaves. `gallery`: begins there. `wishes`: what the user
 * has chosen for every run, see wishes.h. [borrowed] */
cs_status cs_screen_run(const cs_app_link *link, const cs_editor *editor,
                        bool gallery, const cs_shot *wishes, cs_error *err);

#endif
