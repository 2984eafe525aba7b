/* Background checks of the laws of the open scenario, if their result is not
 * known: by another process (chainscope check) at the lowest priority with
 * little time. The result is stored (io/checked.h); the session reads it. */
#pragma once

#include "race/shot.h"
#include "screen/term/helper.h"

/* Starts as {0}, but with maker CS_HELPER_NONE. */
typedef struct cs_laws {
    double opened; /* run/opened of the run that is or was checked */
    double since;  /* when it was first seen, in seconds of a steady clock */
    cs_helper maker;
    bool done; /* nothing more to do for this run */
} cs_laws;

/* Continues the check; off: starts nothing and ends a check in progress.
 * Returns true when a check has finished. *again: seconds until the next call,
 * unless maker.pipe becomes readable earlier; -1: never. */
bool cs_laws_tend(cs_laws *l, const cs_shot *s, bool off, double now,
                  double *again);

/* Ends a check in progress. */
void cs_laws_stop(cs_laws *l);
