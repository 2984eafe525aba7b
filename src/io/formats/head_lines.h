/* The lines at the start of a file, for recognising it. */
#pragma once

#include "data/lines.h"
#include "io/formats/formats.h"

/* Removes the next line from *rest and returns it in *line, without its line
 * break and surrounding blanks. Returns false if no complete line is left. */
bool cs_head_line(cs_word_span *rest, bool whole, cs_word_span *line);

/* As cs_head_line, but skips empty lines and lines that start with #. */
bool cs_head_row(cs_word_span *rest, bool whole, cs_word_span *line);

/* Returns the text after a byte order mark. */
cs_word_span cs_head_text(const cs_draw_head *h);
