/* Finds the warnings about an arm: gathers the facts of the run
 * (warn/arm_facts.h) and the warnings from the diagnosed draws, and applies the
 * table of kinds (warn/warnings.h). */
#pragma once

#include "run/arms/spec.h"
#include "warn/warnings.h"

/* Returns all warnings about an arm, causes first [own: cs_warnings_free]. For
 * a run in progress, `reported` contains the existing reports under "arm/<i>/".
 * In this case no other reports are made, and before the first step only a
 * broken law causes a warning. NULL: the run has ended. Call cs_witnesses_look
 * before this function. */
cs_warnings cs_arm_warnings(cs_run *run, size_t arm, const cs_flat *reported);

/* Appends the warnings as lines of text. */
void cs_arm_words(cs_run *run, size_t arm, const cs_flat *reported, cs_page *p);

/* Returns true if the draws differ from an exact distribution by more than
 * chance. */
bool cs_arm_is_off(cs_run *run, size_t arm, const cs_flat *reported);
