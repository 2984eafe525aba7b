/* The energy -log p along a line through the space of the target, for the panel
 * `line`. */
#pragma once

#include "base/flat.h"

typedef struct cs_session cs_session;

typedef enum cs_line_kind {
    CS_LINE_LOOK, /* through the state of the selected chain, along the selected
                   * coordinate */
    CS_LINE_COORDINATE,
    CS_LINE_MODES,
    CS_LINE_CHAINS
} cs_line_kind;

enum { CS_LINE_POINTS = 401 };
typedef struct cs_line {
    cs_line_kind kind;
    size_t a, b;     /* a: index of the coordinate; or a, b: indices of the two
                        modes or chains */
    double range[2]; /* range of the coordinate; NAN: the range of the
                       * chains */
    size_t of;       /* index of the coordinate to which `low` and `high`
                       * belong */
    /* range that the chains have visited in coordinate `of` */
    double low, high;

    bool known;
    /* data of the last evaluation. place: a hash of both ends of the line and
     * of the target's generation; step: the step of the run */
    uint64_t place, step;
    double made, took; /* made: time of the last evaluation; took: duration of
                          this evaluation, in s */
    const char *why;   /* reason why there is no line; NULL: there is a line */
    size_t n;
    double first, last; /* values on the axis at the two ends */
    double mark[2];
    size_t marks;
    char name[80], through[96];
    double energy[CS_LINE_POINTS];
} cs_line;

/* Publishes the line if a panel shows it. If the chains have moved, evaluates
 * the line again. */
void cs_session_put_line(cs_session *s, cs_flat *f);
