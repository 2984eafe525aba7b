/* Computes the range of a function of one number over many intervals. The
 * function's monotone segments and turning points are found once. The range
 * over an interval follows from the values at its ends and at the turning
 * points inside it. */
#pragma once

#include "expr/interval.h"

/* A function, given by enclosures of its value and of its slope over an
 * interval. `slope` returns CS_NOWHERE if the value may be discontinuous. */
typedef struct cs_curve {
    cs_interval (*value)(void *self, cs_interval over);
    cs_interval (*slope)(void *self, cs_interval over);
    void *self;
} cs_curve;

/* Maximum number of segments. A zeroed cs_segments is empty. The struct owns no
 * memory. */
enum { CS_SEGMENTS = 64 };
typedef struct cs_segments {
    cs_interval known; /* the covered interval; empty if n is 0 */
    size_t n, looks;   /* looks: number of evaluations left */
    bool hopeless;     /* true if there are too many turning points, or if some
                        * values are unknown */
    struct cs_monotone {
        double from, to;
        cs_interval value; /* enclosure of the values at a turning point */
        int way;           /* 1: increasing, -1: decreasing, 0: a short interval
                            * around a turning point */
        cs_interval start; /* enclosure of the value at `from` */
    } piece[CS_SEGMENTS];
} cs_segments;

/* Sets *range to an enclosure of the values over the interval. The range is as
 * tight as the enclosures at the ends, except for the width of the short
 * intervals around turning points. Returns false if this method cannot
 * determine the range. */
bool cs_segments_range(cs_segments *p, const cs_curve *c, cs_interval over,
                       cs_interval *range);
