/* What is known of a run and its arms without looking at a chain. */
#pragma once

#include "run/arms/spec.h"

size_t cs_run_arms(const cs_run *r);
cs_target *cs_run_target(const cs_run *r); /* [borrowed] where arms learn, as
                                              it was before */
cs_target *cs_run_arm_target(const cs_run *r, size_t arm); /* [borrowed] its
                                              own, if it learns */
bool cs_run_learns(const cs_run *r); /* whether some arm has a learner */
/* The name of an arm; NULL: there is no such arm. [borrowed] */
const char *cs_run_arm_name(const cs_run *r, size_t arm);
uint64_t cs_run_seed(const cs_run *r);

uint64_t cs_run_steps(const cs_run *r);
/* Of arms without a tuner; 0: none, or there is no such arm. */
uint64_t cs_run_warmup(const cs_run *r);
const cs_budget *cs_run_budget(const cs_run *r);
double cs_run_seconds(const cs_run *r); /* spent advancing, wall */

/* Whether all chains were told to start at one state. */
bool cs_run_one_place(const cs_run *r);

/* Whether laws have judged an arm, and the first that it has failed ("": none), as
 * whoever keeps their results has told the run: of a kernel of functions without
 * any, and of a broken law, it is warned. */
void cs_run_set_checked(cs_run *r, size_t arm, bool checked,
                        const char *broken);
bool cs_run_checked(const cs_run *r, size_t arm);
const char *cs_run_broken(const cs_run *r, size_t arm); /* [borrowed] */
/* How many draws its longest chain has, of which it goes no farther than the
 * shortest: the warnings say so. 0: not known. */
void cs_run_set_longest(cs_run *r, size_t arm, uint64_t draws);
uint64_t cs_run_longest(const cs_run *r, size_t arm);

/* What the user of these arms should know of the target ("the gradient is by
 * central differences ..."), or NULL. A constant text. */
const char *cs_run_note(const cs_run *r);
