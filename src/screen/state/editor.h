/* The editor of the line that is typed. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

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
