/* What the figures of an arm say together, of what none of them shows: draws
 * off an exact distribution, a ladder that is not climbed, steps that are too
 * large or too small, a run that was broken off. */
#ifndef CS_RUN_DOUBTS_H
#define CS_RUN_DOUBTS_H

#include "base/page.h"
#include "run/run.h"

/* A line each. `told`: of a run that is watched, the reports that were made
 * already, under "arm/<i>/"; no others are made. NULL: the run has ended. */
void cs_doubts_words(cs_run *run, size_t arm, const cs_flat *told, cs_page *p);

/* Whether the draws are off an exact distribution by more than chance. */
bool cs_doubts_off(cs_run *run, size_t arm, const cs_flat *told);

#endif
