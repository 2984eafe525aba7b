/* The actions of the keys in keys_table.c, one file per subject. */
#pragma once

#include "screen/input/keys.h"

typedef void cs_key_act(const cs_key_press *p);

/* keys_look.c: choose the next or previous arm, chain or coordinate; switch
 * the exact log p of the chain, or the true acceptance ratios, on or off. */
cs_key_act cs_key_arm, cs_key_chain, cs_key_coordinate, cs_key_true_logp;
/* Chooses an arm and its first chain. */
void cs_choose_arm(const cs_key_press *p, size_t arm);

/* keys_time.c: runs or pauses. At the end of the budget, asks the user
 * whether to continue; the next key is the answer. */
cs_key_act cs_key_run;
/* Handles the answer: after y or enter, the run continues beyond the budget. */
void cs_key_answer(const cs_key_press *p);
/* Show another time of the run. */
cs_key_act cs_key_newest, cs_key_scrub, cs_key_event, cs_key_kind, cs_key_speed,
    cs_key_undo, cs_key_redo;

/* keys_params.c: change a parameter; show or hide the list of parameters;
 * choose another parameter. */
cs_key_act cs_key_nudge, cs_key_params, cs_key_pick_param;

/* keys_hills.c: starts or ends editing a landscape (hills of a mixture in the
 * plane) on the map. */
cs_key_act cs_key_landscape;
/* Edit the hills: choose another hill; move it across or along the plane;
 * change its width or its weight; add a hill in the middle of the map; remove a
 * hill. */
cs_key_act cs_key_hill, cs_key_hill_across, cs_key_hill_along,
    cs_key_hill_width, cs_key_hill_weight, cs_key_hill_put, cs_key_hill_remove;

/* keys_panels.c: choose panels and their contents. */
cs_key_act cs_key_every_arm, cs_key_pin, cs_key_option, cs_key_variant,
    cs_key_scroll, cs_key_focus, cs_key_digit, cs_key_zoom, cs_key_unit,
    cs_key_race, cs_key_inside, cs_key_preset, cs_key_legend;
/* Ends a zoom. Hides the zoomed panel if the zoom of a key has shown it. */
void cs_key_leave_zoom(cs_ui *ui);
/* Returns the index after `at`, or the index before `at`, cyclically among n.
 * If n is 0, returns 0. */
size_t cs_turn(size_t at, size_t n, bool up);

/* keys_views.c: switch between views (run, gallery, help, log). If a key
 * would discard a run that has made steps, it must be pressed twice. */
cs_key_act cs_key_help, cs_key_messages, cs_key_gallery, cs_key_theme,
    cs_key_leave;
/* Moves up or down a list, by a line or a page. */
cs_key_act cs_key_move;
/* Opens the chosen scenario of the gallery; runs the chosen line of the
 * help. */
cs_key_act cs_key_open_row, cs_key_run_line;
/* Opens the table of events; goes to the chosen event. */
cs_key_act cs_key_events, cs_key_open_event;
/* Closes the search, view, zoom or list of parameters that was opened last. */
cs_key_act cs_key_close_view;
/* Restarts the run; the key R restarts it with another seed. */
cs_key_act cs_key_restart;

/* keys_lesson.c: goes to another step of a lesson, or starts a line for the
 * answer to its question. */
cs_key_act cs_key_lesson;
/* Answers the open question by the number of an answer. If the answer is a
 * number, a place or an order, opens a line that begins with the key, a digit
 * or a minus. Returns false if the key cannot begin an answer. */
bool cs_key_answer_lesson(const cs_key_press *p);

/* keys_prompt.c: start a line that the user completes: a command, Lua, or words
 * to find; a value for the chosen parameter; the file name of a picture or of a
 * recording. If a recording is active, the key for recordings stops it
 * instead. */
cs_key_act cs_key_prompt, cs_key_value, cs_key_screenshot, cs_key_record,
    cs_key_mark;
/* Starts a line after `mark`: ':' a command, ';' Lua, '/' words to find. */
void cs_begin_line(cs_ui *ui, char mark, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Starts a search, like cs_key_prompt, with a letter typed in the help, if
 * the letter has no other use there. Returns false for other letters and
 * other views. */
bool cs_key_type_ahead(cs_ui *ui, unsigned key);
