/* Mouse input: each press has the effect of a key or a command. */
#pragma once

#include "screen/input/keys.h"
#include "screen/term/mouse_event.h"

/* Handles a mouse event at the objects of the last frame; false: it has no
 * effect. */
bool cs_mouse_act(cs_ui *ui, const cs_shot *s, const cs_sender *to,
                  const cs_mouse *m);

/* Handles the mouse on a map (keys_hills.c): in a landscape a press adds a hill
 * or chooses the one at the pointer, dragging moves it (off the map removes
 * it), and the wheel widens the nearest; otherwise a press moves the chain
 * there. False: no effect. */
bool cs_map_mouse(const cs_key_press *p, const cs_mouse *m);
