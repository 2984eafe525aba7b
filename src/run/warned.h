/* Warnings of an arm: gathers what the run knows (warn/facts.h) and what the
 * diagnosed draws show, and looks up the list of kinds (warn/warnings.h). */
#pragma once

#include "run/run.h"
#include "warn/warnings.h"

/* All warnings of an arm, causes first, [own: cs_warnings_free]. `told`: of a
 * run that is watched, the reports that were already made, under "arm/<i>/"; no
 * others are made. NULL: the run has ended. Call cs_witnesses_look before it. */
cs_warnings cs_arm_warnings(cs_run *run, size_t arm, const cs_flat *told);

/* Appends them as lines of text. */
void cs_arm_words(cs_run *run, size_t arm, const cs_flat *told, cs_page *p);

/* Whether the draws are off an exact distribution by more than chance. */
bool cs_arm_is_off(cs_run *run, size_t arm, const cs_flat *told);
