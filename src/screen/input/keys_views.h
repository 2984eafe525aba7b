/* What the keys do that go from view to view: the run, the gallery, the help, the
 * log. Where a run would be lost that is in no files, a key must be pressed
 * twice. */
#pragma once

#include "screen/input/keys.h"

void cs_key_help(const cs_key_press *p);
void cs_key_messages(const cs_key_press *p);
void cs_key_gallery(const cs_key_press *p);
/* Up or down a list, by a line or a page. */
void cs_key_move(const cs_key_press *p);
/* Opens the chosen scenario of the gallery; does what the chosen line of the help
 * is about. */
void cs_key_open_row(const cs_key_press *p);
void cs_key_run_line(const cs_key_press *p);
void cs_key_theme(const cs_key_press *p);
/* Closes what was opened last: a search, a view, a zoom, the list of parameters. */
void cs_key_close_view(const cs_key_press *p);
/* Starts the run again, with another seed where the key is R. */
void cs_key_restart(const cs_key_press *p);
void cs_key_leave(const cs_key_press *p);
