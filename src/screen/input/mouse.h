/* What the mouse means: each press is what a key or a command is. */
#pragma once

#include "screen/input/keys.h"
#include "screen/term/mouse_event.h"

/* Does what it means on what the last frame had there; false: nothing. */
bool cs_mouse_act(cs_ui *ui, const cs_shot *s, const cs_sender *to,
                  const cs_mouse *m);

/* What the mouse does on a map (keys_hills.c): a press puts up a hill or takes
 * the one that is there, which is pulled, beyond the map off it; the wheel widens
 * the nearest. Where nothing is built a press puts the chain there. False:
 * nothing. */
bool cs_map_mouse(const cs_key_press *p, const cs_mouse *m);
