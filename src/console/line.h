/* A line editor based on readline, which receives keys from here and never
 * touches the terminal; the caller draws the line. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Opens the only line editor of the process: readline's state is global.
 * `kept`: load and save the history of earlier runs. */
void cs_line_open(bool kept);
void cs_line_close(void);

/* Starts a line after `mark` (":" or ";", each with its own history), with an
 * initial text. */
void cs_line_begin(void *unused, char mark, const char *text);
/* Handles one key, a code point or a key of screen/input/keys.h beyond Unicode.
 * Returns true when the line is finished; *line is NULL if it was discarded. */
bool cs_line_key(void *unused, unsigned key, const char **line);
/* Writes the mark and the line to text[size] and the cursor's column to
 * *cursor. */
void cs_line_show(void *unused, char *text, size_t size, int *cursor);
/* Writes the line up to the cursor. */
void cs_line_before(void *unused, char *text, size_t size);
/* Replaces the `drop` bytes before the cursor by `text`. */
void cs_line_replace(void *unused, size_t drop, const char *text);
