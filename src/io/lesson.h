/* The lesson of a scenario: the comment that its file begins with. */
#pragma once

#include <stddef.h>

enum { CS_LESSON_BYTES = 8 << 10 };

/* out[size] = the comment at the head of the Lua text, without its dashes: a
 * paragraph is one line, an indented line (an example) one of its own, an empty
 * line stands between paragraphs. "" where the text begins otherwise. What does
 * not fit is cut off behind a whole line. */
void cs_lesson_of(const char *lua, char *out, size_t size);

/* The same of a file; "" where it cannot be read. */
void cs_lesson_read(const char *path, char *out, size_t size);
