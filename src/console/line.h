/* A line editor based on readline. The caller passes the keys and draws the
 * line; readline never accesses the terminal. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Opens the line editor. Only one can exist in a process, since readline's
 * state is global. `kept`: load and save the history of earlier runs. */
void cs_line_open(bool kept);
void cs_line_close(void);

/* Starts to edit a line with the initial text `text`. `mark` is ":" or ";";
 * each mark has its own history. */
void cs_line_begin(void *unused, char mark, const char *text);
/* Processes one key: a code point, or a key from screen/input/keys.h, whose
 * value is above all code points. Returns true when the line is finished; *line
 * is NULL if the line was discarded. */
bool cs_line_key(void *unused, unsigned key, const char **line);
/* Writes the mark and the line to text[size], and the column of the cursor to
 * *cursor. */
void cs_line_show(void *unused, char *text, size_t size, int *cursor);
/* Writes the line up to the cursor. */
void cs_line_before(void *unused, char *text, size_t size);
/* Replaces the `drop` bytes before the cursor with `text`. */
void cs_line_replace(void *unused, size_t drop, const char *text);
