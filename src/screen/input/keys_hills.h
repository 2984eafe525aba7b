/* Keys and the mouse on a landscape that is built: hills of a mixture in the
 * plane, on the map. */
#pragma once

#include "screen/input/mouse.h"

/* Begins to build, and ends it. */
void cs_key_landscape(const cs_key_press *p);

/* The chosen hill: another one; moved across and along the plane; its width, its
 * weight; one more in the middle of the map; removed. */
void cs_key_hill(const cs_key_press *p);
void cs_key_hill_across(const cs_key_press *p);
void cs_key_hill_along(const cs_key_press *p);
void cs_key_hill_width(const cs_key_press *p);
void cs_key_hill_weight(const cs_key_press *p);
void cs_key_hill_put(const cs_key_press *p);
void cs_key_hill_remove(const cs_key_press *p);

/* What the mouse does on the map: a press puts up a hill or takes the one that is
 * there, which is pulled, beyond the map off it; the wheel widens the nearest.
 * Where nothing is built a press puts the chain there. False: nothing. */
bool cs_map_mouse(const cs_key_press *p, const cs_mouse *m);
