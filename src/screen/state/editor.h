/* The editor of the typed line. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Edits a line; console/line.h implements it with readline. */
typedef struct cs_editor {
    void *self;
    /* Starts a line after `mark` with an initial text. */
    void (*begin)(void *self, char mark, const char *text);
    /* Handles one key. Returns true when the line is finished, and then sets
     * *line to the text, or to NULL if the line was cancelled. */
    bool (*key)(void *self, unsigned key, const char **line);
    /* Writes the line, and the column of the cursor. */
    void (*show)(void *self, char *text, size_t size, int *cursor);
    /* Writes the line up to the cursor, for completion. */
    void (*before)(void *self, char *text, size_t size);
    /* Replaces the `drop` bytes before the cursor with `text`. */
    void (*replace)(void *self, size_t drop, const char *text);
} cs_editor;
