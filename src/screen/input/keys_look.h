/* Actions of the keys that choose which chain is looked at. */
#pragma once

#include "screen/input/keys.h"

/* The next arm, chain, coordinate, or the one before. */
void cs_key_arm(const cs_key_press *p);
void cs_key_chain(const cs_key_press *p);
void cs_key_coordinate(const cs_key_press *p);

/* Log p of the chain by the target; or true ratios, on and off. */
void cs_key_true_logp(const cs_key_press *p);
