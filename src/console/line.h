/* One line, edited with readline, drawn by somebody else: readline gets its
 * keys from here and never touches the terminal. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* There is one line editor in a process: readline's state is global. `kept`:
 * with the history of the runs before, which is kept. */
void cs_line_open(bool kept);
void cs_line_close(void);

/* Begins a line behind `mark` (":" or ";", each with a history of its own)
 * with a text that is there already. */
void cs_line_begin(void *unused, char mark, const char *text);
/* One key, as a code point; keys beyond Unicode as in screen/input/keys.h. True when
 * the line is finished; *line is NULL when it was given up. */
bool cs_line_key(void *unused, unsigned key, const char **line);
/* The mark and the line into text[size]; the column of the cursor. */
void cs_line_show(void *unused, char *text, size_t size, int *cursor);
/* The line as far as the cursor. */
void cs_line_before(void *unused, char *text, size_t size);
/* Writes `text` in the place of the `drop` bytes before the cursor. */
void cs_line_replace(void *unused, size_t drop, const char *text);
