/* What the keys do that change a parameter. */
#pragma once

#include "screen/input/keys.h"

void cs_key_nudge(const cs_key_press *p);

/* Shows or hides the list; chooses another of them. */
void cs_key_params(const cs_key_press *p);
void cs_key_pick_param(const cs_key_press *p);
