/* Background checks of the laws of the open scenario, if their result is not
 * known. Another process (chainscope check) runs them at the lowest priority
 * with a time limit. The result is stored (io/checked.h), and the session reads
 * it. */
#pragma once

#include "race/shot.h"
#include "screen/term/helper.h"

/* A background check. Initialise it to {0} with maker CS_HELPER_NONE. */
typedef struct cs_laws {
    double opened; /* value of run/opened for the run that is or was checked */
    /* time when the run was first seen, in seconds of a steady clock */
    double since;
    cs_helper maker;
    bool done; /* nothing more to do for this run */
} cs_laws;

/* Continues the check. With `off`, starts no check and ends a check in
 * progress. Returns true when a check has finished. *again: seconds until the
 * next call, unless maker.pipe becomes readable earlier; -1: never. */
bool cs_laws_tend(cs_laws *l, const cs_shot *s, bool off, double now,
                  double *again);

/* Ends a check in progress. */
void cs_laws_stop(cs_laws *l);
