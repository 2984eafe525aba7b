/* Facts about a run and its arms that do not depend on the states of chains. */
#pragma once

#include "run/arms/spec.h"
#include "warn/arm_facts.h"

size_t cs_run_arms(const cs_run *r);
/* the target [borrowed]; if arms learn, the target before learning */
cs_target *cs_run_target(const cs_run *r);
/* Returns the target of an arm [borrowed]. An arm with a learner has its own
 * copy of the target. */
cs_target *cs_run_arm_target(const cs_run *r, size_t arm);
bool cs_run_learns(const cs_run *r); /* true if some arm has a learner */
/* Returns the name of an arm [borrowed]; NULL if the arm does not exist. */
const char *cs_run_arm_name(const cs_run *r, size_t arm);
uint64_t cs_run_seed(const cs_run *r);

uint64_t cs_run_steps(const cs_run *r);
/* Returns the number of warm-up steps of arms without a tuner; 0: no
 * warm-up. */
uint64_t cs_run_warmup(const cs_run *r);
const cs_budget *cs_run_budget(const cs_run *r);
double cs_run_seconds(const cs_run *r); /* wall time spent advancing */

/* Returns true if all chains have the same start in the spec. */
bool cs_run_one_place(const cs_run *r);

/* Stores whether the laws were tested on an arm, and the first law that was
 * broken ("": no broken law). A broken law causes a warning. A kernel from a
 * script also causes a warning if the laws were not tested on it. */
void cs_run_set_checked(cs_run *r, size_t arm, bool checked,
                        const char *broken);
bool cs_run_checked(const cs_run *r, size_t arm);
const char *cs_run_broken(const cs_run *r, size_t arm); /* [borrowed] */
/* Stores facts about the files of an arm that reads draws. The arm ends when its
 * shortest chain ends; a warning is given if the longest chain is longer, or if
 * chains are left out. */
void cs_run_set_files(cs_run *r, size_t arm, const cs_warn_files *files);
cs_warn_files cs_run_files(const cs_run *r, size_t arm);

/* Returns a note about the target for users ("the gradient is by central
 * differences ..."), or NULL. The text is constant. */
const char *cs_run_note(const cs_run *r);
