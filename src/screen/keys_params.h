/* What the keys do that change a parameter. */
#ifndef CS_SCREEN_KEYS_PARAMS_H
#define CS_SCREEN_KEYS_PARAMS_H

#include "screen/keys.h"

void cs_key_nudge(const cs_key_press *p);

#endif
