/* The range of one function of a number over many intervals. Where it rises,
 * where it falls and where it turns is found once; then the range over an
 * interval is that of its ends and of the turns between them. */
#pragma once

#include "expr/interval.h"

/* Enclosures over an interval. slope: CS_NOWHERE where the value may jump. */
typedef struct cs_curve {
    cs_interval (*value)(void *self, cs_interval over);
    cs_interval (*slope)(void *self, cs_interval over);
    void *self;
} cs_curve;

/* Empty when zeroed; nothing to free. */
enum { CS_PIECES = 64 };
typedef struct cs_pieces {
    cs_interval known; /* what the pieces cover, nothing when n is 0 */
    size_t n, looks;   /* ... looks left */
    bool hopeless;     /* too many turns, or values that nothing is known of */
    struct cs_monotone {
        double from, to;
        cs_interval value; /* of a turn */
        int way;           /* 1: rises, -1: falls, 0: a turn, short */
        cs_interval start; /* the value at `from` */
    } piece[CS_PIECES];
} cs_pieces;

/* *range encloses the values over the interval, but for the width of a turn
 * as closely as the values at its ends are enclosed. False: it cannot be told
 * like this. */
bool cs_pieces_range(cs_pieces *p, const cs_curve *c, cs_interval over,
                     cs_interval *range);
