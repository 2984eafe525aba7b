/* What the keys of keys_table.c do, a file for each subject. */
#pragma once

#include "screen/input/keys.h"

typedef void cs_key_act(const cs_key_press *p);

/* keys_look.c: the next arm, chain, coordinate, or the one before; log p of the
 * chain by the target, or true ratios, on and off. */
cs_key_act cs_key_arm, cs_key_chain, cs_key_coordinate, cs_key_true_logp;

/* keys_time.c: the run in its time. */
cs_key_act cs_key_newest, cs_key_scrub, cs_key_event, cs_key_kind, cs_key_speed,
    cs_key_undo, cs_key_redo;

/* keys_params.c: changes a parameter; shows or hides the list of them; chooses
 * another of it. */
cs_key_act cs_key_nudge, cs_key_params, cs_key_pick_param;

/* keys_hills.c: begins to build a landscape, hills of a mixture in the plane, on
 * the map, and ends it. */
cs_key_act cs_key_landscape;
/* The chosen hill: another one; moved across and along the plane; its width, its
 * weight; one more in the middle of the map; removed. */
cs_key_act cs_key_hill, cs_key_hill_across, cs_key_hill_along,
    cs_key_hill_width, cs_key_hill_weight, cs_key_hill_put, cs_key_hill_remove;

/* keys_panels.c: chooses panels, and what these show. */
cs_key_act cs_key_every_arm, cs_key_option, cs_key_variant, cs_key_scroll,
    cs_key_focus, cs_key_digit, cs_key_zoom, cs_key_unit, cs_key_race,
    cs_key_inside, cs_key_preset;
/* The number after `at` of n, or before it, going round; 0 of none. */
size_t cs_turn(size_t at, size_t n, bool up);

/* keys_views.c: from view to view, the run, the gallery, the help, the log. Where
 * a run would be lost that is in no files, a key must be pressed twice. */
cs_key_act cs_key_help, cs_key_messages, cs_key_gallery, cs_key_theme,
    cs_key_leave;
/* Up or down a list, by a line or a page. */
cs_key_act cs_key_move;
/* Opens the chosen scenario of the gallery; does what the chosen line of the help
 * is about. */
cs_key_act cs_key_open_row, cs_key_run_line;
/* Closes what was opened last: a search, a view, a zoom, the list of parameters. */
cs_key_act cs_key_close_view;
/* Starts the run again, with another seed where the key is R. */
cs_key_act cs_key_restart;

/* keys_prompt.c: begins a line, which the user ends: a command, a line of Lua,
 * words to look for; a value for the chosen parameter; the name of a picture, of
 * a recording, unless one is made: that then ends. */
cs_key_act cs_key_prompt, cs_key_value, cs_key_keep, cs_key_record;
/* Begins a line behind `mark`: ':' a command, ';' Lua, '/' words to look for. */
void cs_begin_line(cs_ui *ui, char mark, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* As cs_key_prompt, by a letter that has no meaning in the help; false: it has
 * one, or this is not the help. */
bool cs_key_type_ahead(cs_ui *ui, unsigned key);
