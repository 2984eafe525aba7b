/* Changes of a panel's horizontal axis and of a plane's vertical axis: zoom,
 * pan, the whole range, logarithmic scales. */
#pragma once

#include "screen/input/keys.h"

/* Returns the axis of a panel in the last frame below or above the cell (x, y),
 * or the panel's first axis if x is negative; NULL if no axis is near. */
const cs_x_axis *cs_window_axis(const cs_ui *ui, size_t panel, int x, int y);

/* Zooms to a range `factor` times as long as the displayed range. The value at
 * `share` 0 .. 1 of the width keeps its position, and for a plane also the
 * value at `share_up` of the height. The smallest range is a millionth of the
 * whole, or four steps. */
void cs_window_zoom(cs_window *w, const cs_x_axis *axis, double share,
                    double share_up, double factor);
/* Moves by `by` times the displayed range, within the whole range; `up`: along
 * the vertical axis of a plane. */
void cs_window_pan(cs_window *w, const cs_x_axis *axis, bool up, double by);

/* Key actions: ( and ) zoom all axes of the panel, around the current step if
 * an earlier step is displayed, otherwise around the middle; pan by a quarter;
 * show the whole range; logarithmic axes. */
void cs_key_part(const cs_key_press *p);
void cs_key_pan(const cs_key_press *p);
void cs_key_whole(const cs_key_press *p);
void cs_key_scale(const cs_key_press *p);

/* Writes the displayed part and the logarithmic axes at the end of a panel's
 * lower edge. Returns the number of columns used. */
int cs_window_tell(const cs_area *edge, const cs_ui *ui, size_t panel);
