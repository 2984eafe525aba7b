/* Actions of the keys that choose panels, and what these show. */
#pragma once

#include "screen/input/keys.h"

/* The number after `at` of n, or before it, going round; 0 of none. */
size_t cs_turn(size_t at, size_t n, bool up);

void cs_key_every_arm(const cs_key_press *p);
void cs_key_option(const cs_key_press *p);
void cs_key_variant(const cs_key_press *p);
void cs_key_scroll(const cs_key_press *p);
void cs_key_focus(const cs_key_press *p);
void cs_key_digit(const cs_key_press *p);
void cs_key_zoom(const cs_key_press *p);
void cs_key_unit(const cs_key_press *p);
void cs_key_race(const cs_key_press *p);
void cs_key_inside(const cs_key_press *p);
void cs_key_preset(const cs_key_press *p);
