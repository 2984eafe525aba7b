/* What the mouse means: each press is what a key or a command is. */
#pragma once

#include "screen/input/keys.h"
#include "screen/term/mouse_event.h"

/* Does what it means on what the last frame had there; false: nothing. */
bool cs_mouse_act(cs_ui *ui, const cs_shot *s, const cs_sender *to,
                  const cs_mouse *m);
