/* Plays a recording in the terminal. */
#pragma once

#include "data/cast.h"
#include "screen/canvas/vt.h"

/* Draws all events before event number `end` into `v`. Before the call, `v` is
 * {0} or the result of an earlier call. */
cs_status cs_player_draw(const cs_cast *c, size_t end, cs_vt *v, cs_error *err);

/* Returns the number of the event that follows the last frame displayed within
 * `seconds` seconds of the start. */
size_t cs_player_at(const cs_cast *c, double seconds);

/* Plays until the user quits. If the user asks to open the recorded run,
 * sets *open to the time in seconds of the displayed frame; otherwise sets it
 * to -1. */
cs_status cs_player_run(const cs_cast *c, double *open, cs_error *err);
