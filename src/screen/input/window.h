/* What the user does to the horizontal axis of a panel, and to the upright one of
 * a plane: a part of it is shown, moved along, or all of it; axes that are
 * logarithmic. */
#pragma once

#include "screen/input/keys.h"

/* The axis of a panel in the last frame under which or over which the cell (x, y)
 * stands, and if x is negative its first; NULL: none. */
const cs_x_axis *cs_window_axis(const cs_ui *ui, size_t panel, int x, int y);

/* Shows a part of an axis that is `factor` times as long as that which is shown;
 * what stands at `share` 0 .. 1 of the width stays there, and of a plane at
 * `share_up` of the height. Not below a millionth of the whole, or four steps. */
void cs_window_zoom(cs_window *w, const cs_x_axis *axis, double share,
                    double share_up, double factor);
/* Moves along by so many times what is shown, within the whole; up: the upright
 * axis of a plane. */
void cs_window_pan(cs_window *w, const cs_x_axis *axis, bool up, double by);

/* Keys: ( and ) around the cursor of time where it is looked back at, else around
 * the middle, all axes of the panel; along by a quarter, or up and down; the
 * whole; logarithmic axes. */
void cs_key_part(const cs_key_press *p);
void cs_key_pan(const cs_key_press *p);
void cs_key_whole(const cs_key_press *p);
void cs_key_scale(const cs_key_press *p);

/* Says at the end of a panel's lower edge which part is shown, and what is
 * logarithmic. Returns the columns that takes. */
int cs_window_tell(const cs_area *edge, const cs_ui *ui, size_t panel);
