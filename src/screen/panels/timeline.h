/* The timeline: the whole run in one row, where it stands, how far back is
 * kept, and what happened. */
#pragma once

#include "figure/shot.h"
#include "screen/canvas/canvas.h"

/* Which events the keys go to: 0 any, else a cs_event_kind + 1. Its word, as
 * commands have it; NULL past the last. */
const char *cs_timeline_kind(size_t chosen);

/* Draws it into one row, with the kind that the keys go to. */
void cs_timeline_draw(const cs_area *a, const cs_shot *s, size_t chosen);
