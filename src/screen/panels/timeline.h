/* The timeline: the whole run in one row, with the current step, the part that
 * is still stored, and the events. */
#pragma once

#include "race/shot.h"
#include "screen/canvas/canvas.h"

/* Returns the kind of event to which the keys move, as the word used in
 * commands. `chosen` is a cs_event_kind + 1, or 0 for any kind. Past the last
 * kind, returns NULL. */
const char *cs_timeline_kind(size_t chosen);

/* Explains the letters in the timeline, in one row: "V visit  j jump". Draws
 * nothing on a wide screen, where the timeline itself explains them. */
void cs_timeline_letters(const cs_area *a, const cs_shot *s);

/* Draws the timeline in one row, and the kind of event to which the keys
 * move. */
void cs_timeline_draw(const cs_area *a, const cs_shot *s, size_t chosen);
