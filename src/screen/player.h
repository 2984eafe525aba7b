/* A recording, played again in the terminal. */
#pragma once

#include "data/cast.h"
#include "screen/canvas/vt.h"

/* Writes into `v` ({0} or one of before) all that is recorded up to event number
 * `end`, which is left out. */
cs_status cs_player_draw(const cs_cast *c, size_t end, cs_vt *v, cs_error *err);

/* The event behind the frame that is shown `seconds` after the start. */
size_t cs_player_at(const cs_cast *c, double seconds);

/* Plays until the user leaves. *open: the step whose run is to be opened, -1:
 * none. */
cs_status cs_player_run(const cs_cast *c, double *open, cs_error *err);
