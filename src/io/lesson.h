/* The lesson of a scenario: the comment at the start of its file. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { CS_LESSON_BYTES = 8 << 10 };

/* Writes the comment at the start of the Lua text to out[size], without the
 * dashes. Each paragraph becomes one line. Each indented line (an example)
 * remains a line. An empty line separates paragraphs. Writes "" if the text
 * does not start with a comment. Text that does not fit is cut after a whole
 * line. */
void cs_lesson_of(const char *lua, char *out, size_t size);

/* Reads the Lua file at `path` and writes its opening comment to out[size], as
 * cs_lesson_of does; writes "" if the file cannot be read. */
void cs_lesson_read(const char *path, char *out, size_t size);

/* Returns true if `lesson` is FOLDER/NAME and the path ends in
 * FOLDER/NAME.lua. */
bool cs_lesson_is_file(const char *lesson, const char *path);
