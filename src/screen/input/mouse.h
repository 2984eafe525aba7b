/* Mouse input: each mouse event has the effect of a key or a command. */
#pragma once

#include "screen/input/keys.h"
#include "screen/term/mouse_event.h"

/* Handles a mouse event on the last frame. Returns false if the event has no
 * effect. */
bool cs_mouse_act(cs_ui *ui, const cs_shot *s, const cs_sender *to,
                  const cs_mouse *m);

/* Handles the mouse on a map (keys_hills.c). While a landscape is edited, a
 * press adds a hill or chooses the hill at the pointer. Dragging moves the
 * hill, and removes it if the pointer leaves the map. The wheel widens the
 * nearest hill. While no landscape is edited, a press moves the chain to the
 * pointer. Returns false if the event has no effect. */
bool cs_map_mouse(const cs_key_press *p, const cs_mouse *m);
