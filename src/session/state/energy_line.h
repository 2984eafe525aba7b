/* The energy -log p along a line through the target, for the panel that shows it. */
#pragma once

#include "base/flat.h"

typedef struct cs_session cs_session;

typedef enum cs_line_kind {
    CS_LINE_LOOK, /* along the coordinate that is looked at */
    CS_LINE_COORDINATE,
    CS_LINE_MODES,
    CS_LINE_CHAINS
} cs_line_kind;

enum { CS_LINE_POINTS = 401 };
typedef struct cs_line {
    cs_line_kind kind;
    size_t a, b;      /* the coordinate; the two modes or chains */
    double range[2];  /* of the coordinate, NAN: as far as chains go */
    size_t of;        /* the coordinate whose chains were seen ... */
    double low, high; /* ... from here to there */

    bool known;
    uint64_t place, step; /* what is there was evaluated at that step */
    double made, took;    /* when, in seconds */
    const char *why;      /* there is none; NULL: there is */
    size_t n;
    double first, last; /* of the axis */
    double mark[2];
    size_t marks;
    char name[80], through[96];
    double energy[CS_LINE_POINTS];
} cs_line;

/* Evaluates it anew where the chains have moved, if a panel shows it. */
void cs_session_put_line(cs_session *s, cs_flat *f);
