/* The laws of the scenario that is open, tried in the background where nothing is
 * known of them: by another process (chainscope check) at the lowest priority, and
 * with little time. What it finds is remembered (io/checked.h), and then it is for
 * the session to read that. */
#pragma once

#include "figure/shot.h"
#include "screen/term/helper.h"

/* Begins as {0}, but with maker CS_HELPER_NONE. */
typedef struct cs_laws {
    double opened; /* run/opened of the run that is or was seen to */
    double since;  /* when it was seen first, seconds of a steady clock */
    cs_helper maker;
    bool done; /* there is nothing to do for it any more */
} cs_laws;

/* Goes on with it; off: nothing is tried, and what is being tried is ended. True:
 * it has been tried. *again: when this is to be called next, in seconds from now,
 * unless maker.pipe becomes readable before; -1: never. */
bool cs_laws_tend(cs_laws *l, const cs_shot *s, bool off, double now,
                  double *again);

/* Ends what is being tried. */
void cs_laws_stop(cs_laws *l);
