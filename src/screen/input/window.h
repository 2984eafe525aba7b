/* Changes to a panel's horizontal axis and to a plane's vertical axis: zoom,
 * pan, the whole range, logarithmic scales. */
#pragma once

#include "screen/input/keys.h"

/* Returns the axis that the last frame showed below or above the cell (x, y) of
 * a panel. If x is negative, returns the panel's first axis. If no axis is
 * near, returns NULL. */
const cs_x_axis *cs_window_axis(const cs_ui *ui, size_t panel, int x, int y);

/* Zooms to a range `factor` times as long as the displayed range. The value at
 * `share` 0 .. 1 of the width keeps its position. In a plane, the value at
 * `share_up` of the height keeps its position too. The smallest range is a
 * millionth of the whole, or four steps. */
void cs_window_zoom(cs_window *w, const cs_x_axis *axis, double share,
                    double share_up, double factor);
/* Moves the displayed range by `by` times its length, within the whole range;
 * `up`: along the vertical axis of a plane. */
void cs_window_pan(cs_window *w, const cs_x_axis *axis, bool up, double by);

/* Actions of keys. The keys ( and ) zoom all axes of the panel: around the
 * displayed step if it is not the newest, otherwise around the middle. Other
 * keys pan by a quarter, show the whole range, and switch logarithmic axes. */
void cs_key_part(const cs_key_press *p);
void cs_key_pan(const cs_key_press *p);
void cs_key_whole(const cs_key_press *p);
void cs_key_scale(const cs_key_press *p);

/* Writes the displayed range, and which axes are logarithmic, at the end of
 * `edge`, a part of a panel's title line. Returns the number of columns used,
 * with a blank before the text; 0: nothing is zoomed, or no form fits. */
int cs_window_tell(const cs_area *edge, const cs_ui *ui, size_t panel);
