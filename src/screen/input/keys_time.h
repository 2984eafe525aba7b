/* What the keys do that move the run in its time. */
#pragma once

#include "screen/input/keys.h"

void cs_key_newest(const cs_key_press *p);
void cs_key_scrub(const cs_key_press *p);
void cs_key_event(const cs_key_press *p);
void cs_key_kind(const cs_key_press *p);
void cs_key_speed(const cs_key_press *p);
void cs_key_undo(const cs_key_press *p);
void cs_key_redo(const cs_key_press *p);
