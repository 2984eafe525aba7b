/* The timeline: the whole run in one row, with the present step, the part that
 * is kept, and the events. */
#pragma once

#include "race/shot.h"
#include "screen/canvas/canvas.h"

/* Returns the word, as in commands, of the events that the keys go to: 0 any,
 * else a cs_event_kind + 1. NULL past the last. */
const char *cs_timeline_kind(size_t chosen);

/* Draws the timeline into one row, with the kind of event that the keys go
 * to. */
void cs_timeline_draw(const cs_area *a, const cs_shot *s, size_t chosen);
