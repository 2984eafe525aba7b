/* What the keys do that begin a line, which the user ends. */
#pragma once

#include "screen/input/keys.h"

/* Begins a line behind `mark`: ':' a command, ';' Lua, '/' words to look for. */
void cs_begin_line(cs_ui *ui, char mark, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* A command, a line of Lua, words to look for. */
void cs_key_prompt(const cs_key_press *p);
/* The same by a letter that has no meaning in the help; false: it has one, or
 * this is not the help. */
bool cs_key_type_ahead(cs_ui *ui, unsigned key);
/* A value for the chosen parameter. */
void cs_key_value(const cs_key_press *p);
/* The name of a picture; of a recording, unless one is made: that then ends. */
void cs_key_keep(const cs_key_press *p);
void cs_key_record(const cs_key_press *p);
