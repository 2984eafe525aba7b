/* The pace of drawing. Selects the panels that are drawn and painted in each
 * frame during a run. Each frame draws half of the panels. Drawn panels with
 * few changes are painted at once. The other drawn panels take turns, so that
 * the bytes per second fit a slow connection; the panel that has waited longest
 * comes first. No panel is more than half a second late (proportionally more on
 * a slower connection). */
#pragma once

#include "screen/canvas/canvas.h"
#include "screen/state/layout.h"

enum {
    CS_PACE_PARTS = CS_LAYOUT_PANELS,
    CS_PACE_RATE = 24 * 1024 /* bytes per second */
};

typedef struct cs_pace {
    double rate;                   /* bytes per second; 0: CS_PACE_RATE */
    double credit;                 /* bytes that may be written at present */
    double pictures;               /* bytes of pictures that may be written */
    double now;                    /* time of the last frame in seconds */
    double painted[CS_PACE_PARTS]; /* time when each part was last painted */
    double cell;                   /* recent bytes per cell; 0: not known yet */
    size_t cells; /* number of cells of the parts in this frame */
} cs_pace;

/* Called before a frame is drawn: sets rests[i] for that half of the n parts
 * that was painted most recently. These parts are not drawn again. */
void cs_pace_rest(const cs_pace *p, size_t n, bool *rests);
/* Called before a frame is painted: resets the parts of the canvas that must
 * wait, and the parts with `rests` (NULL: none), to the displayed cells. If
 * `shown` is NULL, no part waits. Returns true if a part waits or rests. */
bool cs_pace_hold(cs_pace *p, double now, const cs_area *part, size_t n,
                  const bool *rests, const cs_canvas *shown);
/* Returns the limit in bytes per second. */
double cs_pace_rate(const cs_pace *p);
/* Called after painting: records the bytes written. */
void cs_pace_spend(cs_pace *p, size_t bytes);

/* Pictures in pixels have the same limit as text, and their bytes count for
 * text as well. cs_pace_pictures returns the bytes that may be written at
 * present; it is at or below 0 if pictures must wait. The second function
 * records the bytes written. */
double cs_pace_pictures(const cs_pace *p);
void cs_pace_spend_pictures(cs_pace *p, size_t bytes);
