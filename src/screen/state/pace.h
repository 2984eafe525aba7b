/* Which panels are drawn and painted in which picture while a run goes on. Half of
 * them are drawn in each, so that each is in every second one. Of these what
 * changes little is painted at once; the others take turns, those that waited
 * longest first, so that no more is written in a second than a line to a far
 * machine carries, and each is at most half a second behind: of a slower line as
 * much longer. */
#pragma once

#include "screen/canvas/canvas.h"
#include "screen/state/layout.h"

enum {
    CS_PACE_PARTS = CS_LAYOUT_PANELS,
    CS_PACE_RATE = 36 * 1024 /* bytes a second */
};

typedef struct cs_pace {
    double rate;                   /* bytes a second, 0: CS_PACE_RATE */
    double credit;                 /* bytes that may be written */
    double now;                    /* seconds, of the last picture */
    double painted[CS_PACE_PARTS]; /* when each part was painted last */
    double cell;  /* bytes that one cell took lately, 0: not known yet */
    size_t cells; /* of parts in this picture */
} cs_pace;

/* Before a picture is drawn: rests[n] says which parts need not be, those that
 * were painted last. */
void cs_pace_rest(const cs_pace *p, size_t n, bool *rests);
/* Before it is painted: parts of `c` that are to wait become what is shown
 * already; those for which `rests` (NULL: none) is true are. With `shown` NULL none
 * waits. Whether one does, or rests. */
bool cs_pace_hold(cs_pace *p, double now, const cs_area *part, size_t n,
                  const bool *rests, const cs_canvas *shown);
/* Bytes a second that it keeps to. */
double cs_pace_rate(const cs_pace *p);
/* After it: so much was written. */
void cs_pace_spend(cs_pace *p, size_t bytes);
