/* The pace of drawing: which panels are drawn and painted in which frame during
 * a run. Each frame draws half of the panels. Of these, panels with few changes
 * are painted at once; the others take turns, longest wait first, so that the
 * bytes per second fit a slow connection, and no panel is more than half a
 * second late (more for a slower connection, in proportion). */
#pragma once

#include "screen/canvas/canvas.h"
#include "screen/state/layout.h"

enum {
    CS_PACE_PARTS = CS_LAYOUT_PANELS,
    CS_PACE_RATE = 36 * 1024 /* bytes per second */
};

typedef struct cs_pace {
    double rate;                   /* bytes per second; 0: CS_PACE_RATE */
    double credit;                 /* bytes that may be written now */
    double now;                    /* seconds, of the last frame */
    double painted[CS_PACE_PARTS]; /* when each part was last painted */
    double cell;  /* bytes per cell, recently; 0: not known yet */
    size_t cells; /* of the parts in this frame */
} cs_pace;

/* Before a frame is drawn: sets rests[n] for the parts that need not be drawn,
 * those painted last. */
void cs_pace_rest(const cs_pace *p, size_t n, bool *rests);
/* Before a frame is painted: parts of `c` that must wait are reset to what is
 * displayed; so are those with `rests` (NULL: none). With `shown` NULL none
 * waits. Returns whether any part waits or rests. */
bool cs_pace_hold(cs_pace *p, double now, const cs_area *part, size_t n,
                  const bool *rests, const cs_canvas *shown);
/* Returns the limit in bytes per second. */
double cs_pace_rate(const cs_pace *p);
/* After painting: records the bytes written. */
void cs_pace_spend(cs_pace *p, size_t bytes);
