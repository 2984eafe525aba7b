/* Plays a recording in the terminal. */
#pragma once

#include "data/cast.h"
#include "screen/canvas/vt.h"

/* Draws into `v` ({0} or an earlier one) all events before event number
 * `end`. */
cs_status cs_player_draw(const cs_cast *c, size_t end, cs_vt *v, cs_error *err);

/* Returns the event after the frame displayed `seconds` after the start. */
size_t cs_player_at(const cs_cast *c, double seconds);

/* Plays until the user quits. *open: the step whose run is to be opened; -1:
 * none. */
cs_status cs_player_run(const cs_cast *c, double *open, cs_error *err);
