/* The screen as a program: keys in, command lines out, snapshots drawn. */
#ifndef CS_SCREEN_APP_H
#define CS_SCREEN_APP_H

#include "screen/keys.h"

enum { CS_LINK_FDS = 4 };

/* What the screen needs from the other side. Nothing here may wait. */
typedef struct cs_link {
    void *self;
    bool (*send)(void *self, const char *line);
    /* The newest snapshot if there is a newer one: valid until the next. */
    bool (*snapshot)(void *self, const unsigned char **base, size_t *used);
    /* The next reply: a text, or a table (text NULL) valid until the next. */
    bool (*reply)(void *self, bool *failed, const char **text,
                  const unsigned char **table, size_t *used);
    /* Descriptors that become readable when there is news; returns how many. */
    int (*fds)(void *self, int fd[CS_LINK_FDS]);
    void (*calm)(void *self); /* empties them */
    bool (*alive)(void *self, char *why, size_t size);
    void (*interrupt)(void *self);
} cs_link;

/* Edits a line; console/line.h has the one that is made of readline. */
typedef struct cs_editor {
    void *self;
    void (*begin)(void *self, char mark);
    /* Takes one key; true when the line is finished: `line` is set then, NULL
     * when it was given up. */
    bool (*key)(void *self, unsigned key, const char **line);
    /* Shows the line and where the cursor stands. */
    void (*show)(void *self, char *text, size_t size, int *cursor);
} cs_editor;

/* Runs until the user leaves. `gallery`: begins there. */
cs_status cs_screen_run(const cs_link *link, const cs_editor *editor,
                        bool gallery, cs_error *err);

#endif
